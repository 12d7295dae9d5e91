import Dispatch
import Quarry

extension DatabaseDirectory {
  /// Closes all databases. Later accesses throw, and so do those that wait for another database to
  /// be closed. Waits for those that run.
  ///
  /// ```swift
  /// try directory.close()
  /// ```
  ///
  /// - throws: ``DirectoryError`` with the code ``DirectoryError/Code-swift.enum/inUse`` when a
  ///   database is in use after ``DirectoryOptions/waitDuration``: it is closed when its last lease
  ///   ends. Also if a database can't be closed: another call tries again.
  @_disfavoredOverload
  public func close() throws {
    let (entries, waiter) = state.withLock { $0.beginClosing() }
    try closeAll(entries)
    if let waiter { try checkClosed(waiter.wait(options.waitDuration)) }
  }

  /// Closes all databases. See `close()`.
  public func close() async throws {
    let (entries, waiter) = state.withLock { $0.beginClosing() }
    try await onQueue { try self.closeAll(entries) }
    guard let waiter else { return }
    timers.asyncAfter(deadline: .now() + options.waitDuration.dispatchInterval) {
      waiter.send(.timeout)
    }
    try checkClosed(await waiter.value())
  }

  /// Closes the databases that are not in use now: for a lack of memory or open files. Waits.
  ///
  /// - throws: ``DirectoryError`` for a database that can't be closed, after the others are.
  @_disfavoredOverload
  public func closeIdleDatabases() throws {
    try closeAll(state.withLock { $0.takeIdle(before: nil) })
  }

  /// Closes the databases that are not in use now. See `closeIdleDatabases()`.
  public func closeIdleDatabases() async throws {
    try await onQueue { try self.closeIdleDatabases() }
  }

  private func checkClosed(_ signal: Signal<Writer>?) throws {
    if case .again = signal {
      guard let key = openKeys.first else { return }
      throw DirectoryError(cannotClose: key)
    }
    let keys = state.withLock { $0.entriesInUse.map(\.key.debugDescription).sorted() }
    let names = keys.prefix(10).joined(separator: ", ") + (keys.count > 10 ? ", …" : "")
    throw DirectoryError(
      .inUse,
      "databases of \(path) are still in use: \(names). They are closed when their accesses and leases end; "
        + "release the leases, or wait longer (`waitDuration`)")
  }

  /// Closes databases that nobody can get, and throws the first error at the end.
  private func closeAll(_ entries: [DirectoryEntry<Writer>]) throws {
    var firstError: (any Error)?
    for entry in entries { do { try close(entry) } catch { firstError = firstError ?? error } }
    if let firstError { throw firstError }
  }

  func close(_ entry: DirectoryEntry<Writer>) throws {
    guard case .closing(let writer) = entry.phase else { return }
    do {
      try writer.close()
      state.withLock { $0.closed(entry, freesSlot: true) }
    } catch {
      if state.withLock({ $0.failedToClose(entry, writer) }) { retryClosingLater() }
      throw DirectoryError(cannotClose: entry.key, error)
    }
  }

  /// Closes the databases that were not in use for long, now and later.
  func closeIdleLater(after duration: Duration) {
    timers.asyncAfter(deadline: .now() + duration.dispatchInterval) { [weak self] in
      guard let self, let idleDuration = options.idleDuration else { return }
      let (entries, next) = state.withLock { $0.takeExpired(idleDuration) }
      if let next { closeIdleLater(after: next) }
      guard !entries.isEmpty else { return }
      DispatchQueue.separate.async { for entry in entries { try? self.close(entry) } }
    }
  }

  /// Tries again to close what could not be closed, without haste.
  func retryClosingLater() {
    if let duration = options.idleDuration {
      closeIdleLater(after: max(duration, .milliseconds(50)))
    }
  }
}

extension DirectoryError {
  init(cannotClose key: String, _ error: (any Error)? = nil) {
    self.init(
      .cannotClose, key: key,
      "the database can't be closed: statements, cursors or accesses of it are kept outside of a lease. "
        + "End them, then try again", underlyingError: error)
  }
}
