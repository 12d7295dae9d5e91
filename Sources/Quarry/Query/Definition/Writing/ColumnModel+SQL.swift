extension ColumnModel {
  /// `"pages" INTEGER NOT NULL DEFAULT 0`
  func sql(_ schema: any SchemaReader) throws -> String {
    var parts = [name.quotedDatabaseIdentifier]
    if let type { parts.append(type.rawValue) }
    if let primaryKey {
      parts.append("PRIMARY KEY\(primaryKey.conflict.sql)")
      if primaryKey.isAutoincremented { parts.append("AUTOINCREMENT") }
    }
    if let notNull { parts.append("NOT NULL\(notNull.sqlUnlessDefault)") }
    if case .unique(let conflict) = index { parts.append("UNIQUE\(conflict.sqlUnlessDefault)") }
    parts += try checks.map { try "CHECK (\($0.text(schema)))" }
    if let defaultValue { parts.append(try "DEFAULT \(defaultValue.text(schema))") }
    if let collation { parts.append("COLLATE \(collation.plainUnlessKeyword)") }
    parts += references.map(\.sql)
    if let (expression, qualification) = generation {
      let storage = qualification == .stored ? "STORED" : "VIRTUAL"
      parts.append(try "GENERATED ALWAYS AS (\(expression.text(schema))) \(storage)")
    }
    return parts.joined(separator: " ")
  }
}

extension ReferenceModel {
  /// `REFERENCES "author"("id") ON DELETE CASCADE`
  var sql: String {
    let columns = (columns ?? []).quotedDatabaseIdentifiers
    let delete = onDelete.map { " ON DELETE \($0.rawValue)" } ?? ""
    let update = onUpdate.map { " ON UPDATE \($0.rawValue)" } ?? ""
    let deferral = isDeferred ? " DEFERRABLE INITIALLY DEFERRED" : ""
    return "REFERENCES \(table.quotedDatabaseIdentifier)(\(columns))\(delete)\(update)\(deferral)"
  }
}

extension ConflictClause {
  /// ` ON CONFLICT FAIL`, or nothing.
  var sql: String { resolution.map { " ON CONFLICT \($0.rawValue)" } ?? "" }

  /// Nothing for ABORT, which is SQLite's default.
  var sqlUnlessDefault: String { resolution == .abort ? "" : sql }
}
