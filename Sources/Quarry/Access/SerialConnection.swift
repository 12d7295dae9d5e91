import Dispatch
import Foundation

/// A connection, and the dispatch queue on which it is used.
///
/// Synchronous accesses block the calling thread until the queue is free. Asynchronous ones run as a job of their
/// own task on the same queue, through an executor: values of the task are visible in the access.
final class SerialConnection: @unchecked Sendable {
  let db: Database
  let queue: DispatchQueue
  private let executor: QueueExecutor
  private let target: TargetQueue?

  init(path: String, label: String, configuration: Configuration) throws {
    target = configuration.connectionTarget.flatMap(TargetQueue.init)
    queue = DispatchQueue(
      label: label, qos: configuration.connectionQoS, target: configuration.connectionTarget)
    executor = QueueExecutor(queue: queue)
    db = try Database(path: path, description: label, configuration: configuration)
  }

  /// True inside an access to this connection.
  var isInsideAccess: Bool { db.owner.isCurrent }

  /// Lets the current thread use the connection while `body` runs.
  private func open<T>(
    cancellation: AccessCancellation? = nil, _ body: () throws -> T
  ) rethrows -> T {
    guard let target else {
      return try ConnectionAccess.open(db, cancellation: cancellation, body)
    }
    return try target.use {
      try ConnectionAccess.open(db, cancellation: cancellation, body)
    }
  }

  /// Runs an access, and waits for its end.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` inside an access to the same connection, or to one with the
  ///   same serial target queue.
  func sync<T>(_ body: (Database) throws -> T) throws -> T {
    try checkCanWait()
    return try queue.sync { try run(body) }
  }

  /// Closes the connection. Does nothing when it is closed.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` inside an access, `SQLITE_BUSY` while statements are alive.
  func close() throws {
    try checkCanWait()
    try queue.sync { try open { try db.close() } }
  }

  /// Runs an access that can't fail. A re-entrant one stops the program: there is no way to throw.
  func syncWithoutError<T>(_ body: (Database) -> T) -> T {
    precondition(!isInsideAccess, "Database methods are not reentrant.")
    precondition(target?.isBlocked() != true, TargetQueue.message)
    return queue.sync {
      open {
        let result = body(db)
        try? endLeftTransaction()
        return result
      }
    }
  }

  /// Runs an access in the current one, if any.
  func reentrantSync<T>(_ body: (Database) throws -> T) throws -> T {
    if isInsideAccess { return try body(db) }
    return try sync(body)
  }

  /// Runs an access that can't fail in the current one, if any.
  func reentrantSyncWithoutError<T>(_ body: (Database) -> T) -> T {
    isInsideAccess ? body(db) : syncWithoutError(body)
  }

  /// Runs an access later.
  func async(_ body: @escaping @Sendable (Database) -> Void) {
    queue.async { [self] in
      open {
        body(db)
        try? endLeftTransaction()
      }
    }
  }

  /// Runs an access as a part of the current task.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before the access, or while a statement runs.
  func run<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws -> T {
    let cancellation = AccessCancellation()
    return try await withTaskCancellationHandler {
      try await executor.run { [self] in
        if cancellation.isCancelled { throw CancellationError() }
        cancellation.begin { [self] in db.interrupt() }
        defer { cancellation.end() }
        return try run(cancellation: cancellation, body)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func run<T>(
    cancellation: AccessCancellation? = nil, _ body: (Database) throws -> T
  ) throws -> T {
    try open(cancellation: cancellation) {
      _ = try unsafe db.requireConnection()
      let result: T
      do {
        result = try body(db)
        try db.owner.endCursors()
      } catch {
        try? endLeftTransaction()
        throw error
      }
      try endLeftTransaction()
      return result
    }
  }

  /// Rolls back a transaction that an access left open.
  ///
  /// - Throws: ``DatabaseError`` when there was one.
  private func endLeftTransaction() throws {
    guard !db.configuration.allowsUnsafeTransactions, db.isInsideTransaction else { return }
    try db.rollback()
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "A transaction has been left opened at the end of a database access")
  }

  /// Throws when the current thread must not wait for an access.
  private func checkCanWait() throws {
    guard !isInsideAccess else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE, message: "Database methods are not reentrant.")
    }
    guard target?.isBlocked() != true else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: TargetQueue.message)
    }
  }
}

extension SerialConnection {
  /// Runs an access to a connection that nobody else has yet, on the current thread.
  func setUp<T>(_ body: (Database) throws -> T) throws -> T {
    try ConnectionAccess.open(db) { try body(db) }
  }
}

/// Runs parts of tasks on a dispatch queue.
private actor QueueExecutor {
  private let executor: Executor

  init(queue: DispatchQueue) {
    executor = Executor(queue: queue)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func run<T: Sendable>(_ body: @Sendable () throws -> T) throws -> T { try body() }

  private final class Executor: SerialExecutor {
    private let queue: DispatchQueue

    init(queue: DispatchQueue) {
      self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
      unsafe UnownedSerialExecutor(ordinary: self)
    }
  }
}
