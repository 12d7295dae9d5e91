// Written by Scripts/generate, from QueryInterfaceRequest+Selection.swift: change that file.

extension QueryInterfaceRequest {
  /// Replaces the selection, which is decoded into another type.
  ///
  /// ```swift
  /// // SELECT "score" FROM "player"
  /// let scores = try Player.all().select(Column("score"), as: Int.self).fetchAll(db)
  /// ```
  public consuming func select<T>(_ selection: any SQLSelectable..., as type: T.Type = T.self)
    -> QueryInterfaceRequest<T>
  {
    select(selection, as: type)
  }
}
