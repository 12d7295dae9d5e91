import Foundation
import QuarryBlobs
import QuarryTestSupport
import Testing

@testable import Quarry

/// Streams of blobs write without a statement: SQLite does not report their changes.
///
/// See <https://www.sqlite.org/c3ref/blob_write.html>.
@Suite struct BlobRegionTests {
  private let content = SQLRequest<Row>(sql: "SELECT hex(content) FROM file")

  private func withFiles<T>(_ body: (Database) throws -> T) throws -> T {
    try withShop { db in
      try db.execute(
        sql: """
          CREATE TABLE file (id INTEGER PRIMARY KEY, content BLOB, name TEXT);
          INSERT INTO file VALUES (1, zeroblob(4), 'a'), (2, zeroblob(4), 'b');
          """)
      return try body(db)
    }
  }

  private static func write(_ rowID: Int64, _ db: Database) throws {
    try db.withBlob(table: "FILE", column: "Content", rowID: rowID, access: .readWrite) { blob in
      try blob.write(Data([1, 2]), at: 1)
      try blob.write(Data([3]))
    }
  }

  @Test func `a region is notified of what a stream writes`() throws {
    try withFiles { db throws in
      let steps: [(Database) throws -> Void] = [
        { try Self.write(1, $0) },
        { try Self.write(2, $0) },
        { db in
          try db.inTransaction {
            try Self.write(1, db)
            return .commit
          }
        },
        { db in
          try db.inTransaction {
            try Self.write(1, db)
            return .rollback
          }
        },
        { db in
          try db.execute(sql: "BEGIN; SAVEPOINT a")
          try Self.write(1, db)
          try db.execute(sql: "ROLLBACK TO a; COMMIT")
        },
        { db in try db.withBlob(table: "file", column: "content", rowID: 1) { _ = try $0.read() } },
      ]
      #expect(try notifications(content, in: db, of: steps) == [1, 1, 1, 0, 0, 0])
      let first = Table("file").filter(key: 1)
      #expect(try notifications(first, in: db, of: steps) == [1, 0, 1, 0, 0, 0])
      for other in ["SELECT name FROM file", "SELECT title FROM book"] {
        let request = SQLRequest<Row>(sql: other)
        #expect(try notifications(request, in: db, of: steps) == [0, 0, 0, 0, 0, 0])
      }
    }
  }

  @Test func `observers of transactions get updates of the row`() throws {
    try withFiles { db throws in
      let log = EventLog()
      log.asks = true
      db.add(transactionObserver: log)
      try Self.write(2, db)
      let kind = #"update(file, ["content"])?"#
      // Both writes are committed when the blob is closed.
      #expect(
        log.take() == [kind, kind, "update file 2", "update file 2", "willCommit", "didCommit"])
      log.asks = false
      try db.inTransaction {
        try Self.write(1, db)
        return .rollback
      }
      #expect(log.take() == ["update file 1", "update file 1", "didRollback"])
      log.wants = { $0.tableName == "book" }
      try Self.write(1, db)
      #expect(log.take() == ["willCommit", "didCommit"])
    }
  }

  @Test func `a commit that is still to be notified is not that of a stream`() throws {
    let endings: [(Database) throws -> RowCursor?] = [
      // A cursor at its end, and an opening that fails, have committed.
      { db in
        let cursor = try Row.fetchCursor(db, sql: "DELETE FROM book RETURNING id")
        while try cursor.next() != nil {}
        return cursor
      },
      { db in
        #expect(throws: DatabaseError.self) { try Self.write(99, db) }
        return nil
      },
    ]
    for ending in endings {
      try withFiles { db throws in
        let log = EventLog()
        db.add(transactionObserver: log)
        let cursor = try ending(db)
        let blob = try db.openBlob(table: "file", column: "content", rowID: 1, access: .readWrite)
        #expect(log.take() == ["willCommit", "didCommit"])
        try blob.write(Data([1]))
        #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
        #expect(log.take() == [])
        try blob.close()
        #expect(log.take() == ["update file 1", "willCommit", "didCommit"])
        withExtendedLifetime(cursor) {}
      }
    }
  }

  @Test func `a write that fails is no change`() throws {
    try withFiles { db throws in
      let log = EventLog()
      let blob = try db.openBlob(table: "file", column: "content", rowID: 1, access: .readWrite)
      try db.execute(sql: "UPDATE file SET content = zeroblob(4)")
      db.add(transactionObserver: log)
      #expect(throws: DatabaseError.self) { try blob.write(Data([1])) }
      try blob.close()
      #expect(!log.take().contains { $0.hasPrefix("update") })
    }
  }

  /// SQLite's hook takes the write of a stream for a deletion.
  @Test func `a function that writes to a stream is reported once`() throws {
    try withFiles { db throws in
      final class Recorder: TransactionObserver {
        var lines: [String] = []
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseWillChange(with event: DatabasePreUpdateEvent) {
          lines.append("\(event.kind) \(event.tableName)?")
        }
        func databaseDidChange(with event: DatabaseEvent) {
          lines.append("\(event.kind) \(event.tableName)")
        }
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
      }
      nonisolated(unsafe) let connection = db
      db.add(
        function: DatabaseFunction("writeFile", argumentCount: 0) { _ in
          try Self.write(1, connection)
          return 1
        })
      let recorder = Recorder()
      db.add(transactionObserver: recorder)
      try db.execute(sql: "BEGIN; INSERT INTO note SELECT writeFile(); COMMIT")
      #expect(
        recorder.lines.filter { $0.contains("file") } == ["update file", "update file"])
      let announced = SQLiteFeature.preUpdateHook.isAvailable ? ["insert note?"] : []
      #expect(recorder.lines.filter { $0.contains("note") } == announced + ["insert note"])
    }
  }

  @Test(arguments: ConnectionKind.queueAndPool)
  func `a value that is read from a stream is fetched again`(kind: ConnectionKind) async throws {
    try await kind.withShop { writer async throws in
      try writer.run("CREATE TABLE file (id INTEGER PRIMARY KEY, content BLOB)")
      try writer.run("INSERT INTO file VALUES (1, zeroblob(4)), (2, zeroblob(4))")
      let report = Report<Data>()
      let log = ValueRecorder<String>()
      let observation = ValueObservation.trackingConstantRegion { db in
        try db.withBlob(table: "file", column: "content", rowID: 1) { blob in try blob.read() }
      }
      let cancellable = observation.logging(to: log).record(in: writer, into: report)
      try await log.wait { $0.contains("tracked region: file(content)[1]") }
      try writer.accessNow { db in try Self.write(2, db) }
      try writer.accessNow { db in
        try db.withBlob(table: "file", column: "content", rowID: 1, access: .readWrite) { blob in
          try blob.write(Data([7, 8]))
        }
      }
      try await report.values.wait { $0.last == Data([7, 8, 0, 0]) }
      #expect(log.elements.filter { $0 == "database did change" }.count <= 2)
      cancellable.cancel()
    }
  }
}
