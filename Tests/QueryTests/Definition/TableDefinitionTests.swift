import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// The SQL that a table definition makes, without a database.
func createSQL(
  _ name: String = "book", options: TableOptions = [],
  schema: LiteralSchemaReader = .bookshop,
  _ body: (TableDefinition) throws -> Void
) throws -> [String] {
  try TableDefinition(name: name, options: options, body: body).statements(schema)
}

/// A definition, and the SQL between the parentheses of its table.
struct DefinitionCase: Sendable, CustomTestStringConvertible {
  let sql: String
  let define: @Sendable (TableDefinition) -> Void

  init(_ sql: String, _ define: @escaping @Sendable (TableDefinition) -> Void) {
    self.sql = sql
    self.define = define
  }

  var testDescription: String { sql }
}

@Suite("Table definitions")
struct TableDefinitionTests {
  private static let columns = [
    DefinitionCase(#""a""#) { $0.column("a") },
    DefinitionCase(#""a""b" TEXT"#) { $0.column("a\"b", .text) },
    DefinitionCase(#""id" INTEGER PRIMARY KEY AUTOINCREMENT"#) {
      $0.autoIncrementedPrimaryKey("id")
    },
    DefinitionCase(#""id" INTEGER PRIMARY KEY ON CONFLICT FAIL AUTOINCREMENT"#) {
      $0.autoIncrementedPrimaryKey("id", onConflict: .fail)
    },
    DefinitionCase(#""code" TEXT PRIMARY KEY NOT NULL"#) { $0.primaryKey("code", .text) },
    DefinitionCase(#""id" INTEGER PRIMARY KEY"#) { $0.primaryKey("id", .integer) },
    DefinitionCase(#""code" TEXT PRIMARY KEY ON CONFLICT ABORT NOT NULL"#) {
      $0.primaryKey("code", .text, onConflict: .abort)
    },
    DefinitionCase(#""a" TEXT NOT NULL"#) { $0.column("a", .text).notNull() },
    DefinitionCase(#""a" TEXT NOT NULL ON CONFLICT IGNORE"#) {
      $0.column("a", .text).notNull(onConflict: .ignore)
    },
    DefinitionCase(#""a" TEXT NOT NULL UNIQUE"#) {
      $0.column("a", .text).unique(onConflict: .abort).notNull(onConflict: .abort)
    },
    DefinitionCase(#""a" UNIQUE ON CONFLICT REPLACE"#) {
      $0.column("a").unique(onConflict: .replace)
    },
    DefinitionCase(#""a" UNIQUE"#) { $0.column("a").indexed().unique() },
    DefinitionCase(#""a" UNIQUE"#) { $0.column("a").unique().indexed() },
    DefinitionCase(#""a" CHECK ("a" > 0) CHECK (a < 10)"#) {
      $0.column("a").check { $0 > 0 }.check(sql: "a < 10")
    },
    DefinitionCase("\"a\" CHECK (a > 0 -- positive\n) DEFAULT 1 -- one\n COLLATE NOCASE") {
      $0.column("a").check(sql: "a > 0 -- positive").defaults(sql: "1 -- one").collate(.nocase)
    },
    DefinitionCase(#""a" DEFAULT 1"#) { $0.column("a").defaults(to: 1) },
    DefinitionCase(#""a" DEFAULT 1"#) { $0.column("a").defaults(to: true) },
    DefinitionCase(#""a" DEFAULT -1.5"#) { $0.column("a").defaults(to: -1.5) },
    DefinitionCase(#""a" DEFAULT 'O''Brien'"#) { $0.column("a").defaults(to: "O'Brien") },
    DefinitionCase(#""a" DEFAULT NULL"#) { $0.column("a").defaults(to: nil as Int?) },
    DefinitionCase(#""a" DATETIME DEFAULT CURRENT_TIMESTAMP"#) {
      $0.column("a", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
    },
    DefinitionCase(#""a" TEXT COLLATE NOCASE"#) { $0.column("a", .text).collate(.nocase) },
    DefinitionCase(#""a", "b" GENERATED ALWAYS AS ("a" * 2) VIRTUAL"#) {
      $0.column("a")
      $0.column("b").generatedAs(Column("a") * 2)
    },
    DefinitionCase(#""a", "b" GENERATED ALWAYS AS (a * 2) STORED"#) {
      $0.column("a")
      $0.column("b").generatedAs(sql: "a * 2", .stored)
    },
    DefinitionCase(
      #""a" TEXT NOT NULL UNIQUE CHECK (a <> '') DEFAULT 'x' COLLATE NOCASE"#
        + #" REFERENCES "country"("code") ON DELETE CASCADE"#
    ) {
      $0.column("a", .text).references("country", onDelete: .cascade).collate(.nocase)
        .defaults(to: "x").check(sql: "a <> ''").unique().notNull()
    },
  ]

  private static let tables = [
    DefinitionCase(#"a TEXT NOT NULL, b TEXT DEFAULT 'it''s'"#) {
      $0.column(sql: "a TEXT NOT NULL")
      $0.column(literal: "b TEXT DEFAULT \("it's")")
    },
    DefinitionCase("a INTEGER -- one\n, CHECK (a < 9 /* nine */), CHECK (a > 0) -- more\n") {
      $0.column(sql: "a INTEGER -- one")
      $0.check(sql: "a < 9 /* nine")
      $0.constraint(sql: "CHECK (a > 0) -- more")
    },
    DefinitionCase(#""shop" TEXT NOT NULL, "isbn" TEXT NOT NULL, PRIMARY KEY ("shop", "isbn")"#) {
      t in
      t.primaryKey {
        t.column("shop", .text)
        t.column("isbn", .text)
      }
    },
    DefinitionCase(#""id" INTEGER NOT NULL, "b", PRIMARY KEY ("id") ON CONFLICT REPLACE"#) { t in
      t.primaryKey(onConflict: .replace) { t.column("id", .integer) }
      t.column("b")
    },
    DefinitionCase(#""a", "b", PRIMARY KEY ("a", "b") ON CONFLICT ROLLBACK"#) {
      $0.primaryKey(["a", "b"], onConflict: .rollback)
      $0.column("a")
      $0.column("b")
    },
    DefinitionCase(
      #""a", "b", PRIMARY KEY ("a"), UNIQUE ("a", "b") ON CONFLICT FAIL, UNIQUE ("b"), "#
        + #"FOREIGN KEY ("a", "b") REFERENCES "stock"("shop", "isbn"), "#
        + #"CHECK ("a" < "b"), CHECK (a <> b), CHECK (a IS NOT NULL), CHECK (b > 'x')"#
    ) {
      $0.constraint(sql: "CHECK (a IS NOT NULL)")
      $0.constraint(literal: "CHECK (b > \("x"))")
      $0.check(Column("a") < Column("b"))
      $0.check(sql: "a <> b")
      $0.foreignKey(["a", "b"], references: "stock")
      $0.uniqueKey(["a", "b"], onConflict: .fail)
      $0.uniqueKey(["b"])
      $0.primaryKey(["a"])
      $0.column("a")
      $0.column("b")
    },
  ]

  @Test(arguments: columns)
  func `the parts of a column are in a fixed order`(_ definition: DefinitionCase) throws {
    #expect(
      try createSQL { definition.define($0) } == [#"CREATE TABLE "book" (\#(definition.sql))"#])
  }

  @Test(arguments: tables)
  func `the columns of a table precede its constraints`(_ definition: DefinitionCase) throws {
    #expect(
      try createSQL { definition.define($0) } == [#"CREATE TABLE "book" (\#(definition.sql))"#])
  }

  @Test(arguments: columns + tables)
  func `SQLite accepts the definitions`(_ definition: DefinitionCase) throws {
    try DatabaseQueue().write { db in
      try db.create(table: "country") { $0.primaryKey("code", .text) }
      try db.create(table: "stock") { t in
        t.primaryKey {
          t.column("shop", .text)
          t.column("isbn", .text)
        }
      }
      try db.create(table: "book", body: definition.define)
      #expect(try db.tableExists("book"))
    }
  }

  @Test(arguments: ["by length", "order", "it's"])
  func `the name of a collation may need quotes`(name: String) throws {
    let collation = DatabaseCollation(name) { left, right in
      left.count < right.count ? .orderedAscending : .orderedDescending
    }
    try DatabaseQueue().write { db in
      db.add(collation: collation)
      try db.create(table: "book") { $0.column("title", .text).collate(collation) }
      try #expect(
        String.fetchOne(db, sql: "SELECT sql FROM sqlite_master")
          == #"CREATE TABLE "book" ("title" TEXT COLLATE "\#(name)")"#)
      try db.execute(sql: "INSERT INTO book VALUES ('Emma'), ('Ida')")
      let title = Column("title")
      try #expect(
        String.fetchAll(db, Table("book").select(title).order(title)) == ["Ida", "Emma"])
      let longest = Table("book").select(title).order(title.collating(collation).desc)
      try #expect(String.fetchAll(db, longest) == ["Emma", "Ida"])
    }
  }

  @Test(
    arguments: [
      (Database.ColumnType.text, "TEXT"), (.integer, "INTEGER"), (.double, "DOUBLE"),
      (.real, "REAL"), (.numeric, "NUMERIC"), (.boolean, "BOOLEAN"), (.blob, "BLOB"),
      (.date, "DATE"), (.datetime, "DATETIME"), (.any, "ANY"), (.jsonText, "TEXT"),
      (.jsonb, "BLOB"), (.init(rawValue: "VARCHAR(13)"), "VARCHAR(13)"),
    ])
  func `the types of columns`(type: Database.ColumnType, sql: String) throws {
    #expect(try createSQL { $0.column("a", type) } == [#"CREATE TABLE "book" ("a" \#(sql))"#])
  }

  @Test(
    arguments: [
      (TableOptions.temporary, #"CREATE TEMPORARY TABLE "book" ("a" TEXT)"#),
      (.ifNotExists, #"CREATE TABLE IF NOT EXISTS "book" ("a" TEXT)"#),
      (.strict, #"CREATE TABLE "book" ("a" TEXT) STRICT"#),
      (.withoutRowID, #"CREATE TABLE "book" ("a" TEXT) WITHOUT ROWID"#),
      (
        [.temporary, .ifNotExists, .strict, .withoutRowID],
        #"CREATE TEMPORARY TABLE IF NOT EXISTS "book" ("a" TEXT) STRICT, WITHOUT ROWID"#
      ),
    ] as [(TableOptions, String)])
  func `the options of tables`(options: TableOptions, sql: String) throws {
    #expect(try createSQL(options: options) { $0.column("a", .text) } == [sql])
  }

  @Test func `a referenced table names its key`() throws {
    let statements = try createSQL("t") {
      $0.column("a").references("author")
      $0.column("b").references("author", column: "name")
      $0.column("c").references("note", onUpdate: .setNull, deferred: true)
      $0.column("d").references("T", onDelete: .setDefault)
      $0.column("e").references("country", onDelete: .restrict, onUpdate: .cascade)
    }
    #expect(
      statements == [
        #"CREATE TABLE "t" ("a" REFERENCES "author"("id"), "b" REFERENCES "author"("name"), "#
          + #""c" REFERENCES "note"("rowid") ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED, "#
          + #""d" REFERENCES "T"("rowid") ON DELETE SET DEFAULT, "#
          + #""e" REFERENCES "country"("code") ON DELETE RESTRICT ON UPDATE CASCADE)"#
      ])
  }

  @Test func `a table that references itself has its key in its own definition`() throws {
    let statements = try createSQL("t") {
      $0.column("parent").references("t")
      $0.primaryKey("code", .text)
    }
    #expect(
      statements == [
        #"CREATE TABLE "t" ("parent" REFERENCES "t"("code"), "code" TEXT PRIMARY KEY NOT NULL)"#
      ])
  }

  @Test func `indexes are created after the table, in the order of columns`() throws {
    let statements = try createSQL(options: .ifNotExists) {
      $0.column("year").indexed()
      $0.column("isbn").unique()
      $0.column("title").indexed()
    }
    #expect(
      statements == [
        #"CREATE TABLE IF NOT EXISTS "book" ("year", "isbn" UNIQUE, "title")"#,
        #"CREATE INDEX IF NOT EXISTS "book_on_year" ON "book"("year")"#,
        #"CREATE INDEX IF NOT EXISTS "book_on_title" ON "book"("title")"#,
      ])
  }

  @Test func `an invalid definition is an error, and nothing is created`() throws {
    let twoKeys = #expect(throws: InvalidRequest.self) {
      try createSQL {
        $0.primaryKey(["a"])
        $0.primaryKey(["b"])
      }
    }
    #expect(twoKeys?.message == "can't define several primary keys")
    let rawKey = #expect(throws: InvalidRequest.self) {
      try createSQL { t in t.primaryKey { t.column(sql: "id INTEGER") } }
    }
    #expect(rawKey?.message == "Primary key columns can not be defined with raw SQL")
    #expect(rawKey?.description.contains(#"CREATE TABLE "book""#) == true)
    let unknownTable = #expect(throws: DatabaseError.self) {
      try createSQL { $0.column("a").references("nope") }
    }
    #expect(unknownTable?.message == "no such table: nope")
  }

  @Test func `a table without column is an error`() throws {
    try withBookshop { db in
      let error = #expect(throws: InvalidRequest.self) { try db.create(table: "t") { _ in } }
      #expect(error?.description == #"a table needs a column - in request CREATE TABLE "t""#)
    }
  }

  @Test func `nothing stays of a table or an alteration whose last statement fails`() throws {
    try withBookshop { db in
      try db.execute(sql: "CREATE INDEX t_on_a ON book(title)")
      #expect(throws: DatabaseError.self) {
        try db.create(table: "t") { t in t.column("a").indexed() }
      }
      try #expect(!db.tableExists("t"))
      #expect(throws: DatabaseError.self) {
        try db.alter(table: "book") { t in
          t.add(column: "pages", .integer)
          t.rename(column: "nope", to: "title2")
        }
      }
      try #expect(!db.columns(in: "book").map(\.name).contains("pages"))
    }
  }

  @Test func `the error of a body is thrown, and nothing is created`() throws {
    try DatabaseQueue().write { db throws in
      #expect(throws: CancellationError.self) {
        try db.create(table: "book") { t in
          t.column("id")
          throw CancellationError()
        }
      }
      #expect(try !db.tableExists("book"))
    }
  }

  @Test func `SQLite's own errors have the SQL`() throws {
    try DatabaseQueue().write { db in
      let error = #expect(throws: DatabaseError.self) {
        try db.create(table: "book") { t in
          t.primaryKey("a", .text)
          t.primaryKey("b", .text)
        }
      }
      #expect(error?.message == #"table "book" has more than one primary key"#)
    }
  }

  @Test func `the options of a table can be given as arguments`() throws {
    try DatabaseQueue().write { db in
      let statements = try db.statements {
        try db.create(table: "t", temporary: true, ifNotExists: true, withoutRowID: true) {
          $0.primaryKey("a", .text)
        }
      }
      #expect(
        statements == [
          #"CREATE TEMPORARY TABLE IF NOT EXISTS "t" ("a" TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID"#
        ])
    }
  }
}
