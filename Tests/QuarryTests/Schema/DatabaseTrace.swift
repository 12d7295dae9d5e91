import Quarry

extension Database {
  /// The statements that `body` executes.
  func statements(during body: () throws -> Void) rethrows -> [String] {
    var statements: [String] = []
    trace { event in
      if case .statement(let statement) = event { statements.append(statement.sql) }
    }
    defer { trace() }
    try body()
    return statements
  }
}
