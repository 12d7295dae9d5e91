extension TableRequest where Self: FilteredRequest {
  /// The rows of an FTS3 or FTS4 table that match a pattern. None for nil.
  ///
  /// ```swift
  /// // SELECT * FROM "document" WHERE "document" MATCH ?
  /// let pattern = FTS3Pattern(matchingAllTokensIn: "old man")
  /// Document.all().matching(pattern)
  /// ```
  ///
  /// See <https://www.sqlite.org/fts3.html#full_text_index_queries>.
  public func matching(_ pattern: FTS3Pattern?) -> Self {
    pattern.map { filter(SQLExpression.fullTextMatch($0)) } ?? none()
  }

  /// The rows of an FTS5 table that match a pattern. None for nil.
  ///
  /// ```swift
  /// // SELECT * FROM "document" WHERE "document" MATCH ? ORDER BY "rank"
  /// let pattern = FTS5Pattern(matchingAllTokensIn: "old man")
  /// Document.all().matching(pattern).order(Column.rank)
  /// ```
  ///
  /// See <https://www.sqlite.org/fts5.html#full_text_query_syntax>.
  public func matching(_ pattern: FTS5Pattern?) -> Self {
    pattern.map { filter(SQLExpression.fullTextMatch($0)) } ?? none()
  }
}

extension ColumnExpression {
  /// Matching of a pattern by a column of an FTS3 or FTS4 table. Nil is `NULL`, which matches
  /// nothing.
  ///
  /// ```swift
  /// // SELECT * FROM "document" WHERE "title" MATCH ?
  /// Document.filter(Column("title").match(pattern))
  /// ```
  public func match(_ pattern: FTS3Pattern?) -> SQLExpression {
    .binary(.match, sqlExpression, SQLExpression(nullable: pattern))
  }

  /// Matching of a pattern by a column of an FTS5 table.
  ///
  /// ```swift
  /// // SELECT * FROM "document" WHERE "title" MATCH ?
  /// Document.filter(Column("title").match(pattern))
  /// ```
  public func match(_ pattern: FTS5Pattern) -> SQLExpression {
    .binary(.match, sqlExpression, pattern.sqlExpression)
  }
}
