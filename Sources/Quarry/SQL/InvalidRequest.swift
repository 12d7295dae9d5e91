/// A request that can't be turned into SQL: the error is thrown when the request is prepared.
///
/// Building requests never fails: an ambiguous foreign key, a reused alias, an empty selection travel in the
/// request as values, and are thrown by the fetching methods.
///
/// ```swift
/// // Book has two foreign keys to person:
/// // Ambiguous foreign key from 'book' to 'person'. To fix this error, provide an explicit
/// // `ForeignKey` in the association definition. - while preparing SELECT … FROM "book" …
/// try Book.including(required: Book.person).fetchAll(db)
/// ```
public struct InvalidRequest: Error, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let message: String

  /// The request at fault: its table and, when known, its SQL.
  public internal(set) var request: String?

  init(_ message: String, request: String? = nil) {
    self.message = message
    self.request = request
  }

  /// The message, followed by the request at fault.
  public var description: String {
    guard let request else { return message }
    return "\(message) - in request \(request)"
  }
}
