/// The clauses of statements, in the order of the SQL.
///
/// See <https://www.sqlite.org/lang_select.html>.
enum Clause {
  case with, select, from, joins, filter, grouping, having, windows, members, ordering, limit
  case update, set, delete, modificationOrdering, returning

  static let ofSelect: [Clause] = [
    .with, .select, .from, .joins, .filter, .grouping, .having, .windows, .ordering,
    .limit,
  ]
  static let ofCompound: [Clause] = [.with, .members, .ordering, .limit]
  static let ofUpdate: [Clause] = [
    .with, .update, .set, .filter, .modificationOrdering, .limit, .returning,
  ]
  static let ofDelete: [Clause] = [
    .with, .delete, .filter, .modificationOrdering, .limit, .returning,
  ]
}

extension SQLWriter {
  /// Writes the query of a plan.
  static func write(select plan: QueryPlan) throws -> SQLText {
    var writer = SQLWriter(plan)
    do {
      try writer.writeSelect()
      return try writer.finish()
    } catch {
      throw plan.naming(error)
    }
  }

  /// Writes the query of the current plan.
  mutating func writeSelect() throws {
    for clause in plan.members.isEmpty ? Clause.ofSelect : Clause.ofCompound {
      current = .planned(depth: outerPlans.count, source: 0)
      switch clause {
      case .with: try writeTableExpressions()
      case .select: try writeSelection()
      case .from:
        buffer.append(" FROM ")
        try write(sourceName: 0)
      case .joins: if !plan.joins.isEmpty { try writeJoins() }
      case .filter: try writeFilters()
      case .grouping: try writeGrouping()
      case .having: try write(" HAVING ", conditions: plan.havings)
      case .members: try writeMembers()
      case .windows: if !plan.windows.isEmpty { try writeWindows() }
      case .ordering: try writeOrdering()
      case .limit: writeLimit()
      default: break
      }
    }
  }

  private mutating func writeSelection() throws {
    buffer.append(plan.isDistinct ? "SELECT DISTINCT " : "SELECT ")
    guard !plan.root.selection.isEmpty || plan.joins.contains(where: { !$0.selection.isEmpty })
    else { throw InvalidRequest("Can't generate SQL with an empty selection") }
    try write(list: plan.root.selection)
    var isFirst = plan.root.selection.isEmpty
    for source in plan.joins.indices where !plan.joins[source].selection.isEmpty {
      if !isFirst { buffer.append(", ") }
      isFirst = false
      current = .planned(depth: outerPlans.count, source: source + 1)
      try write(list: plan.joins[source].selection)
    }
  }

  private mutating func writeGrouping() throws {
    if plan.grouping.isEmpty { return }
    buffer.append(" GROUP BY ")
    try write(list: plan.grouping)
  }

  mutating func writeLimit() {
    guard let limit = plan.limit else { return }
    buffer.append(" LIMIT ")
    buffer.append(limit.count)
    if let offset = limit.offset {
      buffer.append(" OFFSET ")
      buffer.append(offset)
    }
  }
}
