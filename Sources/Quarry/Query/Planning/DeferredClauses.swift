// Asks deferred clauses for their value. Clauses that are known already are returned as they are.

extension PlanningContext {
  package func resolve(_ clauses: ClauseList<SelectionClause>) throws -> [SQLSelection] {
    if clauses.count == 1, case .items(let items) = clauses[0] { return items }
    if clauses.count == 1, case .record(let type, let alias) = clauses[0] {
      return type.selection(alias)
    }
    var items: [SQLSelection] = []
    for clause in clauses {
      switch clause {
      case .items(let more), .aggregates(let more, _): items += more
      case .record(let type, let alias): items += type.selection(alias)
      case .deferred(let selection): items += try selection(self)
      }
    }
    return items
  }

  package func resolve(
    _ clauses: some Collection<FilterClause>, of source: Source
  ) throws -> [FilterClause] {
    guard clauses.contains(where: \.needsResolving) else { return Array(clauses) }
    return try clauses.compactMap { clause in
      switch clause {
      case .expression, .keys: clause
      case .scope(let scope): scope.condition.map { .expression($0) }
      case .deferred(let predicate): .expression(try predicate(self))
      case .uniqueKeys(let keys):
        .expression(try UniqueKeyFilter(source: source, context: self).expression(keys))
      }
    }
  }

  func resolve(_ clause: GroupingClause, of source: Source) throws -> [SQLExpression] {
    switch clause {
    case .expressions(let expressions): expressions
    case .deferred(let expressions): try expressions(self)
    case .primaryKey: try schema.groupingColumns(of: source)
    }
  }

  package func resolve(_ clause: OrderingClause) throws -> OrderingClause {
    guard clause.terms.contains(where: \.isDeferred) else { return clause }
    var resolved = clause
    resolved.terms = try clause.terms.flatMap { term -> [OrderingClause.Term] in
      guard case .deferred(let orderings) = term else { return [term] }
      return try orderings(self).map(OrderingClause.Term.ordering)
    }
    return resolved
  }
}

extension PlanningContext {
  /// Refuses to plan a part of a request when there is hardly any stack left.
  package func checkStack() throws {
    if !ThreadStack.hasSpace { throw InvalidRequest.tooDeepForStack }
  }
}

extension GroupingClause {
  /// See ``Deferred/isOfSchema``.
  var isOfSchema: Bool {
    if case .deferred(let expressions) = self { expressions.isOfSchema } else { true }
  }
}

extension FilterClause {
  fileprivate var needsResolving: Bool {
    switch self {
    case .expression, .keys: false
    case .deferred, .uniqueKeys, .scope: true
    }
  }
}

extension OrderingClause.Term {
  fileprivate var isDeferred: Bool { if case .deferred = self { true } else { false } }
}

extension _RecordSelection {
  static func selection(_ alias: TableAliasBase?) -> [SQLSelection] {
    let selection = databaseSelection.map { $0.sqlSelection }
    guard let alias else { return selection }
    return selection.map { $0.qualified(by: alias) }
  }
}
