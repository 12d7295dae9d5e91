import Dispatch

// Reading.
extension DatabasePool {
  /// The connections that read.
  public var _readingSource: _ReadingSource {
    _ReadingSource(connections: readers, transaction: .reading, isUrgent: writer.isInsideAccess)
  }

  /// Runs database operations with the connection of the current access, a reader if there is one,
  /// or else outside of a transaction.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` when the pool is closed.
  public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
    if let reader = readers.currentReader { return try value(reader.db) }
    if writer.isInsideAccess { return try value(writer.db) }
    return try unsafeRead(value)
  }

  /// Reads the last committed state of the database, while later writes continue.
  ///
  /// ```swift
  /// try dbPool.writeWithoutTransaction { db in
  ///   try db.execute(sql: "DELETE FROM loan")
  ///   dbPool.spawnConcurrentRead { result in
  ///     // Sees no loan, whatever is written below.
  ///     let count = try? Int.fetchOne(result.get(), sql: "SELECT COUNT(*) FROM loan")
  ///   }
  ///   try db.execute(sql: "INSERT INTO loan DEFAULT VALUES")
  /// }
  /// ```
  ///
  /// It returns when the transaction of the read is open. It may wait for a reader before. Inside a
  /// transaction, the function gets an error.
  ///
  /// - precondition: It is called in an access that writes.
  public func spawnConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) { asyncConcurrentRead(value) }

  /// Reads the last committed state of the database, while later writes continue. See
  /// ``spawnConcurrentRead(_:)``.
  public func asyncConcurrentRead(
    _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    precondition(writer.isInsideAccess, "Database was not used on the correct thread.")
    let reader: SerialConnection
    do {
      try checkCanReadConcurrently()
      reader = try readers.take(isUrgent: true, isReentrant: true)
    } catch {
      return value(.failure(error))
    }
    let beginning = Result { try reader.beginReading() }
    reader.queue.async { [self] in
      switch beginning {
      case .success: reader.continueReading(value)
      case .failure(let error): value(.failure(error))
      }
      readers.giveBack(reader)
    }
  }

  private func checkCanReadConcurrently() throws {
    guard writer.db.isInsideTransaction else { return }
    throw DatabaseError.misuse(
      """
      must not be called from inside a transaction. If this error is raised from a \
      DatabasePool.write block, use DatabasePool.writeWithoutTransaction instead (and use \
      transactions when needed).
      """)
  }
}

// Writing.
extension DatabasePool {
  /// Writes without a transaction, when no other access is running, and waits for the result.
  ///
  /// Reads wait from the call on, until the closure has run. Snapshots are not concerned.
  ///
  /// - Throws: the error of the closure, ``DatabaseError`` inside an access to the pool.
  @_disfavoredOverload
  public func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T {
    try barrier.sync(updates)
  }

  /// Writes without a transaction, when no other access is running. See
  /// ``barrierWriteWithoutTransaction(_:)-(_)``.
  public func barrierWriteWithoutTransaction<T: Sendable>(
    _ updates: @Sendable (Database) throws -> T
  ) async throws -> T { try await barrier.run(.none, updates) }

  /// Writes without a transaction, when no other access is running, later. See
  /// `barrierWriteWithoutTransaction(_:)`.
  public func asyncBarrierWriteWithoutTransaction(
    _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    // The pool stays open until the function has run.
    barrier.async(.none) { result in withExtendedLifetime(self) { updates(result) } }
  }

  /// Runs a transaction that writes, and waits for its end.
  ///
  /// ```swift
  /// try dbPool.writeInTransaction { db in
  ///   try db.execute(sql: "DELETE FROM loan")
  ///   return .rollback
  /// }
  /// ```
  ///
  /// - Throws: the error of the closure, after a rollback; ``DatabaseError`` when the commit fails.
  public func writeInTransaction(
    _ kind: Database.TransactionKind? = nil,
    _ updates: (Database) throws -> Database.TransactionCompletion
  ) throws { try writer.sync { db in try db.inTransaction(kind) { try updates(db) } } }
}
