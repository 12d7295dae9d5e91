// Joins and prefetches with the same key, at the same level, are one.

extension Relation {
  /// Adds a join, or merges it into the one with the same key. It becomes the last one.
  package mutating func join(_ node: JoinNode) {
    guard node.relation.associationDepth < TreeDepth.limitOfAssociations else {
      return fail(.tooManyNestedAssociations)
    }
    // By index, and with a call for the same key only: both would copy each join.
    let index = joins.indices.first {
      joins[$0].key.hasSameBytes(as: node.key) && joins[$0].isSame(as: node)
    }
    joins.append(index.map { joins.remove(at: $0).merged(with: node) } ?? node)
  }

  /// Adds a prefetch, or merges it into the one with the same keys. It becomes the last one.
  mutating func prefetch(_ node: PrefetchNode) {
    guard node.associationDepth < TreeDepth.limitOfAssociations else {
      return fail(.tooManyNestedAssociations)
    }
    guard let index = prefetches.firstIndex(where: { $0.isSame(as: node) }) else {
      return prefetches.append(node)
    }
    prefetches.append(prefetches.remove(at: index).merged(with: node))
  }

  /// Keeps the first fault: it is thrown when the request is prepared.
  mutating func fail(_ fault: InvalidRequest) { if self.fault == nil { self.fault = fault } }
}

extension JoinNode: MergedPart {
  package func isSame(as other: JoinNode) -> Bool {
    key.hasSameBytes(as: other.key) && isOfAggregates == other.isOfAggregates
      && (!isOfAggregates || hasRows(of: other))
  }

  package func merged(with newer: JoinNode) -> JoinNode {
    var node = self
    node.kind = kind.merged(with: newer.kind)
    node.isToMany = isToMany || newer.isToMany
    node.relation = relation.merged(with: newer.relation, key: key)
    node.condition = condition.merged(with: newer.condition, key: key, of: &node.relation)
    return node
  }
}

extension JoinKind {
  /// A source that is required once is required; so is the parent.
  func merged(with newer: JoinKind) -> JoinKind {
    if self == newer { return self }
    switch (keepsParents && newer.keepsParents, keepsRows && newer.keepsRows) {
    case (true, true): return .full
    case (true, false): return .left
    case (false, true): return .right
    case (false, false): return .inner
    }
  }

  /// Rows of the parent are there without joined row.
  private var keepsParents: Bool { self == .left || self == .full }

  /// Joined rows are there without row of the parent.
  var keepsRows: Bool { self == .right || self == .full }
}

extension JoinCondition {
  /// The condition of two associations with one key. A relation that is joined along two
  /// expressions keeps them: only planning can compare them.
  fileprivate func merged(
    with newer: JoinCondition, key: String, of relation: inout Relation
  ) -> JoinCondition {
    if case (.expression, .expression) = (self, newer) {
      relation.mergedConditions += [self, newer]
    }
    if let condition = merged(with: newer, key: key) { return condition }
    relation.fail(.ambiguousAssociationKey(key, conflict(with: newer)))
    return self
  }

  /// Nil when the conditions differ. Expressions are compared later.
  func merged(with newer: JoinCondition, key: String) -> JoinCondition? {
    switch (self, newer) {
    case (.foreignKey(let lhs), .foreignKey(let rhs)): lhs == rhs ? self : nil
    case (.expression, .expression): newer
    case (.limited(let lhs), .limited(let rhs)):
      lhs.merged(with: rhs, key: key).map(JoinCondition.limited)
    case (.foreignKey, _), (.expression, _), (.limited, _): nil
    }
  }

  /// How two conditions differ, for messages.
  func conflict(with newer: JoinCondition) -> String {
    "One is joined \(summary), the other one \(newer.summary)."
  }

  private var summary: String {
    switch self {
    case .foreignKey(let condition): condition.summary
    case .expression: "along an expression"
    case .limited: "to its first rows"
    }
  }
}

extension ForeignKeyCondition {
  /// `along the foreign key ["authorId"] of its origin`
  fileprivate var summary: String {
    let columns =
      switch (originColumns, destinationColumns) {
      case (nil, nil): "the foreign key of the schema,"
      case (let origin?, nil): "the foreign key \(origin)"
      case (nil, let destination?): "the foreign key to \(destination)"
      case (let origin?, let destination?): "the foreign key \(origin) to \(destination)"
      }
    return "along \(columns) from \(parentIsOrigin ? "its origin" : "its destination")"
  }
}

extension LimitedAssociation {
  /// Rows that come first under both requests: filters add up, the last ordering and the last limit
  /// win.
  fileprivate func merged(with newer: LimitedAssociation, key: String) -> LimitedAssociation? {
    guard steps.count == newer.steps.count else { return nil }
    var rows = newer
    rows.steps = zip(steps, newer.steps).map { $0.merged(with: $1, key: key) }
    return rows
  }
}

extension PrefetchNode: MergedPart {
  /// True if all steps have the same keys, or if one association is direct.
  func isSame(as other: PrefetchNode) -> Bool {
    guard key.hasSameBytes(as: other.key) else { return false }
    if steps.count == 1 || other.steps.count == 1 { return true }
    return steps.map(\.name).hasSameTexts(as: other.steps.map(\.name))
  }

  func merged(with newer: PrefetchNode) -> PrefetchNode {
    var node = self
    guard steps.count == newer.steps.count else {
      let paths = [steps, newer.steps].map {
        $0.map(\.relation.source.name).joined(separator: " → ")
      }
      node.steps[steps.count - 1].relation.fail(
        .ambiguousAssociationKey(key, "One leads to \(paths[0]), the other one to \(paths[1])."))
      return node
    }
    node.steps = zip(steps, newer.steps).map { $0.merged(with: $1, key: key) }
    return node
  }
}

extension AssociationStep {
  fileprivate var name: String { isToMany ? key.plural : key.singular }

  fileprivate func merged(with newer: AssociationStep, key: String) -> AssociationStep {
    var step = self
    step.relation = relation.merged(with: newer.relation, key: key)
    step.condition = condition.merged(with: newer.condition, key: key, of: &step.relation)
    return step
  }
}

extension InvalidRequest {
  /// - parameter reason: how the two associations with this key differ.
  static func ambiguousAssociationKey(_ key: String, _ reason: String) -> InvalidRequest {
    InvalidRequest(
      "The association key \"\(key)\" is ambiguous. "
        + "Use the Association.forKey(_:) method in order to disambiguate. \(reason)")
  }
}
