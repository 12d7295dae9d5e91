// The number of columns of selections: the layout of joined rows needs it.

extension QueryPlan {
  /// The number of columns that a source selects.
  ///
  /// - parameter compile: compiles a query, and returns the number of its columns.
  func columnCount(
    of source: Int, compile: (QueryPlan) throws -> Int
  ) throws -> Int {
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
      guard case .table(let table) = source else {
        throw InvalidRequest("Not implemented: counting CTE columns with excluded columns")
      }
      return try context.schema.columns(of: table)
        .count { !excluded.contains($0.name.lowercased()) }
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
    }
  }

  private func columnCount(
    of expression: TableExpression, _ compile: (QueryPlan) throws -> Int
  ) throws -> Int {
    if let count = try columnCount(of: expression.body, isRecursive: expression.isRecursive) {
      return count
    }
    let isDefined = tableExpressions.contains { $0.name == expression.name }
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
  private func columnCount(of query: SQLSubquery, isRecursive: Bool) throws -> Int? {
    guard !isRecursive, case .relation(let relation) = query.node else { return nil }
    let plan = try Planner.plan(relation, in: context)
    do {
      return try (0..<plan.sourceCount).reduce(0) { count, source in
        try count + plan.columnCount(of: source) { _ in throw UnknownWidth() }
      }
    } catch is UnknownWidth {
      return nil
    } catch is InvalidRequest {
      return nil
    }
  }

  private struct UnknownWidth: Error {}
}
