import CSQLite
import Quarry

// A database that takes the place of another one. SQLite frees the schema of the former one, and
// goes on with what refers to it:
//
// - Statements, which it compiles again for another version of the schema only.
// - The temporary schema, whose triggers and views are those of tables of other schemas.
// - The tables that modules have without `CREATE VIRTUAL TABLE`. SQLite makes such a table for its
//   first use, as one of the main schema, and keeps it as long as it has the module. Modules that
//   SQLite adds by itself when they are used can be removed; those of the library are registered
//   again. Others, such as `json_each` before SQLite adds it by itself, would be lost.
//
// See <https://www.sqlite.org/vtab.html#eponymous_virtual_tables>.

extension Database {
  /// A table of a module that SQLite would look for in the schema that it has freed, if the main
  /// database were replaced.
  ///
  /// - throws: A ``DatabaseError`` where SQLite can't read a schema, and so looks for no table.
  func tableTiedToMainDatabase() throws -> String? {
    let connection = try unsafe requireConnection()
    let names = try foreignModules().lasting
    guard unsafe Self.loadsSchemas(connection) else {
      throw error(code: unsafe sqlite3_errcode(connection))
    }
    // A table has columns: SQLite can't make those that it has not made yet.
    let limit = setLimit(.columnCount, to: 0)
    defer { setLimit(.columnCount, to: limit) }
    // Each schema has it, unlike a created table of its name, which hides it in one of them.
    return names.first { name in
      ["temp", "main"].allSatisfy { unsafe Self.hasTable(of: name, in: $0, connection) == true }
    }
  }

  /// Calls `body`, and has SQLite take a damaged schema for what can be read of it meanwhile.
  ///
  /// See <https://www.sqlite.org/pragma.html#pragma_writable_schema>.
  func readingDamagedSchemas(_ body: () throws -> Void) throws {
    let connection = try unsafe requireConnection()
    guard unsafe !Self.loadsSchemas(connection),
      error(code: unsafe sqlite3_errcode(connection)).resultCode == .SQLITE_CORRUPT
    else { return try body() }
    let isWritable = unsafe quarry_db_config_get(connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA)
    _ = unsafe quarry_db_config_int(connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
    defer {
      unsafe reloadSchemas(connection)
      _ = unsafe quarry_db_config_int(connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, isWritable)
      schemaDidChange()
    }
    try body()
  }

  /// Calls `body`. Nil where it reads what is damaged.
  func unlessDamaged<T>(_ body: () throws -> T) throws -> T? {
    do {
      return try body()
    } catch let error as DatabaseError
      where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
    {
      return nil
    } catch is RowDecodingError {
      return nil
    }
  }

  /// Calls `replace`, which has SQLite replace the database of a schema, and has it forget the
  /// former one.
  ///
  /// - throws: A ``DatabaseError`` for the result code of `replace`.
  func replaceDatabase(_ id: DatabaseSchemaID, _ replace: (SQLiteConnection) -> CInt) throws {
    let connection = try unsafe requireConnection()
    let hasTemporaryUses = try unlessDamaged { try hasTemporaryTriggersOrViews() } ?? true
    if id == .main { try unsafe removeModuleTables(connection) }
    let code = unsafe replace(connection)
    guard code == SQLITE_OK else { throw error(code: code) }
    if hasTemporaryUses { unsafe reloadSchemas(connection) }
    unsafe expireStatements(of: connection)
  }

  private func hasTemporaryTriggersOrViews() throws -> Bool {
    let sql = "SELECT 1 FROM sqlite_temp_master WHERE type IN ('trigger', 'view')"
    return try Int.fetchOne(self, sql: sql) != nil
  }

  private func reloadSchemas(_ connection: SQLiteConnection) {
    let isWritable = unsafe quarry_db_config_get(connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA)
    unsafe sqlite3_exec(connection, "PRAGMA writable_schema = RESET", nil, nil, nil)
    _ = unsafe quarry_db_config_int(connection, SQLITE_DBCONFIG_WRITABLE_SCHEMA, isWritable)
  }

  private func removeModuleTables(_ connection: SQLiteConnection) throws {
    for name in try foreignModules().returning {
      unsafe sqlite3_create_module_v2(connection, name, nil, nil, nil)
    }
    unsafe registerModuleTables(in: connection)
  }

  /// The modules that the library has not registered: those that SQLite adds again by itself, and
  /// the others.
  private func foreignModules() throws -> (returning: [String], lasting: [String]) {
    let registered = Set(moduleTables.map(\.identifierKey))
    let names = try String.fetchAll(self, sql: "PRAGMA module_list")
      .filter { !registered.contains($0.identifierKey) }
    var other: SQLiteConnection?
    defer { unsafe sqlite3_close(other) }
    guard unsafe sqlite3_open(":memory:", &other) == SQLITE_OK, let other = unsafe other else {
      throw DatabaseError(resultCode: .SQLITE_NOMEM)
    }
    var modules = (returning: [String](), lasting: [String]())
    for name in names {
      unsafe sqlite3_create_module_v2(other, name, nil, nil, nil)
      if unsafe Self.hasTable(of: name, other) == true {
        modules.returning.append(name)
      } else {
        modules.lasting.append(name)
      }
    }
    return modules
  }

  private static func loadsSchemas(_ connection: SQLiteConnection) -> Bool {
    unsafe hasTable(of: "", connection) != nil
  }

  /// Whether a schema has a table of a module, which SQLite makes if it can. Nil where it can't,
  /// and for a schema that can't be read.
  private static func hasTable(
    of module: String, in schema: String = "temp", _ connection: SQLiteConnection
  ) -> Bool? {
    let sql = "PRAGMA \(schema).table_info(\(module.quotedDatabaseIdentifier))"
    var statement: SQLiteStatement?
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    // An interruption leaves it open.
    return unsafe sqlite3_step(statement) != SQLITE_DONE
  }
}
