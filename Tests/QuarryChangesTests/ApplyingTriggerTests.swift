import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Triggers while changesets are applied", .needs(.sessions))
struct ApplyingTriggerTests {
  @Test func `triggers and foreign key actions don't run again`() throws {
    let schema = """
      CREATE TABLE page (id INTEGER PRIMARY KEY, bookId REFERENCES book ON DELETE CASCADE);
      CREATE TABLE log (id INTEGER PRIMARY KEY, text);
      CREATE TRIGGER t AFTER DELETE ON book
      BEGIN INSERT INTO log (text) VALUES (old.title); END;
      """
    let rows = shopRows + "INSERT INTO page VALUES (7, 1), (8, 2);"
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
    let changeset = try shopChanges("INSERT INTO author VALUES (3, 'New')")
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

  /// SQLite declares a virtual table when a connection uses it for the first time.
  @Test(
    .needs(.fullText, .rTree),
    arguments: [
      ("fts5(title)", "rowid, title", "new.id, new.title"),
      ("fts4(title)", "rowid, title", "new.id, new.title"),
      ("rtree(id, low, high)", "id, low, high", "new.id, new.price, new.price"),
    ])
  func `a virtual table follows on a connection that has not used it`(
    module: String, columns: String, values: String
  ) throws {
    let schema = """
      CREATE VIRTUAL TABLE entry USING \(module);
      CREATE TRIGGER fill AFTER INSERT ON book
      BEGIN INSERT INTO entry(\(columns)) VALUES (\(values)); END;
      """
    let changeset = try makeShop(schema).write { db in
      try db.changes("INSERT INTO book VALUES (7, NULL, 'Emma', 9)")
    }
    let copy = try DatabaseQueue()
    try makeShop(schema).backup(to: copy)
    try copy.write { db in
      try changeset.apply(to: db)
      try #expect(Int.fetchAll(db, sql: "SELECT rowid FROM entry") == [7])
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
    let changeset = try shopChanges(
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
    let changeset = try shopChanges("INSERT INTO author VALUES (3, 'New')")
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
    let changeset = try shopChanges("INSERT INTO author VALUES (3, 'New')")
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
}
