extension Database {
  /// Compiles a statement.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE id = ?")
  /// let player = try Player.fetchOne(statement, arguments: [1])
  /// ```
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, for no statement, and for several ones.
  public func makeStatement(sql: String) throws -> Statement {
    try compile(sql, isPersistent: false)
  }

  /// Returns a statement that is compiled once, and kept by the connection.
  ///
  /// ```swift
  /// let statement = try db.cachedStatement(sql: "INSERT INTO player (name) VALUES (?)")
  /// ```
  ///
  /// Take it from the cache for each use: two uses at the same moment must not share a statement.
  /// While it is executed, and while a cursor is in the middle of its rows, another statement is
  /// returned. See ``makeStatement(sql:)``.
  public func cachedStatement(sql: String) throws -> Statement {
    if let statement = publicStatements.statement(sql: sql), !statement.isRunning {
      try checkAccess()
      return statement
    }
    let statement = try compile(sql, isPersistent: true)
    publicStatements.insert(statement, sql: sql)
    return statement
  }

  /// A statement of the library's own requests. Call `release()` after use.
  @usableFromInline package func internalStatement(sql: String) throws -> Statement {
    if let statement = statements.idleStatement(sql: sql) { return statement }
    let statement = try makeInternalStatement(sql: sql)
    statements.insert(statement, sql: sql)
    return statement
  }

  /// A statement of the library that its owner keeps for later uses.
  func makeInternalStatement(sql: String) throws -> Statement {
    let statement = try compile(sql, isPersistent: true)
    statement.isInternal = true
    return statement
  }

  /// Executes one or several statements.
  ///
  /// ```swift
  /// try db.execute(
  ///   sql: "INSERT INTO player (name) VALUES (?); UPDATE team SET count = count + ?",
  ///   arguments: ["Alice", 1])
  /// ```
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, for arguments that don't fit, and when
  ///   SQLite fails. Statements before the failing one have been executed.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    let cursor = try allStatements(sql: sql, arguments: arguments)
    while let statement = try cursor.next() { try statement.run() }
  }

  /// The statements of an SQL text, each compiled when the cursor gets to it.
  ///
  /// ```swift
  /// let statements = try db.allStatements(sql: "SELECT 1; SELECT 2")
  /// while let statement = try statements.next() {
  ///   let value = try Int.fetchOne(statement)
  /// }
  /// ```
  ///
  /// - Throws: from its `next` method, ``DatabaseError`` for a mistake in the SQL, and for
  ///   arguments that don't fit.
  public func allStatements(
    sql: String, arguments: StatementArguments? = nil
  ) throws -> SQLStatementCursor {
    try sql.checkSQLHasNoNUL()
    return SQLStatementCursor(database: self, sql: sql, arguments: arguments)
  }
}

extension Database {
  /// Compiles the only statement of a text.
  private func compile(_ sql: String, isPersistent: Bool) throws -> Statement {
    try sql.checkSQLHasNoNUL()
    return try unsafe sql.withCString { start in
      let (statement, tail) = try unsafe compileFirst(start, isPersistent: isPersistent)
      guard let statement else { throw DatabaseError(message: "empty statement", sql: sql) }
      guard unsafe isBlank(tail) else {
        throw DatabaseError.misuse(
          """
          Multiple statements found. To execute multiple statements, \
          use Database.execute(sql:) or Database.allStatements(sql:) instead.
          """,
          sql: sql)
      }
      return statement
    }
  }

  /// Compiles the first statement of a text. No statement in white space and comments.
  func compileFirst(
    _ start: UnsafePointer<CChar>, isPersistent: Bool = false
  ) throws -> (Statement?, tail: UnsafePointer<CChar>) {
    try checkAccess()
    forgetShadowedError()
    let connection = try unsafe requireConnection()
    var (compilation, effects) = effectsRecorder.record {
      unsafe StatementHandle.prepare(start, connection: connection, isPersistent: isPersistent)
    }
    guard compilation.code == ResultCode.SQLITE_OK.rawValue else {
      throw unsafe didFailToCompile(String(cString: start), code: compilation.code)
    }
    guard let handle = compilation.handle else { return unsafe (nil, compilation.tail) }
    statementCounts.compilations += 1
    effects.complete(handle)
    effectsRecorder.noteTablesOfOthers(effects)
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: compilation.tail - start)
    let sql = unsafe String(decoding: bytes, as: UTF8.self).trimmedSQL
    let statement =
      try replaced(handle, sql, effects)
      ?? Statement(handle: handle, sql: sql, effects: effects, database: self)
    return unsafe (statement, compilation.tail)
  }

  /// The effects that a statement has in the present schema. Nil where it does not compile.
  func presentEffects(of sql: String) -> StatementEffects? { compile(sql)?.effects }

  /// The effects and the columns that a statement has in the schema as SQLite knows it: no file is
  /// read or locked. Nil where it does not compile.
  func compile(_ sql: String) -> (effects: StatementEffects, columnNames: [String])? {
    guard let sqliteConnection else { return nil }
    return unsafe sql.withCString { start -> (StatementEffects, [String])? in
      var (compilation, effects) = effectsRecorder.record {
        unsafe StatementHandle.prepare(start, connection: sqliteConnection, isPersistent: false)
      }
      guard let handle = compilation.handle else { return nil }
      defer { handle.finalize() }
      statementCounts.compilations += 1
      effects.complete(handle)
      effectsRecorder.noteTablesOfOthers(effects)
      return (effects, handle.columnNames)
    }
  }

  /// The statement that the engine steps in the place of a compiled one.
  private func replaced(
    _ handle: StatementHandle, _ sql: String, _ effects: StatementEffects
  ) throws -> Statement? {
    guard let engine else { return nil }
    do {
      let compiled = unsafe CompiledStatement(
        pointer: handle.pointer, sql: sql, effects: effects)
      guard let other = try engine.replacement(for: compiled, in: self) else { return nil }
      if unsafe other.pointer != handle.pointer { handle.finalize() }
      let statement = Statement(
        handle: unsafe StatementHandle(pointer: other.pointer), sql: sql, effects: effects,
        database: self)
      statement.engineContext = other.context
      return statement
    } catch {
      handle.finalize()
      throw error
    }
  }

  /// Returns whether a text has no statement. It is not compiled: some pragmas act when they are.
  private func isBlank(_ tail: UnsafePointer<CChar>) -> Bool {
    if unsafe tail[0] == 0 { return true }
    return unsafe SQLTokens(String(cString: tail)).allSatisfy { token in
      switch token {
      case .comment, .symbol(UInt8(ascii: ";"), _): true
      default: false
      }
    }
  }
}

/// A cursor over the statements of an SQL text.
public class SQLStatementCursor: Cursor {
  private let database: Database
  private let text: [CChar]
  private var position = 0
  private let arguments: StatementArguments?
  private var consumed = 0

  init(database: Database, sql: String, arguments: StatementArguments?) {
    self.database = database
    text = Array(sql.utf8CString)
    self.arguments = arguments
  }

  /// The next statement, with its arguments, or nil at the end.
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, and for arguments that don't fit.
  public func next() throws -> Statement? {
    let (statement, length) = try unsafe text.withUnsafeBufferPointer { buffer in
      try unsafe compileNext(buffer)
    }
    position += length
    guard let statement else {
      try checkNoArgumentIsLeft()
      return nil
    }
    try setArguments(of: statement)
    return statement
  }

  /// Compiles the next statement, past white space, comments, and empty statements.
  private func compileNext(
    _ buffer: UnsafeBufferPointer<CChar>
  ) throws -> (Statement?, length: Int) {
    guard let base = buffer.baseAddress else { return (nil, 0) }
    let start = unsafe base + position
    var next = unsafe start
    while unsafe next[0] != 0 {
      let (statement, tail) = try unsafe database.compileFirst(next)
      if let statement { return unsafe (statement, tail - start) }
      if unsafe tail == next { break }
      unsafe next = unsafe tail
    }
    return unsafe (nil, next - start)
  }

  private func setArguments(of statement: Statement) throws {
    guard let arguments else { return }
    let count = statement.positionalParameterCount(arguments)
    let rest = arguments.values.dropFirst(consumed)
    guard rest.count >= count || !statement.bindings.parameters.haveNoNames else {
      throw DatabaseError.wrongArgumentCount(
        rest.count, expected: statement.bindings.parameters.count, sql: statement.sql)
    }
    consumed += count
    var statementArguments = arguments
    statementArguments.values = Array(rest.prefix(count))
    try statement.setArguments(statementArguments)
  }

  private func checkNoArgumentIsLeft() throws {
    guard let arguments, arguments.values.count > consumed else { return }
    throw DatabaseError.wrongArgumentCount(arguments.values.count, expected: consumed, sql: nil)
  }
}

extension Statement {
  /// How many parameters take the next positional argument.
  fileprivate func positionalParameterCount(_ arguments: StatementArguments) -> Int {
    bindings.parameters.names.count { name in name.flatMap { arguments.value(named: $0) } == nil }
  }
}

extension UInt8 {
  /// True for white space and semicolons.
  var isTrimmedFromSQL: Bool { self == 0x3B || self == 0x20 || (0x09...0x0D).contains(self) }
}

extension String {
  /// Throws where SQLite would cut a text off.
  fileprivate func checkSQLHasNoNUL() throws {
    guard let index = utf8.firstIndex(of: 0) else { return }
    throw DatabaseError(
      code: ResultCode.SQLITE_ERROR.rawValue, message: "SQL contains a NUL character", sql: self,
      sqlOffset: utf8.distance(from: utf8.startIndex, to: index))
  }

  /// The text without white space and semicolons at both ends.
  package var trimmedSQL: String {
    guard let start = utf8.firstIndex(where: { !$0.isTrimmedFromSQL }),
      let end = utf8.lastIndex(where: { !$0.isTrimmedFromSQL })
    else { return "" }
    return String(self[start...end])
  }
}
