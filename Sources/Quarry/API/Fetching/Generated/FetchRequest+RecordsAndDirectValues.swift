// Written by Scripts/generate, from FetchRequest+Fetching.swift: change that file.

extension FetchRequest where RowDecoder: FetchableRecord {
  /// A cursor over the records.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public func fetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _RecordElement<RowDecoder>.self)
  }

  /// The records.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  @inlinable public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try makePreparedRequest(db, forSingleResult: false).fetchAll(db)
  }

  /// The first of the records, or nil. See `fetchAll(_:)`.
  @inlinable public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try makePreparedRequest(db, forSingleResult: true).fetchOne(db)
  }

  /// The distinct records. See `fetchAll(_:)`.
  @inlinable public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable { try Set(fetchAll(db)) }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible & StatementColumnConvertible {
  /// A cursor over the values.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public func fetchCursor(_ db: Database) throws -> FastDatabaseValueCursor<RowDecoder> {
    try makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _DirectElement<RowDecoder>.self)
  }

  /// The values.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  @inlinable public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try makePreparedRequest(db, forSingleResult: false).fetchAll(
      _DirectElement<RowDecoder>.self)
  }

  /// The first of the values, or nil. See `fetchAll(_:)`.
  @inlinable public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try makePreparedRequest(db, forSingleResult: true).fetchOne(
      _DirectElement<RowDecoder?>.self) ?? nil
  }

  /// The distinct values. See `fetchAll(_:)`.
  @inlinable public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable { try Set(fetchAll(db)) }
}
