// Written by Scripts/generate, from SQLRequest.swift: change that file.

extension SQLRequest where RowDecoder == Row {
  /// Rows are fetched as they are. See ``init(sql:arguments:adapter:cached:)``.
  public init(
    sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil, cached: Bool = false
  ) {
    self.init(literal: SQL(sql: sql, arguments: arguments), adapter: adapter, cached: cached)
  }

  /// Rows are fetched as they are. See ``init(literal:adapter:cached:)``.
  public init(literal sqlLiteral: SQL, adapter: (any RowAdapter)? = nil, cached: Bool = false) {
    literal = sqlLiteral
    self.adapter = adapter
  }
}
