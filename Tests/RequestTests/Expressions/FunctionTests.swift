import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")

@Suite(.onQueueAndPool)
struct FunctionTests {
  @Test(arguments: [
    ExpressionCase(abs(y), #"ABS("year")"#),
    ExpressionCase(length(t), #"LENGTH("title")"#),
    ExpressionCase(coalesce([]), "NULL"),
    ExpressionCase(coalesce([t]), #""title""#),
    ExpressionCase(coalesce([t, p]), #"COALESCE("title", "price")"#),
    ExpressionCase(coalesce([t, p + 1]), #"COALESCE("title", "price" + ?)"#, [1]),
    ExpressionCase(
      coalesce([t, JSONColumn("info"), "a".databaseValue]), #"COALESCE("title", "info", ?)"#, ["a"]),
    ExpressionCase(max(y, p), #"MAX("year", "price")"#),
    ExpressionCase(max(y, 1, p), #"MAX("year", ?, "price")"#, [1]),
    ExpressionCase(min(y, 1), #"MIN("year", ?)"#, [1]),
    ExpressionCase(cast(y, as: .integer), #"CAST("year" AS INTEGER)"#),
    ExpressionCase(cast(y, as: .real), #"CAST("year" AS REAL)"#),
    ExpressionCase(cast(y, as: .text), #"CAST("year" AS TEXT)"#),
    ExpressionCase(cast(y, as: .blob), #"CAST("year" AS BLOB)"#),
    ExpressionCase(t.capitalized, #"swiftCapitalizedString("title")"#),
    ExpressionCase(t.lowercased, #"swiftLowercaseString("title")"#),
    ExpressionCase(t.uppercased, #"swiftUppercaseString("title")"#),
    ExpressionCase(t.localizedCapitalized, #"swiftLocalizedCapitalizedString("title")"#),
    ExpressionCase(t.localizedLowercased, #"swiftLocalizedLowercaseString("title")"#),
    ExpressionCase(t.localizedUppercased, #"swiftLocalizedUppercaseString("title")"#),
  ])
  func `scalars`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(average(y), #"AVG("year")"#),
    ExpressionCase(count(y), #"COUNT("year")"#),
    ExpressionCase(count(distinct: y), #"COUNT(DISTINCT "year")"#),
    ExpressionCase(max(y), #"MAX("year")"#),
    ExpressionCase(min(y), #"MIN("year")"#),
    ExpressionCase(sum(y), #"SUM("year")"#),
    ExpressionCase(total(y), #"TOTAL("year")"#),
    ExpressionCase(average(p, filter: y > 1), #"AVG("price") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(max(p, filter: y > 1), #"MAX("price") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(min(p, filter: y > 1), #"MIN("price") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(sum(p, filter: y > 2000), #"SUM("price") FILTER (WHERE "year" > ?)"#, [2000]),
    ExpressionCase(total(p, filter: y > 1), #"TOTAL("price") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(
      sum(p, filter: y > 2000) + 1, #"(SUM("price") FILTER (WHERE "year" > ?)) + ?"#, [2000, 1]),
  ])
  func `aggregates`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test func `only COUNT has an asterisk`() throws {
    struct Tally: DatabaseAggregate {
      var count = 0
      mutating func step(_ dbValues: [DatabaseValue]) { count += 1 }
      func finalize() -> (any DatabaseValueConvertible)? { count }
    }
    let tally = DatabaseFunction("tally", argumentCount: 0, aggregate: Tally.self)
    try makeBookshopDatabase().write { db throws in
      db.add(function: tally)
      let row = try #require(
        try Row.fetchOne(db, Book.select(tally(), SQLExpression.aggregate("COUNT", []))))
      #expect(row == ["tally()": 4, "COUNT(*)": 4])
    }
  }

  @Test(
    arguments: [
      (.second(1.5), "1.5 seconds"), (.minute(2), "2 minutes"), (.hour(-1), "-1 hours"),
      (.day(1), "1 days"), (.month(3), "3 months"), (.year(4), "4 years"),
      (.startOfDay, "start of day"), (.startOfMonth, "start of month"),
      (.startOfYear, "start of year"), (.weekday(2), "weekday 2"), (.unixEpoch, "unixepoch"),
      (.localTime, "localtime"), (.utc, "utc"),
    ] as [(SQLDateModifier, String)])
  func `date modifiers are bound`(modifier: SQLDateModifier, text: String) throws {
    #expect(try sql(expression: modifier) == RenderedSQL("?", [text]))
    #expect(
      try sql(expression: dateTime(t, modifier)) == RenderedSQL(#"DATETIME("title", ?)"#, [text]))
    #expect(
      try sql(expression: julianDay(t, modifier, .utc))
        == RenderedSQL(#"JULIANDAY("title", ?, ?)"#, [text, "utc"]))
    #expect(try sql(expression: julianDay(t)) == RenderedSQL(#"JULIANDAY("title")"#))
  }

  @Test func `functions compute`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try Book.select(max(y), as: Int.self).fetchOne(db) == 2002)
      #expect(try Book.select(sum(p, filter: y < 2000), as: Double.self).fetchOne(db) == 21.5)
      #expect(try Book.select(count(distinct: Column("authorId")), as: Int.self).fetchOne(db) == 2)
      let titles = Book.orderByPrimaryKey().select(length(t) + 1, as: Int.self)
      #expect(try titles.fetchAll(db) == [14, 10, 16, 10])
    }
  }
}
