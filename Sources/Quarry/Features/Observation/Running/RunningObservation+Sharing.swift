/// The results of the first fetch of an observation.
struct FirstFetch<Value: Sendable>: Sendable {
  let value: Value
  let region: DatabaseRegion
}

/// The fetches that an observation shares with those of equal requests.
struct FetchSharing: Sendable {
  let fetches: SharedFetches
  let key: FetchKey

  init?(_ key: FetchKey?, in reader: any DatabaseReader) {
    guard let key, let fetches = reader.sharedFetches else { return nil }
    self.key = key
    self.fetches = fetches
  }
}

extension DatabaseReader {
  /// The fetches that observations of the database share. Nil where nobody writes.
  fileprivate var sharedFetches: SharedFetches? {
    if let forwarding = self as? any _ForwardingReader { return forwarding._reader.sharedFetches }
    return (self as? any _ConnectionWriter)?.writer.db.slots.shared(SharedFetches.self)
  }
}

extension RunningObservation {
  /// Fetches on a reader of a pool, or waits for the fetch of an equal request.
  ///
  /// - parameter count: The number of commits of the pool, before the call.
  func read(
    _ pool: DatabasePool, at count: UInt, in life: Int,
    _ receive: @escaping @Sendable (Result<FirstFetch<Fetched>, any Error>) -> Void
  ) {
    guard let sharing else {
      return pool.fetchLater { [self] result in
        receive(Result { try fetchFirst(result.get(), in: life) })
      }
    }
    let last = state.withLock(\.lastFetchEnd)
    let readers = pool.readerFetches
    sharing.fetches.request(
      sharing.key, at: count, after: last, isWaiting: readers.isWaiting
    ) { [self] result in
      receive(Result { try take(result.get()) })
    } fetch: { begin in
      readers.add(pool) { [self] result in
        let fetch = Result { () throws -> SharedFetch in
          let db = try result.get()
          let end = sharing.fetches.stamp()
          return SharedFetch(
            value: try fetchFirst(db), commitCount: count, begin: begin, end: end)
        }
        sharing.fetches.end(sharing.key, begin: begin, fetch)
      }
    }
  }

  /// Fetches on the connection that writes, unless an observation of an equal request has done so
  /// since the last commit.
  func fetchOrShare(_ db: Database) throws -> FirstFetch<Fetched> {
    guard let sharing, !db.isInsideTransaction else { return try fetchFirst(db) }
    let count = db.broker.commitCount.value
    let last = state.withLock(\.lastFetchEnd)
    if let known = sharing.fetches.known(sharing.key, at: count, after: last) {
      return try take(known)
    }
    let begin = sharing.fetches.stamp()
    let first = try fetchFirst(db)
    // The transaction of the fetch itself is counted.
    let fetch = SharedFetch(
      value: first, commitCount: db.broker.commitCount.value, begin: begin,
      end: sharing.fetches.stamp())
    sharing.fetches.store(fetch, for: sharing.key)
    return try take(fetch)
  }

  /// Called when a life begins: from now on, only values count that are fetched later. Since those
  /// that are known were fetched, other connections may have committed, which nobody counts.
  func refuseEarlierFetches() {
    guard let sharing else { return }
    let stamp = sharing.fetches.stamp()
    state.withLock { $0.lastFetchEnd = max($0.lastFetchEnd, stamp) }
  }

  private func take(_ fetch: SharedFetch) throws -> FirstFetch<Fetched> {
    state.withLock { $0.lastFetchEnd = max($0.lastFetchEnd, fetch.end) }
    guard let first = fetch.value as? FirstFetch<Fetched> else {
      preconditionFailure("the key of a fetch has the type of its value")
    }
    return first
  }

  /// Fetches for this observation only, unless it is over.
  private func fetchFirst(_ db: Database, in life: Int) throws -> FirstFetch<Fetched> {
    guard canFetch(in: life) else { throw CancellationError() }
    return try fetchFirst(db)
  }
}
