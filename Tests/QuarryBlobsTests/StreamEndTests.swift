import CSQLite
import Dispatch
import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

/// Streams that rollbacks, observers and cancellations end.
@Suite("Ends of streams", .timeLimit(.minutes(10)))
struct StreamEndTests {
  private func makeFiles() throws -> DatabaseQueue { try Self.addFiles(to: DatabaseQueue()) }

  private static func addFiles(to queue: DatabaseQueue) throws -> DatabaseQueue {
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE file (id INTEGER PRIMARY KEY, content BLOB);
          INSERT INTO file VALUES (1, x'0000'), (2, x'0000');
          """)
    }
    return queue
  }

  private static func contents(_ db: Database) throws -> [Data] {
    try Data.fetchAll(db, sql: "SELECT content FROM file ORDER BY id")
  }

  /// SQLite would take it for a writer: the insertion would not be committed, and be rolled back
  /// with the stream.
  @Test func `a stream is over after a rollback, and undoes nothing of what follows`() throws {
    try makeFiles().inDatabase { db throws in
      try db.beginTransaction()
      let blob = try openContent(db, 1, .readWrite)
      try blob.write(Data([1]))
      try db.rollback()
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      let error = databaseError { try blob.write(Data([2])) }
      #expect(error?.resultCode == .SQLITE_ABORT)
      #expect(
        error?.message == "a rollback has ended the stream - in column content of table file, row 1"
      )
      #expect(databaseError { _ = try blob.read() }?.resultCode == .SQLITE_ABORT)
      try blob.reopen(rowID: 2)
      try blob.write(Data([2]))
      try blob.close()
      #expect(databaseError { _ = try blob.read() }?.message?.hasPrefix("Blob is closed") == true)
      #expect(try Self.contents(db) == [Data([0, 0]), Data([2, 0]), Data([3])])
    }
  }

  @Test func `a stream is over after a rollback by SQLite`() throws {
    try makeFiles().inDatabase { db throws in
      try db.beginTransaction()
      let blob = try openContent(db, 1, .readWrite)
      try blob.write(Data([1]))
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR ROLLBACK INTO file VALUES (2, x'00')")
      }
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      #expect(databaseError { try blob.write(Data([2])) }?.resultCode == .SQLITE_ABORT)
      try blob.close()
      #expect(databaseError { _ = try blob.read() }?.message?.hasPrefix("Blob is closed") == true)
      #expect(try Self.contents(db) == [Data([0, 0]), Data([0, 0]), Data([3])])
    }
  }

  @Test func `a rollback outside of transactions ends the stream, too`() throws {
    try makeFiles().inDatabase { db throws in
      let blob = try openContent(db, 1, .readWrite)
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
      #expect(try Self.contents(db) == [Data([0, 0]), Data([0, 0]), Data([3])])
    }
  }

  /// SQLite begins no savepoint while a stream writes: what writes was opened in it.
  @Test(arguments: [false, true])
  func `the rollback of a savepoint ends its stream, and not the transaction`(fails: Bool) throws {
    let queue = try makeFiles()
    try queue.write { db in
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      var stream: DatabaseBlob?
      do {
        try db.inSavepoint {
          stream = try openContent(db, 1, .readWrite)
          try stream?.write(Data([1]))
          if fails { throw Refusal() }
          return .rollback
        }
      } catch is Refusal {}
      let blob = try #require(stream)
      #expect(databaseError { try blob.write(Data([2])) }?.resultCode == .SQLITE_ABORT)
      try blob.reopen(rowID: 1)
      try blob.write(Data([3]))
      try blob.close()
    }
    let contents = try queue.read(Self.contents)
    #expect(contents == [Data([3, 0]), Data([0, 0]), Data([3])])
  }

  #if os(Linux)
    @Test(arguments: [false, true])
    func `an error of output of a stream ends the others, and the next statement is committed`(
      isExplicit: Bool
    ) async throws {
      try await withTemporaryDirectory { directory async throws in
        _ = await #expect(processExitsWith: .success) {
          [path = directory + "/library.sqlite" as String, isExplicit = isExplicit as Bool] in
          try Self.addFiles(to: DatabaseQueue(path: path)).inDatabase { db in
            if isExplicit { try db.execute(sql: "BEGIN") }
            try Self.failOneOfTwoStreams(db, path)
          }
        }
      }
    }

    private static func failOneOfTwoStreams(_ db: Database, _ path: String) throws {
      let first = try openContent(db, 1, .readWrite)
      let second = try db.openBlob(table: "file", column: "content", rowID: 2, access: .readWrite)
      try? withoutSpace { try first.write(Data([1])) }
      let error = databaseError { try first.close() }
      #expect(error?.resultCode == .SQLITE_IOERR)
      #expect(error?.message?.hasPrefix("disk I/O error") == true)
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      let isStored = try DatabaseQueue(path: path).read { db in try contents(db).count == 3 }
      #expect(isStored)
      #expect(databaseError { try second.write(Data([2])) }?.resultCode == .SQLITE_ABORT)
      try second.close()
      try #expect(contents(db) == [Data([0, 0]), Data([0, 0]), Data([3])])
    }
  #endif

  /// The rollback of an insertion by an interruption is notified when other statements end.
  @Test func `an observer of the rollback by an interruption writes`() throws {
    let queue = try makeFiles()
    try queue.inDatabase { db throws in
      db.add(
        function: DatabaseFunction("interrupt", argumentCount: 1, pure: false) { values in
          queue.interrupt()
          return Int.fromDatabaseValue(values[0])
        })
      try db.beginTransaction()
      let blob = try openContent(db, 1, .readWrite)
      try blob.write(Data([1]))
      let cursor = try Int.fetchCursor(db, sql: "SELECT id FROM file")
      _ = try cursor.next()
      let errors = Log<String>()
      db.afterNextTransaction { _ in
      } onRollback: { db in
        do {
          try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
        } catch {
          errors.append("\(error)")
        }
      }
      let insertion = """
        INSERT INTO file (id)
        WITH RECURSIVE number(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM number WHERE n < 100000)
        SELECT interrupt(n) FROM number
        """
      #expect(databaseError { try db.execute(sql: insertion) }?.resultCode == .SQLITE_INTERRUPT)
      #expect(errors.elements == [])
      #expect(try Self.contents(db) == [Data([0, 0]), Data([0, 0]), Data([3])])
      withExtendedLifetime(cursor) {}
    }
  }

  /// SQLite does not end it: it stays a writer.
  @Test func `a call of a stream that the C API has rolled back ends the stream`() throws {
    try makeFiles().inDatabase { db throws in
      try db.beginTransaction()
      let blob = try openContent(db, 1, .readWrite)
      try blob.write(Data([1]))
      let code = sqlite3_exec(db.sqliteConnection, "ROLLBACK", nil, nil, nil)
      #expect(code == SQLITE_OK)
      #expect(databaseError { try blob.write(Data([2])) }?.resultCode == .SQLITE_ABORT)
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      try blob.close()
      #expect(try Self.contents(db) == [Data([0, 0]), Data([0, 0]), Data([3])])
    }
  }

  @Test func `a rollback does not end a stream that is over already`() throws {
    try makeFiles().inDatabase { db throws in
      let blob = try openContent(db, 1, .readWrite)
      try db.execute(sql: "UPDATE file SET content = x'0505' WHERE id = 1")
      let message = "the row was changed or deleted - in column content of table file, row 1"
      #expect(databaseError { _ = try blob.read() }?.message == message)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "INSERT OR ROLLBACK INTO file VALUES (2, x'00')")
      }
      #expect(databaseError { _ = try blob.read() }?.message == message)
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
      stream = try? openContent(db, 1, .readWrite)
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
      #expect(try Self.contents(db) == [Data([1, 2]), Data([0, 0])])
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
      let blob = try openContent(db, 1, .readWrite)
      let rollback = databaseError { try blob.write(Bytes { try? db.rollback() }) }
      #expect(rollback?.resultCode == .SQLITE_ABORT)
      try blob.reopen(rowID: 1)
      let close = databaseError { try blob.write(Bytes { try? blob.close() }) }
      #expect(close?.message?.hasPrefix("Blob is closed") == true)
      #expect(try Self.contents(db) == [Data([0, 0]), Data([0, 0])])
    }
  }

  /// Observers want to know the column, whose name in the schema is looked up.
  @Test func `an interruption closes the stream that is about to be written to`() throws {
    let queue = try makeFiles()
    try queue.inDatabase { db throws in
      let observer = Opener()
      observer.refuses = false
      db.add(transactionObserver: observer)
      let blob = try openContent(db, 1, .readWrite)
      db.clearSchemaCache()
      db.trace { if "\($0)".contains("table_xinfo") { queue.interrupt() } }
      #expect(databaseError { try blob.write(Data([1])) }?.resultCode == .SQLITE_INTERRUPT)
      db.trace(options: [], nil)
      #expect(try Self.contents(db) == [Data([0, 0]), Data([0, 0])])
    }
  }

  /// The end of the cursor is notified before the stream is used.
  @Test func `an observer closes the stream that is about to be used`() throws {
    try makeFiles().inDatabase { db throws in
      let blob = try openContent(db, 1, .readOnly)
      nonisolated(unsafe) let stream = blob
      db.afterNextTransaction { _ in try? stream.close() }
      let cursor = try Row.fetchCursor(db, sql: "DELETE FROM file WHERE id = 2 RETURNING id")
      while try cursor.next() != nil {}
      #expect(databaseError { _ = try blob.read() }?.message?.hasPrefix("Blob is closed") == true)
      withExtendedLifetime(cursor) {}
    }
  }

  @Test func `a commit by an interruption is notified with the end of the access`() throws {
    let queue = try makeFiles()
    let log = Log<String>()
    var kept: DatabaseBlob?
    try queue.inDatabase { db throws in
      db.afterNextTransaction { _ in log.append("commit") }
      kept = try openContent(db, 1, .readWrite)
      try kept?.write(Data([1]))
      queue.interrupt()
      let error = databaseError { try db.execute(sql: "DELETE FROM file WHERE id = 7") }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
    }
    #expect(log.elements == ["commit"])
    withExtendedLifetime(kept) {}
  }

  @Test(arguments: ["COMMIT", "RELEASE nothing"])
  func `a commit outside of transactions that fails is no rollback`(sql: String) throws {
    let queue = try makeFiles()
    let log = Log<String>()
    try queue.inDatabase { db throws in
      let blob = try openContent(db, 1, .readWrite)
      try blob.write(Data([1]))
      db.afterNextTransaction { _ in
        log.append("commit")
      } onRollback: { _ in
        log.append("rollback")
      }
      #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
      #expect(log.elements == [])
      try blob.close()
      #expect(log.elements == ["commit"])
    }
  }

  private final class Refusing: TransactionObserver {
    var refuses = true
    var ends: [Database.TransactionCompletion] = []
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { if refuses { throw Refusal() } }
    func databaseDidCommit(_ db: Database) { ends.append(.commit) }
    func databaseDidRollback(_ db: Database) { ends.append(.rollback) }
  }

  /// The stream was opened where writes are possible.
  @Test func `a refused commit is a rollback, also where only reads are possible`() throws {
    try makeFiles().inDatabase { db throws in
      let observer = Refusing()
      db.add(transactionObserver: observer)
      let blob = try openContent(db, 1, .readWrite)
      try blob.write(Data([1]))
      // A closure in `#expect(throws:)` ends the compiler of Swift 6.3.1.
      var refusal: (any Error)?
      do { try db.readOnly { try blob.close() } } catch { refusal = error }
      #expect(refusal is Refusal)
      #expect(observer.ends == [.rollback])
      observer.refuses = false
      try db.beginTransaction()
      try db.execute(sql: "INSERT INTO file VALUES (3, x'03')")
      let error = databaseError { try db.execute(sql: "INSERT INTO file VALUES (2, x'00')") }
      #expect(error?.resultCode == .SQLITE_CONSTRAINT)
      try db.commit()
      #expect(observer.ends == [.rollback, .commit])
      #expect(try Self.contents(db) == [Data([0, 0]), Data([0, 0]), Data([3])])
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
        let blob = try openContent(db, 1, .readWrite)
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
    #expect(try await queue.read { try Self.contents($0) } == [Data([1, 0]), Data([0, 0])])
    withExtendedLifetime(kept) {}
  }
}
