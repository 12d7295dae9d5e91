import QuarryTestSupport
import Testing

@testable import Quarry

/// Regions where SQLite is compiled without `SQLITE_ENABLE_PREUPDATE_HOOK`: its update hook reports
/// rows after their change, and knows neither their former rowids, nor the tables without rowid,
/// nor the rows that are replaced. The statements are looked at instead.
@Suite struct NoPreUpdateHookTests {
  /// The number of notifications of each statement.
  private func counts(
    _ region: some DatabaseRegionConvertible, _ statements: [String], setUp: String = ""
  ) throws -> [Int] {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: shopSchema + """
          INSERT INTO author VALUES (1, 'Ann', 'FR'), (2, 'Bob', 'IT');
          INSERT INTO book VALUES (10, 'A', 2000, 1, 1), (11, 'B', 2001, 1, 1);
          INSERT INTO shelf VALUES ('attic', 1, 'Poetry');
          CREATE TABLE member (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
          INSERT INTO member VALUES (1, 'a'), (2, 'b');
          """ + setUp)
      db.broker.hasPreUpdateHook = false
    }
    let log = Log<Int>()
    let cancellable = DatabaseRegionObservation(tracking: region).start(in: queue) {
      Issue.record($0)
    } onChange: { _ in
      log.append(1)
    }
    defer { cancellable.cancel() }
    return try statements.map { sql in
      log.removeAll()
      try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
      return log.elements.count
    }
  }

  @Test func `rows are observed`() throws {
    let statements = [
      "INSERT INTO book (title) VALUES ('C'), ('D')", "DELETE FROM book WHERE id > 11",
      "UPDATE book SET title = 'x' WHERE id = 99", "UPDATE author SET name = 'Eve'",
      "BEGIN; DELETE FROM book; ROLLBACK",
      "BEGIN; SAVEPOINT a; DELETE FROM book; ROLLBACK TO a; COMMIT",
      "DELETE FROM author WHERE id = 2", "DELETE FROM author WHERE id = 1",
    ]
    #expect(try counts(Table("book"), statements) == [1, 1, 0, 0, 0, 0, 0, 1])
    #expect(try counts(Table("book"), ["DELETE FROM book"]) == [1])
    let row = Book.filter(Column("id") == 10)
    #expect(
      try counts(row, ["DELETE FROM book WHERE id = 11", "DELETE FROM book WHERE id = 10"])
        == [0, 1])
  }

  @Test func `any update may set the rowid`() throws {
    let row = Book.select(Column("title")).filter(Column("id") == 10)
    let statements = [
      "UPDATE book SET id = 12 WHERE id = 10", "UPDATE book SET rowid = 10 WHERE id = 12",
      "UPDATE book SET year = 1 WHERE id = 11",
    ]
    #expect(try counts(row, statements) == [1, 1, 1])
  }

  @Test func `tables without rowid are observed`() throws {
    let statements = [
      "UPDATE shelf SET label = 'Prose'", "DELETE FROM shelf WHERE label = 'none'",
      "INSERT INTO shelf VALUES ('cellar', 1, 'Maps')", "UPDATE author SET name = 'Eve'",
      "DELETE FROM shelf", "DELETE FROM shelf",
    ]
    #expect(try counts(Table("shelf"), statements) == [1, 0, 1, 0, 1, 0])
    #expect(try counts(DatabaseRegion.fullDatabase, statements) == [1, 0, 1, 1, 1, 0])
    #expect(try counts(Table("book"), statements) == [0, 0, 0, 0, 0, 0])
  }

  @Test func `a table without rowid is observed beside one of its name`() throws {
    let statements = [
      "UPDATE main.shelf SET label = 'Prose'", "UPDATE temp.shelf SET label = 'Prose'",
    ]
    let table = "CREATE TEMP TABLE shelf (room TEXT, num INTEGER, label TEXT);"
    #expect(try counts(Table("shelf"), statements, setUp: table) == [1, 0])
  }

  @Test func `rows that are replaced are observed`() throws {
    let second = Table("member").filter(Column("id") == 2)
    let insertion = "INSERT OR REPLACE INTO member VALUES (3, 'b')"
    #expect(try counts(second, [insertion, "DELETE FROM member WHERE id = 1"]) == [1, 0])
    #expect(try counts(Table("member"), [insertion]) == [1])
    #expect(try counts(Table("book"), [insertion]) == [0])
    #expect(
      try counts(
        Table("member").select(Column("id")).filter(Column("id") == 2),
        ["UPDATE OR REPLACE member SET email = 'b' WHERE id = 1"]) == [1])
  }

  @Test func `constraints and triggers replace rows, too`() throws {
    let table = """
      CREATE TABLE guest (id INTEGER PRIMARY KEY, seat INTEGER UNIQUE ON CONFLICT REPLACE);
      INSERT INTO guest VALUES (1, 1), (2, 2);
      """
    let first = Table("guest").filter(Column("id") == 1)
    #expect(try counts(first, ["INSERT INTO guest VALUES (3, 1)"], setUp: table) == [1])
    let trigger = """
      CREATE TRIGGER joined AFTER INSERT ON author BEGIN
        REPLACE INTO member VALUES (NULL, new.name);
      END;
      """
    let member = Table("member").filter(Column("id") == 1)
    #expect(
      try counts(member, ["INSERT INTO author VALUES (9, 'a', 'FR')"], setUp: trigger) == [1])
  }

  @Test func `observers of transactions get no values`() throws {
    final class Observer: TransactionObserver {
      var lines: [String] = []
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseWillChange(with event: DatabasePreUpdateEvent) { lines.append("will") }
      func databaseDidChange(with event: DatabaseEvent) { lines.append("did \(event.rowID)") }
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }
    try withShop { db throws in
      db.broker.hasPreUpdateHook = false
      let observer = Observer()
      db.add(transactionObserver: observer)
      try db.execute(sql: "INSERT INTO note VALUES ('a'), ('b'); DELETE FROM note")
      #expect(observer.lines == ["did 1", "did 2", "did 1", "did 2"])
    }
  }

  /// The schema of an attached database is asked for its version after the step, which has
  /// committed.
  @Test func `a failed statement that keeps its changes is observed`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: shopSchema + """
          ATTACH ':memory:' AS other;
          CREATE TABLE fine (days INTEGER);
          CREATE TRIGGER late BEFORE INSERT ON fine BEGIN
            INSERT OR REPLACE INTO shelf VALUES ('attic', 1, 'Poetry');
            SELECT RAISE(FAIL, 'too late');
          END;
          """)
      db.broker.hasPreUpdateHook = false
    }
    let log = Log<Int>()
    let cancellable = DatabaseRegionObservation(tracking: Table("shelf")).start(in: queue) {
      Issue.record($0)
    } onChange: { _ in
      log.append(1)
    }
    defer { cancellable.cancel() }
    try queue.writeWithoutTransaction { db throws in
      let error = databaseError { try db.execute(sql: "INSERT OR REPLACE INTO fine VALUES (40)") }
      #expect(error?.message == "too late")
      #expect(try String.fetchAll(db, sql: "SELECT label FROM shelf") == ["Poetry"])
    }
    #expect(log.elements == [1])
  }
}
