extension Row {
  /// A cursor over the rows of a statement.
  ///
  /// - Throws: ``DatabaseError`` when the arguments don't fit.
  public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> RowCursor {
    try statement.fetchCursor(_RowElement.self, arguments: arguments, adapter: adapter.shared)
  }

  /// The rows of a statement.
  ///
  /// - Throws: ``DatabaseError`` when the arguments don't fit, or when SQLite fails.
  public static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> [Row] {
    try statement.fetchRows(arguments: arguments, adapter: adapter.shared)
  }

  /// The distinct rows of a statement. See ``fetchAll(_:arguments:adapter:)``.
  public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Row> {
    Set(try fetchAll(statement, arguments: arguments, adapter: adapter))
  }

  /// The first row of a statement. See ``fetchAll(_:arguments:adapter:)``.
  public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Row? {
    try statement.fetchRow(arguments: arguments, adapter: adapter.shared)
  }

  /// A cursor over the rows of a query.
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, or when the arguments don't fit.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> RowCursor {
    try fetchCursor(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The rows of a query.
  ///
  /// ```swift
  /// let rows = try Row.fetchAll(db, sql: "SELECT * FROM player WHERE score > ?", arguments: [1000])
  /// ```
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, when the arguments don't fit, or when
  ///   SQLite fails.
  public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> [Row] {
    try fetchAll(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The distinct rows of a query. See ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Row> {
    try fetchSet(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The first row of a query. See ``fetchAll(_:sql:arguments:adapter:)``.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Row? {
    try fetchOne(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }
}
