import Quarry
import QuarryPlans

/// An index that makes the plan of a request better.
public struct SuggestedIndex: Hashable, Sendable, CustomStringConvertible {
  /// The table.
  public let table: String

  /// The columns, in the order of the index.
  public let columns: [String]

  /// Creates an index, to compare others with.
  public init(table: String, columns: [String]) {
    self.table = table
    self.columns = columns
  }

  /// The call that creates the index, in a migration.
  public var description: String {
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    return "This index helps: try db.create(indexOn: \"\(table)\", columns: [\(names)])"
  }
}

/// Finds an index by trying: in a temporary database with the same schema and no rows, indexes are
/// created, the statement is explained, and the savepoint is rolled back. The connection itself may
/// only read, or be reading.
enum IndexAdvice {
  /// Columns are tried alone, in pairs, and in triples.
  private static let columnLimit = 3
  private static let candidateLimit = 6

  /// Nil if no index helps, or the statement can't be explained without the database: one that
  /// refers to attached databases.
  static func best(for plan: ExplainedPlan, _ db: Database) throws -> SuggestedIndex? {
    let tables = try plan.tables(db)
    guard !tables.isEmpty else { return nil }
    let words = Set(
      plan.sql.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { $0.lowercased() })
    let candidates = try tables.map { table in
      let columns = try db.columns(in: table).map(\.name).filter { words.contains($0.lowercased()) }
      return (table, Array(columns.prefix(candidateLimit)))
    }
    let schema = try String.fetchAll(
      db,
      sql: """
        SELECT sql FROM sqlite_master
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND type <> 'trigger'
        ORDER BY type = 'view', type = 'index', rowid
        """)
    return try db.withTemporaryDatabase { copy in
      try copy.writeWithoutTransaction { copy in
        // Some fail: the tables of full-text tables exist with those.
        for sql in schema { try? copy.execute(sql: sql) }
        return try best(for: plan.sql, candidates, copy)
      }
    }
  }

  private static func best(
    for sql: String, _ candidates: [(table: String, columns: [String])], _ db: Database
  ) throws -> SuggestedIndex? {
    guard var best = try? db.explain(sql: sql).cost(db) else { return nil }
    var found: SuggestedIndex?
    for count in 1...columnLimit {
      for (table, columns) in candidates {
        for columns in sequences(of: columns, count: count) where best > 0 {
          let cost = try cost(of: sql, with: columns, of: table, db)
          guard let cost, cost < best else { continue }
          best = cost
          found = SuggestedIndex(table: table, columns: columns)
        }
      }
      // A longer index must be worth its columns.
      if best == 0 { break }
    }
    return found
  }

  private static func cost(
    of sql: String, with columns: [String], of table: String, _ db: Database
  ) throws -> Int? {
    var cost: Int?
    try db.inSavepoint {
      let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      let index = "CREATE INDEX quarry_candidate ON \(table.quotedDatabaseIdentifier) (\(names))"
      if (try? db.execute(sql: index)) != nil { cost = try? db.explain(sql: sql).cost(db) }
      return .rollback
    }
    return cost
  }

  private static func sequences(of columns: [String], count: Int) -> [[String]] {
    if count == 0 { return [[]] }
    return sequences(of: columns, count: count - 1).flatMap { start in
      columns.filter { !start.contains($0) }.map { start + [$0] }
    }
  }
}

extension ExplainedPlan {
  /// The number of steps that an index could make better.
  fileprivate func cost(_ db: Database) throws -> Int {
    try tableScans(db).count + automaticIndexes.count + temporaryTrees.count
  }
}
