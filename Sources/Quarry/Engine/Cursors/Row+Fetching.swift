// `Scripts/generate` writes the fetches by SQL.

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
  ) throws -> Set<Row> { Set(try fetchAll(statement, arguments: arguments, adapter: adapter)) }

  /// The first row of a statement. See ``fetchAll(_:arguments:adapter:)``.
  public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Row? { try statement.fetchRow(arguments: arguments, adapter: adapter.shared) }
}
