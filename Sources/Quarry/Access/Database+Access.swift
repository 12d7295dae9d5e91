extension Database {
  /// The result of a closure that runs in a transaction that can only read.
  ///
  /// A cancellation that comes after the closure has succeeded is too late.
  func readResult<T>(of value: (Database) throws -> T) throws -> T {
    try readOnly {
      try beginTransaction(.deferred)
      do {
        let result = try inBlock { try value(self) }
        try ignoringCancellation { try commitBlock() }
        return result
      } catch {
        try? rollback()
        throw error
      }
    }
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
}
