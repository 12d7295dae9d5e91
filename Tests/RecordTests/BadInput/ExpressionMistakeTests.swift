import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")

/// Expressions that SQLite or the library refuses: the error comes when the request is prepared,
/// and shows its SQL.
@Suite(.onQueueAndPool)
struct ExpressionMistakeTests {
  private static let refused: [(QueryInterfaceRequest<Book>, message: String, sql: String)] = [
    (
      Book.filter(Column("nope") == 1), SQLiteBuild.noSuchColumn("nope"),
      #"SELECT * FROM "book" WHERE "nope" = ?"#
    ),
    (
      Book.filter(max(y) > 1), "misuse of aggregate function MAX()",
      #"SELECT * FROM "book" WHERE MAX("year") > ?"#
    ),
    (
      Book.filter(rank().over(orderBy: y) == 1), "misuse of window function RANK()",
      #"SELECT * FROM "book" WHERE (RANK() OVER (ORDER BY "year")) = ?"#
    ),
    (
      Book.filter(sum(y).over() > 1), "misuse of window function SUM()",
      #"SELECT * FROM "book" WHERE (SUM("year") OVER ()) > ?"#
    ),
    (
      Book.all().group(y).having(rank().over() == 1), "misuse of window function RANK()",
      #"SELECT * FROM "book" GROUP BY "year" HAVING (RANK() OVER ()) = ?"#
    ),
    (
      Book.select(rank()), "misuse of window function RANK()", #"SELECT RANK() FROM "book""#
    ),
    (
      Book.select(abs(y).over()), "ABS() may not be used as a window function",
      #"SELECT ABS("year") OVER () FROM "book""#
    ),
    (
      Book.select(rank().over("w")), #"no such window: "w""#, #"SELECT RANK() OVER "w" FROM "book""#
    ),
    (
      Book.window("v", SQLWindow()).order(sum(y).over(SQLWindow(extending: "w", orderBy: t))),
      #"no such window: "w""#,
      #"SELECT * FROM "book" WINDOW "v" AS () ORDER BY SUM("year") OVER ("w" ORDER BY "title")"#
    ),
    (
      Book.window("w", SQLWindow(orderBy: y)).select(
        sum(y).over(SQLWindow(extending: "w", orderBy: t))),
      #"cannot override ORDER BY clause of window: "w""#,
      #"SELECT SUM("year") OVER ("w" ORDER BY "title") FROM "book" WINDOW "w" AS (ORDER BY "year")"#
    ),
    (
      Book.select(sum(y).over(orderBy: t, frame: .rows(from: .unboundedFollowing))),
      #"near "FOLLOWING": syntax error"#,
      #"SELECT SUM("year") OVER (ORDER BY "title" ROWS UNBOUNDED FOLLOWING) FROM "book""#
    ),
    (
      Book.select(sum(y).over(orderBy: t, y, frame: .range(from: .preceding(1)))),
      "RANGE with offset PRECEDING/FOLLOWING requires one ORDER BY expression",
      #"SELECT SUM("year") OVER (ORDER BY "title", "year" RANGE ? PRECEDING) FROM "book""#
    ),
    (
      Book.select(SQLRowValue(y, t)), "row value misused", #"SELECT ("year", "title") FROM "book""#
    ),
    (
      Book.filter(SQLRowValue(y, t) == Author.select(Column("id"))), "row value misused",
      #"SELECT * FROM "book" WHERE ("year", "title") = (SELECT "id" FROM "author")"#
    ),
    (
      Book.filter(Author.all().contains(y)), "sub-select returns 4 columns - expected 1",
      #"SELECT * FROM "book" WHERE "year" IN (SELECT * FROM "author")"#
    ),
    (
      Book.select(SQLExpression.function("nope", y)), "no such function: nope",
      #"SELECT nope("year") FROM "book""#
    ),
    (
      Book.select(abs(y).collating(.init(rawValue: "nope")) < 1),
      "no such collation sequence: nope",
      #"SELECT ABS("year") < ? COLLATE nope FROM "book""#
    ),
  ]

  @Test(arguments: refused.indices)
  func `SQLite refuses`(index: Int) throws {
    let (request, message, text) = Self.refused[index]
    try makeBookshopDatabase().read { db throws in
      let error = databaseError { try request.makePreparedRequest(db) }
      #expect(error?.message?.hasPrefix(message) == true, "\(String(describing: error))")
      #expect(error?.sql == text)
      #expect(databaseError { try request.fetchAll(db) }?.sql == text)
    }
  }

  private static let faults: [(SQLExpression, String)] = [
    (y.sqlExpression.over(), "Only aggregate and window functions can have a window"),
    ((sum(y) + 1).over(), "Only aggregate and window functions can have a window"),
    (sum(y).over().over(), "Only aggregate and window functions can have a window"),
    (TableAlias(name: "b")[y].over(), "Only aggregate and window functions can have a window"),
    (SQLCase(y).sqlExpression, "A CASE expression needs at least one WHEN"),
    (SQLRowValue().sqlExpression, "A row value needs at least one expression"),
    (SQLRowValue(y, t) == 1, "Can't compare a row value of 2 columns with one value"),
  ]

  @Test(arguments: faults.indices)
  func `Invalid expressions are found when the request is prepared`(index: Int) throws {
    let (expression, message) = Self.faults[index]
    let description = #"\#(message) - in request SELECT … FROM "book" …"#
    try makeBookshopDatabase().write { db throws in
      for request in [Book.filter(expression), Book.select(expression), Book.order(expression)] {
        #expect(errorText { try request.fetchAll(db) } == description)
        #expect(errorText { try request.fetchOne(db) } == description)
      }
      #expect(errorText { try Book.filter(expression && y == 1).deleteAll(db) } == description)
      #expect(errorText { try Book.updateAll(db, y.set(to: expression)) } == description)
      #expect(errorText { try Book.filter(!expression).fetchCount(db) } == description)
      #expect(try Book.fetchCount(db) == 4)
    }
  }

  @Test func `Offsets of frames are checked when rows are fetched`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = Book.select(sum(y).over(orderBy: t, frame: .rows(from: .preceding(-1))))
      let error = databaseError { try Row.fetchAll(db, request) }
      #expect(error?.message == "frame starting offset must be a non-negative integer")
      #expect(
        error?.sql == #"SELECT SUM("year") OVER (ORDER BY "title" ROWS ? PRECEDING) FROM "book""#)
    }
  }
}
