import CSQLite

/// The rung that calls the engine: one method per C call, no policy.
///
/// With the connection's own calls in Engine/Connection/, this is all that another engine has to
/// provide.
@safe struct StatementHandle {
  let pointer: SQLiteStatement

  /// The outcome of `sqlite3_prepare_v3`.
  @safe struct Compilation {
    var code: CInt
    /// Nil when the text has no statement, or on error.
    var handle: StatementHandle?
    /// The rest of the text, after the statement.
    var tail: UnsafePointer<CChar>
  }

  /// Compiles the first statement of a text that ends with a zero byte.
  static func prepare(
    _ sql: UnsafePointer<CChar>, connection: SQLiteConnection, isPersistent: Bool
  ) -> Compilation {
    var pointer: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = unsafe sqlite3_prepare_v3(connection, sql, -1, flags, &pointer, &tail)
    return unsafe Compilation(
      code: code, handle: pointer.map(StatementHandle.init), tail: tail ?? sql)
  }

  func step() -> CInt { unsafe sqlite3_step(pointer) }

  func reset() { unsafe sqlite3_reset(pointer) }

  /// True between a step that returned a row and the end of the rows.
  var isBusy: Bool { unsafe sqlite3_stmt_busy(pointer) != 0 }

  func clearBindings() { unsafe sqlite3_clear_bindings(pointer) }

  func finalize() { unsafe sqlite3_finalize(pointer) }

  /// How many bytes of the compiled text come before the text of the statement.
  var trimmedByteCount: Int {
    guard let sql = unsafe sqlite3_sql(pointer) else { return 0 }
    var count = 0
    while unsafe UInt8(bitPattern: sql[count]).isTrimmedFromSQL { count += 1 }
    return count
  }

  /// Whether the text begins with `PRAGMA`, and not with a comment.
  var beginsWithPragma: Bool {
    guard let sql = unsafe sqlite3_sql(pointer) else { return false }
    return unsafe sqlite3_strnicmp(sql + trimmedByteCount, "PRAGMA", 6) == 0
  }

  /// Whether the text has a word, in any case. It may be a part of another word, or of a comment.
  func mentions(_ word: String) -> Bool {
    guard let sql = unsafe sqlite3_sql(pointer) else { return false }
    return unsafe String(cString: sql).uppercased().contains(word)
  }

  var isReadonly: Bool { unsafe sqlite3_stmt_readonly(pointer) != 0 }

  /// True for `EXPLAIN`, which does not do what it explains.
  var isExplanation: Bool { unsafe sqlite3_stmt_isexplain(pointer) != 0 }

  var columnCount: Int { unsafe Int(sqlite3_column_count(pointer)) }

  var columnNames: [String] { (0..<columnCount).map(columnName) }

  private func columnName(_ index: Int) -> String {
    unsafe sqlite3_column_name(pointer, CInt(index)).map { unsafe String(cString: $0) } ?? ""
  }

  func isNull(_ column: Int) -> Bool {
    unsafe sqlite3_column_type(pointer, CInt(column)) == SQLITE_NULL
  }

  func isNumber(_ column: Int) -> Bool {
    [SQLITE_INTEGER, SQLITE_FLOAT].contains(unsafe sqlite3_column_type(pointer, CInt(column)))
  }

  /// The bytes of a text or blob, valid until the next step. Nil for NULL.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    let value = unsafe sqlite3_column_value(pointer, CInt(column))
    // The blob of a text has the encoding of the database, which may be UTF-16.
    let start: UnsafeRawPointer?
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_BLOB: unsafe start = unsafe sqlite3_value_blob(value)
    default: unsafe start = unsafe UnsafeRawPointer(sqlite3_value_text(value))
    }
    return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  var parameterCount: Int { unsafe Int(sqlite3_bind_parameter_count(pointer)) }

  /// The name of a parameter without its prefix, or nil for `?`.
  func parameterName(_ index: Int) -> String? {
    guard let name = unsafe sqlite3_bind_parameter_name(pointer, CInt(index)),
      unsafe name[0] != 0x3F
    else { return nil }
    return unsafe String(cString: name + 1)
  }

  /// The index, from 0, of the parameter with a name, prefix included: `:a` is not `@a`.
  func parameterIndex(_ name: String) -> Int? {
    let number = unsafe sqlite3_bind_parameter_index(pointer, name)
    return number > 0 ? Int(number) - 1 : nil
  }

  /// How often the engine compiled the statement again, after schema changes.
  var reprepareCount: CInt { unsafe sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0) }
}
