extension SQLExpression {
  /// Builds an operator out of operands without their collations, and collates the operator.
  ///
  /// `"title" = ? COLLATE NOCASE` is `"title" = (? COLLATE NOCASE)` for SQLite: a collation that
  /// ends a comparison applies to it, whatever operand it came from.
  static func movingCollations(
    of left: consuming SQLExpression, _ right: consuming SQLExpression,
    to make: (consuming SQLExpression, consuming SQLExpression) -> SQLExpression
  ) -> SQLExpression {
    if let fault = left.stackFault { return fault }
    if let fault = right.stackFault { return fault }
    if case .collate(let inner, let collation) = left.node {
      let moved = movingCollations(of: inner, right, to: make)
      return SQLExpression(.collate(moved, collation: collation))
    }
    if case .collate(let inner, let collation) = right.node {
      let moved = movingCollations(of: left, inner, to: make)
      return SQLExpression(.collate(moved, collation: collation))
    }
    return make(left, right)
  }

  /// The expression, compared with a collation.
  func collated(_ collation: String) -> SQLExpression {
    if let fault = stackFault { return fault }
    if case .membership(let operand, let list, let isNegated) = node {
      let operand = SQLExpression(.collate(operand, collation: collation))
      return SQLExpression(.membership(operand, in: list, isNegated: isNegated))
    }
    if case .associative(let op, let operands) = node {
      let collated = operands.map { $0.collated(collation) }
      return SQLExpression(.associative(op, RunList(collated)))
    }
    return SQLExpression(.collate(self, collation: collation))
  }
}
