extension SQLExpression {
  /// The expression, where columns that belong to no alias yet belong to this one.
  ///
  /// Operators are qualified operand by operand, so that what is known of an operator (its
  /// negation, its collation, its operands to flatten) stays visible.
  package func qualified(by alias: TableAliasBase) -> SQLExpression {
    Qualification(alias: alias).map(self)
  }
}

extension SQLSelection {
  func qualified(by alias: TableAliasBase) -> SQLSelection { Qualification(alias: alias).map(self) }
}

extension SQLOrdering {
  func qualified(by alias: TableAliasBase) -> SQLOrdering { Qualification(alias: alias).map(self) }
}

/// Gives the columns of a clause to the source that an alias designates.
private struct Qualification: TreeTransform {
  let alias: TableAliasBase

  func map(_ expression: SQLExpression) -> SQLExpression {
    if let fault = expression.stackFault { return fault }
    let traits = expression.node.traits
    if traits.contains(.belongsToSource) { return SQLExpression(.qualified(expression, alias)) }
    if traits.contains(.hasNoColumnsOfSource) { return expression }
    return SQLExpression(expression.node.mapChildren(self))
  }

  func map(_ selection: SQLSelection) -> SQLSelection {
    switch selection.node {
    case .allColumns, .allColumnsExcluding, .primaryKey, .columns:
      SQLSelection(.qualified(selection, alias))
    case .qualified: selection
    case .expression, .aliased, .literal, .invalid: selection.mapChildren(self)
    }
  }

  func map(_ sql: SQL) -> SQL { SQL(elements: RunList(sql.elements.map(map))) }

  private func map(_ element: SQL.Element) -> SQL.Element {
    // Columns that are qualified by a name are those of its table.
    if case .columns = element { element } else { element.mapChildren(self) }
  }
}
