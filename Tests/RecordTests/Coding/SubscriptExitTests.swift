import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Reads a column without `try`.
private struct Subscripted<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value

  init(row: Row) { value = row["v"] }
}

private struct City: Codable, FetchableRecord {
  var name: String
}

private struct Traveller: FetchableRecord {
  var city: City

  init(row: Row) { city = row["city"] }
}

/// Values from a database never stop the program while records are fetched.
@Suite("Subscripts of types that have no placeholder")
struct SubscriptExitTests {
  private static func fetch<Record: FetchableRecord>(
    _ type: Record.Type, _ sql: String, _ adapter: (any RowAdapter)? = nil
  ) throws {
    try DatabaseQueue().read { db in
      let error = errorText { try Record.fetchAll(db, sql: sql, adapter: adapter) }
      guard error?.contains(sql) == true else { throw CancellationError() }
    }
  }

  @Test func `An enumeration that is not CaseIterable`() async {
    await #expect(processExitsWith: .success) {
      try Self.fetch(Subscripted<StoredColor>.self, "SELECT 'purple' AS v")
      try Self.fetch(Subscripted<StoredLevel>.self, "SELECT NULL AS v")
    }
  }

  @Test func `A value in JSON`() async {
    await #expect(processExitsWith: .success) {
      try Self.fetch(Subscripted<StoredAddress>.self, "SELECT '{}' AS v")
    }
  }

  @Test func `A number of Foundation`() async {
    await #expect(processExitsWith: .success) {
      try Self.fetch(Subscripted<NSNumber>.self, "SELECT NULL AS v")
    }
  }

  @Test func `A record of a scope that is missing, or NULL`() async {
    await #expect(processExitsWith: .success) {
      try Self.fetch(Traveller.self, "SELECT 1 AS v")
      try Self.fetch(
        Traveller.self, "SELECT NULL AS name", ScopeAdapter(["city": EmptyRowAdapter()]))
    }
  }
}
