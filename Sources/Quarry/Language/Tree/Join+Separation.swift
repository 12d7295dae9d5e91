// Joins with the same key are one, with the conditions of all. Those of aggregates are not, where
// the deleted records are others: an aggregate is computed on all rows of its scope. They stay
// apart until the request is prepared, when all joins are known: each one is compared with what the
// request joins, and those that remain with each other.

extension Relation {
  /// The joins of the query.
  var queriedJoins: [JoinNode] { aggregatedJoins.isEmpty ? joins : joins.joiningAggregates }
}

extension [JoinNode] {
  /// Joins of aggregates become one with the joins that have the same key and no other rows.
  fileprivate var joiningAggregates: [JoinNode] {
    var nodes: [JoinNode] = []
    for var node in self {
      if contains(where: { !$0.isOfAggregates && $0.mayBeOne(with: node) }) {
        node.isOfAggregates = false
      }
      let index = nodes.firstIndex {
        $0.isOfAggregates == node.isOfAggregates
          && (node.isOfAggregates ? $0.mayBeOne(with: node) : $0.key.hasSameBytes(as: node.key))
      }
      nodes.append(index.map { nodes.remove(at: $0).checkedMerge(with: node) } ?? node)
    }
    for index in nodes.indices where nodes[index].relation.joins.contains(where: \.isOfAggregates) {
      nodes[index].relation.joins = nodes[index].relation.joins.joiningAggregates
    }
    return nodes
  }
}

extension JoinNode {
  /// Two aggregates with other rows than each other can't both be computed on the same join.
  fileprivate func checkedMerge(with newer: JoinNode) -> JoinNode {
    var node = merged(with: newer)
    if hasOtherRows(than: newer) {
      node.relation.fail(
        .ambiguousAssociationKey(
          key, "The request joins it, and has aggregates of different deleted records."))
    }
    return node
  }

  func mayBeOne(with other: JoinNode) -> Bool {
    key.hasSameBytes(as: other.key) && !hasOtherRows(than: other)
  }

  /// Whether the same joins have other rows than both.
  func hasRows(of other: JoinNode) -> Bool {
    let (joins, others) = (relation.joins, other.relation.joins)
    return ownRows == other.ownRows && joins.count == others.count
      && zip(joins, others).allSatisfy {
        $0.kind == $1.kind && $0.isSame(as: $1) && $0.hasRows(of: $1)
      }
  }

  /// Whether the deleted records that it has are others.
  func hasOtherRows(than other: JoinNode) -> Bool {
    if let rows = ownRows, let otherRows = other.ownRows, rows != otherRows { return true }
    return relation.joins.contains { node in
      other.relation.joins.contains { node.meets($0) && node.hasOtherRows(than: $0) }
    }
  }

  /// Whether the joins become one, or one of them leaves only some rows to the other one.
  private func meets(_ other: JoinNode) -> Bool {
    let mayPart = isOfAggregates || other.isOfAggregates
    return key.hasSameBytes(as: other.key) && !(mayPart && kind == .left && other.kind == .left)
  }

  /// Nil without scope. Several where all conditions of merged associations apply.
  private var ownRows: Set<DeletionScope.Rows>? {
    let scopes = relation.deletionScopes(joinedAlong: condition)
    if scopes.isEmpty { return nil }
    let limits = Set(scopes.map(\.rows)).subtracting([.all])
    return limits.isEmpty ? [.all] : limits
  }
}
