extension SQLExpression {
  /// Builds an operator out of operands without their collations, and collates the operator.
  ///
  /// `"title" = ? COLLATE NOCASE` is `"title" = (? COLLATE NOCASE)` for SQLite: a collation that
  /// ends a comparison applies to it, whatever operand it came from.
  ///
  /// An operand that is a comparison itself keeps its collation.
  static func movingCollations(
    of left: consuming SQLExpression, _ right: consuming SQLExpression,
    to make: (consuming SQLExpression, consuming SQLExpression) -> Node
  ) -> SQLExpression {
    if let fault = left.stackFault { return fault }
    if let fault = right.stackFault { return fault }
    if case .collate(let inner, let collation) = left.node, !inner.compares {
      let moved = movingCollations(of: inner, right, to: make)
      return SQLExpression(.collate(moved, collation: collation))
    }
    if case .collate(let inner, let collation) = right.node, !inner.compares {
      let moved = movingCollations(of: left, inner, to: make)
      return SQLExpression(.collate(moved, collation: collation))
    }
    let depth = Int(max(left.depth, right.depth)) + 1
    let isOpen = left.isOpen || right.isOpen
    return SQLExpression(make(left, right), depth: depth, isOpen: isOpen)
  }

  /// The expression, compared with a collation.
  func collated(_ collation: String) -> SQLExpression {
    if let fault = stackFault { return fault }
    switch node {
    case .membership(let operand, let list, let isNegated):
      let operand = operand.collatedOperand(collation)
      return SQLExpression(.membership(operand, in: list, isNegated: isNegated))
    case .between(let operand, let lower, let upper, let isNegated):
      // Behind the bounds, it would apply to the upper one only.
      let operand = operand.collatedOperand(collation)
      return SQLExpression(.between(operand, lower, upper, isNegated: isNegated))
    case .associative(let op, let operands):
      let collated = operands.map { $0.collated(collation) }
      return SQLExpression(.associative(op, RunList(collated)))
    case .not(let operand) where operand.compares:
      return SQLExpression(.not(operand.collated(collation)))
    case .comparison(let op, let left, let right) where left.isRowValue:
      return SQLExpression(.comparison(op, left.collatedOperand(collation), right))
    case .binary(let op, let left, let right) where left.isRowValue:
      return SQLExpression(.binary(op, left.collatedOperand(collation), right))
    default: return collatedOperand(collation)
    }
  }

  /// The operand with a collation, which a row value has in each column.
  private func collatedOperand(_ collation: String) -> SQLExpression {
    guard case .row(let elements) = node else {
      return SQLExpression(.collate(self, collation: collation))
    }
    return .row(elements.map { $0.collatedOperand(collation) })
  }

  /// `X < Y COLLATE NOCASE`: outside of the parentheses of an operand, the collation would not
  /// apply to the comparison any more.
  var isCollatedComparison: Bool {
    if case .collate(let operand, _) = node { operand.compares } else { false }
  }

  /// Whether a collation decides the value: that of a comparison, or of comparisons that are
  /// combined.
  private var compares: Bool {
    guard fitsStack else { return false }
    switch node {
    case .comparison, .between, .membership: return true
    case .binary(.lessThan, _, _), .binary(.lessThanOrEqual, _, _), .binary(.greaterThan, _, _),
      .binary(.greaterThanOrEqual, _, _):
      return true
    case .associative(let op, let operands):
      guard op == .and || op == .or else { return false }
      return operands.contains { $0.compares }
    case .not(let operand), .collate(let operand, _): return operand.compares
    default: return false
    }
  }
}
