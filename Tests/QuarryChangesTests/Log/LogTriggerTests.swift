import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

/// Triggers that other connections make, and that change logged tables.
@Suite(.needs(.sessions))
struct LogTriggerTests {
  private static let tables = """
    CREATE TABLE book (id INTEGER PRIMARY KEY, loans INTEGER);
    CREATE TABLE visit (bookId INTEGER);
    INSERT INTO book VALUES (1, 0);
    """
  private static let trigger = """
    CREATE TRIGGER visited AFTER INSERT ON visit BEGIN
      UPDATE book SET loans = loans + 1 WHERE id = new.bookId;
    END
    """

  @Test(arguments: ConnectionKind.onFile, [false, true])
  func `the trigger of another connection changes no logged table outside of transactions`(
    kind: ConnectionKind, isCached: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let writer = try kind.open(in: directory)
      let other = try DatabaseQueue(path: directory + "/library.sqlite")
      try writer.write { db in try db.execute(sql: Self.tables) }
      let log = try ChangeLog(writer, tables: ["book"])
      func visit(_ db: Database) throws {
        let sql = "INSERT INTO visit VALUES (1)"
        if isCached { try db.cachedStatement(sql: sql).execute() } else { try db.execute(sql: sql) }
      }
      try writer.writeWithoutTransaction(visit)
      try other.write { db in try db.execute(sql: Self.trigger) }
      #expect(
        changesetError { try writer.writeWithoutTransaction(visit) }?.code == .unrecordable)
      func loans() throws -> Int? {
        try writer.read { db in try Int.fetchOne(db, sql: "SELECT loans FROM book") }
      }
      try #expect(loans() == 0)
      try #expect(log.lastPosition == 0)
      try writer.write(visit)
      try #expect(loans() == 1)
      try #expect(log.lastPosition == 1)
    }
  }

  /// The statement waits for the transaction in which the trigger is made.
  @Test(arguments: ConnectionKind.onFile, [false, true])
  func `nor does one that is made while a statement waits for the lock`(
    kind: ConnectionKind, returnsRows: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      if kind != .queue { configuration.journalMode = .wal }
      let other = try DatabaseQueue(
        path: directory + "/library.sqlite", configuration: configuration)
      try other.write { db in try db.execute(sql: Self.tables) }
      configuration.allowsUnsafeTransactions = false
      configuration.busyMode = .callback { _ in
        (try? other.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }) != nil
      }
      let writer = try kind.open(in: directory, configuration)
      let log = try ChangeLog(writer, tables: ["book"])
      func visit(_ db: Database) throws {
        let returning = returnsRows ? " RETURNING bookId" : ""
        try db.execute(sql: "INSERT INTO visit VALUES (1)" + returning)
      }
      func counts() throws -> [Int] {
        try writer.read { db in
          let sql = "SELECT loans FROM book UNION ALL SELECT count(*) FROM visit"
          return try Int.fetchAll(db, sql: sql)
        }
      }
      // A definition of another table, and none of the log.
      try other.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN IMMEDIATE; CREATE TABLE shop (name)")
      }
      try writer.writeWithoutTransaction(visit)
      try #expect(counts() == [0, 1])
      try other.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN IMMEDIATE; " + Self.trigger)
      }
      for _ in 1...2 {
        let error = changesetError { try writer.writeWithoutTransaction(visit) }
        #expect(error?.code == .unrecordable)
        #expect(error?.table == "book")
      }
      try #expect(counts() == [0, 1])
      try writer.write(visit)
      try #expect(counts() == [1, 2])
      try #expect(log.lastPosition == 1)
    }
  }
}
