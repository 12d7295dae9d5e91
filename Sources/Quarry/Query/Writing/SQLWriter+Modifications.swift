extension SQLWriter {
  /// Writes the deletion of rows. See <https://www.sqlite.org/lang_delete.html>.
  mutating func write(delete plan: ModificationPlan) throws {
    try write(plan) { writer in
      writer.buffer.append("DELETE FROM ")
      try writer.write(plan.rows.sources, sourceName: 0, separator: " AS ")
    }
  }

  /// Writes the update of rows. See <https://www.sqlite.org/lang_update.html>.
  ///
  /// - parameter conflictResolution: `IGNORE`, `REPLACE`… or nil.
  mutating func write(update plan: ModificationPlan, conflictResolution: String?) throws {
    try write(plan) { writer in
      writer.buffer.append("UPDATE ")
      writer.write(conflictResolution: conflictResolution)
      try writer.write(plan.rows.sources, sourceName: 0, separator: " AS ")
      writer.buffer.append(" SET ")
      if plan.collectsValues {
        try writer.write(qualified: plan.assignments)
        writer.buffer.append(" FROM (SELECT 1 AS \"grdb_row\")")
      } else if plan.rows.joins.isEmpty {
        try writer.write(assignments: plan.assignments)
      } else {
        try writer.write(qualified: plan.assignments)
        try writer.write(updatingFrom: plan.rows.sources)
      }
    }
  }

  /// ` FROM "author" LEFT JOIN "country" ON …`: in SQLite, an `ON` clause can't refer to the
  /// updated table, so the conditions of required sources are in the `WHERE` clause.
  private mutating func write(updatingFrom sources: [PlannedSource]) throws {
    for source in sources.joins.indices {
      let kind = sources[source].kind
      if source > 1 { buffer.append(kind.keyword) } else { buffer.append(" FROM ") }
      try write(sources, sourceName: source)
      if kind == .left { try write(" ON ", sources, conditionsOf: source) }
    }
  }

  private mutating func write(
    _ plan: ModificationPlan, _ statement: (inout SQLWriter) throws -> Void
  ) throws {
    let rows = plan.rows
    scope = rows.scope
    do {
      try write(rows.tableExpressions)
      try statement(&self)
      let linked = rows.joins.indices.filter { rows.sources[$0].kind != .left }
      try writeFilters(rows.sources, linking: linked)
      scope = rows.returned.scope
      begin(source: 0)
      try write(returning: plan.returning)
      scope = rows.scope
      // In the grammar of SQLite, they stand behind `RETURNING`.
      if rows.limit != nil { try writeOrdering(rows.sources) }
      write(rows.limit)
    } catch {
      throw rows.root.source.naming(error)
    }
  }

  /// `OR IGNORE `
  mutating func write(conflictResolution: String?) {
    guard let conflictResolution else { return }
    buffer.append("OR ")
    buffer.append(text: conflictResolution)
    buffer.append(" ")
  }

  /// `"year" = ?, "title" = NULL`
  mutating func write(assignments: [ColumnAssignment]) throws {
    try withoutQualification { try $0.write(qualified: assignments) }
  }

  /// `"price" = "book"."price" + "offer"."price"`
  private mutating func write(qualified assignments: [ColumnAssignment]) throws {
    var isFirst = true
    for assignment in assignments {
      guard let value = assignment.value else { continue }
      if !isFirst { buffer.append(", ") }
      isFirst = false
      buffer.append(identifier: assignment.columnName)
      buffer.append(" = ")
      try write(value)
    }
  }

  /// ` RETURNING *`. See <https://www.sqlite.org/lang_returning.html>.
  mutating func write(returning selection: [SQLSelection]) throws {
    if selection.isEmpty { return }
    buffer.append(" RETURNING ")
    try withoutQualification { try $0.write(list: selection) }
  }

  /// SQLite wants no qualifier left of `=`, and none in `RETURNING *`.
  private mutating func withoutQualification(_ body: (inout SQLWriter) throws -> Void) throws {
    let isQualified = scope.isQualified
    scope.isQualified = false
    try body(&self)
    scope.isQualified = isQualified
  }
}
