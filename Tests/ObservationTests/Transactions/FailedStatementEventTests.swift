import Quarry
import QuarryTestSupport
import Testing

// The events of a statement that violates a constraint: those of the rows that it leaves.

@Suite struct FailedStatementEventTests {
  private static let fines = "CREATE TABLE fine (days, paid);"

  /// What is in the schema, a statement that fails, and the events of its rows.
  static let failures: [(String, String, [String])] = [
    // Names, texts and functions are no algorithms.
    (
      "CREATE TABLE job (failed INTEGER)", "INSERT INTO country VALUES ('IT', 'x'), ('FR', 'x')", []
    ),
    (
      "CREATE TABLE job (\"OR FAIL\" INTEGER)",
      "INSERT INTO country VALUES ('IT', 'OR FAIL'), ('FR', 'x') -- OR FAIL", []
    ),
    // The algorithm of another statement, table or constraint.
    (
      "CREATE TABLE job (id PRIMARY KEY ON CONFLICT FAIL)",
      "INSERT INTO country VALUES ('IT', 'x'), ('FR', 'x')", []
    ),
    (
      "CREATE TABLE copy (id INTEGER PRIMARY KEY ON CONFLICT FAIL, year CHECK (year > 0))",
      "INSERT INTO copy VALUES (1, 1815), (2, 0)", []
    ),
    (
      "CREATE TABLE copy (id INTEGER PRIMARY KEY ON CONFLICT FAIL, year CHECK (year > 0))",
      "INSERT INTO copy VALUES (1, 1815), (1, 1816)", ["insert copy 1"]
    ),
    (
      "CREATE TABLE loan (bookId REFERENCES book)", "INSERT OR FAIL INTO loan VALUES (NULL), (99)",
      []
    ),
    // Triggers.
    (
      """
      \(fines)
      CREATE TRIGGER late AFTER INSERT ON fine WHEN new.days > 30 BEGIN
        SELECT RAISE(FAIL, 'too late');
      END
      """, "INSERT INTO fine VALUES (1, 0), (40, 0)", ["insert fine 1", "insert fine 2"]
    ),
    (
      """
      \(fines)
      CREATE TRIGGER late BEFORE INSERT ON fine BEGIN
        INSERT INTO note VALUES ('late'); SELECT RAISE ( FAIL , 'too late');
      END
      """, "INSERT INTO fine VALUES (40, 0)", ["insert note 1"]
    ),
    (
      """
      \(fines)
      CREATE TRIGGER late BEFORE INSERT ON fine BEGIN
        INSERT INTO note VALUES ('a fail'); SELECT RAISE(ABORT, 'too late, fail');
      END
      """, "INSERT INTO fine VALUES (40, 0)", []
    ),
  ]

  /// An observer of all changes listens to the statements that read the schema, too.
  @Test(arguments: failures, [false, true])
  func `the rows that a failed statement leaves are reported`(
    failure: (schema: String, statement: String, events: [String]), observesAll: Bool
  ) throws {
    try withShop { db throws in
      try db.execute(sql: "INSERT INTO country VALUES ('FR', 'France')")
      try db.execute(sql: failure.schema)
      let log = EventLog()
      log.observesAllDatabaseChanges = observesAll
      db.add(transactionObserver: log)
      try db.execute(sql: "BEGIN")
      let error = databaseError { try db.execute(sql: failure.statement) }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      try db.execute(sql: "COMMIT")
      #expect(log.take() == failure.events + ["willCommit", "didCommit"])
    }
  }
}
