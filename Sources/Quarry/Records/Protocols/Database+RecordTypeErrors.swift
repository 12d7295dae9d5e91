extension Database {
  /// Adds to the error of a missing table which record type names it, and which table was meant.
  package func explaining(
    _ error: any Error, of type: Any.Type, _ scope: DeletionScope? = nil
  ) -> any Error {
    if let scope, let marked = explaining(error, scope) { return marked }
    guard var error = error as? DatabaseError, let type = type as? any TableRecord.Type,
      error.message == "no such table: \(type.databaseTableName)"
    else { return error }
    if error.details == nil { error.addDetails(try? tableDetails(type.databaseTableName)) }
    let details =
      "the `databaseTableName` of the record type \(type) is \"\(type.databaseTableName)\""
    // A record type may fetch others while it is persisted or prepared.
    if error.details?.contains(details) != true { error.addDetails(details) }
    return error
  }

  /// The error of a table that lacks the column of deletions. Nil for other errors.
  private func explaining(_ error: any Error, _ scope: DeletionScope) -> DatabaseError? {
    guard var error = error as? DatabaseError, let message = error.message,
      message.hasPrefix("no such column: "), message.contains(scope.column),
      let type = scope.recordType as? any TableRecord.Type,
      let columns = try? columns(in: type.databaseTableName),
      !columns.contains(where: { $0.name.isSameIdentifier(as: scope.column) })
    else { return nil }
    error.details =
      "\(type) is a SoftDeletableRecord, and its table \(type.databaseTableName.quotedDatabaseIdentifier) "
      + "has no column \(scope.column.quotedDatabaseIdentifier): add it in a migration, or name another "
      + "one with `deletedAtColumn`"
    return error
  }
}
