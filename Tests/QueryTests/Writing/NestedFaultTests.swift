import QuarryTestSupport
import Testing

@testable import Quarry

private let a = Column("a")

/// Faults that are found while SQL is written.
struct NestedFaultTests {
  private let unselective = Author.select([any SQLSelectable]())

  private func request(of prepare: @autoclosure () throws -> some Any) -> String? {
    do {
      _ = try prepare()
      return nil
    } catch {
      return (error as? InvalidRequest)?.request
    }
  }

  @Test func `faults name the request that has them`() {
    #expect(
      request(of: try sql(of: Book.filter(unselective.exists())))
        == #"SELECT … FROM "author" …"#)
    let cte = CommonTableExpression<Void>(named: "c", request: unselective)
    #expect(request(of: try sql(of: Book.with(cte))) == #"SELECT … FROM "author" …"#)
    let literal: SQLRequest<Row> = "SELECT * FROM (\(unselective))"
    #expect(request(of: try sql(of: literal)) == #"SELECT … FROM "author" …"#)
    #expect(
      request(of: try sql(of: Book.filter(sql: "1").order(sql: "title").reversed()))
        == #"SELECT … FROM "book" …"#)
  }

  @Test(arguments: [
    { @Sendable (expression: SQLExpression) in expression - 1 },
    { @Sendable (expression: SQLExpression) in abs(expression) },
    { @Sendable (expression: SQLExpression) in cast(expression, as: .text) },
    { @Sendable (expression: SQLExpression) in SQL("(\(expression))").sqlExpression + 1 },
  ])
  func `expressions have a limited depth`(_ nest: @Sendable (SQLExpression) -> SQLExpression) throws
  {
    let deep = (0..<2000).reduce(a.sqlExpression) { expression, _ in nest(expression) }
    #expect(
      try invalidity(of: sql(of: Book.select(deep)))
        == "Expression tree is too large (maximum depth 1000)")
    let shallow = (0..<400).reduce(a.sqlExpression) { expression, _ in nest(expression) }
    #expect(try invalidity(of: sql(of: Book.select(shallow))) == nil)
  }
}
