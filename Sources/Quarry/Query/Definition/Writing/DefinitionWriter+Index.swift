extension DefinitionWriter {
  /// `CREATE UNIQUE INDEX "index_book_on_title" ON "book"("title") WHERE "year" > 1900`
  static func create(_ index: IndexModel, schema: any SchemaReader) throws -> String {
    try statement(schema) { writer in
      writer.writeCreate(
        index.options.contains(.unique) ? "UNIQUE INDEX" : "INDEX",
        ifNotExists: index.options.contains(.ifNotExists))
      writer.buffer.append(index.name)
      writer.buffer.append(" ON ")
      writer.buffer.append(identifier: index.table.name)
      writer.buffer.append("(")
      for (position, term) in index.terms.enumerated() {
        if position > 0 { writer.buffer.append(", ") }
        try writer.write(term)
      }
      writer.buffer.append(")")
      if let condition = index.condition {
        writer.buffer.append(" WHERE ")
        try writer.write(DefinitionSQL.expression(condition))
      }
    }
  }

  private mutating func write(_ term: IndexModel.Term) throws {
    switch term {
    case .column(let name): buffer.append(identifier: name)
    case .expression(let expression): try write(DefinitionSQL.expression(expression))
    }
  }
}
