import Quarry

/// A database of a directory that is open, or about to be. The lock of the state guards it; a phase
/// with one thread in charge is read by this thread alone.
final class DirectoryEntry<Writer: DatabaseWriter>: @unchecked Sendable {
  enum Phase {
    /// Waits for another database to be closed.
    case pending
    /// A waiter opens it.
    case opening
    /// Open, in use or not.
    case open(Writer)
    /// Nobody gets it any more.
    case closing(Writer)
    /// Its files are about to be removed.
    case removing
  }

  let key: String
  var phase: Phase = .pending
  var leaseCount = 0
  /// The accesses that come before it is open, in order.
  var waiters: [Waiter<Writer>] = []
  /// The removals that wait for the end of a closing.
  var watchers: [Waiter<Writer>] = []
  var idleSince = ContinuousClock.now
  /// Since its last use, the end of the line when it was last tried to close it for another one.
  /// Those that come into line later try it again.
  var triedAt = 0
  /// The reason why it could not be closed.
  var closingError: (any Error)?
  /// Its place in the queue it is in.
  var ticket = 0

  init(_ key: String) { self.key = key }

  var isAwaited: Bool { waiters.contains { $0.isWaiting } }
}

/// Entries in the order in which they came. Each is in one queue at most.
struct EntryQueue<Writer: DatabaseWriter> {
  private var entries: [Int: DirectoryEntry<Writer>] = [:]
  private var first = 0
  /// The next ticket.
  private(set) var end = 0

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ entry: DirectoryEntry<Writer>) {
    entry.ticket = end
    entries[end] = entry
    end += 1
  }

  /// An entry that was removed, and in no other queue since, takes its place again.
  mutating func putBack(_ entry: DirectoryEntry<Writer>) {
    entries[entry.ticket] = entry
    first = min(first, entry.ticket)
  }

  mutating func remove(_ entry: DirectoryEntry<Writer>) { entries[entry.ticket] = nil }

  /// The first entry from a ticket on that meets a condition. The tickets of those that left are
  /// passed once.
  mutating func first(
    from ticket: Int = 0, where condition: (DirectoryEntry<Writer>) -> Bool = { _ in true }
  ) -> DirectoryEntry<Writer>? {
    while first < end, entries[first] == nil { first += 1 }
    for ticket in max(first, ticket)..<end {
      if let entry = entries[ticket], condition(entry) { return entry }
    }
    return nil
  }
}
