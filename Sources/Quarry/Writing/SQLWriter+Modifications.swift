extension SQLWriter {
  /// Writes the deletion of the rows of a request. See <https://www.sqlite.org/lang_delete.html>.
  static func write(
    delete relation: Relation, returning: [SQLSelection]?, in context: PlanningContext
  ) throws -> SQLText {
    let plan = try Planner.plan(.delete, of: relation, in: context)
    let parts = ModificationParts(returning: returning)
    return try write(Clause.ofDelete, plan, parts)
  }

  /// Writes the update of the rows of a request. See <https://www.sqlite.org/lang_update.html>.
  ///
  /// - parameter conflictResolution: `IGNORE`, `REPLACE`… or nil.
  static func write(
    update relation: Relation, assignments: [ColumnAssignment], conflictResolution: String?,
    returning: [SQLSelection]?, in context: PlanningContext
  ) throws -> SQLText {
    let plan = try Planner.plan(.update, of: relation, in: context)
    let parts = ModificationParts(
      assignments: assignments, conflictResolution: conflictResolution, returning: returning)
    guard parts.assignments.contains(where: { $0.value != nil }) else {
      throw InvalidRequest("Invalid empty assignments")
    }
    return try write(Clause.ofUpdate, plan, parts)
  }

  /// Writes a deletion whose values are SQL literals: definitions have no arguments.
  static func literalSQL(delete relation: Relation, schema: any SchemaReader) throws -> String {
    let context = PlanningContext(schema: schema, connection: nil)
    let plan = try Planner.plan(.delete, of: relation, in: context)
    return try write(Clause.ofDelete, plan, ModificationParts(), mode: .literals).sql
  }

  /// Writes an update whose values are SQL literals: definitions have no arguments.
  static func literalSQL(
    update relation: Relation, assignments: [ColumnAssignment], conflictResolution: String?,
    schema: any SchemaReader
  ) throws -> String {
    let context = PlanningContext(schema: schema, connection: nil)
    let plan = try Planner.plan(.update, of: relation, in: context)
    let parts = ModificationParts(
      assignments: assignments, conflictResolution: conflictResolution)
    guard assignments.contains(where: { $0.value != nil }) else {
      throw relation.source.naming(InvalidRequest("Invalid empty assignments"))
    }
    return try write(Clause.ofUpdate, plan, parts, mode: .literals).sql
  }

  private static func write(
    _ clauses: [Clause], _ plan: QueryPlan, _ parts: ModificationParts,
    mode: Mode = .arguments
  ) throws -> SQLText {
    if let returning = parts.returning, returning.isEmpty {
      throw InvalidRequest("Invalid empty selection")
    }
    var writer = SQLWriter(plan, mode: mode)
    do {
      for clause in clauses { try writer.write(clause, parts) }
      return try writer.finish()
    } catch {
      throw plan.naming(error)
    }
  }

  private mutating func write(_ clause: Clause, _ parts: ModificationParts) throws {
    current = .planned(depth: 0, source: 0)
    switch clause {
    case .with: try writeTableExpressions()
    case .delete:
      buffer.append("DELETE FROM ")
      try write(sourceName: 0)
    case .update: try writeUpdate(conflictResolution: parts.conflictResolution)
    case .set: try write(assignments: parts.assignments)
    case .filter: try write(" WHERE ", conditions: plan.root.filters)
    case .modificationOrdering: if plan.limit != nil { try writeOrdering() }
    case .limit: writeLimit()
    case .returning: try write(returning: parts.returning ?? [])
    default: break
    }
  }

  private mutating func writeUpdate(conflictResolution: String?) throws {
    buffer.append("UPDATE ")
    if let conflictResolution {
      buffer.append("OR ")
      buffer.append(text: conflictResolution)
      buffer.append(" ")
    }
    try write(sourceName: 0)
    buffer.append(" SET ")
  }

  /// `"year" = ?, "title" = NULL`
  mutating func write(assignments: [ColumnAssignment]) throws {
    try withoutQualification { writer in
      var isFirst = true
      for assignment in assignments {
        guard let value = assignment.value else { continue }
        if !isFirst { writer.buffer.append(", ") }
        isFirst = false
        writer.buffer.append(identifier: assignment.columnName)
        writer.buffer.append(" = ")
        try writer.write(value)
      }
    }
  }

  /// ` RETURNING *`. See <https://www.sqlite.org/lang_returning.html>.
  mutating func write(returning selection: [SQLSelection]) throws {
    if selection.isEmpty { return }
    buffer.append(" RETURNING ")
    try withoutQualification { try $0.write(list: selection) }
  }

  /// SQLite wants no qualifier left of `=`, and none in `RETURNING *`.
  private mutating func withoutQualification(
    _ body: (inout SQLWriter) throws -> Void
  ) throws {
    let isQualified = plan.isQualified
    plan.isQualified = false
    try body(&self)
    plan.isQualified = isQualified
  }
}

private struct ModificationParts {
  var assignments: [ColumnAssignment] = []
  var conflictResolution: String?
  var returning: [SQLSelection]?
}
