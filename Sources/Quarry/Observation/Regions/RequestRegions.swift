extension FetchRequest {
  /// The region that the request reads. The request is prepared, and not run.
  ///
  /// ```swift
  /// try Book.all().databaseRegion(db)          // book(authorId,id,title)
  /// try Book.filter(id: 1).databaseRegion(db)  // book(authorId,id,title)[1]
  /// ```
  ///
  /// Requests of the query interface are limited to the rows that their filters name by their keys, and have the regions
  /// of the associations that `including(all:)` fetches.
  ///
  /// - throws: the error of the preparation.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    let prepared = try db.preparingRegions {
      try makePreparedRequest(db, forSingleResult: false)
    }
    return prepared.statement.use { $0.executedRegion }
  }
}

extension Table: DatabaseRegionConvertible {
  /// The region of all columns and rows of the table, which is not looked for in the database.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    DatabaseRegion(table: tableName)
  }
}

extension PreparedRequest {
  /// Attaches the region of the request to the statement.
  ///
  /// - parameter relation: the request, if it has one source.
  func attachRegion(of relation: Relation?, in db: Database) throws {
    var region = statement.databaseRegion
    if let relation { region = try region.limited(to: relation, statement, in: db) }
    if let prefetch, !region.isEmpty {
      for prefetch in prefetch.prefetches { try region.formUnion(prefetch.region(db)) }
    }
    statement.requestRegion = region
  }
}

extension Prefetch {
  fileprivate func region(_ db: Database) throws -> DatabaseRegion {
    let all = FilterClause.expression(SQLExpression(true.databaseValue))
    return try QueryInterfaceRequest<Row>(relation: relation(where: all)).databaseRegion(db)
  }
}

extension Statement {
  /// Attaches the region of a query about a request, such as the number of its rows.
  func attachRegion(of relation: Relation, in db: Database) throws {
    requestRegion = try databaseRegion.limited(to: relation, self, in: db)
  }
}
