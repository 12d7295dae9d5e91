import Dispatch
import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

/// Streams that rollbacks, observers and cancellations end.
@Suite("Ends of streams", .timeLimit(.minutes(10)))
struct StreamEndTests {
  private func makeFiles() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE file (id INTEGER PRIMARY KEY, content BLOB);
          INSERT INTO file VALUES (1, x'0000'), (2, x'0000');
          """)
    }
    return queue
  }

  private static func open(
    _ db: Database, _ access: DatabaseBlob.Access
  ) throws -> DatabaseBlob {
    try db.openBlob(table: "file", column: "content", rowID: 1, access: access)
  }

  private func contents(_ db: Database) throws -> [Data] {
    try Data.fetchAll(db, sql: "SELECT content FROM file ORDER BY id")
  }

  /// SQLite would take it for a writer: the insertion would not be committed, and be rolled back
  /// with the stream.
  @Test func `a stream is over after a rollback, and undoes nothing of what follows`() throws {
    try makeFiles().inDatabase { db throws in
      try db.beginTransaction()
      let blob = try Self.open(db, .readWrite)
      try blob.write(Data([1]))
      try db.rollback()
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      let error = databaseError { try blob.write(Data([2])) }
      #expect(error?.resultCode == .SQLITE_ABORT)
      #expect(
        error?.message
          == "the transaction was rolled back - in column content of table file, row 1")
      #expect(databaseError { _ = try blob.read() }?.resultCode == .SQLITE_ABORT)
      try blob.reopen(rowID: 2)
      try blob.write(Data([2]))
      try blob.close()
      #expect(databaseError { _ = try blob.read() }?.message?.hasPrefix("Blob is closed") == true)
      #expect(try contents(db) == [Data([0, 0]), Data([2, 0]), Data([3])])
    }
  }

  @Test func `a stream is over after a rollback by SQLite`() throws {
    try makeFiles().inDatabase { db throws in
      try db.beginTransaction()
      let blob = try Self.open(db, .readWrite)
      try blob.write(Data([1]))
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR ROLLBACK INTO file VALUES (2, x'00')")
      }
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      #expect(databaseError { try blob.write(Data([2])) }?.resultCode == .SQLITE_ABORT)
      try blob.close()
      #expect(databaseError { _ = try blob.read() }?.message?.hasPrefix("Blob is closed") == true)
      #expect(try contents(db) == [Data([0, 0]), Data([0, 0]), Data([3])])
    }
  }

  /// The end of the cursor is notified before the stream is used.
  @Test func `an observer closes the stream that is about to be used`() throws {
    try makeFiles().inDatabase { db throws in
      let blob = try Self.open(db, .readOnly)
      nonisolated(unsafe) let stream = blob
      db.afterNextTransaction { _ in try? stream.close() }
      let cursor = try Row.fetchCursor(db, sql: "DELETE FROM file WHERE id = 2 RETURNING id")
      while try cursor.next() != nil {}
      #expect(databaseError { _ = try blob.read() }?.message?.hasPrefix("Blob is closed") == true)
      withExtendedLifetime(cursor) {}
    }
  }

  private struct Refusal: Error {}

  @Test func `a commit by a cancellation is notified with the end of the access`() async throws {
    let queue = try makeFiles()
    let log = Log<String>()
    let (written, canceled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    nonisolated(unsafe) var kept: DatabaseBlob?
    let task = Task {
      try await queue.writeWithoutTransaction { db in
        db.afterNextTransaction { _ in log.append("commit") }
        let blob = try Self.open(db, .readWrite)
        kept = blob
        try blob.write(Data([1]))
        written.signal()
        canceled.wait()
        throw Refusal()
      }
    }
    await waitOnThread(for: written)
    task.cancel()
    canceled.signal()
    await #expect(throws: (any Error).self) { try await task.value }
    #expect(log.elements == ["commit"])
    #expect(try await queue.read { try contents($0) } == [Data([1, 0]), Data([0, 0])])
    withExtendedLifetime(kept) {}
  }
}
