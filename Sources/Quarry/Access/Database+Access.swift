extension Database {
  /// The result of a closure that runs in a transaction that can only read.
  ///
  /// A cancellation that comes after the closure has succeeded is too late.
  func readResult<T>(of value: (Database) throws -> T) throws -> T {
    try readOnly {
      try beginTransaction(.deferred)
      do {
        let result = try inBlock { try value(self) }
        try commitReadBlock()
        return result
      } catch {
        try? rollback()
        throw error
      }
    }
  }

  /// Gives the connection to a closure, once, in a transaction that can only read, or the error of its beginning.
  func offerForReading(_ value: (Result<Database, any Error>) -> Void) {
    var isDone = false
    do {
      try readResult { db in
        isDone = true
        value(.success(db))
      }
    } catch {
      // The closure had the connection: there is nobody to tell that the transaction could not be ended.
      if !isDone { value(.failure(error)) }
    }
  }

  /// The connection, when it is open.
  func checkedOpen() throws -> Database {
    _ = try unsafe requireConnection()
    return self
  }

  /// The result of a closure that runs in a transaction.
  func commitResult<T>(of updates: (Database) throws -> T) throws -> T {
    try beginTransaction()
    do {
      let result = try inBlock { try updates(self) }
      try commitBlock()
      return result
    } catch {
      try? rollback()
      throw error
    }
  }

  /// Replaces the content of the database with nothing: the content of another database, which is empty.
  func erase() throws {
    let empty = try DatabaseQueue()
    try empty.inDatabase { source in
      do {
        try source.backup(to: self)
      } catch DatabaseError.SQLITE_READONLY where !configuration.readonly {
        // In memory, and in WAL mode, databases can't change the size of their pages.
        let pageSize = try Int.fetchOne(self, sql: "PRAGMA page_size") ?? 4096
        try source.execute(sql: "PRAGMA page_size = \(pageSize)")
        try source.backup(to: self)
      }
    }
  }
}
