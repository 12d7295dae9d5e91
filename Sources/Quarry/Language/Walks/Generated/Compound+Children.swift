// Written by Scripts/generate, from Compound.swift: change that file.

extension Compound {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    try query(self.first)
    for child in self.others { try child.forEachChild(body, query: query, sql: sql) }
    try self.ordering.forEachChild(body, query: query, sql: sql)
    for child in self.tableExpressions { try child.forEachChild(body, query: query, sql: sql) }
  }
}

extension Compound.Member {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    try query(self.query)
  }
}
