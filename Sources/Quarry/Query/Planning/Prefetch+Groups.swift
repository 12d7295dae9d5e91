// One request fetches the rows of all parents. What it computes from several rows, it computes from
// those of one parent, as the request for the associated records of that parent does: the key of
// the parent is a part of each group, aggregates are grouped by it, and windows end with it.
//
// A parent without rows has no group, and so no aggregate.

extension Prefetch {
  /// Adds the key of the parent to the groups and to the windows. Where a parent is joined, or
  /// pivots are, it is qualified later.
  ///
  /// - parameter count: the number of steps of the association, the last ones.
  mutating func separateParents(
    of count: Int, isLimited: Bool, in context: PlanningContext
  ) throws {
    let last = steps.count - 1
    let computations = try Computations(of: Array(steps.suffix(count)), in: context)
    try checkWindows(computations)
    hasAggregate = steps[last].relation.grouping == nil && computations.selectAggregate
    hasWindow = computations.haveWindow
    if isLimited { try checkLimit(computations, in: context) }
    if hasWindow {
      for index in steps.indices.suffix(count) {
        try steps[index].relation.resolveWindows(in: context)
      }
    }
    if last > 0 { return }
    let columns = keyColumns.map { SQLExpression(.column($0)) }
    // Groups by row are those of one parent.
    if case .primaryKey? = steps[0].relation.grouping {
      steps[0].relation.partition(by: columns, if: hasWindow)
    } else {
      separate(&steps[0].relation, by: columns)
    }
    if hasWindow, !steps[0].relation.joins.isEmpty {
      let alias = TableAliasBase(name: nil)
      steps[0].relation.aliases.append(alias)
      steps[0].relation.partitionJoins(by: columns.map { $0.qualified(by: alias) })
    }
  }

  /// Windows in SQL can't be separated, unless they are defined in Swift.
  private func checkWindows(_ computations: Computations) throws {
    guard computations.haveUnknownWindow else { return }
    throw InvalidRequest(
      "The association \"\(key)\" can't have SQL with window functions in including(all:): they "
        + "may compute from the rows of several records. To resolve this error, write the windows "
        + "in Swift, with QuarryFunctions: rowNumber().over(orderBy: …), or window(_:_:).")
  }

  /// The limit leaves one row of a group, unless the group is one record.
  private func checkLimit(_ computations: Computations, in context: PlanningContext) throws {
    let relation = steps[steps.count - 1].relation
    let hasAggregate =
      if relation.grouping == nil {
        computations.selectAggregate
      } else {
        try computations.haveAggregate && !relation.groupsRecords(in: context)
      }
    guard hasAggregate || hasWindow else { return }
    throw InvalidRequest(
      "The association \"\(key)\" can't be limited in including(all:): it has "
        + (hasWindow ? "window functions" : "an aggregate")
        + ", which would be computed from the limited rows.")
  }

  /// - parameter key: qualified columns, of a source that is joined to the relation.
  func separateJoined(_ relation: inout Relation, by key: [SQLExpression]) {
    separate(&relation, by: key)
    if hasWindow { relation.partitionJoins(by: key) }
  }

  private func separate(_ relation: inout Relation, by key: [SQLExpression]) {
    relation.group(by: key, always: hasAggregate)
    relation.partition(by: key, if: hasWindow)
  }
}

extension Relation {
  /// A group belongs to one parent: a row that several parents share is in several groups.
  ///
  /// - parameter always: Whether there is a group for each parent at least.
  fileprivate mutating func group(by key: [SQLExpression], always: Bool) {
    switch grouping {
    case nil: if always { grouping = .expressions(key) }
    case .expressions(let expressions)?:
      // A closure would keep their values, which those of the next request replace.
      grouping = .expressions(expressions + key)
    case .primaryKey?, .deferred?: grouping = grouping?.appending(key, to: source)
    }
  }

  /// Whether each group is one record.
  fileprivate func groupsRecords(in context: PlanningContext) throws -> Bool {
    guard let grouping else { return false }
    return try groupsHaveOneRow(context.resolve(grouping, of: source), in: context)
  }

  /// Asks for what is deferred in the clauses that may have windows, those of joined relations
  /// included.
  fileprivate mutating func resolveWindows(in context: PlanningContext) throws {
    selection = [.items(try context.resolve(selection))]
    ordering = try context.resolve(ordering)
    for index in joins.indices { try joins[index].relation.resolveWindows(in: context) }
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
    for index in windows.indices { windows[index].window = partition.map(windows[index].window) }
  }

  /// - parameter key: qualified columns.
  fileprivate mutating func partitionJoins(by key: [SQLExpression]) {
    for index in joins.indices {
      joins[index].relation.partition(by: key, if: true)
      joins[index].relation.partitionJoins(by: key)
    }
  }
}

extension GroupingClause {
  fileprivate func appending(_ key: [SQLExpression], to source: Source) -> GroupingClause {
    .deferred(
      Deferred(ofSchema: isOfSchema) { context in
        try context.resolve(self, of: source) + key
      })
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

  // It has windows of its own.
  func map(_ sql: SQL) -> SQL { sql }
}

/// What an association computes from several rows, by the clauses of its records, and of those that
/// are joined to them.
private struct Computations {
  private(set) var haveWindow = false
  private var selectedSQL: RawCalls
  private var otherSQL: RawCalls
  private var definedWindows: Set<BinaryText> = []

  /// Whether the selections have an aggregate.
  var selectAggregate: Bool { selectedSQL.hasAggregate }
  /// Whether any clauses have one.
  var haveAggregate: Bool { selectAggregate || otherSQL.hasAggregate }
  /// Whether SQL has a window that is not defined in Swift.
  var haveUnknownWindow: Bool {
    let names = selectedSQL.windowNames.union(otherSQL.windowNames)
    return selectedSQL.hasWindow || otherSQL.hasWindow
      || !definedWindows.isSuperset(of: names.map(\.identifierKey))
  }

  /// - parameter steps: those of the association. Nothing is selected from pivots.
  init(of steps: [AssociationStep], in context: PlanningContext) throws {
    selectedSQL = RawCalls(context.connection)
    otherSQL = selectedSQL
    for (index, step) in steps.enumerated() {
      try visit(step.relation, selects: index == steps.count - 1, in: context)
    }
  }

  private mutating func visit(
    _ relation: Relation, selects: Bool, in context: PlanningContext
  ) throws {
    try context.checkStack()
    if selects { try visit(selection: context.resolve(relation.selection)) }
    for case .ordering(let ordering) in try context.resolve(relation.ordering).terms {
      try visit(ordering)
    }
    let havings = try context.resolve(relation.havings, of: relation.source)
    for case .expression(let condition) in havings { try visit(condition) }
    haveWindow = haveWindow || !relation.windows.isEmpty
    definedWindows.formUnion(relation.windows.map(\.name.identifierKey))
    for join in relation.joins { try visit(join.relation, selects: selects, in: context) }
  }

  private mutating func visit(selection: [SQLSelection]) throws {
    for item in selection { try selectedSQL.visit(item) }
    haveWindow = haveWindow || selection.contains(where: \.hasWindow)
  }

  private mutating func visit(_ ordering: SQLOrdering) throws {
    if case .expression(let expression, _) = ordering.node { return try visit(expression) }
    try otherSQL.visit(ordering)
  }

  private mutating func visit(_ expression: SQLExpression) throws {
    try otherSQL.visit(expression)
    haveWindow = haveWindow || expression.hasWindow
  }
}
