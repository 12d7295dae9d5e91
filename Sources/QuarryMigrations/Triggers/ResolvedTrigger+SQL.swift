import Quarry

extension ResolvedTrigger {
  /// `CREATE TRIGGER "count" AFTER INSERT ON "book" BEGIN … END`. Values are SQL literals.
  func sql() throws -> String {
    let prefix = model.options.contains(.temporary) ? "CREATE TEMPORARY TRIGGER" : "CREATE TRIGGER"
    let name = (model.options.contains(.ifNotExists) ? "IF NOT EXISTS " : "") + name.sql
    let table = (isTemporary ? table : table.withoutSchema).sql
    let steps = try model.steps.map { try "    \(sql($0));\n" }.joined()
    let event = "\(model.timing.rawValue) \(model.event.sql) ON \(table)"
    return try "\(prefix) \(name) \(event)\(condition()) BEGIN\n\(steps)END"
  }

  private func condition() throws -> String {
    let texts = try model.conditions.map { try $0.text(schema) }
    return switch texts.count {
    case 0: ""
    case 1: " WHEN \(texts[0])"
    default: " WHEN " + texts.map { "(\($0))" }.joined(separator: " AND ")
    }
  }

  private func sql(_ step: TriggerModel.Step) throws -> String {
    switch step {
    case .sql(let sql): try statements(sql)
    case .insert(let table, let assignments, let conflict):
      try insertion(into: table, conflict) + values(assignments)
    case .insertRows(let table, let columns, let query, let conflict):
      try insertion(into: table, conflict) + list(columns)
        + SQLWriter.literalSQL(subquery: query, schema: schema)
    case .update(let relation, let assignments, let conflict):
      try SQLWriter.write(
        update: relation, assignments: assignments, conflictResolution: conflict?.rawValue,
        returning: nil, in: PlanningContext(ofTrigger: schema), mode: .literals
      ).sql
    case .delete(let relation):
      try SQLWriter.write(
        delete: relation, returning: nil, in: PlanningContext(ofTrigger: schema), mode: .literals
      ).sql
    case .select(let query): try SQLWriter.literalSQL(subquery: query, schema: schema)
    case .raise(let call, let condition):
      try "SELECT \(call)"
        + (condition.map { try " WHERE \(SQL($0).text(schema))" } ?? "")
    }
  }

  /// Without the last semicolon, which comments may follow.
  private func statements(_ sql: SQL) throws -> String {
    let text = try sql.text(schema).trimmedSQL
    var bytes = Array(text.utf8)
    if let last = SQLLexer.tokens(ofSchema: text).last, last.isOne(of: ";") {
      bytes.removeSubrange(last.range)
    }
    return try SQL(sql: String(decoding: bytes, as: UTF8.self)).text(schema)
  }

  /// `INSERT OR IGNORE INTO "log" `
  private func insertion(into table: String, _ conflict: Database.ConflictResolution?) -> String {
    let alternative = conflict.map { "OR \($0.rawValue) " } ?? ""
    return "INSERT \(alternative)INTO \(table.quotedDatabaseIdentifier) "
  }

  /// `("text", "date") VALUES ("NEW"."title", CURRENT_DATE)`
  private func values(_ assignments: [ColumnAssignment]) throws -> String {
    let assignments = assignments.filter { $0.value != nil }
    let values = try assignments.compactMap(\.value).map { try SQL($0).text(schema) }
    return "\(list(assignments.map(\.columnName)))VALUES (\(values.joined(separator: ", ")))"
  }

  /// `("text", "date") `, or nothing.
  private func list(_ columns: [String]) -> String {
    columns.isEmpty ? "" : "(\(columns.quotedDatabaseIdentifiers)) "
  }
}

extension TriggerEvent {
  /// `UPDATE OF "title"`
  fileprivate var sql: String {
    switch self {
    case .insert: "INSERT"
    case .delete: "DELETE"
    case .update(nil): "UPDATE"
    case .update(let columns?): "UPDATE OF \(columns.quotedDatabaseIdentifiers)"
    }
  }

  /// A statement that runs the triggers of the event, if it were executed: compiling it compiles
  /// the triggers.
  ///
  /// - parameter table: The table as SQL.
  /// - parameter columns: The columns that an update sets to themselves.
  func probeSQL(of table: String, updating columns: [String] = []) -> String {
    switch self {
    case .insert: "INSERT INTO \(table) DEFAULT VALUES"
    case .delete: "DELETE FROM \(table)"
    case .update:
      "UPDATE \(table) SET "
        + columns.map(\.quotedDatabaseIdentifier).map { "\($0) = \($0)" }.joined(separator: ", ")
    }
  }
}
