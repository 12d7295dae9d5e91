import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let aid = Column("authorId")
private let byAuthor = SQLWindow(partitionBy: aid)

@Suite(.onQueueAndPool)
struct NamedWindowTests {
  @Test(arguments: [
    RequestCase(
      Book.window("w", SQLWindow(partitionBy: aid, orderBy: y)).select(rank().over("w")),
      #"SELECT RANK() OVER "w" FROM "book" WINDOW "w" AS (PARTITION BY "authorId" ORDER BY "year")"#
    ),
    RequestCase(
      Book.window("w", byAuthor).select(sum(p).over(SQLWindow(extending: "w", orderBy: y.desc, t))),
      #"SELECT SUM("price") OVER ("w" ORDER BY "year" DESC, "title") FROM "book" "#
        + #"WINDOW "w" AS (PARTITION BY "authorId")"#),
    RequestCase(
      Book.window("w", SQLWindow(orderBy: y)).select(
        sum(p).over(SQLWindow(extending: "w", frame: .rows(from: .preceding(1))))),
      #"SELECT SUM("price") OVER ("w" ROWS ? PRECEDING) FROM "book" WINDOW "w" AS (ORDER BY "year")"#,
      [1]),
    RequestCase(
      Book.window("a", byAuthor).window("b", SQLWindow(extending: "a", orderBy: y))
        .select(rank().over("b")),
      #"SELECT RANK() OVER "b" FROM "book" WINDOW "a" AS (PARTITION BY "authorId"), "#
        + #""b" AS ("a" ORDER BY "year")"#),
    RequestCase(
      Book.window("w", SQLWindow()).select(rank().over("w")),
      #"SELECT RANK() OVER "w" FROM "book" WINDOW "w" AS ()"#),
    RequestCase(
      Table("book").window("w", byAuthor).select(rank().over(SQLWindow(named: "w"))),
      #"SELECT RANK() OVER "w" FROM "book" WINDOW "w" AS (PARTITION BY "authorId")"#),
    RequestCase(
      Book.filter(y > 1).group(aid).having(max(p) > 2).order(rank().over("w")).limit(3)
        .window("w", SQLWindow(orderBy: sum(p))).select(aid),
      #"SELECT "authorId" FROM "book" WHERE "year" > ? GROUP BY "authorId" HAVING MAX("price") > ? "#
        + #"WINDOW "w" AS (ORDER BY SUM("price")) ORDER BY RANK() OVER "w" LIMIT 3"#, [1, 2]),
  ])
  func `windows have their clause`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `the last window of a name`() throws {
    let request = Book.window("w", byAuthor).window("x", SQLWindow()).window(
      "W", SQLWindow(orderBy: y)
    )
    .select(rank().over("w"))
    #expect(
      try sql(of: request).sql
        == #"SELECT RANK() OVER "w" FROM "book" WINDOW "W" AS (ORDER BY "year"), "x" AS ()"#)
  }

  @Test func `windows of joined requests are those of the request`() throws {
    let author = Book.author.window("country", SQLWindow(partitionBy: Column("country")))
    let request = Book.joining(required: author).window("w", byAuthor)
      .select(t, count(t).over("country"), sum(p).over("w"))
    #expect(
      try sql(of: request).sql
        == #"SELECT "book"."title", COUNT("book"."title") OVER "country", SUM("book"."price") OVER "w" "#
        + #"FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" "#
        + #"WINDOW "w" AS (PARTITION BY "book"."authorId"), "country" AS (PARTITION BY "author"."country")"#
    )
    #expect(
      try sql(of: Book.joining(required: author).joining(required: author.window("x", SQLWindow())))
        .sql
        .hasSuffix(#"WINDOW "country" AS (PARTITION BY "author"."country"), "x" AS ()"#))
    #expect(
      try invalidity(of: sql(of: request.window("Country", byAuthor)))
        == #"Two joined requests define a window named "country""#)
    let rows = try makeBookshopDatabase().read {
      try request.order(Column("id")).asRequest(of: Row.self).fetchAll($0)
    }
    #expect(rows.map { $0[0] as String } == ["Dispossession", "Left Hand", "Invisible Towns"])
    #expect(rows.map { $0[1] as Int } == [2, 2, 1])
    #expect(rows.map { $0[2] as Double } == [21.5, 21.5, 15])
  }

  @Test func `counts keep the windows that they need`() throws {
    let request = Book.window("w", byAuthor).select(rank().over("w"))
    #expect(try countSQL(of: request).sql == #"SELECT COUNT(*) FROM "book""#)
    #expect(
      try countSQL(of: request.limit(1)).sql
        == #"SELECT COUNT(*) FROM (SELECT RANK() OVER "w" FROM "book" "#
        + #"WINDOW "w" AS (PARTITION BY "authorId") LIMIT 1)"#)
    #expect(try deleteSQL(of: request).sql == #"DELETE FROM "book""#)
  }

  @Test func `the best of each group is a subquery`() throws {
    let ranked = CommonTableExpression<Void>(
      named: "ranked",
      request: Book.select(
        Column("id"), rank().over(partitionBy: aid, orderBy: y.desc).forKey("position")))
    let latest = Book.with(ranked).filter(
      ranked.all().select(Column("id")).filter(Column("position") == 1).contains(Column("id")))
    #expect(
      try sql(of: latest)
        == RenderedSQL(
          #"WITH "ranked" AS (SELECT "id", RANK() OVER (PARTITION BY "authorId" ORDER BY "year" DESC) "#
            + #"AS "position" FROM "book") SELECT * FROM "book" "#
            + #"WHERE "id" IN (SELECT "id" FROM "ranked" WHERE "position" = ?)"#, [1]))
    let identifiers = try makeBookshopDatabase().read { try latest.fetchAll($0).map(\.id) }
    #expect(identifiers == [1, 3, 4])
  }
}
