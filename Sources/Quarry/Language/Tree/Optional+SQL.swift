extension Optional: SQLExpressible where Wrapped: SQLExpressible {
  /// The expression of the wrapped value, or `NULL`.
  public var sqlExpression: SQLExpression { if let self { self.sqlExpression } else { .null } }
}

extension Optional: SQLSelectable where Wrapped: SQLSelectable {
  /// The selection of the wrapped value, or `NULL`.
  public var sqlSelection: SQLSelection {
    map { $0.sqlSelection } ?? SQLSelection(.expression(.null))
  }
}

extension Optional: SQLOrderingTerm where Wrapped: SQLOrderingTerm {
  /// The ordering of the wrapped value, or `NULL`.
  public var sqlOrdering: SQLOrdering {
    map { $0.sqlOrdering } ?? SQLOrdering(.expression(.null, .unspecified))
  }
}

extension Optional: SQLSpecificExpressible where Wrapped: SQLSpecificExpressible {}
