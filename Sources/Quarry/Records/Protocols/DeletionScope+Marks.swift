extension DeletionScope {
  /// The assignments that mark rows as deleted: the date of the transaction, as the record type
  /// stores it, and the next version.
  func assignments(_ db: Database) throws -> [ColumnAssignment] {
    let value = try db.transactionDate.storedValue(in: column, of: recordType)
    guard !value.isNull else {
      throw InvalidRequest(
        "\(recordType): rows can't be marked as deleted, since the type encodes the date of column "
          + "\(column.quotedDatabaseIdentifier) as NULL. To fix this error, change its "
          + "`databaseDateEncodingStrategy`, or the coding of the column.")
    }
    let mark = ColumnAssignment(columnName: column, value: SQLExpression(value))
    guard let version = (recordType as? any MutablePersistableRecord.Type)?._versionColumn else {
      return [mark]
    }
    return [mark, .nextVersion(version)]
  }
}

extension ColumnAssignment {
  /// `"version" = "version" + 1`
  package static func nextVersion(_ column: String) -> ColumnAssignment {
    let current = SQLExpression(.column(column))
    return ColumnAssignment(
      columnName: column, value: .associative(.add, [current, SQLExpression(1.databaseValue)]))
  }
}
