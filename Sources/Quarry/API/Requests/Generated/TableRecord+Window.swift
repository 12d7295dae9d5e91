// Written by Scripts/generate, from DerivableRequest+Window.swift: change that file.

extension TableRecord {
  /// Names a window, for functions of this request. See ``SQLWindow``.
  ///
  /// ```swift
  /// // SELECT "name", RANK() OVER "best" FROM "player"
  /// // WINDOW "best" AS (PARTITION BY "team" ORDER BY "score" DESC)
  /// Player
  ///   .window("best", SQLWindow(partitionBy: Column("team"), orderBy: Column("score").desc))
  ///   .select(Column("name"), rank().over("best"))
  /// ```
  ///
  /// See `DerivableRequest.window(_:_:)`.
  public static func window(_ name: String, _ window: SQLWindow) -> QueryInterfaceRequest<Self> {
    all().window(name, window)
  }
}
