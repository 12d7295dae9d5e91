// Modifications of views and virtual tables that fetch. RETURNING reports the values that the
// statement was given, not what the triggers made of it, and refuses virtual tables: rows are
// selected, and a statement shows them as they were selected.

import Foundation

extension QueryInterfaceRequest {
  /// Deletes rows, and returns a statement with values of them.
  ///
  /// The rows of a table are deleted when the statement is executed, those of a view or virtual
  /// table at once.
  func deleteAndFetchRows(
    _ db: Database, selection: [any SQLSelectable]
  ) throws -> Statement {
    guard try hidesReturnedRows(db), !selection.isEmpty else {
      return try deleteAndFetchStatement(db, selection: selection)
    }
    if let (rows, assignments) = try marking(db) {
      return try rows.updateAndFetchRows(
        db, onConflict: nil, assignments, selection: selection)
    }
    let context = PlanningContext(db)
    var rows = try Planner.rows(of: relation, for: .delete, in: context)
    rows.selection = [.items(selection.map { $0.sqlSelection })]
    var deleted: Statement?
    try db.inSavepoint {
      deleted = try db.snapshot(of: CompiledQuery(rows, in: context).text)
      try deleteAll(db)
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
    let context = PlanningContext(db)
    let key = try db.schema.primaryKey(of: databaseTableName).columns
    try checkKeyIsKept(key, assignments)
    var rows = try Planner.rows(of: relation, for: .update, in: context)
    rows.selection = [.items(key.map { SQLSelection(.expression(SQLExpression(.column($0)))) })]
    var updated: Statement?
    try db.inSavepoint {
      let keys = try Row.fetchAll(
        db.makeStatement(CompiledQuery(rows, in: context).text))
      try updateAll(db, onConflict: conflictResolution, assignments)
      let relation = Relation(
        source: self.relation.source,
        selection: [.items(selection.map { $0.sqlSelection })],
        filters: [keys.filter(key)])
      updated = try db.snapshot(of: CompiledQuery(relation, in: context).text)
      return .commit
    }
    return try updated ?? updateAndFetchStatement(db, assignments, selection: selection)
  }

  /// A statement that returns rows of a view would not report the changes of its triggers.
  func checkReturning(_ db: Database, insteadUse method: String) throws {
    guard try isOnView(db) else { return }
    throw InvalidRequest(
      """
      RETURNING does not tell the rows of database view \(databaseTableName), whose triggers do \
      the changes: use \(method)
      """)
  }

  private func hidesReturnedRows(_ db: Database) throws -> Bool {
    guard case .table(let name) = relation.source else { return false }
    return try db.schema.hidesReturnedRows(name)
  }

  private func isOnView(_ db: Database) throws -> Bool {
    guard case .table(let name) = relation.source else { return false }
    return try db.schema.isView(name)
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

extension [Row] {
  /// The rows of a table whose key is one of these rows.
  fileprivate func filter(_ key: [String]) -> FilterClause {
    if key.count == 1 { return .keys(map { $0.databaseValues.first ?? .null }) }
    return .uniqueKeys(
      map { row in zip(key, row.databaseValues).map { (column: $0, value: $1) } })
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
