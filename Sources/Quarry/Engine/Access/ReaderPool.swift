import Dispatch

/// The connections of a pool that only read. They are opened when they are needed, up to a number,
/// and lent to one access after the other, in the order of the requests.
///
/// A *barrier* stands in the same line: it begins when no reader is lent, and no reader is lent
/// before it has ended.
///
/// Accesses may be nested, as in `pool.read { pool.write { } }` and in `pool.write { pool.read { }
/// }`, so that threads that hold a reader wait for the writer, and the one that holds the writer
/// waits for a reader. They don't wait for each other for ever:
///
/// - A request that comes from an access to the writer is *urgent*. It waits neither for the line
///   nor for a barrier, which may be waiting for the writer itself.
/// - When all readers are held by threads that wait for the writer, or by loops that may do so, the
///   urgent request gets one reader more than the number allows. It is closed when it comes back.
final class ReaderPool: TimedAccessSource {
  private let maximumCount: Int
  private let open: @Sendable (_ number: Int) throws -> SerialConnection
  private let qos: DispatchQoS
  private let target: TargetQueue?
  /// Whether the times that accesses wait for a reader are measured.
  private let isObserved: Bool
  private let state = Locked(State())

  /// - parameter open: Opens the reader with this number, which is part of its label.
  init(
    _ configuration: Configuration,
    open: @escaping @Sendable (_ number: Int) throws -> SerialConnection
  ) throws {
    maximumCount = configuration.maximumReaderCount
    guard maximumCount > 0 else {
      throw DatabaseError.misuse("configuration.maximumReaderCount must be at least 1")
    }
    isObserved = configuration.makeAccessObserver != nil
    self.open = open
    qos = configuration.readQoS
    target = configuration.targetQueue.flatMap(TargetQueue.init)
  }

  /// The reader that the current thread uses, also when it will be closed afterwards.
  var currentReader: SerialConnection? { state.withLock(\.currentReader) }

  /// All connections that are open.
  var connections: [SerialConnection] {
    state.withLock { state in state.idle + state.lent.map(\.reader) }
  }

  private var observedTime: ContinuousClock.Instant? { isObserved ? .now : nil }

  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Runs an access, and waits for its end.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_MISUSE` inside another one, inside one with the
  ///   same serial target queue, and when the pool is closed.
  func sync<T>(
    _ transaction: AccessTransaction, isUrgent: Bool, _ body: (Database) throws -> T
  ) throws -> T {
    let time = observedTime
    let reader = try take(isUrgent: isUrgent, isReentrant: false)
    defer { giveBack(reader) }
    return try reader.sync(transaction, since: time, body)
  }

  /// Lends a reader, and waits until there is one.
  ///
  /// - parameter isReentrant: Whether the current thread may have one already.
  func take(isUrgent: Bool, isReentrant: Bool) throws -> SerialConnection {
    // The one who has the last reader may wait for the target, too.
    if let target, isReentrant || currentReader == nil { try target.checkCanWait() }
    let (kind, grant) = try state.withLock { state in
      let isHolder = state.currentReader != nil
      if isHolder, !isReentrant { throw DatabaseError.reentrancy }
      let kind: Waiter.Kind = isUrgent ? .urgentRead(isHolder: isHolder) : .read
      return (kind, state.grantAtOnce(kind, maximumCount))
    }
    return try reader(for: grant ?? request(kind))
  }

  /// Takes a reader back. One that leaves counts as lent until it is closed, so that it is closed
  /// before the writer. If a statement of it is alive, it goes with its last reference.
  func giveBack(_ reader: SerialConnection) {
    let grants = state.withLock { $0.takeBack(reader, maximumCount) }
    if let grants { return deliver(grants) }
    try? reader.setUp { db in try db.close() }
    state.withLock { $0.remove(reader) }
    serve()
  }

  func schedule(_ turn: AccessTurn) { schedule(turn, .read) }

  func scheduleWaiting(_ turn: AccessTurn, isUrgent: Bool) throws -> () -> Void {
    guard currentReader == nil else { throw DatabaseError.reentrancy }
    try target?.checkCanWait()
    schedule(turn, isUrgent ? .urgentRead(isHolder: false) : .read)
    return {}
  }

  private func schedule(_ turn: AccessTurn, _ kind: Waiter.Kind) {
    let isOver: @Sendable () -> Bool = { turn.isOver }
    let time = observedTime
    let waiter = Waiter(kind: kind, isOver: isOver) { [self] grant in
      switch grant {
      case .reader(let reader): begin(turn, with: reader, since: time)
      case .newReader: openReader(grant, for: turn, since: time)
      case .barrier, .closed: turn.fail(Self.closedError)
      }
    }
    wait(waiter)
  }

  /// Opens a reader on a queue of its own. The threads of the global queues may all wait for
  /// readers, and so may the functions of the application that prepare another one.
  private func openReader(
    _ grant: Grant, for turn: AccessTurn, since time: ContinuousClock.Instant?
  ) {
    DispatchQueue(label: "Quarry.opening", qos: qos).async { [self] in
      do {
        try begin(turn, with: reader(for: grant), since: time)
      } catch {
        turn.fail(error)
      }
    }
  }

  private func begin(
    _ turn: AccessTurn, with reader: SerialConnection, since time: ContinuousClock.Instant?
  ) {
    reader.queue.async {
      turn.begin(with: reader, since: time)
      self.giveBack(reader)
    }
  }

  func turnWasCancelled() { serve() }
}

// Accesses that keep their reader while others wait.
extension ReaderPool {
  /// False where no reader would be left to accesses that end by themselves.
  func beginHold() -> Bool {
    let begins = state.withLock { state in
      guard state.heldCount + 1 < maximumCount else { return false }
      state.heldCount += 1
      return true
    }
    if begins { serve() }
    return begins
  }

  func endHold() { state.withLock { $0.heldCount -= 1 } }
}

// Barriers.
extension ReaderPool {
  /// Whether no reader is lent: inside a barrier, an access to the writer may still have taken one.
  var isUnused: Bool { state.withLock { $0.lentCount == 0 } }

  /// Waits until no reader is lent. None is, then, before ``endBarrier()``.
  ///
  /// - Throws: ``DatabaseError`` when the pool is closed: there is no barrier to end.
  func beginBarrier() throws { if case .closed = request(.barrier) { throw Self.closedError } }

  /// Calls a function when a barrier has begun, on any thread. The turn fails when the pool is
  /// closed.
  func beginBarrierLater(for turn: AccessTurn, _ begin: @escaping @Sendable () -> Void) {
    wait(
      Waiter(kind: .barrier, isOver: { turn.isOver }) { grant in
        if case .closed = grant { turn.fail(Self.closedError) } else { begin() }
      })
  }

  func endBarrier() {
    state.withLock { $0.isBarrierRunning = false }
    serve()
  }
}

// Opening and closing.
extension ReaderPool {
  /// Opens readers that nobody needs yet, until there are so many.
  func warmUp(_ count: Int) throws {
    while let number = state.withLock({ $0.beginOpening(upTo: min(count, maximumCount)) }) {
      try giveBack(reader(for: .newReader(number)))
    }
  }

  /// Closes all readers: at once, or at the end of their access.
  func invalidate() {
    let idle = state.withLock { state in
      let idle = state.idle
      state.lentCount += idle.count
      state.lent += idle.map { Loan(reader: $0) }
      state.idle = []
      for index in state.lent.indices { state.lent[index].isStale = true }
      return idle
    }
    idle.forEach(giveBack)
  }

  /// Closes all readers. None is lent, except to an access to the writer that runs: it must not get
  /// a reader that is being closed.
  ///
  /// - Throws: ``DatabaseError`` with code `SQLITE_BUSY` when a statement of a reader is alive:
  ///   this one stays.
  func closeConnections() throws {
    while let reader = state.withLock({ $0.idle.popLast() }) {
      do {
        try reader.close()
      } catch {
        state.withLock { $0.idle.append(reader) }
        throw error
      }
    }
  }

  /// Makes later requests throw, and those that wait.
  func becomeClosed() { state.withLock { $0.isClosed = true } }

  /// Called by a thread that has a reader, and begins or ends to wait for the writer.
  func holderWaitsForWriter(_ change: Int) {
    state.withLock { $0.holdersWaitingForWriter += change }
    if change > 0 { serve() }
  }

  static var closedError: DatabaseError { DatabaseError.misuse("Connection is closed") }
}

// The line.
extension ReaderPool {
  /// The answer to a request.
  private enum Grant {
    case reader(SerialConnection)
    /// The one who asked has to open the reader.
    case newReader(Int)
    case barrier
    case closed
  }

  private struct Waiter {
    enum Kind {
      case read
      /// Asked for in an access to the writer, maybe by a thread that has a reader already.
      case urgentRead(isHolder: Bool)
      case barrier
    }

    let kind: Kind
    var isOver: @Sendable () -> Bool = { false }
    let receive: @Sendable (Grant) -> Void
  }

  private struct Loan {
    let reader: SerialConnection
    /// Whether the reader is closed when it comes back.
    var isStale = false
  }

  private struct State {
    var idle: [SerialConnection] = []
    var lent: [Loan] = []
    /// The number of readers that are lent, or being opened.
    var lentCount = 0
    /// The number of accesses that keep their reader while others wait.
    var heldCount = 0
    /// The number of readers ever opened.
    var openedCount = 0
    var holdersWaitingForWriter = 0
    /// There is one at most: one thread at a time uses the writer.
    var urgent: Waiter?
    var line = WaitingLine<Waiter>()
    var isBarrierRunning = false
    var isClosed = false

    /// The reader that the current thread uses.
    var currentReader: SerialConnection? { lent.first { $0.reader.db.owner.isInAccess }?.reader }

    mutating func add(_ waiter: Waiter) {
      if case .urgentRead = waiter.kind {
        urgent = waiter
      } else {
        line.append(waiter)
      }
    }

    /// Returns nil where the reader leaves: it is still lent.
    mutating func takeBack(_ reader: SerialConnection, _ maximumCount: Int) -> [(Waiter, Grant)]? {
      let isStale = lent.contains { $0.reader === reader && $0.isStale }
      if isStale || reader.db.isSnapshotLost || lentCount > maximumCount { return nil }
      remove(reader)
      idle.append(reader)
      return takeGrants(maximumCount)
    }

    mutating func remove(_ reader: SerialConnection) {
      lent.removeAll { $0.reader === reader }
      lentCount -= 1
    }

    /// Takes those out of the line who need not wait any more.
    mutating func takeGrants(_ maximumCount: Int) -> [(Waiter, Grant)] {
      var grants: [(Waiter, Grant)] = []
      if let waiter = urgent, let grant = grant(waiter.kind, maximumCount) {
        urgent = nil
        grants.append((waiter, grant))
      }
      while let waiter = line.first {
        if !waiter.isOver() {
          guard let grant = grant(waiter.kind, maximumCount) else { break }
          grants.append((waiter, grant))
        }
        line.removeFirst()
      }
      return grants
    }

    /// Grants a request at once, or returns nil if it has to queue.
    mutating func grantAtOnce(_ kind: Waiter.Kind, _ maximumCount: Int) -> Grant? {
      if case .read = kind, line.first != nil { return nil }
      return grant(kind, maximumCount)
    }

    private mutating func grant(_ kind: Waiter.Kind, _ maximumCount: Int) -> Grant? {
      if isClosed { return .closed }
      switch kind {
      case .barrier:
        guard lentCount == 0, !isBarrierRunning else { return nil }
        isBarrierRunning = true
        return .barrier
      case .read: guard !isBarrierRunning, lentCount < maximumCount else { return nil }
      case .urgentRead(let isHolder):
        let waitingCount = holdersWaitingForWriter + heldCount + (isHolder ? 1 : 0)
        guard lentCount < maximumCount || waitingCount >= lentCount else { return nil }
      }
      return lend()
    }

    private mutating func lend() -> Grant {
      lentCount += 1
      if let reader = idle.popLast() {
        lent.append(Loan(reader: reader))
        return .reader(reader)
      }
      openedCount += 1
      return .newReader(openedCount)
    }

    /// The number of a reader to open, if there are less, and nobody waits.
    mutating func beginOpening(upTo count: Int) -> Int? {
      guard !isClosed, !isBarrierRunning, line.first == nil, lentCount + idle.count < count
      else { return nil }
      lentCount += 1
      openedCount += 1
      return openedCount
    }
  }

  /// Asks, and waits for the answer.
  private func request(_ kind: Waiter.Kind) -> Grant {
    let answer = Locked<Grant>(.closed)
    let end = DispatchSemaphore(value: 0)
    wait(
      Waiter(kind: kind) { grant in
        answer.withLock { $0 = grant }
        end.signal()
      })
    end.wait()
    return answer.withLock { $0 }
  }

  private func wait(_ waiter: Waiter) {
    let grants = state.withLock { state in
      state.add(waiter)
      return state.takeGrants(maximumCount)
    }
    deliver(grants)
  }

  /// Answers those who need not wait any more.
  private func serve() { deliver(state.withLock { $0.takeGrants(maximumCount) }) }

  private func deliver(_ grants: [(Waiter, Grant)]) {
    for (waiter, grant) in grants { waiter.receive(grant) }
  }

  private func reader(for grant: Grant) throws -> SerialConnection {
    switch grant {
    case .reader(let reader): return reader
    case .newReader(let number):
      do {
        let reader = try open(number)
        state.withLock { $0.lent.append(Loan(reader: reader)) }
        return reader
      } catch {
        state.withLock { $0.lentCount -= 1 }
        serve()
        throw error
      }
    case .barrier, .closed: throw Self.closedError
    }
  }
}
