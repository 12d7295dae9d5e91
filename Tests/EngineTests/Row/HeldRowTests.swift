import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Rows and rows of scopes are held, forgotten and read at random, while several cursors move.
@Suite("Rows that are held while cursors move")
struct HeldRowTests {
  /// A row, and the number that all its columns show.
  private struct Held {
    let row: Row
    let number: Int

    var isRight: Bool {
      row.databaseValues.allSatisfy {
        $0 == number.databaseValue || $0 == "text \(number)".databaseValue
      }
    }
  }

  private static let sql = """
    WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n LIMIT 40)
    SELECT i, 'text ' || i AS a, i AS b, 'text ' || i AS c, ? AS d FROM n
    """

  private static let adapter = ScopeAdapter(
    base: RangeRowAdapter(0..<2),
    scopes: [
      "outer": ScopeAdapter(
        base: RangeRowAdapter(2..<3), scopes: ["inner": RangeRowAdapter(3..<4)]),
      "mapped": ColumnMapping(["x": "b", "y": "i"]),
    ])

  /// One step: a cursor moves, begins again, or a row is looked at, held, copied or forgotten.
  private func step(
    _ cursors: inout [(cursor: RowCursor, number: Int)], _ held: inout [Held], _ db: Database,
    _ random: inout SplitMix64
  ) throws {
    let index = random.below(cursors.count)
    guard let row = try cursors[index].cursor.next() else {
      cursors[index] = try begin(db, 1000 * random.below(9))
      return
    }
    let number = cursors[index].number
    cursors[index].number += 1
    let shown: [Row?] = [
      row, row.scopes["outer"], row.scopesTree["inner"], row.scopes["mapped"], row.copy(),
    ]
    for candidate in shown where random.chance(4) {
      held.append(Held(row: try #require(candidate), number: number))
    }
    if held.count > 20 { held.removeAll { _ in random.chance(2) } }
  }

  private func begin(_ db: Database, _ number: Int) throws -> (cursor: RowCursor, number: Int) {
    let statement = try db.makeStatement(sql: Self.sql)
    return (
      try Row.fetchCursor(statement, arguments: [number, "spare"], adapter: Self.adapter), number
    )
  }

  private func areRight(_ held: [Held]) -> Bool { held.allSatisfy { $0.isRight } }

  @Test func `held rows keep their values`() throws {
    let run = RandomRun("rows that are held")
    try DatabaseQueue().inDatabase { db in
      _ = try run.repeated(seconds: 1, atMost: 100) { random in
        var held: [Held] = []
        var cursors = try (0..<3).map { try begin(db, $0 * 1000) }
        for _ in 0..<200 {
          try step(&cursors, &held, db, &random)
          #expect(areRight(held), "seed \(run.seed)")
        }
        cursors = []
        #expect(areRight(held), "seed \(run.seed)")
      }
    }
  }

  @Test func `arguments that are replaced leave the rows that show them`() throws {
    try DatabaseQueue().inDatabase { db in
      let long = String(repeating: "a book ", count: 1000)
      let statement = try db.makeStatement(sql: "SELECT ? AS v UNION ALL SELECT ?")
      let cursor = try Row.fetchCursor(statement, arguments: [long, Data(long.utf8)])
      let first = try #require(try cursor.next())
      let scope = first.copy()
      #expect(try first.decode(Data.self, atIndex: 0) == Data(long.utf8))
      statement.arguments = ["x", "y"]
      #expect(first["v"] == long)
      #expect(try Row.fetchAll(statement) == [["v": "x"], ["v": "y"]])
      #expect(first["v"] == long)
      #expect(scope["v"] == long)
    }
  }
}
