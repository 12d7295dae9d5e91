import Dispatch

extension TimedAccessSource {
  /// Runs an access that ends at a deadline, and waits for its end.
  ///
  /// The closure runs on the current thread, like that of an access without a deadline. The queue
  /// of the connection stands still meanwhile: unlike `DispatchQueue.sync`, this wait can end.
  func sync<T>(
    _ transaction: AccessTransaction, before deadline: ContinuousClock.Instant,
    isUrgent: Bool = false, _ body: (Database) throws -> T
  ) throws -> T {
    try deadline.checkIsAhead()
    let lent = Locked<Result<SerialConnection, any Error>?>(nil)
    let begin = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    let turn = AccessTurn { connection in
      lent.withLock { $0 = connection }
      begin.signal()
      if case .success = connection { end.wait() }
    }
    let endWait = try scheduleWaiting(turn, isUrgent: isUrgent)
    let isInTime = begin.wait(timeout: deadline.dispatchTime) == .success
    endWait()
    if !isInTime {
      guard !turn.take() else {
        turnWasCancelled()
        throw DatabaseError.passedDeadline(.turn)
      }
      // The turn has begun in this moment.
      begin.wait()
    }
    defer { end.signal() }
    guard let connection = lent.withLock({ $0 }) else { throw ReaderPool.closedError }
    let cancellation = AccessCancellation(deadline: deadline)
    let timer = deadline.startTimer { cancellation.cancel(.deadline) }
    defer { timer.cancel() }
    return try connection.get().run(transaction, cancellation: cancellation, body)
  }
}
