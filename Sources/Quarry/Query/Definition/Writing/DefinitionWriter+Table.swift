extension DefinitionWriter {
  /// `CREATE TABLE "book" ("id" INTEGER PRIMARY KEY, "title" TEXT)`
  static func create(_ table: ResolvedTable, schema: any SchemaReader) throws -> String {
    try statement(schema) { try $0.write(table) }
  }

  private mutating func write(_ table: ResolvedTable) throws {
    writeCreate(
      "TABLE", isTemporary: table.options.contains(.temporary),
      ifNotExists: table.options.contains(.ifNotExists))
    buffer.append(table.createdName)
    buffer.append(" (")
    var isFirst = true
    for column in table.columns {
      separate(&isFirst)
      switch column {
      case .column(let column): try write(column)
      case .raw(let sql): try write(sql)
      }
    }
    if let (columns, conflict) = table.primaryKey {
      separate(&isFirst)
      write(key: "PRIMARY KEY (", columns)
      write(conflict)
    }
    for (columns, conflict) in table.uniqueKeys {
      separate(&isFirst)
      write(key: "UNIQUE (", columns)
      write(unlessDefault: conflict)
    }
    for (columns, reference) in table.foreignKeys {
      separate(&isFirst)
      write(key: "FOREIGN KEY (", columns)
      buffer.append(" ")
      write(reference)
    }
    for check in table.checks {
      separate(&isFirst)
      try write(check: check)
    }
    for constraint in table.constraints {
      separate(&isFirst)
      try write(constraint)
    }
    buffer.append(")")
    write(footerOf: table.options)
  }

  private mutating func separate(_ isFirst: inout Bool) {
    if !isFirst { buffer.append(", ") }
    isFirst = false
  }

  /// ` STRICT, WITHOUT ROWID`
  private mutating func write(footerOf options: TableOptions) {
    if options.contains(.strict) { buffer.append(" STRICT") }
    guard options.contains(.withoutRowID) else { return }
    buffer.append(options.contains(.strict) ? ", WITHOUT ROWID" : " WITHOUT ROWID")
  }

  /// `PRIMARY KEY ("bookId", "copy")`
  private mutating func write(key: StaticString, _ columns: [String]) {
    buffer.append(key)
    buffer.append(identifiers: columns)
    buffer.append(")")
  }
}
