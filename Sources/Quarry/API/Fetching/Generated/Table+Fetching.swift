// Written by Scripts/generate, from FetchRequest+Fetching.swift: change that file.

extension Table where RowDecoder == Row {
  /// A cursor over the rows.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  public func fetchCursor(_ db: Database) throws -> RowCursor {
    try all().makePreparedRequest(db, forSingleResult: false).fetchCursor(_RowElement.self)
  }

  /// The rows.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try all().makePreparedRequest(db, forSingleResult: false).fetchRows(db)
  }

  /// The first of the rows, or nil. See `fetchAll(_:)`.
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try all().makePreparedRequest(db, forSingleResult: true).fetchRow(db)
  }

  /// The distinct rows. See `fetchAll(_:)`.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
    try Set(fetchAll(db))
  }
}

extension Table where RowDecoder: DatabaseValueConvertible {
  /// A cursor over the values.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  public func fetchCursor(_ db: Database) throws -> DatabaseValueCursor<RowDecoder> {
    try all().makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _ConvertedElement<RowDecoder>.self)
  }

  /// The values.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try all().makePreparedRequest(db, forSingleResult: false).fetchAll(
      _ConvertedElement<RowDecoder>.self)
  }

  /// The first of the values, or nil. See `fetchAll(_:)`.
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try all().makePreparedRequest(db, forSingleResult: true).fetchOne(
      _ConvertedElement<RowDecoder?>.self) ?? nil
  }

  /// The distinct values. See `fetchAll(_:)`.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable { try Set(fetchAll(db)) }
}

extension Table where RowDecoder: FetchableRecord {
  /// A cursor over the records.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  public func fetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    try all().makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _RecordElement<RowDecoder>.self)
  }

  /// The records.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try all().makePreparedRequest(db, forSingleResult: false).fetchAll(db)
  }

  /// The first of the records, or nil. See `fetchAll(_:)`.
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try all().makePreparedRequest(db, forSingleResult: true).fetchOne(db)
  }

  /// The distinct records. See `fetchAll(_:)`.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable { try Set(fetchAll(db)) }
}

extension Table where RowDecoder: DatabaseValueConvertible & StatementColumnConvertible {
  /// A cursor over the values.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  public func fetchCursor(_ db: Database) throws -> FastDatabaseValueCursor<RowDecoder> {
    try all().makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _DirectElement<RowDecoder>.self)
  }

  /// The values.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` when SQLite fails, ``RowDecodingError``.
  public func fetchAll(_ db: Database) throws -> [RowDecoder] {
    try all().makePreparedRequest(db, forSingleResult: false).fetchAll(
      _DirectElement<RowDecoder>.self)
  }

  /// The first of the values, or nil. See `fetchAll(_:)`.
  public func fetchOne(_ db: Database) throws -> RowDecoder? {
    try all().makePreparedRequest(db, forSingleResult: true).fetchOne(
      _DirectElement<RowDecoder?>.self) ?? nil
  }

  /// The distinct values. See `fetchAll(_:)`.
  public func fetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable { try Set(fetchAll(db)) }
}
