/// A request whose type is hidden.
///
/// ```swift
/// let request = AnyFetchRequest(Player.all())  // AnyFetchRequest<Player>
/// ```
public struct AnyFetchRequest<RowDecoder>: FetchRequest {
  private let base: any FetchRequest

  /// Hides the type of a request.
  public init(_ request: some FetchRequest<RowDecoder>) {
    base = (request as? AnyFetchRequest<RowDecoder>)?.base ?? request
  }

  private init(base: any FetchRequest) { self.base = base }

  /// The same request, decoded into another type.
  public func asRequest<T>(of type: T.Type) -> AnyFetchRequest<T> { AnyFetchRequest<T>(base: base) }

  /// The subquery.
  public var sqlSubquery: SQLSubquery { base.sqlSubquery }

  /// The number of rows.
  public func fetchCount(_ db: Database) throws -> Int { try base.fetchCount(db) }

  /// Prepares a statement. See ``FetchRequest/makePreparedRequest(_:forSingleResult:)``.
  public func makePreparedRequest(
    _ db: Database, forSingleResult singleResult: Bool = false
  ) throws -> PreparedRequest { try base.makePreparedRequest(db, forSingleResult: singleResult) }
}
