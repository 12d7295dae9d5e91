extension Source {
  /// Names the request in a fault that was found while it was planned or written.
  func naming(_ error: any Error) -> any Error {
    guard var fault = error as? InvalidRequest, fault.request == nil else { return error }
    fault.request = "SELECT … FROM \(name.quotedDatabaseIdentifier) …"
    return fault
  }
}
