// To-many associations are fetched with a request each, once the rows of the main request are
// there.
//
// The request starts from the destination of the association, and is joined backwards to the first
// step: the source next to the parent. There stands the foreign key: the first step is filtered on
// the keys of the parents, and its key columns are selected as `grdb_column`, so that each row
// identifies its parents.
//
// If the foreign key does not identify all, the parent itself is the first step, and its primary
// key is the key: `Prefetch+Parent.swift`.
//
// The origin of an association may be a joined record. Where one row is joined to each, the joins
// are steps too, and the key is read in the columns of the main row. Joins to many rows would lead
// to the records of all origins of a main row, or to the same ones repeatedly: then the origin is
// the parent, and the key is read in its scope.

/// The to-many associations to fetch for the rows of a request. Executed by
/// `execute(_:parents:layout:)`.
package struct PrefetchPlan {
  /// The main request, for keys that are better read in a subquery.
  var base: Shared<Relation>
  package var prefetches: [Prefetch] = []
  /// Many keys are one JSON array.
  let usesJSON: Bool
  /// The values of the slots, in a plan that is remembered.
  var values: [DatabaseValue] = []
  /// The statement of the main request calls no functions, and has no subqueries.
  var isBasePlain = false
  /// Whether conditions of the main request refer to values that it selects.
  let needsSelection: Bool

  /// Nil when the request prefetches nothing.
  init?(_ relation: Relation, plan: SelectPlan, in context: PlanningContext) throws {
    guard relation.hasPrefetches else { return nil }
    usesJSON = context.hasJSONKeys
    var base = relation
    base.limit = plan.limit
    self.base = Shared(base)
    needsSelection = try relation.isFilteredBySelectedValue(in: context)
    var parent = relation
    parent.tableExpressions = plan.tableExpressions
    try collect(relation, behind: [], scopePath: [], parent, context)
  }

  /// Called for a plan to remember.
  mutating func prepareForReuse() {
    for index in prefetches.indices { prefetches[index].prepareForReuse() }
  }

  /// - parameter parent: the main request.
  private mutating func collect(
    _ relation: Relation, behind steps: [AssociationStep], scopePath: [String],
    _ parent: Relation, _ context: PlanningContext
  ) throws {
    try context.checkStack()
    try add(relation, behind: steps, scopePath: scopePath, parent, context)
    for (index, node) in relation.joins.enumerated() where node.relation.hasPrefetches {
      try node.checkKeepsKeys()
      // The steps lead through this join: it is no side branch of the step before.
      var steps = steps
      if !steps.isEmpty { steps[steps.count - 1].relation.joins.remove(at: index) }
      steps.append(
        AssociationStep(
          key: AssociationKey(singular: node.key, plural: node.key), condition: node.condition,
          relation: node.relation,
          isToMany: try node.leadsToMany(from: relation.source, in: context)))
      try collect(
        node.relation, behind: steps, scopePath: scopePath + [node.key], parent, context)
    }
  }

  /// Adds the associations of one relation, which the steps lead to.
  private mutating func add(
    _ relation: Relation, behind steps: [AssociationStep], scopePath: [String],
    _ parent: Relation, _ context: PlanningContext
  ) throws {
    let startsAtOrigin = try steps.contains {
      try $0.isToMany || $0.relation.joinsMany(in: context)
    }
    for node in relation.prefetches {
      var prefetch = try Prefetch(
        node, behind: startsAtOrigin ? [] : steps, scopePath: scopePath,
        parent: startsAtOrigin ? relation.asOrigin(in: parent) : parent, in: context)
      if startsAtOrigin {
        try prefetch.checkAliases(of: parent, in: context)
        prefetch.isParentOptional = parent.mayLackRecord(at: scopePath[...]) || parent.addsRows
      }
      prefetches.append(prefetch)
    }
  }
}

// Which joins repeat rows is known by how associations are declared: the schema may lack the index
// that says that there is one row. Any number of rows may satisfy a condition, but for one that
// compares the columns of a unique key.

extension Relation {
  /// Whether many rows are joined to one.
  fileprivate func joinsMany(in context: PlanningContext) throws -> Bool {
    try joins.indices.contains { index in
      try joins[index].leadsToMany(from: source, in: context)
        || joins[index].relation.joinsMany(in: context)
    }
  }

  /// Whether a right or full join adds rows in which other records are absent.
  fileprivate var addsRows: Bool {
    joins.indices.contains { joins[$0].kind.keepsRows || joins[$0].relation.addsRows }
  }

  /// A joined relation, as the parent of prefetched associations.
  fileprivate func asOrigin(in request: Relation) -> Relation {
    var origin = self
    origin.tableExpressions = request.tableExpressions
    origin.ordering.isStable = ordering.isStable || request.ordering.isStable
    return origin
  }

  /// Whether a joined record may be absent in a row.
  ///
  /// - parameter path: the keys of the joins that lead to it.
  fileprivate func mayLackRecord(at path: ArraySlice<String>) -> Bool {
    guard let key = path.first else { return false }
    let index = joins.indices.first {
      !joins[$0].isOfAggregates && joins[$0].key.hasSameBytes(as: key)
    }
    guard let index else { return false }
    return joins[index].kind == .left
      || joins[index].relation.mayLackRecord(at: path.dropFirst())
  }
}

extension JoinNode {
  /// - parameter parent: What the record is joined to.
  fileprivate func leadsToMany(from parent: Source, in context: PlanningContext) throws -> Bool {
    switch condition {
    case .foreignKey: return isToMany
    case .limited(let rows): return rows.limit.count != 1
    case .expression:
      if isToMany || kind == .cross { return true }
      var step = AssociationStep(
        key: AssociationKey(singular: key, plural: key), condition: condition,
        relation: relation, isToMany: false)
      try step.resolveEqualities(with: parent, in: context)
      guard case .foreignKey = step.condition else { return true }
      return try !context.isToOne(step.condition, from: parent, to: relation.source)
    }
  }

  /// The key of prefetched records is one of the main row, which right and full joins may lack.
  fileprivate func checkKeepsKeys() throws {
    guard kind.keepsRows else { return }
    throw InvalidRequest(
      "including(all:) can't follow the right or full join of \"\(key)\": a record that is "
        + "associated with none of the request has no key there. To fix this error, begin the "
        + "request with the associated table.")
  }
}

extension Relation {
  /// True if the relation, or one that is joined to it, has prefetched associations.
  fileprivate var hasPrefetches: Bool {
    if !prefetches.isEmpty { return true }
    return joins.indices.contains { joins[$0].relation.hasPrefetches }
  }
}
