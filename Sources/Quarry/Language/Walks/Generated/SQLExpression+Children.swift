// Written by Scripts/generate, from SQLExpression.swift: change that file.

extension SQLExpression.Node {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .column, .value, .aliasExists, .rowIdentity, .fullText, .invalid:
      break
    case .row(let a):
      for child in a { try body(child) }
    case .subquery(let a), .exists(let a, _):
      try query(a)
    case .literal(let a):
      try sql(a)
    case .cast(let a, _), .json(let a), .jsonElement(let a), .not(let a), .prefix(_, let a),
      .collate(let a, _), .isZero(let a, _), .qualified(let a, _), .associated(let a, _):
      try body(a)
    case .function(let a):
      try a.forEachChild(body, query: query, sql: sql)
    case .window(let a, let b):
      try body(a)
      try b.forEachChild(body, query: query, sql: sql)
    case .conditional(let a):
      try a.forEachChild(body, query: query, sql: sql)
    case .comparison(_, let a, let b), .binary(_, let a, let b):
      try body(a)
      try body(b)
    case .associative(_, let a):
      for child in a { try body(child) }
    case .pattern(_, let a, let b, let c, _):
      try body(a)
      try body(b)
      if let child = c { try body(child) }
    case .between(let a, let b, let c, _):
      try body(a)
      try body(b)
      try body(c)
    case .membership(let a, let b, _):
      try body(a)
      try b.forEachChild(body, query: query, sql: sql)
    }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .column, .value, .aliasExists, .rowIdentity, .fullText, .invalid: self
    case .row(let a): .row(try transform.map(a))
    case .subquery(let a): .subquery(try transform.map(a))
    case .literal(let a): .literal(try transform.map(a))
    case .cast(let a, let b): .cast(try transform.map(a), type: b)
    case .function(let a): .function(try a.mapChildren(transform))
    case .window(let a, let b): .window(try transform.map(a), over: try b.mapChildren(transform))
    case .conditional(let a): .conditional(try a.mapChildren(transform))
    case .json(let a): .json(try transform.map(a))
    case .jsonElement(let a): .jsonElement(try transform.map(a))
    case .comparison(let a, let b, let c):
      .comparison(a, try transform.map(b), try transform.map(c))
    case .binary(let a, let b, let c): .binary(a, try transform.map(b), try transform.map(c))
    case .associative(let a, let b): .associative(a, try transform.map(b))
    case .pattern(let a, let b, let c, let d, let e):
      .pattern(
        a, try transform.map(b), try transform.map(c), escape: try transform.map(d), isNegated: e)
    case .between(let a, let b, let c, let d):
      .between(try transform.map(a), try transform.map(b), try transform.map(c), isNegated: d)
    case .membership(let a, let b, let c):
      .membership(try transform.map(a), in: try b.mapChildren(transform), isNegated: c)
    case .exists(let a, let b): .exists(try transform.map(a), isNegated: b)
    case .not(let a): .not(try transform.map(a))
    case .prefix(let a, let b): .prefix(a, try transform.map(b))
    case .collate(let a, let b): .collate(try transform.map(a), collation: b)
    case .isZero(let a, let b): .isZero(try transform.map(a), isNegated: b)
    case .qualified(let a, let b): .qualified(try transform.map(a), b)
    case .associated(let a, let b): .associated(try transform.map(a), b)
    }
  }
}

extension SQLExpression.FunctionCall {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    for child in self.arguments { try body(child) }
    for child in self.orderings { try child.forEachChild(body, query: query, sql: sql) }
    if let child = self.filter { try body(child) }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    var part = self
    part.arguments = try transform.map(arguments)
    part.orderings = try transform.map(orderings)
    part.filter = try transform.map(filter)
    return part
  }
}

extension SQLExpression.CaseExpression {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    if let child = self.operand { try body(child) }
    for (a, b) in self.branches {
      try body(a)
      try body(b)
    }
    if let child = self.otherwise { try body(child) }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    var part = self
    part.operand = try transform.map(operand)
    part.branches = try transform.map(branches)
    part.otherwise = try transform.map(otherwise)
    return part
  }
}

extension SQLExpression.MembershipList {
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .list(let a), .rows(let a):
      for child in a { try body(child) }
    case .subquery(let a):
      try query(a)
    case .table:
      break
    }
  }

  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .table: self
    case .list(let a): .list(try transform.map(a))
    case .rows(let a): .rows(try transform.map(a))
    case .subquery(let a): .subquery(try transform.map(a))
    }
  }
}
