/// The region of a statement, and the source of its request: remembered beside the compiled query.
struct StatementRegion {
  fileprivate let region: DatabaseRegion
  private let source: PinnableSource?

  /// - parameter relation: The request, if it has one source, and its rows are read.
  init(_ statement: Statement, _ relation: Relation?, in db: Database) throws {
    region = try statement.ownRegion()
    source = try relation.flatMap { try PinnableSource($0, statement, in: db) }
  }

  /// The region of a request that is compiled into the statement.
  fileprivate func region(of relation: Relation?, in db: Database) throws -> DatabaseRegion {
    guard let source, let relation else { return region }
    return try source.limit(region, to: relation, in: db)
  }
}

extension PreparedRequest {
  /// Attaches the region of the request to its arguments.
  func attach(_ statementRegion: StatementRegion, of relation: Relation?, in db: Database) throws {
    var region = try statementRegion.region(of: relation, in: db)
    // Without rows, there are no associations. A table expression may have rows of no table.
    if let prefetch, !region.isEmpty || statementRegion.region.isEmpty {
      try region.formUnion(prefetch.region(db))
    }
    statement.bindings.request = RequestRegion(prefetch: pendingPrefetch, limited: region)
  }
}

extension PrefetchPlan {
  func region(_ db: Database) throws -> DatabaseRegion {
    let all = FilterClause.expression(SQLExpression(true.databaseValue))
    return try prefetches.reduce(into: DatabaseRegion()) { region, prefetch in
      let relation = prefetch.relation(where: all)
      let prepared = try db.preparingRegions {
        try db.prepareChecked(prefetch.hasSlots ? filled(relation) : relation)
      }
      try region.formUnion(prepared.statement.use { try $0.executedRegion() })
    }
  }
}

extension PendingPrefetch: PendingRegion {
  func region(_ db: Database) throws -> DatabaseRegion { try plan.region(db) }
}
