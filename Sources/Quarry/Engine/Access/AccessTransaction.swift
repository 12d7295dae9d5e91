/// The transaction that an access opens around its closure.
enum AccessTransaction {
  /// None: the closure opens its own.
  case none
  /// A deferred transaction that can only read. Its end is not stopped by a cancellation.
  case reading
}

extension Database {
  /// The result of the closure of an access.
  ///
  /// - parameter verifiesSchema: Whether the version of the schema is read first. This also opens
  ///   the snapshot of a transaction: the closure sees no later commit, whenever it runs its first
  ///   statement.
  func result<T>(
    of transaction: AccessTransaction, verifiesSchema: Bool, _ body: (Database) throws -> T
  ) throws -> T {
    switch transaction {
    case .none:
      if verifiesSchema { try schema.verify() }
      return try body(self)
    case .reading:
      return try readOnly {
        try repeating {
          try beginReading(verifiesSchema: verifiesSchema)
          return try endingReading(body)
        }
      }
    }
  }

  /// Begins a transaction that only reads.
  func beginReading(verifiesSchema: Bool) throws {
    try beginTransaction(.deferred)
    if verifiesSchema { try rollingBackFailure(schema.verify) }
  }

  /// The result of a closure in a transaction that only reads, and ends with it.
  ///
  /// A cancellation that comes after the closure has succeeded is too late.
  func endingReading<T>(_ body: (Database) throws -> T) throws -> T {
    try rollingBackFailure {
      let result = try inBlock { try body(self) }
      try commitReadBlock()
      return result
    }
  }

  /// The result of a closure that runs in a transaction that writes.
  func commitResult<T>(of updates: (Database) throws -> T) throws -> T {
    try repeating {
      try beginTransaction()
      return try rollingBackFailure {
        let result = try inBlock { try updates(self) }
        try commitBlock()
        return result
      }
    }
  }

  /// Runs the transaction of an access, which an engine may have lost before its commit.
  @inline(__always) private func repeating<T>(_ transaction: () throws -> T) throws -> T {
    guard let engine else { return try transaction() }
    return try engine.repeating(in: self, transaction)
  }
}
