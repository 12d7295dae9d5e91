extension DerivableRequest {
  /// Replaces the selection with one that is determined when the request is prepared.
  public consuming func selectWhenConnected(
    _ selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
  ) -> Self {
    let clause = deferred { try selection($0).map { $0.sqlSelection } }
    return mapRelation { $0.selection = $0.selection.replaced(by: .deferred(clause)) }
  }

  /// Appends a selection that is determined when the request is prepared.
  public consuming func annotatedWhenConnected(
    with selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
  ) -> Self {
    let clause = deferred { try selection($0).map { $0.sqlSelection } }
    return mapRelation { $0.selection.append(.deferred(clause)) }
  }

  /// Adds a condition that is determined when the request is prepared.
  public consuming func filterWhenConnected(
    _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
  ) -> Self {
    let clause = deferred { try predicate($0).sqlExpression }
    return mapRelation { $0.filters.append(.deferred(clause)) }
  }

  /// Replaces the grouping with one that is determined when the request is prepared.
  public consuming func groupWhenConnected(
    _ expressions: @escaping @Sendable (Database) throws -> [any SQLExpressible]
  ) -> Self {
    let clause = deferred { try expressions($0).map { $0.sqlExpression } }
    return mapRelation { $0.grouping = .deferred(clause) }
  }

  /// Adds a condition on groups that is determined when the request is prepared.
  public consuming func havingWhenConnected(
    _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
  ) -> Self {
    let clause = deferred { try predicate($0).sqlExpression }
    return mapRelation { $0.havings.append(.deferred(clause)) }
  }

  /// Replaces the ordering with one that is determined when the request is prepared.
  public consuming func orderWhenConnected(
    _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
  ) -> Self {
    let clause = deferred { try orderings($0).map { $0.sqlOrdering } }
    return mapRelation { $0.order(by: [.deferred(clause)]) }
  }

  private func deferred<Value>(
    _ value: @escaping @Sendable (Database) throws -> Value
  ) -> Deferred<Value> { Deferred { context in try value(context.connectedDatabase) } }
}
