import CSQLite
import Foundation
import Quarry
import QuarryBlobs
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Refusals of recorders", .needs(.sessions), .onQueueAndPool)
struct RecorderRefusalTests {
  private struct Mine: Error {}

  @Test func `a statement without a transaction throws where it changes what is recorded`() throws {
    let writer = try makeRecordedDatabase("CREATE TEMP TABLE cart (id INTEGER PRIMARY KEY)")
    let reports = RecorderReports()
    let recorder = try reports.record(writer, ["author"])
    let all = try reports.record(writer)
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
    let writer = try makeRecordedDatabase(
      "CREATE TABLE file (id INTEGER PRIMARY KEY, data); INSERT INTO file VALUES (7, zeroblob(3))")
    let reports = RecorderReports()
    let recorder = try reports.record(writer, ["file"])
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

  @Test func `other tables with the name of a recorded one are written without a transaction`()
    throws
  {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorders = [try reports.record(writer, ["author"]), try reports.record(writer)]
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ':memory:' AS archive")
      for schema in ["temp", "archive"] {
        try db.execute(
          sql: """
            CREATE TABLE \(schema).author (id INTEGER PRIMARY KEY, name);
            INSERT INTO \(schema).author VALUES (7, zeroblob(3)), (8, 'B');
            UPDATE \(schema).author SET name = zeroblob(2) WHERE id = 7;
            DELETE FROM \(schema).author WHERE id = 8
            """)
        try db.withBlob(
          table: "author", column: "name", rowID: 7, schema: schema, access: .readWrite
        ) { blob in
          try blob.write(Data([1, 2]), at: 0)
        }
        try #expect(
          Data.fetchAll(db, sql: "SELECT name FROM \(schema).author") == [Data([1, 2])])
        let error = changesetError {
          try db.execute(sql: "INSERT INTO main.author SELECT id, 'A' FROM \(schema).author")
        }
        #expect(error?.table == "author")
      }
      try db.execute(sql: "DROP TABLE temp.author")
    }
    #expect(reports.texts == [])
    withExtendedLifetime(recorders) {}
  }

  @Test func `a table whose drop deletes recorded rows is not dropped without a transaction`()
    throws
  {
    let writer = try makeRecordedDatabase(
      """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY);
      CREATE TABLE item (id INTEGER PRIMARY KEY, shelfId REFERENCES shelf ON DELETE CASCADE);
      INSERT INTO shelf VALUES (1), (2);
      INSERT INTO item VALUES (5, 1), (6, 2);
      """)
    let reports = RecorderReports()
    let all = try reports.record(writer)
    writer.writeWithoutTransaction { db in
      // SQLite deletes its rows, since others may reference them.
      let error = changesetError { try db.execute(sql: "DROP TABLE shelf") }
      #expect(error?.code == .unrecordable)
      #expect(error?.table == "shelf")
    }
    all.stop()
    let recorder = try reports.record(writer, ["item"])
    try writer.writeWithoutTransaction { db in
      let error = changesetError { try db.execute(sql: "DROP TABLE shelf") }
      #expect(error?.code == .unrecordable)
      #expect(error?.table == "item")
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id") == [5, 6])
      // These delete no rows that are recorded.
      try db.execute(sql: "DROP TABLE note")
      try db.inTransaction {
        try db.execute(sql: "DROP TABLE shelf")
        return .commit
      }
    }
    #expect(reports.take() == ["delete item [5], delete item [6]"])
    try writer.writeWithoutTransaction { db in try db.execute(sql: "DROP TABLE item") }
    withExtendedLifetime(recorder) {}
  }

  @Test func `a table that can't be recorded throws when it is listed, or at the commit`() throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    #expect(changesetError { _ = try reports.record(writer, ["note"]) }?.code == .unrecordable)
    #expect(changesetError { _ = try reports.record(writer, ["nothing"]) }?.table == "nothing")
    let recorder = try reports.record(writer)
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
    let listed = try reports.record(writer, ["book"])
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

  @Test func `a failed commit is tried again, with the same changes only`() throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
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
    let listed = try reports.record(writer, ["book"])
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
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
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

  @Test func `a preupdate hook of the application, a reader and an open transaction are errors`()
    throws
  {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
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
      let error = changesetError { _ = try reports.record(writer) }
      #expect(error?.message.contains("inside of one") == true)
    }
    try withTemporaryDirectory { directory in
      let path = directory + "/a.sqlite"
      try DatabaseQueue(path: path).close()
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      let error = changesetError { _ = try reports.record(queue) }
      #expect(error?.message.contains("only reads") == true)
    }
  }

  @Test func `transactions of the C API are refused`() throws {
    let writer = try makeRecordedDatabase()
    let reports = RecorderReports()
    let recorder = try reports.record(writer)
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
}

private func unsafe_exec(_ db: Database, _ sql: String) -> CInt {
  sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil)
}
