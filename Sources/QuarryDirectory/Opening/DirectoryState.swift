import Quarry

/// Which databases of a directory are open, by whom they are used, and who waits.
///
/// A slot is the right to have a database open: there are as many as the limit. An entry that is
/// opening, open or closing has one. An access finds its database open, or waits: the first waiter
/// that is signaled opens it, for all who wait. If no slot is free, the entry stands in line,
/// `pending`. The database that was used least recently leaves its slot to the first in line, whose
/// waiter closes it before it opens its own.
///
/// If that can't be closed, the entry takes its place in line again, and gets the next one. What
/// could not be closed is tried again after a use, and by each entry that comes into line: never
/// again by those in line, which would miss the slots that become free. When all open databases are
/// idle, those that were tried before the last release are tried again. After that, no slot can
/// become free, and those in line are refused.
///
/// Functions change the state and signal waiters, under the lock of the directory. Files are opened
/// and closed by waiters, without the lock.
struct DirectoryState<Writer: DatabaseWriter> {
  typealias Entry = DirectoryEntry<Writer>

  let limit: Int
  let folder: String
  private var entries: [String: Entry] = [:]
  private var usedSlots = 0
  private var idle = EntryQueue<Writer>()
  /// The place of the last released database among the idle ones.
  private var releasedAt = 0
  private var pending = EntryQueue<Writer>()
  private var isClosed = false
  private var closeWaiters: [Waiter<Writer>] = []
  private var hasTimer = false

  init(limit: Int, folder: String) {
    self.limit = limit
    self.folder = folder
  }

  var openEntries: [Entry] {
    entries.values.filter { entry in if case .open = entry.phase { true } else { false } }
  }

  /// The number of accesses that wait for a database.
  func waiterCount(of key: String) -> Int { entries[key]?.waiters.count { $0.isWaiting } ?? 0 }

  var entriesInUse: [Entry] { entries.values.filter { $0.leaseCount > 0 } }
}

// Accesses.
extension DirectoryState {
  /// A lease of a database that is open.
  mutating func lease(_ key: String) throws -> (Entry, Writer)? {
    try checkIsOpen(key)
    guard let entry = entries[key], case .open(let writer) = entry.phase else { return nil }
    use(entry)
    return (entry, writer)
  }

  private mutating func use(_ entry: Entry) {
    if entry.leaseCount == 0 { idle.remove(entry) }
    entry.leaseCount += 1
  }

  func checkIsOpen(_ key: String) throws {
    guard isClosed else { return }
    throw closedError(key)
  }

  private func closedError(_ key: String) -> DirectoryError {
    DirectoryError(.closed, key: key, "the directory \(folder) was closed: make another one")
  }

  /// A waiter that gets the database.
  mutating func enqueue(_ key: String, _ waiter: Waiter<Writer>) throws {
    if let (entry, writer) = try lease(key) {
      waiter.send(.lease(entry, writer))
      return
    }
    dropAbandoned(key)
    if let entry = entries[key] {
      entry.waiters.append(waiter)
    } else {
      let entry = Entry(key)
      entry.waiters.append(waiter)
      open(entry)
    }
  }

  /// An entry that is closed, with waiters, stands in line.
  private mutating func open(_ entry: Entry) {
    entry.phase = .pending
    entries[entry.key] = entry
    pending.append(entry)
    admit()
  }

  /// Gives slots to those in line, or refuses them.
  private mutating func admit() {
    while !isClosed, let (entry, slot) = takeSlot() {
      pending.remove(entry)
      entry.phase = .opening
      if entry.signalFirst(.open(entry, evicting: slot.victim)) {
        slot.victim?.triedAt = pending.end
      } else {
        entries[entry.key] = nil
        giveBack(slot)
      }
    }
    while let entry = pending.first(), let error = refusal(of: entry) {
      leaveLine(entry)
      for waiter in entry.takeWaiters() { waiter.send(.failure(error)) }
    }
  }

  /// The error of an entry in line, which has tried all that are idle, if no slot can become free.
  private mutating func refusal(of entry: Entry) -> DirectoryError? {
    if isClosed { return closedError(entry.key) }
    return idle.count == limit ? closingFailure() : nil
  }

  /// The error of the first database that could not be closed for those in line.
  private mutating func closingFailure() -> DirectoryError? {
    idle.first().map { DirectoryError(cannotClose: $0.key, $0.closingError) }
  }

  private mutating func leaveLine(_ entry: Entry) {
    pending.remove(entry)
    entries[entry.key] = nil
  }

  /// A slot that is free, or that a victim leaves when it is closed.
  private struct Slot {
    var victim: Entry?
  }

  /// A slot, for the first in line who can have it.
  private mutating func takeSlot() -> (Entry, Slot)? {
    guard let first = pending.first() else { return nil }
    if usedSlots < limit {
      usedSlots += 1
      return (first, Slot())
    }
    guard let (entry, victim) = nextClosing(first: first), case .open(let writer) = victim.phase
    else { return nil }
    idle.remove(victim)
    victim.phase = .closing(writer)
    return (entry, Slot(victim: victim))
  }

  /// The database that was used least recently, with the first in line who has not tried it.
  private mutating func nextClosing(first: Entry) -> (Entry, victim: Entry)? {
    var entry: Entry?
    let victim = idle.first { victim in
      entry = pending.first(from: victim.triedAt)
      return entry != nil
    }
    if let entry, let victim { return (entry, victim) }
    guard idle.count == limit, let oldest = idle.first(), oldest.ticket < releasedAt else {
      return nil
    }
    return (first, oldest)
  }

  private mutating func giveBack(_ slot: Slot) {
    guard let victim = slot.victim, case .closing(let writer) = victim.phase else {
      usedSlots -= 1
      return
    }
    victim.phase = .open(writer)
    idle.putBack(victim)
  }

  /// Fails a waiter that waits for a slot.
  mutating func giveUp(_ key: String, _ waiter: Waiter<Writer>) {
    guard let entry = entries[key], case .pending = entry.phase else { return }
    let failure = closingFailure()
    let use = failure == nil ? "in use" : "in use, or can't be closed"
    waiter.send(
      .failure(
        DirectoryError(
          .limitReached, key: key,
          "\(limit) databases of \(folder) are \(use), and no more may be open: raise `limit`, end "
            + "accesses and leases sooner, and don't access one database inside an access to another",
          underlyingError: failure)))
  }
}

// Ends of what waiters do.
extension DirectoryState {
  /// The waiter in charge has opened the database, and uses it.
  mutating func opened(_ entry: Entry, _ writer: Writer) {
    entry.phase = .open(writer)
    entry.leaseCount = 1
    grantWaiters(entry, writer)
  }

  private mutating func grantWaiters(_ entry: Entry, _ writer: Writer) {
    for waiter in entry.takeWaiters() where waiter.send(.lease(entry, writer)) {
      entry.leaseCount += 1
    }
  }

  /// The waiter in charge has not opened the database: all who wait get the error.
  mutating func failed(_ entry: Entry, _ error: any Error) {
    for waiter in entry.takeWaiters() { waiter.send(.failure(error)) }
    closed(entry, freesSlot: true)
  }

  /// A database is closed, or removed. Those who wait for it open it again.
  mutating func closed(_ entry: Entry, freesSlot: Bool) {
    if freesSlot { usedSlots -= 1 }
    entries[entry.key] = nil
    for watcher in entry.takeWatchers() { watcher.send(.again) }
    if isClosed {
      for waiter in entry.takeWaiters() { waiter.send(.failure(closedError(entry.key))) }
    }
    if entry.isAwaited { open(entry) }
    admit()
    signalClosing()
  }

  /// A database can't be closed for another one, which is in line again, with a waiter in place of
  /// the one that has tried it. True for who has to start the timer.
  mutating func failedToEvict(
    _ victim: Entry, _ error: any Error, for entry: Entry, _ waiter: Waiter<Writer>
  ) -> Bool {
    guard case .closing(let writer) = victim.phase else { return false }
    victim.closingError = error
    entry.phase = .pending
    entry.waiters.insert(waiter, at: 0)
    pending.putBack(entry)
    return failedToClose(victim, writer)
  }

  /// A database can't be closed: it stays open, and the next in line tries again. True for who has
  /// to start the timer.
  mutating func failedToClose(_ entry: Entry, _ writer: Writer) -> Bool {
    for watcher in entry.takeWatchers() { watcher.send(.again) }
    reopened(entry, writer)
    admit()
    signalClosing()
    return startsTimer()
  }

  private mutating func startsTimer() -> Bool {
    defer { hasTimer = true }
    return !hasTimer
  }

  private mutating func reopened(_ entry: Entry, _ writer: Writer) {
    entry.phase = .open(writer)
    entry.leaseCount = 0
    grantWaiters(entry, writer)
    if entry.leaseCount == 0 { becameIdle(entry) }
  }

  private mutating func becameIdle(_ entry: Entry) {
    entry.idleSince = .now
    idle.append(entry)
  }
}

/// What the one who releases a lease has to do.
enum ReleaseDuty<Writer: DatabaseWriter> {
  case nothing
  case startTimer
  case close(DirectoryEntry<Writer>)
}

// Ends of uses.
extension DirectoryState {
  mutating func release(_ entry: Entry) -> ReleaseDuty<Writer> {
    entry.leaseCount -= 1
    guard entry.leaseCount == 0, case .open(let writer) = entry.phase else { return .nothing }
    guard !isClosed else {
      entry.phase = .closing(writer)
      return .close(entry)
    }
    entry.triedAt = 0
    becameIdle(entry)
    releasedAt = entry.ticket
    if !pending.isEmpty { admit() }
    return startsTimer() ? .startTimer : .nothing
  }

  /// Databases that were idle before a time, for the one who closes them.
  mutating func takeIdle(before time: ContinuousClock.Instant?) -> [Entry] {
    var taken: [Entry] = []
    while let entry = idle.first(), time.map({ entry.idleSince <= $0 }) ?? true,
      case .open(let writer) = entry.phase
    {
      idle.remove(entry)
      entry.phase = .closing(writer)
      taken.append(entry)
    }
    return taken
  }

  /// Databases that were idle for long, and the time until the next ones are.
  mutating func takeExpired(_ duration: Duration) -> ([Entry], next: Duration?) {
    let now = ContinuousClock.now
    let taken = takeIdle(before: now - duration)
    let next = idle.first().map { $0.idleSince + duration - now }
    hasTimer = next != nil
    return (taken, next)
  }

  /// The databases that can be closed now, and a waiter if there are others.
  mutating func beginClosing() -> ([Entry], Waiter<Writer>?) {
    isClosed = true
    admit()
    let taken = takeIdle(before: nil)
    guard entries.count > taken.count else { return (taken, nil) }
    let waiter = Waiter<Writer>()
    closeWaiters.append(waiter)
    return (taken, waiter)
  }

  /// Those that can't be closed are idle: `close()` reports them.
  private mutating func signalClosing() {
    guard isClosed, entries.count == idle.count else { return }
    for waiter in closeWaiters { waiter.send(.again) }
    closeWaiters = []
  }
}

/// What a removal gets.
enum Reservation<Writer: DatabaseWriter> {
  /// The files may be removed, after the database is closed.
  case entry(DirectoryEntry<Writer>, Writer?)
  /// The database is being closed.
  case wait(Waiter<Writer>)
}

// Removals.
extension DirectoryState {
  mutating func reserve(_ key: String) throws -> Reservation<Writer> {
    try checkIsOpen(key)
    dropAbandoned(key)
    guard let entry = entries[key] else {
      let entry = Entry(key)
      entry.phase = .removing
      entries[key] = entry
      return .entry(entry, nil)
    }
    guard entry.leaseCount == 0, !entry.isAwaited else { throw inUse(key) }
    switch entry.phase {
    case .open(let writer):
      idle.remove(entry)
      entry.phase = .removing
      return .entry(entry, writer)
    case .closing, .removing:
      let waiter = Waiter<Writer>()
      entry.watchers.append(waiter)
      return .wait(waiter)
    case .pending, .opening: throw inUse(key)
    }
  }

  /// An entry whose waiters have all given up stands in line for nobody.
  private mutating func dropAbandoned(_ key: String) {
    guard let entry = entries[key], case .pending = entry.phase, !entry.isAwaited else { return }
    leaveLine(entry)
  }

  private func inUse(_ key: String) -> DirectoryError {
    DirectoryError(
      .inUse, key: key,
      "the database is in use, and can't be removed: end the accesses and leases, or try again")
  }
}

extension DirectoryEntry {
  fileprivate func takeWaiters() -> [Waiter<Writer>] {
    defer { waiters = [] }
    return waiters
  }

  fileprivate func takeWatchers() -> [Waiter<Writer>] {
    defer { watchers = [] }
    return watchers
  }

  /// Signals the first waiter that is still there. False if none is.
  fileprivate func signalFirst(_ signal: Signal<Writer>) -> Bool {
    while !waiters.isEmpty { if waiters.removeFirst().send(signal) { return true } }
    return false
  }
}
