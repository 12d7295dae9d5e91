extension SQLWriter {
  /// Writes the deletion of rows. See <https://www.sqlite.org/lang_delete.html>.
  mutating func write(delete plan: ModificationPlan) throws {
    try write(plan) { writer in
      writer.buffer.append("DELETE FROM ")
      try writer.write(plan.rows.sources, sourceName: 0)
    }
  }

  /// Writes the update of rows. See <https://www.sqlite.org/lang_update.html>.
  ///
  /// - parameter conflictResolution: `IGNORE`, `REPLACE`… or nil.
  mutating func write(update plan: ModificationPlan, conflictResolution: String?) throws {
    try write(plan) { writer in
      writer.buffer.append("UPDATE ")
      writer.write(conflictResolution: conflictResolution)
      try writer.write(plan.rows.sources, sourceName: 0)
      writer.buffer.append(" SET ")
      try writer.write(assignments: plan.assignments)
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
      try write(" WHERE ", conditions: rows.root.filters, keyColumn: rows.root.keyColumn)
      if rows.limit != nil { try writeOrdering(rows.sources) }
      write(rows.limit)
      begin(source: 0)
      try write(returning: plan.returning)
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
    let isQualified = scope.isQualified
    scope.isQualified = false
    try body(&self)
    scope.isQualified = isQualified
  }
}
