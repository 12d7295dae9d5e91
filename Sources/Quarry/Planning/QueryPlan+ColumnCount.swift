// The number of columns of selections: the layout of joined rows needs it.

extension QueryPlan {
  /// The number of columns that a source selects.
  ///
  /// - parameter compile: compiles a query, and returns the number of its columns.
  func columnCount(
    of source: Int, compile: (QueryPlan) throws -> Int
  ) throws -> Int {
    if let first = members.first {
      return try columnCount(of: first.query, compile)
    }
    let selection = source == 0 ? root.selection : joins[source - 1].selection
    var count = 0
    for item in selection {
      count += try columnCount(item, of: self.source(source), compile)
    }
    return count
  }

  private func columnCount(
    _ selection: SQLSelection, of source: Source, _ compile: (QueryPlan) throws -> Int
  ) throws -> Int {
    switch selection.node {
    case .allColumns:
      return try columnCount(of: source, compile)
    case .allColumnsExcluding(let excluded):
      guard let columns = try context.schema.columnNamesIfKnown(of: source) else {
        throw InvalidRequest("Not implemented: counting CTE columns with excluded columns")
      }
      return columns.count { !excluded.contains($0.lowercased()) }
    case .expression, .aliased:
      return 1
    case .primaryKey:
      return try context.schema.primaryKeyColumns(of: source).count
    case .qualified(let inner, let alias):
      guard let number = self.source(of: alias) else {
        throw InvalidRequest("Undefined alias has no table name")
      }
      return try columnCount(inner, of: self.source(number), compile)
    case .invalid(let fault):
      throw fault
    case .literal:
      throw InvalidRequest(
        "Selection literals don't known how many columns they contain. "
          + "To resolve this error, select one or several expressions instead.")
    }
  }

  private func columnCount(
    of source: Source, _ compile: (QueryPlan) throws -> Int
  ) throws -> Int {
    switch source {
    case .table(let table):
      return try context.schema.columns(of: table).count
    case .tableExpression(let expression):
      if let columns = expression.columns, !columns.isEmpty { return columns.count }
      return try columnCount(of: expression, compile)
    case .subquery(let query, _):
      return try columnCount(of: Planner.plan(query, in: context), compile)
    }
  }

  /// The number of columns of a query. One that is written by hand is compiled.
  private func columnCount(
    of query: PlannedQuery, _ compile: (QueryPlan) throws -> Int
  ) throws -> Int {
    if case .plan(let plan) = query { return try plan.columnCount(compile: compile) }
    var compound = QueryPlan.withoutSource(context)
    compound.tableExpressions = tableExpressions
    compound.members = [PlannedMember(op: nil, query: query, isWrapped: true)]
    return try compile(compound)
  }

  /// The number of columns of the query.
  private func columnCount(compile: (QueryPlan) throws -> Int) throws -> Int {
    try (0..<sourceCount).reduce(0) { try $0 + columnCount(of: $1, compile: compile) }
  }

  private func columnCount(
    of expression: TableExpression, _ compile: (QueryPlan) throws -> Int
  ) throws -> Int {
    if let count = try knownColumnCount(of: expression) { return count }
    let isDefined = tableExpressions.contains { $0.name.isSameIdentifier(as: expression.name) }
    let relation = Relation(
      source: .tableExpression(expression), selection: [.items([SQLSelection(.allColumns)])],
      tableExpressions: isDefined ? tableExpressions : tableExpressions + [expression])
    let query = try Planner.plan(relation, in: context)
    do {
      return try compile(query)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let message = error.message ?? error.resultCode.description
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "Can't compute the number of columns in the "
          + "\(expression.name.quotedDatabaseIdentifier) common table expression: \(message). "
          + "Check the syntax of the SQL definition, or provide the explicit list of selected "
          + "columns with the `columns` parameter in the CommonTableExpression initializer.",
        sql: error.sql)
    }
  }

  /// Nil when SQLite must be asked: the query is written by hand, or refers to itself.
  private func knownColumnCount(of expression: TableExpression) throws -> Int? {
    guard !expression.isRecursive, let body = expression.body,
      case .plan(let plan) = try Planner.plan(body, in: context)
    else { return nil }
    do {
      return try plan.columnCount { _ in throw UnknownWidth() }
    } catch is UnknownWidth {
      return nil
    } catch is InvalidRequest {
      return nil
    }
  }

  private struct UnknownWidth: Error {}
}
