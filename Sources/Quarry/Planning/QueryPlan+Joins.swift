// Numbers the joined sources of a query, depth first, and resolves what joins them.
//
// A required source behind an optional one is written as an optional source, in the same flat chain of joins.
// The `ON` clause of its parent tests that it exists: see design decision 4.4, and `SQLWriter+Joins`.

extension QueryPlan {
  mutating func join(
    _ nodes: [JoinNode], parent: Int, isParentOptional: Bool, names: inout AliasNames
  ) throws {
    for node in nodes {
      try check(node.relation)
      let number = sourceCount
      let isOptional = node.kind == .left || isParentOptional
      joins.append(
        try plannedSource(
          node, number: number, parent: parent, isOptional: isOptional,
          isParentOptional: isParentOptional))
      try names.add(node.relation)
      for alias in node.relation.aliases { try bind(alias, to: number) }
      if !node.relation.tableExpressions.isEmpty {
        tableExpressions = tableExpressions.merged(with: node.relation.tableExpressions)
      }
      try join(
        node.relation.joins, parent: number, isParentOptional: isOptional, names: &names)
    }
  }

  private mutating func plannedSource(
    _ node: JoinNode, number: Int, parent: Int, isOptional: Bool, isParentOptional: Bool
  ) throws -> PlannedSource {
    let clauses = ClauseResolver(context: context)
    let relation = node.relation
    var ordering = try clauses.ordering(relation.ordering)
    let parentOrdering = parent == 0 ? root.ordering : joins[parent - 1].ordering
    ordering.isReversed = ordering.isReversed != parentOrdering.isReversed
    ordering.isStable = ordering.isStable || parentOrdering.isStable
    return PlannedSource(
      source: relation.source,
      name: relation.source.name,
      key: node.key,
      parent: parent,
      kind: isOptional ? .left : .inner,
      isTestedByParent: node.kind == .inner && isParentOptional,
      condition: try condition(node, number: number, parent: parent),
      selection: try clauses.selection(relation.selection),
      filters: try clauses.filters(relation.filters, source: relation.source),
      ordering: ordering)
  }

  private mutating func condition(
    _ node: JoinNode, number: Int, parent: Int
  ) throws -> PlannedCondition {
    switch node.condition {
    case .foreignKey(let condition):
      let mapping = try ForeignKeyResolver(schema: context.schema).mapping(
        condition, parent: parent == 0 ? root.source : joins[parent - 1].source,
        child: node.relation.source)
      return .foreignKey(mapping, parentIsOrigin: condition.parentIsOrigin)
    case .expression(nil):
      return .none
    case .expression(let makeExpression?):
      let join = makeExpression()
      aliases.append(AliasBinding(alias: join.left, source: parent))
      aliases.append(AliasBinding(alias: join.right, source: number))
      return .expression(join.expression)
    }
  }

  private mutating func bind(_ alias: TableAliasBase, to source: Int) throws {
    guard self.source(of: alias) == nil else {
      throw InvalidRequest("A TableAlias most not be used to refer to multiple tables")
    }
    aliases.append(AliasBinding(alias: alias, source: source))
  }

  private func check(_ relation: Relation) throws {
    if let fault = relation.fault { throw fault }
    let obstacle: String? =
      if relation.isDistinct {
        "that selects DISTINCT rows"
      } else if relation.grouping != nil {
        "with a GROUP BY clause"
      } else if !relation.havings.isEmpty {
        "with a HAVING clause"
      } else if relation.limit != nil {
        "with a LIMIT clause"
      } else {
        nil
      }
    if let obstacle {
      throw InvalidRequest("Not implemented: join an association \(obstacle)")
    }
  }
}
