extension FetchRequest {
  /// The rows of the request as a table, which another request selects from.
  ///
  /// ```swift
  /// // SELECT * FROM (SELECT * FROM "book" ORDER BY "price" DESC LIMIT 10) "book"
  /// // WHERE "year" > ?
  /// let books = try Book.order(Column("price").desc).limit(10)
  ///   .asTable()
  ///   .filter(Column("year") > 2000)
  ///   .fetchAll(db)
  /// ```
  ///
  /// Clauses apply to the rows of the request, be it limited, grouped, a union, or written by hand.
  /// Rows are decoded as before, and associations along a foreign key of the table are joined and
  /// prefetched as before, provided that the request selects its columns:
  ///
  /// ```swift
  /// // SELECT "book".*, "author".* FROM (SELECT * FROM "book" LIMIT 10) "book"
  /// // JOIN "author" ON "author"."id" = "book"."authorId"
  /// Book.limit(10).asTable().including(required: Book.author)
  /// ```
  ///
  /// The order of the request is not that of the new one. There is no primary key: requests that
  /// need one throw ``InvalidRequest``, and so do updates. A request that includes associations is
  /// refused, since only its own rows would be left: include them after this method. The adapter
  /// of an ``SQLRequest`` is left out.
  ///
  /// - parameter name: The name of the table in the SQL: by default, that of the table of the
  ///   request, or `subquery`.
  public func asTable(named name: String? = nil) -> QueryInterfaceRequest<RowDecoder> {
    let query = sqlSubquery
    var relation = query.relation(named: name ?? query.tableName ?? "subquery")
    if query.includesAssociations {
      relation.fail(
        InvalidRequest(
          "A request that includes associations can't be a table: its rows would lose them. "
            + "To fix this error, include them after asTable()."))
    }
    return QueryInterfaceRequest(relation: relation)
  }
}

extension SQLSubquery {
  /// The rows of the query, which has a name.
  func relation(named name: String) -> Relation {
    Relation(
      source: .subquery(self, name: name), selection: [.items([SQLSelection(.allColumns)])])
  }

  private var firstRelation: Relation? {
    switch node {
    case .relation(let relation): relation
    case .compound(let compound): compound.first.firstRelation
    case .literal, .planned: nil
    }
  }

  fileprivate var tableName: String? { firstRelation?.source.name }

  fileprivate var includesAssociations: Bool {
    guard let relation = firstRelation else { return false }
    return !relation.prefetches.isEmpty || relation.joins.contains { $0.relation.isSelected }
  }
}

extension Relation {
  fileprivate var isSelected: Bool {
    !selection.selectsNothing || joins.contains { $0.relation.isSelected }
  }
}
