// A limited modification changes the rows that a fetch of the request returns. Where joins repeat
// rows of the table, a distinct request counts each of them once. So does a limited association.

extension Relation {
  /// Whether one distinct row stands for one row of the source: the primary key is selected, and
  /// nothing of the steps of an association that lead to the source.
  func distinctRowsAreRecords(in context: PlanningContext) throws -> Bool {
    let selection = try context.resolve(selection)
    let references = try References(context) { try $0.visit(selection) }
    guard !references.hasText, references.aliases.isSubset(of: allAliases) else { return false }
    return try selection.havePrimaryKey(of: self, in: context)
  }

  /// Whether the rows to modify are made distinct before they are counted.
  ///
  /// - Throws: `InvalidRequest` where one distinct row does not stand for one row of the table.
  func limitsDistinctRows(
    for modification: Planner.Modification, in context: PlanningContext
  ) throws -> Bool {
    // Groups are rows of the table: see `Planner.groupingOfRows`.
    guard isDistinct, limit != nil, grouping == nil, havings.isEmpty else { return false }
    let selection = try context.resolve(selection)
    let remedy =
      joins.isEmpty
      ? "select its primary key, or leave out distinct()"
      : "select its primary key, or nothing, and join with joining(required:) instead of "
        + "including(required:)"
    let error = InvalidRequest(
      "Can't \(modification) a limited number of distinct rows that are not those of the "
        + "\(source.description). To fix this error, \(remedy).")
    guard try selection.identifyRows(of: self, in: context) else { throw error }
    if joins.isEmpty { return false }
    guard try selectsFromJoins(selection, in: context) else { return true }
    guard try sourceOfRepeatedRows(in: context) == nil else { throw error }
    return false
  }

  private func selectsFromJoins(
    _ selection: [SQLSelection], in context: PlanningContext
  ) throws -> Bool {
    if joins.contains(where: \.selectsColumns) { return true }
    let references = try References(context) { try $0.visit(selection) }
    return references.hasText
      || allAliases.subtracting(aliases).contains { references.contains($0) }
  }
}

extension JoinNode {
  fileprivate var selectsColumns: Bool {
    !relation.selection.isEmpty || relation.joins.contains(where: \.selectsColumns)
  }
}

extension [SQLSelection] {
  /// Whether the columns of a unique key are among the selected ones.
  fileprivate func identifyRows(of relation: Relation, in context: PlanningContext) throws -> Bool {
    guard case .table(let table) = relation.source,
      let columns = try columns(of: table, relation.aliases, in: context.schema)
    else { return true }
    return try context.schema.identifiesRows(of: table, by: columns)
  }

  /// Whether the columns of the primary key are among the selected ones.
  fileprivate func havePrimaryKey(
    of relation: Relation, in context: PlanningContext
  ) throws -> Bool {
    guard case .table(let table) = relation.source,
      let key = try context.schema.primaryKeyIfKnown(of: table)
    else { return false }
    guard let columns = try columns(of: table, relation.aliases, in: context.schema) else {
      return true
    }
    return key.columns.allSatisfy { name in columns.contains { $0.isSameIdentifier(as: name) } }
  }

  /// The selected columns of the table, or nil if the primary key is certainly one of them.
  private func columns(
    of table: String, _ aliases: [TableAliasBase], in schema: any SchemaReader
  ) throws -> [String]? {
    var columns: [String] = []
    for selection in self {
      guard let names = try selection.columns(of: table, aliases, in: schema) else { return nil }
      columns += names
    }
    return columns
  }
}

extension SQLSelection {
  /// The columns of the table, or nil if the primary key is certainly one of them.
  fileprivate func columns(
    of table: String, _ aliases: [TableAliasBase], in schema: any SchemaReader
  ) throws -> [String]? {
    switch node {
    case .primaryKey: return nil
    case .allColumns: return try schema.columnNames(of: table)
    case .allColumnsExcluding(let excluded):
      return try schema.columnNames(of: table).filter { !excluded.contains($0.identifierKey) }
    case .expression(let expression), .aliased(let expression, _):
      return expression.column(aliases: aliases).map { [$0] } ?? []
    case .qualified(let inner, let alias):
      return try aliases.contains(alias) ? inner.columns(of: table, aliases, in: schema) : []
    case .literal, .invalid, .columns: return []
    }
  }
}
