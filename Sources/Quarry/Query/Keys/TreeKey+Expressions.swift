extension SQLExpression: TreePart {
  func write(to key: inout TreeKey) {
    if key.isRefused { return }
    guard fitsStack else { return Self.Node.invalid(.tooDeepForStack).write(to: &key) }
    node.write(to: &key)
  }
}

extension SQLExpression.Node: TreePart {
  func write(to key: inout TreeKey) {
    writeKind(to: &key)
    // A fast path for nearly all nodes.
    switch self {
    case .column, .value: return
    case .comparison(_, let left, let right), .binary(_, let left, let right):
      key.append(child: left)
      key.append(child: right)
    default: writeCountedChildren(to: &key)
    }
    key.append(false)
  }

  /// Children that `false` ends, since most kinds have not their number.
  private func writeCountedChildren(to key: inout TreeKey) {
    forEachChild {
      key.append(child: $0)
    } query: {
      key.append(child: $0)
    } sql: {
      key.append(child: $0)
    }
  }

  /// All but what is directly inside.
  private func writeKind(to key: inout TreeKey) {
    switch self {
    case .column(let name): key.append(kind: 0, name)
    case .value(let value):
      key.append(kind: 1)
      key.append(value)
    case .row: key.append(kind: 2)
    case .subquery: key.append(kind: 3)
    case .literal: key.append(kind: 4)
    case .cast(_, let type): key.append(kind: 5, type)
    case .function(let call):
      key.append(kind: 6)
      call.writeKind(to: &key)
    case .window(_, let window):
      key.append(kind: 7)
      window.writeKind(to: &key)
    case .conditional(let expression):
      key.append(kind: 8)
      key.append(expression.operand != nil)
      key.append(expression.otherwise != nil)
    case .json: key.append(kind: 9)
    case .jsonElement: key.append(kind: 10)
    case .qualified(_, let alias): key.append(kind: 12, alias)
    case .aliasExists(let alias, let isNegated): key.append(kind: isNegated ? 13 : 14, alias)
    case .associated(_, let alias): key.append(kind: 15, alias)
    case .rowIdentity: key.append(kind: 16)
    case .fullText(let term): key.append(kind: 18, String(describing: term))
    case .invalid(let fault): key.append(kind: 17, fault)
    case .comparison(let op, _, _): key.append(kind: 32 + op.rawValue)
    case .binary(let op, _, _): key.append(kind: 40 + op.rawValue)
    case .associative(let op, _): key.append(kind: 60 + op.kind.rawValue)
    case .pattern(let op, _, _, let escape, let isNegated):
      key.append(kind: (isNegated ? 70 : 75) + op.rawValue)
      key.append(escape != nil)
    case .between(_, _, _, let isNegated): key.append(kind: isNegated ? 80 : 81)
    case .membership(_, let list, let isNegated):
      key.append(kind: isNegated ? 82 : 83)
      list.writeKind(to: &key)
    case .exists(_, let isNegated): key.append(kind: isNegated ? 84 : 85)
    case .not: key.append(kind: 86)
    case .prefix(let op, _): key.append(kind: op == .minus ? 87 : 88)
    case .collate(_, let collation): key.append(kind: 89, collation)
    case .isZero(_, let isNegated): key.append(kind: isNegated ? 90 : 91)
    }
  }
}

extension SQLExpression.Node: Hashable {
  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.isSame(as: rhs) }

  package func hash(into hasher: inout Hasher) { hashStructure(into: &hasher) }
}

extension TreeParent {
  /// The children of a part whose kind has their number.
  fileprivate func writeChildren(to key: inout TreeKey) {
    forEachChild {
      $0.write(to: &key)
    } query: {
      $0.write(to: &key)
    } sql: {
      $0.write(to: &key)
    }
  }
}

extension SQLExpression.MembershipList {
  fileprivate func writeKind(to key: inout TreeKey) {
    switch self {
    case .list: key.append(kind: 0)
    case .rows: key.append(kind: 1)
    case .subquery: key.append(kind: 2)
    case .table(let name): key.append(kind: 3, name)
    }
  }
}

extension SQLExpression.FunctionCall {
  fileprivate func writeKind(to key: inout TreeKey) {
    key.append(name)
    key.append(arguments.count)
    key.append(isDistinct)
    key.append(filter != nil)
    key.append(isAggregate)
    key.append(isPure)
    key.append(since != nil)
    key.append(orderings.count)
    for ordering in orderings { ordering.writeKind(to: &key) }
  }
}

extension SQLWindow {
  /// All but the expressions.
  fileprivate func writeKind(to key: inout TreeKey) {
    key.append(base)
    key.append(isReference)
    key.append(partition.count)
    key.append(orderings.count)
    for ordering in orderings { ordering.writeKind(to: &key) }
    guard let frame else { return key.append(kind: 0) }
    key.append(kind: 1 + frame.unit.rawValue)
    key.append(kind: frame.start.number)
    key.append(kind: frame.end?.number ?? 9)
    key.append(String(describing: frame.exclusion))
  }
}

extension SQLWindow: TreePart {
  func write(to key: inout TreeKey) {
    writeKind(to: &key)
    writeChildren(to: &key)
  }
}

extension SQLOrdering: TreePart {
  func write(to key: inout TreeKey) {
    writeKind(to: &key)
    writeChildren(to: &key)
  }

  /// All but the expression.
  fileprivate func writeKind(to key: inout TreeKey) {
    switch node {
    case .expression(_, let direction): key.append(kind: direction.rawValue)
    case .literal: key.append(kind: 8)
    case .primaryKey(let direction): key.append(kind: 16 + direction.rawValue)
    case .columns(let columns, let direction):
      key.append(kind: 24 + direction.rawValue)
      key.append(columns)
    }
  }
}

extension SQLSelection: TreePart {
  func write(to key: inout TreeKey) {
    switch node {
    case .allColumns: key.append(kind: 0)
    case .allColumnsExcluding(let columns):
      key.append(kind: 1)
      key.append(columns.sorted().map(\.text))
    case .expression(let expression): key.append(kind: 2, expression)
    case .aliased(let expression, let name):
      key.append(kind: 3, name)
      expression.write(to: &key)
    case .literal(let sql): key.append(kind: 4, sql)
    case .primaryKey: key.append(kind: 5)
    case .qualified(let inner, let alias):
      key.append(kind: 6, alias)
      inner.write(to: &key)
    case .invalid(let fault): key.append(kind: 7, fault)
    case .columns(let columns):
      key.append(kind: 8)
      key.append(columns)
    }
  }
}

extension SQL: TreePart {
  func write(to key: inout TreeKey) { key.append(elements) }
}

extension SQL.Element: TreePart {
  func write(to key: inout TreeKey) {
    switch self {
    case .raw(let text, let arguments):
      key.append(kind: 0)
      key.append(text)
      key.append(arguments.values.count)
      for value in arguments.values { key.append(value) }
      key.append(arguments.namedValues.count)
      if arguments.hasNames { key.refuse() }
      for argument in arguments.namedValues {
        key.append(argument.name.text)
        key.append(argument.value)
      }
    case .expression(let expression): key.append(kind: 1, expression)
    case .selection(let selection): key.append(kind: 2, selection)
    case .ordering(let ordering): key.append(kind: 3, ordering)
    case .subquery(let query): key.append(kind: 4, query)
    case .identifier(let name): key.append(kind: 5, name)
    case .table(let name, let schema):
      key.append(kind: 6, name)
      key.append(schema)
    case .list(let elements): key.append(kind: 7, elements)
    case .definition(let definition): key.append(kind: 8, definition)
    case .columns(let selection, let table, let name):
      key.append(kind: 9)
      key.append(table)
      key.append(name)
      key.append(selection)
    }
  }
}

extension SQLWindowFrame.Bound {
  fileprivate var number: UInt8 {
    switch node {
    case .unboundedPreceding: 0
    case .preceding: 1
    case .currentRow: 2
    case .following: 3
    case .unboundedFollowing: 4
    }
  }
}
