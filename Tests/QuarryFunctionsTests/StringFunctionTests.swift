import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")

/// Functions of SQLite that the documented API does not have.
@Suite(.onQueueAndPool)
struct StringFunctionTests {
  @Test(arguments: [
    ExpressionCase(lower(t), #"LOWER("title")"#),
    ExpressionCase(upper(t), #"UPPER("title")"#),
    ExpressionCase(trim(t), #"TRIM("title")"#),
    ExpressionCase(trim(t, " ."), #"TRIM("title", ?)"#, [" ."]),
    ExpressionCase(ltrim(t), #"LTRIM("title")"#),
    ExpressionCase(ltrim(t, "0"), #"LTRIM("title", ?)"#, ["0"]),
    ExpressionCase(rtrim(t), #"RTRIM("title")"#),
    ExpressionCase(rtrim(t, p), #"RTRIM("title", "price")"#),
    ExpressionCase(replace(t, "a", with: "b"), #"REPLACE("title", ?, ?)"#, ["a", "b"]),
    ExpressionCase(substr(t, 2), #"SUBSTR("title", ?)"#, [2]),
    ExpressionCase(substr(t, -2, 1), #"SUBSTR("title", ?, ?)"#, [-2, 1]),
    ExpressionCase(instr(t, "a"), #"INSTR("title", ?)"#, ["a"]),
    ExpressionCase(unicode(t), #"UNICODE("title")"#),
    ExpressionCase(hex(t), #"HEX("title")"#),
    ExpressionCase(quote(t), #"QUOTE("title")"#),
    ExpressionCase(printf("%d-%s", y, "a", nil), #"PRINTF(?, "year", ?, NULL)"#, ["%d-%s", "a"]),
    ExpressionCase(round(p), #"ROUND("price")"#),
    ExpressionCase(round(p, 2), #"ROUND("price", ?)"#, [2]),
    ExpressionCase(round(p / 2, y) + 1, #"ROUND("price" / ?, "year") + ?"#, [2, 1]),
    ExpressionCase(sign(p), #"SIGN("price")"#),
    ExpressionCase(typeOf(p), #"TYPEOF("price")"#),
    ExpressionCase(nullIf(t, ""), #"NULLIF("title", ?)"#, [""]),
    ExpressionCase(SQLExpression.random, "RANDOM()"),
    ExpressionCase(SQLExpression.random % 10, "RANDOM() % ?", [10]),
  ])
  func `scalars`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(count(), "COUNT(*)"),
    ExpressionCase(count(filter: y > 1), #"COUNT(*) FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(count(t, filter: y > 1), #"COUNT("title") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(
      count(distinct: t, filter: y > 1), #"COUNT(DISTINCT "title") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(average(distinct: p), #"AVG(DISTINCT "price")"#),
    ExpressionCase(sum(distinct: p), #"SUM(DISTINCT "price")"#),
    ExpressionCase(
      total(distinct: p, filter: y > 1), #"TOTAL(DISTINCT "price") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(groupConcat(t), #"GROUP_CONCAT("title")"#),
    ExpressionCase(groupConcat(t, separator: "; "), #"GROUP_CONCAT("title", ?)"#, ["; "]),
    ExpressionCase(groupConcat(distinct: t), #"GROUP_CONCAT(DISTINCT "title")"#),
    ExpressionCase(
      groupConcat(t, filter: y > 1), #"GROUP_CONCAT("title") FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(.countAll, "COUNT(*)"),
    ExpressionCase(
      SQLExpression.aggregate("MEDIAN", p, distinct: true), #"MEDIAN(DISTINCT "price")"#),
    ExpressionCase(SQLExpression.function("SOUNDEX", t), #"SOUNDEX("title")"#),
    ExpressionCase(SQLExpression.function("f", nil, 1, y + 1), #"f(NULL, ?, "year" + ?)"#, [1, 1]),
    ExpressionCase(SQLExpression.function("my func", y), #""my func"("year")"#),
    ExpressionCase(SQLExpression.function("a\"b"), #""a""b"()"#),
    ExpressionCase(SQLExpression.function("2a"), #""2a"()"#),
    ExpressionCase(SQLExpression.function(""), #"""()"#),
    ExpressionCase(SQLExpression.function("not", y), #""not"("year")"#),
    ExpressionCase(SQLExpression.aggregate("ORDER", y), #""ORDER"("year")"#),
  ])
  func `aggregates and generic calls`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(sum(p, orderBy: y), #"SUM("price" ORDER BY "year")"#),
    ExpressionCase(
      total(p, orderBy: y.desc, filter: y > 1),
      #"TOTAL("price" ORDER BY "year" DESC) FILTER (WHERE "year" > ?)"#, [1]),
    ExpressionCase(
      groupConcat(t, separator: ";", orderBy: t.collating(.nocase).desc),
      #"GROUP_CONCAT("title", ? ORDER BY "title" COLLATE NOCASE DESC)"#, [";"]),
    ExpressionCase(
      SQLExpression.aggregate("GROUP_CONCAT", t, ";", orderBy: y, t.desc, filter: p > 1),
      #"GROUP_CONCAT("title", ? ORDER BY "year", "title" DESC) FILTER (WHERE "price" > ?)"#,
      [";", 1]),
    ExpressionCase(
      sum(p, orderBy: y).over(partitionBy: t),
      #"SUM("price" ORDER BY "year") OVER (PARTITION BY "title")"#),
  ])
  func `aggregates are ordered since 3.44`(_ test: ExpressionCase) throws {
    #expect(
      try sql(expression: test.expression, sqliteVersion: SQLiteVersion(3, 44)) == test.expected)
    let message = try invalidity(
      of: sql(expression: test.expression, sqliteVersion: SQLiteVersion(3, 43, 2)))
    #expect(message?.hasPrefix("ORDER BY in ") == true)
    #expect(message?.hasSuffix(" needs SQLite 3.44 or later: the library is SQLite 3.43.2") == true)
  }

  @Test(arguments: [
    ExpressionCase(t.glob("a*"), #""title" GLOB ?"#, ["a*"]),
    ExpressionCase(!t.glob("a*"), #""title" NOT GLOB ?"#, ["a*"]),
    ExpressionCase(t.regexp("^a"), #""title" REGEXP ?"#, ["^a"]),
    ExpressionCase(!t.regexp(p), #""title" NOT REGEXP "price""#),
    ExpressionCase(
      (t ?? "").glob("a") && y, #"(IFNULL("title", ?) GLOB ?) AND "year""#, ["", "a"]),
    ExpressionCase(t.match("a"), #""title" MATCH ?"#, ["a"]),
    ExpressionCase(!t.match("a"), #"NOT ("title" MATCH ?)"#, ["a"]),
    ExpressionCase(y.between(1, and: p + 1), #""year" BETWEEN ? AND ("price" + ?)"#, [1, 1]),
    ExpressionCase(!y.between(1, and: 2), #""year" NOT BETWEEN ? AND ?"#, [1, 2]),
    ExpressionCase(
      t.collating(.nocase).between("a", and: "b"), #"("title" COLLATE NOCASE) BETWEEN ? AND ?"#,
      ["a", "b"]),
  ])
  func `patterns and bounds`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(date(t), #"DATE("title")"#),
    ExpressionCase(
      date(t, .startOfMonth, .month(1)), #"DATE("title", ?, ?)"#, ["start of month", "1 months"]),
    ExpressionCase(time(t, .utc), #"TIME("title", ?)"#, ["utc"]),
    ExpressionCase(strftime("%Y", t, .utc), #"STRFTIME(?, "title", ?)"#, ["%Y", "utc"]),
    ExpressionCase(unixEpoch(t, .day(1)), #"UNIXEPOCH("title", ?)"#, ["1 days"]),
  ])
  func `dates`(_ test: ExpressionCase) throws {
    #expect(
      try sql(expression: test.expression, sqliteVersion: SQLiteVersion(3, 38)) == test.expected)
  }

  @Test func `unix epoch needs a version`() throws {
    #expect(
      try invalidity(of: sql(expression: unixEpoch(t), sqliteVersion: SQLiteVersion(3, 37, 2)))
        == "UNIXEPOCH needs SQLite 3.38 or later: the library is SQLite 3.37.2")
  }

  @Test func `functions compute`() throws {
    try makeBookshopDatabase().read { db throws in
      func fetch(_ expression: SQLExpression) throws -> DatabaseValue? {
        try Book.filter(key: 1).select(expression, as: DatabaseValue.self).fetchOne(db)
      }
      #expect(try fetch(replace(t, "s", with: "")) == "Dipoeion".databaseValue)
      #expect(try fetch(substr(t, 1, 3)) == "Dis".databaseValue)
      #expect(try fetch(instr(t, "pos")) == 4.databaseValue)
      #expect(try fetch(trim(t, "Dn")) == "ispossessio".databaseValue)
      #expect(try fetch(round(p / 3, 2)) == 4.17.databaseValue)
      #expect(try fetch(typeOf(p)) == "real".databaseValue)
      #expect(try fetch(nullIf(y, 1974)) == .null)
      #expect(try fetch(iif(y > 2000, "new", "old")) == "old".databaseValue)
      #expect(try fetch(printf("%s (%d)", t, y)) == "Dispossession (1974)".databaseValue)
      #expect(
        try fetch(strftime("%d/%m/%Y", "2024-02-29".databaseValue)) == "29/02/2024".databaseValue)
      #expect(
        try fetch(date("2024-01-31".databaseValue, .startOfMonth, .month(1), .day(-1)))
          == "2024-01-31".databaseValue)
      #expect(try fetch(unixEpoch("1970-01-02".databaseValue)) == 86400.databaseValue)
      #expect(try fetch(hex(t)) == "446973706F7373657373696F6E".databaseValue)
    }
  }

  @Test func `implicit members are found wherever a request has an expression`() throws {
    func expression(_ value: some SQLExpressible) -> SQLExpression { value.sqlExpression }
    func specific(_ value: some SQLSpecificExpressible) -> SQLExpression { value.sqlExpression }
    #expect(try sql(expression: expression(.countAll)) == RenderedSQL("COUNT(*)"))
    #expect(try sql(expression: specific(.countAll)) == RenderedSQL("COUNT(*)"))
    #expect(try sql(expression: expression(.random)) == RenderedSQL("RANDOM()"))
    #expect(try sql(expression: specific(.random)) == RenderedSQL("RANDOM()"))
    #expect(
      try sql(of: Book.select(.countAll, .random)).sql == #"SELECT COUNT(*), RANDOM() FROM "book""#)
    #expect(
      try sql(of: Book.select(y).group(y).order(.countAll, .random)).sql
        == #"SELECT "year" FROM "book" GROUP BY "year" ORDER BY COUNT(*), RANDOM()"#)
  }

  @Test func `aggregates compute`() throws {
    try makeBookshopDatabase().read { db throws in
      func fetch(_ expression: SQLExpression) throws -> DatabaseValue? {
        try Book.select(expression, as: DatabaseValue.self).fetchOne(db)
      }
      #expect(try fetch(count()) == 4.databaseValue)
      #expect(try fetch(count(filter: y > 1970)) == 2.databaseValue)
      #expect(try fetch(.countAll) == 4.databaseValue)
      #expect(try fetch(groupConcat(y, separator: "+")) == "1974+1969+2002".databaseValue)
      #expect(
        try fetch(SQLExpression.aggregate("TOTAL", p, filter: y > 1970)) == 27.5.databaseValue)
      #expect(try Book.order(.random).fetchAll(db).count == 4)
      let groups = Book.select(Column("publisherId"), .countAll).group(Column("publisherId"))
        .order(.countAll, Column("publisherId"))
      #expect(
        try Row.fetchAll(db, groups.asRequest(of: Row.self)).map { $0[1] as Int } == [1, 1, 2])
      #expect(try Book.filter(t.glob("*o*")).fetchCount(db) == 3)
      #expect(try Book.filter(t.glob("L*")).fetchAll(db).map(\.id) == [2])
    }
  }
}
