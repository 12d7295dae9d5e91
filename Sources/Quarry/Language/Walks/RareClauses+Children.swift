// The walk over the clauses that few requests have: a new one is added here. Parts that are
// deferred until planning are no children, nor are associations and sources.

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
}
