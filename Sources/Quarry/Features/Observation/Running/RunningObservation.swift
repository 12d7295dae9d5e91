import Dispatch

/// The functions of the one who observes.
struct ObservationCallbacks<Value>: Sendable {
  let onError: @Sendable (any Error) -> Void
  let onChange: @Sendable (Value) -> Void
}

/// A start of an observation, until it is canceled or fails.
///
///     begin ── first fetch ── observer installed ──┐
///                                                  v
///              commit ── fetch, at once or through the gate ── reduce ── report
///
/// Fetches take place in accesses to the database. Whatever they return goes to the reducing queue,
/// in the order of the states that they have seen, errors included, and from there to the
/// scheduler.
///
/// An error ends a *life*: with ``ValueObservation/retry(_:)`` another one begins. What comes late
/// from the previous one is ignored.
final class RunningObservation<Reducer: ValueReducer>: @unchecked Sendable {
  typealias Value = Reducer.Value
  typealias Fetched = Reducer._Fetched
  typealias Callbacks = ObservationCallbacks<Value>

  let observation: ValueObservation<Reducer>
  let scheduler: any ValueObservationScheduler
  let state: Locked<State>
  /// The queue that reduces values. It is suspended while the first one is reported on the starting
  /// thread.
  let reducing: DispatchQueue
  /// The reducer with its memory: used where values are reduced.
  private var reducer: Reducer
  private var dropsNextValue: Bool
  let sharing: FetchSharing?
  private(set) lazy var gate = FetchGate(pace: observation.pace, clock: observation.clock) {
    [weak self] end in self?.fetchLater(end)
  }

  struct State {
    /// Nil once the observation is over.
    var callbacks: Callbacks?
    /// Nil once the observation is over.
    var database: ObservedDatabase?
    var observer: RegionObserver?
    /// The region of the last fetch in the current life, which is or will be that of the observer.
    var region: DatabaseRegion?
    /// The number of the current life.
    var life = 0
    /// Whether the current life has not met an error: it may still wait to be reduced.
    var canFetch = true
    /// Whether a value was fetched: then, the end of the database is no error.
    var hasValue = false
    /// Whether a fetch has met a closed database: no other life can begin.
    var isClosed = false
    /// The number of errors since the last value that was reported.
    var failureCount = 0
    var hasReportedSmallRegion = false
    /// The end of the last fetch, or the beginning of the life: see ``SharedFetch``.
    var lastFetchEnd = 0

    /// The database, unless a life is over.
    func database(of life: Int) -> ObservedDatabase? {
      canFetch && self.life == life ? database : nil
    }
  }

  init(
    _ observation: ValueObservation<Reducer>, in reader: any DatabaseReader,
    scheduling scheduler: any ValueObservationScheduler, callbacks: Callbacks
  ) {
    self.observation = observation
    self.scheduler = scheduler
    reducer = observation.reducer
    sharing = FetchSharing(observation.fetchKey, in: reader)
    dropsNextValue = observation.dropsInitialValue
    let database = ObservedDatabase(
      reader, requiresWriteAccess: observation.requiresWriteAccess)
    state = Locked(State(callbacks: callbacks, database: database))
    reducing = DispatchQueue(
      label: "\(reader.configuration.label ?? "Quarry").ValueObservation",
      qos: reader.configuration.readQoS)
  }

  /// The database, unless a life is over.
  func database(of life: Int) -> ObservedDatabase? { state.withLock { $0.database(of: life) } }

  func canFetch(in life: Int) -> Bool { database(of: life) != nil }

  /// Whether the database was closed while it was observed: nothing changes any more. Observing a
  /// closed one fails.
  func isOver(isClosed: Bool) -> Bool {
    guard isClosed else { return false }
    return state.withLock { state in
      state.isClosed = true
      return state.hasValue
    }
  }

  /// Whether a fetch had no reader, since the pool was closed while it was observed.
  func isOver(_ fetch: Result<some Any, any Error>, on pool: DatabasePool) -> Bool {
    guard case .failure = fetch else { return false }
    return isOver(isClosed: pool.readers.isClosed)
  }

  /// Takes what a fetch has returned.
  ///
  /// - parameter success: Called when it has been reduced and was no error.
  func receive(
    _ result: Result<Fetched, any Error>, in life: Int,
    success: @escaping @Sendable () -> Void = {}
  ) {
    if case .failure = result { stopFetching(in: life) }
    reducing.async { [self] in
      if reduce(result, in: life, report: scheduler.schedule) { success() }
    }
  }

  /// Reduces what a fetch has returned, and reports it. Returns false when it is an error, or comes
  /// too late.
  func reduce(
    _ result: Result<Fetched, any Error>, in life: Int,
    report: (@escaping @Sendable () -> Void) -> Void
  ) -> Bool {
    let isInTime = state.withLock { state in
      if case .success = result { state.hasValue = true }
      return state.life == life && state.callbacks != nil
    }
    guard isInTime else { return false }
    do {
      if let value = try reducer._value(result.get()) { self.report(value, report) }
      return true
    } catch {
      fail(error, in: life, report: report)
      return false
    }
  }

  private func report(_ value: Value, _ report: (@escaping @Sendable () -> Void) -> Void) {
    state.withLock { $0.failureCount = 0 }
    if dropsNextValue {
      dropsNextValue = false
    } else {
      report { [self] in state.withLock(\.callbacks)?.onChange(value) }
    }
  }
}

// The end.
extension RunningObservation {
  /// Stops the observation.
  func cancel() {
    guard takeEnd() != nil else { return }
    for didCancel in observation.events.didCancel { didCancel() }
  }

  /// Fails, or starts again later, unless the database is closed.
  func fail(_ error: any Error, in life: Int, report: (@escaping @Sendable () -> Void) -> Void) {
    stopFetching(in: life)
    let (failureCount, isClosed) = state.withLock { state in
      state.life += 1
      state.failureCount += 1
      return (state.failureCount, state.isClosed)
    }
    guard !isClosed, let delay = observation.retry?(error, failureCount) else {
      return report { [self] in end(with: error) }
    }
    // Who can cancel the observation keeps it meanwhile.
    observation.clock.run(after: delay) { [weak self] in
      self?.state.withLock { $0.canFetch = true }
      self?.begin(life + 1)
    }
  }

  /// Reports an error, unless the observation is over.
  func end(with error: any Error) {
    guard let end = takeEnd() else { return }
    for didFail in observation.events.didFail { didFail(error) }
    end.onError(error)
  }

  /// Ends the observation: once.
  private func takeEnd() -> Callbacks? {
    let last = state.withLock { state in
      defer {
        state.callbacks = nil
        state.database = nil
        state.observer = nil
      }
      return state
    }
    guard let callbacks = last.callbacks else { return nil }
    last.observer?.cancel()
    if let sharing { sharing.fetches.release(sharing.key) }
    return callbacks
  }

  /// Ignores the changes that come after an error.
  func stopFetching(in life: Int) {
    let observer = state.withLock { state -> RegionObserver? in
      guard state.life == life else { return nil }
      defer { state.observer = nil }
      state.canFetch = false
      return state.observer
    }
    observer?.cancel()
  }
}
