extension QueryInterfaceRequest {
  /// Updates the rows.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?, "bonus" = "bonus" + ? WHERE "team" = ?
  /// try Player
  ///   .filter(Column("team") == "Red")
  ///   .updateAll(db, [Column("score").set(to: 0), Column("bonus") += 10])
  /// ```
  ///
  /// Conditions and values, and the subqueries in them, see the rows as they are before the update.
  /// Values that read a table which triggers or foreign keys change see their changes for the rows
  /// that are updated before. Values that SQLite refuses in an update, such as aggregate and window
  /// functions of the updated rows, are refused.
  ///
  /// Values may refer to required associations, with an alias. A row with several associated rows
  /// is updated once, with one of them:
  ///
  /// ```swift
  /// // UPDATE "player" SET "bonus" = "team"."bonus" FROM "team"
  /// // WHERE "team"."id" = "player"."teamId"
  /// let team = TableAlias<Team>()
  /// try Player
  ///   .joining(required: Player.team.aliased(team))
  ///   .updateAll(db, [Column("bonus").set(to: team[Column("bonus")])])
  /// ```
  ///
  /// - parameter db: A connection.
  /// - parameter assignments: The columns and their new values.
  /// - parameter conflictResolution: the conflict resolution algorithm. Defaults to that of the
  ///   record type.
  /// - returns: the number of updated rows.
  /// - throws: ``InvalidRequest``, ``DatabaseError``.
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment]
  ) throws -> Int {
    guard assignments.contains(where: { $0.value != nil }) else { return 0 }
    let update = QueryPurpose.update(
      assignments, conflictResolution: keyword(conflictResolution))
    return try db.countChanges(
      of: db.statement(_relation.relation, for: update), in: _relation.relation.source)
  }

  /// A statement that updates the rows of the request and returns values of them.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = "score" + ? WHERE "team" = ? RETURNING "score"
  /// let statement = try Player
  ///   .filter(Column("team") == "Red")
  ///   .updateAndFetchStatement(db, [Column("score") += 10], selection: [Column("score")])
  /// let scores = try Int.fetchAll(statement)
  /// ```
  ///
  /// The values are those of the updated table: SQLite returns none of a joined one. SQL that is
  /// written by hand refers to the table by its own name: SQLite knows no name of a ``TableAlias``
  /// in `RETURNING`.
  ///
  /// - throws: ``InvalidRequest``, ``DatabaseError``. A view has no such statement: its rows are
  ///   fetched by ``updateAndFetchAll(_:onConflict:_:)``.
  public func updateAndFetchStatement(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    _ assignments: [ColumnAssignment], selection: [any SQLSelectable]
  ) throws -> Statement {
    guard !selection.isEmpty else { throw relation.source.naming(InvalidRequest.emptyReturning) }
    guard assignments.contains(where: { $0.value != nil }) else {
      throw relation.source.naming(InvalidRequest.emptyAssignments)
    }
    let text = try db.planned { context in
      try SQLWriter.write(
        update: relation, assignments: assignments, conflictResolution: keyword(conflictResolution),
        returning: selection.map { $0.sqlSelection }, in: context)
    }
    try checkReturning(db, insteadUse: "updateAndFetchAll")
    return try db.makeStatement(text)
  }

  /// The resolution of the record type, unless another one is given. Nil for `ABORT`.
  private func keyword(_ conflictResolution: Database.ConflictResolution?) -> String? {
    if let conflictResolution { return conflictResolution.keyword }
    let recordType = RowDecoder.self as? any MutablePersistableRecord.Type
    return recordType?.persistenceConflictPolicy.conflictResolutionForUpdate.keyword
  }
}

extension QueryInterfaceRequest where RowDecoder: TableRecord {
  /// Updates the rows.
  ///
  /// ```swift
  /// // UPDATE "player" SET "score" = ?
  /// try Player.all().updateAll(db) { $0.score.set(to: 0) }
  /// ```
  @discardableResult
  public func updateAll(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignment: (DatabaseComponents) throws -> ColumnAssignment
  ) throws -> Int {
    try updateAll(db, onConflict: conflictResolution, [assignment(RowDecoder.databaseComponents)])
  }

  /// See ``updateAndFetchStatement(_:onConflict:_:selection:)``.
  public func updateAndFetchStatement(
    _ db: Database, onConflict conflictResolution: Database.ConflictResolution? = nil,
    assignments: (DatabaseComponents) throws -> [ColumnAssignment],
    select: (DatabaseComponents) throws -> [any SQLSelectable]
  ) throws -> Statement {
    try updateAndFetchStatement(
      db, onConflict: conflictResolution, assignments(RowDecoder.databaseComponents),
      selection: select(RowDecoder.databaseComponents))
  }
}
