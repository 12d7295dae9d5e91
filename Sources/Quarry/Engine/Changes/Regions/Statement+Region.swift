extension Statement {
  /// The region that the statement reads: each table and column, itself or through views, triggers
  /// and foreign keys.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "SELECT title FROM book WHERE year > 1900")
  /// print(statement.databaseRegion) // book(title,year)
  /// ```
  ///
  /// If a statement reads no column of a table, the region has all columns: `SELECT COUNT(*) FROM
  /// book` reads `book(*)`. It has all columns of the tables that a join with `USING` or `NATURAL`
  /// may read, which SQLite does not report. Outside of an access to the database, nothing is
  /// certain: it is the full database. Where the schema has changed since the statement was
  /// compiled, it is the region in the present schema.
  ///
  /// See <https://www.sqlite.org/c3ref/set_authorizer.html>. The statement of a prepared request
  /// has the tables of the associations that `including(all:)` fetches, too.
  public var databaseRegion: DatabaseRegion {
    // Where the schema can't be read, nothing is certain.
    (try? region()) ?? .fullDatabase
  }

  /// The region that an execution reads: that of the request that the statement was prepared for,
  /// if it is known.
  ///
  /// - Throws: The errors of questions to the schema, which may have ended the transaction.
  func executedRegion() throws -> DatabaseRegion { try bindings.request?.limited ?? region() }

  private func region() throws -> DatabaseRegion {
    let region = try ownRegion()
    guard owner.isInAccess, let prefetch = bindings.request?.prefetch else { return region }
    // Where the associations can't be planned, nothing is certain.
    return region.union((try? prefetch.region(database)) ?? .fullDatabase)
  }
}

/// The region of a prepared request, which its statement alone does not have.
struct RequestRegion {
  /// The associations that are fetched once the rows are known.
  let prefetch: (any PendingRegion)?
  /// The region with the associations, limited to the rows that the arguments select by key. Nil
  /// until it is computed.
  var limited: DatabaseRegion?
}

/// Associations that are fetched once the rows are known: a floor above knows their region.
protocol PendingRegion: AnyObject {
  func region(_ db: Database) throws -> DatabaseRegion
}

extension StatementEffects {
  /// The tables and columns that SQLite has reported.
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
