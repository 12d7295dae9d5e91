// Updates and deletions of the rows of a request. SQLite has no joins there: requests with joins or
// groups go through a subquery on the key of the rows. So do limited ones, where the library knows
// no limit there, and those whose conditions may read modified rows (`UpdatedRows.swift`). An
// update whose values refer to joined sources is an `UPDATE … FROM`.

/// The update or the deletion of rows.
struct ModificationPlan {
  let rows: SelectPlan
  let assignments: [ColumnAssignment]
  /// Whether SQLite has to compute all values before it updates the first row.
  let collectsValues: Bool
  /// Empty for no `RETURNING`.
  let returning: [SQLSelection]
}

extension Planner {
  enum Modification: String {
    case update, delete
  }

  /// Plans the deletion of the rows of a request.
  static func planDelete(
    _ relation: Relation, returning: [SQLSelection]? = nil, in context: PlanningContext
  ) throws -> ModificationPlan {
    if let scope = relation.deletionScope {
      throw relation.source.naming(InvalidRequest.marked(scope))
    }
    return try plan(.delete, of: relation, [], returning: returning, in: context)
  }

  /// Plans the update of the rows of a request.
  static func planUpdate(
    _ relation: Relation, _ assignments: [ColumnAssignment], returning: [SQLSelection]? = nil,
    in context: PlanningContext
  ) throws -> ModificationPlan {
    let plan = try plan(.update, of: relation, assignments, returning: returning, in: context)
    guard assignments.contains(where: { $0.value != nil }) else {
      throw relation.source.naming(InvalidRequest.emptyAssignments)
    }
    return plan
  }

  private static func plan(
    _ modification: Modification, of relation: Relation, _ assignments: [ColumnAssignment],
    returning: [SQLSelection]?, in context: PlanningContext
  ) throws -> ModificationPlan {
    var relation = relation
    if relation.limit == nil { relation.removeOrdering() }
    let references = try References(context) { try $0.visit(assignments.compactMap(\.value)) }
    let joined = relation.joins.isEmpty ? [] : relation.allAliases.subtracting(relation.aliases)
    let isUpdateFrom = joined.contains { references.contains($0) }
    var collectsValues =
      try !isUpdateFrom && relation.collectsValues(of: assignments, references, in: context)
    if collectsValues {
      let rows = relation.outerRows(keeping: references, in: context)
      try context.connection?.checkUpdate(of: rows, assignments)
    }
    var modified =
      try isUpdateFrom
      ? relation.updatedFromJoins(in: context)
      : Planner.rows(
        of: relation, for: modification, keeping: references, returning ?? [],
        collectsValues: collectsValues, in: context)
    var assignments = assignments
    if collectsValues, try modified.mayNameRowID(references, in: context) {
      collectsValues = false
      modified = try modified.joined(
        toValuesOf: &assignments, keeping: References(context) { try $0.visit(returning ?? []) },
        in: context)
    }
    guard case .table = modified.source else {
      throw InvalidRequest(
        "Can't \(modification) rows of the \(relation.source.description): they are computed. "
          + "To fix this error, \(modification) those of its table.")
    }
    let rows = try Planner.plan(modified, in: context) { plan in
      if collectsValues {
        try plan.qualifyColumns(in: context)
      } else if isUpdateFrom {
        try plan.nameWithoutDots(in: context)
      } else if !plan.scope.names.isEmpty, try modified.isView(in: context) {
        // SQLite knows it by its own name only.
        try plan.useOwnName(in: context)
      }
    }
    if isUpdateFrom { try rows.checkUpdateFrom(returning: returning ?? [], in: context) }
    if let returning, returning.isEmpty { throw InvalidRequest.emptyReturning }
    do {
      let planner = ClausePlanner(context: context, plans: [rows], source: rows.root.source)
      let returningPlanner = ClausePlanner(
        context: context, plans: [rows.returned], source: rows.root.source)
      return ModificationPlan(
        rows: rows, assignments: try planner.map(assignments), collectsValues: collectsValues,
        returning: try returningPlanner.map(returning ?? []))
    } catch {
      throw rows.root.source.naming(error)
    }
  }

  /// The rows to modify, without selection nor joins.
  static func rows(
    of relation: Relation, for modification: Modification, keeping references: References? = nil,
    _ returning: [SQLSelection] = [], collectsValues: Bool = false, in context: PlanningContext
  ) throws -> Relation {
    var relation = relation
    relation.prefetches = []
    relation.isDistinct = try relation.limitsDistinctRows(for: modification, in: context)
    try relation.orderBySelectedValues(in: context)
    try relation.filterBySelectedValues(in: context)
    relation.selection = []
    if modification == .delete, try relation.deletionNeedsLimit(in: context) {
      relation.limit = Limit(count: -1)
    }
    if relation.joins.isEmpty, relation.grouping == nil, relation.havings.isEmpty,
      try relation.limit == nil || context.canLimitModifications(of: relation),
      relation.deletionScope?.modified == nil,
      try !relation.collectsKeys(withValues: collectsValues, in: context)
    {
      return relation
    }
    if relation.grouping != nil || !relation.havings.isEmpty {
      relation.grouping = try groupingOfRows(of: relation, modification, in: context)
    }
    var references = references ?? References(context)
    try references.visit(returning)
    return try rowsByKey(relation, keeping: references, in: context)
  }

  /// The rows whose key is that of a row of the relation.
  private static func rowsByKey(
    _ relation: Relation, keeping references: References, in context: PlanningContext
  ) throws -> Relation {
    var rows = relation.outerRows(keeping: references, in: context)
    rows.filters = [try relation.keyCondition(in: context)]
    if var scope = relation.deletionScope, let modified = scope.modified {
      scope.rows = modified
      rows.filters.append(.scope(scope))
    }
    return rows
  }

  /// Groups must have one row each. NULL in a unique column is one group of many rows, which become
  /// groups of their own.
  private static func groupingOfRows(
    of relation: Relation, _ modification: Modification, in context: PlanningContext
  ) throws -> GroupingClause {
    let error = InvalidRequest("Can't \(modification) query with GROUP BY clause")
    guard let grouping = relation.grouping else { throw error }
    if case .primaryKey = grouping { return grouping }
    guard case .table(let table) = relation.source else { throw error }
    let terms = try context.resolve(grouping, of: relation.source)
    let columns = terms.compactMap { $0.bijectedColumn(aliases: relation.aliases) }
    guard columns.count == terms.count else { throw error }
    let rowIDColumn = try context.schema.primaryKeyIfKnown(of: table)?.rowIDColumn
    let keyColumns = zip(terms, columns).filter { term, column in
      term.column(aliases: relation.aliases) != nil
        || rowIDColumn.map { column.isSameIdentifier(as: $0) } == true
    }.map(\.1)
    guard try context.schema.hasUniqueKey(keyColumns, in: table) else { throw error }
    if try context.schema.identifiesRows(of: table, by: keyColumns) { return grouping }
    // HAVING would see other groups.
    guard relation.havings.isEmpty else { throw error }
    return try .expressions(terms + context.schema.groupingColumns(of: relation.source))
  }
}

extension PlanningContext {
  /// Whether an update or a deletion of rows of a relation may have a limit. SQLite finds the rows
  /// by the key then: it compares that of a table without rowid by the collations of its columns,
  /// and takes a common table expression for a table of the same name.
  fileprivate func canLimitModifications(of relation: Relation) throws -> Bool {
    guard limitsModifications ?? SQLiteVersion.limitsModifications else { return false }
    guard case .table(let table) = relation.source else { return true }
    if relation.allTableExpressions.define(table) { return false }
    return try schema.primaryKeyIfKnown(of: table)?.keyCollations.isEmpty ?? true
  }
}

extension ClausePlanner {
  func map(_ assignments: [ColumnAssignment]) throws -> [ColumnAssignment] {
    guard assignments.contains(where: { $0.value?.isOpen == true }) else { return assignments }
    return try assignments.map {
      ColumnAssignment(columnName: $0.columnName, value: try $0.value.map(map))
    }
  }
}

// UPDATE … FROM. See <https://www.sqlite.org/lang_update.html#update_from>.

extension Relation {
  /// The rows without order. Those of a limited request are found by their key.
  fileprivate func updatedFromJoins(in context: PlanningContext) throws -> Relation {
    let repeated = limit == nil ? nil : try sourceOfRepeatedRows(in: context)
    if grouping != nil || !havings.isEmpty || repeated != nil {
      throw InvalidRequest(
        "The values of an update can't come from an association if its request is grouped, or "
          + "limited and joined to many rows. To fix this error, join a grouped or limited request: "
          + "see asTable().")
    }
    // The subquery of a limited request has the same aliases, for sources of its own.
    var limited = self
    try limited.orderBySelectedValues(in: context)
    try limited.filterBySelectedValues(in: context)
    var relation = limited.selectingNothing
    relation.isDistinct = false
    relation.removeOrdering()
    guard limit != nil else { return relation }
    relation.limit = nil
    limited.isCorrelated = true
    limited.isDistinct = try limitsDistinctRows(for: .update, in: context)
    relation.filters.append(try limited.keyCondition(in: context))
    return relation
  }
}

extension SelectPlan {
  fileprivate func checkUpdateFrom(
    returning selection: [SQLSelection], in context: PlanningContext
  ) throws {
    try checkReturning(selection, in: context)
    for join in joins {
      switch join.kind {
      case .inner, .cross: break
      case .left where join.parent > 0: break
      case .left, .right, .full:
        throw InvalidRequest(
          "The values of an update can't come from the optional association \"\(join.key)\": "
            + "SQLite updates the rows that have an associated row. To fix this error, use "
            + "joining(required:), or assign a subquery.")
      }
    }
    for join in joins where join.parent == 0 {
      guard case .none = join.condition, join.filters.isEmpty, !join.source.isFunctionOfParent
      else { continue }
      throw InvalidRequest(
        "The values of an update can't come from the association \"\(join.key)\", which has no "
          + "condition: each row would get those of any associated row. To fix this error, give "
          + "association(to:on:) a condition.")
    }
  }

  /// `RETURNING` has the columns of the updated table only, without its name: others would be taken
  /// for them.
  private func checkReturning(_ selection: [SQLSelection], in context: PlanningContext) throws {
    let references = try References(context) { try $0.visit(selection) }
    for binding in scope.aliases where binding.source > 0 {
      guard references.aliases.contains(binding.alias) else { continue }
      throw InvalidRequest(
        "An update can't return values of the association \"\(sources[binding.source].key)\": "
          + "SQLite returns those of the updated table only. To fix this error, fetch the "
          + "associated rows in a request of their own.")
    }
  }
}

// The names of the sources, before subqueries are planned.
extension SelectPlan {
  /// The only table becomes one of two sources.
  fileprivate mutating func qualifyColumns(in context: PlanningContext) throws {
    if root.userName == nil { try useOwnName(in: context) }
    scope.isQualified = true
  }

  fileprivate mutating func useOwnName(in context: PlanningContext) throws {
    try root.closeNames(in: context)
    if scope.names.isEmpty { scope.names = [root.source.name] }
    self = returned
  }

  /// SQLite does not find a source whose name has a dot, where an `UPDATE … FROM` has several.
  fileprivate mutating func nameWithoutDots(in context: PlanningContext) throws {
    for source in joins.indices where joins.count > 1 && scope.names[source].contains(".") {
      let references = try references(in: context)
      let name = scope.names[source].replacing(".", with: "_")
      scope.names[source] = name.numbered { name in
        scope.names.contains(where: name.isSameIdentifier) || references.contains(table: name)
      }
    }
  }
}

// See <https://www.sqlite.org/lang_returning.html>.
extension SelectPlan {
  /// That of the table, without its schema.
  private var ownName: String { root.qualifiedTable?.name ?? root.source.name }

  /// The plan, for the `RETURNING` clause: there, SQLite knows the table by its own name only.
  var returned: SelectPlan {
    if scope.names.isEmpty || scope.names[0].hasSameBytes(as: ownName) { return self }
    var plan = self
    plan.scope.names[0] = ownName
    plan.isReturned = true
    return plan
  }
}

extension InvalidRequest {
  fileprivate static func marked(_ scope: DeletionScope) -> InvalidRequest {
    InvalidRequest(
      "Rows of \(scope.recordType) are not deleted, but marked in column "
        + "\(scope.column.quotedDatabaseIdentifier). To fix this error, update this column.")
  }

  static let emptyReturning = InvalidRequest("Invalid empty selection")
  static let emptyAssignments = InvalidRequest("Invalid empty assignments")
}
