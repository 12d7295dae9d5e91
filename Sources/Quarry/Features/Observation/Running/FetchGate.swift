/// How long fetches wait after a change.
enum FetchPace: Equatable, Sendable {
  case immediate
  /// Until nothing has changed for some time.
  case debounced(Duration)
  /// Until some time after the last fetch.
  case throttled(Duration)
}

/// The fetches of an observation that don't run in the transaction's own access: one at a time, and
/// not too early.
///
/// All changes that come while a fetch is waiting share it. Those that come while it runs share the
/// next one.
final class FetchGate: Sendable {
  private enum Phase {
    case idle, waiting, fetching, fetchingAgain
  }

  private struct State {
    var phase = Phase.idle
    var lastChange: Duration
    var lastFetch: Duration
  }

  typealias Fetch = @Sendable (_ end: @escaping @Sendable () -> Void) -> Void

  private let pace: FetchPace
  private let clock: any ObservationClock
  private let fetch: Fetch
  private let state: Locked<State>

  /// - parameter fetch: Begins a fetch, and calls its argument when it has ended.
  init(pace: FetchPace, clock: any ObservationClock, fetch: @escaping Fetch) {
    self.pace = pace
    self.clock = clock
    self.fetch = fetch
    let now = clock.now
    state = Locked(State(lastChange: now, lastFetch: now))
  }

  func databaseDidChange() {
    let isIdle = state.withLock { state in
      state.lastChange = clock.now
      switch state.phase {
      case .idle:
        state.phase = .waiting
        return true
      case .fetching:
        state.phase = .fetchingAgain
        return false
      case .waiting, .fetchingAgain: return false
      }
    }
    if isIdle { proceed() }
  }

  /// Fetches, or waits.
  private func proceed() {
    let delay = state.withLock { state -> Duration? in
      let now = clock.now
      let time =
        switch pace {
        case .immediate: state.lastChange
        case .debounced(let delay): state.lastChange + delay
        case .throttled(let delay): state.lastFetch + delay
        }
      let delay = time - now
      if delay > .zero { return delay }
      state.phase = .fetching
      state.lastFetch = now
      return nil
    }
    if let delay {
      clock.run(after: delay) { [self] in proceed() }
    } else {
      fetch { [self] in fetchDidEnd() }
    }
  }

  private func fetchDidEnd() {
    let isIdle = state.withLock { state in
      let isIdle = state.phase == .fetching
      state.phase = isIdle ? .idle : .waiting
      return isIdle
    }
    if !isIdle { proceed() }
  }
}
