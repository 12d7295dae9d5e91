extension Relation {
  /// Names the request in the errors that say that it is invalid.
  func naming<T>(_ prepare: () throws -> T) throws -> T {
    do {
      return try prepare()
    } catch var error as InvalidRequest {
      error.request = error.request ?? "SELECT … FROM \(source.name.quotedDatabaseIdentifier) …"
      throw error
    }
  }
}
