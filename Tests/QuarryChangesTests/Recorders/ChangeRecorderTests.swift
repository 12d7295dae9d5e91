import CSQLite
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Recorders of transactions", .needs(.sessions), .onQueueAndPool)
struct ChangeRecorderTests {
  /// What a recorder has reported.
  private final class Reports: Sendable {
    private let content = Locked<[String]>([])
    var texts: [String] { content.withLock { $0 } }
    func add(_ text: String) { content.withLock { $0.append(text) } }
    func add(_ changeset: Changeset) {
      add(changeset.changes.map(\.description).sorted().joined(separator: ", "))
    }
    func take() -> [String] {
      content.withLock { texts in
        defer { texts = [] }
        return texts
      }
    }
  }

  private struct Mine: Error {}

  private func makeDatabase(_ sql: String = "") throws -> AnyDatabaseWriter {
    let writer = try makeEmptyDatabase()
    try writer.write { db in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE book (
            id INTEGER PRIMARY KEY, title TEXT,
            authorId INTEGER REFERENCES author DEFERRABLE INITIALLY DEFERRED);
          CREATE TABLE note (text);
          \(sql)
          """)
    }
    return writer
  }

  private func record(_ writer: some DatabaseWriter, _ reports: Reports) throws -> ChangeRecorder {
    try record(writer, nil, reports)
  }

  private func record(
    _ writer: some DatabaseWriter, _ tables: [String]?, _ reports: Reports
  ) throws -> ChangeRecorder {
    try ChangeRecorder(writer, tables: tables) { changeset, _ in reports.add(changeset) }
  }

  @Test func `each committed transaction has its changeset, in order`() throws {
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
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
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
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
    let writer = try makeDatabase("INSERT INTO author VALUES (1, 'A')")
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

  @Test func `a statement without a transaction throws where it changes what is recorded`() throws {
    let writer = try makeDatabase("CREATE TEMP TABLE cart (id INTEGER PRIMARY KEY)")
    let reports = Reports()
    let recorder = try record(writer, ["author"], reports)
    let all = try record(writer, reports)
    try writer.writeWithoutTransaction { db in
      for sql in [
        "INSERT INTO author VALUES (1, 'A')", "UPDATE Author SET name = 'A'", "DELETE FROM author",
      ] {
        let error = changesetError { try db.execute(sql: sql) }
        #expect(error?.code == .unrecordable)
        #expect(error?.table?.lowercased() == "author")
        #expect(error?.message.contains("write in a transaction") == true)
      }
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM author") == 0)
      #expect(changesetError { try db.execute(sql: "INSERT INTO note VALUES (1)") } != nil)
      // These are never recorded.
      try db.execute(sql: "INSERT INTO cart VALUES (1)")
      try db.execute(sql: "PRAGMA user_version = 3")
      all.stop()
      try db.execute(sql: "INSERT INTO note VALUES (1)")
      recorder.stop()
      try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
    }
    #expect(reports.texts == [])
  }

  @Test func `a stream that writes is recorded in a transaction, and throws without one`() throws {
    let writer = try makeDatabase(
      "CREATE TABLE file (id INTEGER PRIMARY KEY, data); INSERT INTO file VALUES (7, zeroblob(3))")
    let reports = Reports()
    let recorder = try record(writer, ["file"], reports)
    func overwrite(_ db: Database) throws {
      try db.withBlob(table: "file", column: "data", rowID: 7, access: .readWrite) { blob in
        try blob.write(Data([1, 2]), at: 0)
      }
    }
    try writer.write { db in try overwrite(db) }
    #expect(reports.take() == ["update file [7]"])
    writer.writeWithoutTransaction { db in
      #expect(changesetError { try overwrite(db) }?.code == .unrecordable)
    }
    withExtendedLifetime(recorder) {}
  }

  @Test func `a table that can't be recorded throws when it is listed, or at the commit`() throws {
    let writer = try makeDatabase()
    let reports = Reports()
    #expect(changesetError { _ = try record(writer, ["note"], reports) }?.code == .unrecordable)
    #expect(changesetError { _ = try record(writer, ["nothing"], reports) }?.table == "nothing")
    let recorder = try record(writer, reports)
    let error = changesetError {
      try writer.write { db in try db.execute(sql: "INSERT INTO note VALUES ('x')") }
    }
    #expect(error?.table == "note")
    #expect(error?.message.contains("declares no primary key") == true)
    try writer.write { db in
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM note") == 0)
      try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
    }
    #expect(reports.take() == ["insert author [1]"])
    recorder.stop()
    // The table is dropped, or made again without a key, while it is recorded.
    try writer.write { db in try db.execute(sql: "INSERT INTO book VALUES (1, 'T', 1)") }
    let listed = try record(writer, ["book"], reports)
    for sql in ["CREATE TABLE book (name); INSERT INTO book VALUES ('B')", ""] {
      let error = changesetError {
        try writer.write { db in
          try db.execute(sql: "DELETE FROM book; DROP TABLE book; \(sql)")
        }
      }
      #expect(error?.code == .unrecordable, "\(sql)")
      #expect(error?.table == "book")
    }
    withExtendedLifetime(listed) {}
  }

  @Test(.needs(.fullText))
  func `a table that is created in a transaction is recorded, without shadow tables`() throws {
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
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
    let writer = try makeDatabase()
    let reports = Reports()
    let first = try record(writer, reports)
    var second: ChangeRecorder? = try record(writer, reports)
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
    let reports = Reports()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    for isOpen in [true, false] {
      for closes in [true, false] {
        var queue: DatabaseQueue? = try DatabaseQueue(configuration: configuration)
        try queue?.write { db in
          try db.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY)")
        }
        let recorder = try queue.map { try record($0, reports) }
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
    let reports = Reports()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    weak var connection: Database?
    var queue: DatabaseQueue? = try DatabaseQueue(configuration: configuration)
    var recorder = try queue.map { try record($0, reports) }
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

  @Test func `a failed commit is tried again, with the same changes only`() throws {
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; INSERT INTO book VALUES (1, 'T', 7)")
      #expect(databaseError { try db.commit() }?.resultCode == .SQLITE_CONSTRAINT)
      try db.execute(sql: "INSERT INTO author VALUES (7, 'A')")
      #expect(changesetError { try db.commit() }?.code == .unrecordable)
      try db.rollback()
      #expect(reports.take() == [])
      // Rows of tables that are not recorded may repair it.
      try db.execute(sql: "BEGIN; INSERT INTO book VALUES (1, 'T', 7)")
      #expect(databaseError { try db.commit() }?.resultCode == .SQLITE_CONSTRAINT)
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
      try db.rollback()
    }
    #expect(reports.take() == [])
    recorder.stop()
    let listed = try record(writer, ["book"], reports)
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; INSERT INTO book VALUES (1, 'T', 7)")
      #expect(databaseError { try db.commit() }?.resultCode == .SQLITE_CONSTRAINT)
      try db.execute(sql: "INSERT INTO author VALUES (7, 'A')")
      try db.commit()
    }
    #expect(reports.take() == ["insert book [1]"])
    withExtendedLifetime(listed) {}
  }

  @Test func `an observer that refuses a commit leaves nothing to record`() throws {
    final class Refusal: TransactionObserver {
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseWillCommit() throws { throw Mine() }
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
    let refusal = Refusal()
    writer.add(transactionObserver: refusal)
    #expect(throws: Mine.self) {
      try writer.write { db in try db.execute(sql: "INSERT INTO author VALUES (1, 'A')") }
    }
    writer.remove(transactionObserver: refusal)
    try writer.write { db in try db.execute(sql: "INSERT INTO author VALUES (2, 'B')") }
    #expect(reports.take() == ["insert author [2]"])
    withExtendedLifetime(recorder) {}
  }

  @Test func `transactions of observers and of the closure are reported in the order of commits`()
    throws
  {
    let writer = try makeDatabase()
    let reports = Reports()
    let first = try ChangeRecorder(writer, tables: ["author"]) { changeset, db in
      reports.add(changeset)
      guard changeset.count == 1 else { return }
      try? db.inTransaction {
        try db.execute(sql: "INSERT INTO author VALUES (2, 'B'), (3, 'C')")
        return .commit
      }
      reports.add("end")
    }
    let second = try record(writer, reports)
    try writer.write { db in try db.execute(sql: "INSERT INTO author VALUES (1, 'A')") }
    let (one, two) = ("insert author [1]", "insert author [2], insert author [3]")
    #expect(reports.take() == [one, one, two, "end", two])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `other recordings and undo stand inside of it`() throws {
    let writer = try makeDatabase()
    let undo = try UndoStack(writer, tables: ["author"])
    let reports = Reports()
    let recorder = try record(writer, ["author"], reports)
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
    let writer = try makeDatabase("INSERT INTO author VALUES (1, 'A'), (2, 'B')")
    let reports = Reports()
    let recorder = try record(writer, reports)
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

  @Test func `a preupdate hook of the application, a reader and an open transaction are errors`()
    throws
  {
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
    try writer.writeWithoutTransaction { db in
      sqlite3_preupdate_hook_for_tests(db)
      let error = databaseError { try db.execute(sql: "BEGIN") }
      #expect(error?.message?.contains("the application has a preupdate hook") == true)
      #expect(!db.isInsideTransaction)
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
        return .commit
      }
    }
    #expect(reports.take() == ["insert author [1]"])
    recorder.stop()
    try writer.write { db in
      let error = changesetError { _ = try self.record(writer, reports) }
      #expect(error?.message.contains("inside of one") == true)
    }
    try withTemporaryDirectory { directory in
      let path = directory + "/a.sqlite"
      try DatabaseQueue(path: path).close()
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let error = changesetError { _ = try record(queue, reports) }
      #expect(error?.message.contains("only reads") == true)
    }
  }

  @Test func `transactions of the C API are refused`() throws {
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
    try writer.writeWithoutTransaction { db in
      // The end is one of SQLite, which has not been prepared.
      try db.execute(sql: "BEGIN; INSERT INTO author VALUES (1, 'A')")
      #expect(unsafe_exec(db, "COMMIT") != SQLITE_OK)
      #expect(!db.isInsideTransaction)
      _ = try Int.fetchOne(db, sql: "SELECT 1")
      // So is the beginning.
      #expect(unsafe_exec(db, "BEGIN") == SQLITE_OK)
      try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
      #expect(changesetError { try db.execute(sql: "COMMIT") }?.code == .unrecordable)
      try db.rollback()
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM author") == 0)
    }
    #expect(reports.take() == [])
    withExtendedLifetime(recorder) {}
  }

  @Test func `reads of the connection that writes are no transactions to record`() throws {
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
    try writer.unsafeReentrantWrite { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM author")
    }
    _ = try writer.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM author") }
    #expect(reports.take() == [])
    withExtendedLifetime(recorder) {}
  }

  @Test func `a canceled task commits nothing`() async throws {
    let writer = try makeDatabase()
    let reports = Reports()
    let recorder = try record(writer, reports)
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

private func unsafe_exec(_ db: Database, _ sql: String) -> CInt {
  sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
}
