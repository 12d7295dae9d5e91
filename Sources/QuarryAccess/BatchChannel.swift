import Dispatch
import Quarry

/// Hands batches over from an access to a task. The access waits until the last batch was taken.
///
/// The one who waits in the access is the thread of its connection, which no one else needs:
/// threads of Swift's pool don't wait here.
final class BatchChannel<Element: Sendable>: Sendable {
  private struct State {
    var batches: [[Element]] = []
    var receiver: CheckedContinuation<[Element]?, any Error>?
    var isFinished = false
    /// Thrown once, after the batches.
    var failure: (any Error)?
    var isCancelled = false
    var cancelFetch: (@Sendable () -> Void)?

    /// What a receiver gets, or nil when it has to wait.
    mutating func next() -> Result<[Element]?, any Error>? {
      if isCancelled { return .failure(CancellationError()) }
      if !batches.isEmpty { return .success(batches.removeFirst()) }
      if let failure = failure.take() { return .failure(failure) }
      return isFinished ? .success(nil) : nil
    }
  }

  private let state = Locked(State())
  /// Signaled for each batch that is taken.
  private let taken = DispatchSemaphore(value: 0)

  /// Hands over a batch, and waits until the task takes it, up to a moment.
  ///
  /// - Throws: `DatabaseError` when the moment has passed, `CancellationError` when nobody needs
  ///   the batches any more.
  func send(_ batch: [Element], before deadline: ContinuousClock.Instant) throws {
    let receiver = try state.withLock { state in
      if state.isCancelled { throw CancellationError() }
      defer { state.receiver = nil }
      if state.receiver == nil { state.batches.append(batch) }
      return state.receiver
    }
    // The receiver waited: the next batch is read ahead.
    if let receiver { return receiver.resume(returning: batch) }
    guard taken.wait(timeout: deadline.dispatchTime) == .success else {
      throw DatabaseError.passedDeadline(.turn)
    }
    if state.withLock(\.isCancelled) { throw CancellationError() }
  }

  /// Ends the batches, after some more.
  func finish(_ batches: [[Element]], _ failure: (any Error)?) {
    let (receiver, next) = state.withLock { state in
      let receiver = state.receiver.take()
      if !state.isCancelled { state.batches += batches }
      (state.isFinished, state.failure) = (true, failure)
      return (receiver, receiver == nil ? nil : state.next())
    }
    if let receiver, let next { receiver.resume(with: next) }
  }

  /// The next batch, or nil at the end.
  func receive() async throws -> [Element]? {
    try await withCheckedThrowingContinuation { continuation in
      let answer: Result<[Element]?, any Error>? = state.withLock { state in
        let next = state.next()
        if next == nil { state.receiver = continuation }
        return next
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
