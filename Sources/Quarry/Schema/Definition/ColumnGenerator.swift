/// Makes the SQL of columns and foreign keys.
struct ColumnGenerator {
  /// The table that has the columns.
  let table: DefinitionName
  /// The columns of the primary key of that table.
  let key: [String]
  let schema: any SchemaReader

  func sql(_ column: ColumnModel) throws -> String {
    var sql = column.name.quotedDatabaseIdentifier
    if let type = column.type { sql += " \(type.rawValue)" }
    sql += keyConstraints(of: column)
    for check in column.checks { sql += try " CHECK (\(check.sql(schema)))" }
    if let value = column.defaultValue { sql += try " DEFAULT \(value.sql(schema))" }
    if let collation = column.collation { sql += " COLLATE \(collation)" }
    for reference in column.references { sql += try " \(self.sql(reference))" }
    if let (expression, qualification) = column.generation {
      let place = qualification == .stored ? "STORED" : "VIRTUAL"
      sql += try " GENERATED ALWAYS AS (\(expression.sql(schema))) \(place)"
    }
    return sql
  }

  /// `REFERENCES "author"("id") ON DELETE CASCADE`
  func sql(_ reference: ReferenceModel) throws -> String {
    let destination = try table.referenceName(of: reference.table, schema)
    let columns = try reference.columns ?? keyColumns(of: destination)
    var sql = "REFERENCES \(destination.quotedDatabaseIdentifier)"
    sql += "(\(columns.quotedDatabaseIdentifiers))"
    if let action = reference.onDelete { sql += " ON DELETE \(action.rawValue)" }
    if let action = reference.onUpdate { sql += " ON UPDATE \(action.rawValue)" }
    if reference.isDeferred { sql += " DEFERRABLE INITIALLY DEFERRED" }
    return sql
  }

  /// The statement for `indexed()`.
  func indexSQL(_ column: ColumnModel, options: IndexOptions) -> String? {
    guard case .plain = column.index else { return nil }
    return IndexGenerator(
      defaultName: "\(table.name)_on_\(column.name)", table: table, options: options
    ).sql(columns: [column.name])
  }

  private func keyConstraints(of column: ColumnModel) -> String {
    var sql = ""
    if let primaryKey = column.primaryKey {
      sql += " PRIMARY KEY\(primaryKey.conflict.sql)"
      if primaryKey.isAutoincremented { sql += " AUTOINCREMENT" }
    }
    if let conflict = column.notNull { sql += " NOT NULL\(conflict.sqlUnlessDefault)" }
    if case .unique(let conflict) = column.index { sql += " UNIQUE\(conflict.sqlUnlessDefault)" }
    return sql
  }

  private func keyColumns(of other: String) throws -> [String] {
    try other.isSameIdentifier(as: table.name)
      ? key : schema.primaryKey(of: table.lookUpName(of: other)).columns
  }
}
