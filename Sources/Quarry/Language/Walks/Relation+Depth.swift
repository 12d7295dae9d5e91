extension SQLSubquery.Node {
  /// The depth of the query as an expression.
  var depth: Int {
    switch self {
    case .relation(let relation): relation.depth + TreeDepth.ofSubquery
    case .compound(let compound): compound.depth + TreeDepth.ofSubquery
    case .literal(let sql): sql.depth + 1
    case .planned: 1
    }
  }
}

extension Relation {
  /// The depth of the deepest clause. Clauses that are deferred are not known.
  fileprivate var depth: Int {
    var depth = Swift.max(source.depth, ordering.depth, rareClauses?.depth ?? 0)
    for clause in selection { depth = max(depth, clause.depth) }
    for case .expression(let condition) in filters { depth = max(depth, Int(condition.depth)) }
    for node in joins { depth = max(depth, node.relation.depth + 1) }
    for node in prefetches {
      for step in node.steps { depth = max(depth, step.relation.depth + 1) }
    }
    return depth
  }

  /// The number of levels of associations.
  var associationDepth: Int {
    var depth = 0
    for index in joins.indices { depth = max(depth, joins[index].relation.associationDepth + 1) }
    for node in prefetches { depth = max(depth, node.associationDepth + 1) }
    return depth
  }
}

extension PrefetchNode {
  var associationDepth: Int {
    var depth = 0
    for index in steps.indices { depth = max(depth, steps[index].relation.associationDepth) }
    return depth
  }
}
