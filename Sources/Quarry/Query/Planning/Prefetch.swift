/// A to-many association to fetch for the rows of a request.
package struct Prefetch {
  package var key: String
  /// The scopes of the main row that lead to the origin of the association.
  package var scopePath: [String]
  /// The keys of all associations that lead from the main row to the prefetched ones.
  let keyPath: [String]
  /// Whether the parent is the origin of the association, a joined record perhaps.
  private let startsAtOrigin: Bool
  /// The scopes of the main row that lead to the parent. Empty where it is the main row itself.
  var parentPath: [String] { startsAtOrigin ? scopePath : [] }
  /// Whether the parent is a joined record that may be absent in a row.
  var isParentOptional = false
  /// The parent, as a first step. Shared: prefetches are copied when they are executed.
  let parentStep: Shared<AssociationStep>
  /// From the source of the key to the destination.
  var steps: [AssociationStep]
  /// The columns of the parents that have the key.
  var parentColumns: [String]
  /// The columns of the first step, in the same order.
  package var keyColumns: [String] { didSet { keyNames = keyColumns.map { "grdb_\($0)" } } }
  /// The names of the key columns in the rows of the request.
  private(set) var keyNames: [String] = []
  /// Definitions of the main request that the association refers to.
  var tableExpressions: [TableExpression] = []
  var isStable: Bool
  /// The key is the primary key of the parents. SQLite allows nulls there, but a row without key
  /// has no children.
  var requiresKey = false

  /// Whether the parent is the first step.
  var joinsParent = false

  /// Whether the rows are aggregates, one for each parent, and whether there are window functions.
  var hasAggregate = false
  var hasWindow = false

  /// Whether parents with alike keys may have the same rows for SQLite: they are joined then.
  private(set) var rechecksAlikeKeys = false

  /// Whether values of the steps are in slots.
  private(set) var hasSlots = false

  /// The request for all rows of the association, for a prefetch that is remembered and has one
  /// step.
  private var allRows: Shared<Relation>?

  /// - parameter behind: the steps from the parent to the origin of the association.
  /// - parameter parent: the main request, or the origin itself: see `PrefetchPlan.swift`.
  init(
    _ node: PrefetchNode, behind scopeSteps: [AssociationStep], scopePath: [String],
    parent: Relation, in context: PlanningContext
  ) throws {
    key = node.key
    self.scopePath = scopePath
    let pivots = node.steps.dropLast().map { $0.isToMany ? $0.key.plural : $0.key.singular }
    keyPath = scopePath + pivots + [key]
    startsAtOrigin = scopeSteps.isEmpty
    parentStep = Shared(AssociationStep(parent: parent))
    isStable = parent.ordering.isStable
    steps = scopeSteps + node.steps
    parentColumns = []
    keyColumns = []
    if let fault = steps.lazy.compactMap(\.relation.fault).first { throw fault }
    try steps[0].resolveEqualities(with: parent.source, in: context)
    let limit = steps[steps.count - 1].relation.limit
    steps[steps.count - 1].relation.limit = nil

    var firstStep = try stepOfDesignatedParent(parent, in: context)
    if limit != nil, steps.count == 1 {
      try orderLimitedRows(isJoined: firstStep != nil, to: parent.source, in: context)
    }
    if firstStep == nil, limit != nil && scopeSteps.isEmpty || steps[0].foreignKey == nil {
      firstStep = parentStep.value
    }
    if let firstStep {
      try joinParent(firstStep, in: context)
    } else {
      try followForeignKey(from: parent.source, in: context)
      let comparesInOwnWay = try comparesKeysInOwnWay(with: parent.source, in: context)
      if comparesInOwnWay, try joinsToCompare(parent.source, in: context) {
        try compareWithParent(in: context)
      } else {
        rechecksAlikeKeys =
          try comparesInOwnWay || !context.schema.knowsCollations(of: steps[0].relation.source)
      }
    }
    try separateParents(of: node.steps.count, isLimited: limit != nil, in: context)
    if let limit { try self.limit(limit, to: node.steps.count, in: context) }
    try inherit(parent.tableExpressions, in: context)
  }

  /// The request for the rows of the association whose key columns fulfil a condition.
  package func relation(where condition: FilterClause) -> Relation {
    if let allRows {
      var relation = allRows.value
      relation.filters.append(condition)
      return relation
    }
    let columns = keyColumns.map { SQLExpression(.column($0)) }
    if steps.count == 1 { return keyed(steps.destination(where: condition), by: columns) }
    let firstStep = TableAliasBase(name: nil)
    let key = columns.map { $0.qualified(by: firstStep) }
    var relation = steps.destination(where: condition, alias: firstStep)
    separateJoined(&relation, by: key)
    return keyed(relation, by: key)
  }

  /// The prefetch by the primary key of the parent, where its key is that of the association. Nil
  /// if it is by the primary key already.
  func joiningParent(in context: PlanningContext) throws -> Prefetch? {
    if joinsParent { return nil }
    var prefetch = self
    try prefetch.compareWithParent(in: context)
    return prefetch
  }

  /// Joins the parent by the columns that were the key: SQLite compares them as in a join to the
  /// association.
  private mutating func compareWithParent(in context: PlanningContext) throws {
    allRows = nil
    try joinParent(parentStep.value, in: context)
  }

  /// Whether the parent is joined where keys are compared in a way of their own.
  private func joinsToCompare(_ parent: Source, in context: PlanningContext) throws -> Bool {
    guard case .table(let table) = parent else { return false }
    guard let key = try context.schema.primaryKeyIfKnown(of: table) else {
      return try comparesTextsWithNumbers(of: table, in: context)
    }
    // A hidden rowid is no column of the parents.
    return try !key.isHiddenRowID || !valuesFindAll(of: table, in: context)
  }

  /// Whether the values of keys find all rows that a join does, unless keys are alike.
  private func valuesFindAll(of parent: String, in context: PlanningContext) throws -> Bool {
    let source = steps[0].relation.source
    guard case .table(let child) = source, try context.schema.knowsCollations(of: source),
      steps[0].foreignKey?.parentCompares == false
    else { return false }
    return try zip(keyColumns, parentColumns).allSatisfy { key, column in
      guard try context.schema.hasCollationOfSQLite(key, in: child) else { return false }
      // A column of numbers converts any other one.
      return try context.schema.affinity(of: key, in: child) == .numeric
        || context.schema.affinity(of: column, in: parent) != .numeric
    }
  }

  /// The first rows are those of the request without a limit: if that joins the parent, columns
  /// have a qualifier, and mean no selected value.
  private mutating func orderLimitedRows(
    isJoined: Bool, to parent: Source, in context: PlanningContext
  ) throws {
    guard try steps[0].relation.mayOrderBySelectedValues(in: context) else { return }
    let isJoined = try isJoined || joinsParentWithoutLimit(parent, in: context)
    try steps[0].relation.orderBySelectedValues(isJoined: isJoined, in: context)
  }

  private func joinsParentWithoutLimit(
    _ parent: Source, in context: PlanningContext
  ) throws -> Bool {
    if steps[0].foreignKey == nil { return true }
    var unlimited = self
    try unlimited.followForeignKey(from: parent, in: context)
    return try unlimited.comparesKeysInOwnWay(with: parent, in: context)
      && unlimited.joinsToCompare(parent, in: context)
  }

  private func keyed(_ relation: consuming Relation, by columns: [SQLExpression]) -> Relation {
    relation.ordering.isStable = relation.ordering.isStable || isStable
    relation.selection.append(
      .items(zip(columns, keyNames).map { SQLSelection(.aliased($0, $1)) }))
    relation.tableExpressions = tableExpressions.merged(with: relation.tableExpressions)
    return relation
  }

  /// The key is the foreign key of the first step.
  private mutating func followForeignKey(from parent: Source, in context: PlanningContext) throws {
    guard let condition = steps[0].foreignKey else { return }
    let mapping = try context.schema.mapping(
      condition, parent: parent, child: steps[0].relation.source)
    let origins = mapping.map(\.origin)
    let destinations = mapping.map(\.destination)
    parentColumns = condition.parentIsOrigin ? origins : destinations
    keyColumns = condition.parentIsOrigin ? destinations : origins
  }

  /// Whether the rows may have other values as keys than their parents: where a collation compares
  /// them, or where SQLite converts them, since the columns have different affinities.
  private func comparesKeysInOwnWay(
    with parent: Source, in context: PlanningContext
  ) throws -> Bool {
    if steps[0].foreignKey?.parentCompares == true,
      try context.schema.knowsCollations(of: parent),
      try context.schema.mayCollate(parentColumns, of: parent)
    {
      return true
    }
    let source = steps[0].relation.source
    guard case .table(let child) = source else { return false }
    if try context.schema.knowsCollations(of: source),
      try context.schema.mayCollate(keyColumns, of: source)
    {
      return true
    }
    guard case .table(let table) = parent else { return false }
    return try zip(keyColumns, parentColumns).contains { key, parent in
      try context.schema.affinity(of: key, in: child)
        != context.schema.affinity(of: parent, in: table)
    }
  }

  /// Whether texts are converted: `'01'` has the parent 1, and `IN (1)` would not find it.
  private func comparesTextsWithNumbers(
    of parent: String, in context: PlanningContext
  ) throws -> Bool {
    guard case .table(let child) = steps[0].relation.source else { return false }
    return try zip(keyColumns, parentColumns).contains { key, column in
      try context.schema.affinity(of: key, in: child) == .text
        && context.schema.affinity(of: column, in: parent) == .numeric
    }
  }

  /// Definitions stay with the request that has them: a prefetch that refers to one needs them too,
  /// but for those that its steps replace.
  private mutating func inherit(
    _ definitions: [TableExpression], in context: PlanningContext
  ) throws {
    if definitions.isEmpty { return }
    let replaced = try definitions.filter { try isReplaced($0, in: context) }
    let inherited = definitions.filter { !replaced.define($0.name) }
    let references = try References(context) { try $0.visit(steps) }
    guard inherited.contains(where: { references.contains(table: $0.name) }) else { return }
    // A definition that selects from a replaced one needs that too: planning compares them.
    let selected = try References(context) { try $0.visit(inherited) }
    let needsAll = replaced.contains { selected.contains(table: $0.name) }
    tableExpressions = needsAll ? definitions : inherited
  }

  /// Whether steps define the name themselves, and nothing else in them refers to it.
  private func isReplaced(
    _ definition: TableExpression, in context: PlanningContext
  ) throws -> Bool {
    let name = definition.name
    let others = steps.filter { !$0.relation.allTableExpressions.define(name) }
    guard others.count < steps.count,
      !steps.contains(where: { $0.relation.selects(fromUndefined: name) })
    else { return false }
    let references = try References(context) { try $0.visit(others) }
    return !references.contains(table: name)
  }
}

extension Prefetch {
  /// Notes what all executions of a query that is remembered have in common.
  mutating func prepareForReuse() {
    if steps.count == 1 {
      var relation = steps[0].relation
      relation.becomeDestination()
      allRows = Shared(keyed(relation, by: keyColumns.map { SQLExpression(.column($0)) }))
    }
    var key = TreeKey()
    key.append(steps)
    key.append(tableExpressions)
    hasSlots = key.hasIdentities || key.values.contains { $0.slot > 0 }
  }
}

extension AssociationStep {
  var foreignKey: ForeignKeyCondition? {
    if case .foreignKey(let condition) = condition { condition } else { nil }
  }
}

extension Relation {
  /// Whether a source is a table expression that neither its request nor one above defines.
  fileprivate func selects(fromUndefined name: String) -> Bool {
    if tableExpressions.define(name) { return false }
    if case .tableExpression(let expression) = source, expression.name.isSameIdentifier(as: name) {
      return true
    }
    return joins.contains { $0.relation.selects(fromUndefined: name) }
  }
}

extension [TableExpression] {
  func define(_ name: String) -> Bool { contains { $0.name.isSameIdentifier(as: name) } }
}
