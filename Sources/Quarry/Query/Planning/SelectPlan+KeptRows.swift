// Right and full joins keep the rows of their source that match none of the other side. `ON` leaves
// out none of them, so that the filters of the source stand in `WHERE`, too:
//
//     FROM a FULL JOIN b ON b.id = a.b AND b.x = 1
//     WHERE b.id IS NULL OR b.x = 1
//
// A later right or full join does not match the rows that `WHERE` leaves out, which would take its
// own rows with them:
//
//     FULL JOIN c ON c.id = b.c AND (b.id IS NULL OR b.x = 1)
//
// A filter that refers to an alias of another source chooses pairs. It stands in `ON` only: the
// other source is missing in the rows that are kept.
//
// The filters of the root leave out rows of the result, and stand in `WHERE` only. Its deletion
// scope stands in `ON`, too: deleted rows match nothing, and take no row with them.
//
//     FROM a RIGHT JOIN b ON b.id = a.b AND a.deletedAt IS NULL WHERE a.deletedAt IS NULL

extension SelectPlan {
  /// Prepares the deletion scope of the root for right and full joins.
  mutating func planDeletionScope(of relation: Relation, in context: PlanningContext) throws {
    guard joins.contains(where: \.keepsRows), let scope = relation.deletionScope,
      let position = relation.filters.array.firstIndex(where: { $0.scope != nil }),
      let condition = scope.condition
    else { return }
    root.keptFilterPositions = [position]
    // A missing row has no date: only the other scope has to let it through.
    guard scope.rows == .deleted else { return }
    let tests = try keptColumns(of: root, in: context).map {
      SQLExpression(.comparison(.identical, SQLExpression(.column($0)), .null))
    }
    root.filters[position] = .expression(.associative(.or, [.associative(.and, tests), condition]))
  }

  /// Finds the filters that leave out rows of right and full joins, and the columns that are null
  /// where the source of such a join is missing: in rows of a full join, and in those that a later
  /// right or full join adds.
  mutating func planKeptRows(in context: PlanningContext) throws {
    for number in joins.indices
    where sources[number].keepsRows && !sources[number].filters.isEmpty {
      let filters = try sources[number].filters.flatMap {
        try separated($0, of: number, in: context)
      }
      let positions = try filters.indices.filter {
        try !choosesPairs(filters[$0], of: number, in: context)
      }
      sources[number].filters = filters
      sources[number].keptFilterPositions = positions
    }
    for number in sources.filteredKeptSources
    where sources[number].kind == .full || sources[(number + 1)...].contains(where: \.keepsRows) {
      sources[number].existenceColumns = try keptColumns(of: sources[number], in: context)
    }
  }

  /// The conditions of a filter, if it chooses pairs: some of them may concern the source only.
  private func separated(
    _ filter: FilterClause, of number: Int, in context: PlanningContext
  ) throws -> [FilterClause] {
    guard let expression = filter.expression, try choosesPairs(filter, of: number, in: context)
    else { return [filter] }
    return expression.conjuncts.map { FilterClause.expression($0) }
  }

  /// Whether a filter refers to an alias of another source of the query.
  private func choosesPairs(
    _ filter: FilterClause, of number: Int, in context: PlanningContext
  ) throws -> Bool {
    let references = try References(context) { try $0.visit([filter]) }
    return references.aliases.compactMap(source(of:)).contains { $0 != number }
  }

  private func keptColumns(
    of planned: PlannedSource, in context: PlanningContext
  ) throws -> [String] {
    if case .table = planned.source {
      return try context.schema.existenceColumns(of: planned.source)
    }
    guard let columns = try context.schema.columnNamesIfKnown(of: planned.source) else {
      throw InvalidRequest(
        "The association \"\(planned.key)\" can't be filtered in a right or full join: the columns "
          + "of \(planned.source.description) are not known. To fix this error, filter the request "
          + "that it selects from.")
    }
    return columns
  }

  /// Checks a source whose rows are kept where none of the other side matches.
  func checkKeepsRows(_ node: JoinNode) throws {
    try node.relation.source.checkKeepsRows()
    guard case .limited = node.condition else { return }
    throw InvalidRequest(
      "The association \"\(node.key)\" can't be limited in a right or full join: which rows are "
        + "the first ones depends on the other side. To fix this error, use a required or optional "
        + "association.")
  }
}

extension PlannedSource {
  /// Whether the rows of the source are kept where none of the other side matches.
  var keepsRows: Bool { kind.keepsRows }

  /// The filters that leave out rows which a right or full join keeps.
  var keptFilters: [FilterClause] { keptFilterPositions.map { filters[$0] } }
}

extension [PlannedSource] {
  /// The sources of right and full joins that have filters on their own rows.
  var filteredKeptSources: [Int] { joins.indices.filter { !self[$0].keptFilterPositions.isEmpty } }

  /// The sources before a right or full join whose filters its condition repeats, the root
  /// included.
  func keptSources(matchedBy source: Int) -> [Int] {
    guard self[source].keepsRows else { return [] }
    let filtered = (self[0].keptFilterPositions.isEmpty ? [] : [0]) + filteredKeptSources
    return filtered.filter { $0 < source && mayMatch(source, keptRowOf: $0) }
  }

  /// Whether a join may match a row that another join keeps, where all sources before that are
  /// missing. Rows of the root are kept by none, and are matched alike.
  private func mayMatch(_ source: Int, keptRowOf kept: Int) -> Bool {
    guard case .foreignKey = self[source].condition else { return true }
    return isPresent(self[source].parent, inKeptRowOf: kept)
  }

  private func isPresent(_ source: Int, inKeptRowOf kept: Int) -> Bool {
    if source <= kept { return source == kept }
    return !self[source].keepsRows && mayMatch(source, keptRowOf: kept)
  }
}
