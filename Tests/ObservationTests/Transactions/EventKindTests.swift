import Foundation
import Quarry
import QuarryTestSupport
import Testing

// Which kinds statements have, and which events they give.

@Suite struct EventKindTests {
  /// The statement, its kinds, its events. `observes` is asked once more for deletions, when the
  /// statement is prepared.
  static let statements: [(String, [String], [String])] = [
    ("INSERT INTO NOTE VALUES ('a'), ('b')", ["insert(note)"], ["insert note 1", "insert note 2"]),
    (
      "UPDATE book SET TITLE = title, year = year",
      ["update(book, [\"title\", \"year\"])"],
      ["update book 10", "update book 11"]
    ),
    (
      "DELETE FROM author WHERE id = 1",
      ["delete(author)", "delete(book)", "delete(review)"],
      ["delete author 1", "delete book 10", "delete review 100", "delete book 11"]
    ),
    (
      "INSERT INTO country VALUES ('FR', 'x') ON CONFLICT (code) DO UPDATE SET name = 'y'",
      ["insert(country)", "update(country, [\"name\"])"], ["update country 1"]
    ),
    (
      "INSERT INTO country VALUES ('IT', 'x') ON CONFLICT (code) DO UPDATE SET name = 'y'",
      ["insert(country)", "update(country, [\"name\"])"], ["insert country 2"]
    ),
    (
      "INSERT INTO country VALUES ('FR', 'x') ON CONFLICT (code) DO NOTHING",
      ["insert(country)"], []
    ),
    ("REPLACE INTO country VALUES ('FR', 'x')", ["insert(country)"], ["insert country 2"]),
    ("INSERT INTO note SELECT code FROM country", ["insert(note)"], ["insert note 1"]),
    (
      "UPDATE author SET rowid = 5 WHERE id = 2", ["update(author, [\"ROWID\"])"],
      ["update author 5"]
    ),
    ("INSERT INTO shelf VALUES ('A', 1, 'x')", ["insert(shelf)"], []),
    ("INSERT INTO titles VALUES ('x')", ["insert(titles)", "insert(note)"], ["insert note 1"]),
    (
      "INSERT INTO counted VALUES (1)",
      ["insert(counted)", "update(counter, [\"n\", \"m\"])"],
      ["insert counted 1", "update counter 1", "update counter 1"]
    ),
    ("CREATE INDEX i ON book(year)", ["insert(sqlite_master)"], []),
    ("DROP TABLE note", ["update(sqlite_master, [\"rootpage\"])"], []),
    ("SELECT * FROM note", [], []),
    ("EXPLAIN DELETE FROM note", [], []),
    // The counter of AUTOINCREMENT is a table of SQLite.
    ("INSERT INTO author (name) VALUES ('Eve')", ["insert(author)"], ["insert author 3"]),
    (
      "ALTER TABLE country RENAME TO state",
      [
        "update(sqlite_master, [\"name\", \"sql\", \"tbl_name\"])",
        "update(sqlite_sequence, [\"name\"])",
        "update(sqlite_temp_master, [\"sql\", \"tbl_name\"])",
      ], []
    ),
    (
      "ANALYZE",
      [
        "insert(sqlite_master)",
        "update(sqlite_master, [\"name\", \"rootpage\", \"sql\", \"tbl_name\", \"type\"])",
      ], []
    ),
    // The rows of the table are deleted first, since others refer to them.
    (
      "DROP TABLE author", ["update(sqlite_master, [\"rootpage\"])"],
      [
        "delete author 1", "delete book 10", "delete review 100", "delete book 11",
        "delete author 2",
      ]
    ),
    ("INSERT INTO att.book VALUES (5, 'x')", ["insert(book)"], ["insert book 5"]),
  ]

  @Test(arguments: statements)
  func `the kinds and the events of a statement`(
    sql: String, kinds: [String], events: [String]
  ) throws {
    try withShop { db throws in
      try prepare(db)
      let log = EventLog()
      let statement = try db.makeStatement(sql: sql)
      log.asks = true
      db.add(transactionObserver: log)
      try statement.execute()
      let lines = log.take()
      var asked: [String] = []
      for line in lines where line.hasSuffix("?") && !asked.contains(String(line.dropLast())) {
        asked.append(String(line.dropLast()))
      }
      let sorted = kinds.map {
        $0.replacingOccurrences(of: "[\"n\", \"m\"]", with: "[\"m\", \"n\"]")
      }
      #expect(asked == sorted)
      #expect(lines.filter { !$0.hasSuffix("?") && !$0.contains("Commit") } == events)
    }
  }

  private func prepare(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO author VALUES (1, 'Ann', 'FR'), (2, 'Bob', 'IT');
        INSERT INTO book VALUES (10, 'A', 2000, 1, 1), (11, 'B', 2001, 1, 1);
        INSERT INTO review VALUES (100, 10, 5);
        INSERT INTO country VALUES ('FR', 'France');
        CREATE VIEW titles AS SELECT title FROM book;
        CREATE TRIGGER insertTitle INSTEAD OF INSERT ON titles BEGIN
          INSERT INTO note VALUES (new.title);
        END;
        CREATE TABLE counted (a);
        CREATE TABLE counter (n, m);
        INSERT INTO counter VALUES (0, 0);
        CREATE TRIGGER count AFTER INSERT ON counted BEGIN
          UPDATE counter SET n = n + 1;
          UPDATE counter SET m = m + 1;
        END;
        ATTACH ':memory:' AS att;
        CREATE TABLE att.book (id INTEGER PRIMARY KEY, isbn TEXT);
        """)
  }

  @Test func `events have the schema of their table`() throws {
    try withShop { db throws in
      try prepare(db)
      final class Schemas: TransactionObserver {
        var names: [String] = []
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {
          names.append(event.copy().copy().databaseName)
        }
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
      }
      let schemas = Schemas()
      db.add(transactionObserver: schemas)
      try db.execute(sql: "CREATE TEMP TABLE tape (a); INSERT INTO tape VALUES (1)")
      try db.execute(sql: "INSERT INTO att.book VALUES (5, 'x'); INSERT INTO note VALUES ('x')")
      #expect(schemas.names == ["temp", "att", "main"])
      #expect(DatabaseEvent.Kind.insert.rawValue == 18)
      #expect(DatabaseEvent.Kind.delete.rawValue == 9)
      #expect(DatabaseEvent.Kind.update.rawValue == 23)
    }
  }

  @Test func `observers get the events of the kinds that they accept`() throws {
    try withShop { db throws in
      try prepare(db)
      let log = EventLog()
      log.wants = { $0.tableName == "author" }
      let events = try db.log("DELETE FROM author WHERE id = 1", of: log)
      #expect(events == ["delete author 1", "willCommit", "didCommit"])
    }
  }

  @Test(.needs(.fullText)) func `with one kind, the events of shadow tables are those of the kind`()
    throws
  {
    try withShop { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE ft USING fts5(body)")
      let log = EventLog()
      log.wants = { $0.tableName == "ft" }
      let events = try db.log("INSERT INTO ft VALUES ('a')", of: log)
      #expect(events.contains("insert ft_docsize 1"))
      #expect(events.contains { $0.contains("ft_data") })
    }
  }

  @Test func `foreign keys that set null or cascade update the children`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE TABLE p (id INTEGER PRIMARY KEY);
          CREATE TABLE c (id INTEGER PRIMARY KEY,
            pId INTEGER REFERENCES p ON DELETE SET NULL ON UPDATE CASCADE);
          INSERT INTO p VALUES (1), (2);
          INSERT INTO c VALUES (10, 1), (20, 2);
          """)
      let log = EventLog()
      let events = try db.log(
        "DELETE FROM p WHERE id = 1", "UPDATE p SET id = 3 WHERE id = 2", of: log)
      #expect(
        events == [
          "delete p 1", "update c 10", "willCommit", "didCommit",
          "update p 3", "update c 20", "willCommit", "didCommit",
        ])
    }
  }

  @Test(arguments: [false, true])
  func `rows that are replaced are not reported, but their children are`(recursiveTriggers: Bool)
    throws
  {
    try withShop { db throws in
      try db.execute(
        sql: """
          PRAGMA recursive_triggers = \(recursiveTriggers ? "ON" : "OFF");
          INSERT INTO author VALUES (1, 'Ann', 'FR');
          INSERT INTO book VALUES (10, 'A', 2000, 1, 1), (11, 'B', 2001, 1, 1);
          INSERT INTO review VALUES (100, 10, 5);
          CREATE TABLE member (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
          INSERT INTO member VALUES (1, 'a'), (2, 'b');
          """)
      let log = EventLog()
      log.asks = true
      db.add(transactionObserver: log)
      try db.execute(sql: "REPLACE INTO author VALUES (1, 'New', 'FR')")
      let lines = log.take()
      #expect(
        lines.filter { $0.hasPrefix("insert(") || $0.hasPrefix("delete(") }.suffix(3) == [
          "insert(author)?", "delete(book)?", "delete(review)?",
        ])
      #expect(
        lines.filter { !$0.hasSuffix("?") } == [
          "delete book 10", "delete review 100", "delete book 11", "insert author 1",
          "willCommit", "didCommit",
        ])
      log.asks = false
      try db.execute(sql: "UPDATE OR REPLACE member SET email = 'a' WHERE id = 2")
      #expect(log.take() == ["update member 2", "willCommit", "didCommit"])
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM member") == 1)
    }
  }

  @Test func `a statement is asked for before each execution`() throws {
    try withShop { db throws in
      let log = EventLog()
      log.asks = true
      let statement = try db.makeStatement(sql: "INSERT INTO note VALUES ('a')")
      db.add(transactionObserver: log)
      try statement.execute()
      try statement.execute()
      #expect(log.take().filter { $0.hasSuffix("?") } == ["insert(note)?", "insert(note)?"])
    }
  }
}
