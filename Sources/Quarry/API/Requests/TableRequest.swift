/// A request on a table, which can be filtered, ordered and grouped by its primary key.
public protocol TableRequest: _RelationRequest {
  /// The name of the table.
  var databaseTableName: String { get }
}

extension TableRequest {
  /// The name of the table.
  public var databaseTableName: String { _relation.relation.source.name }

  private consuming func aliasing(_ alias: TableAliasBase) -> Self {
    mapRelation { relation in
      if !relation.aliases.contains(alias) { relation.aliases.append(alias) }
    }
  }
}

extension TableRequest where Self: TypedRequest {
  /// Assigns an alias to the table of the request.
  ///
  /// ```swift
  /// // SELECT "p".* FROM "player" "p" WHERE p.score > 1000
  /// let p = TableAlias(name: "p")
  /// Player.all().aliased(p).filter(sql: "p.score > 1000")
  /// ```
  public consuming func aliased(_ alias: TableAlias<Void>) -> Self { aliasing(alias) }

  /// Assigns an alias to the table of the request. See ``TableAlias``.
  public consuming func aliased(_ alias: TableAlias<RowDecoder>) -> Self { aliasing(alias) }
}

extension TableRequest where Self: OrderedRequest {
  /// Orders by the columns of the primary key.
  ///
  /// ```swift
  /// // SELECT * FROM "player" ORDER BY "id"
  /// Player.all().orderByPrimaryKey()
  /// ```
  public consuming func orderByPrimaryKey() -> Self {
    mapRelation { $0.order(by: [.ordering(SQLOrdering(.primaryKey(.unspecified)))]) }
  }
}

extension TableRequest where Self: AggregatingRequest {
  /// Groups by the primary key, or by `rowid` if the table has one.
  ///
  /// ```swift
  /// // SELECT * FROM "player" GROUP BY "id"
  /// Player.all().groupByPrimaryKey()
  /// ```
  public consuming func groupByPrimaryKey() -> Self { mapRelation { $0.grouping = .primaryKey } }
}
