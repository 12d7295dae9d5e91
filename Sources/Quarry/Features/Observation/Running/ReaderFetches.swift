/// The fetches of observations that wait for a reader of a pool.
///
/// A commit may concern hundreds of observations. Instead of one access for each fetch, with a
/// transaction of its own, an access serves all the fetches that were requested before its
/// transaction began: those see the commit that they are for. Several accesses share the work, so
/// that a slow fetch does not hold up the others. Each one ends with its transaction: other reads
/// get their turn.
///
/// Where accesses have a time limit, each fetch has one of its own: else the limit would end those
/// that come last.
final class ReaderFetches: ConnectionStore, @unchecked Sendable {
  typealias Fetch = @Sendable (Result<Database, any Error>) -> Void

  private struct Request {
    let number: Int
    let fetch: Fetch
  }

  private struct State {
    /// The requests that nobody has taken.
    var waiting = WaitingLine<Request>()
    var lastNumber = 0
    /// The last request when the last access began: later ones are served by accesses to come.
    var lastFoundNumber = 0
    var runningCount = 0
    /// True from the request of an access until it begins.
    var isScheduled = false

    /// True if another access is needed, which is expected to be scheduled.
    mutating func schedules(atMost maximumCount: Int) -> Bool {
      guard !isScheduled, runningCount < maximumCount else { return false }
      isScheduled = true
      return true
    }

    /// Takes the first request, unless it came after another one.
    mutating func take(upTo number: Int) -> Fetch? {
      guard let request = waiting.first, request.number <= number else { return nil }
      waiting.removeFirst()
      return request.fetch
    }
  }

  private let state = Locked(State())

  /// Calls a function later, with a reader in a transaction that begins after the call, or with an
  /// error. Returns the number of the request.
  @discardableResult
  func add(_ pool: DatabasePool, _ fetch: @escaping Fetch) -> Int {
    let (number, isNeeded) = state.withLock { state -> (Int, Bool) in
      state.lastNumber += 1
      state.waiting.append(Request(number: state.lastNumber, fetch: fetch))
      let isNeeded = state.schedules(atMost: pool.configuration.maximumReaderCount)
      return (state.lastNumber, isNeeded)
    }
    if isNeeded { schedule(pool) }
    return number
  }

  /// Whether it is certain that the transaction for a request has not begun.
  func isWaiting(_ number: Int) -> Bool { state.withLock { number > $0.lastFoundNumber } }

  private func schedule(_ pool: DatabasePool) {
    pool.asyncUnsafeRead { [self] result in
      let (number, isNeeded) = state.withLock { state in
        state.isScheduled = false
        state.runningCount += 1
        state.lastFoundNumber = state.lastNumber
        let isNeeded =
          state.waiting.count > 1 && state.schedules(atMost: pool.configuration.maximumReaderCount)
        return (state.lastNumber, isNeeded)
      }
      if isNeeded { schedule(pool) }
      serve(result, upTo: number)
      let isNeededAgain = state.withLock { state in
        state.runningCount -= 1
        return state.waiting.first != nil
          && state.schedules(atMost: pool.configuration.maximumReaderCount)
      }
      if isNeededAgain { schedule(pool) }
    }
  }

  /// Serves the requests up to a number, as far as nobody else does.
  private func serve(_ result: Result<Database, any Error>, upTo number: Int) {
    var hasBegun = false
    do {
      let db = try result.get()
      try db.result(of: .reading, verifiesSchema: true) { db throws in
        hasBegun = true
        serve(db, upTo: number)
      }
    } catch {
      // The error of the end has nobody to be thrown to.
      if hasBegun { return }
      while let fetch = take(upTo: number) { fetch(.failure(error)) }
    }
  }

  private func serve(_ db: Database, upTo number: Int) {
    // A fetch that is wrong may have ended the transaction: the next ones get another one.
    while db.isInsideTransaction, let fetch = take(upTo: number) {
      fetch(.success(db))
      try? db.owner.endCursorsAndStreams()
      if db.configuration.accessTimeLimit != nil { return }
    }
  }

  private func take(upTo number: Int) -> Fetch? { state.withLock { $0.take(upTo: number) } }
}
