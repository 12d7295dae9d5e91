import Quarry

/// A valid trigger, in its schema: ready to be written.
struct ResolvedTrigger {
  let model: TriggerModel
  let schema: any SchemaReader
  let name: DefinitionName
  let table: DefinitionName
  let isTemporary: Bool

  /// - Throws: `InvalidRequest` for what SQLite would not notice before the trigger runs.
  init(_ model: TriggerModel, schema: any SchemaReader) throws {
    var name = try DefinitionName(model.name, schema)
    var table = try DefinitionName(model.table, schema)
    // A temporary trigger is in the temporary schema, wherever its table is.
    isTemporary = model.options.contains(.temporary) || name.schema == .temp
    if !isTemporary {
      try name.move(toSchemaOf: table)
      table.schema = name.schema
    }
    self.model = model
    self.schema = schema
    self.name = name
    self.table = table
    try checkDefinition()
  }

  /// A statement that runs the trigger, if it were executed: compiling it compiles the trigger.
  func probeSQL() throws -> String {
    guard case .update(let columns) = model.event else {
      return model.event.probeSQL(of: table.sql)
    }
    let stored = try tableColumns().first { !$0.isGenerated }
    return model.event.probeSQL(of: table.sql, updating: [columns?.first ?? stored?.name ?? ""])
  }

  private func tableColumns() throws -> [ColumnInfo] {
    try schema.columns(of: table.lookUpName(of: table.name))
  }

  private func checkDefinition() throws {
    if let fault = model.fault { throw invalid(fault) }
    if model.steps.isEmpty { throw invalid("a trigger needs at least one statement") }
    try checkColumns()
    for case .insert(let table, let assignments, _) in model.steps
    where !assignments.contains(where: { $0.value != nil }) {
      // Triggers have no DEFAULT VALUES.
      throw invalid("an insertion into \(table) needs a value")
    }
  }

  private func checkColumns() throws {
    guard case .update(let columns?) = model.event else { return }
    if columns.isEmpty { throw invalid("UPDATE OF needs at least one column") }
    let known = try Set(tableColumns().map(\.name.identifierKey))
    if let unknown = columns.first(where: { !known.contains($0.identifierKey) }) {
      throw invalid("no such column in \(model.table): \(unknown)")
    }
  }

  private func invalid(_ message: String) -> InvalidRequest {
    InvalidRequest(message, request: "CREATE TRIGGER \(name.sql)")
  }
}
