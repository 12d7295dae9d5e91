import CSQLite
import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Statements that end a transaction fail where memory is short. Here, a limit has the same effect:
/// SQLite does not compile them.
struct FailedRollbackTests {
  private struct Failure: Error {}

  private func makeQueue() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db throws -> Void in
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE child (parentId INTEGER REFERENCES parent(id));
          """)
    }
    return queue
  }

  /// From now on, SQLite compiles no statement that it does not know, or all of them again.
  private func compilesStatements(_ isAllowed: Bool, _ connection: SQLiteConnection?) {
    sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, isAllowed ? 1_000_000 : 5)
  }

  @Test func `a transaction whose rollback has failed is rolled back before the next access`()
    throws
  {
    let queue = try makeQueue()
    let connection = try queue.inDatabase { db throws in db.sqliteConnection }
    #expect(throws: Failure.self) {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO parent VALUES (1)")
        compilesStatements(false, connection)
        throw Failure()
      }
    }
    compilesStatements(true, connection)
    try queue.inDatabase { db throws in
      #expect(!db.isInsideTransaction)
      try db.execute(sql: "INSERT INTO parent VALUES (2)")
    }
    let ids = try queue.read { db in try Int.fetchAll(db, sql: "SELECT id FROM parent") }
    #expect(ids == [2])
  }

  @Test func `a transaction whose rollback has failed is rolled back before the next one`() throws {
    let queue = try makeQueue()
    try queue.inDatabase { db throws in
      let connection = db.sqliteConnection
      #expect(throws: Failure.self) {
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO parent VALUES (1)")
          compilesStatements(false, connection)
          throw Failure()
        }
      }
      compilesStatements(true, connection)
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO parent VALUES (2)")
        return .commit
      }
      try #expect(Int.fetchAll(db, sql: "SELECT id FROM parent") == [2])
    }
  }

  @Test func `a savepoint that can't be undone takes its transaction with it`() throws {
    let queue = try makeQueue()
    let error = databaseError {
      try queue.write { db in
        let connection = db.sqliteConnection
        try? db.inSavepoint {
          try db.execute(sql: "INSERT INTO parent VALUES (1)")
          compilesStatements(false, connection)
          throw Failure()
        }
        compilesStatements(true, connection)
        try db.execute(sql: "INSERT INTO parent VALUES (2)")
      }
    }
    #expect(error?.resultCode == .SQLITE_ABORT)
    let count = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM parent") }
    #expect(count == 0)
  }

  @Test func `foreign keys are enforced again after a migration that can't be undone`() throws {
    let queue = try makeQueue()
    let connection = try queue.inDatabase { db throws in db.sqliteConnection }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      compilesStatements(false, db.sqliteConnection)
      throw Failure()
    }
    #expect(throws: Failure.self) { try migrator.migrate(queue) }
    compilesStatements(true, connection)
    let error = databaseError {
      try queue.write { db in try db.execute(sql: "INSERT INTO child VALUES (1)") }
    }
    #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
  }
}
