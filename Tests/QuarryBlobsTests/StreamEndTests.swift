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

  @Test func `a rollback outside of transactions ends the stream, too`() throws {
    try makeFiles().inDatabase { db throws in
      let blob = try Self.open(db, .readWrite)
      try blob.write(Data([1]))
      // A statement that fails leaves it open.
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT INTO file VALUES (2, x'00')")
      }
      try blob.write(Data([2]), at: 1)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR ROLLBACK INTO file VALUES (2, x'00')")
      }
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      #expect(databaseError { try blob.write(Data([3])) }?.resultCode == .SQLITE_ABORT)
      try blob.close()
      #expect(try contents(db) == [Data([0, 0]), Data([0, 0]), Data([3])])
    }
  }

  private final class Opener: TransactionObserver {
    var stream: DatabaseBlob?
    var refuses = true
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { if refuses { throw Refusal() } }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {
      refuses = false
      stream = try? StreamEndTests.open(db, .readWrite)
      try? stream?.write(Data([1]))
    }
  }

  @Test func `a rollback does not end the stream that its observer opens`() throws {
    try makeFiles().inDatabase { db throws in
      let observer = Opener()
      db.add(transactionObserver: observer)
      try db.execute(sql: "SAVEPOINT a; INSERT INTO file VALUES (3, x'03')")
      #expect(throws: Refusal.self) { try db.execute(sql: "RELEASE a") }
      try observer.stream?.write(Data([2]), at: 1)
      try observer.stream?.close()
      #expect(try contents(db) == [Data([1, 2]), Data([0, 0])])
    }
  }

  private struct Bytes: ContiguousBytes {
    var action: () -> Void
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      action()
      return try [UInt8]([1]).withUnsafeBytes(body)
    }
  }

  @Test func `bytes close the stream, or roll back, while they are written`() throws {
    try makeFiles().inDatabase { db throws in
      try db.beginTransaction()
      let blob = try Self.open(db, .readWrite)
      let rollback = databaseError { try blob.write(Bytes { try? db.rollback() }) }
      #expect(rollback?.resultCode == .SQLITE_ABORT)
      try blob.reopen(rowID: 1)
      let close = databaseError { try blob.write(Bytes { try? blob.close() }) }
      #expect(close?.message?.hasPrefix("Blob is closed") == true)
      #expect(try contents(db) == [Data([0, 0]), Data([0, 0])])
    }
  }

  /// Observers want to know the column, whose name in the schema is looked up.
  @Test func `an interruption closes the stream that is about to be written to`() throws {
    let queue = try makeFiles()
    try queue.inDatabase { db throws in
      let observer = Opener()
      observer.refuses = false
      db.add(transactionObserver: observer)
      let blob = try Self.open(db, .readWrite)
      db.clearSchemaCache()
      db.trace { if "\($0)".contains("table_xinfo") { queue.interrupt() } }
      #expect(databaseError { try blob.write(Data([1])) }?.resultCode == .SQLITE_INTERRUPT)
      db.trace(options: [], nil)
      #expect(try contents(db) == [Data([0, 0]), Data([0, 0])])
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
