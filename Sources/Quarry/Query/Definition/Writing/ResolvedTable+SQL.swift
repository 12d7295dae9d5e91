extension ResolvedTable {
  /// `CREATE TABLE "book" ("id" INTEGER PRIMARY KEY, "title" TEXT) STRICT`
  func sql(_ schema: any SchemaReader) throws -> String {
    var parts = try columns.map { try $0.sql(schema) }
    if let (columns, conflict) = primaryKey {
      parts.append("PRIMARY KEY (\(columns.quotedDatabaseIdentifiers))\(conflict.sql)")
    }
    for (columns, conflict) in uniqueKeys {
      parts.append("UNIQUE (\(columns.quotedDatabaseIdentifiers))\(conflict.sqlUnlessDefault)")
    }
    for (columns, reference) in foreignKeys {
      parts.append("FOREIGN KEY (\(columns.quotedDatabaseIdentifiers)) \(reference.sql)")
    }
    parts += try checks.map { try "CHECK (\($0.text(schema)))" }
    parts += try constraints.map { try $0.text(schema) }
    let creation = createdName.creation(
      of: "TABLE", isTemporary: options.contains(.temporary),
      ifNotExists: options.contains(.ifNotExists))
    return "\(creation) (\(parts.joined(separator: ", ")))\(options.sql)"
  }
}

extension ResolvedTable.Column {
  fileprivate func sql(_ schema: any SchemaReader) throws -> String {
    switch self {
    case .column(let column): try column.sql(schema)
    case .raw(let sql): try sql.text(schema)
    }
  }
}

extension TableOptions {
  /// ` STRICT, WITHOUT ROWID`, or nothing.
  fileprivate var sql: String {
    switch (contains(.strict), contains(.withoutRowID)) {
    case (true, true): " STRICT, WITHOUT ROWID"
    case (true, false): " STRICT"
    case (false, true): " WITHOUT ROWID"
    case (false, false): ""
    }
  }
}
