import Foundation
import Quarry
import QuarryAccess
import QuarryTestSupport
import Testing

/// Numbers in batches, which a loop fetches from a table.
@Suite("Batches", .timeLimit(.minutes(10)))
struct BatchTests {
  private static func pool(readers: Int = 5) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = readers
    return try DatabasePool.temporary(configuration: configuration)
  }

  /// A database with the numbers 1 to 5, or more.
  private func numbers(
    _ database: any DatabaseWriter, upTo count: Int = 5
  ) throws -> any DatabaseWriter {
    try database.write { db throws -> Void in
      try db.execute(sql: "CREATE TABLE number (value INTEGER)")
      for value in 1...count {
        try db.execute(sql: "INSERT INTO number VALUES (?)", arguments: [value])
      }
    }
    return database
  }

  private func both(upTo count: Int = 5) throws -> [any DatabaseWriter] {
    try [numbers(DatabaseQueue(), upTo: count), numbers(Self.pool(), upTo: count)]
  }

  private func all(_ db: Database) throws -> FastDatabaseValueCursor<Int> {
    try Int.fetchCursor(db, sql: "SELECT value FROM number ORDER BY value")
  }

  private func waitUntil(_ condition: () -> Bool) async throws {
    while !condition() { await Task.yield() }
  }

  /// Waits until all readers of a pool are back.
  private func expectReaders(_ pool: any DatabaseWriter) throws {
    let value = try pool.barrierWriteWithoutTransaction { db throws in
      try Int.fetchOne(db, sql: "SELECT 1")
    }
    #expect(value == 1)
  }

  @Test(arguments: [
    (1, [[1], [2], [3], [4], [5]]), (2, [[1, 2], [3, 4], [5]]), (5, [[1, 2, 3, 4, 5]]),
    (6, [[1, 2, 3, 4, 5]]),
  ])
  func `a batch has so many elements, the last one the rest`(
    size: Int, expected: [[Int]]
  ) async throws {
    for database in try both() {
      let sequence = database.batches(of: size, timeLimit: nil) { db in try all(db) }
      // Each loop fetches again.
      for _ in 1...2 {
        var batches: [[Int]] = []
        for try await batch in sequence { batches.append(batch) }
        #expect(batches == expected)
      }
    }
  }

  @Test func `no rows are no batches, also when asked again`() async throws {
    for database in try both() {
      var iterator = database.batches(timeLimit: nil) { db in
        try String.fetchCursor(db, sql: "SELECT 'a' FROM number WHERE value > 5")
      }.makeAsyncIterator()
      for _ in 1...3 { #expect(try await iterator.next() == nil) }
    }
  }

  @Test func `records and converted rows are elements`() async throws {
    let database = try DatabaseQueue()
    try await database.write { db in
      try db.execute(sql: "CREATE TABLE author (id INTEGER, name TEXT)")
      try db.execute(sql: "INSERT INTO author VALUES (1, 'Ada'), (2, NULL)")
    }
    let batches = database.batches(timeLimit: nil) { db in
      try Row.fetchCursor(db, sql: "SELECT * FROM author").map { row in row["name"] as String? }
    }
    for try await names in batches { #expect(names == ["Ada", nil]) }
  }

  @Test func `the loop may write, and its batches show the state of the first one`() async throws {
    for database in try both() {
      var sum = 0
      for try await batch in database.batches(of: 1, timeLimit: nil, { db in try all(db) }) {
        sum += batch[0]
        try await database.write { db in
          try db.execute(sql: "INSERT INTO number VALUES (100)")
        }
        try await database.read { db in _ = try Int.fetchAll(db, sql: "SELECT value FROM number") }
      }
      #expect(sum == 15)
      let count = try await database.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM number")
      }
      #expect(count == 10)
    }
  }

  @Test func `the loop may read the snapshot whose batches it gets`() async throws {
    let pool = try numbers(Self.pool())
    let snapshot = try #require(pool as? DatabasePool).makeSnapshot()
    try await pool.write { db in try db.execute(sql: "DELETE FROM number") }
    var counts: [Int?] = []
    for try await _ in snapshot.batches(of: 3, timeLimit: nil, { db in try all(db) }) {
      counts.append(
        try await snapshot.read { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM number")
        })
    }
    #expect(counts == [5, 5])
  }

  @Test func `the loop may read a pool that has one reader`() async throws {
    let pool = try numbers(Self.pool(readers: 1))
    var values: [Int] = []
    for try await batch in pool.batches(of: 2, timeLimit: nil, { db in try all(db) }) {
      values += batch
      let count = try await pool.read { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM number")
      }
      #expect(count == 5)
    }
    #expect(values == [1, 2, 3, 4, 5])
  }

  @Test(arguments: 1...3)
  func `loops that have begun leave a reader of their pool to others`(readers: Int) async throws {
    let pool = try numbers(Self.pool(readers: readers))
    let fetched = Log<Int>()
    // Once more, when the loops before have ended.
    for _ in 1...2 {
      var loops = (1...readers).map { _ in
        pool.batches(of: 1, timeLimit: nil) { db in
          try all(db).map { value in
            fetched.append(value)
            return value
          }
        }.makeAsyncIterator()
      }
      for value in 1...5 {
        for index in loops.indices {
          let batch = try await loops[index].next()
          #expect(batch == [value])
        }
        let count = try await pool.read(deadline: .now + .seconds(60)) { db throws in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM number")
        }
        #expect(count == 5)
      }
    }
    #expect(fetched.elements.count == 10 * readers)
  }

  @Test func `a write gets a reader, though a loop and a read that writes have all of them`()
    async throws
  {
    let pool = try numbers(Self.pool(readers: 2))
    var loop = pool.batches(of: 2) { db in try all(db) }.makeAsyncIterator()
    #expect(try await loop.next() == [1, 2])
    let (write, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let counts = Log<Int?>()
    let errors = Log<String?>()
    Thread.detachNewThread {
      errors.append(
        errorText {
          try pool.write { _ throws in
            write.signal()
            read.wait()
            try pool.read { db throws in
              counts.append(try Int.fetchOne(db, sql: "SELECT count(*) FROM number"))
            }
          }
        })
    }
    Thread.detachNewThread {
      write.wait()
      errors.append(
        errorText {
          try pool.read { _ throws in
            read.signal()
            try pool.write { db throws in try db.execute(sql: "DELETE FROM number") }
          }
        })
    }
    try await waitUntil { errors.elements.count == 2 }
    #expect(errors.elements == [nil, nil])
    #expect(counts.elements == [5])
    #expect(try await loop.next() == [3, 4])
    #expect(try await loop.next() == [5])
    #expect(try await loop.next() == nil)
    try expectReaders(pool)
  }

  @Test func `one batch is read ahead, and no more`() async throws {
    let pool = try numbers(Self.pool(), upTo: 100)
    let log = Log<Int>()
    var iterator = pool.batches(of: 2, timeLimit: nil) { db in
      try all(db).map { value in
        log.append(value)
        return value
      }
    }.makeAsyncIterator()
    try await Task.sleep(for: .milliseconds(20))
    #expect(log.elements == [], "nothing is fetched before the first batch")
    for number in 0..<3 {
      #expect(try await iterator.next() == [2 * number + 1, 2 * number + 2])
      try await waitUntil { log.elements.count == 2 * number + 4 }
      try await Task.sleep(for: .milliseconds(20))
      #expect(log.elements.count == 2 * number + 4)
    }
  }

  @Test func `the end of a loop gives the reader back`() async throws {
    let pool = try numbers(Self.pool(), upTo: 100)
    for try await batch in pool.batches(of: 2, timeLimit: nil, { db in try all(db) })
    where batch[0] == 5 { break }
    try expectReaders(pool)
    _ = pool.batches(timeLimit: nil) { db in try all(db) }.makeAsyncIterator()
    try expectReaders(pool)
  }

  @Test func `a canceled task gets no further batch, and the reader is back`() async throws {
    let pool = try numbers(Self.pool())
    for isEndless in [true, false] {
      let hasBatch = Log<Bool>()
      let task = Task {
        let sequence = pool.batches(of: 1, timeLimit: nil) { db in
          isEndless ? try Int.fetchCursor(db, sql: endlessSQL) : try all(db)
        }
        for try await _ in sequence {
          hasBatch.append(true)
          try? await Task.sleep(for: .seconds(60))
        }
      }
      if isEndless {
        try await Task.sleep(for: .milliseconds(30))
      } else {
        try await waitUntil { !hasBatch.elements.isEmpty }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try expectReaders(pool)
    }
  }

  @Test func `the time limit ends a slow loop and a slow statement`() async throws {
    for isEndless in [false, true] {
      let sql = isEndless ? endlessSQL : "SELECT value FROM number"
      let pool = try numbers(Self.pool())
      var batches: [[Int]] = []
      let hasBegun = Log<Bool>()
      let error = await databaseErrorOf {
        let sequence = pool.batches(of: 1, timeLimit: .seconds(0.1)) { db in
          hasBegun.append(true)
          return try Int.fetchCursor(db, sql: sql)
        }
        for try await batch in sequence {
          batches.append(batch)
          try await Task.sleep(for: .seconds(0.3))
        }
      }
      // One is read ahead. A busy machine may have no time for the first one, or not even begin.
      #expect((isEndless ? [] : [[1], [2]]).starts(with: batches))
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      #expect(error?.accessLimit == .deadline)
      #expect(
        hasBegun.elements.isEmpty
          || error?.description.contains(
            """
            the loop over the batches has held its connection for longer than their `timeLimit`, or \
            than `accessTimeLimit`: set longer ones, or do less in the loop
            """) == true,
        "\(error?.description ?? "no error")")
      try expectReaders(pool)
    }
  }

  @Test func `the time limit of accesses ends a loop, too`() async throws {
    var configuration = Configuration()
    configuration.accessTimeLimit = .seconds(3)
    let pool = try numbers(DatabasePool.temporary(configuration: configuration))
    let hasBegun = Log<Bool>()
    let error = await databaseErrorOf {
      let sequence = pool.batches(of: 1, timeLimit: nil) { db in
        hasBegun.append(true)
        return try all(db)
      }
      for try await _ in sequence { try await Task.sleep(for: .seconds(4)) }
    }
    #expect(error?.accessLimit == .deadline)
    // A busy machine may not even begin in time.
    #expect(
      hasBegun.elements.isEmpty
        || error?.description.contains("or than `accessTimeLimit`") == true)
    try expectReaders(pool)
  }

  @Test func `a wait for a connection that takes too long is no fault of the loop`() async throws {
    let queue = try numbers(DatabaseQueue())
    let end = DispatchSemaphore(value: 0)
    queue.asyncWriteWithoutTransaction { _ in end.wait() }
    let error = await databaseErrorOf {
      for try await _ in queue.batches(timeLimit: .seconds(0.05), { db in try all(db) }) {}
    }
    end.signal()
    #expect(error?.accessLimit == .deadline)
    #expect(error?.description.contains("the loop over the batches") == false)
  }

  @Test func `the access to a queue is over before the first batch`() async throws {
    let queue = try numbers(DatabaseQueue(), upTo: 1000)
    let log = Log<Int>()
    let sequence = queue.batches(of: 10, timeLimit: nil) { db in
      try all(db).map { value in
        log.append(value)
        return value
      }
    }
    for try await _ in sequence {
      #expect(log.elements.count == 1000)
      break
    }
  }

  @Test func `errors are thrown once, after the elements before them`() async throws {
    struct Failure: Error {}
    for database in try both() {
      var iterator = database.batches(of: 2, timeLimit: nil) { db in
        try all(db).map { value in
          if value == 4 { throw Failure() }
          return value
        }
      }.makeAsyncIterator()
      #expect(try await iterator.next() == [1, 2])
      #expect(try await iterator.next() == [3])
      await #expect(throws: Failure.self) { try await iterator.next() }
      #expect(try await iterator.next() == nil)

      let error = await databaseErrorOf {
        for try await _ in database.batches(
          timeLimit: nil,
          { db in
            try Int.fetchCursor(db, sql: "SELECT price FROM number")
          })
        {}
      }
      #expect(error?.message == "no such column: price")
      let write = await databaseErrorOf {
        for try await _ in database.batches(
          timeLimit: nil,
          { db in
            try Int.fetchCursor(db, sql: "DELETE FROM number RETURNING value")
          })
        {}
      }
      #expect(write?.resultCode == .SQLITE_READONLY)
    }
  }

  @Test func `a closed database throws`() async throws {
    for database in try both() {
      let sequence = database.batches(timeLimit: nil) { db in try all(db) }
      try database.close()
      let error = await databaseErrorOf { for try await _ in sequence {} }
      #expect(error?.message == "Connection is closed")
    }
  }

  /// Tasks that share two readers, and end at random: with all elements, with an error, by leaving
  /// the loop, canceled.
  @Test func `each loop of a storm ends, with the elements of one state`() async throws {
    try await RandomRun("Storms of batches").repeated(seconds: 0.5) { generator in
      let pool = try numbers(Self.pool(readers: 2), upTo: 20)
      var tasks: [Task<Void, any Error>] = []
      for _ in 1...40 {
        let (size, end) = (1 + generator.below(8), generator.below(30))
        let (fails, isCancelled) = (generator.chance(4), generator.chance(3))
        tasks.append(Task { try await Self.loop(over: pool, size, end: end, fails: fails) })
        if isCancelled { tasks[generator.below(tasks.count)].cancel() }
        if generator.chance(8) {
          try await pool.write { db in try db.execute(sql: "UPDATE number SET value = value + 1") }
        }
        if generator.chance(8) { pool.interrupt() }
      }
      for task in tasks {
        do { try await task.value } catch is CancellationError {} catch is StormFailure {
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {}
      }
      try pool.close()
    }
  }

  private struct StormFailure: Error {}

  private static func loop(
    over pool: any DatabaseReader, _ size: Int, end: Int, fails: Bool
  ) async throws {
    var values: [Int] = []
    let sequence = pool.batches(of: size, timeLimit: nil) { db in
      try Int.fetchCursor(db, sql: "SELECT value FROM number ORDER BY value").map { value in
        if fails, value % 20 == end { throw StormFailure() }
        return value
      }
    }
    for try await batch in sequence {
      values += batch
      if values.count > end { break }
      await Task.yield()
    }
    let first = values.first ?? 0
    #expect(values == Array(first..<first + values.count))
    #expect(values.count > end || values.count == 20)
  }

  @Test(arguments: [0, -1])
  func `a batch without elements is an error of the loop`(size: Int) async throws {
    let batches = try DatabaseQueue().batches(of: size) { db in
      try Int.fetchCursor(db, sql: "SELECT 1")
    }
    let error = await #expect(throws: DatabaseError.self) {
      for try await _ in batches { Issue.record("a batch") }
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(error?.message == "batches(of: \(size)): a batch has at least one element")
  }
}
