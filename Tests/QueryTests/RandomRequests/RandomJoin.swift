/// A node that is joined to another one.
struct RandomJoin {
  var node: RandomNode
  var isRequired: Bool
  var isIncluded: Bool
  var joins: [RandomJoin]
  /// The association whose first or last record is joined.
  var picked: RandomAssociation?

  /// Whether the join, or one of its children, selects columns.
  var hasScope: Bool { isIncluded || joins.contains(where: \.hasScope) }

  /// Whether the node, or one that is joined to it, has prefetched associations.
  var hasPrefetches: Bool { node.hasPrefetches || joins.contains(where: \.hasPrefetches) }

  /// Whether the node, or one that is joined to it, is declared to be one of many.
  var leadsToMany: Bool {
    node.kind.isToMany && picked == nil || joins.contains(where: \.leadsToMany)
  }

  /// Whether a node with prefetched associations does not select its columns.
  var hidesOrigins: Bool {
    node.hasPrefetches && !isIncluded || joins.contains(where: \.hidesOrigins)
  }

  init(_ node: RandomNode, isRequired: Bool, isIncluded: Bool) {
    self.node = node
    self.isRequired = isRequired
    self.isIncluded = isIncluded
    joins = node.joins
  }
}

extension RandomNode {
  /// What is joined to the node: each association is a chain of joins.
  var joins: [RandomJoin] {
    items.compactMap { item in
      switch item {
      case .join(let association, let isRequired, let isIncluded):
        association.join(isRequired: isRequired, isIncluded: isIncluded)
      case .annotate(let association, let isRequired, _):
        association.join(isRequired: isRequired, isIncluded: false)
      case .aggregates(let association, _), .having(let association, _, _, _):
        association.join(isRequired: false, isIncluded: false)
      case .prefetch: nil
      }
    }
  }

  var isAggregated: Bool {
    items.contains { item in
      switch item {
      case .aggregates, .having: true
      case .join, .annotate, .prefetch: false
      }
    }
  }

  var hasPrefetches: Bool {
    items.contains { if case .prefetch = $0 { true } else { false } }
  }
}

extension RandomAssociation {
  /// The chain of joins: pivots select nothing, and what they join comes before the next step.
  fileprivate func join(isRequired: Bool, isIncluded: Bool) -> RandomJoin {
    var join = RandomJoin(destination, isRequired: isRequired, isIncluded: isIncluded)
    if pick != nil {
      join.node.filters = []
      join.node.order = []
      join.node.isReversed = false
      join.picked = self
      return join
    }
    for step in steps.dropLast().reversed() {
      var pivot = RandomJoin(step, isRequired: isRequired, isIncluded: false)
      pivot.joins.append(join)
      join = pivot
    }
    return join
  }
}

extension [RandomNode] {
  /// Each node joined to the one before.
  var chained: [RandomJoin] {
    guard let first else { return [] }
    var join = RandomJoin(first, isRequired: true, isIncluded: false)
    join.joins += Array(dropFirst()).chained
    return [join]
  }
}
