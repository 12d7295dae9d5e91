/// A request that is planned and written: the statement to prepare, and how its rows are read.
struct CompiledQuery {
  let text: SQLText
  /// The associations to fetch once the rows are known.
  let prefetchPlan: PrefetchPlan?
  private let scopes: Result<RowScopeTree?, any Error>

  init(
    _ relation: Relation, in context: PlanningContext, forSingleResult: Bool = false
  ) throws {
    let plan = try Planner.plan(relation, in: context, forSingleResult: forSingleResult)
    do {
      scopes = .success(try plan.rowScopes(in: context))
    } catch {
      scopes = .failure(error)
    }
    prefetchPlan = plan.prefetchPlan
    text = try SQLWriter.write(select: plan, for: context.sqliteVersion)
  }

  init(
    _ compound: Compound, in context: PlanningContext, forSingleResult: Bool = false
  ) throws {
    let plan = try Planner.plan(compound, in: context, forSingleResult: forSingleResult)
    do {
      scopes = .success(try plan.rowScopes(in: context))
    } catch {
      scopes = .failure(error)
    }
    prefetchPlan = plan.prefetchPlan
    text = try SQLWriter.write(compound: plan, for: context.sqliteVersion)
  }

  /// The ranges of columns of the main row and of its scopes. Nil for a flat row.
  ///
  /// Their error comes after those of SQLite, which show the SQL.
  ///
  /// - Throws: `InvalidRequest` for a selection of unknown width, in a request with joins.
  var rowScopes: RowScopeTree? {
    get throws { try scopes.get() }
  }
}

extension Database {
  /// Plans, writes and prepares a request.
  func prepare(_ relation: Relation, forSingleResult: Bool) throws -> PreparedRequest {
    try prepare(
      CompiledQuery(relation, in: PlanningContext(self), forSingleResult: forSingleResult),
      relation)
  }

  /// Plans, writes and prepares a compound request.
  func prepare(_ compound: Compound, forSingleResult: Bool) throws -> PreparedRequest {
    try prepare(
      CompiledQuery(compound, in: PlanningContext(self), forSingleResult: forSingleResult))
  }

  /// Prepares a compiled request.
  ///
  /// - parameter relation: the request, if it has one source.
  func prepare(_ query: CompiledQuery, _ relation: Relation? = nil) throws -> PreparedRequest {
    try internalStatement(query.text).releasingOnError {
      let prepared = try PreparedRequest(
        statement: $0, adapter: query.rowScopes, prefetch: query.prefetchPlan)
      if wantsRequestRegions { try prepared.attachRegion(of: relation, in: self) }
      return prepared
    }
  }
}
