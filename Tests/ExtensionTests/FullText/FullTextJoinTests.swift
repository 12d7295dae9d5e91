import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// A table with a column that is called like the index.
private struct Folder: Codable, Hashable, FetchableRecord, TableRecord {
  static let entry = hasOne(BookIndex.self, using: ForeignKey([Column.rowID]))
  var id: Int64
  var bookIndex: String?
}

/// Joins of full-text tables and their content tables.
@Suite(.needs(.fullText))
struct FullTextJoinTests {
  private let pattern = FTS5Pattern(matchingAllTokensIn: "sea")
  private let oldPattern = FTS3Pattern(matchingAllTokensIn: "sea")
  private let year = Column("year")

  @Test(arguments: Engine.allCases)
  func `Books are found by their index`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let request = IndexedBook.joining(required: IndexedBook.index.matching(pattern))
      let join = """
        JOIN "bookIndex" ON ("bookIndex"."rowid" = "book"."id") AND ("bookIndex" MATCH ?)
        """
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL("SELECT \"book\".* FROM \"book\" \(join)", ["sea"]))
      #expect(try request.fetchAll(db).map(\.id) == [1, 2])
      #expect(try request.fetchCount(db) == 2)
      #expect(try request.filter(year < 1950).order(year).limit(3).fetchAll(db).map(\.id) == [2])
      let old = IndexedBook.joining(required: IndexedBook.index.matching(oldPattern))
      #expect(try sql(of: old, in: db) == sql(of: request, in: db))

      let including = IndexedBook.including(required: IndexedBook.index.matching(pattern))
      #expect(
        try sql(of: including, in: db).sql
          == "SELECT \"book\".*, \"bookIndex\".* FROM \"book\" \(join)")
      let optional = IndexedBook.joining(optional: IndexedBook.index.matching(pattern))
      #expect(try sql(of: optional, in: db).sql == "SELECT \"book\".* FROM \"book\" LEFT \(join)")
      #expect(try optional.fetchCount(db) == 3)
      let noPattern: FTS5Pattern? = nil
      let none = IndexedBook.joining(optional: IndexedBook.index.matching(noPattern))
      #expect(
        try sql(of: none, in: db)
          == RenderedSQL(
            """
            SELECT "book".* FROM "book" \
            LEFT JOIN "bookIndex" ON ("bookIndex"."rowid" = "book"."id") AND ?
            """, [false]))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The index leads to books`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let request = BookIndex.matching(pattern).including(required: BookIndex.book)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "bookIndex".*, "book".* FROM "bookIndex" \
            JOIN "book" ON "book"."id" = "bookIndex"."rowid" WHERE "bookIndex" MATCH ?
            """, ["sea"]))
      #expect(try Row.fetchAll(db, request).map { $0.scopes["book"]?["year"] } == [1952, 1904])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The key of the books may lead to the rowid of the index`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let index = IndexedBook.belongsTo(
        BookIndex.self, using: ForeignKey([Column("id")], to: [Column.rowID]))
      let request = IndexedBook.joining(required: index.matching(pattern))
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".* FROM "book" \
            JOIN "bookIndex" ON ("bookIndex"."rowid" = "book"."id") AND ("bookIndex" MATCH ?)
            """, ["sea"]))
      #expect(try request.fetchAll(db).map(\.id) == [1, 2])
    }
  }

  @Test func `The best come first`() throws {
    try withIndexedBooks(.fts5) { db throws in
      let request = IndexedBook.joining(
        required: IndexedBook.index.matching(pattern).order(Column.rank))
      #expect(try sql(of: request, in: db).sql.hasSuffix(#" ORDER BY "bookIndex"."rank""#))
      #expect(try request.fetchAll(db).map(\.id) == [2, 1])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Subqueries and table expressions`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let ids = BookIndex.matching(pattern).select(Column.rowID)
      let request = IndexedBook.filter(ids.contains(Column("id")))
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT * FROM "book" WHERE "id" IN \
            (SELECT "rowid" FROM "bookIndex" WHERE "bookIndex" MATCH ?)
            """, ["sea"]))
      #expect(try request.fetchAll(db).map(\.id) == [1, 2])
      let found = CommonTableExpression(
        named: "found", request: BookIndex.matching(pattern).select(Column.rowID.forKey("rid")))
      let association = IndexedBook.association(to: found) { $0["id"] == $1["rid"] }
      #expect(
        try IndexedBook.with(found).joining(required: association).fetchAll(db).map(\.id) == [1, 2])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A joined table may have a column with the name of the index`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.execute(
        sql: """
          CREATE TABLE folder (id INTEGER PRIMARY KEY, bookIndex TEXT);
          INSERT INTO folder VALUES (1, 'a'), (3, 'c');
          """)
      let request = Folder.joining(required: Folder.entry.matching(pattern))
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "folder".* FROM "folder" JOIN "bookIndex" \
            ON ("bookIndex"."rowid" = "folder"."id") AND ("bookIndex"."bookIndex" MATCH ?)
            """, ["sea"]))
      #expect(try request.fetchAll(db).map(\.id) == [1])
      let ids = BookIndex.matching(pattern).select(Column.rowID)
      let found = Folder.filter(ids.contains(Column("id")))
      #expect(
        try sql(of: found, in: db).sql == """
          SELECT * FROM "folder" WHERE "id" IN \
          (SELECT "rowid" FROM "bookIndex" WHERE "bookIndex" MATCH ?)
          """)
      #expect(try found.fetchAll(db).map(\.id) == [1])
      guard engine == .fts5 else { return }
      let folder = BookIndex.belongsTo(
        Folder.self, using: ForeignKey([Column.rowID], to: [Column("id")]))
      let marked = BookIndex.matching(pattern).joining(required: folder)
        .annotated(with: FTS5.highlight("title", open: "<", close: ">").forKey("marked"))
      #expect(
        try sql(of: marked, in: db).sql == """
          SELECT "bookIndex".*, highlight("bookIndex"."bookIndex", 0, ?, ?) AS "marked" \
          FROM "bookIndex" JOIN "folder" ON "folder"."id" = "bookIndex"."rowid" \
          WHERE "bookIndex"."bookIndex" MATCH ?
          """)
      let texts = try Row.fetchAll(db, marked).map { $0["marked"] as String? }
      #expect(texts == ["Old Man and <Sea>"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `An index is joined twice, and by another name`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let s = TableAlias(name: "s")
      let named = IndexedBook.joining(required: IndexedBook.index.aliased(s).matching(pattern))
      #expect(
        try sql(of: named, in: db).sql == """
          SELECT "book".* FROM "book" \
          JOIN "bookIndex" "s" ON ("s"."rowid" = "book"."id") AND ("s"."bookIndex" MATCH ?)
          """)
      #expect(try named.fetchAll(db).map(\.id) == [1, 2])
      let wolf = FTS5Pattern(matchingAllTokensIn: "wolf")
      let twice =
        IndexedBook
        .joining(required: IndexedBook.index.forKey("a").matching(pattern))
        .joining(required: IndexedBook.index.forKey("b").matching(wolf))
      #expect(
        try sql(of: twice, in: db).sql == """
          SELECT "book".* FROM "book" \
          JOIN "bookIndex" "bookIndex1" ON ("bookIndex1"."rowid" = "book"."id") \
          AND ("bookIndex1"."bookIndex" MATCH ?) \
          JOIN "bookIndex" "bookIndex2" ON ("bookIndex2"."rowid" = "book"."id") \
          AND ("bookIndex2"."bookIndex" MATCH ?)
          """)
      #expect(try twice.fetchAll(db).map(\.id) == [2])
    }
  }

  @Test(arguments: Engine.allCases)
  func `An index is joined to one of the same name in another database`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.execute(
        sql: """
          ATTACH DATABASE ':memory:' AS archive;
          CREATE VIRTUAL TABLE archive.bookIndex USING \(engine.rawValue)(title);
          INSERT INTO archive.bookIndex (rowid, title) VALUES (1, 'Deep Sea'), (2, 'Hill');
          """)
      let archived = Table("bookIndex").belongsTo(
        Table("archive.bookIndex"), using: ForeignKey([Column.rowID], to: [Column.rowID]))
      let request = Table("bookIndex").matching(pattern)
        .joining(required: archived.matching(pattern))
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "bookIndex".* FROM "bookIndex" \
            JOIN "archive"."bookIndex" AS "archive.bookIndex" \
            ON ("archive.bookIndex"."rowid" = "bookIndex"."rowid") \
            AND ("archive.bookIndex"."bookIndex" MATCH ?) WHERE "bookIndex"."bookIndex" MATCH ?
            """, ["sea", "sea"]))
      #expect(try Row.fetchAll(db, request).map { $0["title"] } == ["Old Man and Sea"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The index is joined to itself by another name`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      let s = TableAlias(name: "s")
      let again = IndexedBook.index.aliased(s)
      let request = BookIndex.matching(pattern)
        .joining(required: BookIndex.book.joining(required: again))
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "bookIndex".* FROM "bookIndex" \
            JOIN "book" ON "book"."id" = "bookIndex"."rowid" \
            JOIN "bookIndex" "s" ON "s"."rowid" = "book"."id" \
            WHERE "bookIndex"."bookIndex" MATCH ?
            """, ["sea"]))
      #expect(try request.fetchCount(db) == 2)
    }
  }
}
