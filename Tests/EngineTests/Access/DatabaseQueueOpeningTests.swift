import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Opening a database queue")
struct DatabaseQueueOpeningTests {
  private func createTable(_ queue: DatabaseQueue) throws {
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    }
  }

  private func count(_ queue: DatabaseQueue) throws -> Int? {
    try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") }
  }

  @Test(arguments: ["library.sqlite", "no extension", "50%20?mode=memory#é 'a\"b.db", ":memory:"])
  func `a file is created, keeps its content, and is opened again`(name: String) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/" + name
      let queue = try DatabaseQueue(path: path)
      #expect(queue.path == path)
      try createTable(queue)
      try queue.close()
      #expect(FileManager.default.fileExists(atPath: path))
      #expect(try count(DatabaseQueue(path: path)) == 2)
    }
  }

  @Test func `a database in memory is private`() throws {
    let queue = try DatabaseQueue()
    #expect(queue.path == ":memory:")
    try createTable(queue)
    #expect(try count(queue) == 2)
    #expect(throws: DatabaseError.self) { try count(DatabaseQueue()) }
  }

  @Test(.needs(.sharedCache)) func `databases in memory with the same name are one database`()
    throws
  {
    let name = UUID().uuidString
    let first = try DatabaseQueue(named: name)
    #expect(first.path == "file:\(name)?mode=memory&cache=shared")
    try createTable(first)
    let second = try DatabaseQueue(named: name)
    #expect(try count(second) == 2)
    try second.write { db in try db.execute(sql: "DELETE FROM t WHERE a = 1") }
    #expect(try count(first) == 1)
    #expect(throws: DatabaseError.self) { try count(DatabaseQueue(named: UUID().uuidString)) }
  }

  @Test(
    .needs(.sharedCache),
    arguments: [
      ("loans?mode=rwc&", "loans"), ("loans?cache", "loans"), ("loans#", "loans"), ("%41", "A"),
      ("//loans", "/loans"), ("loans/", "loans"),
    ])
  func `a name of a database in memory has no characters with a meaning`(
    prefix: String, other: String
  ) throws {
    let suffix = UUID().uuidString
    let first = try DatabaseQueue(named: prefix + suffix)
    try createTable(first)
    #expect(try count(DatabaseQueue(named: prefix + suffix)) == 2)
    #expect(throws: DatabaseError.self) { try count(DatabaseQueue(named: other + suffix)) }
    let file = try first.read { db in
      try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list")
    }
    #expect(file == "")
  }

  @Test func `an empty path is a private temporary database`() throws {
    let queue = try DatabaseQueue(path: "")
    try createTable(queue)
    #expect(try count(queue) == 2)
  }

  @Test(arguments: [
    (file: "missing.sqlite", isReadonly: true),
    (file: "missing/library.sqlite", isReadonly: false),
    (file: "missing/library.sqlite", isReadonly: true),
    (file: ".", isReadonly: false),
  ])
  func `a file that can't be opened is an error`(file: String, isReadonly: Bool) throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.readonly = isReadonly
      let error = databaseError {
        try DatabaseQueue(path: directory + "/" + file, configuration: configuration)
      }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
      #expect(error?.message == "unable to open database file")
    }
  }

  @Test(arguments: [false, true])
  func `a file that is no database is an error`(isReadonly: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/notes.txt"
      try String(repeating: "This is no database. ", count: 100)
        .write(toFile: path, atomically: true, encoding: .utf8)
      var configuration = Configuration()
      configuration.readonly = isReadonly
      let text = errorText { try DatabaseQueue(path: path, configuration: configuration) }
      #expect(
        text == "SQLite error 26: file is not a database - while opening `\(path)`")
    }
  }

  @Test func `an empty file is an empty database`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/empty.sqlite"
      try Data().write(to: URL(fileURLWithPath: path))
      try createTable(DatabaseQueue(path: path))
      #expect(try count(DatabaseQueue(path: path)) == 2)
    }
  }

  @Test func `a read-only queue reads, and does not write`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try createTable(DatabaseQueue(path: path))
      var configuration = Configuration()
      configuration.readonly = true
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      #expect(try count(queue) == 2)
      let text = errorText { try queue.write { db in try db.execute(sql: "DELETE FROM t") } }
      #expect(
        text == """
          SQLite error 8: attempt to write a readonly database
          \(readOnlyConnectionDetails)
          - while executing `DELETE FROM t`
          """)
      #expect(try count(queue) == 2)
    }
  }

  @Test(arguments: [CopyKind.memory, .temporaryFile])
  func `a copy has the content of the file, and leaves the file alone`(kind: CopyKind) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      let original = try DatabaseQueue(path: path)
      try createTable(original)
      let copy = try kind.copy(path, Configuration())
      #expect(try count(copy) == 2)
      try copy.write { db in try db.execute(sql: "DELETE FROM t") }
      #expect(try count(copy) == 0)
      #expect(try count(original) == 2)
    }
  }

  @Test(arguments: [CopyKind.memory, .temporaryFile])
  func `a read-only copy can't be written, whatever the access`(kind: CopyKind) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try createTable(DatabaseQueue(path: path))
      var configuration = Configuration()
      configuration.readonly = true
      let copy = try kind.copy(path, configuration)
      #expect(try count(copy) == 2)
      for access in SyncAccess.allCases {
        let error = databaseError {
          try access.run(on: copy) { db in try db.execute(sql: "DELETE FROM t") }
        }
        #expect(error?.resultCode == .SQLITE_READONLY, "\(access)")
      }
      #expect(try count(copy) == 2)
    }
  }

  @Test(arguments: [CopyKind.memory, .temporaryFile])
  func `a copy of a missing file is an error`(kind: CopyKind) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/missing.sqlite"
      let error = databaseError { try kind.copy(path, Configuration()) }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}

enum CopyKind: Sendable {
  case memory, temporaryFile

  func copy(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
    switch self {
    case .memory: try .inMemoryCopy(fromPath: path, configuration: configuration)
    case .temporaryFile: try .temporaryCopy(fromPath: path, configuration: configuration)
    }
  }
}
