import CSQLite
import Foundation
import Quarry
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Recorded changes", .needs(.sessions))
struct RecordingTests {
  @Test func `changes have their table, kind, key and values`() throws {
    try makeShop().write { db in
      try db.execute(
        sql: """
          INSERT INTO author VALUES (1, 'Jane Austen');
          INSERT INTO book VALUES (1, 1, 'Emma', 9.5), (2, NULL, 'Beowulf', NULL);
          """)
      let changeset = try db.changes(
        """
        INSERT INTO book VALUES (3, 1, 'Persuasion', 8);
        UPDATE book SET price = 10.5 WHERE id = 1;
        DELETE FROM book WHERE id = 2;
        """)
      #expect(changeset.tables == ["book"])
      #expect(changeset.count == 3)
      let changes = Dictionary(uniqueKeysWithValues: changeset.changes.map { ($0.key, $0) })
      let insertion = try #require(changes[[3.databaseValue]])
      #expect(insertion.kind == .insert)
      #expect(insertion.table == "book")
      #expect(insertion.oldValues == nil)
      #expect(
        insertion.newValues == [
          3.databaseValue, 1.databaseValue, "Persuasion".databaseValue, 8.0.databaseValue,
        ])
      let update = try #require(changes[[1.databaseValue]])
      #expect(update.kind == .update)
      #expect(update.oldValues == [1.databaseValue, nil, nil, 9.5.databaseValue])
      #expect(update.newValues == [nil, nil, nil, 10.5.databaseValue])
      #expect(update.changedColumns == [3])
      let deletion = try #require(changes[[2.databaseValue]])
      #expect(deletion.kind == .delete)
      #expect(deletion.newValues == nil)
      #expect(
        deletion.oldValues == [2.databaseValue, .null, "Beowulf".databaseValue, .null])
      #expect(deletion.description == "delete book [2]")
    }
  }

  @Test func `a patchset has keys and new values only`() throws {
    try makeShop("INSERT INTO book VALUES (1, NULL, 'Emma', 9), (2, NULL, 'Emma', 9)").write { db in
      let patchset = try db.recordPatchset {
        try db.execute(
          sql: "UPDATE book SET price = 10 WHERE id = 1; DELETE FROM book WHERE id = 2")
      }
      #expect(patchset.isPatchset)
      let changes = patchset.changes.sorted { $0.key[0].description < $1.key[0].description }
      #expect(changes.map(\.description) == ["update book [1]", "delete book [2]"])
      #expect(changes[0].oldValues == [1.databaseValue, nil, nil, nil])
      #expect(changes[0].newValues == [nil, nil, nil, 10.0.databaseValue])
      #expect(changes[1].oldValues == [2.databaseValue, nil, nil, nil])
      try #expect(Changeset(data: patchset.data) == patchset)
    }
  }

  @Test func `what a savepoint undoes, or comes and goes, is not recorded`() throws {
    try makeShop().write { db in
      let changeset = try db.recordChanges {
        try db.inSavepoint {
          try db.execute(sql: "INSERT INTO author VALUES (1, 'Nobody')")
          return .rollback
        }
        try db.execute(
          sql: "INSERT INTO author VALUES (2, 'X'); DELETE FROM author WHERE id = 2")
      }
      #expect(changeset.isEmpty)
      #expect(changeset == Changeset())
      #expect(changeset.description == "no changes")
    }
  }

  @Test func `changes of triggers and foreign keys are indirect`() throws {
    let shop = try makeShop(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY, bookId REFERENCES book ON DELETE CASCADE);
      CREATE TABLE log (id INTEGER PRIMARY KEY, text);
      CREATE TRIGGER t AFTER DELETE ON book BEGIN INSERT INTO log VALUES (1, old.title); END;
      INSERT INTO book VALUES (1, NULL, 'Emma', 9);
      INSERT INTO page VALUES (7, 1);
      """)
    try shop.write { db in
      let changeset = try db.changes("DELETE FROM book")
      #expect(
        Set(changeset.changes.map { "\($0) \($0.isIndirect)" }) == [
          "delete book [1] false", "delete page [7] true", "insert log [1] true",
        ])
    }
  }

  @Test func `a deletion of all rows is recorded, also by a statement that was compiled before`()
    throws
  {
    try makeShop("INSERT INTO author VALUES (1, 'A'), (2, 'B')").write { db in
      let statement = try db.makeStatement(sql: "DELETE FROM author")
      try db.execute(sql: "DELETE FROM book")
      try db.inSavepoint {
        try statement.execute()
        return .rollback
      }
      let changeset = try db.recordChanges { try statement.execute() }
      #expect(changeset.count == 2)
    }
  }

  @Test func `WITHOUT ROWID tables and replaced rows are recorded`() throws {
    let shop = try makeShop(
      """
      CREATE TABLE code (a TEXT NOT NULL, b INTEGER NOT NULL, c, PRIMARY KEY (b, a)) WITHOUT ROWID;
      CREATE TABLE name (id INTEGER PRIMARY KEY, text UNIQUE);
      INSERT INTO code VALUES ('x', 1, 'old');
      INSERT INTO name VALUES (1, 'one'), (2, 'two');
      """)
    try shop.write { db in
      let changeset = try db.changes(
        "REPLACE INTO code VALUES ('x', 1, 'new'); REPLACE INTO name VALUES (3, 'one')")
      #expect(
        Set(changeset.changes.map(\.description)) == [
          "update code [\"x\", 1]", "delete name [1]", "insert name [3]",
        ])
    }
  }

  @Test(arguments: [
    ("CREATE TABLE t (a)", "INSERT INTO t VALUES (1)", "declares no primary key"),
    (
      "CREATE TABLE t (a DOUBLE PRECISION, b, PRIMARY KEY (b, a))", "INSERT INTO t VALUES (1, 2)",
      "the column a of type REAL"
    ),
    (
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (a + 1))", "INSERT INTO t VALUES (1, 2)",
      "generated columns, such as b"
    ),
    (
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b AS (a + 1) STORED)",
      "INSERT INTO t VALUES (1, 2)", "generated columns, such as b"
    ),
    (
      "CREATE TABLE t (a TEXT COLLATE NOCASE NOT NULL, b, PRIMARY KEY (a COLLATE BINARY))",
      "INSERT INTO t VALUES ('bob', 1), ('Bob', 2)", "compares the column a by another collation"
    ),
    (
      """
      CREATE TABLE t (
        a TEXT COLLATE RTRIM NOT NULL, b, PRIMARY KEY (b, a COLLATE NOCASE)) WITHOUT ROWID
      """,
      "INSERT INTO t VALUES ('bob', 1), ('bob ', 1)", "compares the column a by another collation"
    ),
  ])
  func `tables that can't be recorded throw, listed or changed`(
    table: String, sql: String, message: String
  ) throws {
    let shop = try makeShop(table)
    let listed = changesetError {
      try shop.write { db in _ = try db.changes(sql, in: ["T"]) }
    }
    #expect(listed?.code == .unrecordable)
    #expect(listed?.message.contains(message) == true)
    let changed = changesetError { try shop.write { db in _ = try db.changes(sql) } }
    #expect(changed?.code == .unrecordable)
    #expect(changed?.table == "t")
    #expect(changed?.message.contains(message) == true)
    try shop.write { db in
      // Rolled back.
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
      // Others are listed.
      try #expect(db.changes(sql, in: ["book"]).isEmpty)
      try #expect(db.changes("INSERT INTO author VALUES (1, 'A')").count == 1)
    }
  }

  @Test func `a column of a key may be BINARY where the key is not`() throws {
    let shop = try makeShop(
      """
      CREATE TABLE tag (name TEXT NOT NULL, n, PRIMARY KEY (name COLLATE NOCASE));
      INSERT INTO tag VALUES ('bob', 1)
      """)
    try shop.write { db in
      let changeset = try db.changes("UPDATE tag SET name = 'Bob'")
      #expect(
        Set(changeset.changes.map(\.description)) == [
          "delete tag [\"bob\"]", "insert tag [\"Bob\"]",
        ])
      try changeset.inverted().apply(to: db)
      try #expect(String.fetchAll(db, sql: "SELECT name FROM tag") == ["bob"])
    }
  }

  /// SQLite 3.40 mistakes them in tables `WITHOUT ROWID`, which are refused.
  @Test func `numbers keep their types where columns stand before the key`() throws {
    let shop = try makeShop(
      """
      CREATE TABLE price (amount REAL, item INTEGER NOT NULL, PRIMARY KEY (item)) WITHOUT ROWID;
      INSERT INTO price VALUES (3.0, 4);
      CREATE TABLE weight (grams REAL, item INTEGER PRIMARY KEY);
      INSERT INTO weight VALUES (3.0, 4);
      CREATE TABLE size (
        shop TEXT NOT NULL, item INTEGER NOT NULL, width REAL,
        PRIMARY KEY (item, shop)) WITHOUT ROWID;
      INSERT INTO size VALUES ('Bath', 4, 3.0);
      """)
    let text = { (change: Change) -> String in
      (change.oldValues ?? []).map { $0?.description ?? "none" }.joined(separator: " ")
    }
    try shop.write { db in
      let weights = try db.changes("DELETE FROM weight").changes
      #expect(weights.map(text) == ["3.0 4"])
      let sizes = try db.changes("DELETE FROM size").changes
      #expect(sizes.map(text) == ["\"Bath\" 4 3.0"])
    }
    do {
      try shop.write { db in
        let none = try db.changes(
          "INSERT INTO price VALUES (1.5, 9); DELETE FROM price WHERE item = 9")
        #expect(none.isEmpty)
        let prices = try db.changes("DELETE FROM price").changes
        #expect(prices.map(text) == ["3.0 4"])
      }
    } catch let error as ChangesetError {
      #expect(SQLiteBuild.version < 3_053_000)
      #expect(error.code == .unrecordable)
      #expect(error.table == "price")
      #expect(error.column == "item")
      #expect(error.message.contains("Declare the columns of the key first"))
      let items = try shop.read { db in try Int.fetchAll(db, sql: "SELECT item FROM price") }
      #expect(items == [4])
    }
  }

  @Test(arguments: [
    ("name TEXT PRIMARY KEY COLLATE NOCASE", "'bob'", "UPDATE tag SET name = 'Bob'"),
    (
      "name TEXT PRIMARY KEY COLLATE NOCASE", "'bob'",
      "DELETE FROM tag; INSERT INTO tag VALUES ('Bob', 1)"
    ),
    ("name TEXT PRIMARY KEY COLLATE RTRIM", "'bob'", "UPDATE tag SET name = 'bob ', n = 2"),
    ("name PRIMARY KEY", "1", "UPDATE tag SET name = 1.0"),
  ])
  func `a key that is replaced by an equal one is refused`(
    key: String, name: String, sql: String
  ) throws {
    let shop = try makeShop(
      "CREATE TABLE tag (\(key), n INTEGER); INSERT INTO tag VALUES (\(name), 1)")
    var errors: [ChangesetError?] = []
    try withTemporaryDirectory { directory in
      let url = URL(fileURLWithPath: directory + "/a.changes")
      #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
      let file = try FileHandle(forWritingTo: url)
      let recordings: [(Database) throws -> Void] = [
        { db in _ = try db.changes(sql) },
        { db in _ = try db.recordPatchset { try db.execute(sql: sql) } },
        { db in try db.recordChanges(to: file) { try db.execute(sql: sql) } },
      ]
      errors = recordings.map { record in changesetError { try shop.write { try record($0) } } }
      try file.close()
    }
    for error in errors {
      #expect(error?.code == .unrecordable)
      #expect(error?.table == "tag")
      #expect(error?.message.contains("Delete the row in one recording") == true)
    }
    try shop.write { db in
      // Rolled back.
      try #expect(Int.fetchOne(db, sql: "SELECT n FROM tag") == 1)
      // The row is changed otherwise.
      try #expect(db.changes("UPDATE tag SET n = 2").changes.map(\.kind) == [.update])
      try #expect(db.changes("UPDATE tag SET name = 'Anna'").count == 2)
    }
  }

  @Test(arguments: [
    (
      "name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE",
      "INSERT INTO tag VALUES ('bob', 1); UPDATE tag SET name = 'Bob'", 1
    ),
    (
      "name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE",
      "INSERT INTO tag VALUES ('bob', 1); DELETE FROM tag; INSERT INTO tag VALUES ('Bob', 2)", 1
    ),
    (
      "name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE",
      "INSERT INTO tag VALUES ('bob', 1), ('al', 1); REPLACE INTO tag VALUES ('Bob', 2), ('AL', 3)",
      2
    ),
    ("name PRIMARY KEY NOT NULL", "INSERT INTO tag VALUES (1, 1); UPDATE tag SET name = 1.0", 1),
  ])
  func `a key that is inserted and replaced by an equal one is inserted once`(
    key: String, sql: String, count: Int
  ) throws {
    let schema = "CREATE TABLE tag (\(key), n INTEGER)"
    let patchset = try makeShop(schema).write { db in
      try db.recordPatchset { try db.execute(sql: sql) }
    }
    try makeShop(schema).write { db in
      let changeset = try db.changes(sql)
      #expect(changeset.changes.map(\.kind) == Array(repeating: .insert, count: count))
      let rows = try db.snapshot()
      for changes in [changeset, patchset] {
        try db.execute(sql: "DELETE FROM tag")
        try changes.apply(to: db)
        try #expect(db.snapshot() == rows)
      }
      try changeset.inverted().apply(to: db)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM tag") == 0)
    }
  }

  @Test func `a recording of insertions leaves the statements compiled`() throws {
    let shop = try makeShop("CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE)")
    try shop.write { db in
      let statement = try db.makeStatement(sql: "SELECT name FROM tag ORDER BY name")
      for (index, name) in ["ann", "bob", "eve"].enumerated() {
        try #expect(String.fetchAll(statement) == Array(["ann", "bob"].prefix(index)))
        let changes = try db.changes("INSERT INTO tag VALUES ('\(name)')").changes
        #expect(changes.map(\.description) == ["insert tag [\"\(name)\"]"])
      }
      try #expect(String.fetchAll(statement) == ["ann", "bob", "eve"])
      let handle = statement.sqliteStatement
      #expect(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) == 0)
    }
  }

  @Test func `a key that an equal one has replaced for a while is updated`() throws {
    let schema = """
      CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, n INTEGER);
      INSERT INTO tag VALUES ('bob', 1);
      """
    try makeShop(schema).write { db in
      let changeset = try db.changes(
        "UPDATE tag SET name = 'Bob'; UPDATE tag SET name = 'bob', n = 2")
      #expect(changeset.changes.map(\.description) == ["update tag [\"bob\"]"])
      try changeset.inverted().apply(to: db)
      try #expect(Row.fetchAll(db, sql: "SELECT * FROM tag") == [["name": "bob", "n": 1]])
    }
  }

  @Test(arguments: [
    ("TEXT COLLATE NOCASE", "'bob'", "UPDATE tag SET name = 'Bob'; UPDATE tag SET name = 'bob'"),
    (
      "TEXT COLLATE NOCASE", "'bob'",
      "REPLACE INTO tag VALUES ('Bob', 2); REPLACE INTO tag VALUES ('bob', 1)"
    ),
    ("TEXT COLLATE NOCASE", "'bob'", "REPLACE INTO tag VALUES ('Bob', 2), ('ann', -1)"),
    (
      "TEXT COLLATE NOCASE", "'bob'",
      "SAVEPOINT a; UPDATE tag SET name = 'Bob'; ROLLBACK TO a; RELEASE a"
    ),
    ("TEXT COLLATE RTRIM", "'bob'", "UPDATE tag SET name = 'bob '; UPDATE tag SET name = 'bob'"),
    ("", "1", "UPDATE tag SET name = 1.0; UPDATE tag SET name = 1"),
  ])
  func `a row is not changed where an equal key has replaced its own for a while`(
    type: String, name: String, sql: String
  ) throws {
    let schema = """
      CREATE TABLE tag (name \(type) PRIMARY KEY NOT NULL, n INTEGER CHECK (n > 0));
      INSERT INTO tag VALUES (\(name), 1);
      """
    try makeShop(schema).write { db in
      let rows = try db.snapshot()
      // One of the statements fails.
      let changeset = try db.recordChanges { try? db.execute(sql: sql) }
      #expect(changeset.isEmpty)
      let patchset = try db.recordPatchset {
        try? db.execute(sql: sql)
        try db.execute(sql: "INSERT INTO tag VALUES ('zoe', 1)")
      }
      #expect(patchset.changes.map(\.description) == ["insert tag [\"zoe\"]"])
      let deletion = try db.recordChanges {
        try? db.execute(sql: sql)
        try db.execute(sql: "DELETE FROM tag WHERE name <> 'zoe'")
      }
      #expect(deletion.changes.map(\.kind) == [.delete])
      try deletion.inverted().apply(to: db)
      try db.execute(sql: "DELETE FROM tag WHERE name = 'zoe'")
      try #expect(db.snapshot() == rows)
    }
  }

  @Test(.needs(.fullText)) func `virtual tables are left out, and can't be listed`() throws {
    let shop = try makeShop("CREATE VIRTUAL TABLE Text USING fts5(content)")
    let error = changesetError {
      try shop.write { db in _ = try db.changes("", in: ["text"]) }
    }
    #expect(error?.message.contains("it is a virtual table") == true)
    try shop.write { db in
      let changeset = try db.changes(
        "INSERT INTO Text VALUES ('x'); INSERT INTO author VALUES (1, 'A')")
      #expect(changeset.tables == ["author"])
    }
  }

  @Test(.needs(.fullText)) func `a name that begins like a virtual table's is recorded`() throws {
    let shop = try makeShop(
      """
      CREATE VIRTUAL TABLE docs USING fts5(body);
      CREATE TABLE docs_tags (id INTEGER PRIMARY KEY);
      """)
    try shop.write { db in
      let changeset = try db.changes(
        "INSERT INTO docs_tags VALUES (1); INSERT INTO docs VALUES ('x')")
      #expect(changeset.tables == ["docs_tags"])
    }
  }

  @Test func `a missing table can't be listed, and names the schema`() throws {
    let error = changesetError {
      try makeShop().write { db in _ = try db.changes("", in: ["boook"]) }
    }
    #expect(
      error?.message
        == "changes of boook can't be recorded: there is no such table in the schema main")
    #expect(error?.table == "boook")
  }

  @Test(arguments: [nil, [], ["book"]]) func `a schema that does not exist throws`(
    tables: [String]?
  ) throws {
    try makeShop().write { db in
      let error = databaseError { _ = try db.changes("", in: tables, schema: "nowhere") }
      #expect(error?.message == "no such schema: nowhere")
      try #expect(db.changes("", in: tables, schema: "MAIN").isEmpty)
    }
  }

  @Test func `rows whose key has a null are not recorded`() throws {
    try makeShop("CREATE TABLE code (id TEXT PRIMARY KEY, a)").write { db in
      let changeset = try db.changes("INSERT INTO code VALUES (NULL, 1), ('x', 2)")
      #expect(changeset.changes.map(\.description) == ["insert code [\"x\"]"])
    }
  }

  @Test func `temporary and attached tables have their schema`() throws {
    try makeShop("CREATE TEMP TABLE cart (id INTEGER PRIMARY KEY, n)").writeWithoutTransaction {
      db in
      try db.execute(
        sql: "ATTACH ':memory:' AS archive; CREATE TABLE archive.book (id INTEGER PRIMARY KEY)")
      let sql = "INSERT INTO cart VALUES (1, 2); INSERT INTO archive.book VALUES (5)"
      try #expect(db.changes(sql).isEmpty)
      try db.execute(sql: "DELETE FROM cart; DELETE FROM archive.book")
      try #expect(db.changes(sql, schema: "temp").tables == ["cart"])
      try db.execute(sql: "DELETE FROM cart; DELETE FROM archive.book")
      try #expect(db.changes(sql, in: ["book"], schema: "archive").tables == ["book"])
      #expect(databaseError { _ = try db.changes(sql, schema: "nowhere") } != nil)
    }
  }

  // Later versions record tables whose columns are added to.
  @Test(.enabled(if: SQLiteBuild.version < 3_044_000))
  func `a table that is altered meanwhile throws`() throws {
    let error = changesetError {
      try makeShop("INSERT INTO author VALUES (1, 'A')").write { db in
        _ = try db.changes("UPDATE author SET name = 'B'; ALTER TABLE author ADD COLUMN born")
      }
    }
    #expect(error?.code == .unrecordable)
    #expect(error?.message.contains("alter and drop tables before or after it") == true)
  }

  @Test func `errors and interruptions end the recording`() throws {
    struct Mine: Error {}
    let shop = try makeShop()
    for _ in 0..<3 {
      #expect(throws: Mine.self) {
        try shop.write { db in
          _ = try db.recordChanges {
            try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
            throw Mine()
          }
        }
      }
      #expect(throws: DatabaseError.self) {
        try shop.write { db in
          _ = try db.recordChanges {
            try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
            shop.interrupt()
            try db.execute(sql: "SELECT count(*) FROM author, author, author, author")
            throw DatabaseError(resultCode: .SQLITE_INTERRUPT)
          }
        }
      }
    }
    try shop.write { db in
      try #expect(db.changes("INSERT INTO author VALUES (1, 'A')").count == 1)
    }
    try shop.close()
  }

  @Test func `recordings stand inside of each other`() throws {
    try makeShop().write { db in
      var inner = Changeset()
      let outer = try db.recordChanges {
        try db.execute(sql: "INSERT INTO author VALUES (1, 'A')")
        inner = try db.changes("INSERT INTO author VALUES (2, 'B')")
      }
      #expect(inner.count == 1)
      #expect(outer.count == 2)
    }
  }

  @Test func `a read-only access changes nothing`() throws {
    let shop = try makeShop()
    try shop.read { db in
      try #expect(db.recordChanges { _ = try Int.fetchOne(db, sql: "SELECT 1") }.isEmpty)
    }
  }

  @Test func `a preupdate hook of the application is an error`() throws {
    try makeShop().write { db in
      sqlite3_preupdate_hook_for_tests(db)
      let error = databaseError { _ = try db.changes("") }
      #expect(error?.message?.contains("the application has a preupdate hook") == true)
      try #expect(db.changes("INSERT INTO author VALUES (1, 'A')").count == 1)
    }
  }

  @Test func `a recording can't begin in a statement that is observed`() throws {
    let shop = try makeShop()
    let observer = EventLog()
    shop.add(transactionObserver: observer)
    try shop.write { db in
      nonisolated(unsafe) let connection = db
      db.add(
        function: DatabaseFunction("recorded", argumentCount: 0) { _ in
          _ = try connection.changes("INSERT INTO author VALUES (9, 'I')")
          return 1
        })
      let error = databaseError {
        try db.execute(sql: "INSERT INTO author VALUES (recorded(), 'A')")
      }
      #expect(error?.message?.contains("inside of a statement") == true)
    }
  }
}

/// Sets a hook, as an application may do with the C API.
func sqlite3_preupdate_hook_for_tests(_ db: Database) {
  let context = UnsafeMutableRawPointer(Unmanaged.passUnretained(db).toOpaque())
  _ = quarry_preupdate_hook(db.sqliteConnection, { _, _, _, _, _, _, _ in }, context)
}

@Suite("Sessions where SQLite has none", .lacks(.sessions))
struct MissingSessionTests {
  @Test func `recording and applying throw`() throws {
    let error = changesetError { try makeShop().write { db in _ = try db.changes("") } }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("SQLITE_ENABLE_SESSION") == true)
    #expect(
      changesetError { try makeShop().write { db in try Changeset().apply(to: db) } }?.code
        == .unavailable)
    try withTemporaryDirectory { directory in
      let url = URL(fileURLWithPath: directory + "/a.changes")
      try Changeset().write(to: url)
      let error = changesetError {
        try makeShop().write { db in try db.applyChanges(contentsOf: url) }
      }
      #expect(error?.code == .unavailable)
    }
    #expect(changesetError { _ = try Changeset().inverted() }?.code == .unavailable)
    #expect(changesetError { _ = try Changeset.combining([]) }?.code == .unavailable)
    #expect(changesetError { _ = try Changeset().rebased(on: []) }?.code == .unavailable)
  }
}
