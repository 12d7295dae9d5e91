import CSQLite
import Quarry

extension Database {
  /// Adds a function that writes with the C API, as those of SQLite's extensions do: `SELECT
  /// run('DELETE FROM note')`.
  func addRunFunction() {
    sqlite3_create_function_v2(
      sqliteConnection, "run", 1, SQLITE_UTF8, nil,
      { context, _, arguments in
        guard let text = sqlite3_value_text(arguments?[0]) else { return }
        let sql = UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)
        let code = sqlite3_exec(sqlite3_context_db_handle(context), sql, nil, nil, nil)
        if code != SQLITE_OK { sqlite3_result_error_code(context, code) }
      }, nil, nil, nil)
  }
}
