public import Quarry

extension DerivableRequest {
  /// Names a window, for functions of this request. See ``/Quarry/SQLWindow``.
  ///
  /// ```swift
  /// // SELECT "name", RANK() OVER "best" FROM "player"
  /// // WINDOW "best" AS (PARTITION BY "team" ORDER BY "score" DESC)
  /// Player.all()
  ///   .window("best", SQLWindow(partitionBy: Column("team"), orderBy: Column("score").desc))
  ///   .select(Column("name"), rank().over("best"))
  /// ```
  ///
  /// A second window with the same name replaces the first one. The windows of joined associations
  /// are those of the whole request: two with the same name make it invalid. SQLite throws for an
  /// unknown name.
  public consuming func window(_ name: String, _ window: SQLWindow) -> Self {
    let definition = WindowDefinition(name: name, window: window)
    return mapRelation { $0.windows = $0.windows.merged(with: [definition]) }
  }
}

extension Table {
  /// Names a window, for functions of this request. See `DerivableRequest.window(_:_:)`.
  public func window(_ name: String, _ window: SQLWindow) -> QueryInterfaceRequest<RowDecoder> {
    all().window(name, window)
  }
}

extension TableRecord {
  /// Names a window, for functions of this request. See `DerivableRequest.window(_:_:)`.
  public static func window(_ name: String, _ window: SQLWindow) -> QueryInterfaceRequest<Self> {
    all().window(name, window)
  }
}
