import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")

/// Bare and wrapped forms: operands of operators are wrapped, other positions are bare.
struct ExpressionFormTests {
  @Test(arguments: [
    ExpressionCase((y + p) * 2, #"("year" + "price") * ?"#, [2]),
    ExpressionCase(y + p * 2, #""year" + ("price" * ?)"#, [2]),
    ExpressionCase(-(y + 1), #"-("year" + ?)"#, [1]),
    ExpressionCase(-(-y), #"-(-"year")"#),
    ExpressionCase(abs(y + 1), #"ABS("year" + ?)"#, [1]),
    ExpressionCase(abs(y) + 1, #"ABS("year") + ?"#, [1]),
    ExpressionCase(cast(y + 1, as: .text), #"CAST("year" + ? AS TEXT)"#, [1]),
    ExpressionCase(cast(y, as: .text) == "1", #"CAST("year" AS TEXT) = ?"#, ["1"]),
    ExpressionCase(max(y) + 1, #"MAX("year") + ?"#, [1]),
    ExpressionCase((y == 1) == (p == 2), #"("year" = ?) = ("price" = ?)"#, [1, 2]),
    ExpressionCase((y < 1) < p, #"("year" < ?) < "price""#, [1]),
    ExpressionCase(t.like("a%") && y == 1, #"("title" LIKE ?) AND ("year" = ?)"#, ["a%", 1]),
    ExpressionCase(!(!y), #"NOT (NOT "year")"#),
    ExpressionCase(
      [1, 2].contains(y) && (1...2).contains(p),
      #"("year" IN (?, ?)) AND ("price" BETWEEN ? AND ?)"#, [1, 2, 1, 2]),
    ExpressionCase([y + 1, p].contains(t), #""title" IN ("year" + ?, "price")"#, [1]),
  ])
  func `operands are wrapped`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  /// As a sequence, a range without end never ended.
  @Test(arguments: [
    ExpressionCase((1000...).contains(y), #""year" >= ?"#, [1000]),
    ExpressionCase((1.5...).contains(p), #""price" >= ?"#, [1.5]),
    ExpressionCase(("N"...).contains(t), #""title" >= ?"#, ["N"]),
    ExpressionCase((..<10).contains(y), #""year" < ?"#, [10]),
    ExpressionCase((...10).contains(y + 1), #"("year" + ?) <= ?"#, [1, 10]),
    ExpressionCase(("N"...).contains(t) && y, #"("title" >= ?) AND "year""#, ["N"]),
  ])
  func `ranges with one end are comparisons`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(SQLExpression(.row([y.sqlExpression, p.sqlExpression])), #"("year", "price")"#),
    ExpressionCase(SQLExpression(.row([y.sqlExpression])), #""year""#),
    ExpressionCase(SQLExpression.aggregate("COUNT", []) + 1, "COUNT(*) + ?", [1]),
    ExpressionCase(SQLExpression(.isZero(count(y), isNegated: false)), #"COUNT("year") = 0"#),
    ExpressionCase(SQLExpression(.isZero(count(y), isNegated: true)), #"COUNT("year") > 0"#),
    ExpressionCase(
      SQLExpression(.isZero(y + 1, isNegated: false)) && p, #"(("year" + ?) = 0) AND "price""#, [1]),
  ])
  func `internal nodes have their forms`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test func `identifiers are quoted and can't end early`() throws {
    #expect(try sql(expression: Column("a b")).sql == #""a b""#)
    #expect(try sql(expression: Column(#"a"b"#)).sql == #""a""b""#)
  }

  @Test func `NULL is never bound`() throws {
    #expect(try sql(expression: DatabaseValue.null) == RenderedSQL("NULL"))
    #expect(try sql(expression: y + Int?.none) == RenderedSQL(#""year" + NULL"#))
    #expect(try sql(expression: y + Int?.some(1)) == RenderedSQL(#""year" + ?"#, [1]))
    #expect(try sql(expression: true.databaseValue) == RenderedSQL("?", [1]))
  }

  @Test func `raw representable values and columns use their raw value`() throws {
    #expect(try sql(expression: t == Genre.novel) == RenderedSQL(#""title" = ?"#, ["novel"]))
    #expect(try sql(expression: Names.year == 1) == RenderedSQL(#""year" = ?"#, [1]))
    #expect(try sql(expression: Column(Keys.title)).sql == #""title""#)
  }

  enum Genre: String, DatabaseValueConvertible { case novel }
  enum Names: String, ColumnExpression { case year }
  enum Keys: String, CodingKey { case title }
}
