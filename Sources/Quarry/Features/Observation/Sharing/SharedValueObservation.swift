public import Dispatch

/// How long a shared observation observes the database.
public enum SharedValueObservationExtent: Hashable, Sendable {
  /// From the first subscription on, as long as the shared observation is alive.
  case observationLifetime
  /// As long as somebody has subscribed.
  case whileObserved
}

/// An observation whose subscribers share its fetches.
///
/// ```swift
/// let sharedCount = ValueObservation
///   .tracking { db in try Book.fetchCount(db) }
///   .shared(in: dbPool)
/// let first = sharedCount.start(onError: { _ in }, onChange: { print($0) })
/// let second = sharedCount.start(onError: { _ in }, onChange: { print($0) })
/// ```
///
/// Nothing is fetched before the first subscription. Later ones get the last value, without a
/// fetch. A change is fetched once, and reported to all subscribers, in their order. A subscription
/// keeps the shared observation alive.
///
/// After an error, a new subscription starts the observation again, or, with the extent of the
/// lifetime, gets the same error.
public final class SharedValueObservation<Element: Sendable>: Sendable {
  private typealias Subscriber = SharedSubscriber<Element>
  /// A result that has been reported, and its number.
  private typealias Known = (number: Int, result: Result<Element, any Error>)

  /// What the state no longer refers to. It is released without the lock: a value may end
  /// subscriptions.
  private struct Former {
    var upstream: AnyDatabaseCancellable?
    var last: Result<Element, any Error>?
  }

  /// Each start of the observation is a *session*, and its values have numbers.
  private struct State {
    var session = 0
    var isStarted = false
    var upstream: AnyDatabaseCancellable?
    var count = 0
    var last: Result<Element, any Error>?
    var subscribers: [Subscriber] = []
  }

  private let start: AsyncValueObservation<Element>.Start
  private let scheduler: any ValueObservationScheduler
  private let extent: SharedValueObservationExtent
  private let state = Locked(State())

  init(
    scheduler: any ValueObservationScheduler, extent: SharedValueObservationExtent,
    start: @escaping AsyncValueObservation<Element>.Start
  ) {
    self.start = start
    self.scheduler = scheduler
    self.extent = extent
  }

  /// Subscribes to the values.
  ///
  /// - Parameters:
  ///   - onError: Called once, when the observation fails.
  ///   - onChange: Called with the last value, if one is known, and with the next ones: by the
  ///     scheduler of the shared observation.
  /// - Returns: An object that ends the subscription when it is canceled or released.
  @preconcurrency public func start(
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Element) -> Void
  ) -> AnyDatabaseCancellable {
    if let error = scheduler.startError {
      onError(error)
      return AnyDatabaseCancellable {}
    }
    let subscriber = Subscriber(ObservationCallbacks(onError: onError, onChange: onChange))
    let (known, session) = state.withLock { state in subscribe(subscriber, &state) }
    if let known { report(known, to: subscriber) }
    if let session { startSession(session) }
    return AnyDatabaseCancellable { self.cancel(subscriber) }
  }

  /// The last value with its number, and the number of the session to start.
  private func subscribe(
    _ subscriber: Subscriber, _ state: inout State
  ) -> (known: Known?, session: Int?) {
    let known = state.last.map { (number: state.count, result: $0) }
    if case .failure = state.last { return (known, nil) }
    state.subscribers.append(subscriber)
    if state.isStarted { return (known, nil) }
    state.isStarted = true
    state.session += 1
    return (nil, state.session)
  }

  /// Returns the values as an asynchronous sequence. Each iteration is a subscription.
  public func values(
    bufferingPolicy: AsyncValueObservation<Element>.BufferingPolicy = .unbounded
  ) -> AsyncValueObservation<Element> {
    AsyncValueObservation(bufferingPolicy: bufferingPolicy) { onError, onChange in
      self.start(onError: onError, onChange: onChange)
    }
  }
}

extension SharedValueObservation {
  /// Reports what is known to a new subscriber.
  private func report(_ known: Known, to subscriber: Subscriber) {
    if scheduler.immediateInitialValue() {
      subscriber.receive(known.result, number: known.number)
    } else {
      scheduler.schedule { subscriber.receive(known.result, number: known.number) }
    }
  }

  private func startSession(_ session: Int) {
    let upstream = start(
      { [weak self] error in self?.receive(.failure(error), in: session) },
      { [weak self] value in self?.receive(.success(value), in: session) })
    let isOver = state.withLock { state in
      guard state.isStarted, state.session == session else { return true }
      state.upstream = upstream
      return false
    }
    if isOver { upstream.cancel() }
  }

  /// Passes a value or an error on. Subscribers are called without the lock: they may subscribe and
  /// cancel.
  private func receive(_ result: Result<Element, any Error>, in session: Int) {
    let (subscribers, number, former) = state.withLock { state -> ([Subscriber], Int, Former) in
      guard state.isStarted, state.session == session else { return ([], 0, Former()) }
      state.count += 1
      var former = Former(last: state.last)
      state.last = result
      let subscribers = state.subscribers
      if case .failure = result { former.upstream = end(&state).upstream }
      return (subscribers, state.count, former)
    }
    withExtendedLifetime(former) {
      for subscriber in subscribers { subscriber.receive(result, number: number) }
    }
  }

  /// Ends the session, if the next subscriber begins another one.
  private func end(_ state: inout State) -> Former {
    state.subscribers = []
    guard extent == .whileObserved else { return Former() }
    state.isStarted = false
    return Former(upstream: state.upstream.take(), last: state.last.take())
  }

  private func cancel(_ subscriber: Subscriber) {
    subscriber.cancel()
    let former = state.withLock { state -> Former in
      guard let index = state.subscribers.firstIndex(where: { $0 === subscriber }) else {
        return Former()
      }
      state.subscribers.remove(at: index)
      return state.subscribers.isEmpty ? end(&state) : Former()
    }
    former.upstream?.cancel()
  }
}

extension ValueObservation {
  /// Returns an observation whose subscribers share its fetches. See ``SharedValueObservation``.
  ///
  /// - Parameters:
  ///   - reader: It stays alive as long as the shared observation.
  ///   - scheduler: Where all subscribers get their values: by default, on the main queue.
  ///   - extent: By default, the database is observed while somebody has subscribed.
  public func shared(
    in reader: any DatabaseReader,
    scheduling scheduler: some ValueObservationScheduler = .async(onQueue: .main),
    extent: SharedValueObservationExtent = .whileObserved
  ) -> SharedValueObservation<Reducer.Value> {
    SharedValueObservation(scheduler: scheduler, extent: extent) { onError, onChange in
      start(in: reader, scheduling: scheduler, onError: onError, onChange: onChange)
    }
  }
}
