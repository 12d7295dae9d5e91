extension QueryPlan {
  /// How the columns of the query are divided among the main row and its scopes, or nil for a flat row.
  ///
  /// - Throws: `InvalidRequest` for a selection of unknown width, in a request with joins.
  func rowScopeTree(_ db: Database) throws -> RowScopeTree? {
    if joins.isEmpty && members.isEmpty { return nil }
    return try rowScopeTree { query in
      try db.internalStatement(sql: SQLWriter.write(select: query).sql).use(\.columnCount)
    }
  }
}
