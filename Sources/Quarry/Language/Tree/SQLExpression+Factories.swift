// Operators are built by these functions only: they apply, once and for all, the rules that decide
// the shape of an expression, so that the writer has nothing to decide.

extension SQLExpression {
  package static var null: SQLExpression { SQLExpression(.value(.null)) }

  /// `NULL` for nil. Not written with `??`, which is an operator of SQL between expressions. Not
  /// copied (`__shared`) for the call, which takes 230 instructions.
  package init(nullable value: __shared (any SQLExpressible)?) {
    if let expression = value?.sqlExpression { self = expression } else { self = .null }
  }

  /// `L = R`, or `X IS NULL` if one side is null.
  package static func equal(
    _ left: consuming SQLExpression, _ right: consuming SQLExpression
  ) -> SQLExpression {
    let op = left.isNull || right.isNull ? ComparisonOperator.identical : .equal
    return comparison(op, left, right)
  }

  /// `L IS R`
  package static func identical(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    comparison(.identical, left, right)
  }

  /// A comparison whose null side, if any, comes last, and which takes the collations of its
  /// operands.
  package static func comparison(
    _ op: ComparisonOperator, _ left: consuming SQLExpression, _ right: consuming SQLExpression
  ) -> SQLExpression {
    if let fault = widthFault(left, right) { return fault }
    if op == .identical && left.isNull { swap(&left, &right) }
    return movingCollations(of: left, right) { .comparison(op, $0, $1) }
  }

  /// A binary operator, which takes the collations of its operands.
  package static func binary(
    _ op: BinaryOperator, _ left: consuming SQLExpression, _ right: consuming SQLExpression
  ) -> SQLExpression {
    if let fault = widthFault(left, right) { return fault }
    return movingCollations(of: left, right) { .binary(op, $0, $1) }
  }

  static func associative(
    _ op: AssociativeBinaryOperator, _ left: SQLExpression, _ right: SQLExpression
  ) -> SQLExpression {
    guard op.isStrictlyAssociative else { return SQLExpression(.associative(op, [left, right])) }
    var (operands, depth) = left.operands(of: op)
    let (others, depthOfOthers) = right.operands(of: op)
    operands += others
    return SQLExpression(
      .associative(op, operands), depth: max(depth, depthOfOthers) + 1,
      isOpen: left.isOpen || right.isOpen)
  }

  /// One operand is itself, none is the neutral value of the operator.
  package static func associative(
    _ op: AssociativeBinaryOperator, _ operands: [SQLExpression]
  ) -> SQLExpression {
    if operands.isEmpty { return SQLExpression(op.neutralValue) }
    if operands.count == 1 { return operands[0] }
    guard op.isStrictlyAssociative else {
      return SQLExpression(.associative(op, RunList(operands)))
    }
    return SQLExpression(
      .associative(op, RunList(operands.flatMap { $0.operands(of: op).operands })))
  }

  /// `X BETWEEN A AND B`
  static func between(
    _ operand: SQLExpression, _ lower: SQLExpression, _ upper: SQLExpression
  ) -> SQLExpression {
    for bound in [lower, upper] { if let fault = widthFault(operand, bound) { return fault } }
    return SQLExpression(.between(operand, lower, upper, isNegated: false))
  }

  /// `X IN (A, B)`, `X = A`, or false.
  package static func membership(_ operand: SQLExpression, in elements: [SQLExpression])
    -> SQLExpression
  {
    if elements.isEmpty { return SQLExpression(false.databaseValue) }
    if elements.count == 1 { return comparison(.equal, operand, elements[0]) }
    for element in elements { if let fault = widthFault(operand, element) { return fault } }
    let list: MembershipList = operand.isRowValue ? .rows(elements) : .list(elements)
    return SQLExpression(.membership(operand, in: list, isNegated: false))
  }

  /// A call of a function that is no aggregate.
  package static func scalar(
    _ name: String, _ arguments: SQLExpression..., isPure: Bool = true
  ) -> SQLExpression { scalar(name, arguments, isPure: isPure) }

  package static func scalar(
    _ name: String, _ arguments: [SQLExpression], isPure: Bool = true,
    since version: SQLiteVersion? = nil
  ) -> SQLExpression {
    SQLExpression(
      .function(FunctionCall(name: name, arguments: arguments, isPure: isPure, since: version)))
  }

  /// A call of an aggregate function.
  package static func aggregate(
    _ name: String, _ arguments: [SQLExpression], isDistinct: Bool = false,
    orderBy orderings: [SQLOrdering] = [], filter: SQLExpression? = nil,
    since version: SQLiteVersion? = nil
  ) -> SQLExpression {
    SQLExpression(
      .function(
        FunctionCall(
          name: name, arguments: arguments, isDistinct: isDistinct, orderings: orderings,
          filter: filter, isAggregate: true, since: version)))
  }

  /// Whether the expression is the literal `NULL`.
  var isNull: Bool { if case .value(let value) = node { value.isNull } else { false } }

  /// The operands of the operator, or the expression itself, and the depth of the deepest one.
  private func operands(
    of op: AssociativeBinaryOperator
  ) -> (operands: RunList<SQLExpression>, depth: Int) {
    if case .associative(op, let operands) = node { return (operands, Int(depth) - 1) }
    return ([self], Int(depth))
  }
}

extension FilterClause {
  /// The column has a value.
  static func equal(_ column: String, _ value: DatabaseValue) -> FilterClause {
    .expression(.equal(SQLExpression(.column(column)), SQLExpression(value)))
  }
}
