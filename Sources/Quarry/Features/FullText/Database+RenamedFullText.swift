extension Database {
  /// Renames a table.
  ///
  /// ```swift
  /// // ALTER TABLE "book" RENAME TO "publication"
  /// try db.rename(table: "book", to: "publication")
  /// ```
  ///
  /// Full-text tables that are synchronized with the table are made again, for the new name, and so
  /// are those that the application fills: they index all rows of the table from then on.
  ///
  /// - throws: A ``DatabaseError``; ``InvalidRequest`` where a trigger of the application adds some
  ///   rows only, by its `WHEN`, to a full-text table over this one.
  public func rename(table name: String, to newName: String) throws {
    let table = try DefinitionName(name, schema)
    var newTable = try DefinitionName(newName, schema)
    if newTable.schema != nil, table.schema == nil {
      throw InvalidRequest("table \(table.sql) can't be moved to another schema: \(newTable.sql)")
    }
    try newTable.move(toSchemaOf: table)
    try renamingFollowers(of: table, to: newTable.name) {
      let newName = newTable.name.quotedDatabaseIdentifier
      try execute(sql: "ALTER TABLE \(table.sql) RENAME TO \(newName)")
    }
  }

  /// Renames a table, and its name where SQLite leaves it: as the content table of full-text
  /// tables, and as the column of a full-text table in the statements of its triggers.
  ///
  /// See <https://www.sqlite.org/lang_altertable.html#alter_table_rename>.
  private func renamingFollowers(
    of table: DefinitionName, to newName: String, _ rename: () throws -> Void
  ) throws {
    guard let id = try schema.tableID(table.lookUpName(of: table.name)) else { return try rename() }
    let indexes = try fullTextTables(over: id)
    let own = try FullTextTable(id, sql: schema.resolve(id.name, in: id.schemaID.name).sql)
    let ownSynchronization = try own.flatMap { try synchronization(of: $0) }
    if indexes.isEmpty, ownSynchronization == nil { return try rename() }
    try inSavepoint {
      let synchronizations: [FullTextSynchronization?] = try indexes.map { index in
        if let synchronization = try synchronization(of: index) { return synchronization }
        try checkIndexesAllRows(index, of: id, for: "renamed")
        return nil
      }
      for index in indexes { try dropTriggers(of: index) }
      if let own { try dropTriggers(of: own) }
      try rename()
      if let own { try ownSynchronization?.createTriggers(of: own.name.sibling(newName), in: self) }
      for (index, var synchronization) in zip(indexes, synchronizations) {
        try recreate(index, content: newName)
        synchronization?.contentName = newName
        try synchronization?.createTriggers(of: index.name, in: self)
        try index.execute("rebuild", in: self)
      }
      return .commit
    }
  }

  /// The synchronization of a table with its content table. Nil if there is none.
  private func synchronization(of table: FullTextTable) throws -> FullTextSynchronization? {
    guard let content = table.content, !content.isEmpty,
      try triggerExists("__\(table.name.name)_ai", in: (table.name.schema ?? .main).name)
    else { return nil }
    let columns = try columns(in: table.name.lookUpName(of: table.name.name)).map(\.name)
    let languages =
      table.engine == .fts4 ? table.module.option("languageid").map { [$0] } ?? [] : []
    return try FullTextSynchronization(
      table.engine, content: table.name.lookUpName(of: content), columns: columns + languages,
      VirtualTableConfiguration(isTemporary: false, ifNotExists: false, tableExists: true),
      in: self)
  }

  /// Throws where a trigger of the application indexes some rows only: an index that is made again
  /// has all of them. Rows that have no text in its only column are none of them.
  ///
  /// - parameter change: What can't be done with the table then, as a participle.
  package func checkIndexesAllRows(
    _ index: FullTextTable, of table: DatabaseObjectID, for change: String
  ) throws {
    let triggers = try readObjects(of: table.schemaID).filter { object in
      object.type == "trigger" && object.tableName.isSameIdentifier(as: table.name)
    }
    let columns = try columns(in: index.name.lookUpName(of: index.name.name)).map(\.name)
    for trigger in triggers {
      let items = SQLTokens.items(trigger.sql ?? "")
      let body = items.drop { !$0.isKeyword("BEGIN") }
      let head = items.dropLast(body.count)
      let condition = head.drop { !$0.isKeyword("WHEN") }
      if columns.count == 1, requiresText(condition, of: columns[0]) { continue }
      let inserts = zip(body, body.dropFirst()).contains { into, table in
        into.isKeyword("INTO") && table.name?.isSameIdentifier(as: index.name.name) == true
      }
      guard inserts, !condition.isEmpty, head.contains(where: { $0.isKeyword("INSERT") })
      else { continue }
      throw InvalidRequest(
        "table \(table.name) can't be \(change): its trigger \(trigger.name) adds some rows "
          + "only to the full-text table \(index.name.name), which would have all of them. Drop "
          + "both before, and create them afterwards")
    }
  }

  /// `WHEN new.title IS NOT NULL`
  private func requiresText(_ condition: ArraySlice<SQLItem>, of column: String) -> Bool {
    guard condition.count == 7, let name = condition.dropFirst(3).first?.name else { return false }
    let isNotNull = zip(condition.suffix(3), ["IS", "NOT", "NULL"]).allSatisfy { $0.isKeyword($1) }
    return isNotNull && name.isSameIdentifier(as: column)
  }

  private func recreate(_ table: FullTextTable, content: String) throws {
    let settings = try settings(of: table)
    try execute(sql: "DROP TABLE \(table.name.sql)")
    try execute(sql: table.module.creation(of: table.name.sql, content: content))
    for sql in settings { try execute(sql: sql) }
  }

  /// The statements that make the options which an FTS5 table remembers: `rank`, `automerge`,
  /// `pgsz`.
  ///
  /// See <https://www.sqlite.org/fts5.html#special_insert_commands>.
  package func settings(of table: FullTextTable) throws -> [String] {
    guard table.engine == .fts5 else { return [] }
    let config = table.shadow("config").sql
    let values = try String.fetchAll(
      self,
      sql: "SELECT quote(k) || ', ' || quote(v) FROM \(config) WHERE k <> 'version' ORDER BY k")
    return values.map { "INSERT INTO \(table.name.sql)(\(table.column), rank) VALUES (\($0))" }
  }
}
