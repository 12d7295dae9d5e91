// Written by Scripts/generate, from SQLSelection.swift: change that file.

extension SQLSelection {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    try self.node.forEachChild(body, query: query, sql: sql)
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    Self(try node.mapChildren(transform))
  }
}

extension SQLSelection.Node {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns, .invalid:
      break
    case .expression(let a), .aliased(let a, _):
      try body(a)
    case .literal(let a):
      try sql(a)
    case .qualified(let a, _):
      try a.forEachChild(body, query: query, sql: sql)
    }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns, .invalid: self
    case .expression(let a): .expression(try transform.map(a))
    case .aliased(let a, let b): .aliased(try transform.map(a), b)
    case .literal(let a): .literal(try transform.map(a))
    case .qualified(let a, let b): .qualified(try transform.map(a), b)
    }
  }
}
