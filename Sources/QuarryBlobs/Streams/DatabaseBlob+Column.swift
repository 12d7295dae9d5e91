import Quarry

extension DatabaseBlob {
  /// The declared name of the column, of which a stream may be opened.
  ///
  /// SQLite looks at no condition of an index, and before version 3.53 at no generated columns:
  /// streams would leave these and indexes as they were. A virtual column is not in the stored row,
  /// where SQLite would take the next one.
  func declaredColumn(in schema: DatabaseSchemaReader) throws -> String {
    var name: String?
    let writes = access == .readWrite
    for info in try schema.columns(of: schemaTable) {
      if writes ? info.isGenerated : info.isVirtual {
        throw refusal("cannot open table with generated columns: \(table)")
      }
      if info.name.isSameIdentifier(as: column) { name = info.name }
    }
    guard let name else { throw refusal("no such column: \"\(column)\"") }
    if try writes && schema.isInConditionOfIndex(name, of: schemaTable) {
      throw refusal("cannot open indexed column for writing")
    }
    return name
  }

  private func refusal(_ reason: String) -> DatabaseError {
    DatabaseError(message: "\(reason) - \(place)")
  }
}

extension DatabaseSchemaReader {
  fileprivate func isInConditionOfIndex(_ column: String, of table: CachedTable) throws -> Bool {
    guard try indexes(on: table).contains(where: \.isPartial) else { return false }
    return try catalogs(named: table.id.schemaID.name).flatMap(objects).contains { object in
      guard object.type == "index", object.tableName.isSameIdentifier(as: table.id.name),
        let sql = object.sql
      else { return false }
      let condition = SQLTokens.placedItems(sql).drop { !$0.item.isKeyword("WHERE") }
      return condition.contains { item, bytes in
        item.name?.isSameIdentifier(as: column) == true
          && Array(sql.utf8)[bytes.lowerBound] != UInt8(ascii: "'")
      }
    }
  }
}
