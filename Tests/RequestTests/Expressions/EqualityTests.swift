import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let noYear: Int? = nil

/// Equality, identity, boolean tests, negation.
@Suite(.onQueueAndPool)
struct EqualityTests {
  @Test(arguments: [
    ExpressionCase(y == 1, #""year" = ?"#, [1]),
    ExpressionCase(1 == y, #"? = "year""#, [1]),
    ExpressionCase(1 < y, #"? < "year""#, [1]),
    ExpressionCase(y == p, #""year" = "price""#),
    ExpressionCase(y == nil, #""year" IS NULL"#),
    ExpressionCase(nil == y, #""year" IS NULL"#),
    ExpressionCase(y == noYear, #""year" IS NULL"#),
    ExpressionCase(y == DatabaseValue.null, #""year" IS NULL"#),
    ExpressionCase(DatabaseValue.null == y, #""year" IS NULL"#),
    ExpressionCase(DatabaseValue.null == DatabaseValue.null, "NULL IS NULL"),
    ExpressionCase(y === 1, #""year" IS ?"#, [1]),
    ExpressionCase(1 === y, #"? IS "year""#, [1]),
    ExpressionCase(y === p, #""year" IS "price""#),
    ExpressionCase(y === nil, #""year" IS NULL"#),
    ExpressionCase(nil === y, #""year" IS NULL"#),
    ExpressionCase(y === true, #""year" IS ?"#, [1]),
  ])
  func `equality and identity`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(!DatabaseValue.null == y, #"(NULL) = "year""#),
    ExpressionCase(y != !DatabaseValue.null, #""year" <> (NULL)"#),
    ExpressionCase(y == (DatabaseValue.null == true), #""year" = (NULL)"#),
    ExpressionCase((DatabaseValue.null != false) == y, #"(NOT (NULL)) = "year""#),
  ])
  func `a test of NULL is no NULL of the application`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(y != 1, #""year" <> ?"#, [1]),
    ExpressionCase(1 != y, #"? <> "year""#, [1]),
    ExpressionCase(y != p, #""year" <> "price""#),
    ExpressionCase(y != nil, #""year" IS NOT NULL"#),
    ExpressionCase(nil != y, #""year" IS NOT NULL"#),
    ExpressionCase(y !== 1, #""year" IS NOT ?"#, [1]),
    ExpressionCase(1 !== y, #"? IS NOT "year""#, [1]),
    ExpressionCase(y !== nil, #""year" IS NOT NULL"#),
    ExpressionCase(y !== p, #""year" IS NOT "price""#),
  ])
  func `inequality negates equality`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  static let subjects:
    [(SQLExpression, isTrue: RenderedSQL, isFalse: RenderedSQL, not: RenderedSQL)] = [
      (.null, .init("NULL"), .init("NULL"), .init("NULL")),
      (0.databaseValue.sqlExpression, .init("?", [0]), .init("?", [1]), .init("?", [1])),
      (1.databaseValue.sqlExpression, .init("?", [1]), .init("?", [0]), .init("?", [0])),
      (
        2.databaseValue.sqlExpression, .init("? = ?", [2, 1]), .init("? = ?", [2, 0]),
        .init("NOT ?", [2])
      ),
      (
        (1...2).contains(y), .init(#"("year" BETWEEN ? AND ?) = ?"#, [1, 2, 1]),
        .init(#"("year" BETWEEN ? AND ?) = ?"#, [1, 2, 0]),
        .init(#""year" NOT BETWEEN ? AND ?"#, [1, 2])
      ),
      (
        t.like("a"), .init(#"("title" LIKE ?) = ?"#, ["a", 1]),
        .init(#"("title" LIKE ?) = ?"#, ["a", 0]), .init(#""title" NOT LIKE ?"#, ["a"])
      ),
      (
        Table("note").all().exists(), .init(#"(EXISTS (SELECT * FROM "note")) = ?"#, [1]),
        .init(#"(EXISTS (SELECT * FROM "note")) = ?"#, [0]),
        .init(#"NOT EXISTS (SELECT * FROM "note")"#)
      ),
      (
        [1, 2].contains(y), .init(#"("year" IN (?, ?)) = ?"#, [1, 2, 1]),
        .init(#"("year" IN (?, ?)) = ?"#, [1, 2, 0]), .init(#""year" NOT IN (?, ?)"#, [1, 2])
      ),
      (
        y == 1, .init(#"("year" = ?) = ?"#, [1, 1]), .init(#"("year" = ?) = ?"#, [1, 0]),
        .init(#""year" <> ?"#, [1])
      ),
      (
        y === 1, .init(#"("year" IS ?) = ?"#, [1, 1]), .init(#"("year" IS ?) = ?"#, [1, 0]),
        .init(#""year" IS NOT ?"#, [1])
      ),
      (
        t.collating(.nocase), .init(#""title" = ? COLLATE NOCASE"#, [1]),
        .init(#""title" = ? COLLATE NOCASE"#, [0]), .init(#"NOT "title" COLLATE NOCASE"#)
      ),
      (
        SQLExpression(.isZero(count(y), isNegated: false)), .init(#"COUNT("year") = 0"#),
        .init(#"COUNT("year") > 0"#), .init(#"COUNT("year") > 0"#)
      ),
      (
        y.sqlExpression, .init(#""year" = ?"#, [1]), .init(#""year" = ?"#, [0]),
        .init(#"NOT "year""#)
      ),
      (
        y && t, .init(#"("year" AND "title") = ?"#, [1]), .init(#"("year" AND "title") = ?"#, [0]),
        .init(#"NOT ("year" AND "title")"#)
      ),
      (
        y < 1, .init(#"("year" < ?) = ?"#, [1, 1]), .init(#"("year" < ?) = ?"#, [1, 0]),
        .init(#"NOT ("year" < ?)"#, [1])
      ),
      (
        !y, .init(#"(NOT "year") = ?"#, [1]), .init(#"(NOT "year") = ?"#, [0]),
        .init(#"NOT (NOT "year")"#)
      ),
      (
        abs(y), .init(#"ABS("year") = ?"#, [1]), .init(#"ABS("year") = ?"#, [0]),
        .init(#"NOT ABS("year")"#)
      ),
      (
        SQL("a OR b").sqlExpression, .init("(a OR b) = ?", [1]), .init("(a OR b) = ?", [0]),
        .init("NOT (a OR b)")
      ),
    ]

  @Test(arguments: subjects.indices)
  func `boolean tests and negation`(index: Int) throws {
    let (expression, isTrue, isFalse, not) = Self.subjects[index]
    #expect(try sql(expression: expression == true) == isTrue)
    #expect(try sql(expression: true == expression) == isTrue)
    #expect(try sql(expression: expression == false) == isFalse)
    #expect(try sql(expression: false == expression) == isFalse)
    #expect(try sql(expression: !expression) == not)
  }

  @Test(arguments: [
    ExpressionCase(y != true, #""year" <> ?"#, [1]),
    ExpressionCase(false != y, #""year" <> ?"#, [0]),
    ExpressionCase(!(y != 1), #""year" = ?"#, [1]),
    ExpressionCase(!(y !== 1), #""year" IS ?"#, [1]),
    ExpressionCase(!(![1, 2].contains(y)), #""year" IN (?, ?)"#, [1, 2]),
    ExpressionCase(y ?? 0, #"IFNULL("year", ?)"#, [0]),
    ExpressionCase(y ?? p, #"IFNULL("year", "price")"#),
  ])
  func `negation twice`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(y == 1 && t == nil, #"("year" = ?) AND ("title" IS NULL)"#, [1]),
    ExpressionCase(y == nil && t == nil, #"("year" IS NULL) AND ("title" IS NULL)"#),
    ExpressionCase(t != nil || y == 1, #"("title" IS NOT NULL) OR ("year" = ?)"#, [1]),
    ExpressionCase(y == 1 && t != nil, #"("year" = ?) AND ("title" IS NOT NULL)"#, [1]),
    ExpressionCase(
      (y + 1) == nil && p == nil, #"(("year" + ?) IS NULL) AND ("price" IS NULL)"#, [1]),
    ExpressionCase(!(y == nil), #""year" IS NOT NULL"#),
    ExpressionCase(y == 1 && (y + 1) == nil, #"("year" = ?) AND (("year" + ?) IS NULL)"#, [1, 1]),
  ])
  func `nil inside logic is no boolean`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test func `conditions on NULLs select the right rows`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try Book.filter(y == nil).fetchCount(db) == 1)
      #expect(try Book.filter(y != nil).fetchCount(db) == 3)
      #expect(try Book.filter(y === 1974).fetchCount(db) == 1)
      #expect(try Book.filter(y !== 1974).fetchCount(db) == 3)
      #expect(try Book.filter(y != 1974).fetchCount(db) == 2)
    }
  }
}
