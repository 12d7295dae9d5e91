extension TableRecord {
  /// All records.
  ///
  /// ```swift
  /// // SELECT * FROM "player"
  /// let players = try Player.all().fetchAll(db)
  /// ```
  public static func all() -> QueryInterfaceRequest<Self> {
    // A variable would be copied.
    guard let column = _deletionColumn else { return QueryInterfaceRequest(relation: allRows) }
    var relation = allRows
    relation.filters = .scope(column, Self.self)
    return QueryInterfaceRequest(relation: relation)
  }

  @inline(__always)
  private static var allRows: Relation {
    Relation(
      source: .table(databaseTableName),
      selection: ClauseList(single: .record(Self.self, alias: nil)))
  }
}

extension ClauseList<FilterClause> {
  /// The rows that are not marked as deleted.
  static func scope(_ column: String, _ type: any TableRecord.Type) -> Self {
    ClauseList(single: .scope(DeletionScope(column: column, recordType: type)))
  }
}
