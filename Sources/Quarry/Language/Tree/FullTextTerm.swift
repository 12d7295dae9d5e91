/// A reference of full-text search to a table.
///
/// See <https://www.sqlite.org/fts5.html>.
package enum FullTextTerm: Sendable {
  /// The hidden column that stands for all columns. It has the name of the table.
  case table
  /// The number of a column, by its name.
  case columnIndex(String)
  /// The weights of all columns in a call of `bm25`: 1.0 for those that have none.
  case weights([String: Double])
  /// A call of `bm25` with weights, as a value for the column `rank`.
  case rankFunction([String: Double])

  // Closed, by planning:

  /// The hidden column of a table, and the name of the source. It needs this name if it is
  /// ambiguous.
  case hiddenColumn(String, source: String, isAmbiguous: Bool)
  /// The weights of all columns, in their order.
  case weightList([Double])
}

extension SQLExpression {
  /// `"doc" MATCH ?`
  static func fullTextMatch(_ pattern: some SQLExpressible) -> SQLExpression {
    .binary(.match, SQLExpression(.fullText(.table)), pattern.sqlExpression)
  }
}
