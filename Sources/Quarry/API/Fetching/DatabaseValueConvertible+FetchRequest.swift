extension DatabaseValueConvertible {
  /// A cursor over the values of the first column of a request.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  public static func fetchCursor(
    _ db: Database, _ request: some FetchRequest
  ) throws -> DatabaseValueCursor<Self> {
    try request.makePreparedRequest(db, forSingleResult: false).fetchCursor(
      _ConvertedElement<Self>.self)
  }

  /// The values of the first column of a request.
  ///
  /// - Throws: ``InvalidRequest``, ``DatabaseError`` for a mistake in the SQL, or when SQLite
  ///   fails; ``RowDecodingError``.
  public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
    try request.makePreparedRequest(db, forSingleResult: false).fetchAll(
      _ConvertedElement<Self>.self)
  }

  /// The first of the values of the first column of a request, or nil. See `fetchAll(_:_:)`.
  public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
    try request.makePreparedRequest(db, forSingleResult: true).fetchOne(
      _ConvertedElement<Self?>.self) ?? nil
  }

  /// The distinct values of the first column of a request. See `fetchAll(_:_:)`.
  public static func fetchSet(
    _ db: Database, _ request: some FetchRequest
  ) throws -> Set<Self> where Self: Hashable { try Set(fetchAll(db, request)) }
}
