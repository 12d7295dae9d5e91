import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

struct MigrationDraftTests {
  private static let shop = """
    CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER,
      authorId INTEGER REFERENCES author ON DELETE CASCADE);
    CREATE INDEX book_author ON book (authorId);
    CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000;
    INSERT INTO author VALUES (1, 'Franz Kafka'), (5, 'Flann O''Brien');
    DELETE FROM author WHERE id = 5;
    INSERT INTO book VALUES (1, 'The Trial', 1925, 1), (2, 'The Castle', NULL, 1);
    """

  /// Drafts a migration, rehearses it, and runs its SQL.
  private func draft(
    from old: String = Self.shop, _ new: String, renaming: [String: String] = [:],
    values: [String: String] = [:], allowing permissions: MigrationDraft.Permissions = [],
    check: (Database) throws -> Void = { _ in }
  ) throws -> MigrationDraft {
    let queue = try database(old)
    let draft = try MigrationDraft(
      from: queue, toSchema: new, renaming: renaming, values: values, allowing: permissions)
    let rehearsal = try draft.rehearse(queue)
    #expect(rehearsal.isSuccessful, "\(rehearsal)")
    var migrator = DatabaseMigrator()
    migrator.registerMigration("draft") { try $0.execute(sql: draft.sql) }
    try migrator.migrate(queue)
    try #expect(MigrationDraft(from: queue, toSchema: new).isEmpty)
    try queue.read(check)
    return draft
  }

  private func database(_ sql: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { try $0.execute(sql: sql) }
    return queue
  }

  /// The schema of the shop with other tables or columns.
  private func shop(replacing old: String, with new: String) -> String {
    String(Self.shop.split(separator: "INSERT INTO")[0]).replacing(old, with: new)
  }

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

  /// The library writes all names in quotes.
  @Test func `names such as left need no quotes`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(table: "tree") { t in
        t.column("left", .integer)
        t.column("right", .integer)
        t.uniqueKey(["left", "right"])
      }
      try db.create(index: "tree_left", on: "tree", columns: ["left"])
    }
    let draft = try MigrationDraft(
      from: queue,
      toSchema: """
        CREATE TABLE tree (left INTEGER, right INTEGER, UNIQUE (left, right));
        CREATE INDEX tree_left ON tree (left);
        """)
    #expect(draft.differences == [])
    #expect(draft.sql == "")
  }

  @Test(arguments: [
    "ON book.place BETWEEN shelf.left AND shelf.\"right\" LEFT JOIN",
    "ON place = \"right\" LEFT JOIN",
    "ON place AND [left] JOIN", "AS \"left\" JOIN",
  ])
  func `a name in quotes before JOIN is an alias after a name only`(join: String) throws {
    func schema(_ join: String) -> String {
      """
      CREATE TABLE book (place); CREATE TABLE shelf (left, right); CREATE TABLE author (id);
      CREATE VIEW placed AS SELECT author.id FROM book JOIN shelf \(join) author;
      """
    }
    let draft = try draft(from: schema(join), schema(join.replacing(#/["\[\]]/#, with: "")))
    #expect(draft.isEmpty)
    #expect(draft.differences == [])
  }

  @Test func `a column is renamed to left`() throws {
    let draft = try draft(
      from: "CREATE TABLE tree (a, b, UNIQUE (a, b), CHECK (a < b))",
      "CREATE TABLE tree (left, b, UNIQUE (left, b), CHECK (left < b))",
      renaming: ["tree.a": "left"])
    #expect(draft.sql == "ALTER TABLE \"tree\" RENAME COLUMN \"a\" TO \"left\";\n")
  }

  @Test func `types in quotes are the same types`() throws {
    let draft = try draft(
      from: """
        CREATE TABLE book (
          weight DOUBLE PRECISION, cover "cover page", title VARCHAR(20), price DECIMAL(10, 2))
        """,
      """
      CREATE TABLE book (
        weight "double precision", cover COVER PAGE, title "varchar(20)", price "DECIMAL(10,2)")
      """)
    #expect(draft.isEmpty)
    #expect(draft.differences == [])
  }

  /// SQLite passes over the other words.
  @Test func `a type that begins with a name in quotes ends with it`() throws {
    let quoted = "CREATE TABLE book (pages \"count\" INT)"
    try #expect(draft(from: quoted, "CREATE TABLE book (pages count)").isEmpty)
    try #expect(
      draft(from: quoted, "CREATE TABLE book (pages count INT)").differences == [
        "column book.pages is pages \"count\" INT, not pages count INT"
      ])
  }

  /// A primary key of the type INTEGER shows the rowid.
  @Test(arguments: ["\"INTEGER \"", "\" INTEGER\"", "\"INTEGER\" serial", "\"INTEGER\"(5)"])
  func `only INTEGER is the type INTEGER`(type: String) throws {
    let draft = try draft(
      from: "CREATE TABLE book (id \(type) PRIMARY KEY, title TEXT)",
      "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
    #expect(
      draft.differences == [
        "column book.id is id \(type) PRIMARY KEY, not id INTEGER PRIMARY KEY"
      ])
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
    let queue = try database(Self.shop)
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

  @Test(arguments: [
    (["writer": "author"], "writer: the old schema has no such table"),
    (
      ["author": "writer"],
      "author: the new schema has this table too: only what it lacks is renamed"
    ),
    (["tag": "label"], "tag: the new schema has no table label"),
    (["tag": "book"], "tag: the old schema has the table book already"),
    (["a.b.c": "x"], "a.b.c: write the name as table.column"),
    (["writer.name": "x"], "writer.name: the old schema has no table writer"),
    (["book.titel": "title"], "book.titel: the table has no column titel"),
    (
      ["book.title": "name"],
      "book.title: the new table has this column too: only what it lacks is renamed"
    ),
    (["book.price": "cost"], "book.price: the new table has no column cost"),
    (["book.price": "title"], "book.price: the old table has the column title already"),
    (
      ["book.price": "cents", "book.prize": "cents"], "book.prize: several columns are to be cents"
    ),
    (["tag.name": "x"], "tag.name: the new schema has no table tag"),
  ])
  func `names that don't fit are refused`(renaming: [String: String], message: String) throws {
    let queue = try database(
      """
      CREATE TABLE author (id); CREATE TABLE tag (name);
      CREATE TABLE book (title, price, prize);
      """)
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: queue, toSchema: "CREATE TABLE author (id); CREATE TABLE book (title, cents)",
        renaming: renaming, allowing: .dataLoss)
    }
    #expect(error.description == message)
  }

  @Test(arguments: [
    (["pages": "1"], "pages: write the name as table.column"),
    (["book.pages": "1"], "book.pages: the new schema has no such column"),
    (["book.twice": "1"], "book.twice: the column is generated"),
  ])
  func `values for what is not there are refused`(values: [String: String], message: String) throws
  {
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: DatabaseQueue(), toSchema: "CREATE TABLE book (year, twice AS (year * 2))",
        values: values)
    }
    #expect(error.description == message)
  }

  @Test(arguments: [
    ("coalesce(pages, 0)", "no such column: pages"), ("name", "no such column: name"), ("", ""),
    ("0; DROP TABLE author", ""), ("0 -- all", ""), ("1, 2", ""), ("0) FROM author; SELECT (0", ""),
  ])
  func `values that are no expressions are refused`(sql: String, reason: String) throws {
    let old = """
      CREATE TABLE book (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      INSERT INTO book VALUES (1, 'Emma');
      """
    let new = """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER NOT NULL);
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      """
    let renaming = ["book.name": "title"]
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: database(old), toSchema: new, renaming: renaming, values: ["book.pages": sql])
    }
    let text = """
      book.pages: the value `\(sql)` is no SQL expression over the columns of the old table, after \
      they have been renamed:
      """
    #expect(error.description.hasPrefix("\(text) \(reason)"), "\(error)")
    // The renamed column has its new name, and functions may be those of the application.
    _ = try draft(from: old, new, renaming: renaming, values: ["book.pages": "length(title)"])
    _ = try MigrationDraft(
      from: database(old), toSchema: new, renaming: renaming,
      values: ["book.pages": "count_of(title)"])
  }

  @Test func `columns that can't be NULL need a value`() throws {
    let new = shop(
      replacing: "year INTEGER,", with: "year INTEGER NOT NULL, pages INTEGER NOT NULL,")
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(from: database(Self.shop), toSchema: new)
    }
    #expect(
      error.description == """
        columns that can't be NULL need a value for the rows that exist (values, --value)
        - book.year: 1 rows without value
        - book.pages: 2 rows without value
        """)
    let draft = try draft(
      new, values: ["book.year": "coalesce(year, 1900)", "book.pages": "length(title) * 10"],
      check: { db in
        try #expect(
          Row.fetchAll(db, sql: "SELECT year, pages FROM book") == [
            ["year": 1925, "pages": 90], ["year": 1900, "pages": 100],
          ])
      })
    #expect(
      draft.swift(identifier: "Pages") == #"""
        migrator.registerMigration("Pages") { db in
          try db.drop(view: "recent")
          try db.rebuild(
            table: "book",
            copying: [
              Column("pages").set(to: SQL(sql: "length(title) * 10")),
              Column("year").set(to: SQL(sql: "coalesce(year, 1900)")),
            ]
          ) { t in
            t.primaryKey("id", .integer)
            t.column("title", .text).notNull()
            t.column("year", .integer).notNull()
            t.column("pages", .integer).notNull()
            t.column("authorId", .integer).references("author", column: "id", onDelete: .cascade)
          }
          try db.execute(sql: "CREATE VIEW recent AS SELECT title FROM book WHERE year > 2000")
        }

        """#)
  }

  @Test func `values that don't stay the same in another type are counted`() throws {
    let old = """
      CREATE TABLE a (x TEXT, y REAL, z INTEGER);
      INSERT INTO a VALUES ('7', 1, 1), ('007', 0.1, 2), ('one', 9e999, 9007199254740993), (NULL, NULL, NULL);
      """
    let error = try #require(throws: MigrationDraftError.self) {
      try MigrationDraft(
        from: database(old), toSchema: "CREATE TABLE a (x INTEGER, y TEXT, z REAL)")
    }
    guard case .dataLoss(let losses) = error else { throw error }
    #expect(
      losses.map(\.description) == [
        "type of a.x: 2 values change", "type of a.y: 1 values change",
        "type of a.z: 1 values change",
      ])
    _ = try draft(from: old, "CREATE TABLE a (x, y NUMERIC, z TEXT)")
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
    let queue = try database(Self.shop)
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
    let queue = try database(Self.shop)
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
    let queue = try database(schema + "INSERT INTO book VALUES (1, 'Emma', 'A novel')")
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
      MigrationDraft(from: database(schema.replacing("body", with: "title")), toSchema: titles)
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
        from: database(table), toSchema: table.replacing("book.pages", with: "pages")
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
    try pool.write { try $0.execute(sql: Self.shop) }
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

  @Test func `a comment at the end of a statement hides no semicolon`() throws {
    let draft = try draft(
      from: "CREATE TABLE a (x)",
      """
      CREATE TABLE a (x);
      CREATE TABLE b (y) -- of 'a'
      ;
      CREATE VIEW v AS SELECT x FROM a -- all /* of them
      ;
      CREATE VIEW w AS SELECT x FROM v /* all */;
      CREATE VIEW u AS SELECT y FROM b /* without end
      """)
    #expect(
      draft.sql.contains(
        """
        CREATE VIEW v AS SELECT x FROM a -- all /* of them
        ;
        CREATE VIEW w AS SELECT x FROM v /* all */;
        CREATE VIEW u AS SELECT y FROM b /* without end
        """))
  }

  @Test(arguments: ["NOT NULL", "UNIQUE", "CHECK (authorId > 0)"])
  func `a clause after SET DEFAULT is one of its own`(clause: String) throws {
    let key = "REFERENCES author(id) ON DELETE SET DEFAULT"
    func schema(_ clauses: String) -> String {
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER DEFAULT 1 \(clauses));

      """
    }
    try #expect(
      MigrationDraft(
        from: database(schema("\(clause) \(key)")), toSchema: schema("\(key) \(clause)")
      ).isEmpty)
    let queue = try database(schema(key) + "INSERT INTO book VALUES (1, NULL)")
    let differences = [
      "column book.authorId is authorId INTEGER DEFAULT 1 \(key), not authorId INTEGER DEFAULT 1 \(key) \(clause)"
    ]
    guard clause == "NOT NULL" else {
      let draft = try MigrationDraft(from: queue, toSchema: schema("\(key) \(clause)"))
      return #expect(draft.differences == differences)
    }
    let error = #expect(throws: MigrationDraftError.self) {
      try MigrationDraft(from: queue, toSchema: schema("\(key) \(clause)"))
    }
    #expect(error?.description.hasSuffix("- book.authorId: 1 rows without value") == true)
  }
}
