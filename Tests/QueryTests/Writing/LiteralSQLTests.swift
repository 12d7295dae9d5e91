import Foundation
import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let schema = LiteralSchemaReader.bookshop
private let y = Column("year")
private let t = Column("title")

/// SQL of definitions, which have no arguments.
struct LiteralSQLTests {
  private static let literals: [(SQLExpression, String)] = [
    (y > 3, #""year" > 3"#),
    (t == "O'Brien", #""title" = 'O''Brien'"#),
    (y * 1.5, #""year" * 1.5"#),
    (-(-5).sqlExpression, "- -5"),
    (y - (-5), #""year" - -5"#),
    (t == nil, #""title" IS NULL"#),
    (y == true, #""year" = 1"#),
    ([1, 2].contains(y), #""year" IN (1, 2)"#),
    (t == Data([1, 0xFF]), #""title" = X'01FF'"#),
    (SQL("length(title) > \(3)").sqlExpression, "length(title) > 3"),
    (
      SQLCase().when(y > 2000, then: "new").else(nil).sqlExpression,
      #"CASE WHEN "year" > 2000 THEN 'new' ELSE NULL END"#
    ),
    (
      [SQLRowValue(1, "a"), SQLRowValue(2, "b")].contains(SQLRowValue(y, t)),
      #"("year", "title") IN (VALUES (1, 'a'), (2, 'b'))"#
    ),
    (
      lag(y, 2, default: 0).over(orderBy: t, frame: .rows(from: .preceding(1))),
      #"LAG("year", 2, 0) OVER (ORDER BY "title" ROWS 1 PRECEDING)"#
    ),
    (JSONColumn("info")["a"] == 1, #"("info" ->> 'a') = 1"#),
  ]

  @Test(arguments: literals)
  func `values are literals`(_ expression: SQLExpression, expected: String) throws {
    #expect(try SQL(expression).text(schema) == expected)
  }

  @Test func `queries have no parentheses`() throws {
    let subquery = Book.filter(y > 2000).order(t).sqlSubquery
    #expect(
      try SQLWriter.literalSQL(subquery: subquery, schema: schema)
        == #"SELECT * FROM "book" WHERE "year" > 2000 ORDER BY "title""#)
  }

  @Test func `interpolated values are literals`() throws {
    let sql: SQL = "CHECK (\(y) > \(1000))"
    #expect(try sql.text(schema) == #"CHECK ("year" > 1000)"#)
  }

  @Test func `a negative value behind a minus is no comment`() throws {
    let literals: [(SQL, String)] = [
      ("year-\(-5) + \(y)", #"year- -5 + "year""#), ("year-\(-1.5)", "year- -1.5"),
      ("year -\(5)", "year -5"), ("year - \(-5)", "year - -5"), ("-\("-a")", "-'-a'"),
    ]
    for (sql, expected) in literals {
      #expect(try sql.text(schema) == expected)
    }
  }

  @Test func `parameters of raw SQL are refused`() throws {
    let sql = SQL(sql: "year > ?", arguments: [1])
    #expect(
      try invalidity(of: sql.text(schema))
        == "SQL with arguments can't be part of a definition, which has no parameters: interpolate "
        + "the values in an SQL literal instead")
  }
}
