import Dispatch

/// Hands batches over from an access to a task. The access waits until the last batch was taken.
///
/// The one who waits in the access is the thread of its connection, which no one else needs: threads
/// of Swift's pool don't wait here.
final class BatchChannel<Element: Sendable>: Sendable {
  private struct State {
    var batches: [[Element]] = []
    var receiver: CheckedContinuation<[Element]?, any Error>?
    var isFinished = false
    /// Thrown once, after the batches.
    var failure: (any Error)?
    var isCancelled = false
    var cancelFetch: (@Sendable () -> Void)?
  }

  private let state = Locked(State())
  /// Signaled for each batch that is taken.
  private let taken = DispatchSemaphore(value: 0)

  /// Hands over a batch, and waits until the task takes it: up to a moment, or not at all.
  ///
  /// - Throws: ``DatabaseError`` when the moment has passed, `CancellationError` when nobody needs
  ///   the batches any more.
  func send(_ batch: [Element], before deadline: ContinuousClock.Instant?) throws {
    let receiver = try state.withLock { state in
      if state.isCancelled { throw CancellationError() }
      defer { state.receiver = nil }
      if state.receiver == nil { state.batches.append(batch) }
      return state.receiver
    }
    // The receiver waited: the next batch is read ahead.
    if let receiver { return receiver.resume(returning: batch) }
    guard let deadline else { return }
    guard taken.wait(timeout: deadline.dispatchTime) == .success else {
      throw DatabaseError.passedDeadline(.turn)
    }
    if state.withLock(\.isCancelled) { throw CancellationError() }
  }

  /// Ends the batches.
  func finish(_ failure: (any Error)?) {
    let receiver = state.withLock { state in
      state.isFinished = true
      defer { state.receiver = nil }
      if state.receiver == nil { state.failure = failure }
      return state.receiver
    }
    if let failure { receiver?.resume(throwing: failure) } else { receiver?.resume(returning: nil) }
  }

  /// The next batch, or nil at the end.
  func receive() async throws -> [Element]? {
    try await withCheckedThrowingContinuation { continuation in
      let answer: Result<[Element]?, any Error>? = state.withLock { state in
        if state.isCancelled { return .failure(CancellationError()) }
        if !state.batches.isEmpty { return .success(state.batches.removeFirst()) }
        if let failure = state.failure.take() { return .failure(failure) }
        if state.isFinished { return .success(nil) }
        state.receiver = continuation
        return nil
      }
      guard let answer else { return }
      if case .success(.some) = answer { taken.signal() }
      continuation.resume(with: answer)
    }
  }

  /// Sets the function that cancels the access.
  func onCancel(_ cancelFetch: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.cancelFetch = cancelFetch
      return state.isCancelled
    }
    if isCancelled { cancelFetch() }
  }

  /// Ends the access: nobody needs its batches.
  func cancel() {
    let (receiver, cancelFetch) = state.withLock { state in
      state.isCancelled = true
      state.batches = []
      defer { (state.receiver, state.cancelFetch) = (nil, nil) }
      return (state.receiver, state.cancelFetch)
    }
    taken.signal()
    cancelFetch?()
    receiver?.resume(throwing: CancellationError())
  }
}
