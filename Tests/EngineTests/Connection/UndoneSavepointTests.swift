import Foundation
import Quarry
import QuarryTestSupport
import Testing

#if os(Linux)
  /// SQLite undoes all changes when it fails to commit a savepoint that has begun a transaction,
  /// and stays inside of it.
  @Suite("Savepoints that are not committed", .timeLimit(.minutes(10)))
  struct UndoneSavepointTests {
    @Test func `a savepoint that can't be committed is rolled back`() async throws {
      try await withTemporaryDirectory { directory async throws in
        _ = await #expect(processExitsWith: .success) {
          [path = directory + "/library.sqlite" as String] in
          try Self.release(DatabaseQueue(path: path), isObserved: false)
          try Self.release(DatabaseQueue(path: path), isObserved: true)
        }
      }
    }

    private static func release(_ queue: DatabaseQueue, isObserved: Bool) throws {
      let log = Log<String>()
      try queue.inDatabase { db in
        try db.execute(sql: "DROP TABLE IF EXISTS book; CREATE TABLE book (title TEXT)")
        if isObserved {
          db.afterNextTransaction { _ in
            log.append("commit")
          } onRollback: { _ in
            log.append("rollback")
          }
        }
        try db.execute(sql: "SAVEPOINT shelf; INSERT INTO book VALUES ('Emma')")
        let error = databaseError { try withoutSpace { try db.execute(sql: "RELEASE shelf") } }
        #expect(error?.resultCode == .SQLITE_IOERR)
        #expect(error?.sql == "RELEASE shelf")
        #expect(!db.isInsideTransaction)
        #expect(log.elements == (isObserved ? ["rollback"] : []))
        // Otherwise, this would be committed with the savepoint, and without its book.
        try db.execute(sql: "INSERT INTO book VALUES ('Orlando')")
      }
      let titles = try queue.read { db in try String.fetchAll(db, sql: "SELECT title FROM book") }
      #expect(titles == ["Orlando"])
    }
  }
#endif
