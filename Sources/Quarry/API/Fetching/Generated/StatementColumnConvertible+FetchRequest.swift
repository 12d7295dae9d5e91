// Written by Scripts/generate, from DatabaseValueConvertible+FetchRequest.swift: change that file.

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
  /// A cursor over the values of the first column of a request.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  @inlinable public static func fetchCursor(
    _ db: Database, _ request: some FetchRequest
  ) throws -> FastDatabaseValueCursor<Self> {
    try request.makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _DirectElement<Self>.self)
  }

  /// The values of the first column of a request.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` for a mistake in the SQL, or when SQLite
  ///   fails; ``RowDecodingError``.
  @inlinable public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws
    -> [Self]
  {
    try request.makePreparedRequest(db, forSingleResult: false).fetchAll(
      _DirectElement<Self>.self)
  }

  /// The first of the values of the first column of a request, or nil. See `fetchAll(_:_:)`.
  @inlinable public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws
    -> Self?
  {
    try request.makePreparedRequest(db, forSingleResult: true).fetchOne(
      _DirectElement<Self?>.self) ?? nil
  }

  /// The distinct values of the first column of a request. See `fetchAll(_:_:)`.
  @inlinable public static func fetchSet(
    _ db: Database, _ request: some FetchRequest
  ) throws -> Set<Self> where Self: Hashable { try Set(fetchAll(db, request)) }
}
