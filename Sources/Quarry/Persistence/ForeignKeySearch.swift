// SQLite reports that a foreign key is violated, but not which one.
//
// See <https://www.sqlite.org/foreignkeys.html>.

extension PersistenceEngine {
  /// The error of a write, with the foreign key that the record violates.
  @usableFromInline
  static func explained(_ error: any Error, _ record: Record, _ db: Database) -> any Error {
    explained(error, CollectionOfOne(record), db)
  }

  /// The error of a statement that writes several records, with the foreign key that one of them violates.
  static func explained(
    _ error: any Error, _ records: some Collection<Record>, _ db: Database
  ) -> any Error {
    guard var error = error as? DatabaseError,
      error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
    else { return error }
    for record in records {
      guard let (cache, container) = try? db.encode(record) else { continue }
      let search = ForeignKeySearch(
        table: cache.table, container: container, isAlone: records.count == 1, db: db)
      guard let reason = (try? search.missingParent()) ?? (try? search.remainingChild())
      else { continue }
      error.details = reason.text
      error.expandedDetails = reason.withValues
      return error
    }
    return error
  }

  static func explaining<T>(_ record: Record, _ db: Database, _ write: () throws -> T) throws -> T {
    do {
      return try write()
    } catch {
      throw explained(error, record, db)
    }
  }
}

/// Looks for the foreign key that a record violates. The write has been undone.
private struct ForeignKeySearch {
  let table: String
  let container: PersistenceContainer
  /// Otherwise, records of the same statement may be parents of each other.
  let isAlone: Bool
  let db: Database

  /// The foreign key, and the reason of the violation.
  typealias Reason = (text: String, withValues: String)

  /// The foreign key of the record that leads to no row.
  func missingParent() throws -> Reason? {
    for key in try db.schema.foreignKeys(from: table) {
      let values = key.originColumns.map { container.value(forColumn: $0) }
      if values.contains(where: \.isNull) { continue }
      if !isAlone, key.destinationTable.isSameIdentifier(as: table) { continue }
      let count = try count(in: key.destinationTable, key.destinationColumns, values)
      if count == 0 {
        let foreignKey = "foreign key \(key.description(from: table))"
        return (
          "\(foreignKey): there is no such row",
          "\(foreignKey): no row has \(text(key.destinationColumns, values))"
        )
      }
    }
    return nil
  }

  /// The foreign key of another table that leads to the row of the record.
  func remainingChild() throws -> Reason? {
    guard let row = try storedRow() else { return nil }
    for (child, key) in try db.schema.foreignKeys(to: db.schema.resolve(table)) {
      let values = key.destinationColumns.map { row[$0] as DatabaseValue }
      let count = try count(in: child, key.originColumns, values)
      if count == 0 { continue }
      let foreignKey = "foreign key \(key.description(from: child))"
      let text = text(key.originColumns, values)
      return count == 1
        ? ("\(foreignKey): 1 row references the row", "\(foreignKey): 1 row has \(text)")
        : (
          "\(foreignKey): \(count) rows reference the row",
          "\(foreignKey): \(count) rows have \(text)"
        )
    }
    return nil
  }

  private func storedRow() throws -> Row? {
    guard let key = try db.schema.primaryKeyIfKnown(of: table) else { return nil }
    let values = key.columns.map { container.value(forColumn: $0) }
    return try Row.fetchOne(
      db,
      sql: "SELECT * FROM \(table.quotedDatabaseIdentifier) WHERE \(condition(key.columns))",
      arguments: StatementArguments(values: values))
  }

  private func count(
    in table: String, _ columns: [String], _ values: [DatabaseValue]
  ) throws -> Int {
    try Int.fetchOne(
      db,
      sql: "SELECT COUNT(*) FROM \(table.quotedDatabaseIdentifier) WHERE \(condition(columns))",
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
