/// Is notified of the changes of rows that a fetched list may have: the seam of `QuarryChanges`,
/// whose observations fetch these rows instead of the list.
///
/// It is used in accesses to the connection that writes only, and a list is fetched outside of
/// transactions: all changes before it are in it, all others come here.
package protocol RowFollower: AnyObject, Sendable {
  /// Notes a change, whether it stays or not.
  func note(_ event: DatabaseEvent, announcedBy kinds: [DatabaseEventKind])

  /// Called where nobody knows which rows have changed.
  func forget()

  /// Whether the list was fetched or forgotten since the last call.
  func takeHasNewList() -> Bool
}

extension Database {
  /// The follower of the observation that fetches. Nil where it is to fetch all.
  package var rowFollower: (any RowFollower)? { broker.rowFollower }

  /// Fetches for an observation that follows rows.
  func following<T>(_ rows: (any RowFollower)?, _ fetch: () throws -> T) rethrows -> T {
    guard let rows else { return try fetch() }
    // A rollback would undo what the list has.
    if isInsideTransaction {
      rows.forget()
      return try fetch()
    }
    broker.rowFollower = rows
    defer { broker.rowFollower = nil }
    return try fetch()
  }
}
