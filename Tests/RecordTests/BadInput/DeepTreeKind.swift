import Quarry
import QuarryFunctions
import QuarryTestSupport

/// Ways to put an expression into another one.
enum DeepTreeKind: String, CaseIterable, Sendable {
  case plus, minus, opposite, concatenation, comparison, logic, negation, shift
  case function, aggregate, filteredAggregate, window, conditional, cast, collation, alias
  case json, jsonPath, like, between, membership, rowValue, literal
  case subquery, listOfSubquery, exists, tableExpression, compound
  case namedWindow, grouping, having, order, association, associationAggregate

  func nest(_ inner: SQLExpression) -> SQLExpression {
    switch self {
    case .plus: inner + 1
    case .minus: 1 - inner
    case .opposite: -inner
    case .concatenation: ([inner, 1.sqlExpression].joined(operator: .concat)).collating(.nocase)
    case .comparison: inner == 1
    case .logic: (inner && Book.Columns.id) || Book.Columns.year
    case .negation: !(inner && Book.Columns.id)
    case .shift: inner << 1
    case .function: abs(inner)
    case .aggregate: max(inner)
    case .filteredAggregate: count(Book.Columns.id, filter: inner)
    case .window: sum(Book.Columns.id).over(partitionBy: inner)
    case .conditional: SQLCase().when(inner, then: 1).else(0).sqlExpression
    case .cast: Quarry.cast(inner, as: .integer)
    case .collation: inner.collating(.nocase)
    case .alias: TableAlias(name: "book")[inner + 1]
    case .json: Database.jsonArray([inner])
    case .jsonPath: Database.jsonExtract(JSONColumn("info"), atPath: inner)
    case .like: inner.like("a")
    case .between: (1...2).contains(inner)
    case .membership: [1, 2, 3].contains(inner)
    case .rowValue: SQLRowValue(inner, 1) == SQLRowValue(1, 2)
    case .literal: SQL("\(inner)").sqlExpression
    case .subquery: Book.select(inner).sqlExpression
    case .listOfSubquery: Book.select(inner).contains(Book.Columns.id)
    case .exists: Book.filter(inner).exists()
    case .tableExpression: tableExpression(inner)
    case .namedWindow:
      Book.select(sum(Book.Columns.id).over("w")).window("w", SQLWindow(partitionBy: inner))
        .sqlExpression
    case .grouping: Book.select(Book.Columns.id).group(inner).sqlExpression
    case .having: Book.select(Book.Columns.id).group(Book.Columns.id).having(inner).sqlExpression
    case .order: Book.select(Book.Columns.id).order(inner).sqlExpression
    case .association:
      Book.joining(required: Book.author.filter(inner)).select(Book.Columns.id).sqlExpression
    case .associationAggregate: associationAggregate(inner)
    case .compound: Book.select(inner).union(Book.select(Book.Columns.id)).sqlExpression
    }
  }

  private func tableExpression(_ inner: SQLExpression) -> SQLExpression {
    let table = CommonTableExpression<Row>(
      named: "t", columns: ["x"], request: Book.select(inner))
    return table.all().with(table).select(Column("x")).sqlExpression
  }

  private func associationAggregate(_ inner: SQLExpression) -> SQLExpression {
    let table = CommonTableExpression<Row>(
      named: "t", columns: ["id", "x"],
      request: Author.select(Column("id")).annotated(with: Author.books.max(inner)))
    return table.all().with(table).select(Column("x")).sqlExpression
  }

  /// An expression of some depth.
  func tree(_ depth: Int) -> SQLExpression {
    (0..<depth).reduce(Book.Columns.id.sqlExpression) { expression, _ in nest(expression) }
  }
}
