import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let shop = Column("shop")
private let isbn = Column("isbn")
private let key = SQLRowValue(shop, isbn)
private let noRows: [SQLRowValue] = []

@Suite(.onQueueAndPool)
struct SQLRowValueTests {
  @Test(arguments: [
    ExpressionCase(
      key == SQLRowValue("north", "a"), #"("shop", "isbn") = (?, ?)"#, ["north", "a"]),
    ExpressionCase(key != SQLRowValue("north", nil), #"("shop", "isbn") <> (?, NULL)"#, ["north"]),
    ExpressionCase(
      key === SQLRowValue("north", isbn), #"("shop", "isbn") IS (?, "isbn")"#, ["north"]),
    ExpressionCase(key > SQLRowValue("north", "a"), #"("shop", "isbn") > (?, ?)"#, ["north", "a"]),
    ExpressionCase(key <= SQLRowValue([shop, "a"]), #"("shop", "isbn") <= ("shop", ?)"#, ["a"]),
    ExpressionCase(!(key == SQLRowValue(1, 2)), #"("shop", "isbn") <> (?, ?)"#, [1, 2]),
    ExpressionCase(
      key.between(SQLRowValue(1, 2), and: SQLRowValue(3, 4)),
      #"("shop", "isbn") BETWEEN (?, ?) AND (?, ?)"#, [1, 2, 3, 4]),
    ExpressionCase(
      SQLRowValue(shop + 1, isbn) == key, #"("shop" + ?, "isbn") = ("shop", "isbn")"#, [1]),
    ExpressionCase(
      [SQLRowValue(1, 2), SQLRowValue(3, 4)].contains(key),
      #"("shop", "isbn") IN (VALUES (?, ?), (?, ?))"#, [1, 2, 3, 4]),
    ExpressionCase(
      ![SQLRowValue(1, 2), SQLRowValue(3, 4)].contains(key),
      #"("shop", "isbn") NOT IN (VALUES (?, ?), (?, ?))"#, [1, 2, 3, 4]),
    ExpressionCase([SQLRowValue(1, 2)].contains(key), #"("shop", "isbn") = (?, ?)"#, [1, 2]),
    ExpressionCase(noRows.contains(key), "?", [0]),
    ExpressionCase(
      StockMove.select(shop, isbn).contains(key),
      #"("shop", "isbn") IN (SELECT "shop", "isbn" FROM "stockMove")"#),
    ExpressionCase(
      key == StockMove.select(shop, isbn),
      #"("shop", "isbn") = (SELECT "shop", "isbn" FROM "stockMove")"#),
    ExpressionCase(SQLRowValue(shop) == "a", #""shop" = ?"#, ["a"]),
    ExpressionCase(
      [SQLRowValue("a"), SQLRowValue("b")].contains(shop), #""shop" IN (?, ?)"#, ["a", "b"]),
    ExpressionCase(
      SQLCase(key).when(SQLRowValue(1, 2), then: 3),
      #"CASE ("shop", "isbn") WHEN (?, ?) THEN ? END"#, [1, 2, 3]),
  ])
  func `rows are compared together`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test func `columns of rows are qualified`() throws {
    let request = StockMove.joining(required: StockMove.stock)
      .filter([SQLRowValue(1, 2), SQLRowValue(isbn, 4)].contains(key))
    #expect(
      try sql(of: request).sql.hasSuffix(
        #"WHERE ("stockMove"."shop", "stockMove"."isbn") IN (VALUES (?, ?), ("stockMove"."isbn", ?))"#
      ))
  }

  @Test func `rows of other widths are invalid`() throws {
    func fault(_ condition: SQLExpression) throws -> String? {
      try invalidity(of: sql(of: Stock.filter(condition)))
    }
    let two = "a row value of 2 columns"
    #expect(
      try fault(key == SQLRowValue(1, 2, 3)) == "Can't compare \(two) with a row value of 3 columns"
    )
    #expect(try fault(key < SQLRowValue(1)) == "Can't compare \(two) with one value")
    #expect(try fault(key == nil) == "Can't compare \(two) with one value")
    #expect(try fault(1 == key) == "Can't compare one value with \(two)")
    #expect(try fault(!(key == shop)) == "Can't compare \(two) with one value")
    #expect(
      try fault([SQLRowValue(1, 2), SQLRowValue(1, 2, 3)].contains(key))
        == "Can't compare \(two) with a row value of 3 columns")
    #expect(try fault([1, 2].contains(key)) == "Can't compare \(two) with one value")
    #expect(
      try fault([SQLRowValue(1, 2), SQLRowValue(3, 4)].contains(shop))
        == "Can't compare one value with \(two)")
    #expect(try fault(key.between(1, and: 2)) == "Can't compare \(two) with one value")
    #expect(try fault(SQLRowValue() == 1) == "A row value needs at least one expression")
    #expect(
      try fault([SQLRowValue(), SQLRowValue()].contains(key))
        == "A row value needs at least one expression")
    #expect(
      errorText { try sql(of: Stock.filter(key == 1)) }?.hasSuffix(
        #" - in request SELECT … FROM "stock" …"#) == true)
  }

  @Test func `rows select the right rows`() throws {
    try makeBookshopDatabase().read { db throws in
      func fetch(_ condition: SQLExpression) throws -> [Int?] {
        try Stock.filter(condition).orderByPrimaryKey().fetchAll(db).map(\.qty)
      }
      #expect(try fetch(key == SQLRowValue("north", "b")) == [0])
      #expect(try fetch(key > SQLRowValue("north", "a")) == [0, 7])
      #expect(
        try fetch([SQLRowValue("north", "a"), SQLRowValue("south", "a")].contains(key)) == [3, 7])
      #expect(try fetch(!StockMove.filter(shop != nil).select(shop, isbn).contains(key)) == [0])
      #expect(
        try fetch(key.between(SQLRowValue("north", "b"), and: SQLRowValue("south", "a"))) == [0, 7])
      let wrongWidth = errorText { try fetch(StockMove.select(shop).contains(key)) }
      #expect(
        wrongWidth?.contains("sub-select returns 1 columns - expected 2") == true
          && wrongWidth?.contains(#"IN (SELECT "shop" FROM "stockMove")"#) == true)
    }
  }
}
