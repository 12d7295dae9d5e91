/// Counts the columns of selections: the layout of joined rows needs it.
struct ColumnCounter {
  let plan: QueryPlan
  /// Compiles a query, and returns the number of its columns.
  let compile: (QueryPlan) throws -> Int

  /// The number of columns that a source selects.
  func width(of source: Int) throws -> Int {
    try plan[source].selection.reduce(0) { try $0 + width($1, source: plan[source].source) }
  }

  private func width(_ selection: SQLSelection, source: Source) throws -> Int {
    switch selection.node {
    case .allColumns:
      return try columnCount(of: source)
    case .allColumnsExcluding(let excluded):
      guard case .table(let table) = source else {
        throw InvalidRequest("Not implemented: counting CTE columns with excluded columns")
      }
      return try plan.context.schema.columns(of: table)
        .count { !excluded.contains($0.name.lowercased()) }
    case .expression, .aliased:
      return 1
    case .primaryKey:
      return try plan.context.schema.primaryKeyColumns(of: source).count
    case .qualified(let inner, let alias):
      guard let number = plan.source(of: alias) else {
        throw InvalidRequest("Undefined alias has no table name")
      }
      return try width(inner, source: plan[number].source)
    case .invalid(let fault):
      throw fault
    case .literal:
      throw InvalidRequest(
        "Selection literals don't known how many columns they contain. "
          + "To resolve this error, select one or several expressions instead.")
    }
  }

  private func columnCount(of source: Source) throws -> Int {
    switch source {
    case .table(let table):
      return try plan.context.schema.columns(of: table).count
    case .tableExpression(let expression):
      if let columns = expression.columns, !columns.isEmpty { return columns.count }
      return try columnCount(of: expression)
    }
  }

  private func columnCount(of expression: TableExpression) throws -> Int {
    let definitions = plan.tableExpressions
    let isDefined = definitions.contains { $0.name == expression.name }
    let relation = Relation(
      source: .tableExpression(expression), selection: [.items([SQLSelection(.allColumns)])],
      tableExpressions: isDefined ? definitions : definitions + [expression])
    let query = try Planner.plan(relation, in: plan.context)
    do {
      return try compile(query)
    } catch var error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let message = error.message ?? error.resultCode.description
      error = DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "Can't compute the number of columns in the "
          + "\(expression.name.quotedDatabaseIdentifier) common table expression: \(message). "
          + "Check the syntax of the SQL definition, or provide the explicit list of selected "
          + "columns with the `columns` parameter in the CommonTableExpression initializer.",
        sql: error.sql)
      throw error
    }
  }
}
