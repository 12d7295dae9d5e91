// Fetching what a request decodes: rows, records, or values. The request prepares, and the prepared
// request fetches.

extension FetchRequest where RowDecoder == Row {
  /// A cursor over the rows.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public func fetchCursor(_ db: Database) throws -> RowCursor {
    try makePreparedRequest(db, forSingleResult: false).fetchCursor(_RowElement.self)
  }

  /// The rows.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  @inlinable public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try makePreparedRequest(db, forSingleResult: false).fetchRows(db)
  }

  /// The first of the rows, or nil. See `fetchAll(_:)`.
  @inlinable public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try makePreparedRequest(db, forSingleResult: true).fetchRow(db)
  }

  /// The distinct rows. See `fetchAll(_:)`.
  @inlinable public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try Set(fetchAll(db))
  }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible {
  /// A cursor over the values.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public func fetchCursor(_ db: Database) throws -> DatabaseValueCursor<RowDecoder> {
    try makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _ConvertedElement<RowDecoder>.self)
  }

  /// The values.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  @inlinable public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try makePreparedRequest(db, forSingleResult: false).fetchAll(
      _ConvertedElement<RowDecoder>.self)
  }

  /// The first of the values, or nil. See `fetchAll(_:)`.
  @inlinable public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try makePreparedRequest(db, forSingleResult: true).fetchOne(
      _ConvertedElement<RowDecoder?>.self) ?? nil
  }

  /// The distinct values. See `fetchAll(_:)`.
  @inlinable public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable { try Set(fetchAll(db)) }
}
