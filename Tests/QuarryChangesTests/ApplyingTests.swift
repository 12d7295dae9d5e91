import Dispatch
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Applied changesets", .needs(.sessions))
struct ApplyingTests {
  /// A changeset of SQL in a shop with some rows.
  private func changes(_ sql: String, rows: String = rows, schema: String = "") throws -> Changeset
  {
    try makeShop(schema + rows).write { db in try db.changes(sql) }
  }

  private static let rows = """
    INSERT INTO author VALUES (1, 'Jane Austen');
    INSERT INTO book VALUES (1, 1, 'Emma', 9), (2, 1, 'Persuasion', 8);
    """

  @Test func `changes are applied, and their inverse undoes them`() throws {
    let changeset = try changes(
      """
      INSERT INTO book VALUES (3, NULL, 'Beowulf', 7);
      UPDATE book SET price = price + 1, title = 'Emma!' WHERE id = 1;
      DELETE FROM book WHERE id = 2;
      """)
    try makeShop(Self.rows).write { db in
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
    let changeset = try changes(
      "UPDATE book SET price = 10 WHERE id = 1; DELETE FROM book WHERE id = 2")
    try makeShop(Self.rows + sql).write { db in
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
    let changeset = try changes(
      """
      UPDATE book SET price = 10 WHERE id = 1;
      DELETE FROM book WHERE id = 2;
      INSERT INTO book VALUES (3, NULL, 'Mine', 1);
      """)
    let other = """
      UPDATE book SET price = 20 WHERE id = 1; DELETE FROM book WHERE id = 2;
      INSERT INTO book VALUES (3, NULL, 'Theirs', 2);
      """
    try makeShop(Self.rows + other).write { db in
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
    let changeset = try changes("INSERT INTO book VALUES (3, NULL, 'New', 1)", schema: schema)
    try makeShop(schema + Self.rows + "INSERT INTO book VALUES (4, NULL, 'New', 1)").write { db in
      let error = changesetError { try changeset.apply(to: db) { _ in .replace } }
      #expect(error?.conflict?.kind == .constraint)
      #expect(error?.message.contains("can't be resolved by `.replace`") == true)
      try changeset.apply(to: db) { _ in .omit }
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM book") == 3)
    }
  }

  @Test func `an insertion that replaces a row is not left out`() throws {
    let schema = "CREATE UNIQUE INDEX i ON book(title);"
    let changeset = try changes(
      "INSERT INTO book VALUES (3, NULL, 'New', 1), (9, NULL, 'Other', 1)", schema: schema)
    let other = "INSERT INTO book VALUES (3, NULL, 'Old', 1), (4, NULL, 'New', 1);"
    try makeShop(schema + Self.rows + other).write { db in
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
    let changeset = try changes(
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
      #expect(
        values == [
          [1.databaseValue, 10.databaseValue, "Emma".databaseValue],
          [2.databaseValue, 20.databaseValue, "Old".databaseValue],
        ])
      try #expect(
        Row.fetchAll(db, sql: "SELECT id, loans, title FROM copy ORDER BY id") == [
          ["id": 1, "loans": 6, "title": "Emma"], ["id": 2, "loans": 1, "title": "New"],
        ])
    }
  }

  @Test func `the error of the handler is thrown, and nothing is applied`() throws {
    struct Mine: Error {}
    let changeset = try changes(
      "UPDATE author SET name = 'X'; UPDATE book SET price = 10 WHERE id = 1")
    try makeShop(Self.rows + "UPDATE book SET price = 20").write { db in
      let before = try db.snapshot()
      #expect(throws: Mine.self) { try changeset.apply(to: db) { _ in throw Mine() } }
      try #expect(db.snapshot() == before)
    }
  }

  @Test func `rows without their parents are a conflict after the last change`() throws {
    let changeset = try changes("INSERT INTO book VALUES (3, 1, 'Emma', 1)")
    try makeShop().write { db in
      let error = changesetError { try changeset.apply(to: db) }
      #expect(error?.conflict?.kind == .foreignKey)
      #expect(error?.conflict?.violationCount == 1)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM book") == 0)
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
    let changeset = try changes(
      "UPDATE author SET name = 'X'; INSERT INTO book VALUES (3, 1, 'New', 1)")
    try makeShop(Self.rows + sql).write { db in
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
    let changeset = try changes("INSERT INTO author VALUES (3, 'New')")
    try makeShop("ALTER TABLE author ADD COLUMN born DEFAULT 1800").write { db in
      try changeset.apply(to: db)
      try #expect(
        Row.fetchOne(db, sql: "SELECT * FROM author") == ["id": 3, "name": "New", "born": 1800])
    }
  }

  @Test func `triggers and foreign key actions don't run again`() throws {
    let schema = """
      CREATE TABLE page (id INTEGER PRIMARY KEY, bookId REFERENCES book ON DELETE CASCADE);
      CREATE TABLE log (id INTEGER PRIMARY KEY, text);
      CREATE TRIGGER t AFTER DELETE ON book
      BEGIN INSERT INTO log (text) VALUES (old.title); END;
      """
    let rows = Self.rows + "INSERT INTO page VALUES (7, 1), (8, 2);"
    let origin = try makeShop(schema + rows)
    let (before, changeset, after) = try origin.write { db in
      try (db.snapshot(), db.changes("DELETE FROM book"), db.snapshot())
    }
    try makeShop(schema + rows).write { db in
      try changeset.apply(to: db)
      try #expect(db.snapshot() == after)
      try changeset.inverted().apply(to: db)
      try #expect(db.snapshot() == before)
      // They still do otherwise.
      try db.execute(sql: "DELETE FROM book WHERE id = 1")
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM page") == 1)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM log") == 1)
      #expect(databaseError { try db.execute(sql: "INSERT INTO page VALUES (9, 99)") } != nil)
    }
    // A row of somebody else is not deleted with its parent.
    try makeShop(schema + rows + "INSERT INTO page VALUES (9, 1)").write { db in
      let error = changesetError { try changeset.apply(to: db) }
      #expect(error?.conflict?.kind == .foreignKey)
      #expect(error?.conflict?.violationCount == 1)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM book") == 2)
    }
  }

  @Test func `triggers run where they are asked for`() throws {
    let trigger = """
      CREATE TABLE log (id INTEGER PRIMARY KEY, text);
      CREATE TRIGGER t AFTER INSERT ON author BEGIN INSERT INTO log (text) VALUES (new.name); END;
      """
    let changeset = try changes("INSERT INTO author VALUES (3, 'New')")
    try makeShop(trigger).write { db in
      try changeset.apply(to: db, runsTriggers: true)
      try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["New"])
      try changeset.inverted().apply(to: db)
      try changeset.apply(to: db)
      try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["New"])
    }
  }

  @Test(.needs(.fullText), arguments: [false, true])
  func `full-text tables follow`(isBesideOthers: Bool) throws {
    let shop = try makeShop(
      isBesideOthers
        ? """
        CREATE TABLE log (id INTEGER PRIMARY KEY, text);
        CREATE TRIGGER t AFTER INSERT ON book BEGIN INSERT INTO log (text) VALUES (new.title); END;
        """ : "")
    try shop.write { db in
      try db.create(virtualTable: "bookText", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
      func found(_ word: String) throws -> [Int] {
        try Int.fetchAll(
          db, sql: "SELECT rowid FROM bookText WHERE bookText MATCH ?", arguments: [word])
      }
      let changeset = try db.changes("INSERT INTO book VALUES (1, NULL, 'Emma', 9)")
      #expect(changeset.tables.contains("bookText_data") == false)
      try #expect(found("emma") == [1])
      try changeset.inverted().apply(to: db)
      try #expect(found("emma") == [])
      try changeset.apply(to: db)
      try #expect(found("emma") == [1])
      if isBesideOthers {
        try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["Emma"])
      }
      try db.execute(sql: "INSERT INTO bookText(bookText) VALUES ('integrity-check')")
    }
  }

  @Test(
    arguments: [
      (
        "DROP TABLE book; CREATE TABLE book (id INTEGER PRIMARY KEY, authorId, title UNIQUE "
          + "ON CONFLICT /* ! */ ROLLBACK, price)", false, "declared with ON CONFLICT ROLLBACK"
      ),
      (
        "CREATE TRIGGER t BEFORE INSERT ON book WHEN new.id = 4 "
          + "BEGIN SELECT raise(rollback, 'no'); END", true,
        "the trigger t of book uses ROLLBACK"
      ),
      (
        "CREATE TABLE log (id INTEGER PRIMARY KEY, text UNIQUE ON CONFLICT ROLLBACK); "
          + "INSERT INTO log VALUES (1, 'B'); CREATE TRIGGER t AFTER INSERT ON book "
          + "BEGIN INSERT INTO log (text) VALUES (new.title); END", true, "table log"
      ),
    ])
  func `a schema that rolls back is found before a part is applied`(
    schema: String, runsTriggers: Bool, text: String
  ) throws {
    let changeset = try changes(
      "INSERT INTO book VALUES (3, NULL, 'A', 1), (4, NULL, 'B', 1), (5, NULL, 'C', 1)", rows: "")
    let shop = try makeShop(schema)
    try shop.write { db in
      if !runsTriggers { try db.execute(sql: "INSERT INTO book VALUES (9, NULL, 'B', 1)") }
      let before = try db.snapshot()
      let error = changesetError { try changeset.apply(to: db, runsTriggers: runsTriggers) }
      #expect(error?.message.contains(text) == true)
      #expect(db.isInsideTransaction)
      try #expect(db.snapshot() == before)
      // Triggers that don't run roll nothing back.
      if runsTriggers {
        try changeset.apply(to: db)
        try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM book") == 3)
      }
    }
  }

  @Test func `a temporary trigger that can't be turned off throws`() throws {
    let changeset = try changes("INSERT INTO author VALUES (3, 'New')")
    let trigger = """
      CREATE TABLE log (id INTEGER PRIMARY KEY, text);
      CREATE TEMP TRIGGER noted AFTER INSERT ON author
      BEGIN INSERT INTO log (text) VALUES (new.name); END;
      """
    try makeShop(trigger).write { db in
      let error = changesetError { try changeset.apply(to: db) }
      #expect(error?.code == .trigger)
      #expect(error?.message.contains("the temporary trigger noted of author") == true)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM log") == 0)
      try changeset.apply(to: db, runsTriggers: true)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM log") == 1)
    }
  }

  @Test(arguments: [
    ("CREATE TEMP TABLE author (id INTEGER PRIMARY KEY, name);", "temp.author", true),
    ("CREATE TEMP TABLE Author (id INTEGER PRIMARY KEY, name);", "/* on main. */ author", true),
    ("CREATE TEMP TABLE author (id INTEGER PRIMARY KEY, name);", "[Main] . author", false),
    // It stays on the table that it was made for.
    ("", "author", false),
  ])
  func `a temporary trigger of a temporary table with the same name is none of the changed table`(
    sql: String, table: String, isOnOther: Bool
  ) throws {
    let changeset = try changes("INSERT INTO author VALUES (3, 'New')")
    let schema = """
      CREATE TABLE log (id INTEGER PRIMARY KEY, text);
      \(sql)
      CREATE TEMP TRIGGER noted AFTER INSERT ON \(table)
      BEGIN INSERT INTO log (text) VALUES (new.name); END;
      CREATE TEMP TABLE IF NOT EXISTS author (id INTEGER PRIMARY KEY, name);
      """
    try makeShop(schema).write { db in
      let error = changesetError { try changeset.apply(to: db) }
      #expect(error?.code == (isOnOther ? nil : .trigger))
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM main.author") == (isOnOther ? [3] : []))
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM log") == 0)
    }
  }

  @Test(
    .needs(.fullText),
    arguments: [
      "UPDATE book SET price = price + 1 WHERE id = new.id",
      "UPDATE /* of */ OR REPLACE \"Book\" SET price = price + 1 WHERE id = new.id",
      // Neither a text nor a name begins a comment.
      "DELETE FROM bookText WHERE rowid = -1 AND '--' = ''; UPDATE book SET price = price + 1",
      """
      DELETE FROM bookText WHERE rowid = (SELECT -1 AS [/*]);
      UPDATE book SET price = price + 1 WHERE '*/' <> ''
      """,
    ])
  func `a trigger of its own table does not run beside a full-text table`(sql: String) throws {
    let shop = try makeShop("INSERT INTO book VALUES (1, NULL, 'Emma', 9)")
    try shop.write { db in
      try db.create(virtualTable: "bookText", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
      try db.execute(
        sql: "CREATE TRIGGER dearer AFTER UPDATE OF title ON book BEGIN \(sql); END")
      let before = try db.snapshot()["book"]
      let changeset = try db.changes("UPDATE book SET title = 'X', price = 1 WHERE id = 1")
      let after = try db.snapshot()["book"]
      try changeset.inverted().apply(to: db)
      try #expect(db.snapshot()["book"] == before)
      try changeset.apply(to: db)
      try #expect(db.snapshot()["book"] == after)
      try db.execute(sql: "INSERT INTO bookText(bookText) VALUES ('integrity-check')")
    }
  }

  @Test(.needs(.fullText), arguments: ["RAISE(ABORT, 'no')", "abs(-9223372036854775807 - 1)"])
  func `a trigger that writes nothing does not run beside a full-text table`(call: String) throws {
    let shop = try makeShop("INSERT INTO book VALUES (1, NULL, 'Emma', 9)")
    try shop.write { db in
      try db.create(virtualTable: "bookText", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
      try db.execute(
        sql: """
          CREATE TRIGGER noCheaper BEFORE UPDATE OF price ON book WHEN new.price < old.price
          BEGIN SELECT \(call); END
          """)
      let changeset = try db.changes("UPDATE book SET title = 'X', price = 12")
      try changeset.inverted().apply(to: db)
      try #expect(
        Row.fetchAll(db, sql: "SELECT title, price FROM book") == [["title": "Emma", "price": 9.0]])
      let found = try Int.fetchAll(
        db, sql: "SELECT rowid FROM bookText WHERE bookText MATCH 'emma'")
      #expect(found == [1])
      // It still runs otherwise.
      let error = databaseError { try db.execute(sql: "UPDATE book SET price = 1") }
      #expect(error != nil)
    }
  }

  @Test(
    .needs(.fullText),
    arguments: [
      // Its texts are nowhere else.
      ("fts5(title)", "CREATE TRIGGER"),
      // The trigger can't be turned off.
      ("fts5(title, content='book', content_rowid='id')", "CREATE TEMP TRIGGER"),
    ])
  func `a trigger that writes nothing runs beside those that fill, where these must run`(
    module: String, creation: String
  ) throws {
    let shop = try makeShop(
      """
      CREATE VIRTUAL TABLE bookText USING \(module);
      CREATE TRIGGER filled AFTER INSERT ON book BEGIN
        INSERT INTO bookText (rowid, title) VALUES (new.id, new.title);
      END;
      CREATE TRIGGER emptied BEFORE DELETE ON book BEGIN
        DELETE FROM bookText WHERE rowid = old.id;
      END;
      \(creation) refused BEFORE UPDATE ON book WHEN new.price < 0 BEGIN
        SELECT RAISE(ABORT, 'no');
      END;
      """)
    try shop.write { db in
      func found() throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT rowid FROM bookText WHERE bookText MATCH 'emma'")
      }
      let changeset = try db.changes("INSERT INTO book VALUES (1, NULL, 'Emma', 9)")
      try #expect(found() == [1])
      try changeset.inverted().apply(to: db)
      try #expect(found() == [])
      try changeset.apply(to: db)
      try #expect(found() == [1])
    }
  }

  @Test(
    .needs(.fullText),
    arguments: [
      // The indexed table has no such column.
      ("body", "", [1, 2]),
      // The book 2 is not indexed.
      ("title", "WHEN new.price > 0", [1]),
    ])
  func `a trigger that writes nothing runs beside those that fill otherwise than a rebuild`(
    column: String, condition: String, indexed: [Int]
  ) throws {
    let shop = try makeShop(
      """
      CREATE VIRTUAL TABLE bookText USING fts5(\(column), content='book', content_rowid='id');
      CREATE TRIGGER filled AFTER INSERT ON book \(condition) BEGIN
        INSERT INTO bookText (rowid, \(column)) VALUES (new.id, new.title);
      END;
      CREATE TRIGGER emptied AFTER DELETE ON book \(condition.replacing("new", with: "old")) BEGIN
        INSERT INTO bookText (bookText, rowid, \(column)) VALUES ('delete', old.id, old.title);
      END;
      CREATE TRIGGER refused BEFORE UPDATE ON book WHEN new.price < 0 BEGIN
        SELECT RAISE(ABORT, 'no');
      END;
      """)
    try shop.write { db in
      func found() throws -> [Int] {
        try Int.fetchAll(db, sql: "SELECT rowid FROM bookText WHERE bookText MATCH 'emma'")
      }
      let changeset = try db.changes(
        "INSERT INTO book VALUES (1, NULL, 'Emma', 9), (2, NULL, 'Emma', 0)")
      try #expect(found() == indexed)
      try changeset.inverted().apply(to: db)
      try #expect(found() == [])
      try changeset.apply(to: db)
      try #expect(found() == indexed)
    }
  }

  @Test(
    .needs(.fullText),
    arguments: [
      "WHERE new.price > 0", "FROM (SELECT 1) WHERE new.price > 0", "LIMIT new.price > 0",
    ])
  func `a trigger that writes nothing runs beside those that fill from a selection`(clause: String)
    throws
  {
    let shop = try makeShop(
      """
      CREATE VIRTUAL TABLE bookText USING fts5(title, content='book', content_rowid='id');
      CREATE TRIGGER filled AFTER INSERT ON book BEGIN
        INSERT INTO bookText (rowid, title) SELECT new.id, new.title \(clause);
      END;
      CREATE TRIGGER refused BEFORE UPDATE ON book WHEN new.price < 0 BEGIN
        SELECT RAISE(ABORT, 'no');
      END;
      INSERT INTO book VALUES (2, NULL, 'Draft', 0);
      """)
    try shop.write { db in
      let changeset = try db.changes("INSERT INTO book VALUES (1, NULL, 'Emma', 9)")
      try db.execute(
        sql: """
          DELETE FROM book WHERE id = 1;
          INSERT INTO bookText (bookText, rowid, title) VALUES ('delete', 1, 'Emma')
          """)
      try changeset.apply(to: db)
      let found = try Int.fetchAll(
        db, sql: "SELECT rowid FROM bookText WHERE bookText MATCH 'emma OR draft'")
      #expect(found == [1])
    }
  }

  @Test func `columns and texts named rollback roll nothing back`() throws {
    let shop = try makeShop(
      """
      CREATE TABLE job (
        id INTEGER PRIMARY KEY ON CONFLICT IGNORE, rollback INT, CHECK (id OR rollback));
      CREATE TRIGGER noted AFTER INSERT ON job BEGIN SELECT 'rollback', new.rollback; END;
      """)
    try shop.write { db in
      let changeset = try db.changes("INSERT INTO job VALUES (1, 2)")
      try changeset.inverted().apply(to: db)
      try changeset.apply(to: db, runsTriggers: true)
      try #expect(Row.fetchAll(db, sql: "SELECT * FROM job") == [["id": 1, "rollback": 2]])
    }
  }

  @Test func `a row without rowid that misses its parent is a conflict, also beside others`() throws
  {
    let shop = try makeShop(
      """
      CREATE TABLE page (
        number INTEGER PRIMARY KEY, bookId REFERENCES book ON DELETE CASCADE) WITHOUT ROWID;
      \(Self.rows) INSERT INTO page VALUES (7, 1);
      """)
    try shop.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: "INSERT INTO page VALUES (8, 99)")
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
    // The page 7 misses its book then, and 8 does no longer: SQLite names neither.
    let exchange = try changes(
      "DELETE FROM book WHERE id = 1; INSERT INTO book VALUES (99, 1, 'New', 1)")
    try shop.write { db in
      let error = changesetError { try exchange.apply(to: db) }
      #expect(error?.conflict?.kind == .foreignKey)
      #expect(error?.conflict?.violationCount == 1)
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book ORDER BY id") == [1, 2])
    }
  }

  @Test func `only rows that miss their parents since then are a conflict`() throws {
    let shop = try makeShop(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, bookId REFERENCES book ON DELETE CASCADE);
      \(Self.rows) INSERT INTO page VALUES (7, 1);
      """)
    try shop.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: "INSERT INTO page VALUES (8, 99)")
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
    let price = try changes("UPDATE book SET price = 1 WHERE id = 1")
    // The page 7 misses its book then, and 8 does no longer.
    let exchange = try changes(
      "DELETE FROM book WHERE id = 1; INSERT INTO book VALUES (99, 1, 'New', 1)")
    try shop.write { db in
      try price.apply(to: db)
      try price.inverted().apply(to: db)
      let error = changesetError { try exchange.apply(to: db) }
      #expect(error?.conflict?.kind == .foreignKey)
      #expect(error?.conflict?.violationCount == 1)
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book ORDER BY id") == [1, 2])
      try exchange.apply(to: db) { _ in .omit }
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM book ORDER BY id") == [2, 99])
    }
  }

  @Test func `a read-only access throws, and leaves the connection as it was`() throws {
    let changeset = try changes("UPDATE author SET name = 'X'")
    let shop = try makeShop(Self.rows)
    let error = try shop.read { db in databaseError { try changeset.apply(to: db) } }
    #expect(error?.resultCode == .SQLITE_READONLY)
    try shop.write { db in try changeset.apply(to: db) }
  }

  @Test func `deferred foreign keys stay deferred`() throws {
    let changeset = try changes("UPDATE author SET name = 'X'")
    try makeShop(Self.rows).write { db in
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
      try changeset.apply(to: db)
      try #expect(Bool.fetchOne(db, sql: "PRAGMA defer_foreign_keys") == true)
    }
  }

  @Test(
    arguments: [
      ")", "DEFERRABLE INITIALLY DEFERRED)", "DEFERRABLE INITIALLY DEFERRED) WITHOUT ROWID",
      "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED)",
    ], [false, true])
  func `a transaction that violates deferred foreign keys is refused`(
    clauses: String, runsTriggers: Bool
  ) throws {
    let schema = """
      CREATE TABLE page (
        id INTEGER PRIMARY KEY, bookId REFERENCES book \(clauses);
      """
    let author = try changes("INSERT INTO author VALUES (2, 'X')", schema: schema)
    let book = try changes("INSERT INTO book VALUES (7, 1, 'Sanditon', 5)", schema: schema)
    let shop = try makeShop(schema + Self.rows)
    func refuse(_ db: Database) throws {
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON; INSERT INTO page VALUES (1, 7)")
      for changeset in [author, book] {
        let before = try db.snapshot()
        let error = changesetError {
          try changeset.apply(to: db, runsTriggers: runsTriggers) { _ in .omit }
        }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("violates deferred foreign keys") == true)
        try #expect(db.snapshot() == before)
      }
    }
    let error = databaseError { try shop.write { db in try refuse(db) } }
    #expect(error?.resultCode == .SQLITE_CONSTRAINT)
    try shop.write { db in
      try refuse(db)
      try db.execute(sql: "DELETE FROM page")
      try book.apply(to: db, runsTriggers: runsTriggers)
      try db.execute(sql: "INSERT INTO page VALUES (1, 7)")
    }
    try shop.read { db in
      try #expect(Int.fetchAll(db, sql: "SELECT bookId FROM page") == [7])
      try #expect(Row.fetchAll(db, sql: "PRAGMA foreign_key_check") == [])
    }
  }

  /// SQLite 3.40 counts a violation that `INITIALLY DEFERRED` has deferred, and -1 apart from it
  /// for the repair; SQLite 3.53 has one count for both.
  @Test func `a transaction that has repaired what SQLite counts apart names the way out`() throws {
    let schema = """
      CREATE TABLE page (
        id INTEGER PRIMARY KEY, bookId REFERENCES book DEFERRABLE INITIALLY DEFERRED);
      """
    let changeset = try changes("INSERT INTO author VALUES (2, 'X')", schema: schema)
    let shop = try makeShop(schema)
    try shop.write { db in
      try db.execute(
        sql: """
          INSERT INTO page VALUES (1, 7);
          PRAGMA defer_foreign_keys = ON;
          INSERT INTO book VALUES (7, NULL, 'Sanditon', 5);
          """)
      try #expect(Row.fetchAll(db, sql: "PRAGMA foreign_key_check") == [])
      let error = changesetError { try changeset.apply(to: db) }
      if error == nil {
        #expect(SQLiteBuild.version > 3_040_001)
        try #expect(String.fetchAll(db, sql: "SELECT name FROM author") == ["X"])
        try changeset.inverted().apply(to: db)
      } else {
        #expect(SQLiteBuild.version < 3_053_000)
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("only the commit resets the count") == true)
      }
    }
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
