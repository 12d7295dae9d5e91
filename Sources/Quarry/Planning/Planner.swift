// From a relation to a query plan. Planning asks the schema, and runs no statement.
//
// Sources are numbered: the root, then the joined ones, depth first. Names come next (`AliasNames`), since a
// table that is there twice gets numbered names. All that a clause may defer until the schema is known is asked for
// here, so that the writer only writes. Faults that a request carries are thrown here, with the name of its table.

enum Planner {
  /// Plans a request.
  ///
  /// - parameter forSingleResult: `LIMIT 1` is added, unless the request has at most one row anyway.
  /// - Throws: `InvalidRequest` for a request that has no SQL, `DatabaseError` for unknown tables.
  static func plan(
    _ relation: Relation, in context: PlanningContext, forSingleResult: Bool = false
  ) throws -> QueryPlan {
    do {
      try context.checkStack()
      var plan = try makePlan(relation, in: context)
      if forSingleResult, try plan.needsLimit(relation) {
        plan.limit = Limit(count: 1)
      }
      if !relation.prefetches.isEmpty || !relation.joins.isEmpty {
        plan.prefetchPlan = try PrefetchPlan(relation, plan: plan)
      }
      return plan
    } catch {
      throw relation.source.naming(error)
    }
  }

  private static func makePlan(
    _ relation: Relation, in context: PlanningContext
  ) throws -> QueryPlan {
    if let fault = relation.fault { throw fault }
    var plan = QueryPlan(
      context: context,
      root: PlannedSource(
        source: relation.source,
        name: relation.source.name,
        selection: try context.resolve(relation.selection),
        filters: try context.resolve(relation.filters, of: relation.source),
        ordering: try context.resolve(relation.ordering)))
    plan.isDistinct = relation.isDistinct
    plan.limit = relation.limit
    plan.tableExpressions = relation.tableExpressions
    if !relation.windows.isEmpty { try plan.define(relation.windows, of: 0) }
    if let grouping = relation.grouping {
      plan.grouping = try context.resolve(grouping, of: relation.source)
    }
    if !relation.havings.isEmpty {
      plan.havings = try context.resolve(relation.havings, of: relation.source)
    }
    if !relation.aliases.isEmpty || !relation.joins.isEmpty {
      try addSources(of: relation, to: &plan)
    }
    return plan
  }

  private static func addSources(of relation: Relation, to plan: inout QueryPlan) throws {
    var names = AliasNames()
    names.reserveCapacity(relation.joins.count + 1)
    try names.add(relation)
    for alias in relation.aliases {
      plan.aliases.append(AliasBinding(alias: alias, source: 0, isShared: relation.sharesAliases))
    }
    if !relation.joins.isEmpty {
      plan.joins.reserveCapacity(relation.joins.count)
      try plan.join(relation.joins, parent: 0, isParentOptional: false, names: &names)
      if !plan.aliases.isEmpty { try plan.planJointTests() }
    }
    plan.isQualified = !plan.joins.isEmpty || names.isNamedByUser(0)
    try names.resolve { plan.source($0) }
    plan.root.name = names[0]
    for index in plan.joins.indices {
      plan.joins[index].name = names[index + 1]
    }
    if !relation.aggregatedJoins.isEmpty { try plan.isolateAggregates(of: relation) }
  }
}
