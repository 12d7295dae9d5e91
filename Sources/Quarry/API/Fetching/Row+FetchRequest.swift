extension Row {
  /// A cursor over the rows of a request.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL.
  public static func fetchCursor(_ db: Database, _ request: some FetchRequest) throws -> RowCursor {
    let prepared = try request.makePreparedRequest(db, forSingleResult: false)
    return try prepared.fetchCursor(_RowElement.self)
  }

  /// The rows of a request.
  ///
  /// - Throws: ``InvalidRequest``, and ``DatabaseError`` for a mistake in the SQL, or when SQLite
  ///   fails.
  public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Row] {
    try request.makePreparedRequest(db, forSingleResult: false).fetchRows(db)
  }

  /// The distinct rows of a request. See ``fetchAll(_:_:)``.
  public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Row> {
    Set(try fetchAll(db, request))
  }

  /// The first row of a request. See ``fetchAll(_:_:)``.
  public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Row? {
    try request.makePreparedRequest(db, forSingleResult: true).fetchRow(db)
  }
}
