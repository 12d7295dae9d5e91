// Nodes run on Linux.
#if os(Linux)
  import Foundation
  import NodeProcesses
  import Quarry
  import QuarryTestSupport
  import Testing

  @testable import QuarryCluster

  /// Random statements and transactions on a cluster and on a database of this machine: the same
  /// rows, errors, counts of changes and states of the transaction.
  ///
  /// Left out is what the manual lists as different: `OR FAIL`, and deferred foreign keys that are
  /// violated at a commit.
  @Suite(
    "Random statements on a cluster", .serialized,
    .enabled(if: TestCluster.program != nil, "Scripts/cluster test"))
  struct RandomStatementTests {
    private static let schema = """
      CREATE TABLE author (id INTEGER PRIMARY KEY, rank, name TEXT UNIQUE);
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, rank INTEGER REFERENCES author ON DELETE CASCADE,
        name NUMERIC CHECK (name <> 3));
      CREATE TABLE loan (id INTEGER PRIMARY KEY AUTOINCREMENT, rank REFERENCES author, name DEFAULT 5);
      CREATE TRIGGER renamed AFTER UPDATE ON author BEGIN
        UPDATE book SET name = new.rank WHERE rank = new.id;
      END;
      CREATE VIEW shelf AS SELECT author.rank AS x, book.name FROM author
        JOIN book ON book.rank = author.id;
      """
    private static let tables = ["author", "book", "loan"]

    private struct Step {
      let sql: String
      let arguments: [DatabaseValue]

      init(_ sql: String, _ arguments: [DatabaseValue] = []) {
        (self.sql, self.arguments) = (sql, arguments)
      }

      /// What is left of it: rows or an error, changes, and the transaction.
      func outcome(_ db: Database) -> String {
        let changes = db.totalChangesCount
        var words: [String]
        do {
          let rows = try Row.fetchAll(db, sql: sql, arguments: StatementArguments(arguments))
          words = ["\(rows.map { row in row.map { "\($0.0) \($0.1)" } })"]
          if isWrite {
            words.append("changes \(db.changesCount), id \(db.lastInsertedRowID)")
          }
        } catch let error as DatabaseError {
          words = ["error \(error.extendedResultCode.rawValue)"]
        } catch {
          words = ["\(error)"]
        }
        words.append("total \(db.totalChangesCount - changes)")
        words.append(db.isInsideTransaction ? "in a transaction" : "no transaction")
        return "\(sql) \(arguments): \(words.joined(separator: ", "))"
      }

      private var isWrite: Bool {
        ["INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) }
      }
    }

    private static func value(_ random: inout SplitMix64) -> DatabaseValue {
      switch random.below(5) {
      case 0: .null
      case 1: random.below(9).databaseValue
      case 2: (Double(random.below(9)) / 2).databaseValue
      case 3: "s\(random.below(9))".databaseValue
      default: Data([UInt8(random.below(9))]).databaseValue
      }
    }

    private static func number(_ random: inout SplitMix64) -> DatabaseValue {
      random.chance(3) ? .null : random.below(30).databaseValue
    }

    private static func write(_ random: inout SplitMix64) -> Step {
      let table = random.pick(tables)
      let conflict = random.pick(["", "OR IGNORE ", "OR REPLACE ", "OR ROLLBACK ", "OR ABORT "])
      let end = random.chance(3) ? " RETURNING *" : ""
      return switch random.below(6) {
      case 0, 1:
        Step(
          "INSERT \(conflict)INTO \(table) (id, rank, name) VALUES (?, ?, ?)\(end)",
          [number(&random), number(&random), value(&random)])
      case 2:
        Step(
          "INSERT INTO \(table) (id, rank) VALUES (?1, ?2) "
            + "ON CONFLICT (id) DO UPDATE SET rank = excluded.rank + 1\(end)",
          [number(&random), number(&random)])
      case 3:
        Step(
          "INSERT \(conflict)INTO \(table) (rank, name) SELECT rank, name FROM book ORDER BY id LIMIT 5\(end)"
        )
      case 4:
        Step(
          "UPDATE \(conflict)\(table) SET name = ?, rank = ? WHERE id < ?\(end)",
          [value(&random), number(&random), random.below(30).databaseValue])
      default:
        Step("DELETE FROM \(table) WHERE id % 7 = ?\(end)", [random.below(7).databaseValue])
      }
    }

    private static let others = [
      "CREATE TABLE extra (a)", "DROP TABLE extra", "INSERT INTO extra VALUES (1)",
      "ALTER TABLE extra ADD COLUMN b", "SELECT * FROM extra", "CREATE INDEX extraA ON extra (a)",
      "DROP INDEX extraA", "PRAGMA user_version = 7", "PRAGMA user_version",
      "PRAGMA foreign_keys = 0", "PRAGMA foreign_keys = 1", "PRAGMA foreign_keys",
      "SELECT last_insert_rowid()", "CREATE TEMP TABLE pile (a)", "INSERT INTO pile VALUES (2)",
      "DROP TABLE pile", "SELECT name FROM sqlite_master ORDER BY 1", "SELECT * FROM pile",
    ]

    private static func step(_ random: inout SplitMix64) -> Step {
      switch random.below(8) {
      case 0, 1, 2: write(&random)
      case 3: Step("SELECT *, typeof(name) FROM \(random.pick(tables)) ORDER BY id")
      case 4: Step("SELECT * FROM shelf ORDER BY 1, 2")
      case 5: Step(random.pick(others))
      default:
        Step(
          random.pick([
            "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "COMMIT", "ROLLBACK", "SAVEPOINT s",
            "SAVEPOINT r", "RELEASE s", "RELEASE R", "ROLLBACK TO s", "ROLLBACK TO r",
          ]))
      }
    }

    /// Runs steps, ends their transaction, and looks at all tables.
    private static func outcomes(
      of steps: [Step], in database: any DatabaseWriter
    ) throws -> [String] {
      try database.writeWithoutTransaction { db in
        var outcomes = steps.map { $0.outcome(db) }
        if db.isInsideTransaction { try db.rollback() }
        try db.execute(sql: "PRAGMA foreign_keys = 1")
        outcomes += tables.map { Step("SELECT * FROM \($0) ORDER BY id").outcome(db) }
        return outcomes
      }
    }

    @Test func `A cluster gives what a queue gives`() throws {
      let run = RandomRun("statements on a cluster")
      try TestCluster.with(nodes: 1) { nodes in
        let cluster = try nodes.database("random")
        let queue = try DatabaseQueue()
        for database in [cluster, queue] as [any DatabaseWriter] {
          try database.write { db in try db.execute(sql: Self.schema) }
        }
        var count = 0
        try run.repeated(seconds: 2) { random in
          let steps = (0..<(1 + random.below(8))).map { _ in Self.step(&random) }
          count += steps.count
          let outcomes = try Self.outcomes(of: steps, in: cluster)
          let expected = try Self.outcomes(of: steps, in: queue)
          try #require(outcomes == expected, "seed \(run.seed)")
        }
        print("statements on a cluster: \(count)")
      }
    }
  }
#endif
