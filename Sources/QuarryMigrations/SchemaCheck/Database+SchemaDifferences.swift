public import Quarry

extension Database {
  /// Compares record types and associations with the schema.
  ///
  /// ```swift
  /// let differences = try dbQueue.read { db in
  ///   try db.schemaDifferences(
  ///     of: [Author.self, Book.self], associations: [Author.books, Book.author])
  /// }
  /// // Book: table book has no column pages
  /// // Author: no index of book begins with authorId
  /// differences.forEach { print($0) }
  /// ```
  ///
  /// The properties of `Decodable` types are known by their coding keys, up to the first one that
  /// has no regular value for a test, with whether they can be nil. Other types are known by the
  /// columns that they encode.
  ///
  /// - parameter types: Record types.
  /// - parameter associations: Associations of record types.
  /// - returns: The differences, in the order of types and associations, each one once.
  /// - throws: A `DatabaseError` when the schema can't be read.
  public func schemaDifferences(
    of types: [any TableRecord.Type], associations: [any Association] = []
  ) throws -> [SchemaDifference] {
    let records = try types.flatMap { try RecordTypeCheck($0, self).differences() }
    let links = try associations.flatMap { try $0.schemaDifferences(self) }
    var known: Set<SchemaDifference> = []
    return (records + links).filter { known.insert($0).inserted }
  }
}

extension Association {
  /// The steps without foreign key, or whose foreign key has no index.
  fileprivate func schemaDifferences(_ db: Database) throws -> [SchemaDifference] {
    guard let origin = OriginRowDecoder.self as? any TableRecord.Type else { return [] }
    var parent = Source.table(origin.databaseTableName)
    var differences: [SchemaDifference] = []
    for step in _association.steps {
      let child = step.relation.source
      if case .foreignKey(let condition) = step.condition {
        let check = ForeignKeyCheck(
          recordType: "\(origin)", condition: condition, parent: parent, child: child, db: db)
        if let difference = try check.difference() { differences.append(difference) }
      }
      parent = child
    }
    return differences
  }
}

/// Compares a step of an association with the foreign keys and indexes of the schema.
private struct ForeignKeyCheck {
  let recordType: String
  let condition: ForeignKeyCondition
  let parent: Source
  let child: Source
  let db: Database

  private var origin: String { (condition.parentIsOrigin ? parent : child).name }
  private var destination: String { (condition.parentIsOrigin ? child : parent).name }

  func difference() throws -> SchemaDifference? {
    for case .table(let table) in [parent, child] where try !db.schema.exists(table) {
      return difference(.missingTable, [], "table \(table) does not exist", table: table)
    }
    let columns: [String]
    do {
      columns = try db.schema.mapping(condition, parent: parent, child: child).map(\.origin)
    } catch let error as InvalidRequest {
      return difference(.missingForeignKey, condition.originColumns ?? [], error.message)
    }
    guard case .table = parent, case .table = child else { return nil }
    // Views have neither foreign keys nor indexes.
    guard try !db.schema.isView(origin), try !db.schema.isView(destination) else { return nil }
    let text = columns.joined(separator: ", ")
    guard try isDeclared(columns) else {
      return difference(
        .undeclaredForeignKey, columns,
        "the foreign key from \(origin)(\(text)) to \(destination) is not declared")
    }
    guard try db.schema.hasIndex(beginningWith: columns, on: origin) else {
      return difference(.missingIndex, columns, "no index of \(origin) begins with \(text)")
    }
    return nil
  }

  private func isDeclared(_ columns: [String]) throws -> Bool {
    let names = Set(columns.map(\.identifierKey))
    guard let table = try db.schema.foreignKeyDestination(destination, from: origin) else {
      return false
    }
    return try db.schema.foreignKeys(from: origin).contains {
      $0.destinationTable.isSameIdentifier(as: table)
        && Set($0.originColumns.map(\.identifierKey)) == names
    }
  }

  private func difference(
    _ kind: SchemaDifference.Kind, _ columns: [String], _ text: String, table: String? = nil
  ) -> SchemaDifference {
    SchemaDifference(
      kind: kind, recordType: recordType, table: table ?? origin, columns: columns,
      description: "\(recordType): \(text)")
  }
}
