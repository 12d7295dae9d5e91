extension Source {
  /// Names the request in a fault that was found while it was planned or written.
  package func naming(_ error: any Error) -> any Error { error.naming(request: summary) }

  /// The request in short, for messages.
  fileprivate var summary: String { "SELECT … FROM \(name.quotedDatabaseIdentifier) …" }
}

extension QueryPlan {
  /// The request in short, for messages.
  fileprivate var summary: String {
    switch self {
    case .select(let plan): plan.root.source.summary
    case .compound(let plan): plan.summary
    case .literal: "…"
    }
  }
}

extension CompoundPlan {
  /// Names the request in a fault that was found while it was written.
  func naming(_ error: any Error) -> any Error { error.naming(request: summary) }

  fileprivate var summary: String {
    members.map { "\($0.op?.keyword ?? "")\($0.query.summary)" }.joined()
  }
}

extension Error {
  fileprivate func naming(request: @autoclosure () -> String) -> any Error {
    guard var fault = self as? InvalidRequest, fault.request == nil else { return self }
    fault.request = request()
    return fault
  }
}

extension InvalidRequest {
  static func sharedAlias(_ first: Source, _ second: Source) -> InvalidRequest {
    InvalidRequest(
      "A TableAlias must not be used to refer to multiple tables: here it refers to "
        + "\(first.description), and to \(second.description) in another place. "
        + "To fix this error, give each of them its own TableAlias.")
  }

  static let recordWithoutForeignKey = InvalidRequest(
    "The request for the associated records of a record needs a foreign key: filter a request by "
      + "the values of the record instead")
}
