/// A request that can't be turned into SQL: the error is thrown when the request is prepared.
///
/// Building requests never fails: an ambiguous foreign key, a reused alias, an empty selection
/// travel in the request as values, and are thrown by the fetching methods.
///
/// ```swift
/// // Book has two foreign keys to person:
/// // Ambiguous foreign key from 'book' to 'person'. To fix this error, provide an explicit
/// // `ForeignKey` in the association definition. - in request SELECT … FROM "book" …
/// try Book.including(required: Book.person).fetchAll(db)
/// ```
public struct InvalidRequest: Error, Sendable, CustomStringConvertible {
  /// The description of the fault.
  public let message: String

  /// The request at fault: its table and, when known, its SQL.
  public internal(set) var request: String?

  /// The thing at fault and the way out, when the message does not name them.
  public let details: String?

  package init(_ message: String, request: String? = nil, details: String? = nil) {
    self.message = message
    self.request = request
    self.details = details
  }

  /// The message, followed by ``details`` and by the request at fault, on lines of their own.
  public var description: String {
    ErrorLayout.text(message, findings: details, place: request.map { "in request \($0)" })
  }
}

extension InvalidRequest {
  static func compoundPrimaryKey(_ table: String, columns: [String]) -> InvalidRequest {
    let key = columns.map { "\"\($0)\": …" }.joined(separator: ", ")
    return InvalidRequest(
      "Filtering by primary key requires a single-column primary key in the table '\(table)'",
      details: "the key is [\(key)]")
  }

  /// Planning leaves nothing open: this is never thrown.
  static let notPlanned = InvalidRequest("A part of the request has not been planned")
}
