// Written by Scripts/generate, from CommonTableExpression.swift: change that file.

extension CommonTableExpression where RowDecoder == Row {
  /// Rows are fetched as they are. See ``init(recursive:named:columns:request:)``.
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil,
    request: some SQLSubqueryable
  ) {
    definition = TableExpression(
      name: tableName, columns: columns, body: request.sqlSubquery, isRecursive: recursive)
  }

  /// Rows are fetched as they are. See ``init(recursive:named:columns:sql:arguments:)``.
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil, sql: String,
    arguments: StatementArguments = StatementArguments()
  ) {
    self.init(
      recursive: recursive, named: tableName, columns: columns,
      literal: SQL(sql: sql, arguments: arguments))
  }

  /// Rows are fetched as they are. See ``init(recursive:named:columns:literal:)``.
  public init(
    recursive: Bool = false, named tableName: String, columns: [String]? = nil,
    literal sqlLiteral: SQL
  ) {
    definition = TableExpression(
      name: tableName, columns: columns, body: SQLSubquery(.literal(sqlLiteral)),
      isRecursive: recursive)
  }
}

extension CommonTableExpression where RowDecoder == Row {
  /// Rows are fetched as they are. See ``init(named:columns:recursion:)``.
  public init(
    named tableName: String, columns: [String]? = nil,
    recursion: (_ recursion: CommonTableExpression<RowDecoder>) throws -> some SQLSubqueryable
  ) rethrows {
    definition = TableExpression(
      name: tableName, columns: columns, body: nil, isRecursive: true)
    definition.body = try recursion(self).sqlSubquery
  }
}
