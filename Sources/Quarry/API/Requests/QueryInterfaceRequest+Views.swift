// Modifications of views and virtual tables that fetch. RETURNING reports the values that the
// statement was given, not what the triggers made of it, and refuses virtual tables: rows are
// selected, and a statement shows them as they were selected.

extension QueryInterfaceRequest {
  /// Deletes rows, and returns a statement with values of them.
  ///
  /// The rows of a table are deleted when the statement is executed, those of a view or virtual
  /// table at once.
  func deleteAndFetchRows(_ db: Database, selection: [any SQLSelectable]) throws -> Statement {
    guard try hidesReturnedRows(db), !selection.isEmpty else {
      return try deleteAndFetchStatement(db, selection: selection)
    }
    if let (rows, assignments) = try marking(db) {
      return try rows.updateAndFetchRows(
        db, onConflict: nil, assignments, selection: selection)
    }
    let context = PlanningContext(db)
    // Without a limit, the second look finds the same rows.
    let key =
      relation.limit == nil ? nil : try db.schema.primaryKeyIfKnown(of: databaseTableName)?.columns
    var deleted: Statement?
    try db.inSavepoint {
      let request = try key.map { limited(to: try keys($0, for: .delete, db)) } ?? self
      var rows = try Planner.rows(of: request.relation, for: .delete, in: context)
      rows.selection = [.items(selection.map { $0.sqlSelection })]
      deleted = try db.snapshot(of: CompiledQuery(rows, in: context).text)
      try request.deleteAll(db)
      return .commit
    }
    return try deleted ?? deleteAndFetchStatement(db, selection: selection)
  }

  /// Updates rows, and returns a statement with values of them.
  ///
  /// The rows of a table are updated when the statement is executed, those of a view or virtual
  /// table at once.
  func updateAndFetchRows(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution?,
    _ assignments: [ColumnAssignment], selection: [any SQLSelectable]
  ) throws -> Statement {
    guard try hidesReturnedRows(db), !selection.isEmpty,
      assignments.contains(where: { $0.value != nil })
    else {
      return try updateAndFetchStatement(
        db, onConflict: conflictResolution, assignments, selection: selection)
    }
    let key = try db.schema.primaryKey(of: databaseTableName).columns
    try checkKeyIsKept(key, assignments)
    var updated: Statement?
    try db.inSavepoint {
      let keys = try keys(key, for: .update, db)
      try limited(to: keys).updateAll(db, onConflict: conflictResolution, assignments)
      let rows = Relation(
        source: relation.source, selection: [.items(selection.map { $0.sqlSelection })],
        filters: [keys])
      updated = try db.snapshot(of: CompiledQuery(rows, in: PlanningContext(db)).text)
      return .commit
    }
    return try updated ?? updateAndFetchStatement(db, assignments, selection: selection)
  }

  /// A statement that returns rows of a view would not report the changes of its triggers.
  func checkReturning(_ db: Database, insteadUse method: String) throws {
    guard case .table(let name) = relation.source, try db.schema.isView(name) else { return }
    throw InvalidRequest(
      """
      RETURNING does not return the rows of database view \(databaseTableName), whose triggers do \
      the changes: use \(method)
      """)
  }

  private func hidesReturnedRows(_ db: Database) throws -> Bool {
    guard case .table(let name) = relation.source else { return false }
    return try db.schema.hidesReturnedRows(name)
  }

  /// The keys of the rows that the request finds now.
  private func keys(
    _ key: [String], for modification: Planner.Modification, _ db: Database
  ) throws -> FilterClause {
    let context = PlanningContext(db)
    var rows = try Planner.rows(of: relation, for: modification, in: context)
    rows.selection = [.items(key.map { SQLSelection(.expression(SQLExpression(.column($0)))) })]
    let keys = try Row.fetchAll(db.makeStatement(CompiledQuery(rows, in: context).text))
    let nullable = key.indices.first { column in keys.contains { $0.isNull(at: column) } }
    if let nullable {
      throw InvalidRequest(
        """
        The \(modification)d rows of database view \(databaseTableName) can't be fetched: column \
        \(key[nullable]) of its primary key is null in one of them
        """)
    }
    if key.count == 1 { return .keys(keys.map { $0.databaseValues.first ?? .null }) }
    return .uniqueKeys(
      keys.map { row in zip(key, row.databaseValues).map { (column: $0, value: $1) } })
  }

  /// The rows with some keys, for a request that might find others the next time:
  /// `ORDER BY RANDOM() LIMIT 1`.
  private func limited(to keys: FilterClause) -> QueryInterfaceRequest {
    guard relation.limit != nil else { return self }
    var request = self
    request.relation.limit = nil
    request.relation.filters.append(keys)
    return request
  }

  /// The updated rows are found by their key.
  private func checkKeyIsKept(_ key: [String], _ assignments: [ColumnAssignment]) throws {
    let column = assignments.first { assignment in
      assignment.value != nil && key.contains { $0.isSameIdentifier(as: assignment.columnName) }
    }
    guard let column else { return }
    throw InvalidRequest(
      """
      The updated rows of database view \(databaseTableName) can't be fetched: column \
      \(column.columnName) of its primary key is updated
      """)
  }
}

extension Database {
  /// A statement that selects the rows that a query selects now.
  fileprivate func snapshot(of query: SQLText) throws -> Statement {
    let statement = try makeStatement(query)
    let names = statement.columnNames
    let rows = try Row.fetchAll(statement)
    if rows.isEmpty {
      let columns = names.map { "NULL AS \($0.quotedDatabaseIdentifier)" }
      return try makeStatement(sql: "SELECT \(columns.joined(separator: ", ")) WHERE 0")
    }
    let values = rows.map { row in
      "(\(row.databaseValues.map(\.sqlLiteral).joined(separator: ", ")))"
    }
    let snapshot = try makeStatement(sql: "VALUES \(values.joined(separator: ", "))")
    snapshot.columnNames = names
    return snapshot
  }
}
