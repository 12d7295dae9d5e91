// Joins with the same key are one, with the conditions of all. Those of aggregates are not, where
// the deleted records are others: an aggregate is computed on all rows of its scope. They stay
// apart until the request is prepared, when all joins are known.

extension Relation {
  /// The joins of the query.
  var queriedJoins: [JoinNode] { aggregatedJoins.isEmpty ? joins : joins.joiningAggregates }
}

extension [JoinNode] {
  /// Joins of aggregates become one with the joins that have the same key and the same rows.
  fileprivate var joiningAggregates: [JoinNode] {
    var nodes: [JoinNode] = []
    for node in self {
      let index = nodes.firstIndex {
        $0.isOfAggregates != node.isOfAggregates && $0.key.hasSameBytes(as: node.key)
          && !$0.hasOtherRows(than: node)
      }
      nodes.append(index.map { nodes.remove(at: $0).merged(with: node) } ?? node)
    }
    for index in nodes.indices where nodes[index].relation.joins.contains(where: \.isOfAggregates) {
      nodes[index].relation.joins = nodes[index].relation.joins.joiningAggregates
    }
    return nodes
  }
}

extension JoinNode {
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
    var scopes = relation.deletionScopes
    if scopes.isEmpty, case .limited(let rows) = condition { scopes = rows.steps.deletionScopes }
    if scopes.isEmpty { return nil }
    let limits = Set(scopes.map(\.rows)).subtracting([.all])
    return limits.isEmpty ? [.all] : limits
  }
}
