extension FetchableRecord where Self: TableRecord {
  /// A cursor over all records, read from the database when it moves.
  ///
  /// ```swift
  /// // SELECT * FROM "player"
  /// let players = try Player.fetchCursor(db)
  /// while let player = try players.next() { … }
  /// ```
  public static func fetchCursor(_ db: Database) throws -> RecordCursor<Self> {
    try all().fetchCursor(db)
  }

  /// All records.
  ///
  /// ```swift
  /// // SELECT * FROM "player"
  /// let players = try Player.fetchAll(db)
  /// ```
  public static func fetchAll(_ db: Database) throws -> [Self] { try all().fetchAll(db) }

  /// The first record.
  ///
  /// ```swift
  /// // SELECT * FROM "player" LIMIT 1
  /// let player = try Player.fetchOne(db)
  /// ```
  public static func fetchOne(_ db: Database) throws -> Self? { try all().fetchOne(db) }

  /// All records, without duplicates.
  public static func fetchSet(_ db: Database) throws -> Set<Self> where Self: Hashable {
    try all().fetchSet(db)
  }
}
