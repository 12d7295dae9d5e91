// Aggregates that share an association key are computed on the same records. Are those the records
// that each of them asked for?

extension Relation {
  /// Reports or refuses aggregates whose associations have the same key and different conditions.
  func checkAggregates(_ db: Database) throws {
    let treatment = db.configuration.conflictingAggregates
    if case .allowed = treatment { return }
    guard let conflict = aggregateConflict(in: PlanningContext(db)) else { return }
    guard case .reported(let report) = treatment else { throw conflict }
    report(conflict.description)
  }
}

extension Relation {
  /// The first two aggregates with the same key and different conditions, if any.
  fileprivate func aggregateConflict(in context: PlanningContext) -> InvalidRequest? {
    var known: [(path: [JoinNode], conditions: Relation)] = []
    for node in aggregatedJoins {
      if let conflict = node.conflict(with: &known, behind: [], in: context) {
        return source.naming(conflict) as? InvalidRequest
      }
    }
    return nil
  }

  /// The conditions of the relation, and of what it requires: nil when they depend on other parts
  /// of the request.
  fileprivate func conditions(in context: PlanningContext) -> Relation? {
    var conditions = Relation(source: source, aliases: aliases, selection: [])
    guard let filters = try? context.resolve(filters, of: source) else { return nil }
    conditions.filters = ClauseList(filters)
    conditions.joins = requiredJoins
    var references = References(context)
    guard (try? references.visit(conditions)) != nil,
      references.aliases.isSubset(of: conditions.allAliases)
    else { return nil }
    conditions.removeAliases(except: references.aliases)
    return conditions
  }

  private mutating func removeAliases(except used: Set<TableAliasBase>) {
    aliases.removeAll { !used.contains($0) }
    for index in joins.indices { joins[index].relation.removeAliases(except: used) }
  }

  private var requiredJoins: [JoinNode] {
    joins.compactMap { node in
      guard node.kind == .inner else { return nil }
      var link = node
      link.relation.selection = []
      link.relation.ordering = OrderingClause()
      link.relation.joins = node.relation.requiredJoins
      return link
    }
  }
}

extension JoinNode {
  /// Compares the conditions of the join and of its descendants with those of the joins with the
  /// same keys.
  fileprivate func conflict(
    with known: inout [(path: [JoinNode], conditions: Relation)], behind path: [JoinNode],
    in context: PlanningContext
  ) -> InvalidRequest? {
    let path = path + [self]
    if let conditions = relation.conditions(in: context) {
      let differs = known.contains { other in
        other.conditions != conditions && other.path.elementsEqual(path) { $0.mayBeOne(with: $1) }
      }
      if differs {
        return InvalidRequest(
          "Aggregates share the association key \"\(key)\", with different conditions: they are "
            + "computed on the records that fulfil all of them. To fix this error, use the "
            + "Association.forKey(_:) method to give their associations different keys.")
      }
      known.append((path, conditions))
    }
    for node in relation.joins where node.kind != .inner {
      if let conflict = node.conflict(with: &known, behind: path, in: context) { return conflict }
    }
    return nil
  }
}
