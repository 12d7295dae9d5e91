// Numbers the joined sources of a query, depth first, and resolves what joins them.
//
// A required child of an optional source is written as an optional source, in the same flat chain
// of joins. The `ON` clause of its parent tests that it exists: see `SQLWriter+Joins`.

extension SelectPlan {
  mutating func join(
    _ nodes: [JoinNode], parent: Int, isParentOptional: Bool, in context: PlanningContext
  ) throws {
    try context.checkStack()
    // Nodes are large: they are read in place.
    for index in nodes.indices {
      try check(nodes[index].relation)
      try nodes[index].relation.checkMerges(key: nodes[index].key, in: context)
      let number = sources.count
      let kind = try plannedKind(
        nodes[index].kind, key: nodes[index].key, parent: parent,
        isParentOptional: isParentOptional)
      let isOptional = kind == .left || kind == .full
      if kind.keepsRows { try checkKeepsRows(nodes[index]) }
      let condition = try resolve(
        nodes[index].condition, number: number, source: nodes[index].relation.source,
        parent: parent, in: context)
      sources.append(
        PlannedSource(
          source: nodes[index].relation.source, key: nodes[index].key, parent: parent, kind: kind,
          hasExistenceCondition: kind == .left && nodes[index].kind != .left, condition: condition,
          isFirstRow: nodes[index].condition.isFirstRow,
          selection: try context.resolve(nodes[index].relation.selection),
          filters: try context.resolve(
            nodes[index].relation.filters, of: nodes[index].relation.source),
          ordering: try resolve(nodes[index].relation.ordering, parent: parent, in: context)))
      sources[number].userName = try nodes[index].relation.userName
      for alias in nodes[index].relation.aliases { try bind(alias, to: number) }
      if let clauses = nodes[index].relation.rareClauses {
        try addDefinitions(of: clauses, source: number, in: context)
      }
      try join(
        nodes[index].relation.joins, parent: number, isParentOptional: isOptional, in: context)
    }
  }

  /// A required child of an optional source is as optional as its parent.
  private func plannedKind(
    _ kind: JoinKind, key: String, parent: Int, isParentOptional: Bool
  ) throws -> JoinKind {
    switch kind {
    case .left: return .left
    case .right, .full: return kind
    case .inner, .cross:
      guard isParentOptional else { return kind }
      guard sources[parent].kind == .left else {
        throw InvalidRequest(
          "The required association \"\(key)\" can't follow a full join. "
            + "To resolve this error, make it optional.")
      }
      return .left
    }
  }

  private func resolve(
    _ clause: OrderingClause, parent: Int, in context: PlanningContext
  ) throws -> OrderingClause {
    var ordering = try context.resolve(clause)
    ordering.isReversed = ordering.isReversed != sources[parent].ordering.isReversed
    ordering.isStable = ordering.isStable || sources[parent].ordering.isStable
    return ordering
  }

  private mutating func resolve(
    _ condition: JoinCondition, number: Int, source: Source, parent: Int,
    in context: PlanningContext
  ) throws -> PlannedCondition {
    switch condition {
    case .foreignKey(let condition):
      let mapping = try context.schema.mapping(
        condition, parent: self.source(parent), child: source)
      return .foreignKey(
        mapping, parentIsOrigin: condition.parentIsOrigin,
        parentCompares: try condition.isReversed != condition.parentCompares
          && context.schema.mayCollate(mapping, of: self.source(parent), source))
    case .expression(nil): return .none
    case .expression(let makeExpression?):
      let join = makeExpression()
      scope.aliases.append(AliasBinding(alias: join.left, source: parent))
      scope.aliases.append(AliasBinding(alias: join.right, source: number))
      return .expression(join.expression)
    case .limited(let rows):
      return rows.isReversed
        ? try resolve(rows, row: parent, parent: number, parentSource: source, in: context)
        : try resolve(
          rows, row: number, parent: parent, parentSource: self.source(parent), in: context)
    }
  }

  private mutating func resolve(
    _ rows: LimitedAssociation, row: Int, parent: Int, parentSource: Source,
    in context: PlanningContext
  ) throws -> PlannedCondition {
    let rowAlias = TableAliasBase(name: nil)
    let parentAlias = TableAliasBase(name: nil)
    let condition = try rows.condition(
      on: [(rows.steps.count - 1, rowAlias)],
      of: LimitingParent(source: parentSource, alias: parentAlias), in: context)
    scope.aliases.append(AliasBinding(alias: rowAlias, source: row))
    for alias in condition.parentAliases + [parentAlias] {
      scope.aliases.append(AliasBinding(alias: alias, source: parent))
    }
    return .expression(condition.expression)
  }

  private mutating func bind(_ alias: TableAliasBase, to source: Int) throws {
    if let other = self.source(of: alias) {
      throw InvalidRequest.sharedAlias(self.source(other), self.source(source))
    }
    scope.aliases.append(AliasBinding(alias: alias, source: source))
  }

  private func check(_ relation: Relation) throws {
    if let fault = relation.fault { throw fault }
    if let obstacle = relation.obstacle {
      throw InvalidRequest(
        "An association \(obstacle) can't be joined: join a common table expression instead")
    }
  }
}

extension Relation {
  /// The clause that a joined relation can't have.
  fileprivate var obstacle: String? {
    if isDistinct { return "that selects DISTINCT rows" }
    if grouping != nil { return "with a GROUP BY clause" }
    if !havings.isEmpty { return "with a HAVING clause" }
    return limit == nil ? nil : "with a LIMIT clause"
  }
}

extension JoinCondition {
  fileprivate var isFirstRow: Bool {
    if case .limited(let rows) = self { rows.limit.count == 1 && !rows.isReversed } else { false }
  }
}
