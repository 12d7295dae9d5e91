extension Database {
  /// Adds to the error of a missing table which record type names it, and which table was meant.
  func explaining(_ error: any Error, of type: Any.Type) -> any Error {
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
}
