// The walk over a tree. The kinds of its parts, and the children of each, are listed here only: an
// analysis is this walk, and the kinds that are special to it. What a kind of expression is by
// itself: `SQLExpression+Traits.swift`.

/// A part of a tree that contains expressions.
protocol TreeParent {
  /// Whether planning has something to find out in the part itself, whatever its children are.
  var dependsOnSchema: Bool { get }

  /// Calls `body` with each expression directly inside, and the other closures with each query, and
  /// each piece of SQL written by hand.
  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows
}

extension TreeParent {
  /// The depth of the deepest child, and whether planning has something to find out.
  var measure: (depth: Int, isOpen: Bool) {
    var depth = 0
    var isOpen = dependsOnSchema
    forEachChild {
      depth = max(depth, Int($0.depth))
      isOpen = isOpen || $0.isOpen
    } query: {
      depth = max(depth, Int($0.depth))
      isOpen = isOpen || $0.isOpen
    } sql: {
      depth = max(depth, $0.depth)
      isOpen = isOpen || $0.isOpen
    }
    return (depth, isOpen)
  }

  var depth: Int { measure.depth }

  var isOpen: Bool { measure.isOpen }
}

extension SQLExpression.Node: TreeParent {
  var dependsOnSchema: Bool { traits.contains(.dependsOnSchema) }

  func forEachChild(
    _ body: (SQLExpression) throws -> Void,
    query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .column, .value, .countAll, .aliasExists, .rowIdentity, .fullText, .invalid:
      break
    case .row(let elements):
      for element in elements { try body(element) }
    case .associative(_, let operands):
      for operand in operands { try body(operand) }
    case .subquery(let inner), .exists(let inner, _):
      try query(inner)
    case .literal(let inner):
      try sql(inner)
    case .cast(let operand, _), .json(let operand), .jsonElement(let operand),
      .not(let operand), .prefix(_, let operand), .collate(let operand, _),
      .isZero(let operand, _), .qualified(let operand, _), .associated(let operand, _):
      try body(operand)
    case .comparison(_, let left, let right), .binary(_, let left, let right):
      try body(left)
      try body(right)
    case .pattern(_, let operand, let pattern, let escape, _):
      try body(operand)
      try body(pattern)
      if let escape { try body(escape) }
    case .between(let operand, let lower, let upper, _):
      try body(operand)
      try body(lower)
      try body(upper)
    case .membership(let operand, let list, _):
      try body(operand)
      try list.forEachChild(body, query: query)
    case .function(let call):
      try call.forEachChild(body, query: query, sql: sql)
    case .window(let call, let window):
      try body(call)
      try window.forEachChild(body, query: query, sql: sql)
    case .conditional(let expression):
      try expression.forEachChild(body)
    }
  }
}

extension SQLExpression {
  /// Whether an expression directly inside satisfies a predicate. Queries and SQL written by hand
  /// don't count.
  package func containsChild(where predicate: (SQLExpression) -> Bool) -> Bool {
    var isFound = false
    node.forEachChild {
      if !isFound { isFound = predicate($0) }
    } query: { _ in
    } sql: { _ in
    }
    return isFound
  }
}

extension SQLExpression.MembershipList {
  fileprivate func forEachChild(
    _ body: (SQLExpression) throws -> Void, query: (SQLSubquery) throws -> Void
  ) rethrows {
    switch self {
    case .list(let elements), .rows(let elements): for element in elements { try body(element) }
    case .subquery(let inner): try query(inner)
    case .table: break
    }
  }
}

extension SQLExpression.FunctionCall {
  fileprivate func forEachChild(
    _ body: (SQLExpression) throws -> Void, query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    for argument in arguments { try body(argument) }
    for ordering in orderings { try ordering.forEachChild(body, query: query, sql: sql) }
    if let filter { try body(filter) }
  }
}

extension SQLExpression.CaseExpression {
  fileprivate func forEachChild(_ body: (SQLExpression) throws -> Void) rethrows {
    if let operand { try body(operand) }
    for (condition, result) in branches {
      try body(condition)
      try body(result)
    }
    if let otherwise { try body(otherwise) }
  }
}

extension SQLWindow: TreeParent {
  var dependsOnSchema: Bool { false }

  func forEachChild(
    _ body: (SQLExpression) throws -> Void, query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    for expression in partition { try body(expression) }
    for ordering in orderings { try ordering.forEachChild(body, query: query, sql: sql) }
    if let offset = frame?.start.offset { try body(offset) }
    if let offset = frame?.end?.offset { try body(offset) }
  }
}

extension SQLOrdering: TreeParent {
  var dependsOnSchema: Bool {
    if case .primaryKey = node { true } else { false }
  }

  func forEachChild(
    _ body: (SQLExpression) throws -> Void, query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch node {
    case .expression(let expression, _): try body(expression)
    case .literal(let inner): try sql(inner)
    case .primaryKey, .columns: break
    }
  }
}

extension SQLSelection: TreeParent {
  var dependsOnSchema: Bool {
    switch node {
    case .allColumnsExcluding, .primaryKey: true
    case .qualified(let inner, _): inner.dependsOnSchema
    case .allColumns, .columns, .expression, .aliased, .literal, .invalid: false
    }
  }

  func forEachChild(
    _ body: (SQLExpression) throws -> Void, query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch node {
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns, .invalid: break
    case .expression(let expression), .aliased(let expression, _): try body(expression)
    case .literal(let inner): try sql(inner)
    case .qualified(let inner, _): try inner.forEachChild(body, query: query, sql: sql)
    }
  }
}

extension SQL.Element: TreeParent {
  var dependsOnSchema: Bool {
    switch self {
    case .table(let name, let schema): schema == nil && name.mayHaveSchema
    case .selection(let selection): selection.dependsOnSchema
    case .ordering(let ordering): ordering.dependsOnSchema
    case .columns(let selections, _, _): selections.contains(where: \.dependsOnSchema)
    case .definition(let definition): definition.body == nil
    case .raw, .identifier, .expression, .subquery, .list: false
    }
  }

  func forEachChild(
    _ body: (SQLExpression) throws -> Void, query: (SQLSubquery) throws -> Void,
    sql: (SQL) throws -> Void
  ) rethrows {
    switch self {
    case .raw, .identifier, .table: break
    case .expression(let expression): try body(expression)
    case .selection(let selection): try selection.forEachChild(body, query: query, sql: sql)
    case .ordering(let ordering): try ordering.forEachChild(body, query: query, sql: sql)
    case .subquery(let inner): try query(inner)
    case .list(let elements): for element in elements { try body(element) }
    case .definition(let definition): if let inner = definition.body { try query(inner) }
    case .columns(let selections, _, _):
      for selection in selections { try selection.forEachChild(body, query: query, sql: sql) }
    }
  }
}

extension SQLWindowFrame.Bound {
  fileprivate var offset: SQLExpression? {
    switch node {
    case .preceding(let offset), .following(let offset): offset
    case .unboundedPreceding, .currentRow, .unboundedFollowing: nil
    }
  }
}
