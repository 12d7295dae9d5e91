extension TableRecord {
  /// All records.
  ///
  /// ```swift
  /// // SELECT * FROM "player"
  /// let players = try Player.all().fetchAll(db)
  /// ```
  public static func all() -> QueryInterfaceRequest<Self> {
    QueryInterfaceRequest(
      relation: Relation(
        source: .table(databaseTableName),
        selection: ClauseList(single: .record(Self.self, alias: nil))))
  }
}
