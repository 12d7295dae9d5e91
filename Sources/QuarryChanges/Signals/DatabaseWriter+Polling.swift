public import Quarry

extension DatabaseWriter {
  /// Looks for commits of other connections and processes from time to time, and notifies the
  /// observers of this database.
  ///
  /// ```swift
  /// // Each second, values are fetched again if another process has committed.
  /// let polling = dbPool.notifyChangesOfOtherConnections(every: .seconds(1)) { error in
  ///   log(error)
  /// }
  /// ```
  ///
  /// SQLite reports *that* a commit occurred, but not its changes: all observers are notified, as
  /// by `Database.notifyChanges(in:)` with the full database. Where this is too much, use
  /// `ValueObservation.removeDuplicates()`.
  ///
  /// Each look is a short access to the connection that writes, the only one for which the commits
  /// of this process are no news. It looks at the main database, and at those that are attached. If
  /// one can't be read, its error is that of the look, which notices the commits to the others all
  /// the same. It waits for locks as `Configuration.busyMode` says. On a read-only database,
  /// nothing is done.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_data_version>.
  ///
  /// - Parameters:
  ///   - interval: The time between the end of a look and the next one.
  ///   - onError: Called with the error of a look, such as `SQLITE_BUSY`. The next one takes place
  ///     all the same, unless the database is closed.
  /// - Returns: An object that ends the polling when it is canceled or released. It does not keep
  ///   the database alive.
  public func notifyChangesOfOtherConnections(
    every interval: Duration, onError: @escaping @Sendable (any Error) -> Void = { _ in }
  ) -> AnyDatabaseCancellable {
    notifyChangesOfOtherConnections(every: interval, clock: .dispatch, onError: onError)
  }

  func notifyChangesOfOtherConnections(
    every interval: Duration, clock: some ObservationClock,
    onError: @escaping @Sendable (any Error) -> Void
  ) -> AnyDatabaseCancellable {
    guard !configuration.readonly else { return AnyDatabaseCancellable {} }
    let polling = DataVersionPolling(
      writer: innermostWriter, interval: interval, clock: clock, onError: onError)
    polling.look(isFirst: true)
    return AnyDatabaseCancellable { polling.end() }
  }
}

/// Looks again and again, until the end.
private final class DataVersionPolling: Sendable {
  private let writer: Locked<WeakWriter>
  private let commits = OtherCommits()
  private let interval: Duration
  private let clock: any ObservationClock
  private let onError: @Sendable (any Error) -> Void

  private struct WeakWriter {
    weak var writer: (any DatabaseWriter)?
  }

  init(
    writer: any DatabaseWriter, interval: Duration, clock: any ObservationClock,
    onError: @escaping @Sendable (any Error) -> Void
  ) {
    self.writer = Locked(WeakWriter(writer: writer))
    self.interval = interval
    self.clock = clock
    self.onError = onError
  }

  func end() { writer.withLock { $0.writer = nil } }

  /// Looks, and looks again later, until the end, or until the database is closed.
  func look(isFirst: Bool = false) {
    guard let writer = writer.withLock(\.writer) else { return }
    writer.asyncWriteWithoutTransaction { [self] db in
      guard self.writer.withLock({ $0.writer != nil }) else { return }
      guard isFirst || !db.isClosed else { return end() }
      do { try commits.notify(db) } catch { onError(error) }
      clock.run(after: interval) { [weak self] in self?.look() }
    }
  }
}
