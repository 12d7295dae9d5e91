/// A request that fetches values, rows or records.
///
/// ```swift
/// let request = Player.order(Column("score").desc).limit(10)  // QueryInterfaceRequest<Player>
/// let players = try request.fetchAll(db)                      // [Player]
///
/// let names: SQLRequest<String> = "SELECT name FROM player"
/// let name = try names.fetchOne(db)                           // String?
/// ```
public protocol FetchRequest<RowDecoder>: SQLSubqueryable, DatabaseRegionConvertible {
  /// The type that rows are decoded into.
  associatedtype RowDecoder

  /// Prepares a statement.
  ///
  /// - parameter db: A connection.
  /// - parameter singleResult: true if only the first row is of interest: the request may limit
  ///   itself.
  /// - throws: ``InvalidRequest``, ``DatabaseError``.
  func makePreparedRequest(
    _ db: Database, forSingleResult singleResult: Bool
  ) throws -> PreparedRequest

  /// The number of rows: one if the request selects an aggregate, and has no groups.
  ///
  /// ```swift
  /// // SELECT COUNT(*) FROM "player"
  /// let count = try Player.all().fetchCount(db)
  /// ```
  func fetchCount(_ db: Database) throws -> Int
}

extension FetchRequest {
  /// The request, whose rows are shown by an adapter, on top of the one of the request, if any.
  ///
  /// ```swift
  /// let request = SQLRequest<Player>(sql: "SELECT team.*, player.* FROM …")
  ///   .adapted { db in SuffixRowAdapter(fromIndex: 3) }
  /// ```
  public func adapted(
    _ adapter: @escaping @Sendable (Database) throws -> any RowAdapter
  ) -> AdaptedFetchRequest<Self> { AdaptedFetchRequest(base: self, adapter: adapter) }
}
