extension SQLExpression {
  /// The expression, where columns that belong to no alias yet belong to this one.
  ///
  /// Operators are qualified operand by operand, so that what is known of an operator (its negation, its
  /// collation, its operands to flatten) stays visible.
  func qualified(by alias: TableAliasBase) -> SQLExpression {
    if let fault = stackFault { return fault }
    return SQLExpression(node.qualified(by: alias))
  }
}

extension SQLExpression.Node {
  fileprivate func qualified(by alias: TableAliasBase) -> Self {
    switch self {
    case .value, .subquery, .exists, .countAll, .qualified, .aliasExists, .associated, .invalid:
      self
    case .column, .rowIdentity:
      .qualified(SQLExpression(self), alias)
    case .literal(let sql):
      .literal(sql.qualified(by: alias))
    case .row(let elements):
      .row(elements.map { $0.qualified(by: alias) })
    case .cast(let operand, let type):
      .cast(operand.qualified(by: alias), type: type)
    case .function(let call):
      .function(call.qualified(by: alias))
    case .window(let call, let window):
      .window(call.qualified(by: alias), over: window.qualified(by: alias))
    case .conditional(let expression):
      .conditional(expression.qualified(by: alias))
    case .json(let inner):
      .json(inner.qualified(by: alias))
    case .jsonElement(let inner):
      .jsonElement(inner.qualified(by: alias))
    default:
      qualifiedOperator(by: alias)
    }
  }

  private func qualifiedOperator(by alias: TableAliasBase) -> Self {
    switch self {
    case .comparison(let op, let left, let right):
      .comparison(op, left.qualified(by: alias), right.qualified(by: alias))
    case .binary(let op, let left, let right):
      .binary(op, left.qualified(by: alias), right.qualified(by: alias))
    case .associative(let op, let operands):
      .associative(op, RunList(operands.map { $0.qualified(by: alias) }))
    case .pattern(let op, let operand, let pattern, let escape, let isNegated):
      .pattern(
        op, operand.qualified(by: alias), pattern.qualified(by: alias),
        escape: escape?.qualified(by: alias), isNegated: isNegated)
    case .between(let operand, let lower, let upper, let isNegated):
      .between(
        operand.qualified(by: alias), lower.qualified(by: alias), upper.qualified(by: alias),
        isNegated: isNegated)
    case .membership(let operand, let collection, let isNegated):
      .membership(
        operand.qualified(by: alias), in: collection.qualified(by: alias), isNegated: isNegated)
    case .not(let operand):
      .not(operand.qualified(by: alias))
    case .prefix(let op, let operand):
      .prefix(op, operand.qualified(by: alias))
    case .collate(let operand, let collation):
      .collate(operand.qualified(by: alias), collation: collation)
    case .isZero(let operand, let isNegated):
      .isZero(operand.qualified(by: alias), isNegated: isNegated)
    default:
      self
    }
  }
}

extension SQLExpression.Collection {
  fileprivate func qualified(by alias: TableAliasBase) -> Self {
    switch self {
    case .list(let elements): .list(elements.map { $0.qualified(by: alias) })
    case .rows(let elements): .rows(elements.map { $0.qualified(by: alias) })
    case .subquery, .table: self
    }
  }
}

extension SQLExpression.FunctionCall {
  fileprivate func qualified(by alias: TableAliasBase) -> Self {
    var call = self
    call.arguments = arguments.map { $0.qualified(by: alias) }
    if !orderings.isEmpty { call.orderings = orderings.map { $0.qualified(by: alias) } }
    call.filter = filter?.qualified(by: alias)
    return call
  }
}

extension SQLExpression.CaseExpression {
  fileprivate func qualified(by alias: TableAliasBase) -> Self {
    Self(
      operand: operand?.qualified(by: alias),
      branches: branches.map {
        (condition: $0.condition.qualified(by: alias), result: $0.result.qualified(by: alias))
      },
      otherwise: otherwise?.qualified(by: alias))
  }
}

extension SQL {
  func qualified(by alias: TableAliasBase) -> SQL {
    SQL(elements: RunList(elements.map { $0.qualified(by: alias) }))
  }
}

extension SQL.Element {
  fileprivate func qualified(by alias: TableAliasBase) -> Self {
    switch self {
    case .raw, .identifier, .table, .subquery, .definition, .columns: self
    case .expression(let expression): .expression(expression.qualified(by: alias))
    case .selection(let selection): .selection(selection.qualified(by: alias))
    case .ordering(let ordering): .ordering(ordering.qualified(by: alias))
    case .list(let elements): .list(elements.map { $0.qualified(by: alias) })
    }
  }
}

extension SQLSelection {
  func qualified(by alias: TableAliasBase) -> SQLSelection {
    switch node {
    case .allColumns, .allColumnsExcluding, .primaryKey: SQLSelection(.qualified(self, alias))
    case .expression(let expression): SQLSelection(.expression(expression.qualified(by: alias)))
    case .aliased(let expression, let name):
      SQLSelection(.aliased(expression.qualified(by: alias), name))
    case .literal(let sql): SQLSelection(.literal(sql.qualified(by: alias)))
    case .qualified, .invalid: self
    }
  }
}

extension SQLOrdering {
  func qualified(by alias: TableAliasBase) -> SQLOrdering {
    switch node {
    case .expression(let expression, let direction):
      SQLOrdering(.expression(expression.qualified(by: alias), direction))
    case .literal(let sql): SQLOrdering(.literal(sql.qualified(by: alias)))
    case .primaryKey: self
    }
  }
}
