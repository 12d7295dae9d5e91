// Fetching what a request decodes: rows, records, or values.

extension FetchRequest where RowDecoder == Row {
  /// A cursor over the rows.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public func fetchCursor(_ db: Database) throws -> RowCursor {
    try RowDecoder.fetchCursor(db, self)
  }

  /// The rows.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  @inlinable public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(db, self)
  }

  /// The first of the rows, or nil. See ``fetchAll(_:)``.
  @inlinable public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try RowDecoder.fetchOne(db, self)
  }

  /// The distinct rows. See ``fetchAll(_:)``.
  @inlinable public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try RowDecoder.fetchSet(db, self)
  }
}

extension FetchRequest where RowDecoder: FetchableRecord {
  /// A cursor over the records.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public func fetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try RowDecoder.fetchCursor(db, self)
  }

  /// The records.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  @inlinable public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(db, self)
  }

  /// The first of the records, or nil. See ``fetchAll(_:)``.
  @inlinable public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try RowDecoder.fetchOne(db, self)
  }

  /// The distinct records. See ``fetchAll(_:)``.
  @inlinable public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable {
    try RowDecoder.fetchSet(db, self)
  }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible {
  /// A cursor over the values.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public func fetchCursor(_ db: Database) throws -> DatabaseValueCursor<RowDecoder> {
    try RowDecoder.fetchCursor(db, self)
  }

  /// The values.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  @inlinable public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(db, self)
  }

  /// The first of the values, or nil. See ``fetchAll(_:)``.
  @inlinable public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try RowDecoder.fetchOne(db, self)
  }

  /// The distinct values. See ``fetchAll(_:)``.
  @inlinable public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable {
    try RowDecoder.fetchSet(db, self)
  }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible & StatementColumnConvertible {
  /// A cursor over the values.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public func fetchCursor(_ db: Database) throws -> FastDatabaseValueCursor<RowDecoder> {
    try RowDecoder.fetchCursor(db, self)
  }

  /// The values.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  @inlinable public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try RowDecoder.fetchAll(db, self)
  }

  /// The first of the values, or nil. See ``fetchAll(_:)``.
  @inlinable public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try RowDecoder.fetchOne(db, self)
  }

  /// The distinct values. See ``fetchAll(_:)``.
  @inlinable public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable {
    try RowDecoder.fetchSet(db, self)
  }
}
