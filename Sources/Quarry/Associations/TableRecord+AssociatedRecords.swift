extension TableRecord where Self: EncodableRecord {
  /// The request for the records that are associated to this one.
  ///
  /// ```swift
  /// struct Author: TableRecord, EncodableRecord {
  ///   static let books = hasMany(Book.self)
  ///   var books: QueryInterfaceRequest<Book> { request(for: Author.books) }
  /// }
  ///
  /// // SELECT * FROM "book" WHERE "authorId" = ?
  /// let books = try author.books.fetchAll(db)
  /// ```
  ///
  /// The request has no row when the columns of the foreign key are null in this record, or not encoded.
  public func request<A: Association>(for association: A) -> QueryInterfaceRequest<A.RowDecoder>
  where A.OriginRowDecoder == Self {
    let columns = Result { try PersistenceContainer(self) }
    return QueryInterfaceRequest(
      relation: association._association.relation(
        from: .table(Self.databaseTableName), columns: columns))
  }
}

extension _AssociationStorage {
  /// The destination of one record.
  fileprivate func relation(
    from origin: Source, columns: Result<PersistenceContainer, any Error>
  ) -> Relation {
    let steps = steps
    let first = steps[0]
    guard case .foreignKey(let condition) = first.condition else {
      var relation = destination.relation
      relation.fail(
        InvalidRequest("Not implemented: request association without any foreign key"))
      return relation
    }
    let source = first.relation.source
    return steps.destination(
      where: .deferred { context in
        let mapping = try ForeignKeyResolver(schema: context.schema)
          .mapping(condition, parent: origin, child: source)
        let columns = try columns.get()
        return .matching(mapping, parentIsOrigin: condition.parentIsOrigin, columns)
      })
  }
}

extension SQLExpression {
  /// The foreign key of a record, on the columns of the other table.
  fileprivate static func matching(
    _ mapping: [(origin: String, destination: String)], parentIsOrigin: Bool,
    _ columns: PersistenceContainer
  ) -> SQLExpression {
    var conditions: [SQLExpression] = []
    for pair in mapping {
      let value = columns[parentIsOrigin ? pair.origin : pair.destination]?.databaseValue ?? .null
      if value.isNull { return SQLExpression(false.databaseValue) }
      let column = SQLExpression(.column(parentIsOrigin ? pair.destination : pair.origin))
      conditions.append(.equal(column, SQLExpression(value)))
    }
    return .associative(.and, conditions)
  }
}
