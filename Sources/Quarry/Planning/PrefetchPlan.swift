// To-many associations are fetched with a request each, once the rows of the main request are there.
//
// The request starts from the destination of the association, and is joined backwards to the first step: the source
// next to the parent. There stands the foreign key: the first step is filtered on the keys of the parents, and its
// key columns are selected as `grdb_column`, so that each row tells its parents.

/// The to-many associations to fetch for the rows of a request. Executed by `execute(_:parents:layout:)`.
struct PrefetchPlan {
  /// The main request, for keys that are better read in a subquery.
  var base: Relation
  var prefetches: [Prefetch] = []

  /// Nil when the request prefetches nothing.
  init?(_ relation: Relation, plan: QueryPlan) throws {
    guard relation.hasPrefetches else { return nil }
    base = relation
    base.limit = plan.limit
    let origin = Origin(source: relation.source, isStable: relation.ordering.isStable)
    try collect(relation, behind: [], scopePath: [], origin, plan.context)
  }

  private struct Origin {
    var source: Source
    var isStable: Bool
  }

  private mutating func collect(
    _ relation: Relation, behind steps: [AssociationStep], scopePath: [String],
    _ origin: Origin, _ context: PlanningContext
  ) throws {
    for node in relation.prefetches {
      var prefetch = try Prefetch(
        key: node.key, scopePath: scopePath, steps: steps + node.steps, origin: origin.source,
        schema: context.schema)
      prefetch.isStable = origin.isStable
      prefetches.append(prefetch)
    }
    for (index, node) in relation.joins.enumerated() where node.relation.hasPrefetches {
      // The steps lead through this join: it is no side branch of the step before.
      var steps = steps
      if !steps.isEmpty { steps[steps.count - 1].relation.joins.remove(at: index) }
      steps.append(
        AssociationStep(
          key: AssociationKey(singular: node.key, plural: node.key), condition: node.condition,
          relation: node.relation, isToMany: false))
      try collect(
        node.relation, behind: steps, scopePath: scopePath + [node.key], origin, context)
    }
  }
}

extension Relation {
  /// True if the relation, or one that is joined to it, has prefetched associations.
  fileprivate var hasPrefetches: Bool {
    if !prefetches.isEmpty { return true }
    return joins.indices.contains { joins[$0].relation.hasPrefetches }
  }
}

/// A to-many association to fetch for the rows of a request.
struct Prefetch {
  var key: String
  /// The scopes of the main row that lead to the origin of the association.
  var scopePath: [String]
  /// From the main request to the destination.
  var steps: [AssociationStep]
  /// The columns of the main rows that the first step refers to.
  var parentColumns: [String]
  /// The columns of the first step, in the same order.
  var keyColumns: [String]
  var isStable = false

  init(
    key: String, scopePath: [String], steps: [AssociationStep], origin: Source,
    schema: any SchemaReader
  ) throws {
    if let fault = steps.lazy.compactMap(\.relation.fault).first { throw fault }
    guard case .foreignKey(let condition) = steps[0].condition else {
      throw InvalidRequest("Not implemented: prefetch association without any foreign key")
    }
    let mapping = try ForeignKeyResolver(schema: schema)
      .mapping(condition, parent: origin, child: steps[0].relation.source)
    let origins = mapping.map(\.origin)
    let destinations = mapping.map(\.destination)
    self.key = key
    self.scopePath = scopePath
    self.steps = steps
    parentColumns = condition.parentIsOrigin ? origins : destinations
    keyColumns = condition.parentIsOrigin ? destinations : origins
  }

  /// The names of the key columns in the rows of the request.
  var keyNames: [String] { keyColumns.map { "grdb_\($0)" } }

  /// The request for the rows of the association whose key columns fulfil a condition.
  func relation(where condition: FilterClause) -> Relation {
    var columns = keyColumns.map { SQLExpression(.column($0)) }
    var alias: TableAliasBase?
    if steps.count > 1 {
      let firstStep = TableAliasBase(name: nil)
      columns = columns.map { $0.qualified(by: firstStep) }
      alias = firstStep
    }
    var relation = steps.destination(where: condition, alias: alias)
    relation.ordering.isStable = relation.ordering.isStable || isStable
    if steps.count > 1 { relation.groupByKey(columns) }
    relation.selection.append(
      .items(zip(columns, keyNames).map { SQLSelection(.aliased($0, $1)) }))
    return relation
  }
}

extension Relation {
  /// A group belongs to one parent: a row that several parents share is in several groups.
  fileprivate mutating func groupByKey(_ columns: [SQLExpression]) {
    guard let grouping else { return }
    let source = source
    self.grouping = .deferred { context in
      try context.resolve(grouping, of: source) + columns
    }
  }
}
