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

extension Compound {
  fileprivate var depth: Int {
    let members = others.reduce(first.depth) { Swift.max($0, $1.query.depth) }
    return Swift.max(Int(members), ordering.depth, tableExpressions.depth)
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

extension SelectionClause {
  fileprivate var depth: Int {
    switch self {
    case .items(let items), .aggregates(let items, _): items.reduce(0) { max($0, $1.depth) }
    case .record, .deferred: 0
    }
  }
}

extension Source {
  fileprivate var depth: Int {
    switch self {
    case .table: 0
    case .tableExpression(let expression): expression.depth
    case .subquery(let query, _): Int(query.depth)
    case .function(_, let arguments): arguments.reduce(0) { max($0, Int($1.depth)) }
    }
  }
}

extension TableExpression {
  var depth: Int { Int(body?.depth ?? 0) }
}

extension [TableExpression] {
  fileprivate var depth: Int { reduce(0) { Swift.max($0, $1.depth) } }
}

extension OrderingClause {
  fileprivate var depth: Int {
    terms.reduce(0) { depth, term in
      if case .ordering(let ordering) = term { max(depth, ordering.depth) } else { depth }
    }
  }
}
