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
  /// database were replaced. Nil where the schema can't be read.
  func tableTiedToMainDatabase() throws -> String? {
    let connection = try unsafe requireConnection()
    let names = try foreignModules().lasting
    // Loads the schemas.
    guard unsafe Self.hasTable(of: "", connection) != nil else { return nil }
    // A table has columns: SQLite can't make those that it has not made yet.
    let limit = setLimit(.columnCount, to: 0)
    defer { setLimit(.columnCount, to: limit) }
    return names.first { unsafe Self.hasTable(of: $0, connection) == true }
  }

  /// Calls `replace`, which has SQLite replace the database of a schema, and has it forget the
  /// former one.
  ///
  /// - throws: A ``DatabaseError`` for the result code of `replace`.
  func replaceDatabase(_ id: DatabaseSchemaID, _ replace: (SQLiteConnection) -> CInt) throws {
    let connection = try unsafe requireConnection()
    let hasTemporaryUses = try hasTemporaryTriggersOrViews()
    if id == .main { try unsafe removeModuleTables(connection) }
    schemaDidChange()
    let code = unsafe replace(connection)
    guard code == SQLITE_OK else { throw error(code: code) }
    if hasTemporaryUses { unsafe reloadSchemas(connection) }
    unsafe expireStatements(of: connection)
  }

  private func hasTemporaryTriggersOrViews() throws -> Bool {
    let sql = "SELECT 1 FROM sqlite_temp_master WHERE type IN ('trigger', 'view')"
    return try Int.fetchOne(self, sql: sql) != nil
  }

  /// See <https://www.sqlite.org/pragma.html#pragma_writable_schema>.
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

  /// Whether a module has a table, which SQLite makes if it can. Nil where it can't, and for a
  /// schema that can't be read.
  private static func hasTable(of module: String, _ connection: SQLiteConnection) -> Bool? {
    let sql = "PRAGMA temp.table_info(\(module.quotedDatabaseIdentifier))"
    var statement: SQLiteStatement?
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
      return nil
    }
    // An interruption leaves it open.
    return unsafe sqlite3_step(statement) != SQLITE_DONE
  }
}
