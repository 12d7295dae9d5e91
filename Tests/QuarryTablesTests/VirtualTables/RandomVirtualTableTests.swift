import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

/// Random conditions, orders and limits on a virtual table that takes care of what it can, and on
/// an ordinary table with the same rows.
@Suite("Random conditions on virtual tables")
struct RandomVirtualTableTests {
  private static let types: [Database.ColumnType?] = [.integer, .text, .real, .numeric, nil]

  private static func value(_ random: inout SplitMix64) -> DatabaseValue {
    switch random.below(9) {
    case 0: .null
    case 1, 2: Int64(random.below(12)).databaseValue
    case 3: (Double(random.below(24)) / 2).databaseValue
    case 4: "\(random.below(12))".databaseValue
    case 5:
      random.pick(["5.0", " 5", "1e1", "0.5", "", "abc", "ABC", "b", "05", "-3"]).databaseValue
    case 6: random.int64().databaseValue
    case 7: Data([UInt8(random.below(3)) + 0x30]).databaseValue
    default: random.double().databaseValue
    }
  }

  private static func literal(_ random: inout SplitMix64) -> String {
    let value = value(&random)
    guard case .double(let double) = value.storage, !double.isFinite else {
      return value.sqlLiteralForTest
    }
    return double < 0 ? "-9e999" : "9e999"
  }

  /// SQLite 3.40 makes one list of `a = x OR a = y COLLATE NOCASE`, and forgets the collation: for
  /// an indexed column of an ordinary table as well. So terms of OR have no collation here.
  private static func condition(
    _ random: inout SplitMix64, depth: Int = 0, isTermOfOr: Bool = false
  ) -> String {
    if depth < 2, random.chance(4) {
      let isOr = random.chance(2)
      let terms = (0..<2).map { _ in
        condition(&random, depth: depth + 1, isTermOfOr: isOr)
      }
      return "(\(terms.joined(separator: isOr ? " OR " : " AND ")))"
    }
    let column = random.pick(["a", "b", "c", "rowid"])
    switch random.below(8) {
    case 0: return "\(column) IS \(random.pick(["NULL", "NOT NULL", literal(&random)]))"
    case 1: return "\(column) BETWEEN \(literal(&random)) AND \(literal(&random))"
    case 2:
      let list = (0...random.below(4)).map { _ in literal(&random) }.joined(separator: ", ")
      return "\(column) \(random.chance(4) ? "NOT " : "")IN (\(list))"
    case 3:
      return "\(column) \(random.pick(["LIKE", "GLOB"])) '\(random.pick(["a%", "5*", "%", "*0"]))'"
    case 4 where !isTermOfOr: return "\(column) = \(literal(&random)) COLLATE NOCASE"
    case 5:
      return
        "\(column) \(random.pick(["=", "<", ">="])) \(random.pick(["a", "b", "c", "o.x", "o.y"]))"
    default:
      return "\(column) \(random.pick(["=", "=", "<", "<=", ">", ">=", "<>"])) \(literal(&random))"
    }
  }

  private static func plan(_ query: inout VirtualTableQuery) {
    LoggedTable.useAll(&query)
    query.isOrdered =
      query.orderings == [.init(column: nil, isDescending: true)]
      || query.orderings == [.init(column: nil, isDescending: false)]
    query.handlesLimit = true
    query.estimatedRowCount = query.constraints.isEmpty ? 1000 : 10
  }

  @Test func `a virtual table has the rows and the errors of an ordinary one`() throws {
    let run = RandomRun("virtual tables")
    let count = try run.repeated(seconds: 0.8, atMost: 60) { random in
      let queue = try DatabaseQueue()
      try queue.inDatabase { db throws -> Void in
        let columns = ["a", "b", "c"].map { VirtualTableColumn($0, random.pick(Self.types)) }
        let declaration = columns.map { "\($0.name) \($0.type?.rawValue ?? "")" }
        try db.execute(
          sql: """
            CREATE TABLE plain (\(declaration.joined(separator: ", ")));
            CREATE TABLE o (x INTEGER, y TEXT);
            INSERT INTO o VALUES (5, '5'), (10, 'abc'), (NULL, '0.5')
            """)
        for _ in 0..<random.below(40) {
          let values = (0..<3).map { _ in Self.value(&random) }
          try db.execute(
            sql: "INSERT INTO plain VALUES (?, ?, ?)", arguments: StatementArguments(values))
        }
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM plain").map { Array($0.databaseValues) }
        let table = LoggedTable(columns: columns, rows: rows, planning: Self.plan)
        try db.register(table: "virtual", table)
        for _ in 0..<15 { try compare(Self.query(&random), db, run.seed) }
      }
    }
    #expect(count > 0)
  }

  private static func query(_ random: inout SplitMix64) -> String {
    var sql = "SELECT t.rowid, t.*"
    let isJoined = random.chance(3)
    let condition = condition(&random)
    let needsOther = condition.contains("o.")
    sql +=
      isJoined || needsOther
      ? ", o.* FROM \(random.chance(2) ? "o JOIN %T AS t" : "%T AS t JOIN o") ON"
      : " FROM %T AS t WHERE"
    sql += " \(condition.replacingOccurrences(of: "rowid", with: "t.rowid"))"
    if !isJoined, !needsOther {
      sql += random.pick([
        "", " ORDER BY t.rowid", " ORDER BY t.rowid DESC", " ORDER BY a, t.rowid",
      ])
      if sql.contains("ORDER"), random.chance(2) {
        sql += " LIMIT \(random.below(6) - 1) OFFSET \(random.below(4))"
      }
    }
    return sql
  }

  private func compare(_ query: String, _ db: Database, _ seed: UInt64) throws {
    func result(_ table: String) -> (rows: [String], error: String?) {
      do {
        let sql = query.replacingOccurrences(of: "%T", with: table)
        let rows = try Row.fetchAll(db, sql: sql).map { "\(Array($0.databaseValues))" }
        return (query.contains("ORDER BY") ? rows : rows.sorted(), nil)
      } catch {
        return ([], (error as? DatabaseError)?.message ?? "\(error)")
      }
    }
    let (plain, virtual) = (result("plain"), result("virtual"))
    #expect(virtual.rows == plain.rows, "seed \(seed): \(query)")
    #expect(virtual.error == plain.error, "seed \(seed): \(query)")
  }
}

extension DatabaseValue {
  /// The value in SQL.
  fileprivate var sqlLiteralForTest: String {
    switch storage {
    case .null: "NULL"
    case .int64(let integer): integer == .min ? "(-9223372036854775807 - 1)" : "\(integer)"
    case .double(let double): "\(double)"
    case .string(let text): "'\(text)'"
    case .blob(let data): "x'\(data.map { String(format: "%02x", $0) }.joined())'"
    }
  }
}
