import Dispatch
import Quarry

/// The opening of a database by a thread or task. Tasks that it starts know of it, and may go on
/// after its end.
private final class DatabaseOpening: Sendable {
  /// Those of the current thread or task.
  @TaskLocal static var all: [DatabaseOpening] = []

  private let path: String
  private let isOver = Locked(false)

  private init(_ path: String) { self.path = path }

  static func isRunning(_ path: String) -> Bool {
    all.contains { $0.path == path && !$0.isOver.withLock { $0 } }
  }

  static func run<T>(_ path: String, _ body: () throws -> T) rethrows -> T {
    let opening = DatabaseOpening(path)
    defer { opening.isOver.withLock { $0 = true } }
    return try $all.withValue(all + [opening], operation: body)
  }
}

extension DatabaseDirectory {
  /// Takes a lease of a database that exists, on a thread.
  func acquire(_ key: String) throws -> DatabaseLease<Writer> {
    if let lease = try leaseIfOpen(key) { return lease }
    let end = ContinuousClock.now + options.waitDuration
    var waiter = Waiter<Writer>()
    try enqueue(key, waiter)
    while true {
      var signal = wait(key, waiter, until: end)
      if case .open(let entry, let victim) = signal {
        signal = open(entry, evicting: victim) { Waiter() }
      }
      switch signal {
      case .lease(let entry, let writer): return DatabaseLease(self, entry, writer)
      case .failure(let error): throw error
      case .line(let next): waiter = next
      case .open, .again, .timeout: return try acquire(key)
      }
    }
  }

  private func wait(
    _ key: String, _ waiter: Waiter<Writer>, until end: ContinuousClock.Instant
  ) -> Signal<Writer> {
    var duration = end - .now
    while true {
      if let signal = waiter.wait(duration) { return signal }
      giveUp(key, waiter)
      duration = nextWaitDuration
    }
  }

  /// Takes a lease of a database that exists, in a task.
  func acquire(_ key: String) async throws -> DatabaseLease<Writer> {
    try Task.checkCancellation()
    if let lease = try leaseIfOpen(key) { return lease }
    let end = ContinuousClock.now + options.waitDuration
    var waiter = makeTaskWaiter()
    try enqueue(key, waiter)
    while true {
      giveUpLater(key, waiter, after: end - .now)
      switch await wait(waiter) {
      case .lease(let entry, let writer): return DatabaseLease(self, entry, writer)
      case .failure(let error): throw error
      case .line(let next): waiter = next
      case .open, .again, .timeout: return try await acquire(key)
      }
    }
  }

  private func makeTaskWaiter() -> Waiter<Writer> {
    Waiter { entry, victim in self.open(entry, evicting: victim) { self.makeTaskWaiter() } }
  }

  private func wait(_ waiter: Waiter<Writer>) async -> Signal<Writer> {
    await withTaskCancellationHandler {
      await waiter.value()
    } onCancel: {
      waiter.send(.failure(CancellationError()))
    }
  }

  private func leaseIfOpen(_ key: String) throws -> DatabaseLease<Writer>? {
    try state.withLock { try $0.lease(key) }.map { DatabaseLease(self, $0, $1) }
  }

  private func enqueue(_ key: String, _ waiter: Waiter<Writer>) throws {
    let path = try files.path(for: key)
    // No other database is closed for one that is missing.
    guard files.exists(path) else { throw DirectoryError(missing: key, path) }
    guard !DatabaseOpening.isRunning(path) else {
      throw DirectoryError(
        .inUse, key: key,
        "the database is used while it is being opened, by its function `open` or a migration: use the "
          + "connection that it has instead")
    }
    try state.withLock { try $0.enqueue(key, waiter) }
  }

  /// The time of a waiter counts while it waits for another database to be closed. Another one that
  /// opens its database may take longer.
  private func giveUp(_ key: String, _ waiter: Waiter<Writer>) {
    state.withLock { $0.giveUp(key, waiter) }
  }

  private func giveUpLater(_ key: String, _ waiter: Waiter<Writer>, after duration: Duration) {
    timers.asyncAfter(deadline: .now() + duration.dispatchInterval) { [weak self, weak waiter] in
      guard let self, let waiter, waiter.isWaiting else { return }
      giveUp(key, waiter)
      giveUpLater(key, waiter, after: nextWaitDuration)
    }
  }

  private var nextWaitDuration: Duration { max(options.waitDuration, .milliseconds(50)) }
}

extension DatabaseDirectory {
  /// Opens a database, for all who wait for it. The caller gets a lease, or a place in line if the
  /// victim can't be closed.
  private func open(
    _ entry: DirectoryEntry<Writer>, evicting victim: DirectoryEntry<Writer>?,
    makeWaiter: () -> Waiter<Writer>
  ) -> Signal<Writer> {
    if let victim, let error = evict(victim) {
      let waiter = makeWaiter()
      let startsTimer = state.withLock { $0.failedToEvict(victim, error, for: entry, waiter) }
      if startsTimer { retryClosingLater() }
      return .line(waiter)
    }
    do {
      let writer = try makeDatabase(entry.key)
      state.withLock { $0.opened(entry, writer) }
      return .lease(entry, writer)
    } catch {
      state.withLock { $0.failed(entry, error) }
      return .failure(error)
    }
  }

  /// Closes a database whose slot another one takes. The error if it can't be closed.
  private func evict(_ victim: DirectoryEntry<Writer>) -> (any Error)? {
    guard case .closing(let writer) = victim.phase else { return nil }
    do {
      try writer.close()
      state.withLock { $0.closed(victim, freesSlot: false) }
      return nil
    } catch {
      return error
    }
  }

  private func makeDatabase(_ key: String) throws -> Writer {
    let path = try files.path(for: key)
    guard files.exists(path) else { throw DirectoryError(missing: key, path) }
    return try DatabaseOpening.run(path) {
      let writer: Writer
      do {
        writer = try openDatabase(key, path)
      } catch {
        throw DirectoryError(
          .cannotOpen, key: key,
          "the database \(path) can't be opened: the next access tries again",
          underlyingError: error)
      }
      try migrate(writer, key, path)
      return writer
    }
  }

  private func migrate(_ writer: Writer, _ key: String, _ path: String) throws {
    do {
      try migrator?.migrate(writer)
    } catch {
      try? writer.close()
      throw DirectoryError(
        .cannotOpen, key: key,
        "the database \(path) can't be migrated, and was closed: correct the migration or the data",
        underlyingError: error)
    }
  }
}

extension DatabaseDirectory {
  /// Ends a use.
  func release(_ entry: DirectoryEntry<Writer>) {
    switch state.withLock({ $0.release(entry) }) {
    case .nothing: break
    case .startTimer: if let duration = options.idleDuration { closeIdleLater(after: duration) }
    case .close(let entry):
      // `close()` waits for it, and reports a database that can't be closed when it is called
      // again.
      DispatchQueue.separate.async { try? self.close(entry) }
    }
  }

  /// Runs what waits for files, away from the threads of Swift.
  func onQueue<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.separate.async { continuation.resume(with: Result { try body() }) }
    }
  }
}
