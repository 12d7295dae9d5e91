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
