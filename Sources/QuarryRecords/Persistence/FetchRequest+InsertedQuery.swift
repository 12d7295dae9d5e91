import Quarry

/// The query of an insertion, and the names of its values.
struct InsertedQuery {
  let sql: SQL
  let names: [String]
}

extension FetchRequest {
  /// The query of the values that the rows of the request show.
  func insertedQuery(
    _ db: Database, _ context: PlanningContext, into table: String
  ) throws -> InsertedQuery {
    if let query = try adaptedQuery(db) { return query }
    let query = try SQLWriter.closed("\(self)", in: context, source: .table(table))
    let names = try db.internalStatement(sql: query.build(db).sql).use { $0.columnNames }
    return InsertedQuery(sql: query, names: names)
  }

  /// Nil without an adapter of the application, or if it adds scopes only. That of associations is
  /// passed over: all selected values are inserted.
  private func adaptedQuery(_ db: Database) throws -> InsertedQuery? {
    if self is any DerivableRequest { return nil }
    let prepared = try makePreparedRequest(db, forSingleResult: false)
    return try prepared.statement.use { statement in
      guard let adapter = prepared.adapter else { return nil }
      let row = RowLayout(columnNames: statement.columnNames)
      let layout = try adapter.layout(over: row)
      if let scopes = try adapter.associationScopes?.layout(over: row),
        scopes.columnNames == layout.columnNames, scopes.indexes == layout.indexes,
        scopes.scopes.count < layout.scopes.count
      {
        return nil
      }
      return InsertedQuery(
        sql: statement.query(ofColumns: layout.indexes), names: layout.columnNames)
    }
  }
}

extension RowAdapter {
  /// The adapter of associations, which adapters of the application may follow.
  fileprivate var associationScopes: RowScopeTree? {
    self as? RowScopeTree ?? (self as? ChainedRowAdapter)?.first.associationScopes
  }
}

extension RowLayout {
  fileprivate var indexes: [Int] { columnNames.indices.map(physicalIndex) }
}

extension Statement {
  fileprivate func query(ofColumns indexes: [Int]) -> SQL {
    let query: SQL = "\(SQLRequest<Row>(sql: sql, arguments: arguments))"
    let columns = (0..<columnCount).map { "c\($0)" }
    if indexes == Array(columns.indices) { return query }
    let table = unusedName
    let shown = indexes.map { columns[$0] }.joined(separator: ", ")
    return """
      WITH \(sql: table)(\(sql: columns.joined(separator: ", "))) AS (\(query)) \
      SELECT \(sql: shown) FROM \(sql: table)
      """
  }

  /// The name of a table expression that hides no table of the statement.
  private var unusedName: String {
    let text = sql.lowercased()
    var name = "adapted"
    while text.contains(name) { name += "_" }
    return name
  }
}
