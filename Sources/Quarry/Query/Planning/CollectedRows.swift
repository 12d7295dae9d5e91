// What SQLite collects before it modifies the first row: the keys of the rows, or their values. See
// `UpdatedRows.swift`.

extension Relation {
  /// Whether the values of updated rows are collected. Where no key identifies the rows, they are
  /// collected with their values.
  func collectsValues(
    of assignments: [ColumnAssignment], _ references: References, in context: PlanningContext
  ) throws -> Bool {
    let values = assignments.compactMap(\.value)
    // SQLite refuses aggregates in an update, and may compute one row where it collects values.
    if values.contains(where: \.hasAggregate) { return false }
    if try modifiedRowsAreRead(by: references, in: context) { return true }
    return try !values.isEmpty && conditionsReadRows(in: context) && !hasKey(in: context)
  }

  /// Whether the keys of modified rows are collected.
  func collectsKeys(withValues collectsValues: Bool, in context: PlanningContext) throws -> Bool {
    let areCollected =
      try collectsValues ? limit != nil || !filters.isEmpty : conditionsReadRows(in: context)
    return try areCollected && hasKey(in: context)
  }

  /// Whether SQLite must collect the rows of a deletion itself.
  func deletionNeedsLimit(in context: PlanningContext) throws -> Bool {
    guard case .table(let table) = source, try conditionsReadRows(in: context) else { return false }
    return try context.schema.primaryKeyIfKnown(of: table)?.isNamed == false
  }

  /// False where SQLite collects the rows itself: those of a limited request, and of a view.
  private func conditionsReadRows(in context: PlanningContext) throws -> Bool {
    guard limit == nil else { return false }
    let conditions = try context.resolve(filters, of: source).compactMap(\.expression)
    let references = try References(context) { try $0.visit(conditions) }
    return try modifiedRowsAreRead(by: references, in: context) && !isView(in: context)
  }

  /// False for a view, and for a table whose rowid has no name.
  private func hasKey(in context: PlanningContext) throws -> Bool {
    guard case .table(let table) = source, try !isView(in: context) else { return false }
    return try context.schema.primaryKeyIfKnown(of: table)?.isNamed ?? false
  }

  func isView(in context: PlanningContext) throws -> Bool {
    guard case .table(let table) = source else { return false }
    return try context.schema.isView(table)
  }
}

extension Relation {
  /// Rows of the source, which a subquery finds by its key. The subquery has the names and the
  /// definitions of the relation; so do the rows, as far as references need them.
  func outerRows(keeping references: References, in context: PlanningContext) -> Relation {
    let usesName = aliases.contains { $0.name != nil && references.contains($0) }
    var rows = Relation(
      source: source, aliases: usesName ? aliases : aliases.filter { $0.name == nil },
      selection: [])
    let definitions = allTableExpressions
    // Statements of triggers have none.
    if !context.isOfTrigger, definitions.contains(where: { references.contains(table: $0.name) }) {
      rows.tableExpressions = definitions
    }
    return rows
  }

  /// The condition that the key of a row is that of a row of the relation.
  func keyCondition(in context: PlanningContext) throws -> FilterClause {
    let columns = try context.schema.groupingColumns(of: source)
    let subquery = try selecting(columns.map { SQLSelection(.expression($0)) }, in: context)
    let key = columns.count == 1 ? columns[0] : SQLExpression(.row(columns))
    return .expression(SQLExpression(.membership(key, in: .subquery(subquery), isNegated: false)))
  }

  /// A query of the rows that are modified. A common table expression that has the name of their
  /// table is not modified: <https://www.sqlite.org/lang_with.html>.
  private func selecting(
    _ selection: [SQLSelection], in context: PlanningContext
  ) throws -> SQLSubquery {
    var query = selectingNothing
    query.isCorrelated = true
    query.selection = [.items(selection)]
    if case .table(let name) = source, allTableExpressions.define(name),
      let table = try context.schema.tableID(name)
    {
      query.source = .table("\(table.schemaID.name).\(table.name)")
      if !hasNamedAlias { query.aliases.append(TableAliasBase(name: name)) }
    }
    return SQLSubquery(.relation(query))
  }
}

// SQLite knows a rowid without the name of its table where there is no other source: the values of
// a request with SQL written by hand are computed in a subquery.
extension Relation {
  func mayNameRowID(_ values: References, in context: PlanningContext) throws -> Bool {
    try PrimaryKeyInfo.rowIDNames.contains(where: values.mentions) && hasKey(in: context)
  }

  /// The rows, joined by their key to their values.
  ///
  /// - parameter assignments: the new ones are those of the joined values.
  func joined(
    toValuesOf assignments: inout [ColumnAssignment], keeping references: References,
    in context: PlanningContext
  ) throws -> Relation {
    let (name, alias) = ("grdb_values", TableAliasBase(name: nil))
    func joinedColumn(_ name: String) -> SQLExpression {
      SQLExpression(.qualified(SQLExpression(.column(name)), alias))
    }
    var rows = outerRows(keeping: references, in: context)
    var selection: [SQLSelection] = []
    for (index, column) in try context.schema.groupingColumns(of: source).enumerated() {
      selection.append(SQLSelection(.aliased(column, "key\(index)")))
      rows.filters.append(
        .expression(SQLExpression(.comparison(.equal, column, joinedColumn("key\(index)")))))
    }
    for (index, assignment) in assignments.enumerated() {
      guard let value = assignment.value else { continue }
      selection.append(SQLSelection(.aliased(value, "value\(index)")))
      assignments[index] = ColumnAssignment(
        columnName: assignment.columnName, value: joinedColumn("value\(index)"))
    }
    let values = Relation(
      source: .subquery(try selecting(selection, in: context), name: name), aliases: [alias],
      selection: [])
    rows.joins = [JoinNode(key: name, kind: .inner, condition: .expression(nil), relation: values)]
    return rows
  }
}
