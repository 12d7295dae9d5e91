import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let id = Column("id")
private let recent = CommonTableExpression<Void>(
  named: "recent", request: Book.select(id, Column("title")).filter(y > 2000))
private let pair = CommonTableExpression(
  named: "c2", columns: ["a", "b"], sql: "SELECT 1, ?", arguments: [2])
private let counter = CommonTableExpression<Int>(
  recursive: true, named: "cnt", columns: ["x"],
  literal: "SELECT \(1) UNION ALL SELECT x + 1 FROM cnt WHERE x < \(3)")

@Suite(.onQueueAndPool)
struct CommonTableExpressionTests {
  @Test(arguments: [
    RequestCase(
      recent.all().with(recent),
      #"WITH "recent" AS (SELECT "id", "title" FROM "book" WHERE "year" > ?) SELECT * FROM "recent""#,
      [2000]),
    RequestCase(
      recent.all(), #"SELECT * FROM "recent""#, refused: "no such table: recent"),
    RequestCase(
      recent.filter(id > 1).with(recent),
      #"WITH "recent" AS (SELECT "id", "title" FROM "book" WHERE "year" > ?) "#
        + #"SELECT * FROM "recent" WHERE "id" > ?"#, [2000, 1]),
    RequestCase(
      recent.select(Column("title"), as: String.self).with(recent),
      #"WITH "recent" AS (SELECT "id", "title" FROM "book" WHERE "year" > ?) "#
        + #"SELECT "title" FROM "recent""#, [2000]),
    RequestCase(
      pair.all().with(pair), #"WITH "c2"("a", "b") AS (SELECT 1, ?) SELECT * FROM "c2""#, [2]),
    RequestCase(
      Book.filter(id == 9).with(pair).with(recent),
      #"WITH "c2"("a", "b") AS (SELECT 1, ?), "#
        + #""recent" AS (SELECT "id", "title" FROM "book" WHERE "year" > ?) "#
        + #"SELECT * FROM "book" WHERE "id" = ?"#, [2, 2000, 9]),
    RequestCase(
      counter.all().with(counter).with(pair),
      #"WITH RECURSIVE "cnt"("x") AS (SELECT ? UNION ALL SELECT x + 1 FROM cnt WHERE x < ?), "#
        + #""c2"("a", "b") AS (SELECT 1, ?) SELECT * FROM "cnt""#, [1, 3, 2]),
    RequestCase(
      Book.with(recent).with(pair)
        .with(CommonTableExpression<Void>(named: "recent", sql: "SELECT 3")),
      #"WITH "recent" AS (SELECT 3), "c2"("a", "b") AS (SELECT 1, ?) SELECT * FROM "book""#, [2]),
    RequestCase(
      Table("book").with(CommonTableExpression<Void>(named: "e", columns: [], sql: "SELECT 3")),
      #"WITH "e" AS (SELECT 3) SELECT * FROM "book""#),
    RequestCase(
      Book.with(recent).filter(recent.contains(id)),
      #"WITH "recent" AS (SELECT "id", "title" FROM "book" WHERE "year" > ?) "#
        + #"SELECT * FROM "book" WHERE "id" IN "recent""#, [2000],
      refused: "sub-select returns 2 columns - expected 1"),
    RequestCase(
      Author.filter(Book.with(pair).select(Column("authorId")).contains(id)),
      #"SELECT * FROM "author" WHERE "id" IN "#
        + #"(WITH "c2"("a", "b") AS (SELECT 1, ?) SELECT "authorId" FROM "book")"#, [2]),
    RequestCase(
      CommonTableExpression<Void>(named: "o", request: Book.with(pair)).all()
        .with(CommonTableExpression<Void>(named: "o", request: Book.with(pair))),
      #"WITH "o" AS (WITH "c2"("a", "b") AS (SELECT 1, ?) SELECT * FROM "book") SELECT * FROM "o""#,
      [2]),
    RequestCase(
      Book.with(recent).with(pair)
        .with(CommonTableExpression<Void>(named: "RECENT", sql: "SELECT 3")),
      #"WITH "RECENT" AS (SELECT 3), "c2"("a", "b") AS (SELECT 1, ?) SELECT * FROM "book""#, [2]),
    RequestCase(
      Book.with(pair.materialized()).with(recent.materialized(false)),
      #"WITH "c2"("a", "b") AS MATERIALIZED (SELECT 1, ?), "recent" AS NOT MATERIALIZED "#
        + #"(SELECT "id", "title" FROM "book" WHERE "year" > ?) SELECT * FROM "book""#, [2, 2000]),
  ])
  func `definitions come first`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `columns of a table expression can't be excluded`() throws {
    let request = recent.all().with(recent).select(.allColumns(excluding: ["id"]))
    #expect(try invalidity(of: sql(of: request)) != nil)
  }

  @Test func `table expressions are fetched`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try counter.all().with(counter).fetchAll(db) == [1, 2, 3])
      let authors = Author.with(recent)
        .filter(
          Book.filter(recent.all().select(id).contains(id)).select(Column("authorId")).contains(id))
      #expect(try authors.fetchAll(db).map(\.id) == [2])
      #expect(try pair.all().with(pair).fetchOne(db) == ["a": 1, "b": 2])
      #expect(try pair.all().with(pair).fetchCount(db) == 1)
      #expect(try pair.all().with(pair.materialized()).fetchOne(db) == ["a": 1, "b": 2])
      #expect(try pair.all().with(pair.materialized(false)).fetchOne(db) == ["a": 1, "b": 2])
      let other = CommonTableExpression<Row>(named: "C2", sql: "SELECT 3 AS a")
      #expect(try pair.all().with(pair).with(other).fetchOne(db) == ["a": 3])
    }
  }
}
