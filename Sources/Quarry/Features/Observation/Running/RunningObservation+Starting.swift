import Dispatch

extension RunningObservation {
  /// Starts the observation. What it returns stops it.
  func start() -> AnyDatabaseCancellable {
    for willStart in observation.events.willStart { willStart() }
    // The time of its delays begins here.
    _ = gate
    if let sharing { sharing.fetches.retain(sharing.key) }
    if let error = scheduler.startError {
      end(with: error)
    } else if scheduler.immediateInitialValue() {
      startImmediately()
    } else {
      begin(0)
    }
    return AnyDatabaseCancellable { self.cancel() }
  }

  /// Fetches the first value on the current thread, and reports it before the next ones.
  private func startImmediately() {
    guard let database = database(of: 0) else { return }
    refuseEarlierFetches()
    reducing.suspend()
    defer { reducing.resume() }
    switch database {
    case .readOnly(let reader):
      _ = reduceNow(Result { try reader.unsafeReentrantRead { db in try fetch(db) } })
    case .writer(let writer):
      _ = reduceNow(
        Result { try writer.unsafeReentrantWrite { db throws in try fetchAndInstall(db, in: 0) } })
    case .pool(let pool):
      let count = pool.commitCount
      let first = Result {
        try pool.read { db in
          refuseEarlierFetches()
          return try fetchFirst(db)
        }
      }
      guard reduceNow(first.map(\.value)), let region = try? first.get().region else { return }
      install(on: pool, region, fetchedAt: count, in: 0)
    }
  }

  private func reduceNow(_ result: Result<Fetched, any Error>) -> Bool {
    reduce(result, in: 0) { $0() }
  }

  /// Begins a life.
  func begin(_ life: Int) {
    refuseEarlierFetches()
    switch database(of: life) {
    case .readOnly(let reader):
      reader.asyncRead { [self] result in
        guard canFetch(in: life), !isOver(result) else { return }
        receive(Result { try fetch(result.get()) }, in: life)
      }
    case .writer(let writer):
      writer.asyncWriteWithoutTransaction { [self] db in
        outsideTransaction(db, in: life) { [self] db in
          receive(Result { try fetchAndInstall(db, in: life) }, in: life)
        }
      }
    case .pool(let pool): begin(on: pool, in: life)
    case nil: break
    }
  }

  private func isOver(_ access: Result<Database, any Error>) -> Bool {
    switch access {
    case .success(let db): isOver(isClosed: db.isClosed)
    case .failure(let error): isOver(isClosed: "\(error)" == "\(ReaderPool.closedError)")
    }
  }

  private func begin(on pool: DatabasePool, in life: Int) {
    let count = pool.commitCount
    read(pool, at: count, in: life) { [self] result in
      guard canFetch(in: life), !isOver(result, on: pool) else { return }
      do {
        let first = try result.get()
        receive(.success(first.value), in: life) { [self] in
          install(on: pool, first.region, fetchedAt: count, in: life)
        }
      } catch {
        receive(.failure(error), in: life)
      }
    }
  }

  /// Installs the observer of a pool, some time after the first fetch on a reader: what was
  /// committed since then has not been observed. No reader is held meanwhile.
  ///
  /// - parameter count: The number of commits before the fetch.
  private func install(
    on pool: DatabasePool, _ region: DatabaseRegion, fetchedAt count: UInt, in life: Int
  ) {
    pool.asyncWriteWithoutTransaction { [self] db in
      outsideTransaction(db, in: life) { [self] db in
        guard pool.commitCount != count else {
          return install(region, following: makeRowFollower(db), on: db, in: life)
        }
        for databaseDidChange in observation.events.databaseDidChange { databaseDidChange() }
        receive(Result { try fetchAndInstall(db, in: life) }, in: life)
      }
    }
  }

  /// Calls a function when no transaction is open: an access may have left one open. Does not call
  /// it when the database was closed while it was observed.
  func outsideTransaction(
    _ db: Database, in life: Int, _ body: @escaping @Sendable (Database) -> Void
  ) {
    guard canFetch(in: life), !isOver(isClosed: db.isClosed) else { return }
    // The end of a read-only transaction is not notified, and nobody writes there.
    guard db.isInsideTransaction, !db.isReadOnly else { return body(db) }
    let resume = { @Sendable [self] (db: Database) in outsideTransaction(db, in: life, body) }
    db.afterNextTransaction(onCommit: resume, onRollback: resume)
  }
}

// Observers.
extension RunningObservation {
  /// Fetches, and observes what was fetched from now on, in one access to the connection that
  /// writes.
  private func fetchAndInstall(_ db: Database, in life: Int) throws -> Fetched {
    let rows = makeRowFollower(db)
    let first = try db.following(rows) { try fetchOrShare(db) }
    install(first.region, following: rows, on: db, in: life)
    return first.value
  }

  private func makeRowFollower(_ db: Database) -> (any RowFollower)? {
    try? observation.followsRows?(db)
  }

  private func install(
    _ region: DatabaseRegion, following rows: (any RowFollower)?, on db: Database, in life: Int
  ) {
    let observer = RegionObserver(region, following: rows) { [weak self] db in
      self?.databaseDidChange(db, in: life)
    }
    let isNeeded = state.withLock { state in
      guard state.database(of: life) != nil else { return false }
      state.observer = observer
      state.region = region
      state.hasValue = true
      return true
    }
    guard isNeeded else { return }
    db.add(observer)
    for willTrackRegion in observation.events.willTrackRegion { willTrackRegion(region) }
    doubtFirstValue(db, in: life)
  }

  /// Fetches again when what a transaction has written, and the first fetch has seen, is undone.
  private func doubtFirstValue(_ db: Database, in life: Int) {
    guard db.isWriting else { return }
    // A savepoint may be rolled back before the commit.
    let isInsideSavepoint = db.broker.pending.isInsideSavepoint
    db.afterCurrentTransaction { [weak self] db, completion in
      if completion == .rollback || isInsideSavepoint { self?.databaseDidChange(db, in: life) }
    }
  }

  func databaseDidChange(_ db: Database, in life: Int) {
    guard canFetch(in: life) else { return }
    for databaseDidChange in observation.events.databaseDidChange { databaseDidChange() }
    if fetchesInCommit {
      fetchAgain(db, in: life)
    } else {
      gate.databaseDidChange()
    }
  }
}

extension DatabasePool {
  /// Equal counts have no commit between them, nor a notification: see
  /// ``Database/notifyChanges(in:)``.
  var commitCount: UInt { writer.db.broker.commitCount.value }

  var readerFetches: ReaderFetches { writer.db.slots.shared(ReaderFetches.self) }

  /// Fetches for an observation on a reader. See ``ReaderFetches``.
  func fetchLater(_ fetch: @escaping ReaderFetches.Fetch) { readerFetches.add(self, fetch) }
}
