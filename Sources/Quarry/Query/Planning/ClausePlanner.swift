// Closing: what clauses ask the schema is answered in them, and the queries in them are planned.
//
// | open | closed |
// | --- | --- |
// | a query | its plan |
// | the identity of a row, the primary key, all columns but some | columns |
// | the existence of a row of an alias | a test of its key columns |
// | a table of another schema | its name, and that of the schema |
//
// Nearly all clauses are closed as they are: they are not touched.

/// Closes the clauses of a query.
struct ClausePlanner: TreeTransform {
  let context: PlanningContext
  /// The query, and the enclosing ones before it. None for SQL that stands alone.
  let plans: [SelectPlan]
  /// The source whose clause it is.
  var source: Source?

  func map(_ expression: SQLExpression) throws -> SQLExpression {
    guard expression.isOpen else { return expression }
    try expression.checkStack()
    switch expression.node {
    case .rowIdentity:
      let columns = try context.schema.groupingColumns(of: requireSource())
      // Several columns are counted by a subquery: see `AggregateIsolation`.
      return columns.count == 1 ? columns[0] : SQLExpression(.row(columns))
    case .fullText(let term): return try closed(term)
    case .aliasExists(let alias, let isNegated):
      return try existence(of: alias, isNegated: isNegated)
    case .qualified(let inner, let alias):
      return SQLExpression(.qualified(try of(source(of: alias)).map(inner), alias))
    case .subquery(let query): return SQLExpression(.subquery(try map(operand: query)))
    case .membership(let operand, .subquery(let query), let isNegated):
      return SQLExpression(
        .membership(
          try map(operand), in: .subquery(try map(operand: query)), isNegated: isNegated))
    default: return SQLExpression(try expression.node.mapChildren(self))
    }
  }

  func map(_ query: SQLSubquery) throws -> SQLSubquery {
    query.isOpen ? SQLSubquery(try plan(query), depth: query.depth) : query
  }

  private func map(operand query: SQLSubquery) throws -> SQLSubquery {
    try map(query.withoutKeptAggregates(in: context))
  }

  /// Plans a query inside.
  func plan(_ query: SQLSubquery) throws -> QueryPlan {
    switch query.node {
    case .relation(let relation): .select(try Planner.plan(relation, in: context, inside: plans))
    case .compound(let compound): .compound(try Planner.plan(compound, in: context, inside: plans))
    case .literal(let sql): .literal(try of(nil).map(sql))
    case .planned(let query): try query.plan
    }
  }

  func map(_ selection: SQLSelection) throws -> SQLSelection {
    switch selection.node {
    case .allColumnsExcluding(let excluded): try columns(excluding: excluded)
    case .primaryKey:
      SQLSelection(.columns(try context.schema.primaryKeyColumns(of: requireSource())))
    case .qualified(let inner, let alias):
      try inner.isOpen
        ? SQLSelection(.qualified(of(source(of: alias)).map(inner), alias)) : selection
    case .allColumns, .columns, .expression, .aliased, .literal, .invalid:
      try selection.mapChildren(self)
    }
  }

  func map(_ ordering: SQLOrdering) throws -> SQLOrdering {
    guard case .primaryKey(let direction) = ordering.node else {
      return try ordering.mapChildren(self)
    }
    return SQLOrdering(
      .columns(try context.schema.primaryKeyColumns(of: requireSource()), direction))
  }

  func map(_ sql: SQL) throws -> SQL {
    guard sql.isOpen else { return sql }
    return SQL(elements: RunList(try sql.elements.map(closed)))
  }

  private func closed(_ element: SQL.Element) throws -> SQL.Element {
    switch element {
    case .table(let name, _):
      guard let table = try context.schema.qualifiedTable(name) else { return .identifier(name) }
      return .table(table.name, schema: table.schemaID.name)
    case .columns(let selection, let table, let name):
      return .columns(try of(.table(table)).map(selection), table: table, name: name)
    case .raw, .identifier, .expression, .selection, .ordering, .subquery, .list, .definition:
      return try element.mapChildren(self)
    }
  }

  func map(_ definition: TableExpression) throws -> TableExpression {
    var definition = definition
    definition.body = try map(definition.checkedBody)
    return definition
  }

  func map(_ filters: [FilterClause]) throws -> [FilterClause] {
    guard filters.contains(where: \.isOpen) else { return filters }
    return try filters.map { try $0.expression.map { .expression(try map($0)) } ?? $0 }
  }

  func close(_ ordering: inout OrderingClause) throws {
    for (index, term) in ordering.terms.enumerated() {
      guard case .ordering(let term) = term, term.isOpen else { continue }
      ordering.terms[index] = .ordering(try map(term))
    }
  }
}

extension ClausePlanner {
  /// For what belongs to another source. Nil for SQL written by hand: its columns belong to none of
  /// the sources of enclosing queries.
  func of(_ source: Source?) -> ClausePlanner {
    var planner = self
    planner.source = source
    return planner
  }

  private func source(of alias: TableAliasBase) throws -> Source {
    for plan in plans.reversed() {
      if let number = plan.source(of: alias) { return plan.source(number) }
    }
    guard let name = alias.name else { throw InvalidRequest.undefinedAlias(alias) }
    throw InvalidRequest("The alias \"\(name)\" designates no table")
  }

  func requireSource() throws -> Source {
    guard let source else {
      throw InvalidRequest("An expression needs the table that it belongs to")
    }
    return source
  }

  private func columns(excluding excluded: Set<BinaryText>) throws -> SQLSelection {
    let source = try requireSource()
    guard let columns = try context.schema.columnNamesIfKnown(of: source) else {
      throw InvalidRequest(
        "Can't leave out columns of \(source.description): their names are known to SQLite only. "
          + "To fix this error, list them in CommonTableExpression(named:columns:request:).")
    }
    let kept = columns.filter { !excluded.contains($0.identifierKey) }
    if kept.count == columns.count { return SQLSelection(.allColumns) }
    if kept.isEmpty { throw InvalidRequest("Can't generate SQL with an empty selection") }
    return SQLSelection(.columns(kept))
  }

  /// `"author"."id" IS NOT NULL`
  private func existence(of alias: TableAliasBase, isNegated: Bool) throws -> SQLExpression {
    let tests = try context.schema.existenceColumns(of: source(of: alias)).map { column in
      SQLExpression(
        .comparison(
          isNegated ? .identical : .notIdentical,
          SQLExpression(.column(column)).qualified(by: alias), .null))
    }
    if tests.count == 1 { return tests[0] }
    // One condition, also where several are joined with `AND`.
    let test = SQLExpression.associative(isNegated ? .and : .or, tests)
    return SQLExpression(.row([test]))
  }
}

extension FilterClause {
  var isOpen: Bool { expression?.isOpen == true }
}
