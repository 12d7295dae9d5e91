public import Quarry

/// A `CASE` expression: the result of the first branch whose condition is true.
///
/// ```swift
/// // CASE WHEN "score" > ? THEN ? WHEN "score" > ? THEN ? ELSE ? END
/// SQLCase()
///   .when(Column("score") > 1000, then: "gold")
///   .when(Column("score") > 100, then: "silver")
///   .else("none")
/// ```
///
/// With an operand, the branches list its values:
///
/// ```swift
/// // CASE "status" WHEN ? THEN ? WHEN ? THEN ? END
/// SQLCase(Column("status"))
///   .when(0, then: "open")
///   .when(1, then: "closed")
/// ```
///
/// Without `else`, the result is null where no branch applies. A case without any branch is an
/// invalid request.
///
/// See <https://www.sqlite.org/lang_expr.html#the_case_expression>.
public struct SQLCase: SQLSpecificExpressible, Sendable {
  private var expression: SQLExpression.CaseExpression

  /// Creates a case whose branches have conditions. See ``SQLCase``.
  public init() { expression = .init() }

  /// Creates a case whose branches have values of an operand. See ``SQLCase``.
  public init(_ operand: some SQLSpecificExpressible) {
    expression = .init(operand: operand.sqlExpression)
  }

  /// Adds a branch: a condition, or a value of the operand, and the result. Nil is `NULL`.
  public func when(_ condition: some SQLExpressible, then result: (any SQLExpressible)?) -> Self {
    var copy = self
    copy.expression.branches.append(
      (condition: condition.sqlExpression, result: SQLExpression(nullable: result)))
    return copy
  }

  /// Replaces the result where no branch applies.
  public func `else`(_ result: (any SQLExpressible)?) -> Self {
    var copy = self
    copy.expression.otherwise = SQLExpression(nullable: result)
    return copy
  }

  /// The case as an expression.
  public var sqlExpression: SQLExpression {
    guard !expression.branches.isEmpty else {
      return SQLExpression(.invalid(InvalidRequest("A CASE expression needs at least one WHEN")))
    }
    return SQLExpression(.conditional(expression))
  }
}
