import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Effects of statements")
struct StatementEffectsTests {
  private static let statements: [(sql: String, isReadonly: Bool, changesSchema: Bool)] = [
    ("SELECT * FROM t", true, false),
    (
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n", true, false
    ),
    ("SELECT upper(b), count(*) FROM t GROUP BY b", true, false),
    ("INSERT INTO t VALUES (1, 2)", false, false),
    ("INSERT INTO t VALUES (1, 2) RETURNING *", false, false),
    ("UPDATE t SET b = 1", false, false),
    ("DELETE FROM t", false, false),
    ("REINDEX t", false, false),
    ("PRAGMA user_version", true, false),
    ("CREATE TABLE x (a)", false, true),
    ("CREATE TEMPORARY TABLE x (a)", false, true),
    ("CREATE TABLE x AS SELECT * FROM t", false, true),
    ("CREATE INDEX x ON t(b)", false, true),
    ("CREATE VIEW x AS SELECT 1", false, true),
    ("CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END", false, true),
    ("CREATE VIRTUAL TABLE x USING rtree(id, a, b)", false, true),
    ("DROP TABLE t", false, true),
    ("DROP INDEX i", false, true),
    ("DROP VIEW v", false, true),
    ("DROP TRIGGER r", false, true),
    ("ALTER TABLE t ADD COLUMN x", false, true),
    ("ALTER TABLE t RENAME TO x", false, true),
    ("ALTER TABLE t RENAME COLUMN b TO x", false, true),
    ("ALTER TABLE t DROP COLUMN b", false, true),
    ("ATTACH ':memory:' AS x", true, true),
    ("DETACH x", true, true),
  ]

  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a PRIMARY KEY, b);
          CREATE INDEX i ON t(a);
          CREATE VIEW v AS SELECT * FROM t;
          CREATE TRIGGER r AFTER DELETE ON t BEGIN SELECT 1; END
          """)
      try body(db)
    }
  }

  @Test(arguments: statements)
  func `what reads, and what changes the schema, is known before it runs`(
    sql: String, isReadonly: Bool, changesSchema: Bool
  ) throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: sql)
      #expect(statement.isReadonly == isReadonly)
      #expect(statement.effects.changesSchema == changesSchema)
      #expect(statement.effects.transaction == nil)
    }
  }

  private static let transactions: [(sql: String, effect: StatementEffects.TransactionEffect)] = [
    ("BEGIN", .begin), ("BEGIN IMMEDIATE TRANSACTION", .begin), ("COMMIT", .commit),
    ("END TRANSACTION", .commit), ("ROLLBACK", .rollback), ("SAVEPOINT s", .beginSavepoint),
    ("RELEASE s", .releaseSavepoint), ("RELEASE SAVEPOINT s", .releaseSavepoint),
    ("ROLLBACK TO s", .rollbackToSavepoint),
    ("ROLLBACK TRANSACTION TO SAVEPOINT s", .rollbackToSavepoint),
  ]

  @Test(arguments: transactions)
  func `what begins and ends transactions is known before it runs`(
    sql: String, effect: StatementEffects.TransactionEffect
  ) throws {
    try inDatabase { db in
      let statement = try db.makeStatement(sql: sql)
      #expect(statement.effects.transaction == effect)
      #expect(!statement.effects.changesSchema)
      // SQLite says that the statement writes: it takes the lock.
      #expect(statement.isReadonly == !sql.contains("IMMEDIATE"))
    }
  }

  @Test(arguments: transactions.map(\.sql))
  func `what is only explained has no effect`(sql: String) throws {
    try inDatabase { db in
      #expect(try db.makeStatement(sql: "EXPLAIN \(sql)").effects.transaction == nil)
      let log = Log<String>()
      db.afterNextTransaction { _ in
        log.append("commit")
      } onRollback: { _ in
        log.append("rollback")
      }
      try db.execute(sql: "EXPLAIN \(sql)")
      #expect(log.elements == [])
      try db.execute(sql: "INSERT INTO t VALUES (1, 2)")
      #expect(log.elements == ["commit"])
    }
  }

  @Test func `the cache of the schema follows the statements of several schemas`() throws {
    try inDatabase { db throws in
      #expect(try db.columns(in: "t").count == 2)
      try db.execute(sql: "ALTER TABLE t ADD COLUMN c")
      #expect(try db.columns(in: "t").count == 3)
      try db.execute(sql: "ATTACH ':memory:' AS archive; CREATE TABLE archive.u (a)")
      #expect(try db.columns(in: "u").count == 1)
      try db.execute(sql: "CREATE TEMPORARY TABLE t (x)")
      #expect(try db.columns(in: "t").map(\.name) == ["x"])
      try db.execute(sql: "DROP TABLE t")
      #expect(try db.columns(in: "t").count == 3)
      try db.execute(sql: "DETACH archive")
      #expect(try !db.tableExists("u"))
      #expect(databaseError { try db.columns(in: "u") }?.message == "no such table: u")
      try db.inTransaction {
        try db.execute(sql: "DROP TABLE t")
        #expect(try !db.tableExists("t"))
        return .rollback
      }
      #expect(try db.columns(in: "t").count == 3)
    }
  }
}
