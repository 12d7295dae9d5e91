import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Ends of observations.
@Suite struct ValueCancellationTests {
  private let report = Report<Int>()

  @Test(arguments: ConnectionKind.queueAndPool)
  func `values that are scheduled are not reported after the cancellation`(
    kind: ConnectionKind
  ) async throws {
    try await kind.withShop { writer async throws in
      let scheduler = ManualScheduler()
      let cancellable = try await authorCount.recordCommits(
        in: writer, scheduling: scheduler, into: report)
      try await scheduler.run(1)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try await waitUntil { scheduler.count == 2 }
      cancellable.cancel()
      try await scheduler.run(2)
      #expect(report.values.elements == [0])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `the release of the cancellable is a cancellation`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let log = ValueRecorder<String>()
      var cancellable: AnyDatabaseCancellable? = authorCount.logging(to: log)
        .record(in: writer, into: report)
      try await log.wait { $0.count == 4 }
      log.takeAll()
      withExtendedLifetime(cancellable) {}
      cancellable = nil
      #expect(log.takeAll() == ["cancel"])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(log.elements == [])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an observation can be cancelled where it reports`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let box = CancellableBox()
      let queue = DispatchQueue(label: "values")
      let regions = ValueRecorder<DatabaseRegion>()
      let cancellable = authorCount.handleEvents(willTrackRegion: { regions.append($0) })
        .start(
          in: writer, scheduling: .async(onQueue: queue), onError: { _ in },
          onChange: { [report] value in
            report.values.append(value)
            if value == 1 { box.cancel() }
          })
      box.set(cancellable)
      try await regions.first(1)
      for _ in 1...5 { try writer.run("INSERT INTO author DEFAULT VALUES") }
      try await report.values.first(2)
      queue.sync {}
      #expect(report.values.elements == [0, 1])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `an observation can be cancelled where it fetches`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      let box = CancellableBox()
      let scheduler = ManualScheduler()
      let observation = ValueObservation.tracking { db in
        let count = try db.count("author")
        if count == 1 { box.cancel() }
        return count
      }
      box.set(observation.record(in: writer, scheduling: scheduler, into: report))
      try await scheduler.run(1)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try writer.run("INSERT INTO author DEFAULT VALUES")
      let others = Report<Int>()
      let other = authorCount.record(in: writer, into: others)
      try await others.values.first(1)
      #expect(scheduler.count == 0)
      #expect(report.values.elements == [0])
      other.cancel()
    }
  }

  @Test func `an observation that is cancelled before its turn on a queue does not fetch`()
    async throws
  {
    try await ConnectionKind.queue.withShop { writer async throws in
      let log = ValueRecorder<String>()
      try writer.writeNow { _ in
        authorCount.logging(to: log).record(in: writer, into: report).cancel()
      }
      try writer.run("INSERT INTO author DEFAULT VALUES")
      #expect(log.elements == ["start", "cancel"])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a cancellation does not wait for a write, nor for a fetch`(kind: ConnectionKind)
    async throws
  {
    try await kind.withShop { writer async throws in
      let cancellable = authorCount.record(in: writer, into: report)
      try await report.values.first(1)
      try writer.writeNow { _ in
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          cancellable.cancel()
          end.signal()
        }
        #expect(end.wait(timeout: .now() + 600) == .success)
      }
    }
  }

  /// An error waits for the values that were fetched before it.
  @Test func `the value of the commit before an error is reported first`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      let gate = DispatchSemaphore(value: 0)
      let observation = ValueObservation.tracking { db in
        let count = try db.count("author")
        if count == 2 { throw Mishap() }
        return count
      }
      let events = ValueRecorder<String>()
      let cancellable =
        observation
        .map { count in
          if count == 1 { gate.wait() }
          return count
        }
        .start(
          in: writer, scheduling: .task, onError: { events.append("\($0)") },
          onChange: { events.append("\($0)") })
      try await events.first(1)
      try writer.run("INSERT INTO author DEFAULT VALUES")
      try writer.run("INSERT INTO author DEFAULT VALUES")
      gate.signal()
      #expect(try await events.first(3) == ["0", "1", "Mishap()"])
      try writer.run("INSERT INTO author DEFAULT VALUES")
      cancellable.cancel()
      #expect(events.elements.count == 3)
    }
  }

  /// SQLite interrupts whatever begins as long as the cursor is open.
  @Test func `a task that is cancelled while it commits does not end observations`() async throws {
    try await ConnectionKind.queue.withShop { writer async throws in
      try writer.run("INSERT INTO author DEFAULT VALUES")
      let notes = ValueObservation.tracking { db in try db.count("note") }
      let cancellable = try await notes.recordCommits(in: writer, into: report)
      let (box, counts, gate) = (CancellableBox(), Log<Int?>(), DispatchSemaphore(value: 0))
      let log = EventLog()
      log.onWillCommit = { box.cancel() }
      log.onCommit = { db in counts.append(try? db.count("note")) }
      writer.add(transactionObserver: log)
      let task = Task {
        try await writer.writeWithoutTransaction { db in
          gate.wait()
          let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM author")
          _ = try cursor.next()
          try db.execute(sql: "INSERT INTO note VALUES ('a')")
        }
      }
      box.set(AnyDatabaseCancellable { task.cancel() })
      gate.signal()
      _ = await task.result
      #expect(task.isCancelled)
      #expect(counts.elements == [1])
      #expect(try await report.values.first(2) == [0, 1])
      #expect(report.errors.elements.isEmpty)
      #expect(log.take() == ["insert note 1", "willCommit", "didCommit"])
      writer.remove(transactionObserver: log)
      cancellable.cancel()
    }
  }

  /// The transactions that the observer commits between the rows end in the cancelled task, too.
  @Test(arguments: [true, false])
  func `a cursor of an observer goes on in a task that is cancelled`(isCommitted: Bool)
    async throws
  {
    try await ConnectionKind.queue.withShop { writer async throws in
      try writer.run("INSERT INTO author (name) VALUES ('Ann'), ('Bob')")
      let (box, errors, gate) = (CancellableBox(), report.errors, DispatchSemaphore(value: 0))
      let log = EventLog()
      if isCommitted { log.onWillCommit = { box.cancel() } }
      writer.add(transactionObserver: log)
      let copyNames: @Sendable (Database) -> Void = { db in
        do {
          let names = try String.fetchCursor(db, sql: "SELECT name FROM author ORDER BY id")
          while let name = try names.next() {
            try db.execute(sql: "INSERT INTO note VALUES (?)", arguments: [name])
          }
        } catch {
          errors.append(error)
        }
      }
      let task = Task {
        try await writer.write { db in
          gate.wait()
          db.afterNextTransaction(onCommit: copyNames, onRollback: copyNames)
          try db.execute(sql: "INSERT INTO country VALUES ('FR', 'France')")
          if !isCommitted { box.cancel() }
          try db.execute(sql: "INSERT INTO country VALUES ('IT', 'Italy')")
        }
      }
      box.set(AnyDatabaseCancellable { task.cancel() })
      gate.signal()
      _ = await task.result
      let (notes, countries) = try writer.readNow { db in
        try (String.fetchAll(db, sql: "SELECT text FROM note"), db.count("country"))
      }
      #expect(errors.elements.isEmpty)
      #expect(notes == ["Ann", "Bob"])
      #expect(countries == (isCommitted ? 2 : 0))
      writer.remove(transactionObserver: log)
    }
  }

  @Test func `a closure is run once, by the cancellation or the release`() {
    let log = ValueRecorder<Int>()
    let first = AnyDatabaseCancellable { log.append(1) }
    first.cancel()
    first.cancel()
    _ = AnyDatabaseCancellable { log.append(2) }
    let base = AnyDatabaseCancellable { log.append(3) }
    AnyDatabaseCancellable(base).cancel()
    base.cancel()
    #expect(log.elements == [1, 2, 3])
  }

  private func waitUntil(_ condition: () -> Bool) async throws {
    while !condition() { await Task.yield() }
  }
}

/// A cancellable that is set later.
final class CancellableBox: @unchecked Sendable {
  private let lock = NSLock()
  private var cancellable: AnyDatabaseCancellable?

  func set(_ cancellable: AnyDatabaseCancellable) {
    lock.withLock { self.cancellable = cancellable }
  }

  func cancel() {
    lock.withLock { cancellable }?.cancel()
  }
}
