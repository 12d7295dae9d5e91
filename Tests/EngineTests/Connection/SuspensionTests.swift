import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// The notifications concern all connections of the process that listen to them: one test at a
/// time.
@Suite("Suspension", .serialized)
struct SuspensionTests {
  private func withQueue(
    _ mode: Configuration.JournalModeConfiguration, observes: Bool = true,
    _ body: (DatabaseQueue) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.journalMode = mode
      configuration.observesSuspensionNotifications = observes
      let queue = try DatabaseQueue(path: directory + "/db.sqlite", configuration: configuration)
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
      }
      defer { resume() }
      try body(queue)
    }
  }

  private func suspend() {
    NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
  }

  private func resume() {
    NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
  }

  private func isSuspension(_ error: DatabaseError?, _ sql: String) -> Bool {
    error?.resultCode == .SQLITE_ABORT
      && error?.description
        == "SQLite error 4: Database is suspended - while executing `\(sql)`"
  }

  /// What the suspension stops, in both journal modes.
  @Test(arguments: [
    Configuration.JournalModeConfiguration.default, .wal,
  ])
  func `nothing is written while suspended`(mode: Configuration.JournalModeConfiguration) throws {
    try withQueue(mode) { queue throws in
      suspend()
      for sql in ["INSERT INTO t VALUES (2)", "BEGIN IMMEDIATE", "CREATE TABLE u (a)"] {
        let error = databaseError {
          try queue.writeWithoutTransaction { db throws in try db.execute(sql: sql) }
        }
        #expect(isSuspension(error, sql))
      }
      let write = databaseError { try queue.write { _ in } }
      #expect(isSuspension(write, "BEGIN IMMEDIATE TRANSACTION"))
      let savepoint = databaseError {
        try queue.writeWithoutTransaction { db throws in try db.inSavepoint { .commit } }
      }
      #expect(isSuspension(savepoint, "BEGIN IMMEDIATE TRANSACTION"))
      try queue.writeWithoutTransaction { db throws in
        try db.execute(sql: "PRAGMA query_only = 1")
        try db.execute(sql: "PRAGMA query_only = 0")
      }
      resume()
      try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    }
  }

  @Test func `nothing is read while suspended with a rollback journal`() throws {
    try withQueue(.default) { queue throws in
      suspend()
      for sql in ["SELECT * FROM t", "BEGIN DEFERRED TRANSACTION"] {
        let error = databaseError {
          try queue.writeWithoutTransaction { db throws in try db.execute(sql: sql) }
        }
        #expect(isSuspension(error, sql))
      }
      let read = databaseError { try queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") } }
      #expect(isSuspension(read, "BEGIN DEFERRED TRANSACTION"))
      resume()
      let count = try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
      #expect(count == 1)
    }
  }

  @Test func `everything can be read while suspended in WAL mode`() throws {
    try withQueue(.wal) { queue throws in
      suspend()
      let count = try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
      #expect(count == 1)
      try queue.writeWithoutTransaction { db throws in
        #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 1)
        try db.inTransaction(.deferred) { () throws in
          #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 1)
          return .commit
        }
      }
    }
  }

  @Test func `a read in the middle of a write rolls back a rollback journal`() throws {
    try withQueue(.default) { queue throws in
      let end = databaseError {
        try queue.write { db throws in
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          suspend()
          let read = databaseError { try db.execute(sql: "SELECT * FROM t") }
          #expect(isSuspension(read, "SELECT * FROM t"))
          #expect(!db.isInsideTransaction)
          let insertion = databaseError { try db.execute(sql: "INSERT INTO t VALUES (3)") }
          #expect(insertion?.message == "Transaction was aborted")
        }
      }
      #expect(end?.description == "SQLite error 4: Transaction was aborted")
      resume()
      #expect(try count(queue) == 1)
    }
  }

  @Test func `a read in the middle of a write works in WAL mode, another write rolls back`() throws
  {
    try withQueue(.wal) { queue throws in
      let end = databaseError {
        try queue.write { db throws in
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          suspend()
          #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 2)
          #expect(db.isInsideTransaction)
          let insertion = databaseError { try db.execute(sql: "INSERT INTO t VALUES (3)") }
          #expect(isSuspension(insertion, "INSERT INTO t VALUES (3)"))
          #expect(!db.isInsideTransaction)
        }
      }
      #expect(end?.description == "SQLite error 4: Transaction was aborted")
      resume()
      #expect(try count(queue) == 1)
    }
  }

  @Test(arguments: [
    Configuration.JournalModeConfiguration.default, .wal,
  ])
  func `statements that release the lock work`(mode: Configuration.JournalModeConfiguration) throws
  {
    try withQueue(mode) { queue throws in
      try queue.write { db in
        try db.execute(sql: "SAVEPOINT a; SAVEPOINT b; INSERT INTO t VALUES (2)")
        suspend()
        try db.execute(sql: "ROLLBACK TO b; RELEASE a")
      }
      resume()
      try queue.inTransaction { db in
        try db.execute(sql: "INSERT INTO t VALUES (3)")
        suspend()
        return .rollback
      }
      resume()
      #expect(try count(queue) == 1)
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (4)")
        suspend()
      }
      resume()
      #expect(try count(queue) == 2)
    }
  }

  @Test func `running statements are interrupted`() throws {
    try withQueue(.wal) { queue throws in
      let error = databaseError {
        try queue.write { db in
          addSuspendFunction(db)
          try db.execute(sql: Self.suspendingSQL)
        }
      }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }
  }

  @Test func `an observation that can't fetch while suspended fetches when resumed`() throws {
    for pace in [FetchPace.debounced(.milliseconds(20)), .throttled(.milliseconds(20))] {
      try withQueue(.default) { queue throws in
        let (counts, errors) = (Log<Int>(), Log<String>())
        let observation = ValueObservation.tracking { db in try Self.count(db) }
        let cancellable = observation.setting(\.pace, pace).start(
          in: queue, scheduling: .async(onQueue: DispatchQueue(label: "counts")),
          onError: { errors.append("\($0)") }, onChange: { counts.append($0) })
        defer { cancellable.cancel() }
        #expect(reaches(counts, [1]))
        try queue.write { db in
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          suspend()
        }
        Thread.sleep(forTimeInterval: 0.2)
        #expect(counts.elements == [1])
        resume()
        #expect(reaches(counts, [1, 2]))
        try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (3)") }
        #expect(reaches(counts, [1, 2, 3]))
        #expect(errors.elements == [])
      }
    }
  }

  @Test func `a fetch after a commit that is interrupted is repeated when resumed`() throws {
    try withQueue(.wal) { queue throws in
      let (counts, errors) = (Log<Int>(), Log<String>())
      let isInterrupted = Locked(false)
      queue.inDatabase { db in addSuspendFunction(db) }
      let observation = ValueObservation.tracking { db in
        if isInterrupted.withLock({ $0 }) { _ = try Int.fetchOne(db, sql: Self.suspendingSQL) }
        return try Self.count(db)
      }
      let cancellable = observation.start(
        in: queue, scheduling: .async(onQueue: DispatchQueue(label: "counts")),
        onError: { errors.append("\($0)") }, onChange: { counts.append($0) })
      defer { cancellable.cancel() }
      #expect(reaches(counts, [1]))
      isInterrupted.withLock { $0 = true }
      try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      isInterrupted.withLock { $0 = false }
      resume()
      #expect(reaches(counts, [1, 2]))
      #expect(errors.elements == [])
    }
  }

  @Test func `other connections don't care`() throws {
    try withQueue(.default, observes: false) { queue throws in
      suspend()
      try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      #expect(try count(queue) == 2)
    }
  }

  @Test func `a connection that is gone gets no notification`() throws {
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    weak var connection: Suspension?
    do {
      let queue = try DatabaseQueue(configuration: configuration)
      connection = queue.inDatabase { $0.suspension }
      #expect(connection != nil)
    }
    #expect(connection == nil)
    suspend()
    resume()
  }

  @Test(arguments: Closing.allCases)
  func `nothing interrupts a connection that is closed, whatever the way`(closing: Closing) throws {
    struct Failure: Error {}
    let connection = Log<Locked<SQLiteConnection?>>()
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    configuration.prepareDatabase { db in
      connection.append(db.interruptible)
      if closing == .failingPreparation { throw Failure() }
    }
    if closing == .failingPreparation {
      #expect(throws: Failure.self) { try DatabaseQueue(configuration: configuration) }
    } else {
      var queue: DatabaseQueue? = try DatabaseQueue(configuration: configuration)
      #expect(connection.elements.first?.withLock { $0 } != nil)
      if closing == .close { try queue?.close() }
      queue = nil
    }
    let interruptible = try #require(connection.elements.first)
    #expect(interruptible.withLock { $0 } == nil)
    suspend()
    resume()
  }

  enum Closing: CaseIterable {
    case close, release, failingPreparation
  }

  @Test func `connections are released while others are suspended`() throws {
    var configuration = Configuration()
    configuration.observesSuspensionNotifications = true
    let isDone = Locked(false)
    DispatchQueue.concurrentPerform(iterations: 2) { [configuration] index in
      if index == 0 {
        for _ in 1...200 { _ = try? DatabaseQueue(configuration: configuration) }
        isDone.withLock { $0 = true }
      } else {
        while !isDone.withLock({ $0 }) {
          suspend()
          resume()
        }
      }
    }
  }

  private func count(_ queue: DatabaseQueue) throws -> Int {
    try queue.read { db in try Self.count(db) }
  }

  private static func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") ?? -1
  }

  private static let suspendingSQL = """
    WITH RECURSIVE n(i) AS (SELECT suspend() UNION ALL SELECT 1 FROM n LIMIT 1000000)
    SELECT COUNT(*) FROM n
    """

  private func addSuspendFunction(_ db: Database) {
    db.add(
      function: DatabaseFunction("suspend", argumentCount: 0) { _ in
        suspend()
        return nil
      })
  }

  /// Waits until a log has some elements, for ten seconds.
  private func reaches(_ log: Log<Int>, _ elements: [Int]) -> Bool {
    let limit = Date() + 10
    while log.elements != elements, Date() < limit { Thread.sleep(forTimeInterval: 0.005) }
    return log.elements == elements
  }
}
