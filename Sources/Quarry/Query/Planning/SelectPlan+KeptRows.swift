// Right and full joins keep the rows of their source that match none of the other side. `ON` leaves
// out none of them, so that the filters of the source stand in `WHERE`, too:
//
//     FROM a FULL JOIN b ON b.id = a.b AND b.x = 1
//     WHERE b.id IS NULL OR b.x = 1

extension SelectPlan {
  /// Finds the columns that are null where the source of a filtered right or full join is missing:
  /// in rows of a full join, and in those that a later right or full join adds.
  mutating func planKeptRows(in context: PlanningContext) throws {
    for number in sources.filteredKeptSources
    where joins[number - 1].kind == .full || joins.dropFirst(number).contains(where: \.keepsRows) {
      sources[number].existenceColumns = try keptColumns(of: sources[number], in: context)
    }
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
  var keepsRows: Bool { kind == .right || kind == .full }
}

extension PlannedSources {
  /// The sources of right and full joins that have filters.
  var filteredKeptSources: [Int] {
    joins.indices.filter { joins[$0].keepsRows && !joins[$0].filters.isEmpty }.map { $0 + 1 }
  }
}
