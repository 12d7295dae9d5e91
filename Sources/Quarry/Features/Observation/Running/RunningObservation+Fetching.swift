extension RunningObservation {
  /// Whether changes are fetched while the next writes run.
  private var fetchesOnReaders: Bool {
    guard case .pool = state.withLock(\.database) else { return false }
    if case .ofLastFetch = observation.tracking { return false }
    return observation.followsRows == nil || state.withLock { $0.observer?.rows == nil }
  }

  /// Whether a change is fetched inside the write access that committed it.
  var fetchesInCommit: Bool { observation.pace == .immediate && !fetchesOnReaders }

  func fetch(_ db: Database) throws -> Fetched {
    try db.fetchInOneState(writes: observation.requiresWriteAccess) { db in
      try observation.reducer._fetch(db)
    }
  }

  /// Fetches, and finds out what to observe.
  func fetchFirst(_ db: Database) throws -> FirstFetch<Fetched> {
    guard case .of(let regions, _) = observation.tracking else { return try fetchRecording(db) }
    let value = try fetch(db)
    // Rows of a list depend on what the list depends on.
    if db.rowFollower?.takeHasNewList() == false, let region = state.withLock(\.region) {
      return FirstFetch(value: value, region: region)
    }
    return FirstFetch(value: value, region: try regions.databaseRegion(db).observed(in: db))
  }

  private func fetchRecording(_ db: Database) throws -> FirstFetch<Fetched> {
    let (value, region) = try db.recordRegion { try fetch(db) }
    return FirstFetch(value: value, region: try region.observed(in: db))
  }

  /// Fetches on the connection that writes, after a change.
  func fetchAgain(_ db: Database, in life: Int) {
    guard canFetch(in: life), let observer = state.withLock(\.observer) else { return }
    let result = db.resultUnlessSuspended {
      try db.following(observer.rows) { try fetchUpdatingRegion(db, observer, in: life) }
    } whenResumed: { [weak self] in
      self?.gate.databaseDidChange()
    }
    if let result { return receive(result, in: life) }
    // The rows that the fetch has not read are known no more.
    observer.rows?.forget()
  }

  private func fetchUpdatingRegion(
    _ db: Database, _ observer: RegionObserver, in life: Int
  ) throws -> Fetched {
    guard observation.tracking.isRenewed else { return try fetchChecking(db, observer) }
    let first = try fetchOrShare(db)
    if takeRegion(first.region, in: life) { setRegion(first.region, of: observer, on: db) }
    return first.value
  }

  /// Notes the region of a fetch. Returns whether it is another one than that of the last fetch.
  private func takeRegion(_ region: DatabaseRegion, in life: Int) -> Bool {
    state.withLock { state in
      guard state.database(of: life) != nil, state.region != region else { return false }
      state.region = region
      return true
    }
  }

  private func setRegion(_ region: DatabaseRegion, of observer: RegionObserver, on db: Database) {
    db.setRegion(region, of: observer)
    for willTrackRegion in observation.events.willTrackRegion { willTrackRegion(region) }
  }

  /// Begins a fetch that is not a part of the transaction's access.
  func fetchLater(_ end: @escaping @Sendable () -> Void) {
    let (database, observer, life) = state.withLock { ($0.database, $0.observer, $0.life) }
    guard let observer, canFetch(in: life) else { return end() }
    if fetchesOnReaders, case .pool(let pool) = database {
      guard !observation.tracking.isRenewed else {
        return fetchUpdatingRegion(pool, observer, in: life, end)
      }
      pool.fetchLater { [self] result in
        defer { end() }
        guard canFetch(in: life), !isOver(result, on: pool) else { return }
        receive(Result { try fetchChecking(result.get(), observer) }, in: life)
      }
    } else {
      database?.writer?.asyncWriteWithoutTransaction { [self] db in
        defer { end() }
        outsideTransaction(db, in: life) { [self] db in fetchAgain(db, in: life) }
      }
    }
  }

  /// Fetches on a reader of a pool. Another region is observed from some time after the fetch on:
  /// if something was committed since then, the fetch is repeated.
  private func fetchUpdatingRegion(
    _ pool: DatabasePool, _ observer: RegionObserver, in life: Int,
    _ end: @escaping @Sendable () -> Void
  ) {
    let count = pool.commitCount
    read(pool, at: count, in: life) { [self] result in
      guard canFetch(in: life), !isOver(result, on: pool) else { return end() }
      receive(result.map(\.value), in: life)
      guard let region = try? result.get().region, takeRegion(region, in: life) else {
        return end()
      }
      pool.asyncWriteWithoutTransaction { [self] db in
        outsideTransaction(db, in: life) { [self] db in
          setRegion(region, of: observer, on: db)
          if pool.commitCount != count { databaseDidChange(db, in: life) }
        }
      }
      // The next fetch does not wait for the writer. Its region comes after this one.
      end()
    }
  }
}

// Constant regions that are not constant.
extension RunningObservation {
  /// Fetches. Debug builds check that the fetch reads no more than the first one did.
  private func fetchChecking(_ db: Database, _ observer: RegionObserver) throws -> Fetched {
    #if DEBUG
      guard case .ofFirstFetch = observation.tracking else { return try fetch(db) }
      let fetch = try fetchRecording(db)
      reportIfSmall(observer.region, for: fetch.region)
      return fetch.value
    #else
      return try fetch(db)
    #endif
  }

  private func reportIfSmall(_ tracked: DatabaseRegion, for region: DatabaseRegion) {
    guard tracked.union(region) != tracked else { return }
    let isFirst = state.withLock { state in
      defer { state.hasReportedSmallRegion = true }
      return !state.hasReportedSmallRegion
    }
    guard isFirst else { return }
    Database.warn(
      """
      a ValueObservation with a constant region reads \(region), but observes \(tracked): \
      use tracking(_:), or tracking(region:_:fetch:)
      """)
  }
}

extension Database {
  /// The result of a fetch, which sees one state of the database.
  func fetchInOneState<T>(writes: Bool, _ body: (Database) throws -> T) throws -> T {
    _ = try unsafe requireConnection()
    if writes, !configuration.readonly { return try resultInSavepoint { try body(self) } }
    if isInsideTransaction { return try readOnly { try body(self) } }
    return try result(of: .reading, verifiesSchema: false, body)
  }
}
