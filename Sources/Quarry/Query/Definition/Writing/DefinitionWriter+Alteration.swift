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
}
