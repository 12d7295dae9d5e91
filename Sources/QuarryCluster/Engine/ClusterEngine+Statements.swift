import Quarry

/// A statement that the shadow executes as well as the node: it changes the schema, or the
/// connection.
final class SharedStatement {
  enum Kind {
    /// Changes the schema, in a transaction.
    case definition
    /// `VACUUM`, which can't run in a transaction.
    case vacuum
    /// Changes the connection: the name.
    case pragma(String)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}

extension ClusterEngine {
  func replacement(for statement: CompiledStatement, in db: Database) throws -> ReplacedStatement? {
    switch try route(statement) {
    case .shadow: return nil
    case .shared(let kind):
      // It takes effect when it is executed.
      if case .pragma(let name) = kind { restorePragma(name) }
      return unsafe ReplacedStatement(
        pointer: statement.pointer, context: SharedStatement(kind))
    case .node: return try replacement(for: statement)
    }
  }

  /// SQLite executes a pragma when it has read the value, before it finds a mistake after it.
  func didFailToCompile(_ sql: String) {
    guard StatementWords(sql).contains("PRAGMA") else { return }
    resetPragmas()
    for name in PragmaRoute.connection { restorePragma(name.lowercased()) }
  }

  private func route(_ statement: CompiledStatement) throws -> StatementRoute {
    do {
      return try StatementRoute(statement)
    } catch {
      resetPragmas()
      throw error
    }
  }

  private func replacement(for statement: CompiledStatement) throws -> ReplacedStatement {
    let shape = unsafe StatementShape(statement.pointer)
    try shape.checkHazards(statement.sql)
    let remote = try RemoteStatement(
      statements.makeID(), statement, columnNames: shape.columnNames,
      nodeText: shape.nodeText(statement), schemaGeneration: schema.generation, connection,
      statements)
    statements.add(remote)
    let pointer = try unsafe RemoteTables.prepare(remote, shape, on: db.requireConnection())
    return unsafe ReplacedStatement(pointer: pointer, context: remote)
  }

  /// Executes a statement at the node, before the shadow does.
  func execute(_ shared: SharedStatement, _ statement: Statement) throws {
    switch shared.kind {
    case .definition:
      try checkLocks(statement)
      let isAlone = transaction == nil
      if isAlone { try begin("BEGIN IMMEDIATE TRANSACTION") }
      try sql(statement.sql) { try connection.executeOnce(statement.sql) }
      try noteSchemaVersion()
      if isAlone { try commit(hasWritten: true) }
    case .vacuum:
      try sql(statement.sql) { try connection.executeOnce(statement.sql) }
      schema.version = nil
    case .pragma(let name):
      try sql(statement.sql) { try connection.executeOnce(statement.sql) }
      guard isNoted(name) else { return }
      if isPrepared { pragmas[name] = statement.sql } else { preparedPragmas[name] = statement.sql }
      // It may have been compiled in a transaction, where SQLite ignores it.
      restorePragma(name)
    }
  }

  /// Whether a pragma lasts, and not only until the end of the transaction.
  private func isNoted(_ name: String) -> Bool {
    // SQLite ignores it in a transaction.
    let isIgnored = name == "foreign_keys" && transaction != nil
    return name != "defer_foreign_keys" && !isIgnored
  }

  /// Undoes a pragma that has failed. One that ends a former one is left to the next connection:
  /// nobody may go on without foreign keys.
  func undoFailedPragma(_ context: AnyObject, _ statement: Statement) {
    guard case .pragma(let name) = (context as? SharedStatement)?.kind else { return }
    if isPrepared, isNoted(name), pragmas[name] != nil, let value = Self.safeValues[name],
      shadowValue(of: name, after: statement.sql) == value
    {
      pragmas[name] = statement.sql
      connection.close()
    }
    restorePragma(name)
  }

  private static let safeValues = ["foreign_keys": "1", "legacy_alter_table": "0"]

  /// SQLite drops no table and no index while rows are read: the shadow would fail after the node.
  private func checkLocks(_ statement: Statement) throws {
    guard db.hasRunningStatements else { return }
    let words = StatementWords(statement.sql)
    guard words.first == "DROP", ["TABLE", "INDEX"].contains(words.others.first) else { return }
    throw DatabaseError(
      resultCode: .SQLITE_LOCKED,
      message: "database table is locked: rows are read, finish or release their cursor before",
      sql: statement.sql)
  }

  /// Compares a statement with what it is in the present schema.
  func checkIsCurrent(_ remote: RemoteStatement, _ statement: Statement) throws {
    guard remote.schemaGeneration != schema.generation else { return }
    let present = try db.makeStatement(sql: remote.sql)
    guard (present.engineContext as? RemoteStatement)?.columnNames == remote.columnNames,
      "\(present.effects.kinds)" == "\(statement.effects.kinds)",
      present.isReadonly == statement.isReadonly
    else {
      throw DatabaseError(
        resultCode: .SQLITE_SCHEMA,
        message: "the schema was changed since the statement was compiled: compile it again",
        sql: remote.sql)
    }
    remote.schemaGeneration = schema.generation
  }
}

// Requests of the virtual tables.
extension ClusterEngine {
  /// Executes a statement without columns.
  func execute(_ id: Int, _ arguments: [DatabaseValue]) throws {
    guard let remote = statements[id] else { throw noStatement }
    let node = try remote.node()
    let result = try connection.use { try $0.execute(node, arguments) }
    (lastInsertedRowID, lastChangesCount) = result
  }

  /// Executes a statement with columns.
  func query(_ id: Int, _ arguments: [DatabaseValue]) throws -> NodeResult {
    guard let remote = statements[id] else { throw noStatement }
    let node = try remote.node()
    let result = try connection.use(isReading: remote.isReadonly) { try $0.query(node, arguments) }
    guard result.columnNames == remote.nodeText.columnNames else {
      schema.version = nil
      throw DatabaseError(
        resultCode: .SQLITE_SCHEMA, message: "the schema was changed by another client",
        sql: remote.sql)
    }
    if !remote.isReadonly { try noteChanges() }
    return result
  }

  /// Notes what a statement with rows has changed, and lets the shadow write: its commit is that of
  /// the node.
  private func noteChanges() throws {
    let row = try connection.rows("SELECT changes(), last_insert_rowid()").first ?? []
    lastChangesCount = row.first.flatMap(Int.fromDatabaseValue) ?? 0
    lastInsertedRowID = row.last.flatMap(Int64.fromDatabaseValue) ?? 0
    try unsafe RemoteTables.touch(db.requireConnection())
  }

  private var noStatement: ClusterError {
    ClusterError(.refused, "the statement is none of the connection")
  }
}
