import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

struct TableRebuildTests {
  /// A database whose foreign keys are not enforced while `body` runs in a migration.
  private func migrate(
    _ queue: DatabaseQueue, _ body: @escaping @Sendable (Database) throws -> Void
  ) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("rebuild", migrate: body)
    try migrator.migrate(queue)
  }

  private func makeDatabase() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE player (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, score TEXT,
            teamId INTEGER REFERENCES team(id), captainId INTEGER REFERENCES player(id));
          CREATE TABLE award (
            id INTEGER PRIMARY KEY, playerId INTEGER NOT NULL REFERENCES player(id) ON DELETE CASCADE);
          CREATE INDEX playerByName ON player(name);
          CREATE UNIQUE INDEX playerByUpperName ON player(upper(name)) WHERE name <> '';
          CREATE VIEW topPlayer AS SELECT id, name FROM player WHERE score > 10;
          CREATE TRIGGER topPlayerInsert INSTEAD OF INSERT ON topPlayer BEGIN
            INSERT INTO player (name, score) VALUES (NEW.name, 100);
          END;
          CREATE TABLE log (text TEXT);
          CREATE TRIGGER playerLog AFTER INSERT ON player BEGIN
            INSERT INTO log VALUES (NEW.name);
          END;
          CREATE TRIGGER teamDelete AFTER DELETE ON team BEGIN
            UPDATE player SET teamId = NULL WHERE teamId = OLD.id;
          END;
          INSERT INTO team VALUES (1, 'Red');
          INSERT INTO player (id, name, score, teamId, captainId)
            VALUES (1, 'Anna', '12', 1, NULL), (2, 'Ben', '7', 1, 1), (9, 'Zoe', '1', NULL, NULL);
          DELETE FROM player WHERE id = 9;
          INSERT INTO award VALUES (1, 1), (2, 2);
          DELETE FROM log;
          """)
    }
    return queue
  }

  private static func definePlayer(_ t: TableDefinition) {
    t.autoIncrementedPrimaryKey("id")
    t.column("name", .text).notNull().collate(.nocase)
    t.column("score", .integer).notNull().check { $0 >= 0 }
    t.column("double", .integer).generatedAs(sql: "score * 2")
    t.column("title", .text)
    t.belongsTo("team")
    t.belongsTo("captain", inTable: "player", indexed: false)
  }

  @Test func `a table gets another definition, and keeps its rows, indexes, triggers and views`()
    throws
  {
    let queue = try makeDatabase()
    try migrate(queue) { db in
      try db.rebuild(
        table: "Player", copying: [Column("title").set(to: "Dr. ".databaseValue)],
        body: Self.definePlayer)
    }
    try queue.write { db in
      try #expect(
        Row.fetchAll(db, sql: "SELECT * FROM player").map(\.description) == [
          #"[id:1 name:"Anna" score:12 double:24 title:"Dr. " teamId:1 captainId:NULL]"#,
          #"[id:2 name:"Ben" score:7 double:14 title:"Dr. " teamId:1 captainId:1]"#,
        ])
      try #expect(
        String.fetchAll(
          db,
          sql: "SELECT name FROM sqlite_master WHERE tbl_name = 'player' ORDER BY name"
        ) == ["player", "playerByName", "playerByUpperName", "playerLog", "player_on_teamId"])
      try #expect(
        String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'player'")?
          .contains(#""captainId" INTEGER REFERENCES "player"("id")"#) == true)
      // The cascade did not run, and the foreign key still designates the table.
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM award") == 2)
      try #expect(db.foreignKeys(on: "award").map(\.destinationTable) == ["player"])
      try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      try #expect(Bool.fetchOne(db, sql: "PRAGMA legacy_alter_table") == false)
      // Triggers and views work.
      try db.execute(sql: "INSERT INTO topPlayer (name) VALUES ('Carl')")
      try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["Carl"])
      try #expect(Int.fetchOne(db, sql: "SELECT max(id) FROM topPlayer") == 10)
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM topPlayer") == 2)
      try db.execute(sql: "DELETE FROM player WHERE id = 2")
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM award") == 1)
    }
  }

  @Test func `a definition may name the table before its columns`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, pages INTEGER, CHECK (book.pages > 0));
          INSERT INTO book VALUES (1, 208);
          """)
    }
    try migrate(queue) { db in
      try db.rebuild(table: "book") { t in
        t.primaryKey("id", .integer)
        t.column("pages", .integer)
        t.column("double", .integer).generatedAs(sql: #""Book".pages * 2"#)
        t.constraint(sql: "CHECK (book.pages > 0)")
      }
    }
    try queue.write { db in
      try #expect(
        Row.fetchAll(db, sql: "SELECT * FROM book") == [["id": 1, "pages": 208, "double": 416]])
      let error = #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO book (pages) VALUES (0)")
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
    }
  }

  @Test func `a table without rows gives no key twice`() throws {
    let queue = try makeDatabase()
    try queue.write { db throws in try db.execute(sql: "DELETE FROM player") }
    try migrate(queue) { db in try db.rebuild(table: "player", body: Self.definePlayer) }
    try queue.write { db throws in
      try db.execute(sql: "INSERT INTO player (name, score) VALUES ('Dora', 1)")
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM player") == [10])
    }
  }

  @Test func `values are computed from the old columns`() throws {
    let queue = try makeDatabase()
    try queue.inDatabase { db throws in
      try db.rebuild(
        table: "team", options: [],
        copying: [Column("label").set(to: Column("name").sqlExpression ?? "none")]
      ) { t in
        t.primaryKey("id", .integer)
        t.column("label", .text).notNull().unique()
      }
      try #expect(Row.fetchAll(db, sql: "SELECT * FROM team") == [["id": 1, "label": "Red"]])
      try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }
  }

  @Test func `hidden rowids are kept, and temporary tables can be rebuilt`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TEMPORARY TABLE note (text TEXT);
          INSERT INTO note (rowid, text) VALUES (7, 'a');
          """)
      try db.rebuild(table: "note") { t in
        t.column("text", .text).notNull()
      }
      try #expect(Int.fetchOne(db, sql: "SELECT rowid FROM note") == 7)
      try #expect(db.tableExists("note", in: "temp"))
      try #expect(db.columns(in: "note").map(\.isNotNull) == [true])
    }
  }

  @Test(arguments: [Database.ConflictResolution.ignore, .replace])
  func `a constraint that resolves conflicts drops no row`(
    resolution: Database.ConflictResolution
  ) throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('a'), ('a'), ('b')")
      let error = #expect(throws: DatabaseError.self) {
        try db.rebuild(table: "note") { t in
          t.column("text", .text).unique(onConflict: resolution)
        }
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      try #expect(String.fetchAll(db, sql: "SELECT text FROM note") == ["a", "a", "b"])
    }
  }

  @Test func `a new integer primary key receives the hidden rowids`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (title TEXT);
          INSERT INTO book VALUES ('The Trial'), ('The Castle'), ('Amerika');
          DELETE FROM book WHERE rowid = 1;
          """)
      try db.rebuild(table: "book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text)
      }
      try #expect(
        Row.fetchAll(db, sql: "SELECT id, title FROM book ORDER BY id") == [
          ["id": 2, "title": "The Castle"], ["id": 3, "title": "Amerika"],
        ])
    }
  }

  @Test func `temporary triggers stay temporary`() throws {
    try makeDatabase().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER spy AFTER INSERT ON main.team BEGIN
            INSERT INTO log VALUES ('team ' || NEW.name);
          END
          """)
      try db.rebuild(table: "team") { t in
        t.primaryKey("id", .integer)
        t.column("name", .text).notNull()
      }
      try #expect(db.triggerExists("spy", in: "temp") && !db.triggerExists("spy", in: "main"))
      try db.execute(sql: "INSERT INTO team (name) VALUES ('Blue')")
      try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["team Blue"])
    }
  }

  @Test func `what does not fit is an error that names it, and the table is as it was`() throws {
    let queue = try makeDatabase()
    let before = try queue.read(schemaText)
    func message(
      copying values: [ColumnAssignment] = [], _ define: @escaping (TableDefinition) -> Void
    ) throws -> String {
      try queue.inDatabase { db throws in
        do {
          try db.rebuild(table: "player", copying: values, body: define)
          return "no error"
        } catch let error as DatabaseError {
          return error.message ?? ""
        } catch let error as InvalidRequest {
          return error.description
        }
      }
    }
    let index = try message { t in
      t.primaryKey("id", .integer)
      t.column("score")
      t.column("teamId")
    }
    #expect(
      index
        == "index playerByName does not fit the rebuilt table player: no such column: name"
    )
    let view = try message { t in
      t.primaryKey("id", .integer)
      t.column("name")
      t.column("teamId")
    }
    #expect(view == "view topPlayer does not fit the rebuilt table player: no such column: score")
    let trigger = try message { t in
      t.primaryKey("id", .integer)
      t.column("name")
      t.column("score")
    }
    #expect(
      trigger
        == "a trigger on team does not fit the rebuilt table player: no such column: teamId")
    let foreignKey = try message { t in
      t.primaryKey("id", .integer)
      t.column("name")
      t.column("score")
      t.column("teamId", .integer).references("log", column: "rowid")
    }
    #expect(foreignKey.contains("foreign key"))
    let constraint = try message { t in
      t.primaryKey("id", .integer)
      t.column("name")
      t.column("score", .integer).check { $0 > 100 }
      t.column("teamId")
    }
    #expect(constraint.hasPrefix("CHECK constraint failed"))
    let unknown = try message(copying: [Column("nope").set(to: 1)], Self.definePlayer)
    #expect(unknown == #"no such column: nope - in request rebuild of table "player""#)
    let generated = try message(copying: [Column("double").set(to: 1)], Self.definePlayer)
    #expect(generated == #"column double is generated - in request rebuild of table "player""#)
    let nothing = try message { $0.column("other") }
    #expect(nothing.hasPrefix("no column of the new table has a value from the old one"))
    try #expect(queue.read(schemaText) == before)
    try queue.read { db in
      try #expect(Int.fetchOne(db, sql: "SELECT count(*) FROM player") == 2)
      try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      try #expect(Bool.fetchOne(db, sql: "PRAGMA legacy_alter_table") == false)
    }
  }

  /// SQLite would take the lost column, and never run the trigger.
  @Test(arguments: [
    "CREATE TRIGGER priceLog AFTER UPDATE OF price ON book",
    "CREATE TRIGGER priceLog BEFORE UPDATE OF title, \"Price\" ON book",
    "CREATE TEMP TRIGGER priceLog AFTER UPDATE /* of */ OF [price] ON main.book",
  ])
  func `a trigger of updates of a lost column does not fit`(start: String) throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, price REAL);
          CREATE TABLE log (text TEXT);
          INSERT INTO book VALUES (1, 'Emma', 9.5);
          \(start) BEGIN INSERT INTO log VALUES (NEW.title); END;
          """)
      let error = #expect(throws: DatabaseError.self) {
        try db.rebuild(table: "book", copying: [Column("cost").set(to: Column("price"))]) { t in
          t.primaryKey("id", .integer)
          t.column("title", .text)
          t.column("cost", .double)
        }
      }
      #expect(
        error?.message?.lowercased()
          == "trigger pricelog does not fit the rebuilt table book: no such column: price")
      try db.execute(sql: "UPDATE book SET price = 10")
      try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["Emma"])
    }
  }

  @Test func `a trigger of updates of columns that stay runs`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, price REAL);
          CREATE TABLE log (text TEXT);
          INSERT INTO book VALUES (1, 'Emma', 9.5);
          CREATE TRIGGER titleLog AFTER UPDATE OF title, unknown ON book BEGIN
            INSERT INTO log VALUES (NEW.title);
          END;
          CREATE TRIGGER insertLog AFTER INSERT ON book BEGIN
            UPDATE book SET title = 'New' WHERE id = NEW.id;
          END;
          """)
      try db.rebuild(table: "book") { t in
        t.primaryKey("id", .integer)
        t.column("title", .text)
      }
      try db.execute(sql: "UPDATE book SET title = 'Persuasion'")
      try #expect(String.fetchAll(db, sql: "SELECT text FROM log") == ["Persuasion"])
    }
  }

  @Test func `a table without rows may lose all columns`() throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE author (name TEXT PRIMARY KEY) WITHOUT ROWID")
      try db.rebuild(table: "author") { t in t.column("country", .text) }
      try #expect(db.columns(in: "author").map(\.name) == ["country"])
    }
  }

  @Test func `a violated foreign key undoes the rebuild, and reports the row`() throws {
    let queue = try makeDatabase()
    try queue.inDatabase { db throws in
      let error = #expect(throws: DatabaseError.self) {
        try db.rebuild(table: "team", copying: [Column("id").set(to: Column("id") + 5)]) { t in
          t.primaryKey("id", .integer)
          t.column("name")
        }
      }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      #expect(
        error?.message?.hasPrefix(
          "FOREIGN KEY constraint violation - from player(teamId) to team(id), in [id:1 ") == true)
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM team") == [1])
    }
  }

  @Test func `a violated foreign key undoes the migration at its end`() throws {
    let queue = try makeDatabase()
    let ids = Log<Int>()
    let error = #expect(throws: DatabaseError.self) {
      try migrate(queue) { db in
        try db.rebuild(table: "team", copying: [Column("id").set(to: Column("id") + 5)]) { t in
          t.primaryKey("id", .integer)
          t.column("name")
        }
        try Int.fetchAll(db, sql: "SELECT id FROM team").forEach { ids.append($0) }
      }
    }
    #expect(ids.elements == [6])
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(
      error?.message?.hasPrefix(
        "FOREIGN KEY constraint violation - from player(teamId) to team(id), in [id:1 ") == true)
    try queue.read { db in
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM team") == [1])
    }
  }

  @Test func `foreign keys must not be enforced in the transaction`() throws {
    let queue = try makeDatabase()
    try queue.write { db in
      let error = #expect(throws: DatabaseError.self) {
        try db.rebuild(table: "player", body: Self.definePlayer)
      }
      #expect(
        error?.message == """
          table player can't be rebuilt in a transaction that enforces foreign keys: \
          register the migration with deferred foreign key checks
          """)
    }
  }

  @Test(.needs(.rTree)) func `views, virtual tables, unknown and attached tables can't be rebuilt`()
    throws
  {
    try makeDatabase().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE place USING rtree(id, minX, maxX);
          ATTACH DATABASE ':memory:' AS other;
          CREATE TABLE other.thing (id INTEGER PRIMARY KEY);
          """)
      for name in ["topPlayer", "place", "thing"] {
        let error = #expect(throws: DatabaseError.self) {
          try db.rebuild(table: name) { $0.column("id") }
        }
        #expect(
          error?.message?.hasSuffix(
            "can't be rebuilt: it is no table of the main or the temporary schema") == true)
      }
      let error = #expect(throws: DatabaseError.self) {
        try db.rebuild(table: "nope") { $0.column("id") }
      }
      #expect(error?.message == "no such table: nope")
    }
  }

  @Test func `a table behind a temporary one of its name is not rebuilt`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title);
          INSERT INTO book VALUES (1, 'Emma');
          CREATE TEMP TABLE book (id INTEGER PRIMARY KEY, title);
          INSERT INTO temp.book VALUES (7, 'Persuasion')
          """)
      let error = #expect(throws: DatabaseError.self) {
        try db.rebuild(table: "main.book") { t in
          t.primaryKey("id", .integer)
          t.column("title", .text)
        }
      }
      #expect(
        error?.message == """
          main.book can't be rebuilt while a temporary table or view has its name: drop that one, \
          or rebuild the table on another connection
          """)
      try #expect(Row.fetchAll(db, sql: "SELECT * FROM main.book") == [["id": 1, "title": "Emma"]])
      try #expect(Int.fetchOne(db, sql: "SELECT id FROM temp.book") == 7)
    }
  }

  /// The definition would make a plain index, or a unique one.
  @Test(arguments: [
    ("UNIQUE INDEX loan_on_bookId ON loan(bookId)", false),
    ("INDEX loan_on_bookId ON loan(bookId) WHERE bookId > 0", false),
    ("INDEX index_loan_on_copyBook_copyNumber ON loan(copyBook, copyNumber)", true),
  ])
  func `an index of the definition replaces no other one`(index: String, isUnique: Bool) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY);
          CREATE TABLE copy (book INTEGER, number INTEGER, PRIMARY KEY (book, number));
          CREATE TABLE loan (bookId INTEGER, copyBook INTEGER, copyNumber INTEGER);
          CREATE \(index);
          INSERT INTO book VALUES (1);
          INSERT INTO loan VALUES (1, NULL, NULL);
          """)
      let before = try schemaText(db)
      let error = #expect(throws: DatabaseError.self) {
        try db.rebuild(table: "loan") { t in
          t.belongsTo("book", indexed: !isUnique).notNull()
          let copy = t.belongsTo("copy", indexed: false)
          if isUnique { copy.unique() }
        }
      }
      let name = isUnique ? "index_loan_on_copyBook_copyNumber" : "loan_on_bookId"
      #expect(
        error?.message == """
          index \(name) does not fit the rebuilt table loan: the definition has another index of \
          this name
          """)
      try #expect(schemaText(db) == before)
      // The index stays where the definition has none.
      try db.rebuild(table: "loan") { t in
        t.belongsTo("book", indexed: false).notNull()
        t.belongsTo("copy", indexed: false)
      }
      try #expect(schemaText(db).contains("CREATE \(index)"))
    }
  }

  @Test func `an index of the definition may exist, in other words`() throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY);
          CREATE TABLE loan (bookId INTEGER);
          CREATE INDEX loan_on_bookid  ON Loan (bookId);
          """)
      try db.rebuild(table: "loan") { $0.belongsTo("book") }
      try #expect(db.indexes(on: "loan").map(\.columns) == [["bookId"]])
    }
  }

  private func schemaText(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
  }
}
