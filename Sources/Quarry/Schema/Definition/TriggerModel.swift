/// A trigger to create, as a value: `TriggerGenerator` makes its SQL.
struct TriggerModel {
  enum Step {
    case sql(DefinitionSQL)
    case insert(table: String, [ColumnAssignment], conflict: Database.ConflictResolution?)
    case insertRows(
      table: String, columns: [String], SQLSubquery, conflict: Database.ConflictResolution?)
    case update(Relation, [ColumnAssignment], conflict: Database.ConflictResolution?)
    case delete(Relation)
    case select(SQLSubquery)
    case raise(String, condition: SQLExpression?)
  }

  var name: String
  var timing: TriggerTiming
  var event: TriggerEvent
  var table: String
  var options: TriggerOptions
  var conditions: [DefinitionSQL] = []
  var steps: [Step] = []
  /// What makes the definition invalid: thrown by the generator.
  var fault: String?
}

/// Makes the statement that creates a trigger.
struct TriggerGenerator {
  private let trigger: TriggerModel
  private let name: DefinitionName
  private let table: DefinitionName
  private let isTemporary: Bool
  private let schema: any SchemaReader

  init(trigger: TriggerModel, schema: any SchemaReader) throws {
    var name = try DefinitionName(trigger.name, schema)
    var table = try DefinitionName(trigger.table, schema)
    // A temporary trigger is in the temporary schema, wherever its table is.
    isTemporary = trigger.options.contains(.temporary) || name.schema == .temp
    if !isTemporary {
      try name.move(toSchemaOf: table)
      table.schema = name.schema
    }
    self.trigger = trigger
    self.name = name
    self.table = table
    self.schema = schema
  }

  func sql() throws -> String {
    try checkDefinition()
    var sql = "CREATE "
    if trigger.options.contains(.temporary) { sql += "TEMPORARY " }
    sql += "TRIGGER "
    if trigger.options.contains(.ifNotExists) { sql += "IF NOT EXISTS " }
    sql += "\(name.sql) \(trigger.timing.rawValue) \(trigger.event.sql) ON "
    sql += isTemporary ? table.sql : table.name.quotedDatabaseIdentifier
    let conditions = try trigger.conditions.map { try $0.sql(schema) }
    switch conditions.count {
    case 0: break
    case 1: sql += " WHEN \(conditions[0])"
    default: sql += " WHEN \(conditions.map { "(\($0))" }.joined(separator: " AND "))"
    }
    let statements = try trigger.steps.map { try "    \(self.sql($0));\n" }
    return sql + " BEGIN\n\(statements.joined())END"
  }

  /// A statement that runs the trigger, if it were executed: compiling it compiles the trigger.
  func probeSQL() throws -> String {
    let table = table.sql
    switch trigger.event {
    case .insert:
      return "INSERT INTO \(table) DEFAULT VALUES"
    case .delete:
      return "DELETE FROM \(table)"
    case .update(let columns):
      let stored = try schema.columns(of: lookUpName).first { !$0.isGenerated }
      let name = (columns?.first ?? stored?.name ?? "").quotedDatabaseIdentifier
      return "UPDATE \(table) SET \(name) = \(name)"
    }
  }

  private var lookUpName: String { table.lookUpName(of: table.name) }

  private func checkDefinition() throws {
    if let fault = trigger.fault { throw invalid(fault) }
    if trigger.steps.isEmpty { throw invalid("a trigger needs at least one statement") }
    guard case .update(let columns?) = trigger.event else { return }
    if columns.isEmpty { throw invalid("UPDATE OF needs at least one column") }
    let tableColumns = try Set(schema.columnNames(of: lookUpName).map(\.identifierKey))
    if let unknown = columns.first(where: { !tableColumns.contains($0.identifierKey) }) {
      throw invalid("no such column in \(trigger.table): \(unknown)")
    }
  }

  private func invalid(_ message: String) -> InvalidRequest {
    InvalidRequest(message, request: "CREATE TRIGGER \(name.sql)")
  }

  private func sql(_ step: TriggerModel.Step) throws -> String {
    switch step {
    case .sql(let sql):
      return try sql.sql(schema).trimmedSQL
    case .insert(let table, let assignments, let conflict):
      return try insertSQL(table, assignments, conflict)
    case .insertRows(let table, let columns, let query, let conflict):
      let names = columns.isEmpty ? "" : " (\(columns.quotedDatabaseIdentifiers))"
      let rows = try SQLWriter.literalSQL(subquery: query, schema: schema)
      return "\(insertInto(table, conflict))\(names) \(rows)"
    case .update(let relation, let assignments, let conflict):
      return try SQLWriter.literalSQL(
        update: relation, assignments: assignments, conflictResolution: conflict?.rawValue,
        schema: schema)
    case .delete(let relation):
      return try SQLWriter.literalSQL(delete: relation, schema: schema)
    case .select(let query):
      return try SQLWriter.literalSQL(subquery: query, schema: schema)
    case .raise(let call, let condition):
      let filter = try condition.map { try " WHERE \(SQLWriter.literalSQL($0, schema: schema))" }
      return "SELECT \(call)\(filter ?? "")"
    }
  }

  private func insertSQL(
    _ table: String, _ assignments: [ColumnAssignment], _ conflict: Database.ConflictResolution?
  ) throws -> String {
    let assignments = assignments.filter { $0.value != nil }
    // Triggers have no DEFAULT VALUES.
    if assignments.isEmpty { throw invalid("an insertion into \(table) needs a value") }
    let values = try assignments.compactMap(\.value).map {
      try SQLWriter.literalSQL($0, schema: schema)
    }
    let columns = assignments.map(\.columnName).quotedDatabaseIdentifiers
    return "\(insertInto(table, conflict)) (\(columns)) VALUES (\(values.joined(separator: ", ")))"
  }

  private func insertInto(_ table: String, _ conflict: Database.ConflictResolution?) -> String {
    let resolution = conflict.map { " OR \($0.rawValue)" } ?? ""
    return "INSERT\(resolution) INTO \(table.quotedDatabaseIdentifier)"
  }
}
