public import Quarry

extension DatabaseWriter {
  /// Notifies the observers of this database when another process, or another connection, has
  /// committed: at once, by events of the file system, and without waking up while nothing happens.
  ///
  /// ```swift
  /// let signals = try dbPool.notifyChangesOfOtherProcesses()
  /// // Values are fetched again when another process has committed.
  /// let cancellable = ValueObservation.tracking(all: Book.all()).start(in: dbPool) { error in
  ///   print(error)
  /// } onChange: { books in
  ///   print(books.count)
  /// }
  /// ```
  ///
  /// It replaces the polling of `notifyChangesOfOtherConnections(every:)`. SQLite reports that a
  /// commit occurred, but not its changes: all observers are notified, also here, unless all
  /// processes name the tables of their commits:
  ///
  /// ```swift
  /// let signals = try dbPool.notifyChangesOfOtherProcesses(namingTables: true)
  /// ```
  ///
  /// With `namingTables`, the connection that writes leaves a message of each of its commits in a
  /// file beside the database, named as the database with `-signals`, and reads those of others.
  /// Where the messages prove which tables have changed, their observers are notified, and those of
  /// virtual tables; otherwise all are, such as after a commit of a program without signals. The
  /// connection has SQLite's hook of the write-ahead log meanwhile.
  ///
  /// The files of the database are watched: the database, its write-ahead log, its journal. An
  /// event starts a short access to the connection that writes, which asks for
  /// `PRAGMA data_version`, and asks again after 4, 16, 64, 256 and 1024 milliseconds, since a
  /// process writes the file before other ones can see its commit. The commits of this process are
  /// events, too, and start such accesses, but they notify nobody a second time.
  ///
  /// A commit that takes longer to become visible, on a very slow disk, is seen with the next one.
  /// A network file system has no events for what other machines write: give an interval. On other
  /// systems than Linux, the database is polled, each second by default.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_data_version> and
  /// <https://www.sqlite.org/c3ref/wal_hook.html>.
  ///
  /// - Parameters:
  ///   - namingTables: Whether to name the tables of commits, for other processes that do so.
  ///   - interval: The time after which it looks also without an event. Nil for never.
  ///   - onError: Called with the error of a look, such as `SQLITE_BUSY`, and of a file that can't
  ///     be watched any more.
  /// - Returns: An object that ends the signals when it is canceled or released. It does not keep
  ///   the database alive.
  /// - throws: `DatabaseError` for a database in memory, which has no file, and where the system
  ///   has no more events to give: poll then. With `namingTables`, also without write-ahead log,
  ///   where the file of messages can't be opened, and where the connection names tables already.
  ///   For a read-only database, nothing is done.
  public func notifyChangesOfOtherProcesses(
    namingTables: Bool = false, pollingEvery interval: Duration? = nil,
    onError: @escaping @Sendable (any Error) -> Void = { _ in }
  ) throws -> AnyDatabaseCancellable {
    guard !configuration.readonly else { return AnyDatabaseCancellable {} }
    let path = try unsafeRead { db in
      try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
    }
    guard let path, !path.isEmpty else {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "a database in memory has no file that other processes change: "
          + "notifyChangesOfOtherProcesses needs one")
    }
    let signals =
      try namingTables
      ? makeNamedSignals(path, interval, onError) : makeSignals(interval, onError)
    do {
      try signals.start(watching: path)
    } catch {
      signals.end()
      throw error
    }
    return AnyDatabaseCancellable { signals.end() }
  }

  private func makeSignals(
    _ interval: Duration?, _ onError: @escaping @Sendable (any Error) -> Void
  ) -> ChangeSignals {
    let commits = OtherCommits()
    return ChangeSignals(
      writer: self, interval: interval,
      notify: { db in
        try commits.notify(db)
        return true
      }, onEnd: { _ in }, onError: onError)
  }

  private func makeNamedSignals(
    _ path: String, _ interval: Duration?, _ onError: @escaping @Sendable (any Error) -> Void
  ) throws -> ChangeSignals {
    let commits = try NamedCommits(SignalFile(database: path))
    try unsafeReentrantWrite { db in try commits.publisher.start(db) }
    return ChangeSignals(
      writer: self, interval: interval,
      notify: { db in
        _ = try commits.notify(db)
        return commits.isComplete
      }, onEnd: { db in commits.publisher.end(db) }, onError: onError)
  }
}
