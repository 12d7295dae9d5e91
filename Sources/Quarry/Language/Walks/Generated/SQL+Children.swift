// Written by Scripts/generate, from SQL.swift: change that file.

extension SQL.Element {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .raw, .identifier, .table:
      break
    case .expression(let a):
      try body(a)
    case .selection(let a):
      try a.forEachChild(body, query: query, sql: sql)
    case .ordering(let a):
      try a.forEachChild(body, query: query, sql: sql)
    case .subquery(let a):
      try query(a)
    case .list(let a):
      for child in a { try body(child) }
    case .definition(let a):
      try a.forEachChild(body, query: query, sql: sql)
    case .columns(let a, _, _):
      for child in a { try child.forEachChild(body, query: query, sql: sql) }
    }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .raw, .identifier, .table: self
    case .expression(let a): .expression(try transform.map(a))
    case .selection(let a): .selection(try transform.map(a))
    case .ordering(let a): .ordering(try transform.map(a))
    case .subquery(let a): .subquery(try transform.map(a))
    case .list(let a): .list(try transform.map(a))
    case .definition(let a): .definition(try transform.map(a))
    case .columns(let a, let b, let c): .columns(try transform.map(a), table: b, name: c)
    }
  }
}
