extension SQLExpression {
  /// The test `X = true` or `X = false`, or `X IS NULL`.
  func tested(_ expected: Bool?) -> SQLExpression {
    guard let expected else { return .equal(self, .null) }
    if let fault = stackFault { return fault }
    if isNull { return .unknown }
    if case .value(let value) = node, let truth = value.truth {
      return SQLExpression((truth == expected).databaseValue)
    }
    if case .collate(let inner, let collation) = node, !isCollatedComparison {
      return SQLExpression(.collate(inner.tested(expected), collation: collation))
    }
    if case .isZero = node { return expected ? self : negated }
    return SQLExpression(.comparison(.equal, self, SQLExpression(expected.databaseValue)))
  }

  /// The negation. Operators that have a negated form take it, others get a `NOT`.
  var negated: SQLExpression {
    if let fault = stackFault { return fault }
    switch node {
    case .value(let value):
      guard let truth = value.truth else { return isNull ? .unknown : SQLExpression(.not(self)) }
      return SQLExpression((!truth).databaseValue)
    case .comparison(let op, let left, let right):
      return SQLExpression(.comparison(op.negated, left, right))
    case .pattern(let op, let operand, let pattern, let escape, let isNegated):
      return SQLExpression(
        .pattern(op, operand, pattern, escape: escape, isNegated: !isNegated))
    case .between(let operand, let lower, let upper, let isNegated):
      return SQLExpression(.between(operand, lower, upper, isNegated: !isNegated))
    case .membership(let operand, let list, let isNegated):
      return SQLExpression(.membership(operand, in: list, isNegated: !isNegated))
    case .exists(let subquery, let isNegated):
      return SQLExpression(.exists(subquery, isNegated: !isNegated))
    case .isZero(let operand, let isNegated):
      return SQLExpression(.isZero(operand, isNegated: !isNegated))
    case .aliasExists(let alias, let isNegated):
      return SQLExpression(.aliasExists(alias, isNegated: !isNegated))
    case .collate(let inner, let collation):
      let negation = inner.negated
      // `NOT (X < Y) COLLATE NOCASE` does not apply the collation to the comparison.
      if case .not = negation.node, isCollatedComparison { return SQLExpression(.not(self)) }
      return SQLExpression(.collate(negation, collation: collation))
    default: return SQLExpression(.not(self))
    }
  }

  /// The value of a test of `NULL`: `==` takes it for no `NULL` of the application.
  private static var unknown: SQLExpression { SQLExpression(.literal(SQL("NULL"))) }
}

extension SQLExpression.ComparisonOperator {
  fileprivate var negated: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .identical: .notIdentical
    case .notIdentical: .identical
    }
  }
}

extension DatabaseValue {
  /// True for 1, false for 0, nil for values that are no booleans.
  fileprivate var truth: Bool? {
    guard case .int64(let number) = storage, number == 0 || number == 1 else { return nil }
    return number == 1
  }
}
