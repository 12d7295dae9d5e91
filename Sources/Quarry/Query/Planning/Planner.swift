// From a relation to a query plan. Planning asks the schema, and runs no statement.
//
// Sources are numbered: the root, then the joined ones, depth first. Names come next
// (`SelectPlan+Names.swift`), since a table that is there twice gets numbered names. All that a
// clause may defer until the schema is known is asked for here. At last, clauses are closed
// (`ClausePlanner`): queries inside become plans, so that the writer only writes. Faults that a
// request carries are thrown here, with the name of its table.

enum Planner {
  /// Plans a request.
  ///
  /// - parameter forSingleResult: `LIMIT 1` is added, unless the request has at most one row
  ///   anyway.
  /// - parameter name: changes the names of sources.
  /// - Throws: `InvalidRequest` for a request that has no SQL, `DatabaseError` for unknown tables.
  static func plan(
    _ relation: Relation, in context: PlanningContext, forSingleResult: Bool = false,
    name: (inout SelectPlan) throws -> Void = { _ in }
  ) throws -> SelectPlan {
    do {
      var plan = try makePlan(relation, in: context)
      if forSingleResult, try plan.needsLimit(relation, in: context) {
        plan.limit = Limit(count: 1)
      }
      if !relation.prefetches.isEmpty || !relation.joins.isEmpty {
        plan.prefetchPlan = try PrefetchPlan(relation, plan: plan, in: context)
      }
      try name(&plan)
      try plan.close(in: context, inside: [])
      return plan
    } catch {
      throw relation.source.naming(error)
    }
  }

  /// Plans a request inside other queries, outermost first.
  static func plan(
    _ relation: Relation, in context: PlanningContext, inside enclosing: [SelectPlan]
  ) throws -> SelectPlan {
    do {
      var plan = try makePlan(relation, in: context)
      let isCorrelated = relation.isCorrelated && !enclosing.isEmpty
      try plan.nameWithSchema(inside: enclosing, in: context)
      if plan.sharesName(with: enclosing) {
        let references = try plan.references(in: context)
        let names = plan.names(of: enclosing, in: references)
        try plan.rename(
          avoiding: names, in: references,
          replacesUserNames: isCorrelated || enclosing.first?.isReturned == true)
      }
      if isCorrelated {
        for index in plan.scope.aliases.indices {
          let alias = plan.scope.aliases[index].alias
          plan.scope.aliases[index].isShared = enclosing.contains { $0.source(of: alias) != nil }
        }
        try plan.qualifyMissingColumns(in: context)
      }
      try plan.checkAliases(inside: enclosing)
      try plan.close(in: context, inside: enclosing)
      return plan
    } catch {
      throw relation.source.naming(error)
    }
  }

  private static func makePlan(
    _ relation: Relation, in context: PlanningContext
  ) throws -> SelectPlan {
    try context.checkStack()
    if let fault = relation.fault { throw fault }
    try relation.source.checkStandsAlone()
    try relation.checkMerges(key: relation.source.name, in: context)
    var plan = SelectPlan(
      root: PlannedSource(
        source: relation.source,
        selection: try context.resolve(relation.selection),
        filters: try context.resolve(relation.filters, of: relation.source),
        ordering: try context.resolve(relation.ordering)))
    plan.isDistinct = relation.isDistinct
    plan.limit = relation.limit
    if let clauses = relation.rareClauses {
      try plan.addDefinitions(of: clauses, source: 0, in: context)
    }
    if let grouping = relation.grouping {
      plan.grouping = try context.resolve(grouping, of: relation.source)
    }
    plan.havings = try context.resolve(relation.havings, of: relation.source)
    if !relation.aliases.isEmpty || !relation.joins.isEmpty {
      try addSources(of: relation, to: &plan, in: context)
    }
    return plan
  }

  private static func addSources(
    of relation: Relation, to plan: inout SelectPlan, in context: PlanningContext
  ) throws {
    plan.root.userName = try relation.userName
    for alias in relation.aliases {
      plan.scope.aliases.append(AliasBinding(alias: alias, source: 0))
    }
    if !relation.joins.isEmpty {
      plan.sources.reserveCapacity(relation.joins.count + 1)
      try plan.join(relation.queriedJoins, parent: 0, isParentOptional: false, in: context)
      try plan.planDeletionScope(of: relation, in: context)
      if !plan.scope.aliases.isEmpty { try plan.planJointConditions(in: context) }
    }
    plan.scope.isQualified = !plan.joins.isEmpty || plan.root.userName != nil
    try plan.nameSources(in: context)
    if !relation.aggregatedJoins.isEmpty { try plan.isolateAggregates(of: relation, in: context) }
  }
}

extension SelectPlan {
  /// An alias can't designate a table of this query and one of an enclosing query.
  fileprivate func checkAliases(inside enclosing: [SelectPlan]) throws {
    for binding in scope.aliases where !binding.isShared {
      // The nearest query first, then from the outermost one on.
      for plan in enclosing.suffix(1) + enclosing.dropLast() where plan.claims(binding.alias) {
        let other = plan.source(of: binding.alias).map(plan.source)
        let source = source(binding.source)
        throw InvalidRequest.sharedAlias(other ?? source, source)
      }
    }
  }
}
