extension Statement {
  /// The region that the statement reads: each table and column, itself or through views, triggers and foreign keys.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT title FROM book WHERE year > 1900")
  /// print(statement.databaseRegion) // book(title,year)
  /// ```
  ///
  /// If a statement reads no column of a table, the region has all columns: `SELECT COUNT(*) FROM book` reads `book(*)`.
  ///
  /// See <https://www.sqlite.org/c3ref/set_authorizer.html>.
  public var databaseRegion: DatabaseRegion { effects.region }

  /// The region that an execution reads: that of the request that the statement was prepared for, if it is known.
  var executedRegion: DatabaseRegion { requestRegion ?? databaseRegion }
}

extension StatementEffects {
  var region: DatabaseRegion {
    var region = DatabaseRegion()
    reads.forEach { _, table, column in
      region.insert(column: column.isEmpty ? nil : column, ofTable: table)
    }
    return region
  }
}

extension DatabaseCursor {
  /// The region that the statement of the cursor reads. See ``Statement/databaseRegion``.
  public var databaseRegion: DatabaseRegion { _statement.databaseRegion }
}
