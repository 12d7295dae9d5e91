// The walks over the clauses that few requests have: a new one is added here. Parts that are
// deferred until planning are no children.

/// A change of the clauses of a request, too.
protocol ClauseTransform: TreeTransform {
  func map(_ clause: GroupingClause) throws(Failure) -> GroupingClause
  func map(_ clause: FilterClause) throws(Failure) -> FilterClause
}

extension RareClauses: TreeParent {
  var dependsOnSchema: Bool { true }

  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    if case .expressions(let expressions)? = grouping {
      for expression in expressions { try body(expression) }
    }
    for case .expression(let condition) in havings { try body(condition) }
    for definition in tableExpressions {
      if let definition = definition.body { try query(definition) }
    }
    for definition in windows { try definition.window.forEachChild(body, query: query, sql: sql) }
  }

  /// The same clauses, of other parts. Associations, and sources, stay what they are.
  func mapChildren<Transform: ClauseTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    var clauses = self
    if let grouping { clauses.grouping = try transform.map(grouping) }
    for index in havings.indices { clauses.havings[index] = try transform.map(havings[index]) }
    for index in tableExpressions.indices {
      clauses.tableExpressions[index] = try transform.map(tableExpressions[index])
    }
    for index in windows.indices {
      clauses.windows[index].window = try windows[index].window.mapChildren(transform)
    }
    return clauses
  }
}
