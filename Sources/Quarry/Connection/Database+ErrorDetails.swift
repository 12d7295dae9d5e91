// The messages of SQLite don't say which foreign key is violated, in which table a check fails, or how to refer to a
// selected value.
//
// See <https://www.sqlite.org/foreignkeys.html> and <https://www.sqlite.org/lang_createtable.html#check_constraints>.

extension Database {
  /// Adds what a statement has violated, or may have violated. SQLite has undone the statement.
  func explainConstraint(_ error: inout DatabaseError, of statement: Statement) {
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      error.details = try? foreignKeyDetails(of: statement.effects, sql: statement.sql)
    case .SQLITE_CONSTRAINT_CHECK:
      error.details = try? checkDetails(of: statement.effects, message: error.message ?? "")
    default:
      break
    }
  }

  private func foreignKeyDetails(of effects: StatementEffects, sql: String) throws -> String? {
    if effects.transaction == .commit || effects.transaction == .releaseSavepoint {
      return "a deferred foreign key: `checkForeignKeys()` identifies it before the commit"
    }
    var keys: [String] = []
    for kind in effects.kinds {
      for key in try foreignKeys(concernedBy: kind, replaces: sql.uppercased().contains("REPLACE"))
      where !keys.contains(key) { keys.append(key) }
    }
    switch keys.count {
    case 0: return nil
    case 1: return "foreign key \(keys[0])"
    default: return "one of the foreign keys \(keys.joined(separator: ", "))"
    }
  }

  private func foreignKeys(
    concernedBy kind: DatabaseEventKind, replaces: Bool
  ) throws -> [String] {
    let table = try schema.resolve(kind.tableName)
    let parents = { try self.schema.foreignKeys(from: table).map { (table.id.name, $0) } }
    let children = { try self.schema.foreignKeys(to: table) }
    let keys: [(table: String, key: ForeignKeyInfo)]
    switch kind {
    case .insert:
      keys = try parents() + (replaces ? children() : [])
    case .delete:
      keys = try children()
    case .update(_, let columns):
      let isUpdated = { (name: String) in columns.contains { $0.isSameIdentifier(as: name) } }
      keys =
        try parents().filter { $0.1.originColumns.contains(where: isUpdated) }
        + children().filter { $0.key.destinationColumns.contains(where: isUpdated) }
    }
    return keys.map { $0.key.description(from: $0.table) }
  }

  private func checkDetails(of effects: StatementEffects, message: String) throws -> String? {
    var checks: [String] = []
    for kind in effects.kinds {
      let table = try schema.resolve(kind.tableName)
      for check in CheckConstraint.all(in: table.sql ?? "")
      where message.hasSuffix(": \(check.reportedName)") {
        let text = "CHECK (\(check.condition)) of the table \(table.id.name)"
        if !checks.contains(text) { checks.append(text) }
      }
    }
    return checks.isEmpty ? nil : checks.joined(separator: ", or ")
  }

  /// Adds the way to refer to a selected value, which a table's name in front of it hides.
  func explainMissingColumn(_ error: inout DatabaseError, sql: String) {
    let prefix = "no such column: "
    guard let message = error.message, message.hasPrefix(prefix),
      let dot = message.lastIndex(of: ".")
    else { return }
    let name = String(message[message.index(after: dot)...])
    guard sql.contains(" AS \(name.quotedDatabaseIdentifier)") else { return }
    error.details = """
      \(name.quotedDatabaseIdentifier) is the name of a selected value, which belongs to no table: \
      Column("\(name)").detached
      """
  }
}

extension ForeignKeyInfo {
  func description(from table: String) -> String {
    "from \(table)(\(originColumns.joined(separator: ", "))) "
      + "to \(destinationTable)(\(destinationColumns.joined(separator: ", ")))"
  }
}
