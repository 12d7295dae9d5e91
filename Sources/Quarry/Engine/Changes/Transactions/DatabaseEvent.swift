/// A change of a row.
///
/// See <https://www.sqlite.org/c3ref/update_hook.html>.
public struct DatabaseEvent {
  /// The kind of change. The raw values are SQLite's.
  public enum Kind: CInt, Sendable {
    /// The row was inserted.
    case insert = 18
    /// The row was deleted.
    case delete = 9
    /// The row was updated.
    case update = 23
  }

  /// The kind of change.
  public let kind: Kind

  /// The name of the schema: `main`, `temp`, or the name of an attached database.
  public let databaseName: String

  /// The name of the table, as it is declared.
  public let tableName: String

  /// The rowid of the row: after an update, the new one.
  public let rowID: Int64

  /// The rowid before an update, where it is known.
  package var initialRowID: Int64?

  package init(
    kind: Kind, databaseName: String, tableName: String, rowID: Int64, initialRowID: Int64? = nil
  ) {
    self.kind = kind
    self.databaseName = databaseName
    self.tableName = tableName
    self.rowID = rowID
    self.initialRowID = initialRowID
  }

  /// A copy that can be kept.
  public func copy() -> DatabaseEvent { self }
}
