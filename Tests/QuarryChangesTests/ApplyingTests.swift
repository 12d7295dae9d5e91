import Dispatch
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Applied changesets", .needs(.sessions))
struct ApplyingTests {
  @Test func `changes are applied, and their inverse undoes them`() throws {
    let changeset = try shopChanges(
      """
      INSERT INTO book VALUES (3, NULL, 'Beowulf', 7);
      UPDATE book SET price = price + 1, title = 'Emma!' WHERE id = 1;
      DELETE FROM book WHERE id = 2;
      """)
    try makeShop(shopRows).write { db in
      let before = try db.snapshot()
      try #expect(changeset.applyNotingConflicts(to: db) { _ in .abort }.isEmpty)
      try #expect(
        Row.fetchAll(db, sql: "SELECT * FROM book ORDER BY id") == [
          ["id": 1, "authorId": 1, "title": "Emma!", "price": 10.0],
          ["id": 3, "authorId": nil, "title": "Beowulf", "price": 7.0],
        ])
      try changeset.inverted().apply(to: db)
      try #expect(db.snapshot() == before)
    }
  }

  @Test(
    arguments: [
      (
        "UPDATE book SET price = 20 WHERE id = 1", ChangesetConflict.Kind.data,
        "row [1] of book has other values than those that the update expects", 20.0
      ),
      (
        "DELETE FROM book WHERE id = 1", .notFound,
        "row [1] of book does not exist, for the update",
        nil
      ),
    ] as [(String, ChangesetConflict.Kind, String, Double?)])
  func `a conflict of an update throws and changes nothing`(
    sql: String, kind: ChangesetConflict.Kind, text: String, price: Double?
  ) throws {
    let changeset = try shopChanges(
      "UPDATE book SET price = 10 WHERE id = 1; DELETE FROM book WHERE id = 2")
    try makeShop(shopRows + sql).write { db in
      let before = try db.snapshot()
      let error = changesetError { try changeset.apply(to: db) }
      #expect(error?.code == .conflict)
      #expect(error?.table == "book")
      #expect(error?.conflict?.kind == kind)
      #expect(error?.message.contains(text) == true)
      #expect(error?.conflict?.currentValues?[3] == price?.databaseValue)
      try #expect(db.snapshot() == before)
    }
  }

  @Test func `conflicts are resolved one by one, with both rows`() throws {
    let changeset = try shopChanges(
      """
      UPDATE book SET price = 10 WHERE id = 1;
      DELETE FROM book WHERE id = 2;
      INSERT INTO book VALUES (3, NULL, 'Mine', 1);
      """)
    let other = """
      UPDATE book SET price = 20 WHERE id = 1; DELETE FROM book WHERE id = 2;
      INSERT INTO book VALUES (3, NULL, 'Theirs', 2);
      """
    try makeShop(shopRows + other).write { db in
      var conflicts: [String] = []
      try changeset.apply(to: db) { conflict in
        let current = conflict.currentValues.map { "\($0[2]) \($0[3])" } ?? "none"
        conflicts.append("\(conflict.kind): \(conflict.change?.description ?? ""), \(current)")
        return conflict.kind == .notFound ? .omit : .replace
      }
      #expect(
        Set(conflicts) == [
          "data: update book [1], \"Emma\" 20.0", "notFound: delete book [2], none",
          "conflict: insert book [3], \"Theirs\" 2.0",
        ])
      try #expect(
        String.fetchAll(db, sql: "SELECT title || price FROM book ORDER BY id") == [
          "Emma10.0", "Mine1.0",
        ])
    }
  }

  @Test func `a constraint is a conflict that can't be replaced`() throws {
    let schema = "CREATE UNIQUE INDEX i ON book(title);"
    let changeset = try shopChanges("INSERT INTO book VALUES (3, NULL, 'New', 1)", schema: schema)
    try makeShop(schema + shopRows + "INSERT INTO book VALUES (4, NULL, 'New', 1)").write { db in
      let error = changesetError { try changeset.apply(to: db) { _ in .replace } }
      #expect(error?.conflict?.kind == .constraint)
      #expect(error?.message.contains("can't be resolved by `.replace`") == true)
      try changeset.apply(to: db) { _ in .omit }
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM book") == 3)
    }
  }

  @Test func `an insertion that replaces a row is not left out`() throws {
    let schema = "CREATE UNIQUE INDEX i ON book(title);"
    let changeset = try shopChanges(
      "INSERT INTO book VALUES (3, NULL, 'New', 1), (9, NULL, 'Other', 1)", schema: schema)
    let other = "INSERT INTO book VALUES (3, NULL, 'Old', 1), (4, NULL, 'New', 1);"
    try makeShop(schema + shopRows + other).write { db in
      let before = try db.snapshot()
      let error = changesetError {
        try changeset.apply(to: db) { $0.kind == .conflict ? .replace : .omit }
      }
      #expect(error?.code == .conflict)
      #expect(error?.table == "book")
      #expect(error?.conflict?.change?.key == [3.databaseValue])
      #expect(error?.message.contains("the row that it replaces would be lost") == true)
      try #expect(db.snapshot() == before)
      // The value is free in time.
      try db.execute(sql: "UPDATE book SET title = 'Newer' WHERE id = 4")
      try changeset.apply(to: db) { $0.kind == .conflict ? .replace : .omit }
      try #expect(String.fetchOne(db, sql: "SELECT title FROM book WHERE id = 3") == "New")
    }
  }

  @Test(arguments: [
    "id INTEGER PRIMARY KEY, total AS (loans + 1), loans, title",
    "total AS (loans * 2) STORED, id INTEGER PRIMARY KEY, loans, more AS (1), title",
    "id INTEGER PRIMARY KEY, loans, title, total AS (loans + 1)",
  ])
  func `a conflict has the values of the columns of the change, beside generated ones`(
    columns: String
  ) throws {
    let changeset = try shopChanges(
      "UPDATE copy SET loans = 6; INSERT INTO copy VALUES (2, 1, 'New')", rows: "",
      schema: """
        CREATE TABLE copy (id INTEGER PRIMARY KEY, loans, title);
        INSERT INTO copy VALUES (1, 5, 'Emma');
        """)
    let sql = """
      CREATE TABLE copy (\(columns));
      INSERT INTO copy (id, loans, title) VALUES (1, 10, 'Emma'), (2, 20, 'Old');
      """
    try makeShop(sql).write { db in
      var values: Set<[DatabaseValue]> = []
      try changeset.apply(to: db) { conflict in
        values.insert(conflict.currentValues ?? [])
        return .replace
      }
      let first: [DatabaseValue] = [1.databaseValue, 10.databaseValue, "Emma".databaseValue]
      let second: [DatabaseValue] = [2.databaseValue, 20.databaseValue, "Old".databaseValue]
      #expect(values == [first, second])
      try #expect(
        Row.fetchAll(db, sql: "SELECT id, loans, title FROM copy ORDER BY id") == [
          ["id": 1, "loans": 6, "title": "Emma"], ["id": 2, "loans": 1, "title": "New"],
        ])
    }
  }

  @Test func `the error of the handler is thrown, and nothing is applied`() throws {
    struct Mine: Error {}
    let changeset = try shopChanges(
      "UPDATE author SET name = 'X'; UPDATE book SET price = 10 WHERE id = 1")
    try makeShop(shopRows + "UPDATE book SET price = 20").write { db in
      let before = try db.snapshot()
      #expect(throws: Mine.self) { try changeset.apply(to: db) { _ in throw Mine() } }
      try #expect(db.snapshot() == before)
    }
  }

  @Test(
    arguments: [
      ("DROP TABLE book", nil, "the main database has no such table"),
      (
        "ALTER TABLE book DROP COLUMN price", "title",
        "it has 3 columns, the last of which is title, and the changeset has 4"
      ),
      (
        "DROP TABLE book; CREATE TABLE book (id INTEGER, authorId, title PRIMARY KEY, price)", "id",
        "its column id is no column of the primary key, and column 1 of that of the changeset"
      ),
      ("DROP TABLE book; CREATE VIEW book AS SELECT 1", nil, "the main database has no such table"),
    ] as [(String, String?, String)])
  func `a different schema is found before anything is applied`(
    sql: String, column: String?, text: String
  ) throws {
    let changeset = try shopChanges(
      "UPDATE author SET name = 'X'; INSERT INTO book VALUES (3, 1, 'New', 1)")
    try makeShop(shopRows + sql).write { db in
      let error = changesetError { try changeset.apply(to: db) { _ in .omit } }
      #expect(error?.code == .schema)
      #expect(error?.table == "book")
      #expect(error?.column == column)
      #expect(error?.message.contains(text) == true)
      try #expect(String.fetchOne(db, sql: "SELECT name FROM author") == "Jane Austen")
      try changeset.filtered { $0.table != "book" }.apply(to: db)
      try #expect(String.fetchOne(db, sql: "SELECT name FROM author") == "X")
    }
  }

  @Test func `additional columns get their default`() throws {
    let changeset = try shopChanges("INSERT INTO author VALUES (3, 'New')")
    try makeShop("ALTER TABLE author ADD COLUMN born DEFAULT 1800").write { db in
      try changeset.apply(to: db)
      try #expect(
        Row.fetchOne(db, sql: "SELECT * FROM author") == ["id": 3, "name": "New", "born": 1800])
    }
  }

  @Test func `a read-only access throws, and leaves the connection as it was`() throws {
    let changeset = try shopChanges("UPDATE author SET name = 'X'")
    let shop = try makeShop(shopRows)
    let error = try shop.read { db in databaseError { try changeset.apply(to: db) } }
    #expect(error?.resultCode == .SQLITE_READONLY)
    try shop.write { db in try changeset.apply(to: db) }
  }
}

@Suite("Observed applications of changesets", .needs(.sessions))
struct ObservedApplyingTests {
  @Test func `observers of transactions get rows, also while changes are recorded`() throws {
    let shop = try makeShop("INSERT INTO author VALUES (1, 'A')")
    let log = EventLog()
    shop.add(transactionObserver: log)
    let changeset = try shop.write { db in
      try db.changes(
        "INSERT INTO author VALUES (2, 'B'); UPDATE author SET name = 'X' WHERE id = 1")
    }
    #expect(log.events == ["insert author 2", "update author 1"])
    log.events = []
    try shop.write { db in try changeset.inverted().apply(to: db) }
    #expect(Set(log.events) == ["delete author 2", "update author 1"])
    #expect(log.commits == 2)
    // A conflict undoes what was reported.
    log.events = []
    try shop.write { db in
      #expect(changesetError { try changeset.inverted().apply(to: db) } != nil)
    }
    #expect(log.events == [])
  }

  @Test func `only observers of the tables are notified`() throws {
    let shop = try makeShop()
    let (authors, books) = (EventLog(tables: ["author"]), EventLog(tables: ["book"]))
    shop.add(transactionObserver: authors)
    shop.add(transactionObserver: books)
    let changeset = try makeShop().write { db in
      try db.changes("INSERT INTO author VALUES (2, 'B')")
    }
    try shop.write { db in try changeset.apply(to: db) }
    #expect(authors.events == ["insert author 2"])
    #expect(books.events == [])
  }

  @Test(arguments: ConnectionKind.allCases)
  func `observations of values fetch again, also of tables WITHOUT ROWID and in a recording`(
    kind: ConnectionKind
  ) throws {
    try kind.withDatabase { writer in
      try writer.write { db in
        try db.execute(
          sql: "CREATE TABLE code (id TEXT PRIMARY KEY NOT NULL, n) WITHOUT ROWID")
      }
      let values = Log<Int>()
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT coalesce(sum(n), 0) FROM code") ?? 0
      }
      let queue = DispatchQueue(label: "values")
      let cancellable = observation.start(in: writer, scheduling: .async(onQueue: queue)) {
        Issue.record($0)
      } onChange: {
        values.append($0)
      }
      defer { cancellable.cancel() }
      func wait(for count: Int) {
        let end = Date().addingTimeInterval(300)
        while values.elements.last != count, Date() < end { Thread.sleep(forTimeInterval: 0.005) }
        #expect(values.elements.last == count)
      }
      let changeset = try writer.write { db in try db.changes("INSERT INTO code VALUES ('a', 5)") }
      wait(for: 5)
      try writer.write { db in try changeset.inverted().apply(to: db) }
      wait(for: 0)
      try writer.write { db in _ = try db.recordChanges { try changeset.apply(to: db) } }
      wait(for: 5)
      // The hook is back.
      try writer.write { db in try db.execute(sql: "REPLACE INTO code VALUES ('a', 6)") }
      wait(for: 6)
    }
  }
}
