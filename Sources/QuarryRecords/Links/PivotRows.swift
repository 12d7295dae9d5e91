import Quarry

/// The links of one record: rows of a pivot table.
struct PivotRows {
  fileprivate typealias Mapping = [(origin: String, destination: String)]

  private let table: String
  /// The rows of the pivot that belong to the association.
  private let links: QueryInterfaceRequest<Row>
  /// The rows of the pivot that refer to the record.
  private let rows: QueryInterfaceRequest<Row>
  /// Whether the association leaves out rows of the pivot.
  private let isConditional: Bool
  /// The columns of the pivot that refer to the origin, and their values.
  private let origin: [(column: String, value: DatabaseValue)]
  /// The columns of the pivot that refer to the destination, and what they refer to.
  private let mapping: Mapping
  private let destination: Source
  /// The columns of the mapping, by the collation of what they refer to: joins and foreign keys
  /// compare so.
  private let referring: [SQLExpression]
  /// The affinities of these columns. Nil where the pivot may have a key in another form than the
  /// destination.
  private let affinities: [ColumnInfo.Affinity]?

  init(
    _ db: Database, of record: some TableRecord & EncodableRecord,
    _ association: _AssociationStorage
  ) throws {
    let steps = association.steps
    guard steps.count == 2, case .table(let table) = steps[0].relation.source,
      case .foreignKey(let first) = steps[0].condition, !first.parentIsOrigin,
      case .foreignKey(let second) = steps[1].condition, second.parentIsOrigin
    else { throw InvalidRequest.noPivot(association) }
    guard steps.allSatisfy(\.relation.hasAllLinks) else {
      throw InvalidRequest.limitedLinks(association)
    }
    let recordTable = type(of: record).databaseTableName
    let toOrigin = try db.schema.mapping(first, parent: .table(recordTable), child: .table(table))
    self.table = table
    let source = steps[1].relation.source
    destination = source
    let mapping = try db.schema.mapping(second, parent: .table(table), child: source)
    self.mapping = mapping
    referring = try mapping.map { try db.compared($0, of: table, with: source) }
    affinities = try db.schema.commonAffinities(mapping, of: table, with: source)
    let values = try Self.values(of: toOrigin, in: record)
    origin = zip(toOrigin, values).map { (column: $0.origin, value: $1) }
    isConditional = !steps[0].relation.filters.isEmpty || !steps[0].relation.joins.isEmpty
    let compared = try db.schema.compared(
      values, along: toOrigin, of: .table(recordTable), with: table)
    let conditions = zip(toOrigin, compared)
      .map { SQLExpression.equal(Column($0.origin).sqlExpression, $1) }
    rows = conditions.reduce(steps.allRows(of: table)) { $0.filter($1) }
    links = conditions.reduce(steps.links) { $0.filter($1) }
  }

  /// The key of a record at the other end.
  ///
  /// - Throws: `InvalidRequest` for a record without key, or with another value than the origin for
  ///   a column that both foreign keys have.
  func key(
    _ db: Database, of record: some TableRecord & EncodableRecord
  ) throws -> [DatabaseValue] {
    let key = try Self.values(of: mapping, in: record)
    for (pair, value) in zip(mapping, key) {
      guard let own = originValue(of: pair.origin),
        try !db.isEqual(own, value, in: pair.destination, of: destination)
      else { continue }
      throw InvalidRequest(
        "The records can't be linked: column \(pair.origin.quotedDatabaseIdentifier) of table "
          + "\(table.quotedDatabaseIdentifier) is part of both foreign keys, and they have "
          + "different values for it.")
    }
    return key
  }

  /// The value of a column that refers to the origin. Nil for others.
  private func originValue(of column: String) -> DatabaseValue? {
    origin.first { $0.column.isSameIdentifier(as: column) }?.value
  }

  private static func values(
    of mapping: Mapping, in record: some TableRecord & EncodableRecord
  ) throws -> [DatabaseValue] {
    let container = try PersistenceContainer(record)
    return try mapping.map { pair in
      let value = container[pair.destination]?.databaseValue ?? .null
      guard !value.isNull else {
        throw InvalidRequest(
          "A record of table \(type(of: record).databaseTableName.quotedDatabaseIdentifier) can't "
            + "be linked: its column \(pair.destination.quotedDatabaseIdentifier) is null. "
            + "To fix this error, insert the record first.")
      }
      return value
    }
  }
}

extension [AssociationStep] {
  /// The rows of the pivot, joined to the destination where its clauses decide which links there
  /// are.
  fileprivate var links: QueryInterfaceRequest<Row> {
    var relation = self[0].relation
    let destination = self[1].relation.selectingNothing
    if !destination.filters.isEmpty || !destination.joins.isEmpty {
      relation.join(
        JoinNode(
          key: self[1].key.singular, kind: .inner, condition: self[1].condition,
          relation: destination))
    }
    return QueryInterfaceRequest(relation: relation).unordered()
  }

  /// The rows of the pivot that are not marked as deleted, whatever the association leaves out.
  fileprivate func allRows(of table: String) -> QueryInterfaceRequest<Row> {
    var all = Table<Row>(table).all()
    if let scope = self[0].relation.deletionScope { all.relation.filters.append(.scope(scope)) }
    return all
  }
}

// Changes of links.
extension PivotRows {
  /// Adds a link, unless there is one. Returns true if it was added.
  func add(
    _ db: Database, _ key: [DatabaseValue],
    with columns: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    guard try among(db, rows, key).isEmpty(db) else { return false }
    try insert(db, key, columns)
    try check("The new link", key, db, advice: "give the values of the columns of the link")
    return true
  }

  /// - Throws: `InvalidRequest` if a condition of the association leaves out the link to a record,
  ///   which is there.
  func checkExisting(_ db: Database, _ key: [DatabaseValue]) throws {
    try check(
      "An existing link to a given record", key, db, advice: "change the columns of the link")
  }

  private func check(
    _ link: String, _ key: [DatabaseValue], _ db: Database, advice: String
  ) throws {
    guard isConditional, try among(db, links, key).isEmpty(db) else { return }
    throw InvalidRequest(
      "\(link) is not part of the association: a condition on table "
        + "\(table.quotedDatabaseIdentifier) leaves it out. To fix this error, \(advice).")
  }

  private func insert(
    _ db: Database, _ key: [DatabaseValue], _ columns: [String: (any DatabaseValueConvertible)?]
  ) throws {
    let referred = zip(mapping, key).map { (column: $0.origin, value: $1) }
    let keys = origin + referred.filter { originValue(of: $0.column) == nil }
    let others = columns.sorted { $0.key < $1.key }
      .filter { column, _ in !keys.contains { $0.column.isSameIdentifier(as: column) } }
      .map { (column: $0.key, value: $0.value?.databaseValue ?? .null) }
    let (sql, arguments) = try SQL.insertion(
      into: table, (keys + others).map(\.column), [(keys + others).map(\.value)]
    ).build(db)
    try db.internalStatement(sql: sql).use { try $0.execute(arguments: arguments) }
  }

  /// Removes the links to a record. Returns their number.
  func remove(_ db: Database, _ key: [DatabaseValue]) throws -> Int {
    try among(db, links, key).deleteAll(db)
  }

  /// Removes all links. Returns their number.
  func removeAll(_ db: Database) throws -> Int { try links.deleteAll(db) }

  /// Removes the links to other records than those with some keys. Returns their number.
  func removeAll(_ db: Database, except kept: [[DatabaseValue]]) throws -> Int {
    var known: Set<[DatabaseValue]> = []
    for key in kept {
      known.formUnion(try isStored(key) ? [key] : keys(db, of: among(db, links, key)))
    }
    var count = 0
    for key in try keys(db, of: links) where known.insert(key).inserted {
      count += try remove(db, key)
    }
    return count
  }

  /// The keys of the destination, as the rows of the pivot have them. `DISTINCT` would leave one of
  /// those that a collation takes for equal.
  private func keys(
    _ db: Database, of rows: QueryInterfaceRequest<Row>
  ) throws -> [[DatabaseValue]] {
    var keys = rows
    keys.relation = rows.relation.selectingNothing
    return try keys.select(mapping.map { Column($0.origin) }).fetchAll(db)
      .map { Array($0.databaseValues) }
  }

  /// Whether the pivot has a key in no other form than the given one.
  private func isStored(_ key: [DatabaseValue]) -> Bool {
    guard let affinities else { return false }
    return zip(affinities, key).allSatisfy { affinity, value in
      switch (affinity, value.storage) {
      case (.none, _), (.numeric, .int64), (.text, .string), (_, .blob): true
      default: false
      }
    }
  }

  private func among(
    _ db: Database, _ rows: QueryInterfaceRequest<Row>, _ key: [DatabaseValue]
  ) throws -> QueryInterfaceRequest<Row> {
    let values = try db.schema.compared(key, along: mapping, of: destination, with: table)
    return zip(referring, values).reduce(rows) { $0.filter(SQLExpression.equal($1.0, $1.1)) }
  }
}

extension SchemaReader {
  /// The values of a record, as a join compares its columns with those of the pivot.
  fileprivate func compared(
    _ values: [DatabaseValue], along mapping: PivotRows.Mapping, of record: Source,
    with table: String
  ) throws -> [SQLExpression] {
    let value = try comparable(
      { column in
        mapping.firstIndex { $0.destination.hasSameBytes(as: column) }
          .map { SQLExpression(values[$0]) }
      }, of: record, with: .table(table), along: mapping, parentIsOrigin: false)
    return mapping.compactMap { value($0.destination) }
  }

  /// The affinities of columns that compare bytes, and convert values as what they refer to does.
  /// Nil for others.
  fileprivate func commonAffinities(
    _ mapping: PivotRows.Mapping, of table: String, with destination: Source
  ) throws -> [ColumnInfo.Affinity]? {
    guard case .table(let other) = destination, try exists(table), try exists(other),
      try !mayCollate(mapping, of: .table(table), destination)
    else { return nil }
    let affinities = try mapping.map { try affinity(of: $0.origin, in: table) }
    let others = try mapping.map { try affinity(of: $0.destination, in: other) }
    return affinities == others ? affinities : nil
  }
}

extension Database {
  /// The origin of a foreign key, compared as its destination.
  fileprivate func compared(
    _ pair: (origin: String, destination: String), of table: String, with destination: Source
  ) throws -> SQLExpression {
    let column = Column(pair.origin)
    guard case .table(let other) = destination,
      let collation = try collation(referredBy: pair, of: table, in: other)
    else { return column.sqlExpression }
    return column.compared(by: collation)
  }
}

extension Relation {
  /// Whether conditions alone choose the links. Distinct records have all links of their equals.
  fileprivate var hasAllLinks: Bool { limit == nil && grouping == nil && havings.isEmpty }
}

extension InvalidRequest {
  fileprivate static func noPivot(_ association: _AssociationStorage) -> InvalidRequest {
    let path = association.steps.map(\.relation.source.name).joined(separator: " → ")
    return InvalidRequest(
      "The links of association \"\(association.destination.key.plural)\" can't be changed: it "
        + "leads to \(path), and not through one table that has foreign keys to both sides.")
  }

  fileprivate static func limitedLinks(_ association: _AssociationStorage) -> InvalidRequest {
    InvalidRequest(
      "The links of association \"\(association.destination.key.plural)\" can't be changed: its "
        + "limit or groups leave out records, but not their links. To fix this error, fetch the "
        + "records, and change their links in the association without limit and groups.")
  }
}
