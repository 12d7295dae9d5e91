import Quarry

extension Database {
  /// The row with a key, whose values have the order of the columns.
  func row(_ key: [DatabaseValue], of table: LogTable) throws -> [DatabaseValue]? {
    let columns = table.columns.map(\.quotedDatabaseIdentifier)
    let condition = table.keyColumns.map { "\(columns[$0]) = ?" }.joined(separator: " AND ")
    let statement = try cachedStatement(
      sql:
        "SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName) WHERE \(condition)")
    return try Row.fetchOne(statement, arguments: StatementArguments(key)).map {
      Array($0.databaseValues)
    }
  }

  /// The keys of the rows with some values.
  func keys(
    of table: LogTable, with group: LogTable.Group, _ values: [DatabaseValue]
  ) throws -> [RowKey] {
    let columns = table.columns.map(\.quotedDatabaseIdentifier)
    let condition = zip(group.columns, group.collations).map {
      "\(columns[$0]) = ? COLLATE \($1.rawValue.quotedDatabaseIdentifier)"
    }.joined(separator: " AND ")
    let statement = try cachedStatement(
      sql:
        "SELECT \(columns.joined(separator: ", ")) FROM \(table.quotedName) WHERE \(condition)")
    return try Row.fetchAll(statement, arguments: StatementArguments(values)).map {
      RowKey(table, Array($0.databaseValues))
    }
  }
}
