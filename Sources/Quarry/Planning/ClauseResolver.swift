/// Asks deferred clauses for their value.
struct ClauseResolver {
  let context: PlanningContext

  func selection(_ clauses: [SelectionClause]) throws -> [SQLSelection] {
    if clauses.count == 1, case .items(let items) = clauses[0] { return items }
    var items: [SQLSelection] = []
    for clause in clauses {
      switch clause {
      case .items(let more): items += more
      case .deferred(let selection): items += try selection(context)
      }
    }
    return items
  }

  func filters(_ clauses: [FilterClause], source: Source) throws -> [FilterClause] {
    guard clauses.contains(where: \.needsResolving) else { return clauses }
    return try clauses.map { clause in
      switch clause {
      case .expression, .keys: clause
      case .deferred(let predicate): .expression(try predicate(context))
      case .uniqueKeys(let keys):
        .expression(try UniqueKeyFilter(source: source, schema: context.schema).expression(keys))
      }
    }
  }

  func grouping(_ clause: GroupingClause, source: Source) throws -> [SQLExpression] {
    switch clause {
    case .expressions(let expressions): expressions
    case .deferred(let expressions): try expressions(context)
    case .primaryKey:
      try context.schema.groupingColumns(of: source).map { SQLExpression(.column($0)) }
    }
  }

  func ordering(_ clause: OrderingClause) throws -> OrderingClause {
    guard clause.terms.contains(where: \.isDeferred) else { return clause }
    var resolved = clause
    resolved.terms = []
    for term in clause.terms {
      switch term {
      case .ordering: resolved.terms.append(term)
      case .deferred(let orderings):
        resolved.terms += try orderings(context).map(OrderingClause.Term.ordering)
      }
    }
    return resolved
  }
}

extension FilterClause {
  fileprivate var needsResolving: Bool {
    switch self {
    case .expression, .keys: false
    case .deferred, .uniqueKeys: true
    }
  }
}

extension OrderingClause.Term {
  fileprivate var isDeferred: Bool {
    if case .deferred = self { true } else { false }
  }
}
