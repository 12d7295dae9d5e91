import Quarry
import QuarryTestSupport
import Testing

@Suite("Read-only blocks")
struct ReadOnlyTests {
  private struct Failure: Error {}

  private let recorder = SQLRecorder()
  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue(configuration: recorder.recording())
    try queue.inDatabase { db in try db.execute(sql: "CREATE TABLE t (a)") }
    _ = recorder.take()
  }

  @Test func `a read-only block reads, and does not write`() throws {
    try queue.inDatabase { db in
      let count = try db.readOnly { try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
      #expect(count == 0)
      let error = databaseError {
        try db.readOnly { try db.execute(sql: "INSERT INTO t VALUES (1)") }
      }
      #expect(error?.resultCode == .SQLITE_READONLY)
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [2])
    }
  }

  @Test func `the outermost block counts`() throws {
    try queue.inDatabase { db in
      try db.readOnly {
        try db.readOnly { try db.execute(sql: "SELECT 1") }
        let error = databaseError { try db.execute(sql: "DELETE FROM t") }
        #expect(error?.resultCode == .SQLITE_READONLY)
      }
    }
    #expect(recorder.take() == ["SELECT 1"])
  }

  @Test func `a reader of a pool says that the access only reads`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let pool = try DatabasePool(path: path)
      func details(_ reader: any DatabaseReader) -> String? {
        databaseError { try reader.read { db in try db.execute(sql: "CREATE TABLE t (a)") } }?
          .details
      }
      #expect(details(pool) == readOnlyDetails)
      try #expect(details(pool.makeSnapshot()) == readOnlyDetails)
      var configuration = Configuration()
      configuration.readonly = true
      let readonly = try DatabasePool(path: path, configuration: configuration)
      #expect(details(readonly) == readOnlyConnectionDetails)
    }
  }

  @Test func `after an error, the connection can write`() throws {
    try queue.inDatabase { db in
      #expect(throws: Failure.self) {
        try db.readOnly {
          try db.readOnly { throw Failure() }
        }
      }
      try db.execute(sql: "INSERT INTO t VALUES (1)")
    }
  }

  @Test func `a read-only connection needs no statement`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try DatabaseQueue(path: path).write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      var configuration = recorder.recording()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      _ = recorder.take()
      try queue.inDatabase { db in try db.readOnly { try db.execute(sql: "SELECT 1") } }
      #expect(recorder.take() == ["SELECT 1"])
    }
  }
}
