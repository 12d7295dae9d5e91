import Dispatch

/// A connection, and the dispatch queue on which it is used.
///
/// Everything that accesses have in common is here, for all kinds of connections, and for accesses
/// that wait, that run later, and those of tasks: who may wait (`checkCanWait`), what happens
/// around the closure (`run`), and at its end.
final class SerialConnection: @unchecked Sendable {
  /// The readers of the pool whose writer this connection is. They are released before the writer:
  /// the last connection that is closed removes the write-ahead log, and it must be able to write.
  private let readers: ReaderPool?
  let db: Database
  /// The writer of the pool whose reader this connection is. It is closed after the reader, even if
  /// the reader ends an access when the pool is gone.
  private let writer: Database?
  let queue: DispatchQueue
  private let target: TargetQueue?
  /// Whether each access begins with a look at the version of the schema, so that it sees one state
  /// from its beginning on.
  private let verifiesSchema: Bool
  /// The time limit of the configuration.
  private let timeLimit: Duration?
  /// When the next access was asked for, if its connection is observed.
  var requestTime: ContinuousClock.Instant?

  init(
    path: String, label: String, configuration: Configuration, readers: ReaderPool? = nil,
    writer: Database? = nil, verifiesSchema: Bool = false
  ) throws {
    self.readers = readers
    self.writer = writer
    self.verifiesSchema = verifiesSchema
    timeLimit = configuration.accessTimeLimit
    target = configuration.connectionTarget.flatMap(TargetQueue.init)
    queue = DispatchQueue(
      label: label, qos: configuration.connectionQoS, target: configuration.connectionTarget)
    db = try Database(path: path, description: label, configuration: configuration)
    db.isInPool = readers != nil || writer != nil
  }

  /// True inside an access to this connection.
  var isInsideAccess: Bool { db.owner.isCurrent }

  /// Lets the current thread use the connection while `body` runs.
  private func open<T>(
    cancellation: AccessCancellation? = nil, isRead: Bool = false, _ body: () throws -> T
  ) rethrows -> T {
    guard let observer = db.accessObserver else { return try openUnobserved(cancellation, body) }
    let begin = ContinuousClock.now
    let waited = requestTime?.duration(to: begin) ?? .zero
    requestTime = nil
    return try openUnobserved(cancellation) {
      var hasFailed = true
      defer {
        let access = FinishedAccess(
          isRead: isRead || db.configuration.readonly, waited: waited,
          duration: begin.duration(to: .now), hasFailed: hasFailed)
        observer.accessDidEnd(access, db)
      }
      let result = try body()
      hasFailed = false
      return result
    }
  }

  @inline(__always)
  private func openUnobserved<T>(
    _ cancellation: AccessCancellation?, _ body: () throws -> T
  ) rethrows -> T {
    guard let timeLimit else { return try openWithoutLimit(cancellation, body) }
    return try db.limitingTime(timeLimit, cancellation) { cancellation in
      try openWithoutLimit(cancellation, body)
    }
  }

  @inline(__always)
  private func openWithoutLimit<T>(
    _ cancellation: AccessCancellation?, _ body: () throws -> T
  ) rethrows -> T {
    guard let target else { return try ConnectionAccess.open(db, cancellation: cancellation, body) }
    return try target.use { try ConnectionAccess.open(db, cancellation: cancellation, body) }
  }

  /// Runs an access on the queue of the connection.
  func run<T>(
    _ transaction: AccessTransaction, cancellation: AccessCancellation? = nil,
    _ body: (Database) throws -> T
  ) throws -> T {
    if let reason = cancellation?.reason {
      requestTime = nil
      throw reason.error
    }
    cancellation?.begin { [self] in db.interrupt() }
    defer { cancellation?.end() }
    return try open(cancellation: cancellation, isRead: transaction == .reading) {
      _ = try unsafe db.requireConnection()
      // An access that may be canceled may wait for a lock: the readers of a pool hardly do.
      let mayWait = cancellation != nil && !db.configuration.readsForPool
      guard timeLimit != nil || cancellation?.deadline != nil || mayWait else {
        return try runOpen(transaction, body)
      }
      return try db.endingBusyWaits { try runOpen(transaction, body) }
    }
  }

  @inline(__always)
  private func runOpen<T>(
    _ transaction: AccessTransaction, _ body: (Database) throws -> T
  ) throws -> T {
    let result: T
    do {
      try db.finishRollback()
      try db.checkSnapshot()
      result = try db.result(of: transaction, verifiesSchema: verifiesSchema, body)
      try db.owner.endCursorsAndStreams()
    } catch {
      try? rollBackOpenTransaction()
      throw error
    }
    try rollBackOpenTransaction()
    return result
  }

  /// Runs an access on the queue of the connection, and calls a function once: with the connection
  /// or with the error of the beginning. An error of the end has nobody to be thrown to: the
  /// function had the connection.
  ///
  /// - parameter isNested: Whether the access is a part of the current one.
  func offer(
    _ transaction: AccessTransaction, isNested: Bool = false,
    _ value: (Result<Database, any Error>) -> Void
  ) {
    var isDone = false
    func succeed(_ db: Database) {
      isDone = true
      value(.success(db))
    }
    do {
      if isNested {
        try db.result(of: transaction, verifiesSchema: verifiesSchema, succeed)
      } else {
        try run(transaction, succeed)
      }
    } catch {
      if !isDone { value(.failure(error)) }
    }
  }

  /// Rolls back a transaction that an access left open.
  ///
  /// - Throws: ``DatabaseError`` when there was one.
  private func rollBackOpenTransaction() throws {
    // A rollback that has failed is tried once more, or finished by the next access. What this one
    // has committed before is no failure.
    if db.transactions.needsRollback {
      try? db.rollback()
      return
    }
    guard !db.configuration.allowsUnsafeTransactions, db.isInsideTransaction else { return }
    try db.rollback()
    throw DatabaseError.misuse(
      "A transaction has been left opened at the end of a database access")
  }

  /// Throws when the current thread must not wait for an access.
  func checkCanWait() throws {
    guard !isInsideAccess else { throw DatabaseError.reentrancy }
    try target?.checkCanWait()
  }
}

extension SerialConnection {
  /// Runs an access, and waits for its end.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` inside an access to the same connection,
  ///   or to one with the same serial target queue.
  /// - parameter time: When the access was asked for, if it has waited before.
  func sync<T>(
    _ transaction: AccessTransaction = .none, since time: ContinuousClock.Instant? = nil,
    _ body: (Database) throws -> T
  ) throws -> T {
    try checkCanWait()
    return try wait(since: time) { try run(transaction, body) }
  }

  /// Runs an access that can't fail. A re-entrant one stops the program: there is no way to throw.
  func syncWithoutError<T>(_ body: (Database) -> T) -> T {
    precondition(!isInsideAccess, DatabaseError.reentrancyMessage)
    precondition(target?.isBlocked() != true, TargetQueue.message)
    return wait { openWithoutError(body) }
  }

  /// Runs an access in the current one, if any.
  func reentrantSync<T>(_ body: (Database) throws -> T) throws -> T {
    if isInsideAccess { return try body(db) }
    return try sync(.none, body)
  }

  /// Runs an access that can't fail in the current one, if any.
  func reentrantSyncWithoutError<T>(_ body: (Database) -> T) -> T {
    isInsideAccess ? body(db) : syncWithoutError(body)
  }

  /// Runs an access later, also when the connection is closed.
  func asyncWithoutError(_ body: @escaping @Sendable (Database) -> Void) {
    queue.async { self.openWithoutError(body) }
  }

  /// Closes the connection. Does nothing when it is closed.
  ///
  /// - parameter condition: The connection stays open when it is not satisfied.
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` inside an access, `SQLITE_BUSY` while
  ///   statements are alive.
  func close(if condition: () -> Bool = { true }) throws {
    guard !isInsideAccess else { throw DatabaseError.closeInsideAccess }
    try checkCanWait()
    try waitForQueue {
      guard condition() else { return }
      try openUnobserved(nil) { try db.close() }
    }
  }

  /// Runs an access to a connection that nobody else has yet, on the current thread.
  func setUp<T>(_ body: (Database) throws -> T) throws -> T {
    try ConnectionAccess.open(db) { try body(db) }
  }

  private func openWithoutError<T>(_ body: (Database) -> T) -> T {
    open {
      limitingBusyWaits {
        try? db.finishRollback()
        let result = body(db)
        try? rollBackOpenTransaction()
        return result
      }
    }
  }

  /// Runs `body`, in which waits for locks end at the time limit.
  private func limitingBusyWaits<T>(_ body: () -> T) -> T {
    guard timeLimit != nil else { return body() }
    // Only the question for SQLite's own timeout throws, before `body` runs.
    return (try? db.endingBusyWaits(body)) ?? body()
  }

  /// Now, if the connection is observed.
  var observedTime: ContinuousClock.Instant? { db.accessObserver == nil ? nil : .now }

  private func wait<T>(
    since time: ContinuousClock.Instant? = nil, _ body: () throws -> T
  ) rethrows -> T {
    guard db.accessObserver != nil else { return try waitForQueue(body) }
    let time = time ?? .now
    return try waitForQueue {
      requestTime = time
      return try body()
    }
  }

  /// Waits for the queue. The readers are notified when the thread has one of them: see
  /// ``ReaderPool``.
  @inline(__always)
  private func waitForQueue<T>(_ body: () throws -> T) rethrows -> T {
    guard let readers, readers.currentReader != nil else { return try queue.sync(execute: body) }
    var isWaiting = true
    readers.holderWaitsForWriter(1)
    defer { if isWaiting { readers.holderWaitsForWriter(-1) } }
    return try queue.sync {
      isWaiting = false
      readers.holderWaitsForWriter(-1)
      return try body()
    }
  }
}

// A read whose transaction begins in another access than the one that uses and ends it.
extension SerialConnection {
  /// Begins the transaction of a read, and waits until it has its snapshot. For observers, the
  /// access begins when the read goes on, or has failed, and has waited since then.
  func beginReading() throws {
    try checkCanWait()
    let time = observedTime
    try queue.sync {
      let beginning = Result {
        try openUnobserved(nil) {
          _ = try unsafe db.requireConnection()
          try db.endingBusyWaits { try db.beginReading(verifiesSchema: true) }
        }
      }
      requestTime = time
      if case .failure = beginning { try open { try beginning.get() } }
    }
  }

  /// Runs the read whose transaction has begun, on the queue of the connection.
  func continueReading(_ value: (Result<Database, any Error>) -> Void) {
    open {
      limitingBusyWaits {
        // An error of the end has nobody to be thrown to.
        try? db.endingReading { db in
          value(.success(db))
          try db.owner.endCursorsAndStreams()
        }
      }
    }
  }
}

extension SerialConnection: TimedAccessSource {
  func sync<T>(
    _ transaction: AccessTransaction, isUrgent: Bool, _ body: (Database) throws -> T
  ) throws -> T { try sync(transaction, body) }

  func schedule(_ turn: AccessTurn) {
    let time = observedTime
    queue.async { turn.begin(with: self, since: time) }
  }

  func turnWasCancelled() {}

  func scheduleWaiting(_ turn: AccessTurn, isUrgent: Bool) throws -> () -> Void {
    try checkCanWait()
    defer { schedule(turn) }
    guard let readers, readers.currentReader != nil else { return {} }
    readers.holderWaitsForWriter(1)
    return { readers.holderWaitsForWriter(-1) }
  }
}

extension DatabaseError {
  private static var reentrancyReason: String { "Database methods are not reentrant." }

  /// The way out of an access inside an access.
  private static var reentrancyAdvice: String {
    "inside an access, use its `db` argument, or `unsafeReentrantRead` and `unsafeReentrantWrite`"
  }

  static var reentrancyMessage: String { "\(reentrancyReason) \(reentrancyAdvice)" }

  /// The error of an access that would wait for itself.
  static var reentrancy: DatabaseError { misuse(reentrancyReason).detailed(reentrancyAdvice) }

  /// The error of a connection that would be closed by an access to itself.
  static var closeInsideAccess: DatabaseError {
    misuse(reentrancyReason)
      .detailed("`close` waits for all accesses: call it outside of `read` and `write`")
  }
}
