/// The triggers by which a full-text table follows the rows of another table.
///
/// The names of the triggers are those of GRDB, and so is their SQL: databases that either library
/// has made open in the other one.
///
/// See <https://www.sqlite.org/fts5.html#external_content_tables>.
struct FullTextSynchronization {
  let engine: FullTextTable.Engine
  /// The table that is indexed, by the name that the caller gives to it.
  let content: String
  /// The name of the content table in its schema, which may get another one.
  var contentName: String
  /// The columns that are indexed.
  let columns: [String]
  /// The name of the rowid of the content table in SQL. Another one than `rowid` needs
  /// `content_rowid`.
  let rowID: String
  /// `rowid` designates the rowid of the content table, as that of most tables.
  let isKeyedByRowID: Bool
  /// - parameter languageIDs: The columns that are no texts. Without others, all columns of the
  ///   content table are indexed.
  init(
    _ engine: FullTextTable.Engine, content: String, columns: [String], languageIDs: [String] = [],
    _ configuration: VirtualTableConfiguration, in db: Database
  ) throws {
    if configuration.isTemporary {
      let name = engine.rawValue.uppercased()
      throw InvalidRequest("Temporary external content \(name) tables are not supported.")
    }
    let key = try db.primaryKey(content)
    guard let rowID = key.rowIDColumn ?? key.rowIDName else {
      throw InvalidRequest("table \(content) can't be indexed: it has no rowid")
    }
    let names = try db.columns(in: content).map(\.name)
    if let unknown = columns.first(where: { column in
      !names.contains { $0.isSameIdentifier(as: column) }
    }) {
      throw InvalidRequest("table \(content) can't be indexed: it has no column \(unknown)")
    }
    self.engine = engine
    self.content = content
    contentName = try DefinitionName(content, db.schema).name
    self.columns = columns.allSatisfy(languageIDs.contains) ? names : columns
    self.rowID = rowID
    isKeyedByRowID = key.rowIDName == "rowid" || key.rowIDColumn?.lowercased() == "rowid"
  }
}

// From then on, the table is in step.
extension FullTextSynchronization {
  /// Creates the triggers, and indexes the rows that the content table has.
  ///
  /// A table that existed is left as it is, unless it lacks triggers.
  func start(in db: Database, table name: String, configuration: VirtualTableConfiguration) throws {
    let name = try DefinitionName(name, db.schema)
    try checkSchema(of: name, in: db)
    let table = try qualified(name, in: db)
    var triggers = triggers(of: table, ifNotExists: configuration.ifNotExists)
    if configuration.ifNotExists {
      let schemaName = (table.schema ?? .main).name
      if configuration.tableExists {
        try triggers.removeAll { try db.triggerExists($0.name, in: schemaName) }
        if triggers.isEmpty { return }
      } else {
        // They may belong to a former table with other columns, or of the other engine.
        for suffix in [FullTextTable.Engine.fts4, .fts5].flatMap(\.triggerSuffixes) {
          let trigger = table.sibling("__\(table.name)_\(suffix)")
          guard try db.triggerExists(trigger.name, in: schemaName) else { continue }
          try db.execute(sql: "DROP TRIGGER \(trigger.sql)")
        }
      }
    }
    for trigger in triggers { try db.execute(sql: trigger.sql) }
    let column = table.name.quotedDatabaseIdentifier
    try db.execute(sql: "INSERT INTO \(table.sql)(\(column)) VALUES('rebuild')")
  }

  /// Creates the triggers only.
  func createTriggers(of table: DefinitionName, in db: Database) throws {
    let table = try qualified(table, in: db)
    for trigger in triggers(of: table, ifNotExists: false) { try db.execute(sql: trigger.sql) }
  }

  /// The name with its schema, where a temporary table has the name of the content table: SQLite
  /// would take a trigger without schema for a temporary one, of that table.
  private func qualified(_ table: DefinitionName, in db: Database) throws -> DefinitionName {
    guard table.schema == nil,
      try db.tableExists(contentName, in: "temp") || db.viewExists(contentName, in: "temp")
    else { return table }
    return DefinitionName(schema: .main, name: table.name)
  }

  /// The content table is looked for in the schema of the full-text table, and triggers don't leave
  /// it either.
  private func checkSchema(of table: DefinitionName, in db: Database) throws {
    let contentSchema = try db.schema.tableID(content)?.schemaID
    guard let contentSchema, contentSchema != table.schema ?? .main else { return }
    throw InvalidRequest(
      "\(table.sql) can't be synchronized with \(content), which is in schema \(contentSchema.name)"
    )
  }
}

extension FullTextTable.Engine {
  /// The endings of the names of triggers, in the order of their creation.
  fileprivate var triggerSuffixes: [String] {
    switch self {
    case .fts3: []
    case .fts4: ["bu", "bd", "au", "ai"]
    case .fts5: ["ai", "ad", "au"]
    }
  }
}

// See section 4.4.3 of the page of FTS5, and section 6.2.2 of that of FTS3 and FTS4.
extension FullTextSynchronization {
  private func triggers(
    of table: DefinitionName, ifNotExists: Bool
  ) -> [(name: String, sql: String)] {
    engine.triggerSuffixes.map { suffix in
      let name = "__\(table.name)_\(suffix)"
      let (event, statements) = body(of: suffix, for: table.name.quotedDatabaseIdentifier)
      let create = ifNotExists ? "CREATE TRIGGER IF NOT EXISTS" : "CREATE TRIGGER"
      let lines = statements.map { "    \($0);\n" }.joined()
      let target = contentName.quotedDatabaseIdentifier
      return (name, "\(create) \(table.sibling(name).sql) \(event) ON \(target) BEGIN\n\(lines)END")
    }
  }

  private func body(of suffix: String, for table: String) -> (event: String, statements: [String]) {
    let insertion: String
    let deletion: String
    if engine == .fts5 {
      insertion = "INSERT INTO \(table)(\(list("rowid"))) VALUES (\(values("new")))"
      deletion =
        "INSERT INTO \(table)(\(table), \(list("rowid"))) VALUES('delete', \(values("old")))"
    } else {
      insertion = "INSERT INTO \(table)(\(list("docid"))) VALUES(\(values("new")))"
      deletion = "DELETE FROM \(table) WHERE docid=old.\(rowID.quotedDatabaseIdentifier)"
    }
    return switch suffix {
    case "bu": ("BEFORE UPDATE", [deletion])
    case "bd": ("BEFORE DELETE", [deletion])
    case "ad": ("AFTER DELETE", [deletion])
    case "au": ("AFTER UPDATE", engine == .fts5 ? [deletion, insertion] : [insertion])
    default: ("AFTER INSERT", [insertion])
    }
  }

  private func list(_ key: String) -> String { ([key] + columns).quotedDatabaseIdentifiers }

  /// `new."id", new."title"`
  private func values(_ row: String) -> String {
    ([rowID] + columns).map { "\(row).\($0.quotedDatabaseIdentifier)" }.joined(separator: ", ")
  }
}

extension Database {
  /// Drops the triggers that keep an FTS4 table in step with its content table. They stay when the
  /// table is dropped.
  ///
  /// ```swift
  /// try db.drop(table: "bookIndex")
  /// try db.dropFTS4SynchronizationTriggers(forTable: "bookIndex")
  /// ```
  ///
  /// `dropFullTextTable(_:)` of the product `QuarryTables` drops both.
  ///
  /// - parameter tableName: The name of the full-text table.
  /// - throws: A ``DatabaseError``.
  public func dropFTS4SynchronizationTriggers(forTable tableName: String) throws {
    try dropSynchronizationTriggers(.fts4, of: DefinitionName(tableName, schema))
  }

  /// Drops the triggers that keep an FTS5 table in step with its content table. They stay when the
  /// table is dropped.
  ///
  /// ```swift
  /// try db.drop(table: "bookIndex")
  /// try db.dropFTS5SynchronizationTriggers(forTable: "bookIndex")
  /// ```
  ///
  /// `dropFullTextTable(_:)` of the product `QuarryTables` drops both.
  ///
  /// - parameter tableName: The name of the full-text table.
  /// - throws: A ``DatabaseError``.
  public func dropFTS5SynchronizationTriggers(forTable tableName: String) throws {
    try dropSynchronizationTriggers(.fts5, of: DefinitionName(tableName, schema))
  }

  func dropSynchronizationTriggers(
    _ engine: FullTextTable.Engine, of table: DefinitionName
  ) throws {
    for suffix in engine.triggerSuffixes {
      let trigger = table.sibling("__\(table.name)_\(suffix)")
      try execute(sql: "DROP TRIGGER IF EXISTS \(trigger.sql)")
    }
  }
}
