import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let id = Column("id")
private let recent = CommonTableExpression<Void>(
  named: "recent", columns: ["id"], sql: "SELECT id FROM book WHERE year > ?", arguments: [2000])

@Suite(.onQueueAndPool)
struct DeleteTests {
  @Test func `deletes without database`() throws {
    #expect(
      try deleteSQL(of: Book.filter(y == 1))
        == RenderedSQL(#"DELETE FROM "book" WHERE "year" = ?"#, [1]))
    #expect(
      try deleteSQL(of: Book.order(y).limit(1)).sql
        == #"DELETE FROM "book" ORDER BY "year" LIMIT 1"#)
    #expect(
      try deleteSQL(of: Book.with(recent).filter(recent.contains(id))).sql
        == #"DELETE FROM "book" WHERE "id" IN "#
        + #"(WITH "recent"("id") AS (SELECT id FROM book WHERE year > ?) "#
        + #"SELECT "id" FROM "book" WHERE "id" IN "recent")"#)
    #expect(
      try deleteSQL(of: Author.having(Author.books.isEmpty)).sql
        == #"DELETE FROM "author" WHERE "id" IN (SELECT "author"."id" FROM "author" "#
        + #"LEFT JOIN "book" ON "book"."authorId" = "author"."id" "#
        + #"GROUP BY "author"."id" HAVING COUNT(DISTINCT "book"."id") = 0)"#)
    #expect(
      try deleteSQL(of: Stock.joining(required: Stock.moves)).sql
        == #"DELETE FROM "stock" WHERE "rowid" IN (SELECT "stock"."rowid" FROM "stock" "#
        + #"JOIN "stockMove" ON ("stockMove"."shop" = "stock"."shop") "#
        + #"AND ("stockMove"."isbn" = "stock"."isbn"))"#)
    #expect(
      try deleteSQL(of: Book.filter(y == 1), returning: [id]).sql
        == #"DELETE FROM "book" WHERE "year" = ? RETURNING "id""#)
    #expect(
      try invalidity(of: deleteSQL(of: Book.all().group(y)))
        == "Can't delete query with GROUP BY clause")
  }

  @Test func `rows are deleted`() throws {
    try makeBookshopDatabase().write { db throws in
      #expect(try Review.deleteAll(db) == 3)
      #expect(try Book.deleteOne(db, key: 1))
      #expect(try !Book.deleteOne(db, id: 1))
      #expect(try Book.deleteAll(db, ids: [2, 9]) == 1)
      #expect(try Book.deleteAll(db, keys: [Int]()) == 0)
      #expect(try !Book.deleteOne(db, key: Int?.none))
      #expect(try Stock.deleteOne(db, key: ["shop": "north", "isbn": "b"]))
      #expect(try Author.having(Author.books.isEmpty).deleteAll(db) == 2)
      #expect(try Table("author").deleteOne(db, key: 9) == false)
      #expect(try Author.fetchAll(db).map(\.id) == [2])
    }
  }

  @Test func `deleted rows are fetched`() throws {
    try makeBookshopDatabase().write { db throws in
      try Review.deleteAll(db)
      #expect(try Book.filter(id == 4).deleteAndFetchAll(db).map(\.title) == ["Anonymous"])
      #expect(try Book.filter(y > 2000).deleteAndFetchIds(db) == [3])
      let statement = try Book.filter(id == 1).deleteAndFetchStatement(db, selection: [t])
      #expect(try String.fetchAll(statement) == ["Dispossession"])
      #expect(try Book.all().deleteAndFetchSet(db).count == 1)
      #expect(throws: InvalidRequest.self) {
        try Book.all().deleteAndFetchStatement(db, selection: [])
      }
      #expect(throws: InvalidRequest.self) {
        try Table<Stocked>("stock").all().deleteAndFetchIds(db)
      }
    }
  }

  struct Stocked: TableRecord, Identifiable {
    static let databaseTableName = "stock"
    var id: Int64
  }
}

/// Updates and deletions by key: their values may need what the request in the subquery has.
