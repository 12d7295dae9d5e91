public import Quarry

/// A page of a request. See `QueryInterfaceRequest.page(after:limit:)`.
public struct PageRequest<RowDecoder>: Sendable {
  let base: QueryInterfaceRequest<RowDecoder>
  let cursor: PageCursor?
  let isBackward: Bool
  let limit: Int

  /// The request of the rows, to look at its SQL and its plan.
  ///
  /// It selects the values of the order too, and one row more than the page has. The rows of a page
  /// that is reached backward come in reversed order.
  ///
  /// ```swift
  /// // SELECT *, "score" AS "page key 1", "id" AS "page key 2" FROM "player"
  /// // ORDER BY "score" DESC, "id" DESC LIMIT 21
  /// let page = Player.order(Column("score").desc).page(limit: 20)
  /// try print(page.request(db).sql(db))
  /// ```
  ///
  /// - Throws: `InvalidRequest`, ``PageCursorError``.
  public func request(_ db: Database) throws -> QueryInterfaceRequest<RowDecoder> {
    try QueryInterfaceRequest(relation: plan(db).relation)
  }

  private func plan(_ db: Database) throws -> PagePlan {
    do {
      return try PagePlan(
        base.relation, cursor: cursor, isBackward: isBackward, limit: limit, db)
    } catch {
      throw db.explaining(base.relation.source.naming(error), of: RowDecoder.self)
    }
  }

  private func fetch(_ db: Database, _ decode: (Row) throws -> RowDecoder) throws
    -> Page<RowDecoder>
  {
    let plan = try plan(db)
    var prepared = try QueryInterfaceRequest<RowDecoder>(relation: plan.relation)
      .makePreparedRequest(db)
    prepared.adapter = PageAdapter(base: prepared.adapter)
    return try plan.page(of: prepared.fetchRows(db), decode)
  }

  private func fetchDecoded(_ db: Database, _ decode: (Row) throws -> RowDecoder) throws
    -> Page<RowDecoder>
  {
    try fetch(db) { try $0.decodingRecord(decode) }
  }
}

extension PageRequest where RowDecoder: FetchableRecord {
  /// Fetches the page.
  ///
  /// - Throws: `InvalidRequest` for a request that has no pages; ``PageCursorError``;
  ///   `DatabaseError` when SQLite fails; `RowDecodingError`.
  public func fetch(_ db: Database) throws -> Page<RowDecoder> {
    try fetchDecoded(db) { try RowDecoder.decoded(from: $0) }
  }
}

extension PageRequest where RowDecoder: DatabaseValueConvertible {
  /// Fetches the page. See `fetch(_:)` of records.
  public func fetch(_ db: Database) throws -> Page<RowDecoder> {
    try fetchDecoded(db) { try $0.decode(RowDecoder.self, atIndex: 0) }
  }
}

extension PageRequest where RowDecoder == Row {
  /// Fetches the page. See `fetch(_:)` of records.
  public func fetch(_ db: Database) throws -> Page<Row> { try fetch(db) { $0 } }
}

extension QueryInterfaceRequest {
  /// The rows after a position, or the first ones.
  ///
  /// ```swift
  /// // SELECT *, … FROM "player" WHERE ("score", "id") < (?, ?)
  /// // ORDER BY "score" DESC, "id" DESC LIMIT 21
  /// let page = try Player.order(Column("score").desc).page(after: cursor, limit: 20).fetch(db)
  /// ```
  ///
  /// The primary key is added to the order, so that each row has its place. A page is found by the
  /// values of its cursor: it does not read the rows before, if an index has the columns of the
  /// order, and rows that are inserted or deleted meanwhile don't shift it.
  ///
  /// The order must give a row the same place each time: `random()` and `randomblob()` are refused,
  /// in raw SQL too. It can't be known of functions of your own, of the current time, and of what
  /// views, subqueries and common table expressions select: if these values change from one page
  /// to the next, rows come twice or never, without an error.
  ///
  /// - parameter cursor: the ``Page/next`` of the page before. Nil for the first page.
  /// - parameter limit: the number of rows, at least one.
  public func page(after cursor: PageCursor? = nil, limit: Int) -> PageRequest<RowDecoder> {
    PageRequest(base: self, cursor: cursor, isBackward: false, limit: limit)
  }

  /// The rows before a position, or the last ones.
  ///
  /// The records of the page have the order of the request. See `page(after:limit:)`.
  ///
  /// - parameter cursor: the ``Page/previous`` of the page after. Nil for the last page.
  /// - parameter limit: the number of rows, at least one.
  public func page(before cursor: PageCursor?, limit: Int) -> PageRequest<RowDecoder> {
    PageRequest(base: self, cursor: cursor, isBackward: true, limit: limit)
  }
}
