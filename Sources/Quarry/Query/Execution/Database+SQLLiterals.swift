// Statements from SQL literals, whose interpolated requests are planned and written first.

extension Database {
  /// Compiles a statement from an SQL literal, and binds its values. See ``makeStatement(sql:)``.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM player WHERE id = ?")
  /// let player = try Player.fetchOne(statement, arguments: [1])
  /// ```
  ///
  /// The parameters of a literal without any value are free: they get their arguments later. With a
  /// value, all must have one.
  public func makeStatement(literal: SQL) throws -> Statement {
    let (sql, arguments) = try literal.build(self)
    let statement = try makeStatement(sql: sql)
    if !arguments.isEmpty { try statement.setArguments(arguments) }
    return statement
  }

  /// Returns a cached statement for an SQL literal, and binds its values. See
  /// ``cachedStatement(sql:)``.
  ///
  /// The parameters of a literal without any value are free: the statement keeps the arguments that
  /// it had. See ``makeStatement(literal:)``.
  public func cachedStatement(literal: SQL) throws -> Statement {
    let (sql, arguments) = try literal.build(self)
    let statement = try cachedStatement(sql: sql)
    if !arguments.isEmpty { try statement.setArguments(arguments) }
    return statement
  }

  /// Executes one or several statements from an SQL literal. See ``execute(sql:arguments:)``.
  public func execute(literal: SQL) throws {
    let (sql, arguments) = try literal.build(self)
    try execute(sql: sql, arguments: arguments)
  }

  /// The statements of an SQL literal. See ``allStatements(sql:arguments:)`` and
  /// ``makeStatement(literal:)``.
  public func allStatements(literal: SQL) throws -> SQLStatementCursor {
    let (sql, arguments) = try literal.build(self)
    return try allStatements(sql: sql, arguments: arguments.isEmpty ? nil : arguments)
  }
}
