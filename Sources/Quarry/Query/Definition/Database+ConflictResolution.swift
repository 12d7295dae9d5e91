extension Database {
  /// The conflict resolution algorithm of a violated constraint.
  ///
  /// See <https://www.sqlite.org/lang_conflict.html>.
  public enum ConflictResolution: String, Hashable, Sendable {
    /// The whole transaction is rolled back.
    case rollback = "ROLLBACK"

    /// The statement fails, and its changes are undone.
    case abort = "ABORT"

    /// The statement fails, and its earlier changes stay.
    case fail = "FAIL"

    /// The row is skipped.
    case ignore = "IGNORE"

    /// The rows that stand in the way are deleted.
    case replace = "REPLACE"
  }
}
