import Foundation

/// The access to a connection that runs at the moment.
///
/// A connection is given to one closure at a time, and that closure runs on one thread from its
/// beginning to its end. So the thread determines whether a connection is used where it may be
/// used, at the cost of a comparison: see ``ConnectionOwner``.
struct ConnectionAccess {
  private var cancellation: AccessCancellation?
  private var cancellationIgnoranceDepth = 0

  var isCancelled: Bool { !ignoresCancellation && cancellation?.isCancelled == true }

  /// True while statements run that must run whatever happened before, such as a rollback.
  var ignoresCancellation: Bool { cancellationIgnoranceDepth > 0 }

  func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }

  mutating func beginIgnoringCancellation() {
    cancellationIgnoranceDepth += 1
    if cancellationIgnoranceDepth == 1 { cancellation?.pause() }
  }

  mutating func endIgnoringCancellation() {
    cancellationIgnoranceDepth -= 1
    if cancellationIgnoranceDepth == 0 { cancellation?.resume() }
  }

  /// Lets the current thread use the connection while `body` runs.
  static func open<T>(
    _ db: Database, cancellation: AccessCancellation? = nil, _ body: () throws -> T
  ) rethrows -> T {
    try db.owner.access { isOutermost in
      let outer = db.access
      db.access.cancellation = cancellation
      db.access.cancellationIgnoranceDepth = 0
      db.requireSchemaVerification()
      defer {
        // Where somebody can receive an error, the cursors have ended already.
        if isOutermost {
          try? db.owner.endCursors()
          db.countOtherCommits()
        }
        db.access = outer
      }
      return try body()
    }
  }
}

/// The cancellation of an asynchronous access.
///
/// The task that is canceled and the thread that runs the access meet here: statements are only
/// interrupted while the very access of the canceled task runs.
final class AccessCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var interrupt: (@Sendable () -> Void)?
    /// True while statements run that must not be interrupted.
    var isPaused = false
  }

  private let state = Locked(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Called by the thread that runs the access.
  func begin(interrupt: @escaping @Sendable () -> Void) {
    state.withLock { $0.interrupt = interrupt }
  }

  /// Called by the thread that runs the access.
  func end() {
    state.withLock { $0.interrupt = nil }
  }

  /// Called by the thread that runs the access.
  func pause() {
    state.withLock { $0.isPaused = true }
  }

  /// Called by the thread that runs the access.
  func resume() {
    state.withLock { $0.isPaused = false }
  }

  /// Called by the task that is canceled.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if !state.isPaused { state.interrupt?() }
    }
  }
}
