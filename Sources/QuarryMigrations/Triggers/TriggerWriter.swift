extension DefinitionWriter {
  /// `CREATE TRIGGER "count" AFTER INSERT ON "book" BEGIN … END`
  static func create(_ trigger: ResolvedTrigger, schema: any SchemaReader) throws -> String {
    try statement(schema) { try $0.write(trigger) }
  }

  private mutating func write(_ trigger: ResolvedTrigger) throws {
    let model = trigger.model
    writeCreate(
      "TRIGGER", isTemporary: model.options.contains(.temporary),
      ifNotExists: model.options.contains(.ifNotExists))
    buffer.append(trigger.name)
    buffer.append(" ")
    buffer.append(text: model.timing.rawValue)
    write(model.event)
    buffer.append(" ON ")
    buffer.append(trigger.isTemporary ? trigger.table : trigger.table.withoutSchema)
    try write(conditions: model.conditions)
    buffer.append(" BEGIN\n")
    for step in model.steps {
      buffer.append("    ")
      try write(step)
      buffer.append(";\n")
    }
    buffer.append("END")
  }

  private mutating func write(_ event: TriggerEvent) {
    switch event {
    case .insert: buffer.append(" INSERT")
    case .delete: buffer.append(" DELETE")
    case .update(nil): buffer.append(" UPDATE")
    case .update(let columns?):
      buffer.append(" UPDATE OF ")
      buffer.append(identifiers: columns)
    }
  }

  private mutating func write(conditions: [DefinitionSQL]) throws {
    guard conditions.count > 1 else {
      guard let condition = conditions.first else { return }
      buffer.append(" WHEN ")
      return try write(condition)
    }
    for (index, condition) in conditions.enumerated() {
      buffer.append(index == 0 ? " WHEN (" : " AND (")
      try write(condition)
      buffer.append(")")
    }
  }

  private mutating func write(_ step: TriggerModel.Step) throws {
    switch step {
    case .sql(let sql):
      try buffer.append(text: Self.statement(schema) { try $0.write(sql) }.trimmedSQL)
    case .insert(let table, let assignments, let conflict):
      writeInsertion(into: table, conflict?.rawValue)
      try write(inserted: assignments)
    case .insertRows(let table, let columns, let query, let conflict):
      writeInsertion(into: table, conflict?.rawValue)
      write(insertedColumns: columns)
      try buffer.append(text: SQLWriter.literalSQL(subquery: query, schema: schema))
    case .update(let relation, let assignments, let conflict):
      try buffer.append(
        text: SQLWriter.literalSQL(
          update: relation, assignments: assignments, conflictResolution: conflict?.rawValue,
          schema: schema))
    case .delete(let relation):
      try buffer.append(text: SQLWriter.literalSQL(delete: relation, schema: schema))
    case .select(let query):
      try buffer.append(text: SQLWriter.literalSQL(subquery: query, schema: schema))
    case .raise(let call, let condition):
      buffer.append("SELECT ")
      buffer.append(text: call)
      guard let condition else { return }
      buffer.append(" WHERE ")
      try write(condition)
    }
  }

  /// `INSERT OR IGNORE INTO "log" `
  private mutating func writeInsertion(into table: String, _ conflict: String?) {
    buffer.append("INSERT ")
    if let conflict {
      buffer.append("OR ")
      buffer.append(text: conflict)
      buffer.append(" ")
    }
    buffer.append("INTO ")
    buffer.append(identifier: table)
    buffer.append(" ")
  }

  private mutating func write(insertedColumns columns: [String]) {
    guard !columns.isEmpty else { return }
    buffer.append("(")
    buffer.append(identifiers: columns)
    buffer.append(") ")
  }

  private mutating func write(inserted assignments: [ColumnAssignment]) throws {
    let assignments = assignments.filter { $0.value != nil }
    write(insertedColumns: assignments.map(\.columnName))
    buffer.append("VALUES (")
    for (index, value) in assignments.compactMap(\.value).enumerated() {
      if index > 0 { buffer.append(", ") }
      try write(value)
    }
    buffer.append(")")
  }
}

extension DefinitionWriter {
  /// A statement that runs the triggers of an event, if it were executed: compiling it compiles the
  /// triggers.
  ///
  /// - parameter columns: the columns that are set to themselves by an update.
  static func probe(
    _ event: TriggerEvent, of table: DefinitionName, updating columns: [String] = []
  ) -> String {
    var buffer = SQLBuffer()
    switch event {
    case .insert:
      buffer.append("INSERT INTO ")
      buffer.append(table)
      buffer.append(" DEFAULT VALUES")
    case .delete:
      buffer.append("DELETE FROM ")
      buffer.append(table)
    case .update:
      buffer.append("UPDATE ")
      buffer.append(table)
      for (index, column) in columns.enumerated() {
        buffer.append(index == 0 ? " SET " : ", ")
        buffer.append(identifier: column)
        buffer.append(" = ")
        buffer.append(identifier: column)
      }
    }
    return buffer.string
  }
}
