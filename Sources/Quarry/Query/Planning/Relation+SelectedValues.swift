// Clauses may refer to selected values by their names, those of joined records included. Where a
// query selects something else, such as the keys of the rows to delete, the values themselves take
// the place of their names. Values are those named by `forKey`; names are whole operands or terms:
// raw SQL stays as it is.

extension Relation {
  /// The names that the application gave to selected values, also of joined relations.
  private func givenNames(in context: PlanningContext) throws -> [String] {
    try context.resolve(selection).compactMap(\.givenName)
      + joins.flatMap { try $0.relation.givenNames(in: context) }
  }

  /// Whether the order may have names of selected values.
  func mayOrderBySelectedValues(in context: PlanningContext) throws -> Bool {
    try hasOrdering && !givenNames(in: context).isEmpty
  }

  /// Puts selected values into the order, in the place of their names, so that another selection
  /// leaves the order as it is.
  ///
  /// - parameter isJoined: whether the relation is joined to others, beside those of its own.
  mutating func orderBySelectedValues(isJoined: Bool = false, in context: PlanningContext) throws {
    guard try mayOrderBySelectedValues(in: context) else { return }
    _ = try orderByNamedValues(isJoined: isJoined, in: context)
  }

  /// Puts selected values into the order, also those that only have the names of columns.
  ///
  /// - returns: the names.
  package mutating func orderByNamedValues(
    isJoined: Bool = false, in context: PlanningContext
  ) throws -> SelectedNames {
    let names = try SelectedNames(ofAll: &self, isJoined: isJoined, in: context)
    try orderByValues(of: names, in: context)
    return names
  }

  private mutating func orderByValues(of names: SelectedNames, in context: PlanningContext) throws {
    let source = source
    ordering = try context.resolve(ordering)
    ordering.terms = try ordering.terms.flatMap {
      try names.terms(for: $0, of: source, in: context)
    }
    for index in joins.indices { try joins[index].relation.orderByValues(of: names, in: context) }
  }

  /// Puts selected values into the conditions on rows and groups, in the place of their names.
  /// There, a column of a source comes before a selected value.
  mutating func filterBySelectedValues(in context: PlanningContext) throws {
    guard !filters.isEmpty || !havings.isEmpty, try !givenNames(in: context).isEmpty,
      let columns = try knownColumnNames(in: context)
    else { return }
    var names = try SelectedNames(ofAll: &self, isJoined: false, in: context)
    names.remove(columns + PrimaryKeyInfo.rowIDNames)
    let values = SelectedValues(names: names)
    filters = ClauseList(try filters.map { try values.map($0, in: context) })
    havings = try havings.map { try values.map($0, in: context) }
  }

  /// Those of all sources. Nil if a source does not list them, or may have hidden ones.
  private func knownColumnNames(in context: PlanningContext) throws -> [String]? {
    guard case .table(let table) = source, try !context.schema.isVirtual(table) else { return nil }
    var names = try context.schema.columnNames(of: table)
    for join in joins {
      guard let others = try join.relation.knownColumnNames(in: context) else { return nil }
      names += others
    }
    return names
  }

  /// Whether conditions refer to a selected value by its name, which another selection lacks, and
  /// which no column of a source has.
  func isFilteredBySelectedValue(in context: PlanningContext) throws -> Bool {
    var names = try givenNames(in: context)
    if names.isEmpty { return false }
    let columns = try knownColumnNames(in: context) ?? []
    names.removeAll { name in columns.contains(where: name.isSameIdentifier) }
    if names.isEmpty { return false }
    var conditions = selectingNothing
    conditions.removeOrdering()
    let references = try References(context) { try $0.visit(conditions) }
    return names.contains(where: references.contains(column:))
  }
}

extension SQLSubquery {
  /// The subquery as an operand: it lacks the aggregates that a later selection kept, and clauses
  /// have them in the place of their names.
  func withoutKeptAggregates(in context: PlanningContext) throws -> SQLSubquery {
    guard case .relation(var relation) = node else { return self }
    let selection = relation.selection.withoutKeptAggregates
    if selection.count == relation.selection.count { return self }
    try relation.orderBySelectedValues(in: context)
    try relation.filterBySelectedValues(in: context)
    relation.selection = selection
    return SQLSubquery(.relation(relation))
  }
}

extension SQLSelection {
  /// The name that the application gave to the value.
  fileprivate var givenName: String? {
    switch node {
    case .aliased(_, let name): name
    case .qualified(let inner, _): inner.givenName
    case .allColumns, .allColumnsExcluding, .columns, .expression, .literal, .primaryKey, .invalid:
      nil
    }
  }
}

/// Replaces names in conditions. Subqueries have names of their own.
private struct SelectedValues: TreeTransform {
  typealias Failure = any Error

  let names: SelectedNames

  func map(_ clause: FilterClause, in context: PlanningContext) throws -> FilterClause {
    switch clause {
    case .expression(let expression): .expression(try map(expression))
    case .deferred(let predicate): .expression(try map(try predicate(context)))
    case .keys, .uniqueKeys, .scope: clause
    }
  }

  func map(_ expression: SQLExpression) throws -> SQLExpression {
    try expression.checkStack()
    if let value = names.selectedExpression(of: expression) { return value }
    // The columns of an aggregate are those of its association.
    if case .associated = expression.node { return expression }
    return SQLExpression(try expression.node.mapChildren(self))
  }

  func map(_ sql: SQL) throws -> SQL {
    SQL(elements: RunList(try sql.elements.map { try $0.mapChildren(self) }))
  }

}
