// Written by Scripts/generate, from DatabaseValueConvertible+Fetching.swift: change that file.

extension FetchableRecord {
  /// A cursor over the records of a statement.
  ///
  /// - Throws: ``DatabaseError`` when the arguments don't fit.
  @inlinable public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> RecordCursor<Self> {
    try statement.fetchCursor(
      _RecordElement<Self>.self, arguments: arguments, adapter: adapter.shared)
  }

  /// The records of a statement.
  ///
  /// - Throws: ``DatabaseError`` when the arguments don't fit, or when SQLite fails;
  ///   ``RowDecodingError``.
  @inlinable public static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> [Self] {
    try statement.fetchAll(
      _RecordElement<Self>.self, arguments: arguments, adapter: adapter.shared)
  }

  /// The first of the records of a statement, or nil. See
  /// `fetchAll(_:arguments:adapter:)`.
  @inlinable public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    try statement.fetchOne(
      _RecordElement<Self>.self, arguments: arguments, adapter: adapter.shared)
  }

  /// The distinct records of a statement. See `fetchAll(_:arguments:adapter:)`.
  @inlinable public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil,
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> where Self: Hashable {
    try Set(fetchAll(statement, arguments: arguments, adapter: adapter))
  }

  /// A cursor over the records of a query.
  ///
  /// - Throws: ``DatabaseError`` for a mistake in the SQL, or when the arguments don't fit.
  @inlinable public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> RecordCursor<Self> {
    try fetchCursor(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The records of a query.
  ///
  /// ```swift
  /// let players = try Player.fetchAll(db, sql: "SELECT * FROM player")
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

  /// The first of the records of a query, or nil. See
  /// `fetchAll(_:sql:arguments:adapter:)`.
  @inlinable public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Self? {
    try fetchOne(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }

  /// The distinct records of a query. See `fetchAll(_:sql:arguments:adapter:)`.
  @inlinable public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    adapter: (any RowAdapter)? = nil
  ) throws -> Set<Self> where Self: Hashable {
    try fetchSet(db.internalStatement(sql: sql), arguments: arguments, adapter: adapter)
  }
}
