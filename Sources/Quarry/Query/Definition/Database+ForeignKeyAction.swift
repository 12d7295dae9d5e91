extension Database {
  /// The action on a row when the row that it references is deleted or changes its key.
  ///
  /// See <https://www.sqlite.org/foreignkeys.html#fk_actions>.
  public enum ForeignKeyAction: String, Hashable, Sendable {
    /// The row is deleted, or follows the new key.
    case cascade = "CASCADE"

    /// The change is refused at once.
    case restrict = "RESTRICT"

    /// The foreign key becomes NULL.
    case setNull = "SET NULL"

    /// The foreign key becomes the default values of its columns.
    case setDefault = "SET DEFAULT"
  }
}
