import Dispatch
import Foundation
import Quarry
import QuarryTestSupport
import Testing

private let waitDetails = """
  it waited for its turn, and executed no statement: set a later deadline, or shorten the accesses before it
  """

@Suite("Deadlines of accesses", .timeLimit(.minutes(10)))
struct DeadlineTests {
  private let recorder = SQLRecorder()
  private let databases: [any DatabaseWriter]

  init() throws {
    databases = [
      try DatabaseQueue(configuration: recorder.recording()),
      try DatabasePool.temporary(configuration: recorder.recording()),
    ]
    for database in databases {
      try database.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
      // A pool opens its reader.
      try database.read { _ in }
    }
    _ = recorder.take()
  }

  private func titles(_ database: any DatabaseWriter) throws -> [String] {
    try database.read { db in try String.fetchAll(db, sql: "SELECT title FROM book") }
  }

  private func expectUsable(_ database: any DatabaseWriter) throws {
    try database.write { db in try db.execute(sql: "INSERT INTO book VALUES ('last')") }
    #expect(try titles(database) == ["last"])
    try database.write { db in try db.execute(sql: "DELETE FROM book") }
  }

  @Test(arguments: TimedAccess.allCases)
  func `an access that ends in time returns its value`(access: TimedAccess) async throws {
    for database in databases + [AnyDatabaseWriter(databases[0])] {
      let value = try await access.run(on: database, deadline: after(3600)) { db in
        try Int.fetchOne(db, sql: "SELECT 6 * 7")
      }
      #expect(value == 42)
      #expect(
        recorder.take().filter { !$0.contains("PRAGMA") }
          == [access.begin, "SELECT 6 * 7", "COMMIT TRANSACTION"])
    }
  }

  @Test(arguments: TimedAccess.allCases)
  func `a deadline that has passed before executes nothing`(access: TimedAccess) async throws {
    for database in databases {
      let log = Log<Bool>()
      let error = await databaseErrorOf {
        try await access.run(on: database, deadline: .now) { _ in log.append(true) }
      }
      #expect(
        error?.description == """
          SQLite error 9: the deadline of the access has passed
          it had passed before the access began, and no statement was executed: set a later one
          """)
      #expect(error?.accessLimit == .deadline)
      #expect(log.elements.isEmpty)
      #expect(recorder.take() == [])
    }
  }

  @Test(arguments: TimedAccess.allCases)
  func `a statement that runs at the deadline is interrupted, and named`(access: TimedAccess)
    async throws
  {
    for database in databases {
      let error = await databaseErrorOf {
        try await access.run(on: database, deadline: after(0.5)) { db in
          try Int.fetchOne(db, sql: endlessSQL)
        }
      }
      #expect(
        error?.description == """
          SQLite error 9: the deadline of the access has passed
          its transaction is rolled back: set a later deadline or a longer `accessTimeLimit`, or do less in one access
          - while executing `\(endlessSQL)`
          """)
      #expect(error?.accessLimit == .deadline)
      #expect(error?.sql == endlessSQL)
      try expectUsable(database)
    }
  }

  @Test(arguments: TimedAccess.writes)
  func `a write that is late is undone, even if its closure catches the error`(access: TimedAccess)
    async throws
  {
    for database in databases {
      let error = await databaseErrorOf {
        try await access.run(on: database, deadline: after(0.5)) { db in
          try db.execute(sql: "INSERT INTO book VALUES ('The Trial')")
          _ = try? Int.fetchOne(db, sql: endlessSQL)
          _ = try? db.execute(sql: "INSERT INTO book VALUES ('The Castle')")
        }
      }
      #expect(error?.accessLimit == .deadline)
      #expect(error?.sql == "COMMIT TRANSACTION")
      #expect(try titles(database) == [])
      try expectUsable(database)
    }
  }

  @Test(arguments: TimedAccess.allCases)
  func `a statement after the deadline is not executed`(access: TimedAccess) async throws {
    for database in databases {
      let error = await databaseErrorOf {
        try await access.run(on: database, deadline: after(0.5)) { db in
          Thread.sleep(forTimeInterval: 0.6)
          _ = try Int.fetchOne(db, sql: "SELECT 'late'")
        }
      }
      #expect(error?.accessLimit == .deadline)
      #expect(error?.sql == "SELECT 'late'")
      #expect(!recorder.take().contains("SELECT 'late'"))
      try expectUsable(database)
    }
  }

  @Test func `a cursor, and a savepoint, end at the deadline`() throws {
    for database in databases {
      let error = databaseError {
        try database.write(deadline: after(0.5)) { db in
          try db.execute(sql: "INSERT INTO book VALUES ('The Trial')")
          try db.inSavepoint {
            let rows = try Row.fetchCursor(
              db, sql: "WITH n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n")
            while try rows.next() != nil {}
            return .commit
          }
        }
      }
      #expect(error?.accessLimit == .deadline)
      try expectUsable(database)
    }
  }

  @Test(arguments: TimedAccess.allCases)
  func `an access that waits for its turn ends at the deadline`(access: TimedAccess) async throws {
    let queue = databases[0]
    try await expectEndOfWait(access, on: queue) { body in try queue.write { _ in body() } }
  }

  @Test(arguments: TimedAccess.writes)
  func `an access that waits for the writer of a pool ends at the deadline`(access: TimedAccess)
    async throws
  {
    let pool = databases[1]
    try await expectEndOfWait(access, on: pool) { body in try pool.write { _ in body() } }
  }

  @Test(arguments: TimedAccess.reads)
  func `an access that waits for a reader ends at the deadline`(access: TimedAccess) async throws {
    let pool = try DatabasePool.temporary(configuration: readerCount(1))
    try await pool.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
    try await expectEndOfWait(access, on: pool) { body in try pool.read { _ in body() } }
  }

  /// - parameter occupy: Takes the connection that the access waits for.
  private func expectEndOfWait(
    _ access: TimedAccess, on database: any DatabaseWriter,
    _ occupy: @escaping @Sendable (() -> Void) throws -> Void
  ) async throws {
    let mayEnd = DispatchSemaphore(value: 0)
    let hasBegun = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? occupy {
        hasBegun.signal()
        mayEnd.wait()
      }
      hasEnded.signal()
    }
    await waitOnThread(for: hasBegun)
    let log = Log<Bool>()
    let error = await databaseErrorOf {
      try await access.run(on: database, deadline: after(0.5)) { _ in log.append(true) }
    }
    #expect(
      error?.description == "SQLite error 9: the deadline of the access has passed\n\(waitDetails)")
    #expect(error?.accessLimit == .deadline)
    mayEnd.signal()
    await waitOnThread(for: hasEnded)
    try expectUsable(database)
    #expect(log.elements.isEmpty)
  }

  @Test(arguments: TimedAccess.writes)
  func `a wait for the lock of another connection ends at the deadline`(access: TimedAccess)
    async throws
  {
    try await withTemporaryDirectory { directory async throws in
      let path = directory + "/library.sqlite"
      let locking = try DatabaseQueue(path: path)
      try await locking.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
      for mode: Database.BusyMode in [
        .timeout(7200),
        .callback { _ in
          usleep(1000)
          return true
        },
      ] {
        var configuration = Configuration()
        configuration.busyMode = mode
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let lock = try Lock(locking)
        let start = ContinuousClock.now
        let error = await databaseErrorOf {
          try await access.run(on: queue, deadline: after(0.5)) { _ in }
        }
        #expect(
          error?.description == """
            SQLite error 5: database is locked
            another connection had locked the database when the deadline passed
            - while executing `BEGIN IMMEDIATE TRANSACTION`
            """)
        #expect(error?.accessLimit == .deadline)
        #expect(.now - start < .seconds(1800))
        lock.release()
        try expectUsable(queue)
      }
    }
  }

  @Test func `an access with a time limit waits no longer for the lock of another connection`()
    throws
  {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.busyMode = .timeout(7200)
      configuration.accessTimeLimit = .milliseconds(200)
      let path = directory + "/library.sqlite"
      let locking = try DatabaseQueue(path: path)
      try locking.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let start = ContinuousClock.now
      try locking.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN EXCLUSIVE")
        for sql in ["INSERT INTO book VALUES ('The Trial')", "SELECT * FROM book"] {
          let error = databaseError {
            try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
          }
          #expect(error?.resultCode == .SQLITE_BUSY)
          #expect(error?.accessLimit == .deadline)
        }
        let opening = databaseError { try DatabaseQueue(path: path, configuration: configuration) }
        #expect(opening?.resultCode == .SQLITE_BUSY)
        #expect(opening?.accessLimit == .deadline)
        try db.execute(sql: "ROLLBACK")
      }
      #expect(.now - start < .seconds(1800))
      try expectUsable(queue)
    }
  }

  @Test func `an access that can't throw waits for a lock no longer than its time limit`() throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.busyMode = .timeout(7200)
      configuration.accessTimeLimit = .milliseconds(200)
      let path = directory + "/library.sqlite"
      let locking = try DatabaseQueue(path: path)
      try locking.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let lock = try Lock(locking)
      let errors = Log<DatabaseError?>()
      let end = DispatchSemaphore(value: 0)
      queue.asyncWrite({ _ in }) { _, result in
        errors.append(databaseError { try result.get() })
        end.signal()
      }
      end.wait()
      queue.inDatabase { db in
        errors.append(databaseError { try db.execute(sql: "SELECT * FROM book") })
      }
      #expect(errors.elements.map { $0?.resultCode } == [.SQLITE_BUSY, .SQLITE_BUSY])
      #expect(errors.elements.map { $0?.accessLimit } == [.deadline, .deadline])
      lock.release()
      try expectUsable(queue)
    }
  }

  @Test func `a checkpoint that waits when the time is over says so`() throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.busyMode = .timeout(7200)
      let path = directory + "/library.sqlite"
      let other = try DatabasePool(path: path)
      try other.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
      configuration.accessTimeLimit = .milliseconds(200)
      let pool = try DatabasePool(path: path, configuration: configuration)
      try other.write { db in
        try db.execute(sql: "INSERT INTO book VALUES ('The Trial')")
        let error = databaseError {
          try pool.writeWithoutTransaction { db in try db.checkpoint(.full) }
        }
        #expect(
          error?.description == """
            SQLite error 9: the deadline of the access has passed
            its transaction is rolled back: set a later deadline or a longer `accessTimeLimit`, or do less in one access
            """)
        #expect(error?.accessLimit == .deadline)
      }
      // On a busy machine, the limit may pass before.
      while (try? pool.writeWithoutTransaction { db in try db.checkpoint(.full) }) == nil {}
    }
  }

  @Test func `a backup that waits when the time is over says so`() throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.busyMode = .timeout(7200)
      let source = try DatabaseQueue()
      try source.write { db in try db.execute(sql: "CREATE TABLE book (title TEXT)") }
      let locking = try DatabaseQueue(path: directory + "/copy.sqlite")
      configuration.accessTimeLimit = .milliseconds(200)
      let copy = try DatabaseQueue(
        path: directory + "/copy.sqlite", configuration: configuration)
      let lock = try Lock(locking)
      let error = databaseError { try source.backup(to: copy) }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(error?.accessLimit == .deadline)
      lock.release()
      try source.backup(to: copy)
      #expect(try titles(copy) == [])
    }
  }

  @Test func `the busy mode is the same as before an access with a deadline`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let calls = Log<Int>()
      for (mode, timeout) in [
        (Database.BusyMode.immediateError, 0), (.timeout(1.5), 1500),
        (
          .callback { number in
            calls.append(number)
            return number < 2
          }, 0
        ),
      ] {
        var configuration = Configuration()
        configuration.busyMode = mode
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write(deadline: after(3600)) { _ in }
        #expect(
          try queue.read { db in try Int.fetchOne(db, sql: "PRAGMA busy_timeout") } == timeout)
        guard timeout == 0 else { continue }
        let lock = try Lock(DatabaseQueue(path: path))
        let error = databaseError { try queue.write { _ in } }
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(error?.accessLimit == nil)
        lock.release()
      }
      #expect(calls.elements == [0, 1, 2])
    }
  }

  @Test func `a busy mode that gives up before the deadline is an error without limit`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var configuration = Configuration()
      configuration.busyMode = .timeout(0.1)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let lock = try Lock(DatabaseQueue(path: path))
      let error = databaseError { try queue.write(deadline: after(3600)) { _ in } }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(error?.accessLimit == nil)
      lock.release()
    }
  }

  @Test func `nested accesses with deadlines get the connections that those without get`() throws {
    let pool = try DatabasePool.temporary(configuration: readerCount(1))
    let value = try pool.read(deadline: after(3600)) { _ in
      try pool.write(deadline: after(3600)) { _ in
        // There is one reader, and this thread has it: so it can't get it again.
        errorText { try pool.read(deadline: after(3600)) { _ in } }
      }
    }
    #expect(value?.hasPrefix("SQLite error 21: Database methods are not reentrant.") == true)
    let inWrite = try pool.write(deadline: after(3600)) { _ in
      try pool.read(deadline: after(3600)) { db in try Int.fetchOne(db, sql: "SELECT 1") }
    }
    #expect(inWrite == 1)
    for body in [
      {
        try pool.write(deadline: after(3600)) { _ in try pool.write(deadline: after(3600)) { _ in }
        }
      },
      {
        try pool.read(deadline: after(3600)) { _ in try pool.read(deadline: after(3600)) { _ in } }
      },
    ] {
      #expect(
        errorText(body)?.hasPrefix("SQLite error 21: Database methods are not reentrant.") == true)
    }
  }

  @Test func `a thread that has written with a deadline waits no longer for the writer`() throws {
    let pool = try DatabasePool.temporary(configuration: readerCount(1))
    try pool.read { _ in try pool.write(deadline: after(3600)) { _ in } }
    let hasReader = DispatchSemaphore(value: 0)
    let log = Log<String>()
    Thread.detachNewThread {
      try? pool.read { _ in
        hasReader.signal()
        Thread.sleep(forTimeInterval: 0.1)
        log.append("the only reader is given back")
      }
    }
    hasReader.wait()
    // Else, a second reader would be opened.
    try pool.write { _ throws in try pool.read { _ in log.append("the writer reads") } }
    #expect(log.elements == ["the only reader is given back", "the writer reads"])
  }

  @Test func `a writer gets a reader while the thread that has the only one waits for it`() throws {
    let pool = try DatabasePool.temporary(configuration: readerCount(1))
    let hasReader = DispatchSemaphore(value: 0)
    let mayWrite = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? pool.read(deadline: after(3600)) { _ in
        hasReader.signal()
        mayWrite.wait()
        try pool.write(deadline: after(3600)) { _ in }
      }
      end.signal()
    }
    hasReader.wait()
    let value = try pool.write { _ throws in
      mayWrite.signal()
      return try pool.read(deadline: after(3600)) { db in try Int.fetchOne(db, sql: "SELECT 1") }
    }
    #expect(value == 1)
    end.wait()
  }

  @Test func `the closure runs on the thread that waits for it`() throws {
    for database in databases {
      let thread = Thread.current
      try database.write(deadline: after(3600)) { _ in #expect(Thread.current === thread) }
      try database.read(deadline: after(3600)) { _ in #expect(Thread.current === thread) }
    }
  }

  @Test func `a closed database, and an error of the closure, are reported as without deadline`()
    throws
  {
    struct OwnError: Error {}
    for database in databases {
      #expect(throws: OwnError.self) {
        try database.write(deadline: after(3600)) { _ in throw OwnError() }
      }
      try database.close()
      for body in [
        { try database.write(deadline: after(3600)) { _ in } },
        { try database.read(deadline: after(3600)) { _ in } },
      ] {
        #expect(errorText(body)?.contains("Connection is closed") == true)
      }
    }
  }

  @Test func `a snapshot has deadlines too`() throws {
    let pool = try #require(databases[1] as? DatabasePool)
    let snapshot = try pool.makeSnapshot()
    #expect(
      try snapshot.read(deadline: after(3600)) { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
    let error = databaseError {
      try snapshot.read(deadline: after(0.5)) { db in try Int.fetchOne(db, sql: endlessSQL) }
    }
    #expect(error?.accessLimit == .deadline)
    #expect(
      try AnyDatabaseReader(snapshot).read(deadline: after(3600)) { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book")
      } == 0)
  }

  @Test(arguments: [TimedAccess.asyncRead, .asyncWrite])
  func `a task that is canceled before the deadline throws a cancellation`(access: TimedAccess)
    async throws
  {
    for database in databases {
      let hasBegun = DispatchSemaphore(value: 0)
      let task = Task {
        try await access.run(on: database, deadline: after(3600)) { db in
          hasBegun.signal()
          return try Int.fetchOne(db, sql: endlessSQL)
        }
      }
      await waitOnThread(for: hasBegun)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try expectUsable(database)
    }
  }

  @Test func `accesses end at random deadlines, and leave nothing`() async throws {
    let run = RandomRun("random deadlines")
    for database in databases {
      let counts = Log<Bool>()
      try await run.repeated(seconds: 0.5) { random async throws in
        let access = random.pick(TimedAccess.allCases)
        let isWrite = TimedAccess.writes.contains(access)
        let deadline = after(Double(random.below(3000)) / 1_000_000)
        let error = await databaseErrorOf {
          try await access.run(on: database, deadline: deadline) { db in
            if isWrite { try db.execute(sql: "INSERT INTO book VALUES ('temporary')") }
            _ = try Int.fetchAll(
              db,
              sql: """
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i FROM n
                """)
            if isWrite { try db.execute(sql: "DELETE FROM book") }
          }
        }
        #expect(error == nil || error?.accessLimit == .deadline, "\(run.seed): \(error as Any)")
        counts.append(error == nil)
        let titles = try titles(database)
        #expect(titles == [], "\(run.seed)")
      }
      try expectUsable(database)
    }
  }
}
