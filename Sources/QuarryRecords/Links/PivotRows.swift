/// The links of one record: rows of a pivot table.
struct PivotRows {
  private typealias Mapping = [(origin: String, destination: String)]

  /// The rows of the pivot that belong to the association.
  private let pivot: Relation
  /// The destination, if its clauses decide which links there are.
  private let destination: JoinNode?
  private let table: String
  /// The columns of the pivot that refer to the origin, and their values.
  private let origin: [(column: String, value: DatabaseValue)]
  /// The columns of the pivot that refer to the destination, and what they refer to.
  private let mapping: Mapping

  init(
    _ db: Database, of record: some TableRecord & EncodableRecord,
    _ association: _AssociationStorage
  ) throws {
    let steps = association.steps
    guard steps.count == 2, case .table(let table) = steps[0].relation.source,
      case .foreignKey(let first) = steps[0].condition, !first.parentIsOrigin,
      case .foreignKey(let second) = steps[1].condition, second.parentIsOrigin
    else { throw InvalidRequest.noPivot(association) }
    let recordTable = type(of: record).databaseTableName
    let resolver = ForeignKeyResolver(schema: db.schema)
    let toOrigin = try resolver.mapping(first, parent: .table(recordTable), child: .table(table))
    self.table = table
    mapping = try resolver.mapping(second, parent: .table(table), child: steps[1].relation.source)
    let values = try Self.values(of: toOrigin, in: record)
    origin = zip(toOrigin, values).map { (column: $0.origin, value: $1) }
    var pivot = steps[0].relation
    pivot.filters += origin.map { .equal($0.column, $0.value) }
    self.pivot = pivot
    let node = JoinNode(
      key: association.destination.key.singular, kind: .inner, condition: steps[1].condition,
      relation: steps[1].relation.selectingNothing)
    destination = node.relation.filters.isEmpty && node.relation.joins.isEmpty ? nil : node
  }

  /// The key of a record at the other end.
  func key(of record: some TableRecord & EncodableRecord) throws -> [DatabaseValue] {
    try Self.values(of: mapping, in: record)
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

// Changes of links.
extension PivotRows {
  /// Adds a link, unless there is one. Returns true if it was added.
  func add(
    _ db: Database, _ key: [DatabaseValue],
    with columns: [String: (any DatabaseValueConvertible)?]
  ) throws -> Bool {
    var all = Relation(source: pivot.source, selection: [.items([SQLSelection(.allColumns)])])
    all.filters += origin.map { .equal($0.column, $0.value) } + conditions(key)
    if let scope = pivot.deletionScope { all.filters.append(.scope(scope)) }
    guard try QueryInterfaceRequest<Row>(relation: all).isEmpty(db) else { return false }
    try insert(db, key, columns)
    guard pivot.filters.count > origin.count || !pivot.joins.isEmpty else { return true }
    guard try !QueryInterfaceRequest<Row>(relation: links(to: key)).isEmpty(db) else {
      throw InvalidRequest(
        "The new link is not part of the association: a condition on table "
          + "\(table.quotedDatabaseIdentifier) leaves it out. "
          + "To fix this error, give the values of the columns of the link.")
    }
    return true
  }

  private func insert(
    _ db: Database, _ key: [DatabaseValue], _ columns: [String: (any DatabaseValueConvertible)?]
  ) throws {
    let keys = origin + zip(mapping, key).map { (column: $0.origin, value: $1) }
    let others = columns.sorted { $0.key < $1.key }
      .filter { column, _ in !keys.contains { $0.column.isSameIdentifier(as: column) } }
      .map { (column: $0.key, value: $0.value?.databaseValue ?? .null) }
    let values = StatementArguments((keys + others).map(\.value))
    let sql = try RecordStatementWriter.insert(
      table: table, columns: (keys + others).map(\.column), schema: db.schema
    ).sql
    try db.internalStatement(SQLText(sql: sql, arguments: values)).use { try $0.run() }
  }

  /// Removes the links to a record. Returns their number.
  func remove(_ db: Database, _ key: [DatabaseValue]) throws -> Int {
    try QueryInterfaceRequest<Row>(relation: links(to: key)).deleteAll(db)
  }

  /// Removes all links. Returns their number.
  func removeAll(_ db: Database) throws -> Int {
    try QueryInterfaceRequest<Row>(relation: links()).deleteAll(db)
  }

  /// The keys at the other ends, each one once.
  func keys(_ db: Database) throws -> [[DatabaseValue]] {
    var relation = links()
    relation.selection = [
      .items(mapping.map { SQLSelection(.expression(SQLExpression(.column($0.origin)))) })
    ]
    relation.isDistinct = true
    return try QueryInterfaceRequest<Row>(relation: relation).fetchAll(db)
      .map { Array($0.databaseValues) }
  }

  private func links(to key: [DatabaseValue]? = nil) -> Relation {
    var relation = pivot
    if let key { relation.filters += conditions(key) }
    if let destination { relation.join(destination) }
    relation.ordering = OrderingClause()
    return relation
  }

  private func conditions(_ key: [DatabaseValue]) -> [FilterClause] {
    zip(mapping, key).map { .equal($0.origin, $1) }
  }
}

extension InvalidRequest {
  fileprivate static func noPivot(_ association: _AssociationStorage) -> InvalidRequest {
    let path = association.steps.map(\.relation.source.name).joined(separator: " → ")
    return InvalidRequest(
      "The links of association \"\(association.destination.key.plural)\" can't be changed: it "
        + "leads to \(path), and not through one table that has foreign keys to both sides.")
  }
}
