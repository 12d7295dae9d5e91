import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let id = Column("id")

@Suite(.onQueueAndPool)
struct ModificationByKeyTests {
  private let b = TableAlias<Book>(name: "b")
  private let keys =
    #"(SELECT "b"."id" FROM "book" "b" JOIN "author" ON "author"."id" = "b"."authorId")"#

  private var written: QueryInterfaceRequest<Book> {
    Book.aliased(b).joining(required: Book.author)
  }

  /// The best score of a book.
  private var best: QueryInterfaceRequest<Review> {
    Review.filter(Column("bookId") == b[id]).select(max(Column("score")))
  }

  @Test func `an alias with a name that values refer to`() throws {
    #expect(
      try updateSQL(of: written, [p.set(to: b[p] + 1)])
        == RenderedSQL(
          #"UPDATE "book" AS "b" SET "price" = "price" + ? WHERE "b"."id" IN "# + keys, [1]))
    #expect(
      try updateSQL(of: written, [y.set(to: best)]).sql
        == #"UPDATE "book" AS "b" SET "year" = (SELECT MAX("score") FROM "review" "#
        + #"WHERE "bookId" = "b"."id") WHERE "b"."id" IN "# + keys)
    #expect(
      try updateSQL(of: written, [p.set(to: 1)]).sql
        == #"UPDATE "book" SET "price" = ? WHERE "id" IN "# + keys)
    try makeBookshopDatabase().write { db throws in
      #expect(try written.updateAll(db, p.set(to: b[p] + 1)) == 3)
      #expect(try Book.order(id).fetchAll(db).map(\.price) == [13.5, 10, 16, nil])
      let half = SQL("b.price / 2").sqlExpression
      #expect(try written.updateAll(db, y.set(to: best), p.set(to: half)) == 3)
      #expect(try Book.order(id).fetchAll(db).map(\.year) == [5, nil, 4, nil])
      #expect(try Book.order(id).fetchAll(db).map(\.price) == [6.75, 5, 8, nil])
    }
  }

  @Test func `an alias with a name that RETURNING refers to`() throws {
    #expect(
      try updateSQL(of: written, [p.set(to: 1)], returning: [b[id]]).sql
        == #"UPDATE "book" AS "b" SET "price" = ? WHERE "b"."id" IN "# + keys
        + #" RETURNING "id""#)
    #expect(
      try deleteSQL(of: written, returning: [b[id]]).sql
        == #"DELETE FROM "book" AS "b" WHERE "b"."id" IN "# + keys + #" RETURNING "id""#)
    #expect(
      try deleteSQL(
        of: Book.aliased(b).order(y).limit(1), returning: [b[id]], limitsModifications: false
      ).sql == """
        DELETE FROM "book" AS "b" WHERE "b"."id" IN \
        (SELECT "b"."id" FROM "book" "b" ORDER BY "b"."year" LIMIT 1) RETURNING "id"
        """)
    try makeBookshopDatabase().write { db throws in
      try Review.deleteAll(db)
      let statement = try written.deleteAndFetchStatement(db, selection: [b[t]])
      let titles = try String.fetchSet(statement)
      #expect(titles == ["Dispossession", "Left Hand", "Invisible Towns"])
    }
  }

  /// Also where the table of the subquery has that name.
  @Test func `subqueries of RETURNING know the table by its own name`() throws {
    let twins = Book.filter(Column("authorId") == b[Column("authorId")]).select(count(id))
    let selection: [SQLExpression] = [b[id], best.sqlExpression, twins.sqlExpression]
    let returning =
      #" RETURNING "id", (SELECT MAX("score") FROM "review" WHERE "bookId" = "book"."id"), "#
      + #"(SELECT COUNT("book1"."id") FROM "book" "book1" "#
      + #"WHERE "book1"."authorId" = "book"."authorId")"#
    #expect(
      try updateSQL(of: written, [p.set(to: 1)], returning: selection).sql
        == #"UPDATE "book" AS "b" SET "price" = ? WHERE "b"."id" IN "# + keys + returning)
    #expect(
      try deleteSQL(of: written, returning: selection).sql
        == #"DELETE FROM "book" AS "b" WHERE "b"."id" IN "# + keys + returning)
    let first = Book.aliased(b).filter(y > 2000).order(y).limit(1)
    #expect(
      try deleteSQL(of: first, returning: selection).sql
        == #"DELETE FROM "book" AS "b" WHERE "b"."year" > ?"# + returning
        + #" ORDER BY "b"."year" LIMIT 1"#)
    try makeBookshopDatabase().write { db throws in
      let statement = try written.updateAndFetchStatement(
        db, [p.set(to: 1)], selection: selection)
      let rows = try Row.fetchAll(statement).map { [$0[0] as Int?, $0[1] as Int?, $0[2] as Int?] }
      #expect(Set(rows) == [[1, 5, 2], [2, nil, 2], [3, 4, 1]])
    }
  }

  @Test func `a common table expression that values refer to`() throws {
    let latest = CommonTableExpression<Book>(named: "latest", request: Book.filter(y > 2000))
    let request = Book.with(latest).joining(required: Book.author)
    let definition = #"WITH "latest" AS (SELECT * FROM "book" WHERE "year" > ?) "#
    let condition =
      #""id" IN ("# + definition + #"SELECT "book"."id" FROM "book" "#
      + #"JOIN "author" ON "author"."id" = "book"."authorId")"#
    let year = y.set(to: latest.all().select(max(y)))
    #expect(
      try updateSQL(of: request, [year])
        == RenderedSQL(
          definition + #"UPDATE "book" SET "year" = (SELECT MAX("year") FROM "latest") "#
            + #"FROM (SELECT 1 AS "grdb_row") WHERE "book"."# + condition, [2000, 2000]))
    #expect(
      try updateSQL(of: request, [y.set(to: 1)])
        == RenderedSQL(#"UPDATE "book" SET "year" = ? WHERE "# + condition, [1, 2000]))
    try makeBookshopDatabase().write { db throws in
      #expect(try request.updateAll(db, year) == 3)
      #expect(try Book.order(id).fetchAll(db).map(\.year) == [2002, 2002, 2002, nil])
    }
  }
}

/// Updates and deletions of the first rows of requests that select values of their own.
