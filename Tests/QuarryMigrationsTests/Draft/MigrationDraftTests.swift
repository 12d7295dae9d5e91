import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

struct MigrationDraftTests {
  @Test func `equal schemas need no migration`() throws {
    let draft = try draft(
      """
      create table "author" ("id" integer primary key asc autoincrement, [name] text NOT NULL);
      CREATE TABLE book (
        title TEXT /* as printed */ NOT NULL, id INTEGER PRIMARY KEY, year INTEGER NULL,
        authorId INTEGER REFERENCES "author" ("id") ON DELETE CASCADE ON UPDATE NO ACTION);
      CREATE INDEX "book_author" ON "book"("authorId");
      CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000;
      """)
    #expect(draft.isEmpty)
    #expect(draft.sql == "")
  }

  @Test func `a table may have a name that begins with pragma_`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(
        sql: "CREATE TABLE pragma_notes (note); INSERT INTO pragma_notes VALUES ('x')")
    }
    let draft = try MigrationDraft(
      from: database, toSchema: "CREATE TABLE pragma_notes (note, page)")
    #expect(draft.sql == "ALTER TABLE \"pragma_notes\" ADD COLUMN page;\n")
    let end = try MigrationDraft(from: database, toSchema: "", allowing: .dataLoss)
    #expect(end.losses.map(\.description) == ["table pragma_notes: 1 rows"])
    #expect(end.sql == "DROP TABLE \"pragma_notes\";\n")
    let tables = try database.read { try $0.schemaDescription().tables.map(\.name) }
    #expect(tables == ["pragma_notes"])
  }

  @Test func `columns are added and dropped by ALTER TABLE`() throws {
    let draft = try draft(
      shop(
        replacing: "year INTEGER,",
        with: "pages INTEGER NOT NULL DEFAULT 100 CHECK (pages > 0), isbn TEXT COLLATE NOCASE,"
      ).replacing("WHERE year > 2000", with: ""),
      allowing: .dataLoss)
    #expect(
      draft.sql
        == """
        DROP VIEW "recent";
        ALTER TABLE "book" DROP COLUMN "year";
        ALTER TABLE "book" ADD COLUMN pages INTEGER NOT NULL DEFAULT 100 CHECK (pages > 0);
        ALTER TABLE "book" ADD COLUMN isbn TEXT COLLATE NOCASE;
        CREATE VIEW recent AS SELECT title FROM book ;

        """.replacing("book ;", with: "book;"))
    #expect(draft.losses.map(\.description) == ["column book.year: 1 values"])
    #expect(
      draft.swift(identifier: "Pages") == #"""
        migrator.registerMigration("Pages") { db in
          try db.drop(view: "recent")
          try db.alter(table: "book") { t in
            t.drop(column: "year")
            t.add(column: "pages", .integer).notNull().defaults(to: 100).check(sql: "pages > 0")
            t.add(column: "isbn", .text).collate(.nocase)
          }
          try db.execute(sql: "CREATE VIEW recent AS SELECT title FROM book")
        }

        """#)
  }

  @Test func `a table is made anew for what ALTER TABLE can't do`() throws {
    let draft = try draft(
      shop(replacing: "year INTEGER,", with: "year TEXT UNIQUE,"),
      check: { db in
        try #expect(
          Row.fetchAll(db, sql: "SELECT * FROM book") == [
            ["id": 1, "title": "The Trial", "year": "1925", "authorId": 1],
            ["id": 2, "title": "The Castle", "year": nil, "authorId": 1],
          ])
      })
    #expect(
      draft.sql == """
        DROP VIEW "recent";
        CREATE TABLE "quarry_new_book" (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, year TEXT UNIQUE,
          authorId INTEGER REFERENCES author ON DELETE CASCADE);
        INSERT OR ABORT INTO "quarry_new_book" ("id", "title", "year", "authorId") SELECT "id", "title", "year", "authorId" FROM "book";
        DROP TABLE "book";
        ALTER TABLE "quarry_new_book" RENAME TO "book";
        CREATE INDEX book_author ON book (authorId);
        CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000;

        """)
    #expect(
      draft.swift(identifier: "Years \"as\" texts") == #"""
        migrator.registerMigration("Years \"as\" texts") { db in
          try db.drop(view: "recent")
          try db.rebuild(table: "book") { t in
            t.primaryKey("id", .integer)
            t.column("title", .text).notNull()
            t.column("year", .text).unique()
            t.column("authorId", .integer).references("author", column: "id", onDelete: .cascade)
          }
          try db.execute(sql: "CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000")
        }

        """#)
  }

  @Test func `AUTOINCREMENT goes on after a table was made anew`() throws {
    _ = try draft(
      shop(replacing: "name TEXT NOT NULL", with: "name TEXT NOT NULL UNIQUE"),
      check: { db in
        try #expect(
          Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'author'") == 5)
      })
  }

  @Test func `a table keeps its hidden rowids`() throws {
    _ = try draft(
      from: "CREATE TABLE a (x TEXT); INSERT INTO a (rowid, x) VALUES (7, '1'), (3, '2')",
      "CREATE TABLE a (x TEXT UNIQUE)",
      check: { db in
        try #expect(Int.fetchAll(db, sql: "SELECT rowid FROM a ORDER BY rowid") == [3, 7])
      })
  }

  @Test func `names are changed when they are given, and never guessed`() throws {
    let new = """
      CREATE TABLE writer (id INTEGER PRIMARY KEY AUTOINCREMENT, fullName TEXT NOT NULL);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER,
        writerId INTEGER REFERENCES writer ON DELETE CASCADE);
      CREATE INDEX book_author ON book (writerId);
      CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000;
      """
    let queue = try makeDatabase(sql: shopSQL)
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(from: queue, toSchema: new)
    }
    #expect(
      error.description == """
        the migration loses data, and needs permission (allowing: .dataLoss, --allow-data-loss), \
        or a new name for what it drops (renaming, --rename)
        - table author: 1 rows
        - column book.authorId: 2 values
        """)
    let draft = try draft(
      new,
      renaming: ["author": "writer", "author.name": "fullName", "book.authorId": "writerId"])
    #expect(draft.losses == [])
    #expect(
      draft.sql == """
        DROP VIEW "recent";
        ALTER TABLE "author" RENAME TO "writer";
        ALTER TABLE "writer" RENAME COLUMN "name" TO "fullName";
        ALTER TABLE "book" RENAME COLUMN "authorId" TO "writerId";
        CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000;

        """)
  }

  @Test func `all objects are created and dropped in an order that works`() throws {
    let draft = try draft(
      from: """
        CREATE TABLE a (x INTEGER, y INTEGER, gone INTEGER);
        CREATE INDEX a_x ON a (x); CREATE INDEX a_gone ON a (gone); CREATE INDEX a_y ON a (y);
        CREATE VIEW v AS SELECT x FROM a; CREATE VIEW w AS SELECT x FROM v; CREATE VIEW u AS SELECT 1;
        CREATE TRIGGER t INSTEAD OF INSERT ON w BEGIN INSERT INTO a (x) VALUES (new.x); END;
        CREATE TRIGGER old AFTER INSERT ON a BEGIN SELECT 1; END;
        CREATE TABLE old (a); CREATE INDEX old_a ON old (a);
        CREATE VIEW old_view AS SELECT a FROM old;
        """,
      """
      CREATE TABLE a (x INTEGER, y INTEGER);
      CREATE TABLE b (z INTEGER, PRIMARY KEY (z)) WITHOUT ROWID;
      CREATE UNIQUE INDEX a_x ON a (x); CREATE INDEX a_y ON a (y);
      CREATE INDEX a_low ON a (x DESC) WHERE x < 10;
      CREATE VIEW v AS SELECT x FROM a; CREATE VIEW w AS SELECT x FROM v; CREATE VIEW u AS SELECT 1;
      CREATE TRIGGER t INSTEAD OF INSERT ON w BEGIN INSERT INTO a (x) VALUES (new.x); END;
      CREATE TRIGGER new_t AFTER DELETE ON b BEGIN DELETE FROM a WHERE x = old.z; END;
      """, allowing: .dataLoss)
    #expect(
      draft.sql == """
        DROP TRIGGER "t";
        DROP TRIGGER "old";
        DROP VIEW "v";
        DROP VIEW "w";
        DROP VIEW "old_view";
        DROP INDEX "a_x";
        DROP INDEX "a_gone";
        CREATE TABLE b (z INTEGER, PRIMARY KEY (z)) WITHOUT ROWID;
        ALTER TABLE "a" DROP COLUMN "gone";
        DROP TABLE "old";
        CREATE UNIQUE INDEX a_x ON a (x);
        CREATE INDEX a_low ON a (x DESC) WHERE x < 10;
        CREATE VIEW v AS SELECT x FROM a;
        CREATE VIEW w AS SELECT x FROM v;
        CREATE TRIGGER t INSTEAD OF INSERT ON w BEGIN INSERT INTO a (x) VALUES (new.x); END;
        CREATE TRIGGER new_t AFTER DELETE ON b BEGIN DELETE FROM a WHERE x = old.z; END;

        """)
  }

  @Test func `a rehearsal counts rows, and finds violations`() throws {
    let queue = try makeDatabase(sql: shopSQL)
    let new =
      shop(
        replacing: "year INTEGER,",
        with: "year INTEGER, seriesId INTEGER DEFAULT 1 REFERENCES series,")
      + "CREATE TABLE series (id INTEGER PRIMARY KEY);"
    let draft = try MigrationDraft(from: queue, toSchema: new)
    let rehearsal = try draft.rehearse(queue)
    #expect(!rehearsal.isSuccessful)
    #expect(rehearsal.differences == [])
    #expect(
      rehearsal.rowCounts.map { [$0.before, $0.after] } == [[1, 1], [2, 2], [nil, 0]])
    #expect(
      rehearsal.description.split(separator: "\n").dropFirst() == [
        "author: 1 -> 1 rows", "book: 2 -> 2 rows", "series: - -> 0 rows",
        "! FOREIGN KEY constraint violation - from book(seriesId) to series(id), in [id:1 title:\"The Trial\" year:1925 seriesId:1 authorId:1]",
        "! FOREIGN KEY constraint violation - from book(seriesId) to series(id), in [id:2 title:\"The Castle\" year:NULL seriesId:1 authorId:1]",
      ])
    #expect(rehearsal.violations.count == 2)
    try #expect(queue.read { try !$0.tableExists("series") })
  }

  @Test func `a violated constraint is an error of the rehearsal`() throws {
    let queue = try makeDatabase(sql: shopSQL)
    let draft = try MigrationDraft(
      from: queue,
      toSchema: shop(replacing: "year INTEGER,", with: "year INTEGER CHECK (year > 1930),"))
    let error = try #require(throws: DatabaseError.self) { try draft.rehearse(queue) }
    #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
  }

  @Test(.needs(.fullText)) func `a virtual table that changes is made anew`() throws {
    let draft = try draft(
      from: "CREATE VIRTUAL TABLE page USING fts5(text); INSERT INTO page VALUES ('a'), ('b')",
      "CREATE VIRTUAL TABLE page USING fts5(text, title)", allowing: .dataLoss)
    #expect(draft.losses.map(\.description) == ["table page: 2 rows"])
    #expect(
      draft.sql == """
        DROP TABLE "page";
        CREATE VIRTUAL TABLE page USING fts5(text, title);

        """)
  }

  @Test(.needs(.fullText)) func `a full-text index is lost if its table does not have the texts`()
    throws
  {
    let schema = """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, blurb TEXT);
      CREATE VIRTUAL TABLE ft USING fts5(body, content='book', content_rowid='id');
      CREATE TRIGGER book_ai AFTER INSERT ON book BEGIN
        INSERT INTO ft(rowid, body) VALUES (new.id, new.title || ' ' || new.blurb);
      END;
      """
    let queue = try makeDatabase(sql: schema + "INSERT INTO book VALUES (1, 'Emma', 'A novel')")
    let stemmed = schema.replacing("'id')", with: "'id', tokenize='porter')")
    let draft = try MigrationDraft(from: queue, toSchema: stemmed, allowing: .dataLoss)
    #expect(draft.losses.map(\.description) == ["table ft: an unknown number of rows"])
    #expect(!draft.sql.contains("rebuild"))
    #expect(
      throws: MigrationDraftError.dataLoss(draft.losses),
      performing: { try MigrationDraft(from: queue, toSchema: stemmed) })
    // Titles are in the table; other texts are lost where titles replace them.
    let titles = stemmed.replacing("body", with: "title")
    try #expect(
      MigrationDraft(
        from: makeDatabase(sql: schema.replacing("body", with: "title")), toSchema: titles
      )
      .losses == [])
    try #expect(
      MigrationDraft(from: queue, toSchema: titles, allowing: .dataLoss).losses == draft.losses)
  }

  /// SQLite adds these columns to an empty table, and refuses them in one with rows.
  @Test(arguments: [
    "y INTEGER AS (x + 1) STORED", "y TEXT DEFAULT CURRENT_TIMESTAMP", "y INTEGER DEFAULT (1 + 1)",
    "y INTEGER NOT NULL DEFAULT 0 REFERENCES a(x)", "y INTEGER UNIQUE",
  ])
  func `a column that only an empty table takes makes the table anew`(column: String) throws {
    let draft = try draft(
      from: "CREATE TABLE a (x INTEGER PRIMARY KEY); INSERT INTO a VALUES (0), (1)",
      "CREATE TABLE a (x INTEGER PRIMARY KEY, \(column))")
    #expect(draft.sql.contains("quarry_new_a"))
  }

  @Test func `a table that is made anew may have its name before columns`() throws {
    let table = "CREATE TABLE book (id INTEGER PRIMARY KEY, pages INTEGER, CHECK (book.pages > 0));"
    let draft = try draft(
      from: table + "INSERT INTO book VALUES (1, 208)",
      table.replacing("pages INTEGER", with: "pages INTEGER UNIQUE"),
      check: { db in try #expect(Int.fetchAll(db, sql: "SELECT pages FROM book") == [208]) })
    #expect(
      draft.sql.hasPrefix(
        """
        CREATE TABLE "quarry_new_book" \
        (id INTEGER PRIMARY KEY, pages INTEGER UNIQUE, CHECK (pages > 0));

        """), "\(draft.sql)")
    try #expect(
      MigrationDraft(
        from: makeDatabase(sql: table), toSchema: table.replacing("book.pages", with: "pages")
      ).isEmpty)
  }

  /// ALTER TABLE compiles them all.
  @Test func `views and triggers that don't compile are dropped and created around alterations`()
    throws
  {
    func schema(_ book: String) -> String {
      """
      CREATE TABLE book (\(book));
      CREATE TABLE shelf (id INTEGER);
      CREATE VIEW broken AS SELECT * FROM missing;
      CREATE VIEW other AS SELECT 1 AS one;
      CREATE TRIGGER early AFTER INSERT ON shelf BEGIN INSERT INTO later VALUES (1); END;
      """
    }
    let old = schema("title TEXT, year INTEGER")
    let around = (
      before: "DROP TRIGGER \"early\";\nDROP VIEW \"broken\";\n",
      after: """
      CREATE VIEW broken AS SELECT * FROM missing;
      CREATE TRIGGER early AFTER INSERT ON shelf BEGIN INSERT INTO later VALUES (1); END;

      """
    )
    let dropped = try draft(from: old, schema("title TEXT"), allowing: .dataLoss)
    #expect(
      dropped.sql == around.before + "ALTER TABLE \"book\" DROP COLUMN \"year\";\n" + around.after)
    let renamed = try draft(
      from: old, schema("name TEXT, year INTEGER"), renaming: ["book.title": "name"])
    #expect(
      renamed.sql
        == around.before + "ALTER TABLE \"book\" RENAME COLUMN \"title\" TO \"name\";\n"
        + around.after)
    _ = try draft(from: old, schema("title TEXT UNIQUE, year INTEGER"))
    // Nothing is altered in a way that compiles them.
    let added = try draft(from: old, schema("title TEXT, year INTEGER, pages INTEGER"))
    #expect(added.sql == "ALTER TABLE \"book\" ADD COLUMN pages INTEGER;\n")
  }

  @Test func `a draft is made and rehearsed in a pool`() throws {
    let pool = try DatabasePool.temporary()
    try pool.write { try $0.execute(sql: shopSQL) }
    let draft = try MigrationDraft(
      from: pool, toSchema: shop(replacing: "year INTEGER,", with: "year INTEGER UNIQUE,"))
    try #expect(draft.rehearse(pool).isSuccessful)
    try #expect(draft.rehearse(pool).isSuccessful)
  }

  @Test(.enabled(if: !isOnCluster, "a cluster has no attached databases"))
  func `nothing is written to an attached database`() throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/archive.sqlite"
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        try db.execute(sql: "ATTACH DATABASE ? AS archive", arguments: [path])
      }
      let queue = try DatabaseQueue(configuration: configuration)
      try queue.write { try $0.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY)") }
      let draft = try MigrationDraft(
        from: queue,
        toSchema: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE TABLE archive.loan (id INTEGER PRIMARY KEY);
          """)
      let rehearsal = try draft.rehearse(queue)
      #expect(rehearsal.isSuccessful, "\(rehearsal)")
      try queue.read { db throws in
        #expect(try db.tableExists("book"))
        #expect(try !db.tableExists("archive.loan"))
      }
    }
  }
}
