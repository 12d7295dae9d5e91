extension SQLInterpolation {
  /// Appends the quoted name of the table of a record type.
  ///
  /// ```swift
  /// // SELECT * FROM "player"
  /// let request: SQLRequest<Player> = "SELECT * FROM \(Player.self)"
  /// ```
  public mutating func appendInterpolation(_ table: (some TableRecord).Type) {
    append(table: table.databaseTableName)
  }

  /// Appends the quoted name of a table.
  @_disfavoredOverload
  public mutating func appendInterpolation<T>(_ table: Table<T>) { append(table: table.tableName) }

  /// Appends the quoted name of the table of a record.
  ///
  /// ```swift
  /// // DELETE FROM "player" WHERE id = ?
  /// let query: SQL = "DELETE FROM \(tableOf: player) WHERE id = \(player.id)"
  /// ```
  public mutating func appendInterpolation(tableOf record: some TableRecord) {
    append(table: type(of: record).databaseTableName)
  }

  /// Appends the columns that a record type selects.
  ///
  /// ```swift
  /// // SELECT "player".* FROM player
  /// let request: SQLRequest<Player> = "SELECT \(columnsOf: Player.self) FROM player"
  ///
  /// // SELECT "p".* FROM player p
  /// let aliased: SQLRequest<Player> = "SELECT \(columnsOf: Player.self, tableAlias: "p") FROM player p"
  /// ```
  public mutating func appendInterpolation(
    columnsOf recordType: (some TableRecord).Type, tableAlias: String? = nil
  ) {
    let table = recordType.databaseTableName
    let selection = recordType.databaseSelection.map { $0.sqlSelection }
    sql.append(.columns(selection, table: table, name: tableAlias ?? table))
  }

  /// Appends the quoted name of a common table expression.
  public mutating func appendInterpolation(_ cte: CommonTableExpression<some Any>) {
    appendInterpolation(identifier: cte.tableName)
  }

  /// Appends the definition of a common table expression.
  ///
  /// ```swift
  /// // WITH "recent" AS (SELECT …) SELECT * FROM "recent"
  /// let request: SQLRequest<Row> = "WITH \(definitionFor: recent) SELECT * FROM \(recent)"
  /// ```
  public mutating func appendInterpolation(definitionFor cte: CommonTableExpression<some Any>) {
    sql.append(.definition(cte.definition))
  }

  /// Appends the name of a collation.
  ///
  /// ```swift
  /// // SELECT * FROM player ORDER BY name COLLATE NOCASE
  /// let request: SQLRequest<Player> = """
  ///   SELECT * FROM player ORDER BY name COLLATE \(.nocase)
  ///   """
  /// ```
  public mutating func appendInterpolation(_ collation: Database.CollationName) {
    appendLiteral(collation.rawValue)
  }
  /// Appends the name of a collation of the application.
  public mutating func appendInterpolation(_ collation: DatabaseCollation) {
    appendLiteral(collation.name)
  }
}
