import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let aid = Column("authorId")
private let nocase = Column("title").collating(.nocase)

@Suite(.onQueueAndPool)
struct CollationTests {
  @Test(arguments: [
    ExpressionCase(nocase, #""title" COLLATE NOCASE"#),
    ExpressionCase(t.collating(.binary), #""title" COLLATE BINARY"#),
    ExpressionCase(t.collating(.rtrim), #""title" COLLATE RTRIM"#),
    ExpressionCase(
      t.collating(DatabaseCollation("byLength") { _, _ in .orderedSame }),
      #""title" COLLATE byLength"#),
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
      ("a"..."b").contains(nocase), #""title" BETWEEN ? AND ? COLLATE NOCASE"#, ["a", "b"]),
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
  ])
  func `expressions can be collated later`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
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
