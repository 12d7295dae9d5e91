/// A subscriber of a shared observation: values never go back, and none comes after the
/// cancellation.
final class SharedSubscriber<Element: Sendable>: Sendable {
  private struct State {
    var callbacks: ObservationCallbacks<Element>?
    var number = 0
  }

  private let state: Locked<State>

  init(_ callbacks: ObservationCallbacks<Element>) { state = Locked(State(callbacks: callbacks)) }

  func receive(_ result: Result<Element, any Error>, number: Int) {
    let callbacks = state.withLock { state -> ObservationCallbacks<Element>? in
      guard number > state.number else { return nil }
      state.number = number
      defer { if case .failure = result { state.callbacks = nil } }
      return state.callbacks
    }
    switch result {
    case .success(let value): callbacks?.onChange(value)
    case .failure(let error): callbacks?.onError(error)
    }
  }

  func cancel() {
    // Released after the lock: they may be the last reference to anything.
    _ = state.withLock { $0.callbacks.take() }
  }
}
