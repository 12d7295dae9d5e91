import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Random rows, read as random types through random adapters, while they are live, kept, or copied.
@Suite("Random rows", .serialized)
struct RowFuzzTests {
  /// What the record of a run reads from its row.
  private struct Plan {
    var reads: [(type: DecodedType, index: Int, name: String)]

    @TaskLocal static var current: Plan?
  }

  /// A record that reads a list of columns, by subscripts.
  private struct AnyRecord: FetchableRecord {
    init(row: Row) {
      for read in Plan.current?.reads ?? [] { read.type.bySubscript(row, read.index, read.name) }
      let scope: AnyScope? = row["s"]
      _ = scope
    }
  }

  private struct AnyScope: FetchableRecord {
    var names: [String]

    init(row: Row) {
      for read in Plan.current?.reads ?? [] { read.type.bySubscript(row, read.index, read.name) }
      names = Array(row.columnNames)
    }
  }

  private static let names = ["a", "A", "b", "é", "", "a b", "zz", "s"]

  private func adapter(_ random: inout SplitMix64, depth: Int = 0) -> (any RowAdapter)? {
    switch random.below(8) {
    case 0: SuffixRowAdapter(fromIndex: random.below(8))
    case 1:
      RangeRowAdapter(random.below(3)..<(3 + random.below(4)))
    case 2: EmptyRowAdapter()
    case 3: ColumnMapping([random.pick(Self.names): random.pick(Self.names)])
    case 4: RenameColumnAdapter { $0 + "x" }
    case 5 where depth < 3, 6 where depth < 3:
      ScopeAdapter([
        "s": adapter(&random, depth: depth + 1) ?? EmptyRowAdapter(),
        "r": SuffixRowAdapter(fromIndex: random.below(4)),
      ])
    default: nil
    }
  }

  private func reads(_ random: inout SplitMix64) -> Plan {
    Plan(
      reads: (0..<(1 + random.below(6))).map { _ in
        (random.pick(DecodedType.all), random.below(9) - 1, random.pick(Self.names))
      })
  }

  /// Reads a row in all ways that throw.
  private func read(_ row: Row, _ random: inout SplitMix64) {
    for read in reads(&random).reads {
      _ = try? read.type.atIndex(row, read.index)
      _ = try? read.type.forColumn(row, read.name)
    }
    _ = (row.description, row.debugDescription, row.hashValue, row == row.copy())
    _ = (row[random.pick(Self.names)], row.hasColumn("a"), row.containsNonNullValue)
    _ = row.coalesce(Self.names) as DatabaseValue?
    _ = try? row.withUnsafeData(named: random.pick(Self.names)) { $0.map { Data($0) } }
    _ = try? row.decode(AnyScope.self, forKey: random.pick(["s", "r", "zz"]))
    for (_, scope) in row.scopes { _ = (scope.description, scope.unadapted.count) }
    _ = (row.scopesTree["r"]?.unscoped, row.unadapted, row.prefetchedRows.isEmpty)
    for (index, pair) in row.enumerated() { _ = (index, pair.0, pair.1) }
  }

  private func statement(_ random: inout SplitMix64, _ db: Database) throws -> Statement {
    let columns = (0...random.below(6)).map { _ in
      "? AS \"\(random.pick(Self.names))\""
    }
    let rows = (0...random.below(4)).map { _ in "SELECT " + columns.joined(separator: ", ") }
    let statement = try db.makeStatement(sql: rows.joined(separator: " UNION ALL "))
    let count = rows.count * columns.count
    let values = (0..<count).map { _ in random.databaseValue() }
    try statement.setArguments(StatementArguments(values))
    return statement
  }

  @Test func `Any access to any row succeeds or throws, and rows that are kept don't change`()
    throws
  {
    let run = RandomRun("random rows")
    let queue = try DatabaseQueue()
    try run.repeated(seconds: 0.6) { random in
      try queue.inDatabase { db in
        let statement = try statement(&random, db)
        let adapter = adapter(&random)
        var kept: [(row: Row, text: String)] = []
        _ = errorText {
          let cursor = try Row.fetchCursor(statement, adapter: adapter)
          while let row = try cursor.next() {
            // Where a blob is read as a text, SQLite turns it into a text: who reads a row may
            // change it.
            if random.chance(2) {
              kept.append((row, row.debugDescription))
            } else {
              read(row, &random)
            }
          }
        }
        for (row, text) in kept { #expect(row.debugDescription == text, "seed \(run.seed)") }
        for row in (try? Row.fetchAll(statement, adapter: adapter)) ?? [] { read(row, &random) }
        let type = random.pick(DecodedType.all)
        _ = errorText { try type.fetchAll(statement, adapter) }
        _ = errorText { try type.fetchOne(statement, adapter) }
      }
    }
  }

  @Test func `A record that reads whatever its row has not is an error of the fetch`() throws {
    let run = RandomRun("random records")
    let queue = try DatabaseQueue()
    try run.repeated(seconds: 0.5) { random in
      try queue.inDatabase { db in
        let statement = try statement(&random, db)
        let adapter = adapter(&random)
        Plan.$current.withValue(reads(&random)) {
          let all = errorText { try AnyRecord.fetchAll(statement, adapter: adapter) }
          let cursor = errorText {
            let cursor = try AnyRecord.fetchCursor(statement, adapter: adapter)
            while try cursor.next() != nil {}
          }
          #expect(all == cursor, "seed \(run.seed)")
        }
      }
    }
  }

  @Test func `Any value converts to any type, or not`() throws {
    let run = RandomRun("random values")
    run.repeated(seconds: 0.3) { random in
      let value = random.databaseValue()
      for type in DecodedType.all { _ = type.fromValue(value) }
      _ = (value.description, value.hashValue, value == random.databaseValue())
    }
  }
}
