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

  @Test func `Failures in scopes are remembered while records are decoded, and only then`() throws {
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

  @Test func `A scope that was read as a row before reports its failures to the fetch of records`()
    throws
  {
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

  /// Keeps the row of its scope, against the advice of the documentation.
  private struct Keeper: FetchableRecord {
    let inner: Row

    init(row: Row) { inner = row.scopes["inner"] ?? Row() }
  }

  @Test func `The scope of a row that is used again keeps its values when somebody keeps it`()
    throws
  {
    try DatabaseQueue().read { db in
      let statement = try db.makeStatement(sql: "SELECT 1 AS number, ? AS name")
      let kept = try ["a", "b", "c"].map { name in
        try Keeper.fetchOne(statement, arguments: [name], adapter: adapter)?.inner
      }
      #expect(kept == [["name": "a"], ["name": "b"], ["name": "c"]])
      let pair = try #require(try Pair.fetchOne(statement, arguments: ["d"], adapter: adapter))
      #expect(pair.name == "d")
      #expect(kept == [["name": "a"], ["name": "b"], ["name": "c"]])
    }
  }

  @Test func `A statement with fewer columns than its request expects is an error`() throws {
    try DatabaseQueue().read { db in
      let tree = RowScopeTree(range: 0..<2)
      let error = #expect(throws: DatabaseError.self) {
        try Row.fetchAll(db, sql: "SELECT 1", adapter: tree)
      }
      #expect(error?.resultCode == .SQLITE_MISMATCH)
      #expect(error?.message == "the request selects 1 columns, 2 expected")
    }
  }
}
