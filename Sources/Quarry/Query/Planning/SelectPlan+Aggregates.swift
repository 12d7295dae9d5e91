// Aggregates of associations are computed on the joined rows. Another to-many join multiplies those
// rows. Counts of distinct rows, minima and maxima stay what they are; sums, averages and totals
// don't: they get a subquery of their own.
//
//     SELECT a.*, COUNT(DISTINCT b.id), (SELECT SUM(c.x) FROM c WHERE c.a = a.id)
//     FROM a LEFT JOIN b ON b.a = a.id
//     GROUP BY a.id
//
// Inside the subquery, a source has the name that it has outside, so that its conditions are the
// same text. Sources that have one row for all rows of a group are those of the enclosing query.
//
// The subquery aggregates the distinct rows of its association that are in the group, as
// COUNT(DISTINCT) does: a condition that selects those rows is repeated in the subquery. It also
// counts rows that several columns identify, since COUNT(DISTINCT) takes one.

/// An aggregate of an association that is computed in a subquery of its own, in the place of the
/// call.
struct AggregatePlan: Sendable {
  /// The sources whose rows are aggregated: the steps of the association, and what the aggregated
  /// value refers to.
  let path: [Int]
  /// The path, and the sources that decide which of its rows there are.
  let sources: [Int]
  /// Conditions of the request on the sources.
  var filters: [FilterClause]
  /// The sources whose rows are made distinct before they are aggregated: other sources repeat
  /// them, or the value is that of another source. None if no row is repeated.
  let distinctSources: [Int]
  /// The rows are counted, and not their distinct keys.
  let countsRows: Bool
  /// The columns that identify rows of the distinct sources, once the query is closed.
  var identities: [[SQLExpression]] = []
  /// The sources of the request, once they are closed.
  var plannedSources: [PlannedSource] = []
}

extension SelectPlan {
  /// Plans the subqueries of aggregates. The sources of the query are closed.
  mutating func planAggregates(in context: PlanningContext, inside enclosing: [SelectPlan]) throws {
    let planner = ClausePlanner(
      context: context, plans: enclosing + [self], source: root.source)
    scope.aggregates = try scope.aggregates.mapValues { aggregate in
      var aggregate = aggregate
      aggregate.plannedSources = sources
      aggregate.filters = try planner.map(aggregate.filters)
      aggregate.identities = try aggregate.distinctSources.map {
        try context.schema.groupingColumns(of: source($0))
      }
      return aggregate
    }
  }
}

extension SelectPlan {
  /// Finds the aggregates that need a subquery of their own, and the joins that nothing needs then.
  mutating func isolateAggregates(of relation: Relation, in context: PlanningContext) throws {
    if let page = try isolatingAggregatesOfPage(of: relation, in: context) {
      self = page
      return
    }
    let references = try References(context) { try visitGroupClauses(&$0) }
    for (call, alias) in references.aggregates where scope.aggregates[alias] == nil {
      guard let destination = source(of: alias) else { continue }
      if case .primaryKey? = relation.grouping { try checkJoins(destination: destination) }
      let finder = try AggregateIsolation(self, call, destination: destination, in: context)
      guard
        try relation.isolatesAggregates || finder.countsCompositeKeys
          || (call.isSum && finder.isMultiplied)
      else { continue }
      try checkGroups(of: relation, destination: destination, in: context)
      scope.aggregates[alias] = try finder.isolated()
    }
    if !scope.aggregates.isEmpty { try dropJoins(of: relation, in: context) }
  }

  /// The clauses that may contain aggregates.
  private func visitGroupClauses(_ references: inout References) throws {
    try references.visit(root.selection)
    try references.visit(havings)
    try references.visit(root.ordering)
    try references.visit(grouping)
    for definition in windows { try references.visitChildren(of: definition.window) }
  }

  /// The joined rows without row of the root have no primary key: they would be one group.
  private func checkJoins(destination: Int) throws {
    guard joins.contains(where: \.keepsRows) else { return }
    throw obstacle("in a request with a right or full join", destination: destination)
  }

  /// A subquery is computed for one row of the root.
  private func checkGroups(
    of relation: Relation, destination: Int, in context: PlanningContext
  ) throws {
    try checkJoins(destination: destination)
    if try relation.groupsHaveOneRow(grouping, in: context) { return }
    throw obstacle(
      "in a request that is not grouped by the primary key of \(root.source.description)",
      destination: destination)
  }

  private func obstacle(_ place: String, destination: Int) -> InvalidRequest {
    let others = joins.indices.filter { $0 != destination }.map { "\"\(sources[$0].key)\"" }
    return InvalidRequest(
      "The aggregate of the association \"\(sources[destination].key)\" can't be computed "
        + (others.isEmpty ? "" : "together with \(others.joined(separator: ", ")) ") + place
        + ". To resolve this error, compute it in a request of its own.")
  }
}

extension Relation {
  /// Whether each group has one row of the source.
  ///
  /// - parameter terms: those of the grouping.
  func groupsHaveOneRow(_ terms: [SQLExpression], in context: PlanningContext) throws -> Bool {
    if case .primaryKey? = grouping { return true }
    guard case .table(let table) = source else { return false }
    return try context.schema.identifiesRows(
      of: table, by: terms.compactMap { $0.column(aliases: aliases) })
  }
}

// Joins that nothing needs.
extension SelectPlan {
  /// Drops left joins that only isolated aggregates use: they would multiply rows. A join that also
  /// orders the rows stays.
  private mutating func dropJoins(of relation: Relation, in context: PlanningContext) throws {
    var references = References(context, ignoring: Set(scope.aggregates.keys))
    try visitGroupClauses(&references)
    for join in joins { try references.visit(join.selection) }
    // Other aggregates may count the joined rows.
    if references.hasAggregateCalls || references.hasText || !sources.jointConditions.isEmpty {
      return
    }
    let hasAggregates = references.aggregates.contains { scope.aggregates[$0.alias] == nil }
    try references.visit(root.filters)
    let aggregated = Set(scope.aggregates.values.flatMap(\.path))
    var needed: Set<Int> = []
    for source in joins.indices
    where try sources[source].kind != .left || !sources[source].selection.isEmpty
      || (!sources[source].ordering.terms.isEmpty && !aggregated.contains(source))
      || references.mayContain(source, of: self, in: context)
    {
      try need(source, &needed, in: context)
    }
    for source in joins.indices where !needed.contains(source) {
      sources[source].isDropped = true
      sources[source].ordering = OrderingClause()
    }
    guard !hasAggregates, case .primaryKey? = relation.grouping,
      try needed.allSatisfy({ try isToOne($0, in: context) })
    else { return }
    grouping = []
    root.filters += havings
    havings = []
  }

  private func need(_ source: Int, _ needed: inout Set<Int>, in context: PlanningContext) throws {
    guard source > 0, needed.insert(source).inserted else { return }
    try need(sources[source].parent, &needed, in: context)
    var references = try referencesOfConditions(of: source, in: context)
    try references.visit(sources[source].ordering)
    for other in joins.indices
    where try references.mayContain(other, of: self, besides: source, in: context) {
      try need(other, &needed, in: context)
    }
  }
}

// The sources that a subquery joins.
extension SelectPlan {
  /// True if a row of the parent has one row of the source at most.
  func isToOne(_ source: Int, in context: PlanningContext) throws -> Bool {
    let join = sources[source]
    guard case .foreignKey(let mapping, let parentIsOrigin, let parentCompares) = join.condition
    else { return join.isFirstRow }
    return try context.isToOne(
      mapping, parentIsOrigin: parentIsOrigin, parentCompares: parentCompares,
      from: self.source(join.parent), to: join.source)
  }

  /// The references of the `ON` clause of a source, with the existence conditions of its required
  /// children.
  func referencesOfConditions(of source: Int, in context: PlanningContext) throws -> References {
    var references = References(context)
    var tested = [source]
    while let source = tested.popLast() {
      try references.visit(conditionsOf: sources[source])
      tested += joins.indices.filter {
        sources[$0].parent == source && sources[$0].hasExistenceCondition
      }
    }
    return references
  }
}

extension References {
  mutating func visit(conditionsOf source: PlannedSource) throws {
    try visit(source.filters)
    if case .expression(let expression) = source.condition { try visit(expression) }
  }

  /// True if a source of a plan is referred to, by an alias, or by its name in SQL written by hand.
  func contains(_ source: Int, of plan: SelectPlan) -> Bool {
    aliases.contains { plan.source(of: $0) == source } || mentions(plan.name(of: source))
  }

  /// True if a source is referred to, or if SQL written by hand may refer to one of its columns
  /// without its name.
  ///
  /// - parameter owner: the source whose clause it is. It has its own columns.
  func mayContain(
    _ source: Int, of plan: SelectPlan, besides owner: Int = 0, in context: PlanningContext
  ) throws -> Bool {
    if contains(source, of: plan) { return true }
    guard hasText, source != owner else { return false }
    guard case .table(let table) = plan.source(source) else { return true }
    var columns = try context.schema.columnNames(of: table)
    if owner > 0, case .table(let ownTable) = plan.source(owner) {
      let own = try context.schema.columnNames(of: ownTable)
      columns.removeAll { own.contains(where: $0.isSameIdentifier) }
    }
    return columns.contains(where: mentions)
  }
}

extension SQLExpression {
  /// The name of a column, as it is: with another collation, different texts may be equal.
  func column(aliases: [TableAliasBase]) -> String? {
    switch node {
    case .column(let name): name
    case .qualified(let inner, let alias) where aliases.contains(alias): inner.column(aliases: [])
    case .json(let inner) where inner.fitsStack: inner.column(aliases: aliases)
    default: nil
    }
  }

  /// Whether it is a call of an aggregate function that counts each row, and not each value.
  var isSum: Bool {
    guard case .function(let call) = node else { return false }
    return !call.isDistinct && ["AVG", "SUM", "TOTAL"].contains(call.name)
  }
}
