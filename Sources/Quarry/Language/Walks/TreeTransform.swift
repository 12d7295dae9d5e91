/// A change of the parts of a tree. Each function returns another part for the given one;
/// `mapChildren` applies them to all that is directly inside a part. A transform has code of its
/// own for the kinds that it changes, only.
protocol TreeTransform<Failure> {
  associatedtype Failure: Error

  func map(_ expression: SQLExpression) throws(Failure) -> SQLExpression
  func map(_ query: SQLSubquery) throws(Failure) -> SQLSubquery
  func map(_ selection: SQLSelection) throws(Failure) -> SQLSelection
  func map(_ ordering: SQLOrdering) throws(Failure) -> SQLOrdering
  func map(_ sql: SQL) throws(Failure) -> SQL
  func map(_ definition: TableExpression) throws(Failure) -> TableExpression
}

extension TreeTransform {
  func map(_ expressions: [SQLExpression]) throws(Failure) -> [SQLExpression] {
    var mapped: [SQLExpression] = []
    mapped.reserveCapacity(expressions.count)
    for expression in expressions { mapped.append(try map(expression)) }
    return mapped
  }

  func map(_ orderings: [SQLOrdering]) throws(Failure) -> [SQLOrdering] {
    var mapped: [SQLOrdering] = []
    for ordering in orderings { mapped.append(try map(ordering)) }
    return mapped
  }

  func map(_ selections: [SQLSelection]) throws(Failure) -> [SQLSelection] {
    var mapped: [SQLSelection] = []
    for selection in selections { mapped.append(try map(selection)) }
    return mapped
  }

  fileprivate func map(_ expression: SQLExpression?) throws(Failure) -> SQLExpression? {
    guard let expression else { return nil }
    return try map(expression)
  }
}

extension SQLExpression.Node {
  /// The same kind of expression, of other parts.
  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .column, .value, .countAll, .aliasExists, .rowIdentity, .fullText, .invalid:
      return self
    case .row(let elements):
      return .row(try transform.map(elements))
    case .associative(let op, let operands):
      return .associative(op, RunList(try transform.map(operands.array)))
    case .subquery(let query):
      return .subquery(try transform.map(query))
    case .exists(let query, let isNegated):
      return .exists(try transform.map(query), isNegated: isNegated)
    case .literal(let sql):
      return .literal(try transform.map(sql))
    case .cast(let operand, let type):
      return .cast(try transform.map(operand), type: type)
    case .json(let operand):
      return .json(try transform.map(operand))
    case .jsonElement(let operand):
      return .jsonElement(try transform.map(operand))
    case .not(let operand):
      return .not(try transform.map(operand))
    case .prefix(let op, let operand):
      return .prefix(op, try transform.map(operand))
    case .collate(let operand, let collation):
      return .collate(try transform.map(operand), collation: collation)
    case .isZero(let operand, let isNegated):
      return .isZero(try transform.map(operand), isNegated: isNegated)
    case .qualified(let operand, let alias):
      return .qualified(try transform.map(operand), alias)
    case .associated(let call, let alias):
      return .associated(try transform.map(call), alias)
    case .comparison(let op, let left, let right):
      return .comparison(op, try transform.map(left), try transform.map(right))
    case .binary(let op, let left, let right):
      return .binary(op, try transform.map(left), try transform.map(right))
    case .pattern(let op, let operand, let pattern, let escape, let isNegated):
      return .pattern(
        op, try transform.map(operand), try transform.map(pattern),
        escape: try transform.map(escape), isNegated: isNegated)
    case .between(let operand, let lower, let upper, let isNegated):
      return .between(
        try transform.map(operand), try transform.map(lower), try transform.map(upper),
        isNegated: isNegated)
    case .membership(let operand, let list, let isNegated):
      return .membership(
        try transform.map(operand), in: try list.map(transform), isNegated: isNegated)
    case .function(let call):
      return .function(try call.map(transform))
    case .window(let call, let window):
      return .window(try transform.map(call), over: try window.mapChildren(transform))
    case .conditional(let expression):
      return .conditional(try expression.map(transform))
    }
  }
}

extension SQLExpression.MembershipList {
  fileprivate func map<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .list(let elements): .list(try transform.map(elements))
    case .rows(let elements): .rows(try transform.map(elements))
    case .subquery(let query): .subquery(try transform.map(query))
    case .table: self
    }
  }
}

extension SQLExpression.FunctionCall {
  fileprivate func map<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    var call = self
    call.arguments = try transform.map(arguments)
    if !orderings.isEmpty { call.orderings = try transform.map(orderings) }
    call.filter = try transform.map(filter)
    return call
  }
}

extension SQLExpression.CaseExpression {
  fileprivate func map<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    var expression = self
    expression.operand = try transform.map(operand)
    for (index, branch) in branches.enumerated() {
      expression.branches[index] = (
        condition: try transform.map(branch.condition), result: try transform.map(branch.result)
      )
    }
    expression.otherwise = try transform.map(otherwise)
    return expression
  }
}

extension SQLWindow {
  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    var window = self
    window.partition = try transform.map(partition)
    window.orderings = try transform.map(orderings)
    guard let frame else { return window }
    // In the order of `forEachChild`: slots of values are given in it.
    let start = try frame.start.map(transform)
    var end = frame.end
    if let bound = end { end = try bound.map(transform) }
    window.frame = SQLWindowFrame(
      unit: frame.unit, start: start, end: end, exclusion: frame.exclusion)
    return window
  }
}

extension SQLWindowFrame.Bound {
  fileprivate func map<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch node {
    case .preceding(let offset): Self(node: .preceding(try transform.map(offset)))
    case .following(let offset): Self(node: .following(try transform.map(offset)))
    case .unboundedPreceding, .currentRow, .unboundedFollowing: self
    }
  }
}

extension SQLOrdering {
  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch node {
    case .expression(let expression, let direction):
      SQLOrdering(.expression(try transform.map(expression), direction))
    case .literal(let sql): SQLOrdering(.literal(try transform.map(sql)))
    case .primaryKey, .columns: self
    }
  }
}

extension SQLSelection {
  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch node {
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns, .invalid: self
    case .expression(let expression): SQLSelection(.expression(try transform.map(expression)))
    case .aliased(let expression, let name):
      SQLSelection(.aliased(try transform.map(expression), name))
    case .literal(let sql): SQLSelection(.literal(try transform.map(sql)))
    case .qualified(let inner, let alias):
      SQLSelection(.qualified(try transform.map(inner), alias))
    }
  }
}

extension SQL.Element {
  func mapChildren<Transform: TreeTransform>(
    _ transform: Transform
  ) throws(Transform.Failure) -> Self {
    switch self {
    case .raw, .identifier, .table: self
    case .expression(let expression): .expression(try transform.map(expression))
    case .selection(let selection): .selection(try transform.map(selection))
    case .ordering(let ordering): .ordering(try transform.map(ordering))
    case .subquery(let query): .subquery(try transform.map(query))
    case .list(let elements): .list(try transform.map(elements))
    case .definition(let definition): .definition(try transform.map(definition))
    case .columns(let selections, let table, let name):
      .columns(try transform.map(selections), table: table, name: name)
    }
  }
}
