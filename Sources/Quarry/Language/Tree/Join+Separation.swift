// Joins with the same key are one, with the conditions of all. Those of aggregates are not, where
// the deleted records are others: an aggregate is computed on all rows of its scope. The join that
// only aggregates have gives way, since the key of another one names a scope of the fetched row.

extension JoinNode {
  /// A key of its own, if the join has other rows than a join with the same key.
  func separateKey(from joins: [JoinNode]) -> String? {
    // By index: a closure would copy each join.
    for index in joins.indices
    where joins[index].key.hasSameBytes(as: key) && hasOtherRows(than: joins[index]) {
      return separateKey(key)
    }
    return nil
  }

  fileprivate func separateKey(_ key: String) -> String {
    let rows = shownRows.map { ($0 ?? []).map { "\($0)" }.sorted().joined(separator: "&") }
    return ([key] + rows).joined(separator: ".")
  }

  /// Whether the deleted records that it has are others.
  func hasOtherRows(than other: JoinNode) -> Bool {
    if let rows = ownRows, let otherRows = other.ownRows, rows != otherRows { return true }
    return relation.joins.contains { node in
      other.relation.joins.contains { node.isSame(as: $0) && node.hasOtherRows(than: $0) }
    }
  }

  /// Those of the join, and of the joins inside.
  private var shownRows: [Set<DeletionScope.Rows>?] {
    [ownRows] + relation.joins.flatMap(\.shownRows)
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

extension Relation {
  /// Adds a join whose key one of aggregates has, with other rows.
  mutating func joinApart(_ node: JoinNode) {
    separateAggregates(from: node)
    let others = joins.filter(node.isSame)
    joins.removeAll(where: node.isSame)
    joins.append(others.reduce(node) { $1.merged(with: $0) })
  }

  /// Gives the joins that only aggregates have the key of a join with the same rows, and others
  /// keys of their own.
  private mutating func separateAggregates(from node: JoinNode) {
    var keys: [BinaryText: String] = [:]
    for join in joins where join.aggregatedKey?.hasSameBytes(as: node.key) == true {
      keys[BinaryText(join.key)] =
        join.hasOtherRows(than: node) ? join.separateKey(node.key) : node.key
    }
    func renamed(_ join: JoinNode) -> JoinNode {
      var join = join
      if let key = keys[BinaryText(join.key)] { join.key = key }
      return join
    }
    joins = joins.map(renamed)
    changeRareClauses { $0.aggregatedJoins = $0.aggregatedJoins.map(renamed) }
  }

  /// Fails if an aggregate would be computed on other deleted records than those of its scope.
  mutating func checkAggregatedRows() {
    let conflict = aggregatedJoins.first { node in
      joins.contains { $0.isSame(as: node) && $0.hasOtherRows(than: node) }
    }
    guard let conflict else { return }
    fail(
      .ambiguousAssociationKey(
        conflict.key,
        "An aggregate is computed on other deleted records than those that are joined."))
  }
}
