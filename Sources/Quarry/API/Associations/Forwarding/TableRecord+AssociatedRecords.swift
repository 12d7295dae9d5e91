extension TableRecord where Self: EncodableRecord {
  /// The request for the records that are associated to this one.
  ///
  /// ```swift
  /// struct Author: Codable, FetchableRecord, PersistableRecord {
  ///   static let books = hasMany(Book.self)
  ///   var id: Int64
  ///   var books: QueryInterfaceRequest<Book> { request(for: Author.books) }
  /// }
  ///
  /// // SELECT * FROM "book" WHERE "authorId" = ?
  /// let author = try Author.find(db, key: 1)
  /// let books = try author.books.fetchAll(db)
  /// ```
  ///
  /// The request has no row when the columns of the foreign key are null in this record, or not
  /// encoded.
  public func request<A: Association>(for association: A) -> QueryInterfaceRequest<A.RowDecoder>
  where A.OriginRowDecoder == Self {
    let columns = Result { try PersistenceContainer(self) }
    var relation = association._association.relation(
      from: .table(Self.databaseTableName), columns: columns)
    relation.addScope(of: association._association.steps)
    return QueryInterfaceRequest(relation: relation)
  }
}

extension _AssociationStorage {
  /// The destination of one record.
  fileprivate func relation(
    from origin: Source, columns: Result<PersistenceContainer, any Error>
  ) -> Relation {
    let steps = steps
    let source = steps[0].relation.source
    switch steps[0].condition {
    case .foreignKey(let condition):
      return steps.destination(
        where: .deferred(
          Deferred(ofSchema: true) { context in
            let mapping = try context.schema.mapping(condition, parent: origin, child: source)
            let values = try context.schema.comparable(
              columns.get().key, of: origin, with: source, along: mapping,
              parentIsOrigin: condition.parentIsOrigin)
            return .matching(mapping, parentIsOrigin: condition.parentIsOrigin, values)
          }))
    case .limited(let rows):
      let alias = TableAliasBase(name: nil)
      return steps.destination(
        where: .deferred(
          Deferred(ofSchema: true) { context in
            let parent = LimitingParent(source: origin, column: try columns.get().key)
            return try rows.condition(
              on: [(rows.steps.count - 1, alias)], of: parent, in: context
            ).expression
          }), alias: alias)
    case .expression:
      var relation = destination.relation
      relation.fail(InvalidRequest.recordWithoutForeignKey)
      return relation
    }
  }
}

extension PersistenceContainer {
  /// The value of a column of a foreign key. Nil for a null.
  fileprivate func key(_ column: String) -> SQLExpression? {
    let value = self[column]?.databaseValue ?? .null
    return value.isNull ? nil : SQLExpression(value)
  }
}
