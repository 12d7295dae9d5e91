extension Database {
  /// Runs statements that can only read.
  ///
  /// ```swift
  /// try db.readOnly {
  ///   try db.execute(sql: "DELETE FROM player") // throws SQLITE_READONLY
  /// }
  /// ```
  ///
  /// Each statement is checked before it is executed: transactions that lock the database for
  /// writes and changes of temporary tables throw, too. What the application does with the C API is
  /// not checked.
  ///
  /// See <https://www.sqlite.org/c3ref/stmt_readonly.html>.
  ///
  /// - Throws: the error of the closure.
  public func readOnly<T>(_ value: () throws -> T) throws -> T {
    if configuration.readonly { return try value() }
    beginReadOnly()
    let result = Result { try value() }
    try endReadOnly()
    return try result.get()
  }

  /// True where only reads are possible.
  var isReadOnly: Bool { configuration.readonly || readOnlyDepth > 0 }

  func beginReadOnly() { readOnlyDepth += 1 }

  private func endReadOnly() throws {
    readOnlyDepth -= 1
    // A transaction that has begun in the block may write from now on.
    if readOnlyDepth == 0, !transactions.mayWrite, isInsideTransaction {
      transactions.mayWrite = true
      // Its beginning has not asked for the versions of the schemas.
      schemaMayHaveChanged()
      try recordersDidBegin()
    }
  }

  /// Throws where only reads are possible, for what changes the database without a statement.
  package func checkMayWrite(_ place: String = "") throws {
    guard readOnlyDepth > 0 else { return }
    throw DatabaseError(resultCode: .SQLITE_READONLY, message: Self.readOnlyMessage + place)
      .detailed(readOnlyDetails)
  }

  /// Throws when a statement writes.
  func checkOnlyReads(_ statement: Statement) throws {
    guard try beginsToWrite(statement.sql) else { return }
    throw error(
      .SQLITE_READONLY, Self.readOnlyMessage, sql: statement.sql, statement.arguments
    ).detailed(readOnlyDetails)
  }

  /// SQLite's own text.
  private static var readOnlyMessage: String { "attempt to write a readonly database" }

  /// Returns whether a statement that SQLite does not call read-only really writes: `PRAGMA
  /// journal_mode` does not, nor does `CREATE TABLE IF NOT EXISTS` when there is such a table. This
  /// is also the question of `PRAGMA query_only`, which can't be used instead: SQLite compiles all
  /// statements of the connection again when it changes.
  ///
  /// See <https://www.sqlite.org/opcode.html>.
  private func beginsToWrite(_ sql: String) throws -> Bool {
    let explanation = try makeStatement(sql: "EXPLAIN \(sql)")
    explanation.setUncheckedArguments([])
    return try Row.fetchAll(explanation).contains { instruction in
      switch instruction["opcode"] as String? {
      case "Transaction": instruction["p2"] as Int? != 0
      // SQLite has an error of its own inside a transaction.
      case "Vacuum": !isInsideTransaction
      case "SqlExec": true
      default: false
      }
    }
  }
}
