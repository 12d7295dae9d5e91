import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let flag = true
private let noFlag: Bool? = nil
private let noYear: Int? = nil

/// Columns as the cases of an enumeration, which is `Equatable`.
private enum C: String, ColumnExpression {
  case year, title, price
}

/// Columns that are ordered in Swift, too.
private enum Ordered: String, ColumnExpression, Comparable {
  case year, title
  static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

private enum CodingKeys: String, CodingKey, ColumnExpression {
  case year, title, price
}

/// The compiler prefers expressions to the booleans of the operators of Swift that have the same
/// names.
struct SwiftOperatorTests {
  @Test(arguments: [
    ExpressionCase(
      t.like("%x%") && !(y == nil), #"("title" LIKE ?) AND ("year" IS NOT NULL)"#, ["%x%"]),
    ExpressionCase(
      t.like("%x%") && !(y == nil) && [1, 2].contains(p),
      #"("title" LIKE ?) AND ("year" IS NOT NULL) AND ("price" IN (?, ?))"#, ["%x%", 1, 2]),
    ExpressionCase(!(y == nil) && p > 1, #"("year" IS NOT NULL) AND ("price" > ?)"#, [1]),
    ExpressionCase(
      !(y == nil) && !(t == nil), #"("year" IS NOT NULL) AND ("title" IS NOT NULL)"#),
    ExpressionCase(!(y != nil) || p == 1, #"("year" IS NULL) OR ("price" = ?)"#, [1]),
    ExpressionCase(p && !(y != nil), #""price" AND ("year" IS NULL)"#),
    ExpressionCase(
      !(y == nil) || !(t == nil) && p > 1,
      #"("year" IS NOT NULL) OR (("title" IS NOT NULL) AND ("price" > ?))"#, [1]),
    ExpressionCase(
      !(y == nil && t == nil) || p == 1,
      #"(NOT (("year" IS NULL) AND ("title" IS NULL))) OR ("price" = ?)"#, [1]),
    ExpressionCase(
      (p ?? 0) > 0 && !(y == nil && t == nil),
      #"(IFNULL("price", ?) > ?) AND (NOT (("year" IS NULL) AND ("title" IS NULL)))"#, [0, 0]),
    ExpressionCase(p > 1 && !(y === nil), #"("price" > ?) AND ("year" IS NOT NULL)"#, [1]),
    ExpressionCase(p > 1 && !(y == noYear), #"("price" > ?) AND ("year" IS NOT NULL)"#, [1]),
    ExpressionCase(t.like("x") && !p, #"("title" LIKE ?) AND (NOT "price")"#, ["x"]),
  ])
  func `a negated test of nil beside other conditions`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(p == (y == nil), #""price" = ("year" IS NULL)"#),
    ExpressionCase(p == !(y == nil), #""price" = ("year" IS NOT NULL)"#),
    ExpressionCase((y == nil) == p, #"("year" IS NULL) = "price""#),
    ExpressionCase(!(y == nil) == p, #"("year" IS NOT NULL) = "price""#),
    ExpressionCase((y == nil) == (t == nil), #"("year" IS NULL) = ("title" IS NULL)"#),
    ExpressionCase((y == nil) != (t == nil), #"("year" IS NULL) <> ("title" IS NULL)"#),
    ExpressionCase((p == 1) == !(y == nil), #"("price" = ?) = ("year" IS NOT NULL)"#, [1]),
    ExpressionCase(
      (y != nil) != (t == nil) && p > 1,
      #"(("year" IS NOT NULL) <> ("title" IS NULL)) AND ("price" > ?)"#, [1]),
    ExpressionCase(
      p > 1 && (y == nil) == (t == nil),
      #"("price" > ?) AND (("year" IS NULL) = ("title" IS NULL))"#, [1]),
    ExpressionCase(
      p == (y == nil && t == nil), #""price" = (("year" IS NULL) AND ("title" IS NULL))"#),
    ExpressionCase((y == nil) === p, #"("year" IS NULL) IS "price""#),
    ExpressionCase((y == nil) < p, #"("year" IS NULL) < "price""#),
  ])
  func `tests of nil are compared`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(C.year == C.title, #""year" = "title""#),
    ExpressionCase(C.price == 1 || C.year == C.title, #"("price" = ?) OR ("year" = "title")"#, [1]),
    ExpressionCase(
      C.price > 1 && C.year == C.title, #"("price" > ?) AND ("year" = "title")"#, [1]),
    ExpressionCase(
      C.price > 1 && C.year != C.title, #"("price" > ?) AND ("year" <> "title")"#, [1]),
    ExpressionCase(
      C.year == C.title && C.price > 1, #"("year" = "title") AND ("price" > ?)"#, [1]),
    ExpressionCase(
      C.year == C.title || C.year == C.price, #"("year" = "title") OR ("year" = "price")"#),
    ExpressionCase(!(C.year == C.title), #""year" <> "title""#),
    ExpressionCase(
      !(C.year == C.title) && C.price == nil, #"("year" <> "title") AND ("price" IS NULL)"#),
    ExpressionCase(
      C.price == nil && !(C.year != C.title), #"("price" IS NULL) AND ("year" = "title")"#),
    ExpressionCase(
      C.year == C.title && !(C.price == nil), #"("year" = "title") AND ("price" IS NOT NULL)"#),
    ExpressionCase(C.price == (C.year == C.title), #""price" = ("year" = "title")"#),
    ExpressionCase(C.price != (C.year == C.title), #""price" <> ("year" = "title")"#),
    ExpressionCase(
      (C.year == C.title) == (C.price == nil), #"("year" = "title") = ("price" IS NULL)"#),
    ExpressionCase(
      C.year != C.title || C.price === C.year, #"("year" <> "title") OR ("price" IS "year")"#),
    ExpressionCase(
      C.price !== C.year && C.year !== C.title,
      #"("price" IS NOT "year") AND ("year" IS NOT "title")"#),
    ExpressionCase(
      C.price > 1 && [C.year, C.title].contains(C.price),
      #"("price" > ?) AND ("price" IN ("year", "title"))"#, [1]),
    ExpressionCase(
      ![C.year, C.title].contains(C.price) || C.price == nil,
      #"("price" NOT IN ("year", "title")) OR ("price" IS NULL)"#),
    ExpressionCase(
      C.price == nil && ![C.year, C.title].contains(C.price),
      #"("price" IS NULL) AND ("price" NOT IN ("year", "title"))"#),
    ExpressionCase(
      CodingKeys.price > 1 && CodingKeys.year == CodingKeys.title,
      #"("price" > ?) AND ("year" = "title")"#, [1]),
    ExpressionCase(
      C.price > 1 && C.year == CodingKeys.title, #"("price" > ?) AND ("year" = "title")"#, [1]),
    ExpressionCase(
      p > 1 && Ordered.year < Ordered.title, #"("price" > ?) AND ("year" < "title")"#, [1]),
    ExpressionCase(
      coalesce([C.year == C.title, C.price]), #"COALESCE("year" = "title", "price")"#),
  ])
  func `cases of an enumeration are compared as columns`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(flag && p > 1, #"? AND ("price" > ?)"#, [1, 1]),
    ExpressionCase(p > 1 && !flag, #"("price" > ?) AND ?"#, [1, 0]),
    ExpressionCase(!flag || p > 1, #"? OR ("price" > ?)"#, [0, 1]),
    ExpressionCase(p > 1 && noYear == nil, #"("price" > ?) AND ?"#, [1, 1]),
    ExpressionCase(p == (noYear == nil), #""price" = ?"#, [1]),
    ExpressionCase(p == flag, #""price" = ?"#, [1]),
    ExpressionCase(flag != p, #""price" <> ?"#, [1]),
    ExpressionCase(p == noFlag, #""price" IS NULL"#),
    ExpressionCase(noFlag != p, #""price" IS NOT NULL"#),
    ExpressionCase(p == Optional(false), #""price" = ?"#, [0]),
  ])
  func `booleans of Swift are values`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test func `assignments, functions and selections`() throws {
    #expect(
      try sql(expression: iif(!(y == nil), 1, 2))
        == .init(#"IIF("year" IS NOT NULL, ?, ?)"#, [1, 2]))
    #expect(
      try sql(expression: SQLCase().when(!(y == nil) && p > 1, then: 1).else(2).sqlExpression)
        == .init(#"CASE WHEN ("year" IS NOT NULL) AND ("price" > ?) THEN ? ELSE ? END"#, [1, 1, 2]))
    #expect(
      try sql(expression: sum(p, filter: !(y == nil) && y > 1))
        == .init(#"SUM("price") FILTER (WHERE ("year" IS NOT NULL) AND ("year" > ?))"#, [1]))
    #expect(
      try sql(expression: SQL("\(y == nil), \(!(y == nil))").sqlExpression).sql
        == #""year" IS NULL, "year" IS NOT NULL"#)
    #expect(
      try sql(expression: Database.jsonArray([y == nil, !(y == nil)])).sql
        == #"JSON_ARRAY("year" IS NULL, "year" IS NOT NULL)"#)
    let assignments = [
      p.set(to: y == nil), p.set(to: !(y == nil)), p.set(to: !(y == nil) && !(t == nil)),
      p.set(to: (y == nil) == (t == nil)), C.price.set(to: C.year.sqlExpression == C.title),
    ]
    let values = try assignments.map { try sql(expression: #require($0.value)).sql }
    #expect(
      values == [
        #""year" IS NULL"#, #""year" IS NOT NULL"#,
        #"("year" IS NOT NULL) AND ("title" IS NOT NULL)"#,
        #"("year" IS NULL) = ("title" IS NULL)"#, #""year" = "title""#,
      ])
  }
}
