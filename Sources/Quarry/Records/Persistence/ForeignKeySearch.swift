// SQLite reports that a foreign key is violated, but not which one.
//
// See <https://www.sqlite.org/foreignkeys.html>.

extension PersistenceEngine {
  /// The error of a write, with the foreign key that the record violates.
  @usableFromInline
  static func explained(
    _ error: any Error, _ record: Record, _ db: Database, in table: String? = nil
  ) -> any Error { explained(error, CollectionOfOne(record), db, in: table) }

  /// The error of a statement that writes several records, with the foreign key that one of them
  /// violates.
  static func explained(
    _ error: any Error, _ records: some Collection<Record>, _ db: Database,
    in table: String? = nil
  ) -> any Error {
    guard var error = error as? DatabaseError,
      error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
    else {
      return db.explaining(error, of: records.first.map { dynamicType(of: $0) } ?? Record.self)
    }
    for record in records {
      guard let (cache, container) = try? db.encode(record, in: table) else { continue }
      let violation =
        (try? db.missingParent(of: container, in: cache.table, isAlone: records.count == 1))
        ?? (try? db.remainingChild(of: container, in: cache.table))
      guard let violation else { continue }
      error.details = violation.text
      error.expandedDetails = violation.withValues
      error.constraint = violation.constraint
      return error
    }
    return error
  }
}

// The write has been undone when the foreign key is searched. Foreign keys never leave their
// schema, and tables of other schemas may have the same names.
extension Database {
  /// The foreign key, and the reason of the violation.
  fileprivate typealias Violation = (
    text: String, withValues: String, constraint: DatabaseError.Constraint
  )

  /// The foreign key of a record that leads to no row.
  ///
  /// - parameter isAlone: Whether no other record of the statement can be the parent.
  fileprivate func missingParent(
    of container: PersistenceContainer, in table: String, isAlone: Bool
  ) throws -> Violation? {
    let id = try schema.resolve(table).id
    for key in try schema.foreignKeys(from: table) {
      let values = key.originColumns.map { container.value(forColumn: $0) }
      if values.contains(where: \.isNull) { continue }
      if !isAlone, key.destinationTable.isSameIdentifier(as: id.name) { continue }
      let parent = DatabaseObjectID(name: key.destinationTable, schemaID: id.schemaID)
      let count = try count(in: parent, key.destinationColumns, values)
      if count == 0 {
        let foreignKey = "foreign key \(key.description(from: table))"
        return (
          "\(foreignKey): there is no such row",
          "\(foreignKey): no row has \(text(key.destinationColumns, values))",
          schema.constraint(key, from: table)
        )
      }
    }
    return nil
  }

  /// The foreign key of another table that leads to the row of a record.
  fileprivate func remainingChild(
    of container: PersistenceContainer, in table: String
  ) throws -> Violation? {
    let parent = try schema.resolve(table)
    guard let row = try storedRow(of: container, in: parent) else { return nil }
    for (child, key) in try schema.foreignKeys(to: parent) {
      let values = key.destinationColumns.map { row[$0] as DatabaseValue }
      let childID = DatabaseObjectID(name: child, schemaID: parent.id.schemaID)
      let count = try count(in: childID, key.originColumns, values)
      if count == 0 { continue }
      let foreignKey = "foreign key \(key.description(from: child))"
      let text = text(key.originColumns, values)
      let (reference, have) =
        count == 1
        ? ("1 row references", "1 row has") : ("\(count) rows reference", "\(count) rows have")
      return (
        "\(foreignKey): \(reference) the row", "\(foreignKey): \(have) \(text)",
        schema.constraint(key, from: child, in: parent.id.schemaID.name)
      )
    }
    return nil
  }

  private func storedRow(of container: PersistenceContainer, in table: CachedTable) throws -> Row? {
    guard let key = try schema.primaryKey(of: table) else { return nil }
    let values = key.columns.map { container.value(forColumn: $0) }
    return try Row.fetchOne(
      self, sql: "SELECT * FROM \(table.id.quotedName) WHERE \(condition(key.columns))",
      arguments: StatementArguments(values: values))
  }

  private func count(
    in table: DatabaseObjectID, _ columns: [String], _ values: [DatabaseValue]
  ) throws -> Int {
    try Int.fetchOne(
      self, sql: "SELECT COUNT(*) FROM \(table.quotedName) WHERE \(condition(columns))",
      arguments: StatementArguments(values: values)) ?? 0
  }

  private func condition(_ columns: [String]) -> String {
    columns.map { "\($0.quotedDatabaseIdentifier) = ?" }.joined(separator: " AND ")
  }

  private func text(_ columns: [String], _ values: [DatabaseValue]) -> String {
    let pairs = zip(columns, values).map { "\($0):\($1)" }
    return "[\(pairs.joined(separator: " "))]"
  }
}

extension DatabaseObjectID {
  /// For SQL, with the schema.
  var quotedName: String {
    "\(schemaID.name.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
  }
}
