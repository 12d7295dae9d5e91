import CSQLite
public import Foundation

/// The state of the transaction of a connection.
struct TransactionState {
  /// How many transaction or savepoint blocks are running.
  var blockDepth = 0
  /// The date of the beginning of the transaction, nil after its end.
  var date: Result<Date, any Error>?
  /// Whether a transaction was open before the last statement that begins or ends one.
  var hadBegun = false
  /// Whether a transaction was writing before the last release of a savepoint.
  var wasWriting = false
  /// Whether the current transaction, or the last one, has begun where writes are possible.
  var mayWrite = false
  /// Whether a rollback has failed, for lack of memory: it is tried again before anything else.
  var needsRollback = false
}

extension Database {
  /// How a transaction ends.
  @frozen public enum TransactionCompletion: Sendable {
    /// The changes are kept.
    case commit
    /// The changes are undone.
    case rollback
  }

  /// When a transaction takes its locks.
  ///
  /// See <https://www.sqlite.org/lang_transaction.html>.
  public enum TransactionKind: String, Sendable {
    /// Locks are taken by the first statements that need them.
    ///
    /// When another connection changes the schema between the beginning and the first lock, later
    /// statements, and the commit, throw a ``DatabaseError`` with code `SQLITE_SCHEMA`. Records and
    /// requests read the schema where the connection does not know it yet; after them, definitions
    /// with a query or a foreign key, triggers, and virtual tables read it, too. A write after that
    /// does not wait for other connections.
    case deferred = "DEFERRED"
    /// The lock to write is taken at once.
    case immediate = "IMMEDIATE"
    /// The lock that forbids all other connections is taken at once.
    case exclusive = "EXCLUSIVE"
  }

  /// True if a transaction or a savepoint is open.
  public var isInsideTransaction: Bool {
    guard let sqliteConnection else { return false }
    return unsafe sqlite3_get_autocommit(sqliteConnection) == 0
  }

  /// Whether a transaction has begun to read a schema, or any, or to write: a constant of SQLite.
  ///
  /// See <https://www.sqlite.org/c3ref/txn_state.html>.
  func lockState(of schema: DatabaseSchemaID?) -> CInt {
    guard let sqliteConnection else { return SQLITE_TXN_NONE }
    return unsafe sqlite3_txn_state(sqliteConnection, schema?.name)
  }

  /// True when a transaction has begun to read or to write a schema.
  func holdsLock(of schema: DatabaseSchemaID) -> Bool { lockState(of: schema) > SQLITE_TXN_NONE }

  /// True for a schema that is not detached.
  func isAttached(_ schema: DatabaseSchemaID) -> Bool { lockState(of: schema) >= SQLITE_TXN_NONE }

  /// True when a transaction has begun to write a schema.
  package func writes(to id: DatabaseSchemaID) -> Bool { lockState(of: id) == SQLITE_TXN_WRITE }

  /// True when a transaction has begun to write.
  var isWriting: Bool { lockState(of: nil) == SQLITE_TXN_WRITE }

  /// True in a transaction, also in the implicit one of a statement that has not ended.
  ///
  /// See <https://www.sqlite.org/lang_transaction.html>.
  var hasUncommittedChanges: Bool { isInsideTransaction || isWriting }

  /// The date of the current transaction, which does not change during the transaction, or the
  /// current date.
  ///
  /// - Throws: the error of the clock of the configuration.
  public var transactionDate: Date {
    get throws {
      guard isInsideTransaction, let date = transactions.date else {
        return try configuration.transactionClock.now(self)
      }
      return try date.get()
    }
  }

  /// Runs statements in a transaction.
  ///
  /// ```swift
  /// // BEGIN IMMEDIATE TRANSACTION … COMMIT TRANSACTION
  /// try db.inTransaction {
  ///   try db.execute(sql: "DELETE FROM player")
  ///   return .commit
  /// }
  /// ```
  ///
  /// - Parameter operations: The statements of the transaction. It returns whether they are
  ///   committed.
  /// - Parameter kind: immediate by default, deferred where only reads are possible.
  /// - Throws: the error of the closure, after a rollback, or the ``DatabaseError`` of the commit,
  ///   after a rollback.
  public func inTransaction(
    _ kind: TransactionKind? = nil, _ operations: () throws -> TransactionCompletion
  ) throws {
    try beginTransaction(kind)
    try rollingBackFailure {
      switch try inBlock(operations) {
      case .commit: try commitBlock()
      case .rollback: try rollback()
      }
    }
  }

  /// Runs statements in a savepoint: a transaction inside a transaction.
  ///
  /// ```swift
  /// // SAVEPOINT grdb … RELEASE SAVEPOINT grdb
  /// try db.inSavepoint {
  ///   try db.execute(sql: "DELETE FROM player")
  ///   return .commit
  /// }
  /// ```
  ///
  /// Outside of a transaction, it is a transaction. See
  /// <https://www.sqlite.org/lang_savepoint.html>.
  ///
  /// - Throws: the error of the closure, after a rollback to the savepoint.
  public func inSavepoint(_ operations: () throws -> TransactionCompletion) throws {
    guard isInsideTransaction else { return try inTransaction(nil, operations) }
    try execute(sql: "SAVEPOINT grdb")
    try endingSavepoint(operations)
  }

  /// Runs statements in a savepoint, and returns their result.
  func resultInSavepoint<T>(of operations: () throws -> T) throws -> T {
    var result = Result<T, any Error>.failure(CancellationError())
    try inSavepoint {
      result = .success(try operations())
      return .commit
    }
    return try result.get()
  }

  /// Begins a transaction.
  ///
  /// - Throws: ``DatabaseError``, with code `SQLITE_BUSY` when another connection has locked the
  ///   database.
  public func beginTransaction(_ kind: TransactionKind? = nil) throws {
    try finishRollback()
    let kind = kind ?? (isReadOnly ? .deferred : .immediate)
    switch kind {
    case .deferred: try execute(frequentStatements.beginDeferred)
    case .immediate: try execute(frequentStatements.beginImmediate)
    case .exclusive: try executeInternally("BEGIN EXCLUSIVE TRANSACTION")
    }
  }

  /// Undoes the changes of the transaction. Does nothing where no transaction is open.
  ///
  /// - Throws: ``DatabaseError``, with code `SQLITE_MISUSE` outside of the access, in a snapshot,
  ///   and in observers that must not use the database: the transaction goes on.
  public func rollback() throws {
    guard isInsideTransaction else { return }
    // A rollback that is refused has not failed, and must not be tried again.
    try checkAccess()
    try checkKeepsSnapshot(.rollback)
    try checkIsNotNotifying(sql: "ROLLBACK TRANSACTION")
    defer { transactions.needsRollback = isInsideTransaction }
    try executeUninterrupted("ROLLBACK TRANSACTION")
  }

  /// Rolls back the transaction whose rollback has failed: nothing may be added to it.
  @inline(__always) func finishRollback() throws {
    if transactions.needsRollback { try rollback() }
  }

  /// Keeps the changes of the transaction.
  ///
  /// - Throws: ``DatabaseError``, with code `SQLITE_CONSTRAINT` when a deferred foreign key is
  ///   violated.
  public func commit() throws { try execute(frequentStatements.commit) }

  /// Runs a statement that ends a transaction or a savepoint, which neither an interruption nor the
  /// cancellation of the task stops.
  func executeUninterrupted(_ sql: String) throws {
    try uninterrupted { try executeInternally(sql) }
  }

  /// Runs `end`, which ends a transaction or a savepoint: once more when an earlier interruption
  /// has lasted.
  private func uninterrupted(_ end: () throws -> Void) throws {
    try ignoringCancellation {
      try unsafe interrupting(nil) {
        do {
          try end()
        } catch let error as DatabaseError where error.isInterruptionError && isInsideTransaction {
          // The statements that made it last have been ended.
          try end()
        }
      }
    }
  }

  /// Runs a statement of the library, which is prepared once.
  func executeInternally(_ sql: String) throws {
    try internalStatement(sql: sql).use { try $0.run() }
  }
}

extension Database {
  /// Runs a part of a transaction, which is rolled back when that fails.
  @inline(__always) func rollingBackFailure<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      // The first error is the one to report.
      try? rollback()
      throw error
    }
  }

  private func endingSavepoint(_ operations: () throws -> TransactionCompletion) throws {
    do {
      let completion = try inBlock(operations)
      try checkTransactionIsAlive()
      switch completion {
      case .commit: try execute(sql: "RELEASE SAVEPOINT grdb")
      case .rollback: try undoSavepoint()
      }
    } catch {
      // The first error is the one to report.
      if isInsideTransaction { try? undoSavepoint() }
      throw error
    }
  }

  private func undoSavepoint() throws {
    do {
      try executeUninterrupted("ROLLBACK TRANSACTION TO SAVEPOINT grdb")
      try executeUninterrupted("RELEASE SAVEPOINT grdb")
    } catch let error as DatabaseError where error.resultCode != .SQLITE_ERROR {
      // An interruption, or memory is short. The changes of the savepoint must not be committed
      // with those of the transaction. (There is no savepoint where the block has released it.)
      try? rollback()
      throw error
    }
  }

  /// Statements of the block fail when SQLite has rolled the transaction back by itself.
  func inBlock<T>(_ operations: () throws -> T) throws -> T {
    transactions.blockDepth += 1
    defer { transactions.blockDepth -= 1 }
    return try operations()
  }

  /// Commits, unless SQLite has rolled the transaction back by itself.
  func commitBlock() throws {
    try checkTransactionIsAlive()
    try commit()
  }

  /// Commits what was only read, unless SQLite has rolled the transaction back.
  func commitReadBlock() throws {
    try checkTransactionIsAlive()
    try uninterrupted { try execute(frequentStatements.commit) }
  }

  private func checkTransactionIsAlive() throws {
    try finishRollback()
    guard isInsideTransaction else {
      throw DatabaseError(resultCode: .SQLITE_ABORT, message: "Transaction was aborted")
    }
  }
}
