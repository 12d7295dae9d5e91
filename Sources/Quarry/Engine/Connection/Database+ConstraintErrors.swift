// The messages of SQLite don't say which foreign key is violated, or in which table a check fails.
//
// See <https://www.sqlite.org/foreignkeys.html> and
// <https://www.sqlite.org/lang_createtable.html#check_constraints>.

extension Database {
  /// Adds what a statement has violated, or may have violated. SQLite has undone the statement.
  func explainConstraint(_ error: inout DatabaseError, of statement: Statement) {
    let message = error.message ?? ""
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_FOREIGNKEY:
      error.constraint = DatabaseError.Constraint(.foreignKey)
      try? explainForeignKey(&error, of: statement)
    case .SQLITE_CONSTRAINT_CHECK:
      error.addDetails(try? checkDetails(of: statement.effects, message: message))
      fallthrough
    default:
      error.constraint = ConstraintSearch(message, of: statement, in: self)
        .constraint(error.extendedResultCode)
    }
  }

  private func explainForeignKey(_ error: inout DatabaseError, of statement: Statement) throws {
    let effects = statement.effects
    if effects.isCommitOrRelease {
      return error.addDetails(
        "a deferred foreign key: `checkForeignKeys()` identifies it before the commit")
    }
    let replaces = mayResolveConflicts(of: statement, by: "REPLACE")
    var keys: [(table: String, key: ForeignKeyInfo)] = []
    for kind in effects.kinds { keys += try foreignKeys(concernedBy: kind, replaces: replaces) }
    if effects.isDropping {
      keys = try effects.alteredTables.flatMap {
        try schema.foreignKeys(to: schema.resolve($0.text))
      }
    }
    let constraints = Set(keys.map { schema.constraint($0.key, from: $0.table) })
    let tables = Set(constraints.map(\.table))
    error.constraint =
      constraints.count == 1
      ? constraints.first
      : DatabaseError.Constraint(.foreignKey, table: tables.count == 1 ? tables.first ?? nil : nil)
    error.addDetails(Self.foreignKeyDetails(keys, isDropping: effects.isDropping))
  }

  private static func foreignKeyDetails(
    _ keys: [(table: String, key: ForeignKeyInfo)], isDropping: Bool
  ) -> String? {
    var texts: [String] = []
    for (table, key) in keys {
      let text = key.description(from: table)
      if !texts.contains(text) { texts.append(text) }
    }
    let list = texts.joined(separator: ", ")
    if texts.isEmpty { return nil }
    if isDropping {
      return "a table that rows reference can't be dropped: delete the rows, or drop their table, "
        + "before: foreign key \(list)"
    }
    return texts.count == 1 ? "foreign key \(list)" : "one of the foreign keys \(list)"
  }

  private func foreignKeys(
    concernedBy kind: DatabaseEventKind, replaces: Bool
  ) throws -> [(table: String, key: ForeignKeyInfo)] {
    let table = try schema.resolve(kind.tableName)
    let parents = { try self.schema.foreignKeys(from: table).map { (table.id.name, $0) } }
    let children = { try self.schema.foreignKeys(to: table) }
    switch kind {
    case .insert: return try parents() + (replaces ? children() : [])
    case .delete: return try children()
    case .update(_, var columns):
      if columns.contains(DatabaseRegion.rowIDName),
        let column = try schema.primaryKey(of: table)?.rowIDColumn
      {
        columns.insert(column)
      }
      let isUpdated = { [columns] (name: String) in
        columns.contains { $0.isSameIdentifier(as: name) }
      }
      return try parents().filter { $0.1.originColumns.contains(where: isUpdated) }
        + children().filter { replaces || $0.key.destinationColumns.contains(where: isUpdated) }
    }
  }

  private func checkDetails(of effects: StatementEffects, message: String) throws -> String? {
    var checks: [String] = []
    for kind in effects.kinds {
      let table = try schema.resolve(kind.tableName)
      for check in DeclaredConstraint.checks(in: table.sql ?? "")
      where message.hasSuffix(": \(check.reportedName)") {
        let text = "CHECK (\(check.condition)) of the table \(table.id.name)"
        if !checks.contains(text) { checks.append(text) }
      }
    }
    return checks.isEmpty ? nil : checks.joined(separator: ", or ")
  }
}
