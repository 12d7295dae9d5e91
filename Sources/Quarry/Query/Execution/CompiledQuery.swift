/// A request that is planned and written: the statement to prepare, and how its rows are read.
package final class CompiledQuery {
  package let text: SQLText
  /// The associations to fetch once the rows are known.
  package private(set) var prefetchPlan: PrefetchPlan?
  private let hasPrefetch: Bool
  private let scopes: Result<SharedRowAdapter?, any Error>

  package init(
    _ relation: Relation, in context: PlanningContext, forSingleResult: Bool = false
  ) throws {
    let plan = try Planner.plan(relation, in: context, forSingleResult: forSingleResult)
    scopes = Result { try plan.rowScopes(in: context).map(Shared.init) }
    prefetchPlan = plan.prefetchPlan
    hasPrefetch = prefetchPlan != nil
    text = try SQLWriter.write(select: plan, in: context)
  }

  init(_ compound: Compound, in context: PlanningContext, forSingleResult: Bool = false) throws {
    let plan = try Planner.plan(compound, in: context, forSingleResult: forSingleResult)
    scopes = Result { try plan.rowScopes(in: context).map(Shared.init) }
    prefetchPlan = plan.prefetchPlan
    hasPrefetch = prefetchPlan != nil
    text = try SQLWriter.text(in: context) { try $0.write(plan) }
  }

  /// A statement that fetches no rows of the request.
  init(_ text: SQLText) {
    self.text = text
    scopes = .success(nil)
    hasPrefetch = false
  }

  /// The ranges of columns of the main row and of its scopes: a `RowScopeTree`. Nil for a flat row.
  ///
  /// Their error comes after those of SQLite, which show the SQL.
  ///
  /// - Throws: `InvalidRequest` for a selection of unknown width, in a request with joins.
  package var rowScopes: SharedRowAdapter? { get throws { try scopes.get() } }

  /// The plan of a query that is remembered, with the values of a request.
  func prefetchPlan(filling values: [DatabaseValue]) -> PrefetchPlan? {
    guard hasPrefetch, var plan = prefetchPlan else { return nil }
    plan.values = values
    return plan
  }

  /// Notes what all executions of the prefetches have in common.
  func preparePrefetchesForReuse() { prefetchPlan?.prepareForReuse() }

  var hasKnownScopes: Bool { if case .success = scopes { true } else { false } }
}

extension Database {
  /// Plans, writes and prepares a request, as far as that is not done already.
  func prepare(_ query: some QueryTree, forSingleResult: Bool) throws -> PreparedRequest {
    try slots.use(.compiledQueries) {
      try $0.prepare(query, for: .rows(forSingleResult: forSingleResult), self)
    }
  }

  /// Prepares a request for its rows, after the checks that the configuration asks for.
  package func prepareChecked(
    _ relation: Relation, forSingleResult: Bool = false
  ) throws -> PreparedRequest {
    if relation.replacesOrder || relation.sharedRareClauses != nil { try check(relation) }
    return try prepare(relation, forSingleResult: forSingleResult)
  }

  private func check(_ relation: Relation) throws {
    if relation.aggregatedJoins.count > 1 { try relation.checkAggregates(self) }
    if relation.replacesOrder { try relation.checkOrder(self) }
  }

  /// A statement for a request that fetches no rows of it, with its arguments.
  func statement(_ query: some QueryTree, for purpose: QueryPurpose) throws -> Statement {
    try slots.use(.compiledQueries) { try $0.prepare(query, for: purpose, self).statement }
  }

  /// Prepares a compiled request.
  ///
  /// - parameter relation: the request, if it has one source, and its rows are read.
  func prepare(_ query: CompiledQuery, _ relation: Relation? = nil) throws -> PreparedRequest {
    try internalStatement(query.text).releasingOnError {
      let prepared = try PreparedRequest(
        statement: $0, adapter: query.rowScopes, prefetch: query.prefetchPlan)
      if wantsRequestRegions {
        let region = try StatementRegion(prepared.statement, relation, in: self)
        try prepared.attach(region, of: relation, in: self)
      }
      return prepared
    }
  }
}
