import Foundation
import QuarryBlobs
import QuarryTestSupport
import Testing

@testable import Quarry

/// Which statements a read refuses: those that `PRAGMA query_only` refuses.
@Suite(.needs(.fullText))
struct ReadOnlyStatementTests {
  private static let message = "SQLite error 8: attempt to write a readonly database"

  private static let refused = [
    "INSERT INTO book VALUES (9, 'Tides')", "UPDATE book SET title = 'Tides'",
    "DELETE FROM book WHERE 0", "REPLACE INTO book VALUES (1, 'Tides')",
    "INSERT INTO book VALUES (9, 'Tides') RETURNING id",
    "WITH new(title) AS (SELECT 'Tides') INSERT INTO book (title) SELECT title FROM new",
    "INSERT INTO basket VALUES ('a temporary table')", "DELETE FROM basket",
    "CREATE TABLE shelf (room)", "CREATE TABLE IF NOT EXISTS shelf (room)",
    "CREATE TEMPORARY TABLE shelf (room)", "CREATE INDEX byTitle ON book(title)",
    "CREATE VIEW v AS SELECT 1", "DROP TABLE book", "ALTER TABLE book RENAME TO volume",
    "CREATE TRIGGER t AFTER INSERT ON book BEGIN SELECT 1; END",
    "INSERT INTO page VALUES ('full text')", "INSERT INTO page(page) VALUES ('optimize')",
    "INSERT INTO attic.box VALUES (1)", "PRAGMA attic.user_version = 2",
    "PRAGMA user_version = 2", "PRAGMA application_id = 2", "PRAGMA schema_version = 77",
    "PRAGMA incremental_vacuum", "ANALYZE", "REINDEX",
  ]

  private static let allowed = [
    "SELECT title FROM book", "SELECT body FROM page WHERE page MATCH 'x'",
    "CREATE TABLE IF NOT EXISTS book (id)", "DROP TABLE IF EXISTS nowhere",
    "CREATE INDEX IF NOT EXISTS byId ON book(id)",
    "EXPLAIN INSERT INTO book VALUES (9, 'Tides')", "EXPLAIN QUERY PLAN DELETE FROM book",
    "PRAGMA user_version", "PRAGMA journal_mode", "PRAGMA table_info(book)",
    "PRAGMA foreign_keys = 1", "PRAGMA integrity_check",
    "SAVEPOINT mine; RELEASE mine", "SAVEPOINT mine; ROLLBACK TO mine; RELEASE mine",
  ]

  private static func makeLibrary(_ path: String = ":memory:") throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path)
    try queue.inDatabase { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          CREATE INDEX byId ON book(id);
          INSERT INTO book VALUES (1, 'Maps');
          CREATE TEMPORARY TABLE basket (book);
          CREATE VIRTUAL TABLE page USING fts5(body);
          ATTACH ':memory:' AS attic;
          CREATE TABLE attic.box (id);
          """)
    }
    return queue
  }

  private static func expectUnchanged(_ queue: DatabaseQueue) throws {
    try queue.inDatabase { db throws in
      #expect(try Row.fetchAll(db, sql: "SELECT * FROM book") == [["id": 1, "title": "Maps"]])
      #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 0)
      try db.execute(sql: "UPDATE book SET title = 'Maps'; INSERT INTO basket VALUES (1)")
    }
  }

  @Test(arguments: refused)
  func `a read refuses what writes`(sql: String) throws {
    let queue = try Self.makeLibrary()
    let text = "\(Self.message)\n\(readOnlyDetails)\n- while executing `\(sql)`"
    let texts = try queue.read { db in
      [
        errorText { try db.execute(sql: sql) },
        errorText { try db.makeStatement(sql: sql).execute() },
        errorText { try Row.fetchAll(db, sql: sql) },
        errorText { try Row.fetchCursor(db, sql: sql).next() },
      ]
    }
    #expect(texts == [text, text, text, text])
    #expect(
      queue.inDatabase { db in errorText { try db.readOnly { try db.execute(sql: sql) } } } == text)
    try Self.expectUnchanged(queue)
  }

  @Test(arguments: allowed)
  func `a read allows what does not write`(sql: String) throws {
    let queue = try Self.makeLibrary()
    try queue.read { db in try db.execute(sql: sql) }
    try queue.inDatabase { db in try db.readOnly { try db.execute(sql: sql) } }
    try Self.expectUnchanged(queue)
  }

  @Test func `a read refuses PRAGMA optimize where it has tables to analyze`() throws {
    let queue = try Self.makeLibrary()
    let sql = "PRAGMA optimize"
    let errors = {
      [
        try queue.read { db in errorText { try db.execute(sql: sql) } },
        queue.inDatabase { db in errorText { try db.readOnly { try db.execute(sql: sql) } } },
      ]
    }
    // Since SQLite 3.46, it analyzes indexes without statistics.
    let text = "\(Self.message)\n\(readOnlyDetails)\n- while executing `\(sql)`"
    let expected = SQLiteBuild.version < 3_046_000 ? nil : text
    #expect(try errors() == [expected, expected])
    try Self.expectUnchanged(queue)
  }

  @Test(arguments: ["VACUUM", "VACUUM INTO '/tmp/nothing'", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
  func `a read-only block refuses what a transaction refuses anyway`(sql: String) throws {
    let queue = try Self.makeLibrary()
    let text = queue.inDatabase { db in
      errorText { try db.readOnly { try db.execute(sql: sql) } }
    }
    #expect(text == "\(Self.message)\n\(readOnlyDetails)\n- while executing `\(sql)`")
    try Self.expectUnchanged(queue)
  }

  @Test func `A vacuum inside a transaction has its own error`() throws {
    let text = try Self.makeLibrary().read { db in errorText { try db.execute(sql: "VACUUM") } }
    #expect(
      text == """
        SQLite error 1: cannot VACUUM from within a transaction - while executing `VACUUM`
        """)
  }

  @Test func `A read-only block attaches and detaches databases`() throws {
    try Self.makeLibrary().inDatabase { db in
      try db.readOnly { try db.execute(sql: "ATTACH ':memory:' AS cellar; DETACH cellar") }
    }
  }

  @Test func `The error of a read has the arguments when they are public`() throws {
    var configuration = Configuration()
    configuration.publicStatementArguments = true
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.inDatabase { db in try db.execute(sql: "CREATE TABLE book (title)") }
    let error = try queue.read { db in
      databaseError {
        try db.execute(sql: "INSERT INTO book VALUES (?)", arguments: ["Tides"])
      }
    }
    #expect(error?.arguments == ["Tides"])
    #expect(
      error.map { "\($0)" } == """
        \(Self.message)
        \(readOnlyDetails)
        - while executing `INSERT INTO book VALUES (?)` with arguments ["Tides"]
        """)
  }

  @Test func `Statements that are compiled elsewhere are checked where they are executed`() throws {
    let queue = try Self.makeLibrary()
    let sql = "INSERT INTO book (title) VALUES ('Tides')"
    let (kept, cached) = try queue.write { db in
      (try db.makeStatement(sql: sql), try db.cachedStatement(sql: sql))
    }
    try queue.read { db throws in
      for statement in [kept, cached, try db.cachedStatement(sql: sql)] {
        #expect(databaseError { try statement.execute() }?.resultCode == .SQLITE_READONLY)
      }
    }
    let compiledInRead = try queue.read { db in try db.makeStatement(sql: sql) }
    try queue.write { db in
      try kept.execute()
      try cached.execute()
      try compiledInRead.execute()
    }
    #expect(
      try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") } == 4)
  }

  @Test func `A function that writes is refused in a read`() throws {
    let queue = try Self.makeLibrary()
    queue.inDatabase { db in
      let shelf = Unchecked(db)
      db.add(
        function: DatabaseFunction("lend", argumentCount: 0) { _ in
          try shelf.db.execute(sql: "DELETE FROM book")
          return 1
        })
    }
    let error = try queue.read { db in databaseError { try Row.fetchAll(db, sql: "SELECT lend()") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
    #expect(error?.message?.hasPrefix("attempt to write a readonly database") == true)
    try Self.expectUnchanged(queue)
  }

  @Test func `A read-only block inside a transaction leaves the transaction writable`() throws {
    let queue = try Self.makeLibrary()
    try queue.write { db in
      try db.execute(sql: "INSERT INTO book VALUES (2, 'Tides')")
      try db.readOnly {
        try db.readOnly { _ = try Row.fetchAll(db, sql: "SELECT * FROM book") }
        let error = databaseError { try db.execute(sql: "DELETE FROM book") }
        #expect(error?.resultCode == .SQLITE_READONLY)
      }
      try db.execute(sql: "INSERT INTO book VALUES (3, 'Ferns')")
    }
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") } == 3)
  }

  @Test func `A stream that writes is refused where only reads are possible`() throws {
    let queue = try Self.makeLibrary()
    let text = "\(Self.message) - in column title of table book, row 1\n\(readOnlyDetails)"
    try queue.inDatabase { db in
      let blob = try db.openBlob(table: "book", column: "title", rowID: 1, access: .readWrite)
      try db.readOnly {
        let opening = errorText {
          try db.openBlob(table: "book", column: "title", rowID: 1, access: .readWrite)
        }
        let writing = errorText { try blob.write(Data("T".utf8)) }
        let bytes = try blob.read()
        #expect(opening == text)
        #expect(writing == text)
        #expect(bytes == Data("Maps".utf8))
      }
      try blob.write(Data("Laps".utf8))
      try blob.write(Data("Maps".utf8))
      try blob.close()
    }
    try Self.expectUnchanged(queue)
  }

  @Test func `A database is not replaced where only reads are possible`() throws {
    let queue = try Self.makeLibrary()
    let source = try DatabaseQueue()
    let data = try source.inDatabase { db in
      try db.execute(sql: "CREATE TABLE other (a)")
      return try db.serialize()
    }
    try queue.inDatabase { db in
      try db.readOnly {
        let backup = databaseError { try source.inDatabase { try $0.backup(to: db) } }
        #expect(backup?.resultCode == .SQLITE_READONLY)
        #expect(databaseError { try db.deserialize(data) }?.resultCode == .SQLITE_READONLY)
      }
    }
    try Self.expectUnchanged(queue)
  }

  @Test func `A read-only copy refuses writes for ever`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      try Self.makeLibrary(path).close()
      var configuration = Configuration()
      configuration.readonly = true
      let copy = try DatabaseQueue.inMemoryCopy(fromPath: path, configuration: configuration)
      for _ in 1...2 {
        #expect(try copy.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") } == 1)
        let error = databaseError {
          try copy.write { db in try db.execute(sql: "DELETE FROM book") }
        }
        #expect(error?.resultCode == .SQLITE_READONLY)
      }
    }
  }

  @Test func `A pragma that analyzes is refused in a read when there is something to analyze`()
    throws
  {
    let queue = try Self.makeLibrary()
    try queue.inDatabase { db in
      try db.execute(sql: "ANALYZE")
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n LIMIT 1000)
          INSERT INTO book SELECT i, 'copy' FROM n;
          CREATE INDEX byTitle ON book(title);
          """)
      _ = try Row.fetchAll(db, sql: "SELECT * FROM book WHERE title = 'copy' AND id > 5")
      let before = try Row.fetchAll(db, sql: "SELECT * FROM sqlite_stat1 ORDER BY 1, 2, 3")
      let error = databaseError { try db.readOnly { try db.execute(sql: "PRAGMA optimize") } }
      let after = try Row.fetchAll(db, sql: "SELECT * FROM sqlite_stat1 ORDER BY 1, 2, 3")
      #expect(error == nil || error?.resultCode == .SQLITE_READONLY)
      #expect(before == after)
    }
  }

  @Test func `Statements are compiled once, whatever reads and writes come between`() throws {
    let queue = try Self.makeLibrary()
    let select = "SELECT title FROM book WHERE id = ?"
    let insert = "INSERT INTO book (title) VALUES (?)"
    let statements = try queue.inDatabase { db in
      [try db.cachedStatement(sql: select), try db.cachedStatement(sql: insert)]
    }
    for _ in 1...5 {
      try queue.read { db throws in
        let statement = try db.cachedStatement(sql: select)
        #expect(statement === statements[0])
        #expect(try String.fetchOne(statement, arguments: [1]) == "Maps")
      }
      try queue.write { db in try db.cachedStatement(sql: insert).execute(arguments: ["Tides"]) }
    }
    #expect(statements.map(\.handle.reprepareCount) == [0, 0])
  }

  @Test func `The check of a statement is not traced`() throws {
    let recorder = SQLRecorder()
    let queue = try DatabaseQueue(configuration: recorder.recording())
    try queue.inDatabase { db in try db.execute(sql: "CREATE TABLE book (title)") }
    _ = recorder.take()
    try queue.read { db in
      #expect(throws: DatabaseError.self) { try db.execute(sql: "DELETE FROM book") }
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS book (title)")
    }
    #expect(
      recorder.take() == [
        "BEGIN DEFERRED TRANSACTION", "CREATE TABLE IF NOT EXISTS book (title)",
        "COMMIT TRANSACTION",
      ])
  }
}

/// A connection that a function uses.
private final class Unchecked: @unchecked Sendable {
  let db: Database

  init(_ db: Database) { self.db = db }
}
