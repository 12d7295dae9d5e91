import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let aid = Column("authorId")
private let id = Column("id")
private let nocase = Column("title").collating(.nocase)
private let pair = SQLRowValue(t, y)
private let isA: SQLExpression = nocase == "a"
private let isLess: SQLExpression = nocase < "b"
private let isEither: SQLExpression = t == "a" || t < "b"

@Suite(.onQueueAndPool)
struct CollationTests {
  @Test(arguments: [
    ExpressionCase(nocase, #""title" COLLATE NOCASE"#),
    ExpressionCase(t.collating(.binary), #""title" COLLATE BINARY"#),
    ExpressionCase(t.collating(.rtrim), #""title" COLLATE RTRIM"#),
    ExpressionCase(
      t.collating(DatabaseCollation("byLength") { _, _ in .orderedSame }),
      #""title" COLLATE byLength"#),
    ExpressionCase(
      t.collating(DatabaseCollation("by length") { _, _ in .orderedSame }),
      #""title" COLLATE "by length""#),
    ExpressionCase(t.collating(.init(rawValue: "order")), #""title" COLLATE "order""#),
    ExpressionCase(nocase << 1, #""title" << ? COLLATE NOCASE"#, [1]),
    ExpressionCase(nocase.match("a"), #""title" MATCH ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase(abs(y).collating(.nocase), #"ABS("year") COLLATE NOCASE"#),
  ])
  func `names`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(nocase == "a", #""title" = ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase("a" == nocase, #"? = "title" COLLATE NOCASE"#, ["a"]),
    ExpressionCase(
      nocase == aid.collating(.binary), #""title" = "authorId" COLLATE BINARY COLLATE NOCASE"#),
    ExpressionCase(nocase == nil, #""title" IS NULL COLLATE NOCASE"#),
    ExpressionCase(nil == nocase, #""title" IS NULL COLLATE NOCASE"#),
    ExpressionCase(nocase === "a", #""title" IS ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase(nocase < "a", #""title" < ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase(nocase - 1, #""title" - ? COLLATE NOCASE"#, [1]),
    ExpressionCase(
      ("a"..."b").contains(nocase), #"("title" COLLATE NOCASE) BETWEEN ? AND ?"#, ["a", "b"]),
    ExpressionCase(
      !("a"..."b").contains(nocase), #"("title" COLLATE NOCASE) NOT BETWEEN ? AND ?"#, ["a", "b"]),
    ExpressionCase(
      ("a"..<"b").contains(nocase),
      #"("title" >= ? COLLATE NOCASE) AND ("title" < ? COLLATE NOCASE)"#, ["a", "b"]),
    ExpressionCase(
      nocase == "a" && y == 1, #"("title" = ? COLLATE NOCASE) AND ("year" = ?)"#, ["a", 1]),
    ExpressionCase(!(nocase == "a"), #""title" <> ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase(nocase != "a", #""title" <> ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase(["a"].contains(nocase), #""title" = ? COLLATE NOCASE"#, ["a"]),
  ])
  func `comparisons take the collation`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(
      ["a", "b"].contains(nocase), #"("title" COLLATE NOCASE) IN (?, ?)"#, ["a", "b"]),
    ExpressionCase(nocase.like("a"), #"("title" COLLATE NOCASE) LIKE ?"#, ["a"]),
    ExpressionCase(nocase + 1, #"("title" COLLATE NOCASE) + ?"#, [1]),
    ExpressionCase(nocase & 1, #"("title" COLLATE NOCASE) & ?"#, [1]),
    ExpressionCase(
      [nocase, nocase].joined(operator: .concat),
      #"("title" COLLATE NOCASE) || ("title" COLLATE NOCASE)"#),
    ExpressionCase(-nocase, #"-("title" COLLATE NOCASE)"#),
  ])
  func `other operators leave it`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(
      ["a", "b"].contains(t).collating(.nocase), #"("title" COLLATE NOCASE) IN (?, ?)"#,
      ["a", "b"]),
    ExpressionCase(
      (t == "a" && y == 1).collating(.nocase),
      #"("title" = ? COLLATE NOCASE) AND ("year" = ? COLLATE NOCASE)"#, ["a", 1]),
    ExpressionCase((t == "a").collating(.nocase), #""title" = ? COLLATE NOCASE"#, ["a"]),
    ExpressionCase(!nocase, #"NOT "title" COLLATE NOCASE"#),
    ExpressionCase((!t).collating(.nocase), #"NOT "title" COLLATE NOCASE"#),
    ExpressionCase(
      ("a"..."b").contains(t).collating(.nocase), #"("title" COLLATE NOCASE) BETWEEN ? AND ?"#,
      ["a", "b"]),
    ExpressionCase(
      (!("a"..."b").contains(t)).collating(.nocase),
      #"("title" COLLATE NOCASE) NOT BETWEEN ? AND ?"#, ["a", "b"]),
    ExpressionCase(
      (!(t < "b")).collating(.nocase), #"NOT ("title" < ? COLLATE NOCASE)"#, ["b"]),
    ExpressionCase(
      (!isEither).collating(.nocase),
      #"NOT (("title" = ? COLLATE NOCASE) OR ("title" < ? COLLATE NOCASE))"#, ["a", "b"]),
  ])
  func `expressions can be collated later`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test(arguments: [
    ExpressionCase(!isLess, #"NOT ("title" < ? COLLATE NOCASE)"#, ["b"]),
    ExpressionCase(
      !(t >= aid.collating(.nocase)), #"NOT ("title" >= "authorId" COLLATE NOCASE)"#),
    ExpressionCase(
      !(nocase < aid.collating(.binary)),
      #"NOT ("title" < "authorId" COLLATE BINARY COLLATE NOCASE)"#),
    ExpressionCase(!(!isLess), #"NOT (NOT ("title" < ? COLLATE NOCASE))"#, ["b"]),
    ExpressionCase(!nocase.match("a"), #"NOT ("title" MATCH ?) COLLATE NOCASE"#, ["a"]),
    ExpressionCase(isA == true, #"("title" = ? COLLATE NOCASE) = ?"#, ["a", 1]),
    ExpressionCase(isA != true, #"("title" = ? COLLATE NOCASE) <> ?"#, ["a", 1]),
    ExpressionCase(isLess == false, #"("title" < ? COLLATE NOCASE) = ?"#, ["b", 0]),
    ExpressionCase(isA == y, #"("title" = ? COLLATE NOCASE) = "year""#, ["a"]),
    ExpressionCase(y < isA, #""year" < ("title" = ? COLLATE NOCASE)"#, ["a"]),
    ExpressionCase(isA === nil, #"("title" = ? COLLATE NOCASE) IS NULL"#, ["a"]),
    ExpressionCase(isA - 1, #"("title" = ? COLLATE NOCASE) - ?"#, ["a", 1]),
    ExpressionCase([true].contains(isA), #"("title" = ? COLLATE NOCASE) = ?"#, ["a", 1]),
    ExpressionCase(
      isA.between(0, and: 1), #"("title" = ? COLLATE NOCASE) BETWEEN ? AND ?"#, ["a", 0, 1]),
  ])
  func `comparisons keep the collation as operands`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  /// SQLite refused a collation after a row value: it applies to the row.
  @Test(arguments: [
    ExpressionCase(
      (pair == SQLRowValue("A", 1)).collating(.nocase),
      #"("title" COLLATE NOCASE, "year" COLLATE NOCASE) = (?, ?)"#, ["A", 1]),
    ExpressionCase(
      (pair < SQLRowValue("A", 1)).collating(.nocase),
      #"("title" COLLATE NOCASE, "year" COLLATE NOCASE) < (?, ?)"#, ["A", 1]),
    ExpressionCase(
      pair.collating(.nocase) != SQLRowValue("A", 1),
      #"("title" COLLATE NOCASE, "year" COLLATE NOCASE) <> (?, ?)"#, ["A", 1]),
    ExpressionCase(
      [SQLRowValue("A", 1), SQLRowValue("B", 2)].contains(pair).collating(.nocase),
      #"("title" COLLATE NOCASE, "year" COLLATE NOCASE) IN (VALUES (?, ?), (?, ?))"#,
      ["A", 1, "B", 2]),
    ExpressionCase(
      pair.between(SQLRowValue("A", 1), and: SQLRowValue("B", 2)).collating(.nocase),
      #"("title" COLLATE NOCASE, "year" COLLATE NOCASE) BETWEEN (?, ?) AND (?, ?)"#,
      ["A", 1, "B", 2]),
  ])
  func `row values are collated by their columns`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
    try makeBookshopDatabase().read { db throws in
      _ = try Book.filter(test.expression).fetchAll(db)
      let left = SQLRowValue(t, y) == SQLRowValue("LEFT HAND", 1969)
      #expect(try Book.filter(left).fetchCount(db) == 0)
      #expect(try Book.filter(left.collating(.nocase)).fetchAll(db).map(\.id) == [2])
      #expect(try Book.filter((!left).collating(.nocase)).fetchCount(db) == 3)
    }
  }

  @Test func `rows of comparisons that are negated, tested or have bounds`() throws {
    try makeBookshopDatabase().read { db throws in
      func ids(_ condition: SQLExpression) throws -> [Int64] {
        try Book.filter(condition).order(id).fetchAll(db).map(\.id)
      }
      #expect(try ids(!(nocase < "b")) == [1, 2, 3])
      #expect(try ids((!(t < "b")).collating(.nocase)) == [1, 2, 3])
      #expect(try ids((nocase == "LEFT hand") == true) == [2])
      #expect(try ids([false].contains(nocase == "LEFT hand")) == [1, 3, 4])
      #expect(try ids(("a"..."e").contains(nocase)) == [1, 4])
      #expect(try ids(!("a"..."e").contains(nocase)) == [2, 3])
      #expect(try ids(("a"..."e").contains(t)) == [])
    }
  }

  @Test func `orderings and comparisons use the collation`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = Book.order(nocase.desc)
      #expect(
        try sql(of: request).sql == #"SELECT * FROM "book" ORDER BY "title" COLLATE NOCASE DESC"#)
      #expect(try request.fetchAll(db).map(\.id) == [2, 3, 1, 4])
      #expect(try Book.filter(nocase == "LEFT hand").fetchAll(db).map(\.id) == [2])
      #expect(try Book.filter(t == "LEFT hand").fetchAll(db).isEmpty)
    }
  }
}
