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
    let waiter = Waiter<Writer>()
    try enqueue(key, waiter)
    var signal = waiter.wait(options.waitDuration)
    while signal == nil {
      giveUp(key, waiter)
      signal = waiter.wait(nextWaitDuration)
    }
    switch signal {
    case .lease(let entry, let writer): return DatabaseLease(self, entry, writer)
    case .open(let entry, let victim):
      return DatabaseLease(self, entry, try open(entry, evicting: victim))
    case .failure(let error): throw error
    case .again, .timeout, nil: return try acquire(key)
    }
  }

  /// Takes a lease of a database that exists, in a task.
  func acquire(_ key: String) async throws -> DatabaseLease<Writer> {
    try Task.checkCancellation()
    if let lease = try leaseIfOpen(key) { return lease }
    let waiter = Waiter { entry, victim in self.result(ofOpening: entry, evicting: victim) }
    try enqueue(key, waiter)
    giveUpLater(key, waiter, after: options.waitDuration)
    let signal = await withTaskCancellationHandler {
      await waiter.value()
    } onCancel: {
      waiter.send(.failure(CancellationError()))
    }
    switch signal {
    case .lease(let entry, let writer): return DatabaseLease(self, entry, writer)
    case .failure(let error): throw error
    case .open, .again, .timeout: return try await acquire(key)
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
  /// What a task gets that has to open a database.
  private func result(
    ofOpening entry: DirectoryEntry<Writer>, evicting victim: DirectoryEntry<Writer>?
  ) -> Signal<Writer> {
    do {
      return .lease(entry, try open(entry, evicting: victim))
    } catch {
      return .failure(error)
    }
  }

  /// Opens a database, for all who wait for it. The caller has a lease.
  private func open(
    _ entry: DirectoryEntry<Writer>, evicting victim: DirectoryEntry<Writer>?
  ) throws -> Writer {
    var hasSlot = victim == nil
    do {
      if let victim { try evict(victim) }
      hasSlot = true
      let writer = try makeDatabase(entry.key)
      state.withLock { $0.opened(entry, writer) }
      return writer
    } catch {
      state.withLock { $0.failed(entry, error, freesSlot: hasSlot) }
      throw error
    }
  }

  /// Closes a database whose slot another one takes. If it can't be closed, the next one is.
  private func evict(_ victim: DirectoryEntry<Writer>) throws {
    var next: DirectoryEntry<Writer>? = victim
    var tried: Set<String> = []
    var failure: (any Error)?
    while let entry = next, case .closing(let writer) = entry.phase {
      do {
        try writer.close()
        return state.withLock { $0.closed(entry, freesSlot: false) }
      } catch {
        failure = failure ?? DirectoryError(cannotClose: entry.key, error)
        tried.insert(entry.key)
        // The next one is taken before others get it, who stand in line.
        let (victim, startsTimer) = state.withLock { state in
          (state.takeVictim(except: tried), state.failedToClose(entry, writer))
        }
        if startsTimer { retryClosingLater() }
        next = victim
      }
    }
    if let failure { throw failure }
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
