import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Write-ahead log of a queue")
struct WALModeTests {
  private func configuration(
    _ configuration: Configuration = Configuration(), readonly: Bool = false
  ) -> Configuration {
    var configuration = configuration
    configuration.journalMode = .wal
    configuration.readonly = readonly
    return configuration
  }

  private func journalMode(_ queue: DatabaseQueue) throws -> String? {
    try queue.inDatabase { db in try String.fetchOne(db, sql: "PRAGMA journal_mode") }
  }

  @Test func `the journal mode is the one of the file by default`() throws {
    try withTemporaryDirectory { directory throws in
      #expect(try journalMode(DatabaseQueue(path: directory + "/a.sqlite")) == "delete")
    }
  }

  @Test func `with the write-ahead log, the mode is set and stays in the file`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      do {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        #expect(try journalMode(queue) == "wal")
        #expect(
          try queue.inDatabase { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") } == 1)
      }
      #expect(try journalMode(DatabaseQueue(path: path)) == "wal")
    }
  }

  @Test func `the log is set up after the preparation, and has a file at once`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let recorder = SQLRecorder()
      let first = try DatabaseQueue(path: path, configuration: configuration(recorder.recording()))
      #expect(
        recorder.take() == [
          "SELECT * FROM sqlite_master LIMIT 1",
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = NORMAL",
          "BEGIN IMMEDIATE TRANSACTION",
          "PRAGMA main.schema_version",
          "CREATE TABLE quarry_wal (id INTEGER PRIMARY KEY)",
          "DROP TABLE quarry_wal",
          "COMMIT TRANSACTION",
        ])
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count > 0)
      let second = try DatabaseQueue(
        path: path, configuration: configuration(recorder.recording()))
      #expect(
        recorder.take() == [
          "SELECT * FROM sqlite_master LIMIT 1",
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = NORMAL",
        ])
      try first.close()
      try second.close()
    }
  }

  @Test func `a read-only queue leaves the journal mode alone`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path).write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let queue = try DatabaseQueue(path: path, configuration: configuration(readonly: true))
      #expect(try journalMode(queue) == "delete")
    }
  }

  @Test func `a database in memory can't have a write-ahead log`() throws {
    #expect(
      databaseError { try DatabaseQueue(configuration: configuration()) }?.message
        == "could not activate WAL Mode at path: :memory:")
  }

  @Test func `a reader is not locked by a writer, and sees what was committed`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let writer = try DatabaseQueue(path: path, configuration: configuration())
      try writer.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let reader = try DatabaseQueue(path: path, configuration: configuration())
      func count() throws -> Int? {
        try reader.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
      }
      try writer.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        #expect(try count() == 0)
      }
      #expect(try count() == 1)
    }
  }
}
