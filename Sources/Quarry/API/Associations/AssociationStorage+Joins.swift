extension _AssociationStorage {
  /// The association as a chain of joins, pivots first.
  package func joinNode(
    _ kind: JoinKind, selects: Bool, alias: TableAliasBase? = nil, isOfAggregates: Bool = false
  ) -> JoinNode {
    if isLimited {
      return (alias.map(aliased) ?? self).top.joinNode(
        kind, selects: selects, isOfAggregates: isOfAggregates)
    }
    var node = JoinNode(
      key: destination.key.singular, kind: kind, isToMany: destination.isToMany,
      condition: destination.condition, sharedRelation: destination.sharedRelation)
    node.isOfAggregates = isOfAggregates
    if !selects || alias != nil {
      // Changed at once: each change of a shared relation makes another one.
      var relation = destination.relation
      if !selects { relation.selection = [] }
      if let alias { relation.aliases.append(alias) }
      node.relation = relation
    }
    for pivot in pivots.reversed() {
      var relation = pivot.relation
      relation.selection = []
      relation.join(node)
      node = JoinNode(
        key: pivot.key.singular, kind: kind, isToMany: pivot.isToMany,
        condition: pivot.condition, relation: relation)
      node.isOfAggregates = isOfAggregates
    }
    return node
  }

  func aliased(_ alias: TableAliasBase) -> _AssociationStorage {
    var association = self
    association.destination.relation.aliases.append(alias)
    return association
  }
}

extension Relation {
  mutating func prefetch(_ association: _AssociationStorage) {
    prefetch(PrefetchNode(key: association.destination.key.plural, steps: association.steps))
  }

  /// Joins an association, and appends what it selects to the selection of this relation.
  mutating func annotate(_ kind: JoinKind, _ association: _AssociationStorage) {
    let alias = TableAliasBase(name: nil)
    join(association.joinNode(kind, selects: false, alias: alias))
    selection += association.destination.relation.selection.map { $0.qualified(by: alias) }
  }
}

extension SelectionClause {
  fileprivate func qualified(by alias: TableAliasBase) -> SelectionClause {
    switch self {
    case .items(let items): .items(items.map { $0.qualified(by: alias) })
    case .aggregates(let items, let isKept):
      .aggregates(items.map { $0.qualified(by: alias) }, isKept: isKept)
    case .record(let type, let owner): .record(type, alias: owner ?? alias)
    case .deferred(let selection):
      .deferred(
        Deferred(ofSchema: selection.isOfSchema) { context in
          try selection(context).map { $0.qualified(by: alias) }
        })
    }
  }
}
