import CSQLite
import Quarry

/// The version of the schema that the shadow has.
struct ShadowVersion {
  /// The version at the node. Nil if the shadow must be made anew.
  var version: Int64?
  var versionAtBegin: Int64?
  /// Raised with each change.
  private(set) var generation = 0
  /// Whether the present transaction changes the schema.
  var changes = false

  mutating func didChange(_ version: Int64?) {
    self.version = version
    generation += 1
  }
}

extension ClusterEngine {
  /// Notes the version after a change of the schema by this connection.
  func noteSchemaVersion() throws {
    schema.didChange(try schemaVersion())
    schema.changes = true
  }

  /// Makes the schema of the shadow anew.
  func copySchema(_ version: Int64) throws {
    guard !db.hasRunningStatements else {
      throw DatabaseError(
        resultCode: .SQLITE_SCHEMA,
        message: "the schema was changed by another client while rows are read: read them in one "
          + "transaction")
    }
    let script = try sql { try SchemaScript(connection) }
    try changeShadow { shadow in
      let triggers = try shadow.texts(
        "SELECT sql FROM sqlite_temp_master WHERE type = 'trigger'")
      try shadow.dropAll(in: "main")
      for statement in script.statements { try shadow.execute(statement) }
      // Triggers of the connection went with the tables of the database.
      for trigger in triggers { try? shadow.execute(trigger) }
    }
    schema.didChange(version)
    db.schemaDidChange()
  }

  func dropTemporaryObjects() throws { try changeShadow { try $0.dropAll(in: "temp") } }

  /// Undoes pragmas that are refused: SQLite has executed them when it compiled them, and compiles
  /// other columns since. `query_only` is for the node.
  func resetPragmas() {
    executeOnShadow(
      """
      PRAGMA full_column_names = OFF; PRAGMA short_column_names = ON; PRAGMA count_changes = OFF;
      PRAGMA writable_schema = OFF; PRAGMA query_only = OFF
      """)
  }

  /// Gives the shadow the value of a pragma that the node has, or that the preparation gives it:
  /// SQLite has executed another one when it compiled it, and compiles without the actions of
  /// foreign keys since, or refuses to write.
  func restorePragma(_ name: String) {
    let isOnByDefault = ["automatic_index", "trusted_schema"].contains(name)
    executeOnShadow(
      (isPrepared ? pragmas[name] : nil) ?? preparedPragmas[name]
        ?? "PRAGMA \(name) = \(isOnByDefault ? "ON" : "OFF")")
  }

  private func executeOnShadow(_ pragmas: String) { try? onShadow { try $0.execute(pragmas) } }

  /// The value that a statement gives to a pragma, which the shadow has afterwards.
  func shadowValue(of pragma: String, after sql: String) -> String? {
    try? onShadow { shadow in
      try? shadow.execute(sql)
      return try shadow.texts("PRAGMA \(pragma)").first
    }
  }

  /// Changes the schema of the shadow alone.
  private func changeShadow(_ body: (Shadow) throws -> Void) throws {
    resetPragmas()
    try onShadow { shadow in
      try db.ignoringInterruptions {
        try shadow.execute("BEGIN")
        do {
          try body(shadow)
          try shadow.execute("COMMIT")
        } catch {
          try? shadow.execute("ROLLBACK")
          throw error
        }
      }
    }
  }

  /// Uses the shadow alone: neither the node nor observers are concerned, and no trace shows it.
  private func onShadow<T>(_ body: (Shadow) throws -> T) throws -> T {
    isCopyingSchema = true
    defer { isCopyingSchema = false }
    return try body(unsafe Shadow(connection: db.requireConnection()))
  }
}

/// The statements that make the schema of a database.
private struct SchemaScript {
  private(set) var statements: [String] = []

  init(_ connection: LeaderConnection) throws {
    // The tables in which virtual tables keep their content are made with them.
    let shadowTables = try connection.rows(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")
    let names = Set(shadowTables.compactMap { String.fromDatabaseValue($0[0]) })
    let objects = try connection.rows(
      """
      SELECT name, sql FROM main.sqlite_master WHERE sql IS NOT NULL
      ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'view' THEN 2 WHEN 'index' THEN 3 ELSE 4 END, rowid
      """)
    for object in objects {
      guard let name = String.fromDatabaseValue(object[0]), !names.contains(name),
        let sql = String.fromDatabaseValue(object[1])
      else { continue }
      if name.hasPrefix("sqlite_stat") {
        statements.append("ANALYZE main.sqlite_master")
      } else if !name.hasPrefix("sqlite_") {
        statements.append(sql)
      }
    }
  }
}

/// The SQLite of a connection, which has the schema of a database at the nodes, and no rows.
@safe private struct Shadow {
  let connection: SQLiteConnection

  func execute(_ sql: String) throws {
    let code = withDoubleQuotedTexts { unsafe sqlite3_exec(connection, sql, nil, nil, nil) }
    guard code == SQLITE_OK else { throw error(sql) }
  }

  /// SQLite accepts the old schemas that it has written, with texts in double quotes.
  private func withDoubleQuotedTexts<T>(_ body: () -> T) -> T {
    _ = unsafe quarry_db_config_int(connection, SQLITE_DBCONFIG_DQS_DDL, 1)
    defer { _ = unsafe quarry_db_config_int(connection, SQLITE_DBCONFIG_DQS_DDL, 0) }
    return body()
  }

  private func error(_ sql: String) -> ClusterError {
    let message = unsafe DatabaseError.message(of: connection) ?? ""
    return ClusterError(
      .schema,
      "the schema of the nodes can't be compiled on this machine: \(message) - while executing "
        + "`\(sql)`")
  }

  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
      throw error(sql)
    }
    defer { unsafe sqlite3_finalize(statement) }
    var texts: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      if let text = unsafe sqlite3_column_text(statement, 0) {
        unsafe texts.append(String(cString: text))
      }
    }
    return texts
  }

  /// Drops all objects of a schema.
  func dropAll(in schema: String) throws {
    let table = schema == "temp" ? "sqlite_temp_master" : "sqlite_master"
    for step in DropStep.all {
      for name in try texts("SELECT name FROM \(table) WHERE \(step.condition)") {
        try execute(step.statement(name, in: schema))
      }
    }
  }
}

/// Drops some objects of a schema.
private struct DropStep {
  let kind: String
  /// The objects in the table of the schema.
  let condition: String

  /// Triggers and views, then virtual tables with those that have their content, then the others.
  static let all = [
    DropStep(kind: "TRIGGER", condition: "type = 'trigger'"),
    DropStep(kind: "VIEW", condition: "type = 'view'"),
    DropStep(kind: "TABLE", condition: "type = 'table' AND rootpage = 0"),
    DropStep(
      kind: "TABLE",
      condition:
        "type = 'table' AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name LIKE 'sqlite\\_stat%' ESCAPE '\\')"
    ),
  ]

  func statement(_ name: String, in schema: String) -> String {
    "DROP \(kind) \(schema).\"\(name.replacing("\"", with: "\"\""))\""
  }
}

extension ClusterEngine {
  func erase(_ db: Database) throws {
    guard try db.areForeignKeysEnabled() else { return try dropAll(db) }
    try db.withoutForeignKeys { try dropAll(db) }
  }

  private func dropAll(_ db: Database) throws {
    try db.inTransaction {
      for step in DropStep.all {
        let query = "SELECT name FROM main.sqlite_master WHERE \(step.condition)"
        for name in try String.fetchAll(db, sql: query) {
          try db.execute(sql: step.statement(name, in: "main"))
        }
      }
      try db.execute(sql: "PRAGMA user_version = 0; PRAGMA application_id = 0")
      return .commit
    }
  }
}
