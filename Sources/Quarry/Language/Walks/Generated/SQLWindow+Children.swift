// Written by Scripts/generate, from SQLWindow.swift: change that file.

extension SQLWindow {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    for child in self.partition { try body(child) }
    for child in self.orderings { try child.forEachChild(body, query: query, sql: sql) }
    if let child = self.frame { try child.forEachChild(body, query: query, sql: sql) }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    var part = self
    part.partition = try transform.map(partition)
    part.orderings = try transform.map(orderings)
    part.frame = try frame?.mapChildren(transform)
    return part
  }
}
