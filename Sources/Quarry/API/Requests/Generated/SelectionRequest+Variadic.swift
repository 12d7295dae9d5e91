// Written by Scripts/generate, from SelectionRequest.swift: change that file.

extension SelectionRequest {
  /// Replaces the selection.
  ///
  /// ```swift
  /// // SELECT "id", "score" FROM "player"
  /// Player.all().select(Column("id"), Column("score"))
  /// ```
  public consuming func select(_ selection: any SQLSelectable...) -> Self {
    select(selection)
  }

  /// Appends to the selection.
  ///
  /// ```swift
  /// // SELECT *, "score" + "bonus" AS "total" FROM "player"
  /// Player.all().annotated(with: (Column("score") + Column("bonus")).forKey("total"))
  /// ```
  public consuming func annotated(with selection: any SQLSelectable...) -> Self {
    annotated(with: selection)
  }
}
