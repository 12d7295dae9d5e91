/// Is notified of what a connection does, on its thread: the seam of `QuarryMetrics`.
package protocol AccessObserver: AnyObject {
  /// Called when SQLite begins to run a statement.
  func statementWillBegin(_ statement: SQLiteStatement)

  /// Called when a statement has ended. Nothing but its counters may be read. SQLite itself
  /// measures durations in milliseconds.
  func statementDidEnd(_ statement: SQLiteStatement)

  /// Called at the end of an access, still inside of it.
  func accessDidEnd(_ access: FinishedAccess, _ db: Database)
}

/// An access that has ended.
package struct FinishedAccess {
  /// Whether the access could only read.
  package let isRead: Bool
  /// How long it waited for its connection.
  package let waited: Duration
  package let duration: Duration
  /// Whether it has thrown an error.
  package var hasFailed = false
}

/// The numbers of statements that a connection has compiled, and of those that it has generated
/// from requests.
package struct StatementCounts {
  package var compilations = 0
  package var plans = 0

  package init() {}
}
