import Quarry
import QuarryTestSupport

/// What `body` does with the bookshop's database, outside of any transaction.
func withBookshop<T>(
  configuration: Configuration = Configuration(), _ body: (Database) throws -> T
) throws -> T {
  try makeBookshopDatabase(configuration: configuration).writeWithoutTransaction(body)
}

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
