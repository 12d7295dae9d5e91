import Dispatch
import Foundation
import Quarry
import QuarryAccess
import QuarryTestSupport
import Testing

/// Tries without pauses.
private func tries(_ count: Int) -> RetryPolicy { .whenLocked(tries: count, pause: .zero) }

extension TimedAccess {
  fileprivate func run<T: Sendable>(
    on database: any DatabaseWriter, retry: RetryPolicy, deadline: ContinuousClock.Instant,
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    switch self {
    case .read: try onThread { try database.read(retry: retry, deadline: deadline, body) }
    case .write: try onThread { try database.write(retry: retry, deadline: deadline, body) }
    case .asyncRead: try await database.read(retry: retry, deadline: deadline, body)
    case .asyncWrite: try await database.write(retry: retry, deadline: deadline, body)
    }
  }
}

@Suite("Retries of accesses", .timeLimit(.minutes(10)))
struct RetryTests {
  private static let locked = DatabaseError(
    resultCode: .SQLITE_BUSY_SNAPSHOT, message: "database is locked")

  private func makeDatabases() throws -> [any DatabaseWriter] {
    let databases: [any DatabaseWriter] = [try DatabaseQueue(), try DatabasePool.temporary()]
    for database in databases {
      try database.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
    }
    return databases
  }

  private func titles(_ database: any DatabaseWriter) throws -> [String] {
    try database.read { db in try String.fetchAll(db, sql: "SELECT title FROM book") }
  }

  @Test func `an access runs again until it meets no lock, each time in a new transaction`()
    async throws
  {
    for database in try makeDatabases() {
      for access in TimedAccess.allCases {
        let calls = Log<Int>()
        try await access.run(on: database, retry: tries(5), deadline: after(3600)) { db in
          calls.append(calls.elements.count)
          if TimedAccess.writes.contains(access) {
            try db.execute(sql: "INSERT INTO book VALUES ('The Trial')")
          }
          if calls.elements.count < 4 { throw Self.locked }
        }
        #expect(calls.elements == [0, 1, 2, 3])
      }
      // One row for each of the two writes: those of the other tries are undone.
      #expect(try titles(database) == ["The Trial", "The Trial"])
    }
  }

  @Test func `an access without deadline runs again too`() async throws {
    for database in try makeDatabases() {
      let calls = Log<Int>()
      func failTwice(_ db: Database) throws -> Int {
        calls.append(calls.elements.count)
        if calls.elements.count % 3 != 0 { throw Self.locked }
        return calls.elements.count
      }
      let first = { try database.write(retry: tries(3)) { db in try failTwice(db) } }
      let second = { try database.read(retry: tries(3)) { db in try failTwice(db) } }
      #expect(try [first(), second()] == [3, 6])
      #expect(
        try await database.write(retry: tries(3)) { db in
          calls.append(6)
          return calls.elements.count
        } == 7)
      #expect(try await database.read(retry: tries(3)) { _ in 1 } == 1)
    }
  }

  @Test func `the error of the last try says how many there were`() async throws {
    for database in try makeDatabases() {
      for access in TimedAccess.allCases {
        let calls = Log<Bool>()
        let error = await databaseErrorOf {
          try await access.run(on: database, retry: tries(3), deadline: after(3600)) { _ in
            calls.append(true)
            throw Self.locked
          }
        }
        #expect(
          error?.description == """
            SQLite error 5: database is locked
            the access was tried 3 times: allow more tries, a longer pause, or a `busyMode` that waits longer
            """)
        #expect(error?.accessLimit == .tries(3))
        #expect(error?.extendedResultCode == .SQLITE_BUSY_SNAPSHOT)
        #expect(calls.elements.count == 3)
      }
    }
  }

  @Test func `an error that is no lock is thrown at once`() throws {
    struct OwnError: Error {}
    let errors: [any Error] = [
      OwnError(), DatabaseError(resultCode: .SQLITE_CONSTRAINT),
      DatabaseError(resultCode: .SQLITE_LOCKED), DatabaseError(resultCode: .SQLITE_INTERRUPT),
      CancellationError(),
    ]
    for database in try makeDatabases() {
      for error in errors {
        var count = 0
        let text = errorText {
          try database.write(retry: tries(3)) { _ in
            count += 1
            throw error
          }
        }
        #expect(text == "\(error)")
        #expect(count == 1)
      }
    }
  }

  @Test func `all locks of other connections are tried again`() throws {
    let codes: [ResultCode] = [
      .SQLITE_BUSY, .SQLITE_BUSY_RECOVERY, .SQLITE_BUSY_SNAPSHOT, .SQLITE_BUSY_TIMEOUT,
      .SQLITE_LOCKED_SHAREDCACHE,
    ]
    for code in codes {
      var count = 0
      let error = databaseError {
        try DatabaseQueue().read(retry: tries(2)) { _ in
          count += 1
          throw DatabaseError(resultCode: code)
        }
      }
      #expect(count == 2)
      #expect(error?.accessLimit == .tries(2))
    }
  }

  @Test func `a policy without retry leaves the error as it is`() throws {
    let error = databaseError {
      try DatabaseQueue().write(retry: .never, deadline: after(3600)) { _ in throw Self.locked }
    }
    #expect(error?.description == "SQLite error 5: database is locked")
    #expect(error?.accessLimit == nil)
  }

  @Test(arguments: [0, -1, Int.min])
  func `a policy without a try is an error`(count: Int) throws {
    let error = databaseError { try DatabaseQueue().write(retry: tries(count)) { _ in } }
    #expect(
      error?.description
        == "SQLite error 21: a retry policy of \(count) tries: there must be at least 1")
  }

  @Test func `pauses of any length are accepted`() throws {
    for pause: Duration in [
      .seconds(-1), .seconds(Int64.min), .seconds(Int64.max), .nanoseconds(1), .zero,
    ] {
      let policy = RetryPolicy.whenLocked(tries: .max, pause: pause)
      let error = databaseError {
        try DatabaseQueue().write(retry: policy, deadline: after(0.05)) { _ in throw Self.locked }
      }
      #expect(error?.accessLimit == .deadline)
    }
  }

  @Test func `a pause that would pass the deadline ends the access with its lock`() async throws {
    for database in try makeDatabases() {
      for access in TimedAccess.allCases {
        let start = ContinuousClock.now
        let calls = Log<Bool>()
        let error = await databaseErrorOf {
          try await access.run(
            on: database, retry: .whenLocked(tries: 9, pause: .seconds(7200)), deadline: after(3600)
          ) { _ in
            calls.append(true)
            throw Self.locked
          }
        }
        #expect(
          error?.description == """
            SQLite error 5: database is locked
            the deadline of the access would pass before try 2: set a later deadline
            """)
        #expect(error?.accessLimit == .deadline)
        #expect(calls.elements.count == 1)
        #expect(.now - start < .seconds(1800))
      }
    }
  }

  @Test func `a task that is canceled during a pause throws a cancellation`() async throws {
    let queue = try DatabaseQueue()
    let calls = Log<Bool>()
    let hasFailed = DispatchSemaphore(value: 0)
    let task = Task {
      try await queue.write(retry: .whenLocked(tries: 9, pause: .seconds(3600))) { _ in
        calls.append(true)
        hasFailed.signal()
        throw Self.locked
      }
    }
    await waitOnThread(for: hasFailed)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(calls.elements.count == 1)
  }

  @Test func `other accesses of the database run during a pause`() async throws {
    let queue = try DatabaseQueue()
    let calls = Log<String>()
    let retried = Task {
      try await queue.write(retry: .whenLocked(tries: 2, pause: .milliseconds(200))) { _ in
        calls.append("retried")
        if calls.elements.count == 1 { throw Self.locked }
      }
    }
    while calls.elements.isEmpty { await Task.yield() }
    try await queue.write { _ in calls.append("other") }
    try await retried.value
    #expect(calls.elements == ["retried", "other", "retried"])
  }

  @Test func `a lock that another connection gives back is met by no error`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try DatabaseQueue(path: path)
      let lock = try Lock(DatabaseQueue(path: path))
      #expect(databaseError { try queue.write { _ in } }?.resultCode == .SQLITE_BUSY)
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { lock.release() }
      try queue.write(retry: .whenLocked(tries: 1000), deadline: after(3600)) { db in
        try db.execute(sql: "CREATE TABLE book (title TEXT)")
      }
    }
  }

  @Test func `a snapshot that another connection has made obsolete is read again`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try DatabasePool(path: path)
      let insertion = "INSERT INTO book VALUES ('The Trial')"
      try pool.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
      let other = try DatabaseQueue(path: path)
      var codes: [ResultCode?] = []
      // The closure writes by another connection, in a transaction that reads first.
      let count = try pool.read(retry: tries(3)) { _ in
        do {
          return try other.inDatabase { db -> Int in
            var count = 0
            try db.inTransaction(.deferred) {
              count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") ?? 0
              if codes.isEmpty { try pool.write { db in try db.execute(sql: insertion) } }
              try db.execute(sql: insertion)
              return .commit
            }
            return count
          }
        } catch let error as DatabaseError {
          codes.append(error.extendedResultCode)
          throw error
        }
      }
      #expect(codes == [.SQLITE_BUSY_SNAPSHOT])
      #expect(count == 1)
      #expect(try titles(pool) == ["The Trial", "The Trial"])
    }
  }

  @Test(.needs(.sharedCache)) func `a shared cache that is locked is tried again`() throws {
    let name = UUID().uuidString
    let lock = try DatabaseQueue(named: name)
    let queue = try DatabaseQueue(named: name)
    try lock.inDatabase { db in
      try db.execute(sql: "CREATE TABLE book (title TEXT)")
      try db.beginTransaction(.immediate)
      try db.execute(sql: "INSERT INTO book VALUES ('The Trial')")
      let error = databaseError {
        try queue.read(retry: tries(2)) { db in
          try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book")
        }
      }
      #expect(error?.extendedResultCode == .SQLITE_LOCKED_SHAREDCACHE)
      #expect(error?.accessLimit == .tries(2))
      try db.rollback()
    }
  }
}

/// Two processes and this one write and read one file, as the manual says (Concurrency, Other
/// processes). `QUARRY_SOAK_SECONDS` says how long.
@Suite(.timeLimit(.minutes(20)))
struct RetrySoakTests {
  @Test(arguments: ["queue", "wal", "pool"])
  func `processes that follow the manual never see a locked database`(kind: String) throws {
    let seconds = ProcessInfo.processInfo.environment["QUARRY_SOAK_SECONDS"] ?? "1"
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path).write { db in
        try db.execute(
          sql: """
            CREATE TABLE book (id INTEGER PRIMARY KEY, copies INTEGER NOT NULL);
            INSERT INTO book VALUES (1, 0);
            CREATE TABLE loan (id INTEGER PRIMARY KEY, process TEXT NOT NULL);
            """)
      }
      let peers = try ["a", "b", "c"].map { name in
        try PeerProcess(arguments: ["peer", path, "retries", kind, name, seconds])
      }
      var total = 0
      for peer in peers {
        let lines = peer.remainingLines()
        #expect(lines.last == "done")
        #expect(lines.count == 2, "\(lines)")
        total += lines.first.flatMap(Int.init) ?? 0
        #expect(peer.waitForExit() == 0)
      }
      let row = try DatabaseQueue(path: path).read { db in
        try Row.fetchOne(
          db, sql: "SELECT copies, (SELECT COUNT(*) FROM loan) AS loans FROM book")
      }
      print("soak of retries, \(kind): \(total) transactions in \(seconds) seconds")
      #expect(total > 0)
      #expect(row == ["copies": total, "loans": total])
    }
  }
}
