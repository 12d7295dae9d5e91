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
    guard case .of(let regions) = observation.tracking else { return try fetchRecording(db) }
    let value = try fetch(db)
    var region = DatabaseRegion()
    for part in regions { try region.formUnion(part.databaseRegion(db)) }
    return FirstFetch(value: value, region: try region.observed(in: db))
  }

  private func fetchRecording(_ db: Database) throws -> FirstFetch<Fetched> {
    let (value, region) = try db.recordRegion { try fetch(db) }
    return FirstFetch(value: value, region: try region.observed(in: db))
  }

  /// Fetches on the connection that writes, after a change.
  func fetchAgain(_ db: Database, in life: Int) {
    guard canFetch(in: life), let observer = state.withLock(\.observer) else { return }
    let result = db.resultUnlessSuspended {
      try db.following(observer.rows) { try fetchUpdatingRegion(db, observer) }
    } whenResumed: { [weak self] in
      self?.gate.databaseDidChange()
    }
    if let result { return receive(result, in: life) }
    // The rows that the fetch has not read are known no more.
    observer.rows?.forget()
  }

  private func fetchUpdatingRegion(_ db: Database, _ observer: RegionObserver) throws -> Fetched {
    guard sharing == nil else { return try fetchOrShare(db).value }
    guard case .ofLastFetch = observation.tracking else { return try fetchChecking(db, observer) }
    let fetch = try fetchRecording(db)
    if fetch.region != observer.region {
      db.setRegion(fetch.region, of: observer)
      for willTrackRegion in observation.events.willTrackRegion { willTrackRegion(fetch.region) }
    }
    return fetch.value
  }

  /// Begins a fetch that is not a part of the transaction's access.
  func fetchLater(_ end: @escaping @Sendable () -> Void) {
    let (database, observer, life) = state.withLock { ($0.database, $0.observer, $0.life) }
    guard let observer, canFetch(in: life) else { return end() }
    if fetchesOnReaders, case .pool(let pool) = database {
      guard sharing == nil else {
        return read(pool, at: pool.commitCount, in: life) { [self] result in
          defer { end() }
          receive(result.map(\.value), in: life)
        }
      }
      pool.fetchLater { [self] result in
        defer { end() }
        guard canFetch(in: life) else { return }
        receive(Result { try fetchChecking(result.get(), observer) }, in: life)
      }
    } else {
      database?.writer?.asyncWriteWithoutTransaction { [self] db in
        defer { end() }
        outsideTransaction(db, in: life) { [self] db in fetchAgain(db, in: life) }
      }
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
    if writes, !configuration.readonly { return try commitResultInSavepoint(of: body) }
    if isInsideTransaction { return try readOnly { try body(self) } }
    return try result(of: .reading, verifiesSchema: false, body)
  }

  private func commitResultInSavepoint<T>(of updates: (Database) throws -> T) throws -> T {
    var result = Result<T, any Error>.failure(CancellationError())
    try inSavepoint {
      result = .success(try updates(self))
      return .commit
    }
    return try result.get()
  }
}
