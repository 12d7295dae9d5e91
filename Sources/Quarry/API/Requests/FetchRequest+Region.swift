extension FetchRequest {
  /// The region that the request reads. The request is prepared, and not run.
  ///
  /// ```swift
  /// try Book.all().databaseRegion(db)          // book(authorId,id,title)
  /// try Book.filter(id: 1).databaseRegion(db)  // book(authorId,id,title)[1]
  /// ```
  ///
  /// Requests of the query interface are limited to the rows that their filters name by their keys,
  /// and have the regions of the associations that `including(all:)` fetches. Where closures of the
  /// request read, such as those of `filterWhenConnected(_:)`, the region has all that they read,
  /// and all columns of the tables: the keys and columns that they return don't limit it.
  ///
  /// - throws: the error of the preparation.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    let (region, readByClosures) = try db.recordRegion {
      let prepared = try db.preparingRegions { try makePreparedRequest(db, forSingleResult: false) }
      return try prepared.statement.use { try $0.executedRegion() }
    }
    // Preparations read the schema, too.
    let read = readByClosures.withoutSQLiteTables
    return read.isEmpty ? region : region.withAllColumns.union(read)
  }
}

extension Table: DatabaseRegionConvertible {
  /// The region of all columns and rows of the table, which is not looked for in the database.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    DatabaseRegion(table: tableName)
  }
}
