// Written by Scripts/generate, from DatabaseValueConvertible+FetchRequest.swift: change that file.

extension FetchableRecord {
  /// A cursor over the records of a request.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public static func fetchCursor(
    _ db: Database, _ request: some FetchRequest
  ) throws -> RecordCursor<Self> {
    try request.makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _RecordElement<Self>.self)
  }

  /// The records of a request.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` for a mistake in the SQL, or when SQLite
  ///   fails; ``RowDecodingError``.
  @inlinable public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws
    -> [Self]
  {
    try request.makePreparedRequest(db, forSingleResult: false).fetchAll(db)
  }

  /// The first of the records of a request, or nil. See `fetchAll(_:_:)`.
  @inlinable public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws
    -> Self?
  {
    try request.makePreparedRequest(db, forSingleResult: true).fetchOne(db)
  }

  /// The distinct records of a request. See `fetchAll(_:_:)`.
  @inlinable public static func fetchSet(
    _ db: Database, _ request: some FetchRequest
  ) throws -> Set<Self> where Self: Hashable { try Set(fetchAll(db, request)) }
}
