extension QueryInterfaceRequest {
  /// Deletes the rows of the request.
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE "score" = ?
  /// let count = try Player.filter(Column("score") == 0).deleteAll(db)
  /// ```
  ///
  /// Conditions, and the subqueries in them, see the rows as they are before the deletion. Where
  /// the subqueries may read the table, rows are found by their primary key or rowid:
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE "id" IN (
  /// //   SELECT "id" FROM "player" WHERE "score" = (SELECT MIN("score") FROM "player"))
  /// try Player
  ///   .filter(Column("score") == Player.select(min(Column("score"))))
  ///   .deleteAll(db)
  /// ```
  ///
  /// A table whose rowid has no name, since its columns have all names of a rowid, needs a library
  /// with `SQLITE_ENABLE_UPDATE_DELETE_LIMIT` for that: others refuse the request.
  ///
  /// - returns: the number of deleted rows.
  /// - throws: ``InvalidRequest``, ``DatabaseError``.
  @discardableResult
  public func deleteAll(_ db: Database) throws -> Int {
    if let (rows, assignments) = try marking(db) { return try rows.updateAll(db, assignments) }
    return try db.countChanges(
      of: db.statement(_relation.relation, for: .delete), in: _relation.relation.source)
  }

  /// A statement that deletes the rows of the request and returns values of them.
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE "score" = ? RETURNING "name"
  /// let request = Player.filter(Column("score") == 0)
  /// let statement = try request.deleteAndFetchStatement(db, selection: [Column("name")])
  /// let names = try String.fetchAll(statement)
  /// ```
  ///
  /// SQL that is written by hand refers to the table by its own name: SQLite knows no name of a
  /// ``TableAlias`` in `RETURNING`.
  ///
  /// - throws: ``InvalidRequest``, ``DatabaseError``. A view has no such statement: its rows are
  ///   fetched by ``deleteAndFetchAll(_:)``.
  public func deleteAndFetchStatement(
    _ db: Database, selection: [any SQLSelectable]
  ) throws -> Statement {
    guard !selection.isEmpty else { throw relation.source.naming(InvalidRequest.emptyReturning) }
    if let (rows, assignments) = try marking(db) {
      return try rows.updateAndFetchStatement(db, assignments, selection: selection)
    }
    let text = try db.planned { context in
      try SQLWriter.write(
        delete: relation, returning: selection.map { $0.sqlSelection }, in: context)
    }
    try checkReturning(db, insteadUse: "deleteAndFetchAll")
    return try db.makeStatement(text)
  }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
  /// See ``deleteAndFetchStatement(_:selection:)``.
  public func deleteAndFetchStatement(
    _ db: Database, select: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Statement {
    try deleteAndFetchStatement(db, selection: select(RowDecoder.databaseComponents))
  }

  /// Deletes the rows of the request, and returns their identifiers.
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE "score" = ? RETURNING "id"
  /// let ids = try Player.filter(Column("score") == 0).deleteAndFetchIds(db)
  /// ```
  public func deleteAndFetchIds(_ db: Database) throws -> Set<RowDecoder.ID>
  where
    RowDecoder: Identifiable,
    RowDecoder.ID: Hashable & DatabaseValueConvertible & StatementColumnConvertible
  {
    let columns = try db.schema.primaryKeyColumns(of: .table(databaseTableName))
    guard columns.count == 1, let column = columns.first else {
      throw InvalidRequest(
        "Fetching id requires a single-column primary key in the table \(databaseTableName)")
    }
    let statement = try deleteAndFetchRows(db, selection: [Column(column)])
    guard let decode = ColumnCodings.of(RowDecoder.self)?.declaration(of: column)?.decode else {
      return try RowDecoder.ID.fetchSet(statement)
    }
    let rows = try Row.fetchCursor(statement)
    return try Set(rows.map { try decode($0, 0) as? RowDecoder.ID ?? $0.decode(atIndex: 0) })
  }
}

extension QueryInterfaceRequest where RowDecoder: FetchableRecord & TableRecord {
  /// A cursor over the deleted records. Rows are deleted at its first step; those of a view, before
  /// it is returned.
  public func deleteAndFetchCursor(_ db: Database) throws -> RecordCursor<RowDecoder> {
    let statement = try deleteAndFetchRows(db, selection: RowDecoder.databaseSelection)
    return try RowDecoder.fetchCursor(statement)
  }

  /// Deletes the rows of the request, and returns the deleted records.
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE "score" = ? RETURNING *
  /// let players = try Player.filter(Column("score") == 0).deleteAndFetchAll(db)
  /// ```
  public func deleteAndFetchAll(_ db: Database) throws -> [RowDecoder] {
    try Array(deleteAndFetchCursor(db))
  }

  /// See ``deleteAndFetchAll(_:)``.
  public func deleteAndFetchSet(_ db: Database) throws -> Set<RowDecoder>
  where RowDecoder: Hashable { try Set(deleteAndFetchCursor(db)) }
}
