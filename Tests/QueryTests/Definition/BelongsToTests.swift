import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("belongsTo in table definitions")
struct BelongsToTests {
  private static let schema = LiteralSchemaReader([
    LiteralTable("author", ["id": "INTEGER", "name": "TEXT"], primaryKey: ["id"]),
    LiteralTable("country", ["code": "TEXT"], primaryKey: ["code"]),
    LiteralTable("stock", ["shop": "TEXT", "isbn": "TEXT"], primaryKey: ["shop", "isbn"]),
    LiteralTable("nopk", ["a": "TEXT"]),
    LiteralTable("untyped", ["key": ""], primaryKey: ["key"]),
    LiteralTable("people", ["id": "INTEGER"], primaryKey: ["id"]),
  ])

  private static let cases = [
    DefinitionCase(#""authorId" INTEGER REFERENCES "author"("id")"#) { $0.belongsTo("author") },
    DefinitionCase(#""countryCode" TEXT NOT NULL REFERENCES "country"("code") ON DELETE CASCADE"#) {
      $0.belongsTo("country", onDelete: .cascade).notNull()
    },
    DefinitionCase(#""nopkId" INTEGER REFERENCES "nopk"("rowid")"#) { $0.belongsTo("nopk") },
    DefinitionCase(#""untypedKey" REFERENCES "untyped"("key")"#) { $0.belongsTo("untyped") },
    DefinitionCase(#""personId" INTEGER REFERENCES "people"("id")"#) { $0.belongsTo("person") },
    DefinitionCase(#""translatorId" INTEGER REFERENCES "people"("id")"#) {
      $0.belongsTo("translator", inTable: "people")
    },
    DefinitionCase(#""authorId" INTEGER UNIQUE REFERENCES "author"("id")"#) {
      $0.belongsTo("author").unique()
    },
    DefinitionCase(
      #""authorId" INTEGER NOT NULL ON CONFLICT IGNORE REFERENCES "author"("id") "#
        + "ON DELETE SET NULL ON UPDATE RESTRICT DEFERRABLE INITIALLY DEFERRED"
    ) {
      $0.belongsTo("author", onDelete: .setNull, onUpdate: .restrict, deferred: true)
        .notNull(onConflict: .ignore)
    },
    DefinitionCase(
      #""stockShop" TEXT, "stockIsbn" TEXT, "#
        + #"FOREIGN KEY ("stockShop", "stockIsbn") REFERENCES "stock"("shop", "isbn")"#
    ) { $0.belongsTo("stock") },
    DefinitionCase(
      #""countryCode" TEXT NOT NULL REFERENCES "country"("code"), "year" INTEGER NOT NULL, "#
        + #"PRIMARY KEY ("countryCode", "year")"#
    ) { t in
      t.primaryKey {
        t.belongsTo("country")
        t.column("year", .integer)
      }
    },
    // The table itself
    DefinitionCase(#""id" INTEGER PRIMARY KEY, "bookId" INTEGER REFERENCES "book"("id")"#) {
      $0.primaryKey("id", .integer)
      $0.belongsTo("book")
    },
    DefinitionCase(
      #""BooksCode" TEXT REFERENCES "book"("code"), "code" TEXT, PRIMARY KEY ("code")"#
    ) {
      $0.belongsTo("Books")
      $0.column("code", .text)
      $0.primaryKey(["code"])
    },
    DefinitionCase(#""sequelId" INTEGER REFERENCES "book"("rowid")"#) {
      $0.belongsTo("sequel", inTable: "BOOK")
    },
    DefinitionCase(
      #""countryCode" TEXT NOT NULL REFERENCES "country"("code"), "#
        + #""originalCountryCode" TEXT REFERENCES "book"("countryCode"), "#
        + #"PRIMARY KEY ("countryCode")"#
    ) { t in
      t.primaryKey { t.belongsTo("country") }
      t.belongsTo("original", inTable: "book")
    },
  ]

  private func bookSQL(
    options: TableOptions = [], _ body: (TableDefinition) throws -> Void
  ) throws -> [String] {
    try createSQL(options: options, schema: Self.schema, body)
  }

  @Test(arguments: cases)
  func `the columns come from the key of the referenced table`(_ definition: DefinitionCase) throws
  {
    let table = try bookSQL(definition.define).first
    #expect(table == #"CREATE TABLE "book" (\#(definition.sql))"#)
  }

  @Test func `a primary key can't consist of a reference to its own table`() {
    let definitions: [(TableDefinition) throws -> Void] = [
      { t in t.primaryKey { t.belongsTo("book") } },
      { t in
        t.primaryKey {
          t.belongsTo("sequel", inTable: "BOOK")
          t.column("number", .integer)
        }
      },
    ]
    for define in definitions {
      let error = databaseError { try bookSQL(define) }
      #expect(error?.message == "no such table: book")
    }
  }

  @Test func `indexes of compound keys precede those of columns`() throws {
    let statements = try bookSQL {
      $0.autoIncrementedPrimaryKey("id")
      $0.column("title", .text)
      $0.belongsTo("author")
      $0.belongsTo("country", onDelete: .cascade).notNull()
      $0.belongsTo("stock")
    }
    #expect(
      statements == [
        #"CREATE TABLE "book" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "title" TEXT, "#
          + #""authorId" INTEGER REFERENCES "author"("id"), "#
          + #""countryCode" TEXT NOT NULL REFERENCES "country"("code") ON DELETE CASCADE, "#
          + #""stockShop" TEXT, "stockIsbn" TEXT, "#
          + #"FOREIGN KEY ("stockShop", "stockIsbn") REFERENCES "stock"("shop", "isbn"))"#,
        #"CREATE INDEX "index_book_on_stockShop_stockIsbn" ON "book"("stockShop", "stockIsbn")"#,
        #"CREATE INDEX "book_on_authorId" ON "book"("authorId")"#,
        #"CREATE INDEX "book_on_countryCode" ON "book"("countryCode")"#,
      ])
  }

  @Test func `a unique compound key has a unique index`() throws {
    let statements = try bookSQL(options: .ifNotExists) {
      $0.belongsTo("stock", indexed: false).unique()
    }
    #expect(
      statements.dropFirst() == [
        #"CREATE UNIQUE INDEX IF NOT EXISTS "index_book_on_stockShop_stockIsbn" "#
          + #"ON "book"("stockShop", "stockIsbn")"#
      ])
  }

  @Test func `no index where none is wanted, or where a key has one`() throws {
    #expect(try bookSQL { $0.belongsTo("author", indexed: false) }.count == 1)
    #expect(try bookSQL { $0.belongsTo("author").unique() }.count == 1)
    #expect(try bookSQL { $0.belongsTo("stock", indexed: false) }.count == 1)
    #expect(try bookSQL { t in t.primaryKey { t.belongsTo("stock") } }.count == 1)
  }

  @Test func `an unknown table is an error that names it`() {
    let error = #expect(throws: DatabaseError.self) {
      try bookSQL { $0.belongsTo("nope") }
    }
    #expect(error?.message == "no such table: nope")
  }

  @Test func `SQLite enforces the foreign keys`() throws {
    try DatabaseQueue().write { db in
      try db.create(table: "stock") { t in
        t.primaryKey {
          t.column("shop", .text)
          t.column("isbn", .text)
        }
      }
      try db.create(table: "book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("stock").notNull()
        t.belongsTo("book")
      }
      try db.execute(
        sql: "INSERT INTO stock VALUES ('a', 'b'); INSERT INTO book VALUES (1, 'a', 'b', 1)")
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO book VALUES (2, 'a', 'c', NULL)")
      }
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO book VALUES (2, 'a', 'b', 7)")
      }
    }
  }
}
