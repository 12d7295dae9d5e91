import Quarry
import QuarryTestSupport
import Testing

@Suite("View definitions")
struct ViewTests {
  private func library(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.create(table: "book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text)
        t.column("year", .integer)
      }
      try db.execute(sql: "INSERT INTO book VALUES (1, 'O''Brien', 1990), (2, 'b', 2010)")
      try body(db)
    }
  }

  @Test func `a view is made of a request, its values written as literals`() throws {
    try library { db in
      let request = Table("book").filter(Column("year") > 2000 || Column("title") == "O'Brien")
      let statements = try db.statements {
        try db.create(view: "recent", as: request)
      }
      #expect(
        statements == [
          #"CREATE VIEW "recent" AS SELECT * FROM "book" "#
            + #"WHERE ("year" > 2000) OR ("title" = 'O''Brien')"#
        ])
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM recent ORDER BY id") == [1, 2])
      try db.drop(view: "recent")
      #expect(try !db.viewExists("recent"))
    }
  }

  @Test func `a view is made of SQL, with options and columns`() throws {
    try library { db in
      let statements = try db.statements {
        try db.create(
          view: "recent", options: [.temporary, .ifNotExists], columns: ["a", "b"],
          asLiteral: "SELECT id, title FROM book WHERE year > \(2000)")
      }
      #expect(
        statements == [
          #"CREATE TEMPORARY VIEW IF NOT EXISTS "recent" ("a", "b") "#
            + "AS SELECT id, title FROM book WHERE year > 2000"
        ])
      #expect(try db.columns(in: "recent").map(\.name) == ["a", "b"])
    }
  }

  @Test func `a negative value behind a minus is subtracted`() throws {
    try library { db in
      try db.create(view: "later", asLiteral: "SELECT id, year-\(-5) AS year\nFROM book")
      #expect(try Int.fetchAll(db, sql: "SELECT year FROM later ORDER BY id") == [1995, 2015])
    }
  }

  /// The literal of an integer is the number of a column there.
  ///
  /// See <https://www.sqlite.org/lang_select.html#orderby>.
  @Test func `integers in an order and in groups are constants`() throws {
    try library { db throws in
      let never: SQLExpression = ([] as [Int64]).contains(Column("id"))
      let books = Table("book").order(
        !never, (-1).databaseValue.collating(.nocase), Column("title").desc)
      let counted = Table("book").select(count(Column("id")).forKey("n")).group(1.databaseValue)
      let statements = try db.statements {
        try db.create(view: "ordered", as: books)
        try db.create(view: "counted", as: counted)
      }
      let creations = statements.filter { $0.hasPrefix("CREATE") }
      #expect(
        creations == [
          #"CREATE VIEW "ordered" AS SELECT * FROM "book" "#
            + #"ORDER BY CAST(1 AS INTEGER), CAST(-1 COLLATE NOCASE AS INTEGER), "title" DESC"#,
          #"CREATE VIEW "counted" AS SELECT COUNT("id") AS "n" FROM "book" "#
            + "GROUP BY CAST(1 AS INTEGER)",
        ])
      #expect(try Int.fetchAll(db, sql: "SELECT id FROM ordered") == [2, 1])
      #expect(try Int.fetchAll(db, sql: "SELECT n FROM counted") == [2])
    }
  }

  @Test func `SQL arguments can't be written as literals`() throws {
    try library { db throws in
      #expect(throws: (any Error).self) {
        try db.create(view: "v", asLiteral: SQL(sql: "SELECT ?", arguments: [1]))
      }
      #expect(try !db.viewExists("v"))
    }
  }
}
