/// The functions that are called when something happens, but for those of the reducers, which stand
/// in its chain.
struct ObservationEvents: Sendable {
  var willStart: [@Sendable () -> Void] = []
  var willTrackRegion: [@Sendable (DatabaseRegion) -> Void] = []
  var databaseDidChange: [@Sendable () -> Void] = []
  var didFail: [@Sendable (any Error) -> Void] = []
  var didCancel: [@Sendable () -> Void] = []
}

extension ValueObservation {
  /// A function that is called when something happens in the life of an observation.
  public typealias EventHandler = @Sendable () -> Void

  /// Calls functions when something happens in the life of an observation that is started.
  ///
  /// ```swift
  /// let observation = ValueObservation
  ///   .tracking { db in try Book.fetchCount(db) }
  ///   .handleEvents(didFail: { error in log(error) })
  /// ```
  ///
  /// - Parameters:
  ///   - willStart: Called in `start`, before anything else.
  ///   - willFetch: Called before each fetch, in its access. Of several functions, the last one is
  ///     called first.
  ///   - willTrackRegion: Called with the region of the database whose changes are observed, when
  ///     it is known and when it changes.
  ///   - databaseDidChange: Called after each transaction that touched the region, before the
  ///     fetch.
  ///   - didReceiveValue: Called with each value that arrives at this place in the chain of
  ///     operators.
  ///   - didFail: Called before `onError`, where it is called.
  ///   - didCancel: Called in the first `cancel()`. It is not called after a failure.
  public func handleEvents(
    willStart: EventHandler? = nil,
    willFetch: EventHandler? = nil,
    willTrackRegion: (@Sendable (DatabaseRegion) -> Void)? = nil,
    databaseDidChange: EventHandler? = nil,
    didReceiveValue: (@Sendable (Reducer.Value) -> Void)? = nil,
    didFail: (@Sendable (any Error) -> Void)? = nil,
    didCancel: EventHandler? = nil
  ) -> ValueObservation<ValueReducers.Trace<Reducer>> {
    var observation = mapReducer {
      ValueReducers.Trace(
        base: $0, willFetch: willFetch ?? {}, didReceiveValue: didReceiveValue ?? { _ in })
    }
    if let willStart { observation.events.willStart.append(willStart) }
    if let willTrackRegion { observation.events.willTrackRegion.append(willTrackRegion) }
    if let databaseDidChange { observation.events.databaseDidChange.append(databaseDidChange) }
    if let didFail { observation.events.didFail.append(didFail) }
    if let didCancel { observation.events.didCancel.append(didCancel) }
    return observation
  }

  /// Writes a line when something happens in the life of an observation that is started.
  ///
  /// ```swift
  /// let observation = ValueObservation
  ///   .tracking { db in try Book.fetchCount(db) }
  ///   .print("books")
  /// // books: start
  /// // books: fetch
  /// // books: tracked region: book(*)
  /// // books: value: 4
  /// ```
  ///
  /// - Parameters:
  ///   - prefix: A text before each line.
  ///   - stream: It gets each line in one piece, without a line break, one at a time. It may end
  ///     the observation. By default, lines go to the standard output.
  public func print(
    _ prefix: String = "", to stream: sending (any TextOutputStream)? = nil
  ) -> ValueObservation<ValueReducers.Trace<Reducer>> {
    let prefix = prefix.isEmpty ? "" : "\(prefix): "
    let stream = LineStream(stream)
    let write = { @Sendable (text: String) in stream.write(prefix + text) }
    return handleEvents(
      willStart: { write("start") },
      willFetch: { write("fetch") },
      willTrackRegion: { write("tracked region: \($0)") },
      databaseDidChange: { write("database did change") },
      didReceiveValue: { write("value: \($0)") },
      didFail: { write("failure: \($0)") },
      didCancel: { write("cancel") })
  }
}
