// The questions of clauses to the schema: see `ClausePlanner`.

extension SelectPlan {
  /// Closes the query.
  ///
  /// - parameter enclosing: the enclosing queries, outermost first.
  mutating func close(in context: PlanningContext, inside enclosing: [SelectPlan]) throws {
    for number in sources.indices { try sources[number].closeNames(in: context) }
    try findExistenceColumns(in: context)
    try planKeptRows(in: context)
    if isOpen {
      let planner = ClausePlanner(
        context: context, plans: enclosing + [self], source: root.source)
      try closeClauses(planner)
    }
    for number in sources.indices where sources[number].ordering.isStable {
      try appendStableTerms(to: number, in: context)
    }
    if !scope.aggregates.isEmpty { try planAggregates(in: context, inside: enclosing) }
  }

  private var isOpen: Bool { hasOpenRareClauses || sources.indices.contains { sources[$0].isOpen } }

  private mutating func closeClauses(_ planner: ClausePlanner) throws {
    for number in sources.indices where sources[number].isOpen {
      if case .function(let name, let arguments) = source(number) {
        let parent = planner.of(source(sources[number].parent))
        sources[number].source = .function(name, try parent.map(arguments))
      }
      try sources[number].close(planner.of(source(number)))
    }
    try closeRareClauses(planner)
  }

  /// The primary key, or the numbers of the selected columns for a source without key.
  private mutating func appendStableTerms(to number: Int, in context: PlanningContext) throws {
    sources[number].ordering.isStable = false
    if let table = sources[number].table,
      let key = try context.schema.primaryKeyIfKnown(of: table), key.isNamed
    {
      sources[number].ordering.terms.append(
        .ordering(SQLOrdering(.columns(key.columns, .unspecified))))
      return
    }
    let counter = ColumnCounting(
      context: context, compiles: false, tableExpressions: tableExpressions)
    let counts = try (0...number).map { source in
      try counter.known { try $0.count(of: source, in: self) }
    }
    let end = counts.reduce(0, +)
    sources[number].ordering.appendNumbers((end - counts[number] + 1)..<(end + 1))
  }
}

extension OrderingClause {
  /// Appends the columns of the result with some numbers.
  mutating func appendNumbers(_ numbers: Range<Int>) {
    terms += numbers.map { number in
      .ordering(
        SQLOrdering(.expression(SQLExpression(.literal(SQL(sql: "\(number)"))), .unspecified)))
    }
  }
}

extension PlannedSource {
  fileprivate var isOpen: Bool {
    switch source {
    case .subquery: return true
    case .function(_, let arguments): if arguments.contains(where: \.isOpen) { return true }
    case .table, .tableExpression: break
    }
    if case .expression(let expression) = condition, expression.isOpen { return true }
    return selection.contains(where: \.isOpen) || filters.contains(where: \.isOpen)
      || ordering.isOpen
  }

  /// Finds the schema of the table, and the column of the primary key.
  mutating func closeNames(in context: PlanningContext) throws {
    switch source {
    case .table(let name) where name.mayHaveSchema, .function(let name, _) where name.mayHaveSchema:
      let table = try TableName(name, context.schema)
      if table.schema != nil { qualifiedTable = table }
    case .table, .tableExpression, .subquery, .function: break
    }
    for (index, filter) in filters.enumerated() {
      guard case .keys(let keys) = filter, !keys.isEmpty else { continue }
      let columns = try context.schema.primaryKeyColumns(of: source)
      guard columns.count == 1 else {
        throw InvalidRequest.compoundPrimaryKey(source.name, columns: columns)
      }
      keyColumn = columns[0]
      let column = try context.schema.keyExpression(columns[0], of: source.name)
      if case .column = column.node { continue }
      filters[index] = .expression(.membership(column, in: keys.map { SQLExpression($0) }))
    }
  }

  fileprivate mutating func close(_ planner: ClausePlanner) throws {
    if case .subquery(let query, let name) = source {
      source = .subquery(try planner.map(query), name: name)
    }
    if case .expression(let expression) = condition {
      condition = .expression(try planner.map(expression))
    }
    selection = try planner.map(selection)
    filters = try planner.map(filters)
    try planner.close(&ordering)
  }
}

// Tests that there is a row of a source.
extension SelectPlan {
  private mutating func findExistenceColumns(in context: PlanningContext) throws {
    for number in joins.indices where needsParentTest(number) {
      sources[number].testsParent = true
      try findExistenceColumns(of: sources[number].parent, in: context)
    }
    for (root, required) in sources.jointConditions {
      try findExistenceColumns(of: root, in: context)
      try findExistenceColumns(of: required, in: context)
    }
  }

  private mutating func findExistenceColumns(of number: Int, in context: PlanningContext) throws {
    guard sources[number].existenceColumns.isEmpty else { return }
    sources[number].existenceColumns = try existenceColumns(of: number, in: context)
  }
}
