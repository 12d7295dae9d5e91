// Written by Scripts/generate, from DatabaseValueConvertible+Fetching.swift: change that file.

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
  /// A cursor over the values of the first column of a statement.
  ///
  /// - Throws: ``DatabaseError`` when the arguments don't fit.
  @inlinable public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> FastDatabaseValueCursor<Self> {
    try statement.fetchCursor(
      _DirectElement<Self>.self, arguments: arguments, adapter: adapter.shared)
  }

  /// The values of the first column of a statement.
  ///
  /// - Throws: ``DatabaseError`` when the arguments don't fit, or when SQLite fails;
  ///   ``RowDecodingError``.
  @inlinable public static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    try statement.fetchAll(
      _DirectElement<Self>.self, arguments: arguments, adapter: adapter.shared)
  }

  /// The first of the values of the first column of a statement, or nil. See
  /// `fetchAll(_:arguments:adapter:)`.
  @inlinable public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    try statement.fetchOne(
      _DirectElement<Self?>.self, arguments: arguments, adapter: adapter.shared)
      ?? nil
  }

  /// The distinct values of the first column of a statement. See `fetchAll(_:arguments:adapter:)`.
  @inlinable public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> where Self: Hashable {
    try Set(fetchAll(statement, arguments: arguments, adapter: adapter))
  }

  /// A cursor over the values of the first column of a query.
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, or when the arguments don't fit.
  @inlinable public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> FastDatabaseValueCursor<Self> {
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
  @inlinable public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    try fetchAll(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The first of the values of the first column of a query, or nil. See
  /// `fetchAll(_:sql:arguments:adapter:)`.
  @inlinable public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    try fetchOne(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The distinct values of the first column of a query. See `fetchAll(_:sql:arguments:adapter:)`.
  @inlinable public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> where Self: Hashable {
    try fetchSet(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }
}
