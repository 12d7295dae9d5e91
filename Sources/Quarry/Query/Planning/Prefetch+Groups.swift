// One request fetches the rows of all parents. What it computes from several rows, it computes from
// those of one parent, as the request for the associated records of that parent does: the key of
// the parent is a part of each group, aggregates are grouped by it, and windows end with it.
//
// A parent without rows has no group, and so no aggregate.

extension Prefetch {
  /// Adds the key of the parent to the groups and to the windows. Where a parent is joined, or
  /// pivots are, it is qualified later.
  mutating func separateParents(isLimited: Bool, in context: PlanningContext) throws {
    let last = steps.count - 1
    let relation = steps[last].relation
    let selection = try context.resolve(relation.selection)
    let ordering = try context.resolve(relation.ordering)
    var raw = RawCalls()
    for selection in selection { raw.visit(selection) }
    try checkWindows(raw, ordering)
    hasAggregate =
      relation.grouping == nil && (raw.hasAggregate || selection.contains(where: \.hasAggregate))
    hasWindow =
      !relation.windows.isEmpty || selection.contains(where: \.hasWindow)
      || ordering.terms.contains(where: \.hasWindow)
    if isLimited, hasAggregate || hasWindow {
      throw InvalidRequest(
        "The association \"\(key)\" can't be limited in including(all:): it has "
          + (hasWindow ? "window functions" : "an aggregate")
          + ", which would be computed from the limited rows.")
    }
    if hasWindow {
      steps[last].relation.selection = [.items(selection)]
      steps[last].relation.ordering = ordering
    }
    if last > 0 { return }
    let columns = keyColumns.map { SQLExpression(.column($0)) }
    // Groups by row are those of one parent.
    if case .primaryKey? = relation.grouping {
      steps[0].relation.partition(by: columns, if: hasWindow)
    } else {
      separate(&steps[0].relation, by: columns)
    }
  }

  /// Windows in SQL can't be separated, unless they are defined in Swift.
  private func checkWindows(_ selected: RawCalls, _ ordering: OrderingClause) throws {
    var raw = selected
    for case .ordering(let ordering) in ordering.terms { raw.visit(ordering) }
    let known = Set(steps[steps.count - 1].relation.windows.map(\.name.identifierKey))
    guard raw.hasWindow || !known.isSuperset(of: raw.windowNames.map(\.identifierKey)) else {
      return
    }
    throw InvalidRequest(
      "The association \"\(key)\" can't have SQL with window functions in including(all:): they may "
        + "compute from the rows of several records. To resolve this error, write the windows in "
        + "Swift: rowNumber().over(orderBy: …), or window(_:_:).")
  }

  func separate(_ relation: inout Relation, by key: [SQLExpression]) {
    relation.group(by: key, always: hasAggregate)
    relation.partition(by: key, if: hasWindow)
  }
}

extension Relation {
  /// A group belongs to one parent: a row that several parents share is in several groups.
  ///
  /// - parameter always: Whether there is a group for each parent at least.
  fileprivate mutating func group(by key: [SQLExpression], always: Bool) {
    guard let grouping else {
      if always { self.grouping = .expressions(key) }
      return
    }
    let source = source
    self.grouping = .deferred(
      Deferred(ofSchema: grouping.isOfSchema) { context in
        try context.resolve(grouping, of: source) + key
      })
  }

  fileprivate mutating func partition(by key: [SQLExpression], if hasWindow: Bool) {
    guard hasWindow else { return }
    let partition = WindowPartition(key: key)
    selection = ClauseList(
      selection.map { clause in
        if case .items(let items) = clause { .items(items.map(partition.map)) } else { clause }
      })
    ordering.terms = ordering.terms.map { term in
      if case .ordering(let ordering) = term { .ordering(partition.map(ordering)) } else { term }
    }
    for index in windows.indices {
      windows[index].window = partition.map(windows[index].window)
    }
  }
}

/// Makes the key of the parent a part of the partitions of windows.
private struct WindowPartition: TreeTransform {
  let key: [SQLExpression]

  func map(_ expression: SQLExpression) -> SQLExpression {
    guard expression.hasWindow else { return expression }
    if case .window(let call, over: let window) = expression.node {
      return SQLExpression(.window(call, over: map(window)))
    }
    return SQLExpression(expression.node.mapChildren(self))
  }

  /// A window that refines another one has its partitions.
  func map(_ window: SQLWindow) -> SQLWindow {
    guard window.base == nil else { return window }
    var window = window
    window.partition = key + window.partition
    return window
  }

  func map(_ selection: SQLSelection) -> SQLSelection { selection.mapChildren(self) }
  func map(_ ordering: SQLOrdering) -> SQLOrdering { ordering.mapChildren(self) }

  // They have windows of their own.
  func map(_ query: SQLSubquery) -> SQLSubquery { query }
  func map(_ sql: SQL) -> SQL { sql }
  func map(_ definition: TableExpression) -> TableExpression { definition }
}

extension OrderingClause.Term {
  fileprivate var hasWindow: Bool {
    guard case .ordering(let ordering) = self, case .expression(let expression, _) = ordering.node
    else { return false }
    return expression.hasWindow
  }
}
