import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

/// `column IN (SELECT …)` on an indexed column of a collection has the rows of an ordinary table,
/// which compares with the affinities of both columns.
@Suite("Lists of values, and indexed columns of collections")
struct RowsTableListTests {
  private static let types: [Database.ColumnType?] = [.integer, .text, .real, .numeric, nil]

  private static func value(_ random: inout SplitMix64) -> DatabaseValue {
    switch random.below(8) {
    case 0: .null
    case 1, 2: Int64(random.below(40)).databaseValue
    case 3: (Double(random.below(80)) / 2).databaseValue
    case 4, 5: "\(random.below(40))".databaseValue
    case 6:
      random.pick(["1.0", " 5", "1e1", "0.5", "", "abc", "05", "12345678901234567890"])
        .databaseValue
    default: Data([UInt8(random.below(3)) + 0x30]).databaseValue
    }
  }

  /// A table `plain`, and a collection with its rows, `virtual`.
  private func makeTables(
    _ types: [Database.ColumnType?], _ rows: [[DatabaseValue]], _ db: Database
  ) throws {
    let declaration = zip(["a", "b"], types).map { "\($0) \($1?.rawValue ?? "")" }
    try db.execute(sql: "CREATE TABLE plain (\(declaration.joined(separator: ", ")))")
    for row in rows {
      try db.execute(sql: "INSERT INTO plain VALUES (?, ?)", arguments: StatementArguments(row))
    }
    let stored = try Row.fetchAll(db, sql: "SELECT * FROM plain").map { Array($0.databaseValues) }
    try db.register(table: "virtual", rows: stored) { t in
      t.column("a", type: types[0], isIndexed: true) { $0[0] }
      t.column("b", type: types[1], isIndexed: true) { $0[1] }
    }
  }

  private func compare(_ query: String, _ db: Database, _ comment: String = "") throws {
    let (plain, virtual) = try (
      Row.fetchAll(db, sql: query.replacingOccurrences(of: "%T", with: "plain")),
      Row.fetchAll(db, sql: query.replacingOccurrences(of: "%T", with: "virtual"))
    )
    #expect(
      virtual.map { "\($0)" }.sorted() == plain.map { "\($0)" }.sorted(), "\(comment)\(query)")
  }

  @Test(arguments: ["price.value", "price.anything"])
  func `the affinity of the list's column counts, and no row comes twice`(column: String) throws {
    try DatabaseQueue().inDatabase { db throws -> Void in
      try db.execute(
        sql: """
          CREATE TABLE price (value REAL, anything);
          INSERT INTO price VALUES (1, '1'), (2, 1), (2, NULL)
          """)
      let codes = ["1", "1.0", "2"] + (100..<600).map { "\($0)" }
      try makeTables([.text, nil], codes.map { [$0.databaseValue, 1.databaseValue] }, db)
      try compare("SELECT a FROM %T WHERE a IN (SELECT \(column) FROM price)", db)
      let plan = try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN SELECT a FROM virtual WHERE a IN (SELECT \(column) FROM price)"
      )
      #expect(plan.contains { "\($0)".contains("VIRTUAL TABLE INDEX 0:0 IN") })
    }
  }

  @Test func `random lists have the rows of an ordinary table`() throws {
    let run = RandomRun("lists and collections")
    let count = try run.repeated(seconds: 1.5, atMost: 40) { random in
      try DatabaseQueue().inDatabase { db throws -> Void in
        let types = [random.pick(Self.types), random.pick(Self.types)]
        let rows = (0..<random.pick([0, 5, 300, 800])).map { _ in
          [Self.value(&random), Self.value(&random)]
        }
        try makeTables(types, rows, db)
        try db.execute(sql: "CREATE TABLE o (i INTEGER, t TEXT, r REAL, n NUMERIC, x, y)")
        for _ in 0..<random.below(6) {
          let values = (0..<6).map { _ in Self.value(&random) }
          try db.execute(
            sql: "INSERT INTO o VALUES (?, ?, ?, ?, ?, ?)", arguments: StatementArguments(values))
        }
        for _ in 0..<15 { try compare(Self.query(&random), db, "seed \(run.seed): ") }
      }
    }
    #expect(count > 0)
  }

  private static func query(_ random: inout SplitMix64) -> String {
    let columns = ["i", "t", "r", "n", "x", "y", "+i", "+t", "CAST(x AS TEXT)"]
    let (first, second) = (random.pick(columns), random.pick(columns))
    let own = random.pick(["a", "b", "a", "+a"])
    let condition =
      switch random.below(8) {
      case 0: "\(own) NOT IN (SELECT \(first) FROM o)"
      case 1: "(a, b) IN (SELECT \(first), \(second) FROM o)"
      case 2: "\(own) IN (SELECT \(first) FROM o) AND b IN (SELECT \(second) FROM o)"
      case 3: "\(own) IN (SELECT \(first) FROM o) OR b = (SELECT \(second) FROM o)"
      case 4: "\(own) IN (SELECT \(first) FROM o UNION ALL SELECT \(second) FROM o)"
      case 5: "\(own) IN (1, '2', 3.0, '1.0', NULL, x'30')"
      case 6: "\(own) IN (SELECT \(first) COLLATE NOCASE FROM o)"
      default: "\(own) IN (SELECT \(first) FROM o)"
      }
    switch random.below(4) {
    case 0: return "SELECT COUNT(*), MIN(t.rowid) FROM %T AS t WHERE \(condition)"
    case 1:
      return "SELECT t.rowid, o.rowid FROM o JOIN %T AS t ON t.a = o.x WHERE \(condition)"
    default: return "SELECT rowid, * FROM %T WHERE \(condition)"
    }
  }
}
