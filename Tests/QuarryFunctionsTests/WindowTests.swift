import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let id = Column("id")
private let aid = Column("authorId")

@Suite(.onQueueAndPool)
struct WindowTests {
  @Test(arguments: [
    ExpressionCase(rowNumber().over(), "ROW_NUMBER() OVER ()"),
    ExpressionCase(rank().over(orderBy: y.desc), #"RANK() OVER (ORDER BY "year" DESC)"#),
    ExpressionCase(
      denseRank().over(orderBy: y, t), #"DENSE_RANK() OVER (ORDER BY "year", "title")"#),
    ExpressionCase(
      percentRank().over(partitionBy: aid), #"PERCENT_RANK() OVER (PARTITION BY "authorId")"#),
    ExpressionCase(
      cumeDist().over(partitionBy: aid, y + 1, orderBy: t.collating(.nocase).desc),
      #"CUME_DIST() OVER (PARTITION BY "authorId", "year" + ? ORDER BY "title" COLLATE NOCASE DESC)"#,
      [1]),
    ExpressionCase(ntile(4).over(orderBy: y), #"NTILE(?) OVER (ORDER BY "year")"#, [4]),
    ExpressionCase(lag(y).over(orderBy: id), #"LAG("year") OVER (ORDER BY "id")"#),
    ExpressionCase(lag(y, 2).over(orderBy: id), #"LAG("year", ?) OVER (ORDER BY "id")"#, [2]),
    ExpressionCase(
      lag(y, default: 0).over(orderBy: id), #"LAG("year", ?, ?) OVER (ORDER BY "id")"#, [1, 0]),
    ExpressionCase(
      lead(y, aid, default: p).over(orderBy: id),
      #"LEAD("year", "authorId", "price") OVER (ORDER BY "id")"#),
    ExpressionCase(firstValue(t).over(orderBy: y), #"FIRST_VALUE("title") OVER (ORDER BY "year")"#),
    ExpressionCase(lastValue(t).over(orderBy: y), #"LAST_VALUE("title") OVER (ORDER BY "year")"#),
    ExpressionCase(
      nthValue(t, 2).over(orderBy: y), #"NTH_VALUE("title", ?) OVER (ORDER BY "year")"#, [2]),
    ExpressionCase(sum(p).over(orderBy: id), #"SUM("price") OVER (ORDER BY "id")"#),
    ExpressionCase(
      sum(p, filter: y > 1).over(orderBy: id),
      #"SUM("price") FILTER (WHERE "year" > ?) OVER (ORDER BY "id")"#, [1]),
    ExpressionCase(SQLExpression.countAll.over(), "COUNT(*) OVER ()"),
    ExpressionCase(SQL("my_sum(price)").sqlExpression.over(), "my_sum(price) OVER ()"),
    ExpressionCase(
      Database.jsonGroupArray(t).over(partitionBy: aid),
      #"JSON_GROUP_ARRAY("title") OVER (PARTITION BY "authorId")"#),
    ExpressionCase(rank().over(orderBy: y) + 1, #"(RANK() OVER (ORDER BY "year")) + ?"#, [1]),
    ExpressionCase(
      abs(lag(y).over(orderBy: y) - y), #"ABS((LAG("year") OVER (ORDER BY "year")) - "year")"#),
    ExpressionCase(
      rank().over(orderBy: SQL("a, \(y) DESC")), #"RANK() OVER (ORDER BY a, "year" DESC)"#),
  ])
  func `functions over windows`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  static let frames: [(SQLWindowFrame, String, StatementArguments)] = [
    (.rows(from: .unboundedPreceding), "ROWS UNBOUNDED PRECEDING", []),
    (.rows(from: .preceding(2)), "ROWS ? PRECEDING", [2]),
    (.rows(from: .currentRow), "ROWS CURRENT ROW", []),
    (
      .rows(from: .preceding(2), to: .following(1)), "ROWS BETWEEN ? PRECEDING AND ? FOLLOWING",
      [2, 1]
    ),
    (
      .range(from: .unboundedPreceding, to: .currentRow),
      "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", []
    ),
    (
      .range(from: .preceding(SQL("10 * 2")), to: .unboundedFollowing),
      "RANGE BETWEEN (10 * 2) PRECEDING AND UNBOUNDED FOLLOWING", []
    ),
    (
      .groups(from: .currentRow, to: .following(1)), "GROUPS BETWEEN CURRENT ROW AND ? FOLLOWING",
      [1]
    ),
    (
      .groups(from: .unboundedPreceding, excluding: .currentRow),
      "GROUPS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW", []
    ),
    (
      .rows(from: .preceding(1), to: .following(1), excluding: .group),
      "ROWS BETWEEN ? PRECEDING AND ? FOLLOWING EXCLUDE GROUP", [1, 1]
    ),
    (
      .range(from: .unboundedPreceding, to: .unboundedFollowing, excluding: .ties),
      "RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE TIES", []
    ),
  ]

  @Test(arguments: frames.indices)
  func `frames are written and accepted`(index: Int) throws {
    let (frame, text, arguments) = Self.frames[index]
    let expression = sum(p).over(orderBy: y, frame: frame)
    #expect(
      try sql(expression: expression)
        == RenderedSQL(#"SUM("price") OVER (ORDER BY "year" \#(text))"#, arguments))
    let rows = try makeBookshopDatabase().read { try Book.select(expression).fetchCount($0) }
    #expect(rows == 4)
  }

  @Test func `frames limit the rows`() throws {
    try makeBookshopDatabase().read { db throws in
      func fetch(_ frame: SQLWindowFrame) throws -> [Double?] {
        let value = sum(p).over(orderBy: id, frame: frame)
        return try Book.order(id).select(value, as: Double?.self).fetchAll(db)
      }
      #expect(try fetch(.rows(from: .preceding(1))) == [12.5, 21.5, 24, 15])
      #expect(
        try fetch(.rows(from: .unboundedPreceding, to: .unboundedFollowing, excluding: .currentRow))
          == [24, 27.5, 21.5, 36.5])
      #expect(try fetch(.range(from: .currentRow, to: .following(2))) == [36.5, 24, 15, nil])
      #expect(try fetch(.groups(from: .following(1), to: .following(1))) == [9, 15, nil, nil])
    }
  }

  @Test func `ranks and neighbours`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = Book.filter(y != nil).order(y).select(
        t, rank().over(partitionBy: aid, orderBy: y.desc).forKey("rank"),
        lag(y, default: 0).over(orderBy: y).forKey("previous"),
        ntile(2).over(orderBy: y).forKey("half"),
        firstValue(t).over(partitionBy: Column("publisherId"), orderBy: y).forKey("first"))
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows == [
          ["title": "Left Hand", "rank": 2, "previous": 0, "half": 1, "first": "Left Hand"],
          [
            "title": "Dispossession", "rank": 1, "previous": 1969, "half": 1,
            "first": "Dispossession",
          ],
          [
            "title": "Invisible Towns", "rank": 1, "previous": 1974, "half": 2,
            "first": "Dispossession",
          ],
        ])
    }
  }

  @Test func `window functions are qualified in joins`() throws {
    let a = TableAlias<Author>()
    let request = Book.joining(required: Book.author.aliased(a))
      .select(t, rank().over(partitionBy: a[Column("country")], orderBy: y.desc))
      .order(sum(p).over(orderBy: y, frame: .rows(from: .preceding(1))))
    #expect(
      try sql(of: request)
        == RenderedSQL(
          #"SELECT "book"."title", RANK() OVER (PARTITION BY "author"."country" "#
            + #"ORDER BY "book"."year" DESC) FROM "book" "#
            + #"JOIN "author" ON "author"."id" = "book"."authorId" "#
            + #"ORDER BY SUM("book"."price") OVER (ORDER BY "book"."year" ROWS ? PRECEDING)"#, [1]))
    let alias = TableAlias(name: "b")
    #expect(
      try sql(of: Book.aliased(alias).select(alias[rank().over(orderBy: y.desc)])).sql
        == #"SELECT RANK() OVER (ORDER BY "b"."year" DESC) FROM "book" "b""#)
  }

  @Test func `windows don't change the number of rows`() throws {
    let request = Book.select(rank().over(orderBy: aid))
    #expect(try countSQL(of: request).sql == #"SELECT COUNT(*) FROM "book""#)
    #expect(
      try countSQL(of: request.distinct()).sql
        == #"SELECT COUNT(*) FROM (SELECT DISTINCT RANK() OVER (ORDER BY "authorId") FROM "book")"#)
    #expect(
      try sql(of: Book.select(sum(p).over()), forSingleResult: true).sql
        == #"SELECT SUM("price") OVER () FROM "book" LIMIT 1"#)
    try makeBookshopDatabase().read { db throws in
      #expect(try request.fetchCount(db) == 4)
      #expect(try request.distinct().fetchCount(db) == 3)
    }
  }
}
