import Quarry

extension Database {
  /// Runs reads in a transaction that has a lock before the first one, so that no other connection
  /// changes the schema that they are planned with.
  func inReadTransaction<T>(_ body: () throws -> T) throws -> T {
    var result: T?
    try inTransaction(.deferred) {
      _ = try readMainSchemaVersion()
      result = try body()
      return .commit
    }
    guard let result else {
      throw DatabaseError(resultCode: .SQLITE_ABORT, message: "Transaction was aborted")
    }
    return result
  }
}
