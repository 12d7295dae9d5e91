// Written by Scripts/generate, from SQLWindowFrame.swift: change that file.

extension SQLWindowFrame {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    try self.start.forEachChild(body, query: query, sql: sql)
    if let child = self.end { try child.forEachChild(body, query: query, sql: sql) }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    var part = self
    part.start = try start.mapChildren(transform)
    part.end = try end?.mapChildren(transform)
    return part
  }
}

extension SQLWindowFrame.Bound {
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
    Self(node: try node.mapChildren(transform))
  }
}

extension SQLWindowFrame.Bound.Node {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .unboundedPreceding, .currentRow, .unboundedFollowing:
      break
    case .preceding(let a), .following(let a):
      try body(a)
    }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .unboundedPreceding, .currentRow, .unboundedFollowing: self
    case .preceding(let a): .preceding(try transform.map(a))
    case .following(let a): .following(try transform.map(a))
    }
  }
}
