// Written by Scripts/generate, from OrderedRequest.swift: change that file.

extension OrderedRequest {
  /// Replaces the ordering.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "score" DESC, "name"
  /// Player.all().order(Column("score").desc, Column("name"))
  /// ```
  public consuming func order(_ orderings: any SQLOrderingTerm...) -> Self {
    order(orderings)
  }
}
