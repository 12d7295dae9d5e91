public import Quarry

extension Database {
  /// Compares the associations that a request includes with the properties of its records.
  ///
  /// ```swift
  /// struct BookInfo: Decodable, FetchableRecord {
  ///   var book: Book
  ///   var writer: Author?
  /// }
  /// let request = Book.including(optional: Book.author).asRequest(of: BookInfo.self)
  /// // BookInfo: no property takes the association key author
  /// try dbQueue.read { db in
  ///   try db.schemaDifferences(of: request).forEach { print($0) }
  /// }
  /// ```
  ///
  /// An optional property whose name is the key of no association is always nil, and no error
  /// reports it. The properties of records in records count too.
  ///
  /// An association key that is also the name of the record itself, as that of an association of a
  /// table to itself, is reported where a property has that name; and so is a key that several
  /// associations have. Decoding these properties is an error.
  ///
  /// - returns: A difference for each association key that is the name of no property, and for each
  ///   property that may be any of several records.
  /// - throws: `InvalidRequest` or `DatabaseError` when the request can't be prepared.
  public func schemaDifferences<Record: FetchableRecord & Decodable>(
    of request: QueryInterfaceRequest<Record>
  ) throws -> [SchemaDifference] {
    let query = try CompiledQuery(request.relation, in: PlanningContext(self))
    var keys = try (query.rowScopes?.value as? RowScopeTree)?.keys ?? []
    keys += query.prefetchPlan?.prefetches.map(\.key) ?? []
    let names = RecordProperties.names(of: Record.self)
    var known: Set<BinaryText> = []
    let unused = keys.filter { key in
      known.insert(BinaryText(key)).inserted && !names.contains(where: key.isSameIdentifier)
    }.map { key in
      SchemaDifference(
        kind: .unusedAssociation, recordType: "\(Record.self)", table: request.relation.source.name,
        columns: [],
        description: "\(Record.self): no property takes the association key \(key)")
    }
    let table = request.relation.source.name
    return try unused
      + RequestShape(query, self).ambiguities(of: Record.self).map { type, key in
        SchemaDifference(
          kind: .ambiguousAssociation, recordType: "\(type)", table: table, columns: [],
          description: "\(type): \(key)")
      }
  }
}

extension RowScopeTree {
  /// The names of the scopes that have columns, at all levels.
  fileprivate var keys: [String] {
    scopes.flatMap { ($0.tree.range.isEmpty ? [] : [$0.name]) + $0.tree.keys }
  }
}
