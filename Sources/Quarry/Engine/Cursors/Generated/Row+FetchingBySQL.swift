// Written by Scripts/generate, from DatabaseValueConvertible+Fetching.swift: change that file.

extension Row {
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

  /// The first of the rows of a query, or nil. See `fetchAll(_:sql:arguments:adapter:)`.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Row? {
    try fetchOne(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The distinct rows of a query. See `fetchAll(_:sql:arguments:adapter:)`.
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Row> {
    try fetchSet(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }
}
