// The auxiliary functions of FTS5, and those of FTS4. See
// <https://www.sqlite.org/fts5.html#_auxiliary_functions_>.

public import Quarry

extension FTS5 {
  /// The text of a column, with marks around what a pattern has matched.
  ///
  /// ```swift
  /// // SELECT *, highlight("document", 0, ?, ?) AS "marked" FROM "document" WHERE "document" MATCH ?
  /// Document.matching(pattern)
  ///   .annotated(with: FTS5.highlight("title", open: "<b>", close: "</b>").forKey("marked"))
  /// ```
  ///
  /// The expression belongs to the full-text table of the request. For an association, see
  /// ``/Quarry/TableAlias``. The text is not escaped.
  ///
  /// See <https://www.sqlite.org/fts5.html#the_highlight_function>.
  ///
  /// - parameter column: The name of the column. A name that the table lacks is an error of the
  ///   request.
  /// - parameter open: The mark before the match.
  /// - parameter close: The mark after the match.
  public static func highlight(_ column: String, open: String, close: String) -> SQLExpression {
    call("highlight", SQLExpression(.fullText(.columnIndex(column))), open, close)
  }

  /// The text of a column, with marks. See `highlight(_:open:close:)` of a name.
  public static func highlight(
    _ column: some ColumnExpression, open: String, close: String
  ) -> SQLExpression { highlight(column.name, open: open, close: close) }

  /// A part of a text around what a pattern has matched, with marks.
  ///
  /// ```swift
  /// // SELECT *, snippet("document", -1, ?, ?, ?, 8) AS "extract" FROM "document" WHERE "document" MATCH ?
  /// Document.matching(pattern)
  ///   .annotated(with: FTS5.snippet(open: "[", close: "]", tokenCount: 8).forKey("extract"))
  /// ```
  ///
  /// See <https://www.sqlite.org/fts5.html#the_snippet_function>.
  ///
  /// - parameter column: The name of the column. Nil for the one that matches best.
  /// - parameter open: The mark before the match.
  /// - parameter close: The mark after the match.
  /// - parameter ellipsis: The mark of text that is left out.
  /// - parameter tokenCount: The greatest number of words: from 1 to 64.
  public static func snippet(
    _ column: String? = nil, open: String, close: String, ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    let index = column.map { SQLExpression(.fullText(.columnIndex($0))) } ?? (-1).sqlExpression
    return call("snippet", index, open, close, ellipsis, tokenCount)
  }

  /// A part of a text, with marks. See `snippet(_:open:close:ellipsis:tokenCount:)` of a name.
  public static func snippet(
    _ column: some ColumnExpression, open: String, close: String, ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    snippet(column.name, open: open, close: close, ellipsis: ellipsis, tokenCount: tokenCount)
  }

  /// The relevance of a row: the smaller the number, the better it matches.
  ///
  /// ```swift
  /// // SELECT * FROM "document" WHERE "document" MATCH ? ORDER BY bm25("document", 10.0, 1.0)
  /// Document.matching(pattern).order(FTS5.bm25(weights: ["title": 10]))
  /// ```
  ///
  /// Without weights, `Column.rank` is the same, and faster.
  ///
  /// See <https://www.sqlite.org/fts5.html#the_bm25_function>.
  ///
  /// - parameter weights: The weights of columns, by their names. 1.0 by default.
  public static func bm25(weights: [String: Double] = [:]) -> SQLExpression {
    guard !weights.isEmpty else { return call("bm25") }
    return call("bm25", SQLExpression(.fullText(.weights(weights))))
  }

  private static func call(_ name: String, _ arguments: any SQLExpressible...) -> SQLExpression {
    .scalar(
      name, [SQLExpression(.fullText(.table))] + arguments.map(\.sqlExpression), isPure: false)
  }
}

extension TableRequest where Self: FilteredRequest {
  /// The request, whose column `rank` gives weights to columns.
  ///
  /// ```swift
  /// // SELECT * FROM "document" WHERE ("document" MATCH ?) AND ("rank" MATCH ?) ORDER BY "rank"
  /// Document.matching(pattern).ranked(byWeights: ["title": 10]).order(Column.rank)
  /// ```
  ///
  /// See <https://www.sqlite.org/fts5.html#sorting_by_auxiliary_function_results>.
  ///
  /// - parameter weights: The weights of columns, by their names. 1.0 by default.
  public func ranked(byWeights weights: [String: Double]) -> Self {
    filter(
      SQLExpression.binary(
        .match, Column.rank.sqlExpression, SQLExpression(.fullText(.rankFunction(weights)))))
  }
}

extension FTS4 {
  /// A part of a text around what a pattern has matched, with marks.
  ///
  /// ```swift
  /// // SELECT *, snippet("document", ?, ?, ?, -1, 8) AS "extract" FROM "document" WHERE "document" MATCH ?
  /// Document.matching(pattern)
  ///   .annotated(with: FTS4.snippet(open: "[", close: "]", tokenCount: 8).forKey("extract"))
  /// ```
  ///
  /// See <https://www.sqlite.org/fts3.html#the_snippet_function>.
  ///
  /// - parameter column: The name of the column. Nil for any.
  /// - parameter open: The mark before the match.
  /// - parameter close: The mark after the match.
  /// - parameter ellipsis: The mark of text that is left out.
  /// - parameter tokenCount: The approximate number of words: from 1 to 64.
  public static func snippet(
    _ column: String? = nil, open: String, close: String, ellipsis: String = "…",
    tokenCount: Int = 16
  ) -> SQLExpression {
    let index = column.map { SQLExpression(.fullText(.columnIndex($0))) } ?? (-1).sqlExpression
    return .scalar(
      "snippet", SQLExpression(.fullText(.table)), open.sqlExpression, close.sqlExpression,
      ellipsis.sqlExpression, index, tokenCount.sqlExpression, isPure: false)
  }
}
