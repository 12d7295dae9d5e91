import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Table alterations")
struct TableAlterationTests {
  private func alterSQL(_ table: String, _ body: (TableAlteration) -> Void) throws -> [String] {
    let alteration = TableAlteration()
    body(alteration)
    let schema = LiteralSchemaReader.bookshop
    return try AlterationResolver(
      table: DefinitionName(table, schema), changes: alteration.changes, schema: schema
    ).statements()
  }

  @Test func `there is a statement for each change, in order`() throws {
    let statements = try alterSQL("book") {
      $0.add(column: "y", .integer).notNull().defaults(to: 0).indexed()
      $0.addColumn(sql: "z TEXT")
      $0.addColumn(literal: "w TEXT DEFAULT \("it's")")
      $0.rename(column: "title", to: "name")
      $0.drop(column: "price")
    }
    #expect(
      statements == [
        #"ALTER TABLE "book" ADD COLUMN "y" INTEGER NOT NULL DEFAULT 0"#,
        #"CREATE INDEX "book_on_y" ON "book"("y")"#,
        #"ALTER TABLE "book" ADD COLUMN z TEXT"#,
        #"ALTER TABLE "book" ADD COLUMN w TEXT DEFAULT 'it''s'"#,
        #"ALTER TABLE "book" RENAME COLUMN "title" TO "name""#,
        #"ALTER TABLE "book" DROP COLUMN "price""#,
      ])
  }

  @Test func `a reference to the table itself uses its key, also when the key is renamed`() throws {
    let reference = try alterSQL("book") { $0.add(column: "sequel").references("Book") }
    #expect(reference == [#"ALTER TABLE "book" ADD COLUMN "sequel" REFERENCES "Book"("id")"#])
    let renamed = try alterSQL("book") {
      $0.rename(column: "ID", to: "number")
      $0.add(column: "sequel").references("book")
    }
    #expect(renamed[1] == #"ALTER TABLE "book" ADD COLUMN "sequel" REFERENCES "book"("number")"#)
  }

  @Test func `a reference follows a key that is renamed twice, and a swap of names`() throws {
    let twice = try alterSQL("book") {
      $0.rename(column: "id", to: "key")
      $0.rename(column: "KEY", to: "code")
      $0.add(column: "sequel").references("book")
    }
    #expect(twice[2] == #"ALTER TABLE "book" ADD COLUMN "sequel" REFERENCES "book"("code")"#)
    let swap = try alterSQL("book") {
      $0.add(column: "prequel").references("book")
      $0.rename(column: "id", to: "other")
      $0.rename(column: "title", to: "id")
      $0.rename(column: "other", to: "title")
      $0.add(column: "sequel").references("book")
    }
    #expect(swap[0] == #"ALTER TABLE "book" ADD COLUMN "prequel" REFERENCES "book"("id")"#)
    #expect(swap[4] == #"ALTER TABLE "book" ADD COLUMN "sequel" REFERENCES "book"("title")"#)
  }

  @Test func `no change, no statement`() throws {
    try DatabaseQueue().write { db throws in
      #expect(try db.statements { try db.alter(table: "nope") { _ in } } == [])
    }
  }

  @Test func `the schema that is read follows renaming, alteration and dropping`() throws {
    try DatabaseQueue().write { db in
      try db.create(table: "book") { $0.autoIncrementedPrimaryKey("id") }
      #expect(try db.columns(in: "book").map(\.name) == ["id"])
      try db.alter(table: "book") {
        $0.add(column: "title", .text).indexed()
        $0.add(column: "pages", .integer)
      }
      #expect(try db.columns(in: "book").map(\.name) == ["id", "title", "pages"])
      #expect(try db.indexes(on: "book").map(\.name) == ["book_on_title"])
      try db.alter(table: "book") { $0.drop(column: "pages") }
      try db.rename(table: "book", to: "work")
      #expect(try db.columns(in: "work").map(\.name) == ["id", "title"])
      #expect(try !db.tableExists("book"))
      try db.drop(table: "work")
      #expect(try !db.tableExists("work"))
    }
  }

  @Test func `an unknown table is an error`() throws {
    try DatabaseQueue().write { db in
      let error = #expect(throws: DatabaseError.self) {
        try db.alter(table: "nope") { $0.add(column: "a") }
      }
      #expect(error?.message == "no such table: nope")
    }
  }
}
