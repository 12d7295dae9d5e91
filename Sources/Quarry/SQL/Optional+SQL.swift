extension Optional: SQLExpressible where Wrapped: SQLExpressible {
  /// The expression of the wrapped value, or `NULL`.
  public var sqlExpression: SQLExpression {
    self?.sqlExpression ?? SQLExpression(.value(.null))
  }
}

extension Optional: SQLSelectable where Wrapped: SQLSelectable {
  /// The selection of the wrapped value, or `NULL`.
  public var sqlSelection: SQLSelection {
    self?.sqlSelection ?? SQLSelection(.expression(SQLExpression(.value(.null))))
  }
}

extension Optional: SQLOrderingTerm where Wrapped: SQLOrderingTerm {
  /// The ordering of the wrapped value, or `NULL`.
  public var sqlOrdering: SQLOrdering {
    self?.sqlOrdering ?? SQLOrdering(.expression(SQLExpression(.value(.null)), .unspecified))
  }
}

extension Optional: SQLSpecificExpressible where Wrapped: SQLSpecificExpressible {}
