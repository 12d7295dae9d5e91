import Testing

@testable import Quarry

/// The row of a fetch serves the next fetch of its statement, also one of another kind.
@Suite("Rows that are used again")
struct ReusedRowTests {
  private struct Pair: FetchableRecord {
    let number: Int
    let name: String

    init(row: Row) {
      number = row["number"]
      name = Name(row: row.scopes["inner"] ?? Row()).name
    }
  }

  private struct Name: FetchableRecord {
    let name: String

    init(row: Row) { name = row["name"] }
  }

  private let adapter = RowScopeTree(
    range: 0..<1,
    scopes: [.init(name: "inner", tree: RowScopeTree(range: 1..<2))])

  @Test("Failures in scopes are remembered while records are decoded, and only then")
  func scopes() throws {
    try DatabaseQueue().read { db in
      let good = try db.makeStatement(sql: "SELECT 1 AS number, ? AS name")
      let pairs = try Pair.fetchAll(good, arguments: ["a"], adapter: adapter)
      #expect(pairs.map(\.name) == ["a"])

      let cursor = try Row.fetchCursor(good, arguments: [nil], adapter: adapter)
      let row = try #require(try cursor.next())
      let inner = try #require(row.scopes["inner"])
      #expect(!row.isDecodingRecord)
      #expect(!inner.isDecodingRecord)
    }
  }

  @Test("A scope that was read as a row before tells its failures to the fetch of records")
  func recordsAfterRows() throws {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT 1 AS number, ? AS name")
      do {
        let cursor = try Row.fetchCursor(statement, arguments: ["a"], adapter: adapter)
        let name = try cursor.next()?.scopes["inner"]?["name"] as String?
        #expect(name == "a")
      }
      let fetch = { try Pair.fetchAll(statement, arguments: [nil], adapter: adapter) }
      #expect(throws: RowDecodingError.self) { try fetch() }
    }
  }
}
