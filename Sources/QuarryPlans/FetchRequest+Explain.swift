public import Quarry

extension FetchRequest {
  /// Returns how SQLite executes the request, which is not executed.
  ///
  /// ```swift
  /// // EXPLAIN QUERY PLAN SELECT * FROM "book" WHERE "id" = ?
  /// let plan = try Book.filter(Column("id") == 1).explain(db)
  /// print(plan)
  /// // QUERY PLAN
  /// // `--SEARCH book USING INTEGER PRIMARY KEY (rowid=?)
  /// ```
  ///
  /// The requests of `including(all:)`, which depend on the rows, are not part of the plan: explain
  /// them one by one, or have them checked by `Configuration.planGuard` or by `expectSearch`.
  ///
  /// - Throws: `InvalidRequest`, `DatabaseError`. A pragma of an `SQLRequest` throws, which SQLite
  ///   may have applied.
  public func explain(_ db: Database) throws -> ExplainedPlan {
    let statement = try makePreparedRequest(db, forSingleResult: false).statement
    let (sql, arguments) = statement.use { ($0.sql, $0.arguments) }
    return try db.explain(sql: sql, arguments: arguments)
  }

  /// Returns how SQLite executes the requests of `including(all:)` for a row, also those inside.
  package func explainPrefetches(_ db: Database) throws -> [ExplainedPlan] {
    try makePreparedRequest(db, forSingleResult: false).explainPrefetches(db)
  }
}

extension PreparedRequest {
  fileprivate func explainPrefetches(_ db: Database) throws -> [ExplainedPlan] {
    guard let plan = prefetch else { return [] }
    return try plan.prefetches.flatMap { prefetch in
      let columns = prefetch.keyColumns.map { SQLExpression(.column($0)) }
      let key = columns.map { _ in SQLExpression(1.databaseValue) }
      let condition: SQLExpression? =
        if columns.count == 1 {
          .membership(columns[0], in: key)
        } else if try plan.repeatsBase(for: prefetch, db) {
          nil
        } else {
          .membership(SQLExpression(.row(columns)), in: [SQLExpression(.row(key))])
        }
      let request = try db.prepareChecked(plan.relation(for: prefetch, where: condition))
      let (sql, arguments) = request.statement.use { ($0.sql, $0.arguments) }
      return try [db.explain(sql: sql, arguments: arguments)] + request.explainPrefetches(db)
    }
  }
}

extension Database {
  /// Returns how SQLite executes a statement, which is not executed. See ``ExplainedPlan``.
  ///
  /// ```swift
  /// let plan = try db.explain(sql: "DELETE FROM book WHERE year < ?")
  /// ```
  ///
  /// - parameter sql: one statement. A pragma is refused: SQLite applies some of them when they are
  ///   compiled.
  /// - parameter arguments: some or all arguments: SQLite may look at them.
  /// - Throws: `DatabaseError` for a mistake in the SQL, and for a pragma.
  public func explain(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> ExplainedPlan {
    if let keyword = sql.statementKeyword, ["PRAGMA", "EXPLAIN"].contains(keyword) {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: "\(keyword) has no plan: SQLite applies some pragmas when they are compiled",
        sql: sql)
    }
    // The error of a mistake shows the statement as it is.
    let explained = try makeStatement(sql: sql)
    let statement = try makeStatement(sql: "EXPLAIN QUERY PLAN \(explained.sql)")
    statement.setUncheckedArguments(arguments)
    let rows = try Row.fetchAll(statement).map { row in
      try (
        id: row.decode(Int.self, atIndex: 0), parent: row.decode(Int.self, atIndex: 1),
        detail: row.decode(String.self, atIndex: 3)
      )
    }
    return ExplainedPlan(sql: explained.sql, rows: rows)
  }
}

extension String {
  /// Whether the statement reads or changes rows. SQLite applies some pragmas when they are
  /// compiled.
  package var hasPlan: Bool {
    ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "VALUES"]
      .contains(statementKeyword)
  }

  /// The first word of the statement, in capitals.
  fileprivate var statementKeyword: String? {
    let tokens = SQLTokens(self)
    for case .word(let range) in tokens { return tokens.text(range).uppercased() }
    return nil
  }
}
