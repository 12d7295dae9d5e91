import Quarry
import QuarryTestSupport

/// Two accounts, and the transfers between them: a transaction that moves 1, and notes it.
enum Accounts {
  private static let total = 1_000_000

  /// Calls `body` with a pool on a new file that waits for other processes.
  static func withPool(_ body: (DatabasePool) async throws -> Void) async throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    try await withTemporaryDirectory { directory in
      let pool = try DatabasePool(
        path: directory + "/library.sqlite", configuration: configuration)
      try await pool.write { db in
        try db.execute(
          sql: """
            CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER);
            CREATE TABLE transfer (process TEXT, number INTEGER, PRIMARY KEY (process, number));
            INSERT INTO account VALUES (1, \(total)), (2, 0);
            """)
      }
      try await body(pool)
    }
  }

  /// What each transaction keeps: the sum of the accounts, and the number of the transfers is the
  /// balance of the second.
  @Sendable static func areWhole(_ db: Database) throws -> Bool {
    let first = try Int.fetchOne(db, sql: "SELECT balance FROM account WHERE id = 1") ?? 0
    let second = try Int.fetchOne(db, sql: "SELECT balance FROM account WHERE id = 2") ?? 0
    let transfers = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM transfer") ?? 0
    return first + second == total && second == transfers
  }

  @Sendable static func transfer(_ db: Database, _ process: String, _ number: Int) throws {
    try db.execute(sql: "UPDATE account SET balance = balance - 1 WHERE id = 1")
    try db.execute(sql: "UPDATE account SET balance = balance + 1 WHERE id = 2")
    try db.execute(sql: "INSERT INTO transfer VALUES (?, ?)", arguments: [process, number])
  }
}
