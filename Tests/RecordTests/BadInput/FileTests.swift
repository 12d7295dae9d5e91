import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Files that are no good database")
struct FileTests {
  private func withDatabase(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
            INSERT INTO t SELECT i, 'some text ' || i FROM n;
            """)
      }
      try queue.close()
      try body(path)
    }
  }

  @Test(arguments: ["missing", "a/b/c", "é ü"])
  func `The error of a file that can't be opened names it`(file: String) throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.readonly = true
      let path = directory + "/" + file
      let error = databaseError { try DatabaseQueue(path: path, configuration: configuration) }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
      let copy = databaseError { try DatabaseQueue.inMemoryCopy(fromPath: path) }
      #expect(error?.description.contains(path) == true)
      #expect(copy?.description.contains(path) == true)
    }
  }

  @Test func `A damaged page is an error of the statement that reads it`() throws {
    try withDatabase { path in
      var data = try Data(contentsOf: URL(filePath: path))
      data.replaceSubrange(4096..<data.count, with: Data(repeating: 0xA5, count: data.count - 4096))
      try data.write(to: URL(filePath: path))
      let queue = try DatabaseQueue(path: path)
      let reads: [(Database) throws -> Any?] = [
        { try Row.fetchAll($0, sql: "SELECT * FROM t") },
        { try Row.fetchOne($0, Table("t").filter(key: 7)) },
        { try Table("t").fetchCount($0) },
        { try Array(Int.fetchCursor($0, sql: "SELECT id FROM t")) },
      ]
      for read in reads {
        let error = databaseError { try queue.read(read) }
        #expect(error?.resultCode == .SQLITE_CORRUPT)
        #expect(error?.sql?.hasPrefix("SELECT") == true)
      }
      let write = databaseError { try queue.write { try $0.execute(sql: "DELETE FROM t") } }
      #expect(write?.resultCode == .SQLITE_CORRUPT)
    }
  }

  @Test(arguments: [20, 99, 4096, 6000])
  func `A file that is cut short is an error`(length: Int) throws {
    try withDatabase { path in
      let data = try Data(contentsOf: URL(filePath: path))
      try data.prefix(length).write(to: URL(filePath: path))
      let error = databaseError {
        try DatabaseQueue(path: path).read { db in try Row.fetchAll(db, sql: "SELECT * FROM t") }
      }
      #expect([.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error?.resultCode), "\(error as Any)")
    }
  }

  @Test func `A file of another kind is no database, whatever opens it`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/image.png"
      try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(
        to: URL(filePath: path))
      let opens: [() throws -> Any?] = [
        { try DatabaseQueue(path: path) }, { try DatabaseQueue.inMemoryCopy(fromPath: path) },
        { try DatabaseQueue.temporaryCopy(fromPath: path) },
      ]
      for open in opens { #expect(databaseError(open)?.resultCode == .SQLITE_NOTADB) }
      #expect(try Data(contentsOf: URL(filePath: path)).count == 5000)
    }
  }

  @Test func `An error of the preparation of a connection is the error of the opening`() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "SELECT * FROM nowhere") }
    let error = databaseError { try DatabaseQueue(configuration: configuration) }
    #expect(error?.message == "no such table: nowhere")
    #expect(error?.sql == "SELECT * FROM nowhere")
  }

  @Test func `A file that disappears does not stop the program`() throws {
    try withDatabase { path in
      let queue = try DatabaseQueue(path: path)
      try FileManager.default.removeItem(atPath: path)
      _ = errorText { try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } }
      _ = errorText { try queue.write { try $0.execute(sql: "DELETE FROM t") } }
      try queue.close()
    }
  }
}
