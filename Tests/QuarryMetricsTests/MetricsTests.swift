import Foundation
import Quarry
import QuarryMetrics
import QuarryTestSupport
import Testing

@Suite("Metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
  private let recorder = MetricsRecorder()

  private func recording(_ recorder: MetricsRecorder) -> Configuration {
    var configuration = Configuration()
    configuration.record(in: recorder)
    return configuration
  }

  /// A queue and a pool with a table of 100 numbers, and what has been counted up to then.
  private func databases() throws -> [any DatabaseWriter] {
    let databases: [any DatabaseWriter] = [
      try DatabaseQueue(configuration: recording(recorder)),
      try DatabasePool.temporary(configuration: recording(recorder)),
    ]
    for database in databases {
      try database.write { db throws -> Void in
        try db.execute(sql: "CREATE TABLE number (value INTEGER)")
        for value in 1...100 {
          try db.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value])
        }
      }
      try database.read { _ in }
    }
    return databases
  }

  private func counting<T>(_ body: () throws -> T) rethrows -> Metrics {
    let before = recorder.metrics
    _ = try body()
    return recorder.metrics - before
  }

  @Test func `accesses are counted by kind, with those that fail`() async throws {
    for database in try databases() {
      let before = recorder.metrics
      try database.syncRead()
      try await database.read { _ in }
      try await database.read(deadline: .now + .seconds(3600)) { _ in }
      try await database.write { _ in }
      await #expect(throws: DatabaseError.self) {
        try await database.write { db in try db.execute(sql: "INSERT INTO book DEFAULT VALUES") }
      }
      let metrics = recorder.metrics - before
      #expect(metrics.reads.count == 3)
      #expect(metrics.reads.failureCount == 0)
      #expect(metrics.writes.count == 2)
      #expect(metrics.writes.failureCount == 1)
    }
  }

  @Test func `a concurrent read is one access, and closing is none`() throws {
    let pool = try #require(try databases()[1] as? DatabasePool)
    let end = DispatchSemaphore(value: 0)
    let before = recorder.metrics
    try pool.writeWithoutTransaction { db throws -> Void in
      pool.spawnConcurrentRead { result in
        _ = try? Int.fetchOne(result.get(), sql: "SELECT count(*) FROM number")
        end.signal()
      }
    }
    end.wait()
    // It waits for the read.
    try pool.close()
    let metrics = recorder.metrics - before
    #expect(metrics.reads.count == 1)
    #expect(metrics.reads.failureCount == 0)
    #expect(metrics.writes.count == 1)
  }

  @Test func `a concurrent read that can't begin is an access that fails`() throws {
    let pool = try #require(try databases()[1] as? DatabasePool)
    try pool.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
    let end = DispatchSemaphore(value: 0)
    let before = recorder.metrics
    try pool.writeWithoutTransaction { _ throws -> Void in
      // There, the reader looks for the page that the schema has changed.
      let log = try FileHandle(forWritingTo: URL(fileURLWithPath: pool.path + "-wal"))
      try log.truncate(atOffset: 32)
      pool.spawnConcurrentRead { _ in end.signal() }
    }
    end.wait()
    let metrics = recorder.metrics - before
    #expect(metrics.reads.count == 1)
    #expect(metrics.reads.failureCount == 1)
  }

  @Test func `statements are counted, and what SQLite does in them`() throws {
    for database in try databases() {
      func sums() throws -> Metrics {
        try counting {
          try database.read { db in
            _ = try Int.fetchOne(db, sql: "SELECT sum(value) FROM number WHERE value > 0")
            _ = try Int.fetchAll(db, sql: "SELECT value FROM number ORDER BY -value")
          }
        }
      }
      _ = try sums()
      let metrics = try sums()
      // BEGIN, COMMIT, and that version of the schema in a pool.
      #expect([4, 5].contains(metrics.statements.count), "\(metrics.statements)")
      // SQLite counts the moves to the next row.
      #expect((198...200).contains(metrics.statements.scannedRowCount), "\(metrics.statements)")
      #expect(metrics.statements.sortCount == 1)
      #expect(metrics.statements.automaticIndexRowCount == 0)
      #expect(metrics.statements.instructionCount > 400)
      #expect(metrics.statements.running.total > .zero)
    }
  }

  @Test func `an automatic index is counted`() throws {
    let database = try databases()[0]
    let metrics = try counting {
      try database.read { db in
        _ = try Int.fetchOne(
          db,
          sql: "SELECT count(*) FROM number a JOIN number b ON a.value = b.value")
      }
    }
    #expect(metrics.statements.automaticIndexRowCount > 0, "\(metrics.statements)")
  }

  @Test func `what is prepared and generated is counted once`() throws {
    struct Number: Codable, FetchableRecord, TableRecord { var value: Int }
    for database in try databases() {
      let counts = try (1...4).map { _ in
        let metrics = try counting {
          try database.read { db in _ = try Number.filter(Column("value") > 98).fetchAll(db) }
        }
        return [metrics.statements.plannedCount, metrics.statements.compiledCount]
      }
      // A structure is remembered when it comes a second time.
      #expect(counts.map { $0[0] } == [1, 1, 0, 0])
      #expect(counts[3] == [0, 0])
      #expect(counts[0][1] >= 1)
    }
  }

  /// Ends the access that others wait for, when they do, unless the machine is very busy.
  private func endLater(_ end: DispatchSemaphore) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { end.signal() }
  }

  @Test func `the wait for a connection is measured`() async throws {
    let queue = try DatabaseQueue(configuration: recording(recorder))
    let (begin, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let before = recorder.metrics
    queue.asyncWriteWithoutTransaction { _ in
      begin.signal()
      end.wait()
    }
    await waitOnThread(for: begin)
    endLater(end)
    try queue.syncRead()
    let metrics = recorder.metrics - before
    #expect(metrics.reads.waiting.total > .milliseconds(20))
    #expect(metrics.writes.running.total > .milliseconds(250))
    #expect(metrics.writes.waiting.total < metrics.writes.running.total)
  }

  @Test func `readers of a pool are waited for`() async throws {
    var configuration = recording(recorder)
    configuration.maximumReaderCount = 1
    let pool = try DatabasePool.temporary(configuration: configuration)
    let (isReading, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for isAsync in [false, true] {
      let before = recorder.metrics
      let other = Task.detached {
        try await pool.read { _ in
          isReading.signal()
          end.wait()
        }
      }
      await waitOnThread(for: isReading)
      endLater(end)
      if isAsync { try await pool.read { _ in } } else { try pool.syncRead() }
      try await other.value
      let metrics = recorder.metrics - before
      #expect(metrics.reads.count == 2)
      #expect(metrics.reads.waiting.total > .milliseconds(20), "\(isAsync)")
    }
  }

  @Test func `pages that are written are counted`() throws {
    let pool = try databases()[1]
    let metrics = try counting {
      try pool.write { db in try db.execute(sql: "UPDATE number SET value = value + 1") }
    }
    #expect(metrics.pageCache.writes >= 1)
    #expect(metrics.pageCache.hits > 0)
  }

  @Test func `slow statements are reported with their plan, without arguments`() throws {
    let log = Log<SlowStatement>()
    let recorder = MetricsRecorder(slowerThan: .zero) { log.append($0) }
    let queue = try DatabaseQueue(configuration: recording(recorder))
    try queue.write { db throws -> Void in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
    }
    let count = log.elements.count
    _ = try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM book WHERE title = ?", arguments: ["Emma"])
    }
    let slow = try #require(log.elements.dropFirst(count).first { $0.sql.contains("book") })
    #expect(slow.sql == "SELECT * FROM book WHERE title = ?")
    #expect(slow.plan?.scans == ["book"])
    let text = "SELECT * FROM book WHERE title = ?\nQUERY PLAN\n`--SCAN book"
    #expect(slow.description.hasSuffix(text))
    // The statements that explain are not reported.
    #expect(log.elements.allSatisfy { !$0.sql.contains("EXPLAIN") })
  }

  @Test func `a statement whose table is gone has no plan`() throws {
    let log = Log<SlowStatement>()
    let recorder = MetricsRecorder(slowerThan: .zero) { log.append($0) }
    let queue = try DatabaseQueue(configuration: recording(recorder))
    try queue.write { db throws -> Void in
      try db.execute(sql: "CREATE TABLE draft (id INTEGER)")
      try db.execute(sql: "INSERT INTO draft VALUES (1)")
      try db.execute(sql: "DROP TABLE draft")
    }
    let insertion = try #require(log.elements.first { $0.sql == "INSERT INTO draft VALUES (1)" })
    #expect(insertion.plan == nil)
  }

  /// SQLite applies pragmas when they are compiled, and to explain one would repeat it.
  @Test func `pragmas are reported without a plan, and are not executed again`() throws {
    let log = Log<SlowStatement>()
    let recorder = MetricsRecorder(slowerThan: .zero) { log.append($0) }
    let queue = try DatabaseQueue(configuration: recording(recorder))
    try queue.write { db throws -> Void in
      // Without effect in a transaction
      try db.execute(sql: "/* a */ -- b\n PRAGMA foreign_keys = OFF")
    }
    let slow = try #require(log.elements.first { $0.sql.hasSuffix("PRAGMA foreign_keys = OFF") })
    #expect(slow.plan == nil)
    let isOn = try queue.read { db in try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") }
    #expect(isOn == true)
  }

  @Test func `a statement that begins with a comment is counted and reported`() throws {
    let log = Log<SlowStatement>()
    let texts = Log<String>()
    let recorder = MetricsRecorder(slowerThan: .zero) { log.append($0) }
    let queue = try DatabaseQueue(configuration: recording(recorder))
    try queue.syncRead()
    let before = recorder.metrics
    try queue.read { db in
      db.trace { event in texts.append(event.description) }
      _ = try Int.fetchOne(db, sql: "-- name: answer\nSELECT 42 FROM (VALUES (1))")
    }
    #expect((recorder.metrics - before).statements.count == 3)
    let slow = try #require(log.elements.first { $0.sql.hasPrefix("-- name: answer") })
    #expect(slow.plan != nil)
    #expect(texts.elements.contains { $0.hasPrefix("-- name: answer\nSELECT 42") })
  }

  @Test func `no statement is slow without a limit`() throws {
    let log = Log<SlowStatement>()
    let recorder = MetricsRecorder(slowerThan: .seconds(3600)) { log.append($0) }
    let queue = try DatabaseQueue(configuration: recording(recorder))
    try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT 1") }
    #expect(log.elements.isEmpty)
  }

  @Test func `a trace of the application works beside it`() throws {
    let log = Log<String>()
    var configuration = recording(recorder)
    configuration.prepareDatabase { db in
      db.trace { event in log.append(event.description) }
    }
    let queue = try DatabaseQueue(configuration: configuration)
    // The statements of the opening count with the first access.
    try queue.syncRead()
    let metrics = try counting {
      try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT 17") }
    }
    #expect(log.elements.contains("SELECT 17"))
    #expect(!log.elements.contains { $0.hasSuffix("s SELECT 17") })
    #expect(metrics.statements.count == 3)
    try queue.read { db in db.trace(nil) }
    let later = try counting {
      try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT 18") }
    }
    #expect(!log.elements.contains("SELECT 18"))
    #expect(later.statements.count == 3)
  }

  @Test func `the stream has the differences`() async throws {
    let database = try databases()[0]
    var sums: [Int] = []
    var values = recorder.values(every: .milliseconds(5)).makeAsyncIterator()
    try await database.read { _ in }
    while sums.reduce(0, +) < 1 { sums.append(try #require(await values.next()).reads.count) }
    #expect(sums.reduce(0, +) == 1)

    let stream = recorder.values(every: .seconds(3600))
    let task = Task { for await _ in stream { Issue.record("no hour has passed") } }
    task.cancel()
    await task.value
  }

  @Test func `metrics are coded`() throws {
    _ = try databases()
    let metrics = recorder.metrics
    let data = try JSONEncoder().encode(metrics)
    #expect(try JSONDecoder().decode(Metrics.self, from: data) == metrics)
    #expect((metrics - metrics).reads.count == 0)
  }

  @Test func `accesses of several threads are all counted`() async throws {
    let pool = try databases()[1]
    let before = recorder.metrics
    await withTaskGroup(of: Void.self) { group in
      for index in 1...200 {
        group.addTask {
          if index % 4 == 0 {
            try? await pool.write { db in try db.execute(sql: "UPDATE number SET value = 1") }
          } else {
            _ = try? await pool.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
          }
        }
      }
    }
    let metrics = recorder.metrics - before
    #expect(metrics.reads.count == 150)
    #expect(metrics.writes.count == 50)
    #expect(metrics.reads.waiting.count == 150)
  }
}

extension DatabaseReader {
  /// Reads nothing, on the current thread.
  fileprivate func syncRead() throws {
    try read { _ throws -> Void in }
  }
}
