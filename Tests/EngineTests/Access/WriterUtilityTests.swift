import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Erasing and vacuuming")
struct WriterUtilityTests {
  private func populate(_ queue: DatabaseQueue) throws {
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a);
          CREATE VIEW v AS SELECT a FROM t;
          CREATE TRIGGER deletion AFTER DELETE ON t BEGIN SELECT 1; END;
          INSERT INTO t VALUES (1), (2);
          """)
    }
  }

  private func objectCount(_ queue: DatabaseQueue) throws -> Int? {
    try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master") }
  }

  @Test(arguments: [Configuration.JournalModeConfiguration.default, .wal])
  func `erase removes everything, and runs no SQL`(
    journalMode: Configuration.JournalModeConfiguration
  ) throws {
    try withTemporaryDirectory { directory in
      let recorder = SQLRecorder()
      var configuration = recorder.recording()
      configuration.journalMode = journalMode
      let queue = try DatabaseQueue(
        path: directory + "/library.sqlite", configuration: configuration)
      try populate(queue)
      #expect(try objectCount(queue) == 3)
      _ = recorder.take()
      try queue.erase()
      #expect(recorder.take() == [])
      #expect(try objectCount(queue) == 0)
      try populate(queue)
      #expect(try objectCount(queue) == 3)
    }
  }

  @Test func `vacuum makes the file smaller`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let recorder = SQLRecorder()
      let queue = try DatabaseQueue(path: path, configuration: recorder.recording())
      try queue.write { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(1000000))")
      }
      try queue.write { db in try db.execute(sql: "DELETE FROM t") }
      let size = try fileSize(path)
      _ = recorder.take()
      try queue.vacuum()
      #expect(recorder.takeStatements() == ["VACUUM"])
      #expect(try fileSize(path) < size / 10)
    }
  }

  private func fileSize(_ path: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path)).count
  }

  @Test func `vacuum(into:) writes a copy`() throws {
    try withTemporaryDirectory { directory in
      let recorder = SQLRecorder()
      let queue = try DatabaseQueue(configuration: recorder.recording())
      try populate(queue)
      _ = recorder.take()
      let path = directory + "/copy.sqlite"
      try queue.vacuum(into: path)
      #expect(recorder.take() == ["VACUUM INTO ?"])
      #expect(try objectCount(DatabaseQueue(path: path)) == 3)
    }
  }

  @Test func `vacuum(into:) refuses a file that exists, and a missing directory`() throws {
    try withTemporaryDirectory { directory in
      let queue = try DatabaseQueue()
      try populate(queue)
      try queue.vacuum(into: directory + "/copy.sqlite")
      let text = errorText { try queue.vacuum(into: directory + "/copy.sqlite") }
      #expect(
        text == "SQLite error 1: output file already exists - while executing `VACUUM INTO ?`")
      let error = databaseError { try queue.vacuum(into: directory + "/missing/copy.sqlite") }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
    }
  }

  @Test func `the asynchronous methods do the same`() async throws {
    try await withTemporaryDirectory { directory in
      let queue = try DatabaseQueue()
      try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      try await queue.vacuum()
      let path = directory + "/copy.sqlite"
      try await queue.vacuum(into: path)
      try await queue.erase()
      let exists = try await queue.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master")
      }
      #expect(exists == 0)
      let copied = try await DatabaseQueue(path: path).read { db in
        try String.fetchOne(db, sql: "SELECT name FROM sqlite_master")
      }
      #expect(copied == "t")
    }
  }
}
