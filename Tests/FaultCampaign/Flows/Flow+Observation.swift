import Dispatch
import Foundation
import Quarry

/// Counts the transactions that it is notified of, and their changes.
private final class CommitCounter: TransactionObserver, Sendable {
  let counts = Shared((pendingChanges: 0, changes: 0, commits: 0))

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    eventKind.tableName == "entry"
  }
  func databaseDidChange(with event: DatabaseEvent) { counts.withLock { $0.pendingChanges += 1 } }
  func databaseDidCommit(_ db: Database) {
    counts.withLock { counts in
      counts.commits += 1
      counts.changes += counts.pendingChanges
      counts.pendingChanges = 0
    }
  }
  func databaseDidRollback(_ db: Database) { counts.withLock { $0.pendingChanges = 0 } }
}

/// A value observation, and how it ends.
private final class Watch: Sendable {
  let last = Shared<Int?>(nil)
  let error = Shared<(any Error)?>(nil)
  private let cancellable = Shared<AnyDatabaseCancellable?>(nil)

  func start(_ writer: any DatabaseWriter) {
    let observation = ValueObservation.tracking { db in
      let authors = try Author.including(all: Author.entries).asRequest(of: Row.self).fetchAll(db)
      return authors.reduce(0) { $0 + ($1.prefetchedRows["entries"]?.count ?? 0) }
    }
    let started = observation.start(
      in: writer, scheduling: .async(onQueue: DispatchQueue(label: "watch")),
      onError: { [weak self] error in self?.error.withLock { $0 = error } },
      onChange: { [weak self] value in self?.last.withLock { $0 = value } })
    cancellable.withLock { $0 = started }
  }

  func cancel() { cancellable.withLock { $0 = nil } }
}

extension Flow {
  static let observation = Flow(
    name: "observation",
    run: { course in
      guard let writer = course.writer else { return }
      let observer = CommitCounter()
      let regionCount = Shared(0)
      writer.add(transactionObserver: observer)
      let regions = DatabaseRegionObservation(tracking: Entry.all()).start(in: writer) { error in
        regionCount.withLock { $0 = -1000 }
      } onChange: { _ in
        regionCount.withLock { $0 += 1 }
      }
      let watch = Watch()
      watch.start(writer)
      course.wait(for: "the first value") { watch.last.value != nil || watch.error.value != nil }
      let first = course.ledger.acknowledgedCount
      for number in 1...3 { course.step("write") { try course.commit(number) } }
      course.checkNotifications(observer, regionCount, course.ledger.acknowledgedCount - first)
      course.checkLastValue(watch)
      watch.cancel()
      regions.cancel()
      writer.remove(transactionObserver: observer)
      course.mustBeReleased("the observer", observer)
      course.mustBeReleased("the observation", watch)
    })
}

extension Course {
  /// Each commit is notified once; a failed one can have taken place all the same.
  fileprivate func checkNotifications(
    _ observer: CommitCounter, _ regionCount: Shared<Int>, _ count: Int
  ) {
    let counts = observer.counts.value
    expect(
      counts.commits == count,
      "\(counts.commits) commits are notified, \(count) acknowledged: \(failures)")
    expect(
      counts.changes == 5 * counts.commits,
      "\(counts.changes) changes are notified of \(counts.commits) transactions")
    let regions = regionCount.value
    // The start of the observation has failed.
    if regions >= 0 { expect(regions == count, "\(regions) changes of the region, not \(count)") }
  }

  /// The last value is the one of the database, unless the observation has reported an error.
  fileprivate func checkLastValue(_ watch: Watch) {
    let count = (try? writer?.read(Entry.fetchCount)) ?? nil
    // SQLite reports an error, and a rollback, when it can't release the lock of a commit, which
    // has taken place.
    let acknowledgedCount = 60 + 5 * (ledger.acknowledgedCount - 1)
    wait(for: "the last value, \(count ?? -1), not \(watch.last.value ?? -1)") {
      guard watch.error.value == nil, let count else { return true }
      return [count, acknowledgedCount].contains(watch.last.value)
    }
    if let error = watch.error.value { step("observation") { throw error } }
  }
}
