import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Random SQL, with random arguments, run in all the ways there are: each succeeds, or throws an
/// error that can be described.
@Suite("Random SQL", .serialized)
struct SQLFuzzTests {
  private func makeDatabase() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE, c);
          CREATE TABLE u (a REFERENCES t(a), b DEFAULT 1, c CHECK (c <> 7));
          INSERT INTO t VALUES (1, 'x', NULL), (2, 'é', 1.5), (3, '', X'00FF');
          INSERT INTO u VALUES (1, 2, 3), (NULL, 'y', 'z');
          """)
    }
    return queue
  }

  private static let maximumRowCount = 200

  /// Runs SQL in one of the ways, and looks at all that it gives.
  private func run(
    _ sql: String, _ arguments: StatementArguments, _ db: Database, _ random: inout SplitMix64
  ) throws {
    switch random.below(8) {
    case 0: try db.execute(sql: sql, arguments: arguments)
    case 1:
      let statements = try db.allStatements(sql: sql, arguments: arguments)
      while let statement = try statements.next() { try look(at: statement, &random) }
    case 2:
      let statement = try db.makeStatement(sql: sql)
      statement.setUncheckedArguments(arguments)
      try look(at: statement, &random)
    case 3:
      let statement = try db.cachedStatement(sql: sql)
      try statement.setArguments(arguments)
      try look(at: statement, &random)
    case 4:
      let request = SQLRequest<Row>(sql: sql, arguments: arguments)
      _ = try request.fetchCursor(db).prefix(Self.maximumRowCount).map(\.debugDescription).isEmpty
      _ = try request.fetchOne(db)
    case 5:
      let piece = SQL(sql: sql, arguments: arguments)
      let literal: SQL = "SELECT * FROM (\(piece)) WHERE 1 = \(random.text()) LIMIT 5"
      _ = try SQLRequest<Row>(literal: literal).fetchAll(db)
    case 6:
      let value = random.pick(DecodedType.all)
      let statement = try db.makeStatement(sql: sql)
      try statement.setArguments(arguments)
      try value.fetchOne(statement, nil)
    default:
      _ = try Row.fetchCursor(db, sql: sql, arguments: arguments)
        .prefix(Self.maximumRowCount).enumerated().map { "\($0)" }.joined(separator: "\n")
    }
  }

  private func look(at statement: Statement, _ random: inout SplitMix64) throws {
    _ = (statement.description, statement.isReadonly, statement.arguments.description)
    _ = (statement.columnNames, statement.columnCount, statement.index(ofColumn: "a"))
    let cursor = try Row.fetchCursor(statement)
    var count = 0
    var kept: [Row] = []
    while let row = try cursor.next(), count < Self.maximumRowCount {
      count += 1
      if random.chance(4) { kept.append(row) }
      if random.chance(50) { try statement.execute() }
    }
    _ = kept.map(\.description)
  }

  @Test func `Statements that are nearly right, salads of words, and bytes`() throws {
    let run = RandomRun("random SQL")
    var successes = 0
    var failures = 0
    try run.repeated(seconds: 0.8) { random in
      let queue = try makeDatabase()
      for _ in 0..<30 {
        var sql = RandomSQL(random: random)
        let text = sql.statements()
        random = sql.random
        let arguments = random.arguments()
        do {
          try queue.writeWithoutTransaction { db in
            try self.run(text, arguments, db, &random)
          }
          successes += 1
        } catch {
          failures += 1
          #expect(
            error is DatabaseError || error is RowDecodingError, "seed \(run.seed): \(error)")
          _ = ("\(error)", (error as? DatabaseError)?.expandedDescription)
        }
      }
      try queue.close()
    }
    #expect(successes > 0 && failures > 0, "seed \(run.seed)")
  }
}
