import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")
private let noColumns: [Column] = []

@Suite(.onQueueAndPool)
struct OperatorTests {
  @Test(arguments: [
    ExpressionCase(y && t && p, #""year" AND "title" AND "price""#),
    ExpressionCase(y && (t && p), #""year" AND "title" AND "price""#),
    ExpressionCase(y && (t || p), #""year" AND ("title" OR "price")"#),
    ExpressionCase(
      y == 1 && t == "a" || p == 2, #"(("year" = ?) AND ("title" = ?)) OR ("price" = ?)"#,
      [1, "a", 2]),
    ExpressionCase(true && y, #"? AND "year""#, [1]),
    ExpressionCase(y || false, #""year" OR ?"#, [0]),
  ])
  func `logic is flat`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(y + 1 + 2, #"("year" + ?) + ?"#, [1, 2]),
    ExpressionCase(1 + y, #"? + "year""#, [1]),
    ExpressionCase(y * 2 * p, #"("year" * ?) * "price""#, [2]),
    ExpressionCase(y - 1 - p, #"("year" - ?) - "price""#, [1]),
    ExpressionCase(y - (1 - p), #""year" - (? - "price")"#, [1]),
    ExpressionCase(y / 2 / p, #"("year" / ?) / "price""#, [2]),
    ExpressionCase(y | 1 | p, #""year" | ? | "price""#, [1]),
    ExpressionCase(y & 1 & p, #""year" & ? & "price""#, [1]),
    ExpressionCase(y << 1, #""year" << ?"#, [1]),
    ExpressionCase(y >> 1, #""year" >> ?"#, [1]),
    ExpressionCase(1 << y, #"? << "year""#, [1]),
    ExpressionCase(~y, #"~"year""#),
    ExpressionCase(~(y | 1), #"~("year" | ?)"#, [1]),
    ExpressionCase(y <= 1, #""year" <= ?"#, [1]),
    ExpressionCase(y >= p, #""year" >= "price""#),
    ExpressionCase(1 > y, #"? > "year""#, [1]),
  ])
  func `arithmetic and bits`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  // The compiler gives up on these without operators of two `SQLExpression`.
  @Test(arguments: [
    ExpressionCase(
      1 * y + 2 * p + 3 * y + 4 * p + 5 * y + 6 * p + 7 * y,
      #"((((((? * "year") + (? * "price")) + (? * "year")) + (? * "price")) + (? * "year")) "#
        + #"+ (? * "price")) + (? * "year")"#, [1, 2, 3, 4, 5, 6, 7]),
    ExpressionCase(
      (1 - y) * (2 - y) * (3 - y) * (4 - y) * (5 - y) * (6 - y),
      #"(((((? - "year") * (? - "year")) * (? - "year")) * (? - "year")) * (? - "year")) "#
        + #"* (? - "year")"#,
      [1, 2, 3, 4, 5, 6]),
    ExpressionCase(
      1 - y * 2 + 3 * (p - 1) / (2 - y),
      #"(? - ("year" * ?)) + ((? * ("price" - ?)) / (? - "year"))"#, [1, 2, 3, 1, 2]),
    ExpressionCase(
      (100 - y) / 100 * p - (100 - p) / 100 * y,
      #"(((? - "year") / ?) * "price") - (((? - "price") / ?) * "year")"#, [100, 100, 100, 100]),
    ExpressionCase(
      1 / (1 / y + 1 / p) - (p - y) / (p / y),
      #"(? / ((? / "year") + (? / "price"))) - (("price" - "year") / ("price" / "year"))"#,
      [1, 1, 1]),
  ])
  func `sums and products that begin with values`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase([y, p, t].joined(operator: .add), #""year" + "price" + "title""#),
    ExpressionCase([y, p, t].joined(operator: .multiply), #""year" * "price" * "title""#),
    ExpressionCase([t, t].joined(operator: .concat), #""title" || "title""#),
    ExpressionCase(
      ([t, " ".databaseValue, p] as [any SQLSpecificExpressible]).joined(operator: .concat),
      #""title" || ? || "price""#, [" "]),
    ExpressionCase(
      [y && t, p && t].joined(operator: .and), #""year" AND "title" AND "price" AND "title""#),
    ExpressionCase(
      [y + 1, p + 2].joined(operator: .add), #"("year" + ?) + ("price" + ?)"#, [1, 2]),
    ExpressionCase([y].joined(operator: .and), #""year""#),
    ExpressionCase(noColumns.joined(operator: .and), "?", [1]),
    ExpressionCase(noColumns.joined(operator: .or), "?", [0]),
    ExpressionCase(noColumns.joined(operator: .add), "?", [0]),
    ExpressionCase(noColumns.joined(operator: .multiply), "?", [1]),
    ExpressionCase(noColumns.joined(operator: .concat), "?", [""]),
    ExpressionCase(noColumns.joined(operator: .bitwiseAnd), "?", [-1]),
    ExpressionCase(noColumns.joined(operator: .bitwiseOr), "?", [0]),
  ])
  func `joined operands`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }
}

@Suite(.onQueueAndPool)
struct ContainsTests {
  private static let noYears: [Int] = []

  @Test(arguments: [
    ExpressionCase(noYears.contains(y), "?", [0]),
    ExpressionCase(!noYears.contains(y), "?", [1]),
    ExpressionCase([1].contains(y), #""year" = ?"#, [1]),
    ExpressionCase(![1].contains(y), #""year" <> ?"#, [1]),
    ExpressionCase([Int?.none].contains(y), #""year" = NULL"#),
    ExpressionCase([1, 2].contains(y), #""year" IN (?, ?)"#, [1, 2]),
    ExpressionCase(![1, 2].contains(y), #""year" NOT IN (?, ?)"#, [1, 2]),
    ExpressionCase([y, p].contains(t), #""title" IN ("year", "price")"#),
    ExpressionCase([1, nil].contains(y), #""year" IN (?, NULL)"#, [1]),
    ExpressionCase([t, "Untitled"].contains(p), #""price" IN ("title", ?)"#, ["Untitled"]),
    ExpressionCase([1, 2].contains(y + 1), #"("year" + ?) IN (?, ?)"#, [1, 1, 2]),
  ])
  func `sequences`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase((1...2).contains(y), #""year" BETWEEN ? AND ?"#, [1, 2]),
    ExpressionCase(!(1...2).contains(y), #""year" NOT BETWEEN ? AND ?"#, [1, 2]),
    ExpressionCase((1...2).contains(y + 1), #"("year" + ?) BETWEEN ? AND ?"#, [1, 1, 2]),
    ExpressionCase(("a"..."b").contains(t), #""title" BETWEEN ? AND ?"#, ["a", "b"]),
    ExpressionCase((1..<2).contains(y), #"("year" >= ?) AND ("year" < ?)"#, [1, 2]),
    ExpressionCase(("a"..<"b").contains(t), #"("title" >= ?) AND ("title" < ?)"#, ["a", "b"]),
    ExpressionCase(!(1..<2).contains(y), #"NOT (("year" >= ?) AND ("year" < ?))"#, [1, 2]),
  ])
  func `ranges`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(
      Author.select(Column("id")).contains(Column("authorId")),
      #""authorId" IN (SELECT "id" FROM "author")"#),
    ExpressionCase(
      !Author.select(Column("id")).contains(Column("authorId")),
      #""authorId" NOT IN (SELECT "id" FROM "author")"#),
    ExpressionCase(Author.all().exists(), #"EXISTS (SELECT * FROM "author")"#),
    ExpressionCase(!Author.all().exists(), #"NOT EXISTS (SELECT * FROM "author")"#),
    ExpressionCase(
      Author.order(Column("name")).limit(1).exists(),
      #"EXISTS (SELECT * FROM "author" ORDER BY "name" LIMIT 1)"#),
    ExpressionCase(
      Author.all().exists() && y == 1, #"(EXISTS (SELECT * FROM "author")) AND ("year" = ?)"#, [1]),
    ExpressionCase(
      CommonTableExpression<Int>(named: "recent", sql: "SELECT 1").contains(y),
      #""year" IN "recent""#),
    ExpressionCase(Book.select(max(y)) == 3, #"(SELECT MAX("year") FROM "book") = ?"#, [3]),
    ExpressionCase(
      Author.select(count(Column("id"))), #"(SELECT COUNT("id") FROM "author")"#),
    ExpressionCase(
      SQLRequest<Int>("SELECT max(year) FROM book") + 1, "(SELECT max(year) FROM book) + ?", [1]),
  ])
  func `subqueries`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(t.like("a%"), #""title" LIKE ?"#, ["a%"]),
    ExpressionCase(t.like("a%", escape: "\\"), #""title" LIKE ? ESCAPE ?"#, ["a%", "\\"]),
    ExpressionCase(!t.like("a%"), #""title" NOT LIKE ?"#, ["a%"]),
    ExpressionCase(!t.like("a%", escape: "\\"), #""title" NOT LIKE ? ESCAPE ?"#, ["a%", "\\"]),
    ExpressionCase((t ?? "").like(p), #"IFNULL("title", ?) LIKE "price""#, [""]),
  ])
  func `patterns`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test func `membership selects the right rows`() throws {
    try makeBookshopDatabase().read { db throws in
      let id = Column("id")
      #expect(try Book.filter([1, 3].contains(id)).fetchAll(db).map(\.id) == [1, 3])
      #expect(try Book.filter(![1, 3].contains(id)).fetchAll(db).map(\.id) == [2, 4])
      #expect(try Book.filter((1970..<2002).contains(y)).fetchAll(db).map(\.id) == [1])
      let french = Author.filter(Column("country") == "FR").select(id)
      #expect(
        try Book.filter(french.contains(Column("authorId"))).fetchAll(db).map(\.id) == [1, 2])
      #expect(try Book.filter(t.like("left%")).fetchAll(db).map(\.id) == [2])
    }
  }
}
