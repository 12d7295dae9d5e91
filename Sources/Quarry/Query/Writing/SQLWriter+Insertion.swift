/// An insertion of the rows of a query.
struct InsertionPlan {
  let table: TableName
  let columns: [String]
  let query: QueryPlan
  /// Empty for no `RETURNING`.
  let returning: [SQLSelection]
}

extension SQLWriter {
  /// Writes the insertion of the rows of a query. See <https://www.sqlite.org/lang_insert.html>.
  ///
  /// - parameter conflictResolution: `IGNORE`, `REPLACE`… or nil.
  mutating func write(insert plan: InsertionPlan, conflictResolution: String?) throws {
    buffer.append("INSERT ")
    write(conflictResolution: conflictResolution)
    buffer.append("INTO ")
    write(plan.table)
    buffer.append(" (")
    buffer.append(identifiers: plan.columns)
    buffer.append(") ")
    try write(nested: plan.query)
    try write(returning: plan.returning)
  }
}
