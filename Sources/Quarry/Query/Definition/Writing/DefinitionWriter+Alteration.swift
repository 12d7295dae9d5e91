extension DefinitionWriter {
  /// `ALTER TABLE "book" ADD COLUMN "pages" INTEGER`
  static func alter(
    _ table: DefinitionName, _ change: ResolvedChange, schema: any SchemaReader
  ) throws -> String {
    try statement(schema) { writer in
      writer.buffer.append("ALTER TABLE ")
      writer.buffer.append(table)
      switch change {
      case .add(let column):
        writer.buffer.append(" ADD COLUMN ")
        try writer.write(column)
      case .addRaw(let sql):
        writer.buffer.append(" ADD COLUMN ")
        try writer.write(sql)
      case .rename(let name, let newName):
        writer.buffer.append(" RENAME COLUMN ")
        writer.buffer.append(identifier: name)
        writer.buffer.append(" TO ")
        writer.buffer.append(identifier: newName)
      case .drop(let name):
        writer.buffer.append(" DROP COLUMN ")
        writer.buffer.append(identifier: name)
      }
    }
  }

  /// `ALTER TABLE "archive"."book" RENAME TO "oldBook"`
  static func rename(_ table: DefinitionName, to newName: String) -> String {
    var buffer = SQLBuffer()
    buffer.append("ALTER TABLE ")
    buffer.append(table)
    buffer.append(" RENAME TO ")
    buffer.append(identifier: newName)
    return buffer.string
  }

  /// `INSERT OR ABORT INTO "new" ("id", "title") SELECT "id", upper("title") FROM "book"`
  ///
  /// `OR ABORT` overrides the `ON CONFLICT` clauses of constraints, which would drop rows.
  static func copy(
    _ values: [(column: String, DefinitionSQL)], from table: String, to newTable: String,
    schema: any SchemaReader
  ) throws -> String {
    try statement(schema) { writer in
      writer.buffer.append("INSERT OR ABORT INTO ")
      writer.buffer.append(identifier: newTable)
      writer.buffer.append(" (")
      writer.buffer.append(identifiers: values.map(\.column))
      writer.buffer.append(") SELECT ")
      for (index, value) in values.enumerated() {
        if index > 0 { writer.buffer.append(", ") }
        try writer.write(value.1)
      }
      writer.buffer.append(" FROM ")
      writer.buffer.append(identifier: table)
    }
  }
}
