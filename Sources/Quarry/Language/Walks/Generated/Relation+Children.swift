// Written by Scripts/generate, from Relation.swift: change that file.

extension Source {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .table:
      break
    case .tableExpression(let a):
      try a.forEachChild(body, query: query, sql: sql)
    case .subquery(let a, _):
      try query(a)
    case .function(_, let a):
      for child in a { try body(child) }
    }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .table: self
    case .tableExpression(let a): .tableExpression(try transform.map(a))
    case .subquery(let a, let b): .subquery(try transform.map(a), name: b)
    case .function(let a, let b): .function(a, try transform.map(b))
    }
  }
}

extension SelectionClause {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .items(let a), .aggregates(let a, _):
      for child in a { try child.forEachChild(body, query: query, sql: sql) }
    case .record, .deferred:
      break
    }
  }
}

extension OrderingClause {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    for child in self.terms { try child.forEachChild(body, query: query, sql: sql) }
  }
}

extension TableExpression {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    if let child = self.body { try query(child) }
  }
}

extension OrderingClause.Term {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .ordering(let a):
      try a.forEachChild(body, query: query, sql: sql)
    case .deferred:
      break
    }
  }
}
