import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let year = Column("year")

/// Columns that are interpolated in SQL written by hand stand in no request: they have no
/// qualifier.
@Suite(.onQueueAndPool)
struct LiteralSubqueryTests {
  private let latest: SQLRequest<Int> = "SELECT MAX(\(year)) FROM book"

  @Test func `columns of a subquery are not those of the enclosing request`() throws {
    #expect(
      try sql(of: Book.aliased(TableAlias(name: "b")).filter(year == latest)).sql == """
        SELECT "b".* FROM "book" "b" WHERE "b"."year" = (SELECT MAX("year") FROM book)
        """)
    #expect(
      try sql(of: Book.joining(required: Book.author.filter(latest.contains(Column("birthYear")))))
        .sql == """
          SELECT "book".* FROM "book" JOIN "author" ON ("author"."id" = "book"."authorId") AND \
          ("author"."birthYear" IN (SELECT MAX("year") FROM book))
          """)
    #expect(
      try sql(of: Book.joining(optional: Book.author).select(latest.sqlExpression)).sql == """
        SELECT (SELECT MAX("year") FROM book) FROM "book" \
        LEFT JOIN "author" ON "author"."id" = "book"."authorId"
        """)
    #expect(
      try sql(of: Book.joining(optional: Book.author).filter(literal: "\(year) = (\(latest))")).sql
        == """
        SELECT "book".* FROM "book" LEFT JOIN "author" ON "author"."id" = "book"."authorId" \
        WHERE "book"."year" = (SELECT MAX("year") FROM book)
        """)
    try makeBookshopDatabase().read { db throws in
      let request = Book.aliased(TableAlias(name: "b")).filter(year == latest)
      #expect(try request.fetchAll(db).map(\.id) == [3])
    }
  }

  @Test func `aliases of the enclosing request stay its own`() throws {
    let author = TableAlias<Author>()
    let first: SQLRequest<Int> = """
      SELECT MIN(\(year)) FROM book WHERE authorId = \(author[id])
      """
    let request = Book.joining(required: Book.author.aliased(author)).filter(year == first)
    #expect(
      try sql(of: request).sql == """
        SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" \
        WHERE "book"."year" = (SELECT MIN("year") FROM book WHERE authorId = "author"."id")
        """)
    try makeBookshopDatabase().read { db throws in
      #expect(try request.order(id).fetchAll(db).map(\.id) == [2, 3])
    }
  }

  @Test func `columns of the body of a table expression`() throws {
    let old = CommonTableExpression<Void>(
      named: "old", literal: "SELECT \(id) FROM book WHERE \(year) < \(1970)")
    let request = Book.aliased(TableAlias(name: "b")).with(old).filter(old.contains(id))
    #expect(
      try sql(of: request).sql == """
        WITH "old" AS (SELECT "id" FROM book WHERE "year" < ?) \
        SELECT "b".* FROM "book" "b" WHERE "b"."id" IN "old"
        """)
    try makeBookshopDatabase().read { db throws in
      #expect(try request.fetchAll(db).map(\.id) == [2])
    }
  }
}

/// Deletions and updates of requests that include associations.
@Suite(.onQueueAndPool)
struct IncludingModificationTests {
  private let request = Book.including(
    required: Book.author.including(optional: Author.oneBook.select(id))
  ).including(optional: Book.publisher).including(all: Book.reviews)

  @Test func `the subselect selects the primary key alone`() throws {
    let joins = """
      JOIN "author" ON "author"."id" = "book1"."authorId" \
      LEFT JOIN "book" "book2" ON "book2"."authorId" = "author"."id" \
      LEFT JOIN "publisher" ON "publisher"."id" = "book1"."publisherId"
      """
    let subselect = #"(SELECT "book1"."id" FROM "book" "book1" \#(joins))"#
    #expect(try deleteSQL(of: request).sql == #"DELETE FROM "book" WHERE "id" IN "# + subselect)
    #expect(
      try updateSQL(of: request, [Column("title").set(to: "x")]).sql
        == #"UPDATE "book" SET "title" = ? WHERE "id" IN "# + subselect)
  }

  @Test func `rows are fetched`() throws {
    try makeBookshopDatabase().write { db throws in
      try db.execute(sql: "DELETE FROM review")
      let updated = try request.filter(year > 2000)
        .updateAndFetchAll(db, [Column("title").set(to: "Towns")])
      #expect(updated.map(\.title) == ["Towns"])
      #expect(try request.filter(year < 1970).deleteAndFetchIds(db) == [2])
      #expect(try request.deleteAndFetchAll(db).map(\.id).sorted() == [1, 3])
      #expect(try Book.fetchCount(db) == 1)
    }
  }
}
