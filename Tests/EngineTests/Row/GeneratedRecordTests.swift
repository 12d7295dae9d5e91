import Dispatch
import Quarry
import QuarryTestSupport
import Testing

/// What the macro writes: columns by position where the row begins with them, else by name.
struct GeneratedPlayer: FetchableRecord, TableRecord, Equatable {
  var id: Int64
  var name: String?

  init(id: Int64, name: String?) {
    self.id = id
    self.name = name
  }

  init(row: Row) throws {
    let isInOrder = row._startsWith(["id", "name"], of: Self.self)
    id = try row._decode(at: 0, or: "id", inOrder: isInOrder)
    name = try row._decode(at: 1, or: "name", inOrder: isInOrder)
  }
}

struct GeneratedName: FetchableRecord, Equatable {
  var name: String

  init(row: Row) throws {
    let isInOrder = row._startsWith(["name"], of: Self.self)
    name = try row._decode(at: 0, or: "name", inOrder: isInOrder)
  }
}

@Suite("Columns of generated records")
struct GeneratedRecordTests {
  static let anna = GeneratedPlayer(id: 1, name: "Anna")

  @Test(arguments: [
    ("SELECT 1 AS id, 'Anna' AS name", anna),
    ("SELECT 1 AS id, 'Anna' AS name, 2 AS score", anna),
    ("SELECT 'Anna' AS name, 1 AS id", anna),
    ("SELECT 2 AS score, 1 AS id, 'Anna' AS name", anna),
    ("SELECT 1 AS ID, 'Anna' AS NAME", anna),
    // The leftmost of several columns counts.
    ("SELECT 1 AS id, 'Anna' AS name, 2 AS id", anna),
    ("SELECT 1 AS id, 2 AS id, 'Anna' AS name", anna),
    ("SELECT 1 AS id", GeneratedPlayer(id: 1, name: nil)),
    ("SELECT '1' AS id, NULL AS name", GeneratedPlayer(id: 1, name: nil)),
  ])
  func `Columns are decoded in any order`(sql: String, player: GeneratedPlayer) throws {
    for storage in RowStorage.allCases {
      try storage.withRow(sql) { row in try #expect(GeneratedPlayer(row: row) == player) }
    }
    try DatabaseQueue().inDatabase { db in
      for _ in 1...2 { try #expect(GeneratedPlayer.fetchAll(db, sql: sql) == [player]) }
    }
  }

  @Test func `A missing column is named, and a value that does not convert`() throws {
    try DatabaseQueue().inDatabase { db in
      let missing = #expect(throws: RowDecodingError.self) {
        try GeneratedPlayer.fetchOne(db, sql: "SELECT 'Anna' AS name")
      }
      #expect(missing?.description.contains("column not found: \"id\"") == true)
      let wrong = #expect(throws: RowDecodingError.self) {
        try GeneratedPlayer.fetchOne(db, sql: "SELECT 'x' AS id, 'Anna' AS name")
      }
      #expect(wrong?.description.contains("column: \"id\"") == true)
    }
  }

  @Test func `Two types decode the rows of one statement in turn`() throws {
    for storage in RowStorage.allCases {
      try storage.withRow("SELECT 1 AS id, 'Anna' AS name") { row in
        for _ in 1...3 {
          try #expect(GeneratedPlayer(row: row) == Self.anna)
          try #expect(GeneratedName(row: row).name == "Anna")
        }
      }
    }
  }

  @Test func `Joined records have columns of their own`() throws {
    try DatabaseQueue().inDatabase { db in
      let adapter = splittingRowAdapters(columnCounts: [2, 1])
      let row = try #require(
        try Row.fetchOne(
          db, sql: "SELECT 1 AS id, 'Anna' AS name, 'Red' AS name",
          adapter: ScopeAdapter(["player": adapter[0], "team": adapter[1]])))
      let player = try #require(row.scopes["player"])
      let team = try #require(row.scopes["team"])
      try #expect(GeneratedPlayer(row: player) == Self.anna)
      try #expect(GeneratedName(row: team).name == "Red")
    }
  }

  @Test func `Threads decode the rows of one layout as different types`() throws {
    let rows = try DatabaseQueue().inDatabase { db in
      try Row.fetchAll(
        db,
        sql: """
          WITH n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 4000)
          SELECT i AS id, 'n' || i AS name FROM n
          """)
    }
    // Rows that are different objects may be read in different threads.
    nonisolated(unsafe) let shared = rows
    let faults = Log<Int>()
    DispatchQueue.concurrentPerform(iterations: rows.count) { index in
      let row = shared[index]
      let expected = GeneratedPlayer(id: Int64(index), name: "n\(index)")
      let isRight =
        index.isMultiple(of: 2)
        ? (try? GeneratedPlayer(row: row)) == expected
        : (try? GeneratedName(row: row))?.name == expected.name
      if !isRight { faults.append(index) }
    }
    #expect(faults.elements.isEmpty)
  }
}
