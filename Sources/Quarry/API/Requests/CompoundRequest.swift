/// Requests whose rows are combined: a union, an intersection, a difference.
///
/// ```swift
/// // SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" ORDER BY "name" LIMIT 10
/// let names = try Author.select(Column("name"), as: String.self)
///   .union(Publisher.select(Column("name")))
///   .order(Column("name"))
///   .limit(10)
///   .fetchAll(db)
/// ```
///
/// | method | rows |
/// | --- | --- |
/// | ``FetchRequest/union(_:)`` | of any request, without duplicates |
/// | ``FetchRequest/unionAll(_:)`` | of any request, with duplicates |
/// | ``FetchRequest/intersect(_:)`` | of both requests, without duplicates |
/// | ``FetchRequest/except(_:)`` | of the first request only, without duplicates |
///
/// The operators apply in the order of the calls: `a.union(b).except(c)` has the rows of `a` and
/// `b` that are not in `c`; `a.union(b.except(c))` has all rows of `a`, and those of `b` that are
/// not in `c`.
///
/// All requests select the same number of columns; their names are those of the first request. Rows
/// are decoded like those of the first request: with its adapter, its joined and its prefetched
/// associations.
///
/// Like any request, a compound request can be fetched, counted, and used as a subquery. To filter
/// or group its rows, make it a ``CommonTableExpression``. See
/// <https://www.sqlite.org/lang_select.html#compound_select_statements>.
public struct CompoundRequest<RowDecoder>: FetchRequest, TypedRequest {
  private var compound: Compound

  /// Shows the rows. Nil for the layout of the first request of the query interface.
  private let adapter: (@Sendable (Database) throws -> (any RowAdapter)?)?

  private func mapCompound(_ change: (inout Compound) -> Void) -> Self {
    var request = self
    change(&request.compound)
    return request
  }
}

extension CompoundRequest {
  init(
    _ first: some FetchRequest<RowDecoder>, _ op: CompoundOperator, _ other: some SQLSubqueryable
  ) {
    compound = first.sqlSubquery.combined(op, with: other.sqlSubquery)
    if let first = first as? CompoundRequest<RowDecoder> {
      adapter = first.adapter
    } else if first is QueryInterfaceRequest<RowDecoder> {
      adapter = nil
    } else {
      adapter = { db in
        let prepared = try first.makePreparedRequest(db, forSingleResult: false)
        return prepared.statement.use { prepared.adapter?.naming(columns: $0.columnNames) }
      }
    }
  }

  /// The request, decoded into another type.
  ///
  /// ```swift
  /// let names = Author.select(Column("name")).union(Publisher.select(Column("name")))
  ///   .asRequest(of: String.self)
  /// ```
  public func asRequest<T>(of type: T.Type) -> CompoundRequest<T> {
    CompoundRequest<T>(compound: compound, adapter: adapter)
  }

  /// Limits the number of rows. A second limit replaces the first one, with its offset.
  ///
  /// ```swift
  /// // SELECT * FROM "author" UNION SELECT * FROM "translator" LIMIT 10 OFFSET 20
  /// authors.union(translators).limit(10, offset: 20)
  /// ```
  public func limit(_ limit: Int, offset: Int? = nil) -> Self {
    mapCompound { $0.limit = Limit(count: limit, offset: offset) }
  }

  /// Defines a common table expression for all requests.
  ///
  /// ```swift
  /// // WITH "recent" AS (…) SELECT "id" FROM "recent" UNION SELECT "id" FROM "classic"
  /// recent.all().select(id).union(Classic.select(id)).with(recent)
  /// ```
  public func with<T>(_ cte: CommonTableExpression<T>) -> Self {
    mapCompound { $0.tableExpressions = $0.tableExpressions.merged(with: [cte.definition]) }
  }

  /// Returns whether there is no row.
  ///
  /// ```swift
  /// // SELECT EXISTS (SELECT "id" FROM "author" EXCEPT SELECT "authorId" FROM "book")
  /// let isEmpty = try Author.select(id).except(Book.select(authorId)).isEmpty(db)
  /// ```
  public func isEmpty(_ db: Database) throws -> Bool {
    try db.fetchInt(compound, for: .exists) == 0
  }
}

extension CompoundRequest {
  /// The subquery.
  public var sqlSubquery: SQLSubquery { SQLSubquery(.compound(compound)) }

  /// Prepares a statement. See ``FetchRequest/makePreparedRequest(_:forSingleResult:)``.
  public func makePreparedRequest(
    _ db: Database, forSingleResult singleResult: Bool = false
  ) throws -> PreparedRequest {
    var prepared = try db.prepare(compound, forSingleResult: singleResult)
    guard let adapter else { return prepared }
    prepared.adapter = try prepared.statement.releasingOnError { _ in try adapter(db) }
    return prepared
  }

  /// The number of rows.
  ///
  /// ```swift
  /// // SELECT COUNT(*) FROM (SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher")
  /// let count = try names.fetchCount(db)
  /// ```
  public func fetchCount(_ db: Database) throws -> Int { try db.fetchInt(compound, for: .count) }
}

extension CompoundRequest: OrderedRequest {
  /// See ``OrderedRequest/order(_:)-([SQLOrderingTerm])``.
  public func _order(by orderings: [SQLOrdering]) -> Self {
    mapCompound { $0.ordering = OrderingClause(terms: orderings.map { .ordering($0) }) }
  }

  /// Replaces the ordering with one that is determined when the request is prepared.
  public func orderWhenConnected(
    _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
  ) -> Self {
    mapCompound {
      $0.ordering = OrderingClause(terms: [
        .deferred(Deferred { try orderings($0.connectedDatabase).map { $0.sqlOrdering } })
      ])
    }
  }

  /// Reverses the ordering.
  public func reversed() -> Self { mapCompound { $0.ordering.isReversed.toggle() } }

  /// Removes the ordering.
  public func unordered() -> Self { mapCompound { $0.ordering = OrderingClause() } }

  /// Appends all columns to the ordering.
  ///
  /// ```swift
  /// // SELECT "name" FROM "author" UNION SELECT "name" FROM "publisher" ORDER BY 1
  /// names.withStableOrder()
  /// ```
  public func withStableOrder() -> Self { mapCompound { $0.ordering.isStable = true } }
}

extension RowAdapter {
  /// The adapter, of columns that get names before: those of the request when it stands alone.
  /// SQLite makes the names of a subquery unique, and calls the second `id` `id:1`.
  fileprivate func naming(columns columnNames: [String]) -> any RowAdapter {
    guard var tree = self as? RowScopeTree else {
      let names = RowScopeTree(range: columnNames.indices, columnNames: columnNames)
      return ChainedRowAdapter(first: names, second: self)
    }
    // A compound has named them already.
    if tree.columnNames == nil { tree.columnNames = columnNames }
    return tree
  }
}
