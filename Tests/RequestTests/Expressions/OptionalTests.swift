import QuarryTestSupport
import Testing

@testable import Quarry

/// Optionals are expressions, selections and orderings, or `NULL`.
struct OptionalTests {
  @Test(arguments: [Column("year"), nil])
  func `optional columns`(column: Column?) throws {
    let text = column.map(\.name) == nil ? "NULL" : #""year""#
    #expect(try sql(expression: column.sqlExpression).sql == text)
    #expect(try sql(of: Book.select(column)).sql == #"SELECT \#(text) FROM "book""#)
    #expect(
      try sql(of: Book.order(column)).sql == #"SELECT * FROM "book" ORDER BY \#(text)"#)
    #expect(try sql(expression: column + 1).sql == "\(text) + ?")
  }

  @Test func `nested optionals`() throws {
    let nested: Int?? = .some(.none)
    #expect(try sql(expression: Column("year") == nested).sql == #""year" IS NULL"#)
    #expect(try sql(expression: Column("year") == Int??.some(1)).sql == #""year" = ?"#)
  }

  @Test func `the operator of SQL is not the one of Swift`() throws {
    let expression: SQLExpression? = Column("year") + 1
    #expect(
      try sql(expression: expression ?? Column("price"))
        == RenderedSQL(
          #"IFNULL("year" + ?, "price")"#, [1]))
  }
}
