extension Source {
  /// Names the request in the faults that are found while it is planned or written.
  func naming<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as InvalidRequest {
      error.request = error.request ?? "SELECT … FROM \(name.quotedDatabaseIdentifier) …"
      throw error
    }
  }
}
