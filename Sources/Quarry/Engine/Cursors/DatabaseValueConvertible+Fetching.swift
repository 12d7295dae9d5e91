// Fetching values: the first column of each row. Types that read straight from SQLite have their
// own overloads.

extension DatabaseValueConvertible {
  /// A cursor over the values of the first column of a statement.
  ///
  /// - Throws: ``DatabaseError`` when the arguments don't fit.
  public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> DatabaseValueCursor<Self> {
    try statement.fetchCursor(
      _ConvertedElement<Self>.self, arguments: arguments, adapter: adapter.shared)
  }

  /// The values of the first column of a statement.
  ///
  /// - Throws: ``DatabaseError`` when the arguments don't fit, or when SQLite fails;
  ///   ``RowDecodingError``.
  public static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    try statement.fetchAll(
      _ConvertedElement<Self>.self, arguments: arguments, adapter: adapter.shared)
  }

  /// The first of the values of the first column of a statement, or nil. See
  /// `fetchAll(_:arguments:adapter:)`.
  public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    try statement.fetchOne(
      _ConvertedElement<Self?>.self, arguments: arguments, adapter: adapter.shared)
      ?? nil
  }

  /// The distinct values of the first column of a statement. See `fetchAll(_:arguments:adapter:)`.
  public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> where Self: Hashable {
    try Set(fetchAll(statement, arguments: arguments, adapter: adapter))
  }

  /// A cursor over the values of the first column of a query.
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, or when the arguments don't fit.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> DatabaseValueCursor<Self> {
    try fetchCursor(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The values of the first column of a query.
  ///
  /// ```swift
  /// let names = try String.fetchAll(db, sql: "SELECT name FROM player")
  /// ```
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, when the arguments don't fit, or when
  ///   SQLite fails; ``RowDecodingError``.
  public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    try fetchAll(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The first of the values of the first column of a query, or nil. See
  /// `fetchAll(_:sql:arguments:adapter:)`.
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    try fetchOne(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The distinct values of the first column of a query. See `fetchAll(_:sql:arguments:adapter:)`.
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> where Self: Hashable {
    try fetchSet(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }
}
