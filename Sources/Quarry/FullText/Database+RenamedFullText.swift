extension Database {
  /// Renames a table, and its name where SQLite leaves it: as the content table of full-text tables, and as the column of a
  /// full-text table in the statements of its triggers.
  ///
  /// See <https://www.sqlite.org/lang_altertable.html#alter_table_rename>.
  func renameFollowedByFullText(
    _ table: DefinitionName, to newName: String, _ rename: () throws -> Void
  ) throws {
    guard let id = try schema.tableID(table.lookUpName(of: table.name)) else { return try rename() }
    let indexes = try externalFullTextTables(in: id.schemaID).filter {
      $0.content?.isSameIdentifier(as: id.name) == true
    }
    let own = try FullTextTable(id, sql: schema.resolve(id.name, in: id.schemaID.name).sql)
    let ownSynchronization = try own.flatMap { try synchronization(of: $0) }
    if indexes.isEmpty, ownSynchronization == nil { return try rename() }
    try inSavepoint {
      let synchronizations = try indexes.map { try synchronization(of: $0) }
      for index in indexes { try dropTriggers(of: index) }
      if let own { try dropTriggers(of: own) }
      try rename()
      if let own { try ownSynchronization?.createTriggers(of: own.name.sibling(newName), in: self) }
      for (index, synchronization) in zip(indexes, synchronizations) {
        try recreate(index, content: newName)
        try synchronization?.following(newName).createTriggers(of: index.name, in: self)
        try index.execute("rebuild", in: self)
      }
      return .commit
    }
  }

  /// The synchronization of a table with its content table. Nil if there is none.
  private func synchronization(of table: FullTextTable) throws -> FullTextSynchronization? {
    guard let engine = table.synchronizationEngine, let content = table.content, !content.isEmpty,
      try triggerExists("__\(table.name.name)_ai", in: (table.name.schema ?? .main).name)
    else { return nil }
    let columns = try columns(in: table.name.lookUpName(of: table.name.name)).map(\.name)
    let languages =
      table.engine == .fts4 ? table.module.option("languageid").map { [$0] } ?? [] : []
    return try FullTextSynchronization(
      engine, content: table.name.lookUpName(of: content), columns: columns + languages,
      VirtualTableConfiguration(isTemporary: false, ifNotExists: false, tableExists: true),
      in: self)
  }

  private func recreate(_ table: FullTextTable, content: String) throws {
    let arguments = table.module.replacing(option: "content", by: content.fullTextLiteral)
    try execute(sql: "DROP TABLE \(table.name.sql)")
    try execute(
      sql: """
        CREATE VIRTUAL TABLE \(table.name.sql) \
        USING \(table.engine.rawValue)(\(arguments.joined(separator: ", ")))
        """)
  }
}
