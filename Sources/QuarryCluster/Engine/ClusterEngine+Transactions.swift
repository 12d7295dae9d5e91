import Foundation
import Quarry

extension ClusterEngine {
  func willExecute(_ statement: Statement, in db: Database) throws {
    if let effect = statement.effects.transaction {
      return try endingLostTransaction { try willExecute(effect, statement) }
    }
    guard let context = statement.engineContext else { return }
    // An execution may have failed before its request.
    arguments = []
    try endOrphan()
    try endingLostTransaction {
      do {
        try willExecute(statement, context)
      } catch {
        undoFailedPragma(context, statement)
        throw error
      }
    }
  }

  private func willExecute(_ statement: Statement, _ context: AnyObject) throws {
    if db.isInsideTransaction {
      guard transaction != nil else { throw lostTransaction }
    } else {
      try beginStatement(isReadonly: statement.isReadonly || context is SharedStatement)
    }
    if let shared = context as? SharedStatement {
      try execute(shared, statement)
    } else if let remote = context as? RemoteStatement {
      try checkIsCurrent(remote, statement)
    }
  }

  /// A transaction of the node without one of the shadow, whose beginning has failed.
  private func endOrphan() throws { if transaction != nil, !db.isInsideTransaction { rollBack() } }

  private var lostTransaction: ClusterError {
    ClusterError(.connectionLost, "the transaction was lost with the connection to the leader")
  }

  /// A statement outside of transactions: one that writes has its own, for the observers to agree.
  private func beginStatement(isReadonly: Bool) throws {
    if isReadonly {
      try verifySchema()
    } else {
      try begin("BEGIN IMMEDIATE TRANSACTION")
    }
  }

  private func willExecute(
    _ effect: StatementEffects.TransactionEffect, _ statement: Statement
  ) throws {
    try endOrphan()
    let savepoint = statement.effects.savepointName ?? ""
    switch effect {
    case .begin: if !db.isInsideTransaction { try begin(statement.sql) }
    case .commit:
      // SQLite asks for the commit of what was written: see ``commit()``.
      if !db.willAnnounceCommit { try commit() }
    case .rollback: break
    case .beginSavepoint:
      if !db.isInsideTransaction {
        try begin("BEGIN DEFERRED TRANSACTION")
        transaction?.isSavepoint = true
      }
      try sql { try connection.executeOnce(statement.sql) }
      transaction?.begin(savepoint)
    case .releaseSavepoint: try release(savepoint, statement.sql)
    case .rollbackToSavepoint:
      guard transaction?.rollBack(to: savepoint) == true else { return }
      try sql { try connection.executeOnce(statement.sql) }
      if schema.changes { try noteSchemaVersion() }
    }
  }

  private func release(_ savepoint: String, _ text: String) throws {
    if transaction?.isCommitted(byReleaseOf: savepoint) == true {
      if !db.willAnnounceCommit { try commit() }
    } else if transaction?.release(savepoint) == true {
      try sql { try connection.executeOnce(text) }
    }
  }

  /// Takes the transaction from the shadow when the node has lost it.
  func endingLostTransaction<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      if !connection.isOpen {
        transaction = nil
        if db.isInsideTransaction { try? db.rollback() }
      }
      guard error is LeaderConnection.Interruption else { throw error }
      try db.checkCancellation()
      throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: "interrupted")
    }
  }

  /// Reports errors of SQL as errors of the database.
  func sql<T>(_ text: String? = nil, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let failure as NodeFailure {
      throw failure.databaseError(text)
    }
  }
}

// The beginning and the end.
extension ClusterEngine {
  /// Begins a transaction at the node. Finds the leader when the connection is lost: nothing
  /// depends on it yet.
  func begin(_ sql: String) throws {
    let version = try retrying(sql) { try connection.begin(sql) }
    transaction = RemoteTransaction()
    do {
      try copySchemaIfNeeded(version)
    } catch {
      rollBack()
      throw error
    }
    schema.versionAtBegin = schema.version
  }

  /// Looks whether another client has changed the schema, before a statement that is its own
  /// transaction.
  func verifySchema() throws {
    let version = try retrying(Self.schemaVersion) { try storedSchemaVersion() }
    try copySchemaIfNeeded(version)
  }

  func schemaVersion() throws -> Int64 { try sql(Self.schemaVersion) { try storedSchemaVersion() } }

  private static let schemaVersion = "PRAGMA schema_version"

  private func storedSchemaVersion() throws -> Int64 {
    let rows = try connection.rows(Self.schemaVersion)
    return rows.first?.first.flatMap(Int64.fromDatabaseValue) ?? 0
  }

  private func copySchemaIfNeeded(_ version: Int64) throws {
    if version == schema.version { return }
    try copySchema(version)
  }

  /// Runs a request that nothing depends on yet, with another connection when one is lost, and
  /// again while the node is busy: it also is so for a moment when it begins to lead.
  private func retrying<T>(_ text: String, _ body: () throws -> T) throws -> T {
    let deadline = ContinuousClock.now + options.electionTimeout
    var waits = BusyWaits(db.configuration.busyMode)
    while true {
      do {
        if !connection.isOpen { try reconnect(until: min(deadline, .now + .seconds(3))) }
        return try body()
      } catch let failure as NodeFailure {
        guard failure.isBusy, waits.wait(db) else { throw failure.databaseError(text) }
      } catch let error as ClusterError where error.isTemporary && .now < deadline {
        connection.close()
        try db.checkCancellation()
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
  }

  private func reconnect(until deadline: ContinuousClock.Instant) throws {
    formerChangesCount = totalChangesCount
    try connection.open(until: deadline)
    schema.version = nil
    guard isPrepared else { return }
    isPrepared = false
    defer {
      isPrepared = true
      for name in pragmas.keys { restorePragma(name) }
    }
    do {
      try dropTemporaryObjects()
      try db.prepareAgain()
      for (_, sql) in pragmas.sorted(by: { $0.key < $1.key }) {
        try self.sql(sql) { try connection.executeOnce(sql) }
      }
    } catch {
      connection.close()
      throw error
    }
  }

  func commit() throws { try commit(hasWritten: db.willAnnounceCommit) }

  /// Commits at the node.
  ///
  /// - parameter hasWritten: Whether the transaction changes the database. The shadow does not know
  ///   it of a definition that is its own transaction, which it executes after the node.
  func commit(hasWritten: Bool) throws {
    guard transaction != nil else { return }
    guard connection.isOpen else {
      transaction = nil
      throw lostTransaction
    }
    do {
      try sql("COMMIT") { try connection.execute("COMMIT", canBeInterrupted: false) }
      transaction = nil
      schema.changes = false
    } catch let error as ClusterError {
      transaction = nil
      schema.changes = false
      connection.close()
      // What was read is right.
      if !hasWritten { return }
      // A node that does not lead has refused the request.
      if error.nodeCode == NodeFailure.notLeader { throw error }
      throw Self.unknownOutcome(error)
    }
  }

  private static func unknownOutcome(_ error: ClusterError) -> ClusterError {
    ClusterError(
      .commitOutcomeUnknown,
      "the connection was lost before the answer to the commit: \(error.message). The transaction "
        + "is committed, or not: look for what it writes before you write it again",
      node: error.node, nodeCode: error.nodeCode)
  }

  func rollBack() {
    guard transaction != nil else { return }
    transaction = nil
    if schema.changes { schema.didChange(schema.versionAtBegin) }
    schema.changes = false
    do {
      try connection.execute("ROLLBACK", canBeInterrupted: false)
    } catch is NodeFailure {
      // The node has rolled back by itself.
    } catch {
      connection.close()
    }
  }

  func repeating<T>(in db: Database, _ transaction: () throws -> T) throws -> T {
    guard options.repeatsTransactions, !db.isInsideTransaction else { return try transaction() }
    let deadline = ContinuousClock.now + options.electionTimeout
    while true {
      do {
        return try transaction()
      } catch let error as ClusterError where error.code == .connectionLost && .now < deadline {
        try db.checkCancellation()
      }
    }
  }

  func failure(of statement: Statement, in db: Database) -> (any Error)? {
    let failure = failure.take()
    if statement.engineContext is SharedStatement { endDifference() }
    if db.isInsideTransaction {
      guard !isTransactionAlive(after: failure) else { return failure?.ownError }
      transaction = nil
      try? db.rollback()
      return failure?.error(statement.sql)
    }
    if transaction != nil { rollBack() }
    return failure?.ownError
  }

  /// The node has changed its schema, and the shadow has not: both go back, or the shadow copies
  /// it.
  private func endDifference() {
    rollBack()
    schema.version = nil
  }

  /// Whether the node still has the transaction, which some errors roll back.
  private func isTransactionAlive(after failure: RemoteFailure?) -> Bool {
    guard connection.isOpen, transaction != nil else { return false }
    guard case .sql = failure else { return true }
    do {
      // It fails inside of a transaction.
      try connection.execute("BEGIN", canBeInterrupted: false)
      try connection.execute("ROLLBACK", canBeInterrupted: false)
      return false
    } catch {
      return error is NodeFailure
    }
  }
}

extension ClusterError {
  /// Whether another connection may be had a moment later.
  fileprivate var isTemporary: Bool { [.connectionLost, .noLeader, .unreachable].contains(code) }
}

extension RemoteFailure {
  /// The error that the shadow does not report by itself.
  fileprivate var ownError: (any Error)? { if case .other(let error) = self { error } else { nil } }

  fileprivate func error(_ sql: String) -> any Error {
    switch self {
    case .sql(let failure): failure.databaseError(sql)
    case .other(let error): error
    }
  }
}

extension NodeFailure {
  var isBusy: Bool { code & 0xFF == 5 }

  func databaseError(_ sql: String?) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: CInt(truncatingIfNeeded: code)), message: message, sql: sql)
  }
}

/// The waits for another client that writes.
struct BusyWaits {
  private let mode: Database.BusyMode
  private let begin = ContinuousClock.now
  private var count = 0

  init(_ mode: Database.BusyMode) { self.mode = mode }

  /// Waits a moment. Returns false when there is no other try.
  mutating func wait(_ db: Database) -> Bool {
    if db.isAccessCancelled { return false }
    count += 1
    switch mode {
    case .immediateError: return false
    case .callback(let callback): return callback(count - 1)
    case .timeout(let seconds):
      // A duration has no infinity.
      guard (ContinuousClock.now - begin) / .seconds(1) < seconds else { return false }
      // 1 to 20 milliseconds, and a random part: others wait as well.
      let longest = Double(min(count, 20)) / 1000
      Thread.sleep(forTimeInterval: longest * Double.random(in: 0.5...1))
      return true
    }
  }
}
