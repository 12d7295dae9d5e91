// Written by Scripts/generate, from SQLOrdering.swift: change that file.

extension SQLOrdering {
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

extension SQLOrdering.Node {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .expression(let a, _):
      try body(a)
    case .literal(let a):
      try sql(a)
    case .primaryKey, .columns:
      break
    }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .primaryKey, .columns: self
    case .expression(let a, let b): .expression(try transform.map(a), b)
    case .literal(let a): .literal(try transform.map(a))
    }
  }
}
