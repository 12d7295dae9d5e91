extension Source {
  /// Names the request in a fault that was found while it was planned or written.
  func naming(_ error: any Error) -> any Error {
    error.naming(request: "SELECT … FROM \(name.quotedDatabaseIdentifier) …")
  }
}

extension Source {
  /// What the source is, for messages.
  var kindName: String {
    switch self {
    case .table: "The table"
    case .tableExpression: "The common table expression"
    case .subquery: "The subquery"
    }
  }
}

extension QueryPlan {
  /// Names the request in a fault that was found while it was planned or written.
  func naming(_ error: any Error) -> any Error {
    members.isEmpty ? root.source.naming(error) : error.naming(request: summary)
  }

  /// The request in short, for messages.
  var summary: String {
    if members.isEmpty { return "SELECT … FROM \(root.source.name.quotedDatabaseIdentifier) …" }
    return members.map { member in
      let query = if case .plan(let plan) = member.query { plan.summary } else { "…" }
      return (member.op.map { "\($0.keyword)".dropFirst() } ?? "") + query
    }.joined(separator: " ")
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
      "A TableAlias most not be used to refer to multiple tables: here it refers to "
        + "\(first.description), and to \(second.description) in another place. "
        + "To fix this error, give each of them its own TableAlias.")
  }
}
