import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Recorders of transactions", .needs(.sessions), .onQueueAndPool)
struct ChangeRecorderTests {
  private struct Mine: Error {}

  @Test func `each committed transaction has its changeset, in order`() throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
    try writer.write { db in try db.execute(sql: "INSERT INTO author VALUES (1, 'A'), (2, 'B')") }
    try writer.write { db in
      try db.execute(
        sql: "UPDATE author SET name = 'C' WHERE id = 1; DELETE FROM author WHERE id = 2")
    }
    // Without a change, or with one that is taken back.
    try writer.write { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM author") }
    try writer.write { db in
      try db.execute(sql: "INSERT INTO author VALUES (3, 'X'); DELETE FROM author WHERE id = 3")
    }
    try writer.writeWithoutTransaction { db in
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO author VALUES (4, 'D')")
        return .commit
      }
      try db.execute(sql: "BEGIN; INSERT INTO author VALUES (5, 'E'); COMMIT")
      try db.execute(sql: "SAVEPOINT a; INSERT INTO author VALUES (6, 'F'); RELEASE a")
      try db.execute(sql: "BEGIN DEFERRED; DELETE FROM author; END")
    }
    withExtendedLifetime(recorder) {}
    #expect(
      reports.take() == [
        "insert author [1], insert author [2]", "delete author [2], update author [1]",
        "insert author [4]", "insert author [5]", "insert author [6]",
        "delete author [1], delete author [4], delete author [5], delete author [6]",
      ])
  }

  @Test func `what is rolled back is not recorded, savepoints included`() throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
    try? writer.write { db in
      try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
      throw Mine()
    }
    try writer.writeWithoutTransaction { db in
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
        return .rollback
      }
      // SQLite rolls back by itself.
      _ = try? db.inTransaction {
        try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
        try db.execute(sql: "INSERT OR ROLLBACK INTO author VALUES (1, 'B')")
        return .commit
      }
      try db.execute(
        sql: """
          SAVEPOINT a; INSERT INTO author VALUES (2, 'X'); SAVEPOINT a;
          INSERT INTO author VALUES (3, 'C'); RELEASE a; SAVEPOINT b;
          INSERT INTO author VALUES (4, 'D'); ROLLBACK TO b; RELEASE b;
          UPDATE author SET name = 'B' WHERE id = 2; RELEASE a
          """)
      try db.execute(
        sql: "SAVEPOINT a; INSERT INTO author VALUES (5, 'E'); ROLLBACK TO a; RELEASE a")
    }
    #expect(reports.take() == ["insert author [2], insert author [3]"])
    withExtendedLifetime(recorder) {}
  }

  @Test func `the values are those before and after the transaction`() throws {
    let writer = try makeRecordedDatabase("INSERT INTO author VALUES (1, 'A')")
    let found = Locked<[Changeset]>([])
    let recorder = try ChangeRecorder(writer, tables: ["AUTHOR"]) { changeset, db in
      // The database can be used.
      _ = try? Int.fetchOne(db, sql: "SELECT count(*) FROM author")
      found.withLock { $0.append(changeset) }
    }
    try writer.write { db in
      try db.execute(sql: "UPDATE author SET name = 'B'; UPDATE author SET name = 'C'")
      // Not listed.
      try db.execute(sql: "INSERT INTO book VALUES (1, 'T', 1); INSERT INTO note VALUES ('x')")
    }
    let changeset = try #require(found.withLock { $0.first })
    #expect(changeset.tables == ["author"])
    let change = try #require(changeset.changes.first)
    #expect(change.oldValues == [1.databaseValue, "A".databaseValue])
    #expect(change.newValues == [nil, "C".databaseValue])
    withExtendedLifetime(recorder) {}
  }

  @Test(.needs(.fullText))
  func `a table that is created in a transaction is recorded, without shadow tables`() throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
    try writer.write { db in
      try db.execute(
        sql: "CREATE TABLE page (id INTEGER PRIMARY KEY); INSERT INTO page VALUES (3)")
    }
    #expect(reports.take() == ["insert page [3]"])
    try writer.write { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE text USING fts5(a); INSERT INTO text VALUES ('x')")
      try db.execute(sql: "INSERT INTO page VALUES (4)")
    }
    #expect(reports.take() == ["insert page [4]"])
    withExtendedLifetime(recorder) {}
  }

  @Test func `a recorder stops when it is stopped, or released, also inside of a transaction`()
    throws
  {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let first = try reports.record(writer)
    var second: ChangeRecorder? = try reports.record(writer)
    try writer.write { db in
      try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
      first.stop()
      first.stop()
    }
    #expect(reports.take() == ["insert author [1]"])
    try writer.write { db in
      try db.execute(sql: "INSERT INTO author VALUES (2, 'B')")
      second = nil
    }
    _ = second
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO author VALUES (3, 'C')")
    }
    #expect(reports.take() == [])
    try writer.close()
    first.stop()
  }

  @Test func `a connection is closed with a recorder, and with its transaction open`() throws {
    let reports = RecorderReports()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    for isOpen in [true, false] {
      for closes in [true, false] {
        var queue: DatabaseQueue? = try DatabaseQueue(configuration: configuration)
        try queue?.write { db in
          try db.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY)")
        }
        let recorder = try queue.map { try reports.record($0) }
        try queue?.writeWithoutTransaction { db in
          try db.beginTransaction()
          try db.execute(sql: "INSERT INTO author VALUES (1)")
          if !isOpen { try db.commit() }
        }
        if closes { try queue?.close() }
        queue = nil
        withExtendedLifetime(recorder) {}
      }
    }
    #expect(reports.texts == ["insert author [1]", "insert author [1]"])
  }

  @Test func `a connection is released with a recorded transaction open`() throws {
    let reports = RecorderReports()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    weak var connection: Database?
    var queue: DatabaseQueue? = try DatabaseQueue(configuration: configuration)
    var recorder = try queue.map { try reports.record($0) }
    try queue?.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY)")
      try db.beginTransaction()
      try db.execute(sql: "INSERT INTO author VALUES (1)")
      connection = db
    }
    #expect(connection != nil)
    #expect(recorder != nil)
    // Neither is closed or stopped.
    (queue, recorder) = (nil, nil)
    for _ in 0..<12_000 where connection != nil { usleep(5000) }
    #expect(connection == nil)
    #expect(reports.texts == [])
  }

  @Test func `transactions of observers and of the closure are reported in the order of commits`()
    throws
  {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let first = try ChangeRecorder(writer, tables: ["author"]) { changeset, db in
      reports.add(changeset)
      guard changeset.count == 1 else { return }
      try? db.inTransaction {
        try db.execute(sql: "INSERT INTO author VALUES (2, 'B'), (3, 'C')")
        return .commit
      }
      reports.add("end")
    }
    let second = try reports.record(writer)
    try writer.write { db in try db.execute(sql: "INSERT INTO author VALUES (1, 'A')") }
    let (one, two) = ("insert author [1]", "insert author [2], insert author [3]")
    #expect(reports.take() == [one, one, two, "end", two])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `other recordings and undo stand inside of it`() throws {
    let writer = try makeRecordedDatabase()
    let undo = try UndoStack(writer, tables: ["author"])
    let reports = RecorderReports()
    let recorder = try reports.record(writer, ["author"])
    try undo.record("A") { db in try db.execute(sql: "INSERT INTO author VALUES (1, 'A')") }
    try undo.undo()
    try writer.write { db in
      let inner = try db.recordChanges { try db.execute(sql: "INSERT INTO author VALUES (2, 'B')") }
      #expect(inner.count == 1)
    }
    #expect(reports.take() == ["insert author [1]", "delete author [1]", "insert author [2]"])
    withExtendedLifetime(recorder) {}
  }

  @Test func `applied changesets and whole deletions are recorded, observations go on`() throws {
    let writer = try makeRecordedDatabase("INSERT INTO author VALUES (1, 'A'), (2, 'B')")
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
    let log = EventLog()
    writer.add(transactionObserver: log)
    let statement = try writer.write { db in
      try db.recordChanges { try db.execute(sql: "DELETE FROM author") }
    }
    try writer.write { db in try statement.inverted().apply(to: db) }
    #expect(
      reports.take() == [
        "delete author [1], delete author [2]", "insert author [1], insert author [2]",
      ])
    #expect(log.events.count == 4)
    #expect(log.commits == 2)
    withExtendedLifetime(recorder) {}
  }

  @Test func `reads of the connection that writes are no transactions to record`() throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
    try writer.unsafeReentrantWrite { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM author")
    }
    _ = try writer.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM author") }
    #expect(reports.take() == [])
    withExtendedLifetime(recorder) {}
  }

  @Test func `a transaction that begins or ends inside of readOnly is recorded`() throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
    func insert(_ id: Int, _ db: Database) throws {
      try db.execute(sql: "INSERT INTO author VALUES (?, 'A')", arguments: [id])
    }
    try writer.writeWithoutTransaction { db in
      try db.beginTransaction()
      try insert(1, db)
      try db.readOnly { try db.commit() }
      #expect(reports.take() == ["insert author [1]"])
      try db.readOnly {
        try db.readOnly { try db.execute(sql: "SAVEPOINT a") }
        let error = databaseError { try insert(2, db) }
        #expect(error?.resultCode == .SQLITE_READONLY)
      }
      try insert(2, db)
      try db.readOnly { try db.execute(sql: "RELEASE a") }
      #expect(reports.take() == ["insert author [2]"])
      try db.readOnly {
        try db.inTransaction(.deferred) {
          let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM author")
          #expect(count == 2)
          return .commit
        }
      }
      #expect(reports.take() == [])
    }
    withExtendedLifetime(recorder) {}
  }

  @Test func `a canceled task commits nothing`() async throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
    let task = Task {
      try await writer.write { db in
        try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    _ = await task.result
    let count = try await writer.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM author")
    }
    #expect(reports.take().count == count)
    withExtendedLifetime(recorder) {}
  }
}
