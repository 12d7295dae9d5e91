extension SQLWriter {
  /// Writes the query that counts the rows of a request.
  mutating func write(_ count: CountPlan) throws {
    if count.isWrapped { buffer.append("SELECT COUNT(*) FROM (") }
    try write(root: count.query)
    if count.isWrapped { buffer.append(")") }
  }

  /// Writes the query that reports whether a query has rows.
  mutating func write(exists query: QueryPlan) throws {
    buffer.append("SELECT EXISTS (")
    try write(SQLSubquery(query, depth: 0))
    buffer.append(")")
  }
}
