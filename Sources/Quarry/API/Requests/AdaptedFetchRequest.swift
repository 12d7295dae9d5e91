/// A request whose rows are shown by an adapter. See ``FetchRequest/adapted(_:)``.
public struct AdaptedFetchRequest<Base: FetchRequest>: FetchRequest {
  /// The type that rows are decoded into.
  public typealias RowDecoder = Base.RowDecoder

  let base: Base
  let adapter: @Sendable (Database) throws -> any RowAdapter

  /// The subquery.
  public var sqlSubquery: SQLSubquery { base.sqlSubquery }

  /// The number of rows.
  public func fetchCount(_ db: Database) throws -> Int { try base.fetchCount(db) }

  /// Prepares a statement. See ``FetchRequest/makePreparedRequest(_:forSingleResult:)``.
  public func makePreparedRequest(
    _ db: Database, forSingleResult singleResult: Bool = false
  ) throws -> PreparedRequest {
    var prepared = try base.makePreparedRequest(db, forSingleResult: singleResult)
    let adapter = try adapter(db)
    prepared.adapter =
      prepared.adapter.map { ChainedRowAdapter(first: $0, second: adapter) } ?? adapter
    return prepared
  }
}

/// An adapter of what another adapter shows.
package struct ChainedRowAdapter: RowAdapter {
  package let first: any RowAdapter
  let second: any RowAdapter

  package func _layout(over base: _RowLayoutBase) throws -> _RowLayoutBase {
    try second._layout(over: first._layout(over: base))
  }
}
