extension SQLExpression {
  /// The expression, where columns that belong to no alias yet belong to this one.
  ///
  /// Operators are qualified operand by operand, so that what is known of an operator (its negation, its
  /// collation, its operands to flatten) stays visible.
  func qualified(by alias: TableAliasBase) -> SQLExpression {
    Qualification(alias: alias).map(self)
  }
}

extension SQL {
  func qualified(by alias: TableAliasBase) -> SQL {
    Qualification(alias: alias).map(self)
  }
}

extension SQLSelection {
  func qualified(by alias: TableAliasBase) -> SQLSelection {
    Qualification(alias: alias).map(self)
  }
}

extension SQLOrdering {
  func qualified(by alias: TableAliasBase) -> SQLOrdering {
    Qualification(alias: alias).map(self)
  }
}

/// Gives the columns of a clause to the source that an alias designates.
private struct Qualification: TreeTransform {
  let alias: TableAliasBase

  func map(_ expression: SQLExpression) -> SQLExpression {
    if let fault = expression.stackFault { return fault }
    switch expression.node {
    case .value, .subquery, .exists, .countAll, .qualified, .aliasExists, .associated, .invalid:
      return expression
    case .column, .rowIdentity, .fullText:
      return SQLExpression(.qualified(expression, alias))
    case .literal, .row, .cast, .function, .window, .conditional, .json, .jsonElement,
      .comparison, .binary, .associative, .pattern, .between, .membership, .not, .prefix,
      .collate, .isZero:
      return SQLExpression(expression.node.mapChildren(self))
    }
  }

  /// A query has columns of its own.
  func map(_ query: SQLSubquery) -> SQLSubquery { query }

  func map(_ selection: SQLSelection) -> SQLSelection {
    switch selection.node {
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns:
      SQLSelection(.qualified(selection, alias))
    case .expression(let expression): SQLSelection(.expression(map(expression)))
    case .aliased(let expression, let name): SQLSelection(.aliased(map(expression), name))
    case .literal(let sql): SQLSelection(.literal(map(sql)))
    case .qualified, .invalid: selection
    }
  }

  func map(_ ordering: SQLOrdering) -> SQLOrdering {
    switch ordering.node {
    case .expression(let expression, let direction):
      SQLOrdering(.expression(map(expression), direction))
    case .literal(let sql): SQLOrdering(.literal(map(sql)))
    case .primaryKey, .columns: ordering
    }
  }

  func map(_ sql: SQL) -> SQL {
    SQL(elements: RunList(sql.elements.map(qualified)))
  }

  private func qualified(_ element: SQL.Element) -> SQL.Element {
    switch element {
    case .raw, .identifier, .table, .subquery, .definition, .columns: element
    case .expression(let expression): .expression(map(expression))
    case .selection(let selection): .selection(map(selection))
    case .ordering(let ordering): .ordering(map(ordering))
    case .list(let elements): .list(map(elements))
    }
  }
}
