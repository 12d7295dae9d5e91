/// A request of the query interface: a selection from a table, with filters, groups, orders and
/// joins.
///
/// ```swift
/// // SELECT * FROM "player" WHERE "score" > ? ORDER BY "name" LIMIT 10
/// let request = Player
///   .filter(Column("score") > 1000)
///   .order(Column("name"))
///   .limit(10)
/// let players = try request.fetchAll(db)
/// ```
///
/// A request is a value. Methods return changed copies, and never fail: an error in a request is
/// thrown when it is prepared.
public struct QueryInterfaceRequest<RowDecoder>: DerivableRequest, Sendable {
  /// The relation. Not for applications.
  public var _relation: _RelationStorage

  package init(relation: Relation) { _relation = _RelationStorage(relation: relation) }

  package var relation: Relation {
    get { _relation.relation }
    _modify { yield &_relation.relation }
  }

  /// The request, decoded into another type.
  ///
  /// ```swift
  /// // SELECT "name" FROM "player"
  /// let names = try Player.select(Column("name")).asRequest(of: String.self).fetchAll(db)
  /// ```
  public consuming func asRequest<T>(of type: T.Type) -> QueryInterfaceRequest<T> {
    QueryInterfaceRequest<T>(relation: relation)
  }

  /// Limits the number of rows. A second limit replaces the first one, with its offset.
  ///
  /// ```swift
  /// // SELECT * FROM "player" LIMIT 10 OFFSET 20
  /// Player.all().limit(10, offset: 20)
  /// ```
  public consuming func limit(_ limit: Int, offset: Int? = nil) -> Self {
    mapRelation { $0.limit = Limit(count: limit, offset: offset) }
  }
}

extension QueryInterfaceRequest: FetchRequest {
  /// The subquery.
  public var sqlSubquery: SQLSubquery { SQLSubquery(.relation(relation)) }

  /// Prepares a statement. See ``FetchRequest/makePreparedRequest(_:forSingleResult:)``.
  public func makePreparedRequest(
    _ db: Database, forSingleResult singleResult: Bool = false
  ) throws -> PreparedRequest {
    do {
      return try db.prepareChecked(_relation.relation, forSingleResult: singleResult)
    } catch {
      throw db.explaining(error, of: RowDecoder.self, relation.deletionScope)
    }
  }

  /// The number of rows.
  ///
  /// ```swift
  /// // SELECT COUNT(*) FROM "player" WHERE "score" > ?
  /// let count = try Player.filter(Column("score") > 1000).fetchCount(db)
  /// ```
  public func fetchCount(_ db: Database) throws -> Int {
    do {
      return try db.fetchInt(_relation.relation, for: .count)
    } catch {
      throw db.explaining(error, of: RowDecoder.self, relation.deletionScope)
    }
  }

  /// Returns whether there is no row.
  ///
  /// ```swift
  /// // SELECT EXISTS (SELECT * FROM "player" WHERE "score" > ?)
  /// let isEmpty = try Player.filter(Column("score") > 1000).isEmpty(db)
  /// ```
  public func isEmpty(_ db: Database) throws -> Bool {
    try db.fetchInt(_relation.relation, for: .exists) == 0
  }
}
