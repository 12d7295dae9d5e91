extension DefinitionWriter {
  /// `CREATE VIEW "novel" ("id", "title") AS SELECT …`
  static func create(
    view name: DefinitionName, options: ViewOptions, columns: [String]?, body: String,
    schema: any SchemaReader
  ) -> String {
    statement(schema) { writer in
      writer.writeCreate(
        "VIEW", isTemporary: options.contains(.temporary),
        ifNotExists: options.contains(.ifNotExists))
      writer.buffer.append(name)
      if let columns {
        writer.buffer.append(" (")
        writer.buffer.append(identifiers: columns)
        writer.buffer.append(")")
      }
      writer.buffer.append(" AS ")
      writer.buffer.append(text: body)
    }
  }

  /// `CREATE VIRTUAL TABLE "document" USING fts5(content)`
  static func create(
    virtualTable name: DefinitionName, options: VirtualTableOptions, module: String,
    schema: any SchemaReader
  ) -> String {
    statement(schema) { writer in
      writer.writeCreate("VIRTUAL TABLE", ifNotExists: options.contains(.ifNotExists))
      // There is no TEMPORARY keyword for virtual tables.
      if options.contains(.temporary) { writer.buffer.append("temp.") }
      writer.buffer.append(options.contains(.temporary) ? name.withoutSchema : name)
      writer.buffer.append(" USING ")
      writer.buffer.append(text: module)
    }
  }
}
