import Foundation
import QuarryBlobs
import QuarryTestSupport
import Testing

@testable import Quarry

/// A function that uses the connection which is calling it, in whatever way.
@Suite("Functions and collations that use their connection")
struct ActingFunctionTests {
  /// What a function does to the connection that is calling it.
  struct Action: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The result codes of its errors, and of those of the statement that calls it. Nil for no
    /// error.
    let innerCode: ResultCode?
    let outerCode: ResultCode?
    let run: @Sendable (DatabaseQueue, Database) throws -> Void

    init(
      _ name: String, inner: ResultCode? = nil, outer: ResultCode? = nil,
      _ run: @escaping @Sendable (DatabaseQueue, Database) throws -> Void
    ) {
      testDescription = name
      innerCode = inner
      outerCode = outer
      self.run = run
    }
  }

  private static let other = DatabaseFunction("act", argumentCount: 1) { _ in -1 }

  static let actions = [
    Action("replaces itself") { _, db in db.add(function: other) },
    Action("removes itself") { _, db in db.remove(function: other) },
    Action("closes the connection", inner: .SQLITE_MISUSE) { queue, _ in try queue.close() },
    Action("accesses its queue", inner: .SQLITE_MISUSE) { queue, _ in try queue.read { _ in } },
    Action("drops the table", inner: .SQLITE_LOCKED) { _, db in
      try db.execute(sql: "DROP TABLE loan")
    },
    Action("changes the schema") { _, db in
      try db.execute(sql: "CREATE TABLE member (id)")
    },
    Action("rolls back", outer: .SQLITE_ABORT) { _, db in
      try db.beginTransaction()
      try db.execute(sql: "CREATE TABLE member (id)")
      try db.rollback()
    },
    Action("vacuums", inner: .SQLITE_ERROR) { _, db in try db.execute(sql: "VACUUM") },
    Action("is backed up") { _, db in
      try DatabaseQueue().inDatabase { copy throws -> Void in try db.backup(to: copy) }
    },
    Action("is replaced by a backup", inner: .SQLITE_ERROR) { _, db in
      try DatabaseQueue().inDatabase { empty throws -> Void in try empty.backup(to: db) }
    },
    Action("is erased", inner: .SQLITE_ERROR) { _, db in try db.erase() },
    Action("serializes") { _, db in _ = try db.serialize() },
    Action("deserializes", inner: .SQLITE_BUSY) { _, db in try db.deserialize(db.serialize()) },
    Action("interrupts", outer: .SQLITE_INTERRUPT) { queue, _ in queue.interrupt() },
    Action("releases memory") { _, db in db.releaseMemory() },
    Action("changes the trace") { _, db in
      db.trace(options: [.statement, .profile]) { event in _ = event.expandedDescription }
      _ = try Int.fetchOne(db, sql: "SELECT 1")
      db.trace()
    },
    Action("deletes the row that is read") { _, db in
      try db.execute(sql: "DELETE FROM loan WHERE id = 2; INSERT INTO loan VALUES (2, 20)")
    },
  ]

  /// A database with three loans.
  private func makeLibrary() throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE loan (id INTEGER PRIMARY KEY, days INTEGER);
          INSERT INTO loan VALUES (1, 10), (2, 20), (3, 30)
          """)
    }
    return queue
  }

  private func check(_ queue: DatabaseQueue) throws {
    try queue.write { db throws in
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      #expect(try Int.fetchAll(db, sql: "SELECT days FROM loan ORDER BY id") == [10, 20, 30])
      try db.execute(sql: "INSERT INTO loan VALUES (4, 40)")
    }
    try queue.close()
  }

  @Test(arguments: actions)
  func `a function acts in the middle of a query`(action: Action) throws {
    let queue = try makeLibrary()
    let inner = Log<ResultCode?>()
    queue.inDatabase { db in
      let connection = Connection(queue, db)
      db.add(
        function: DatabaseFunction("act", argumentCount: 1) { values in
          if values[0] == 2.databaseValue {
            inner.append(databaseError { try connection.act(action) }?.resultCode)
          }
          return values[0]
        })
      var ids: [Int] = []
      let outer = databaseError {
        let cursor = try Int.fetchCursor(db, sql: "SELECT act(id) FROM loan")
        while let id = try cursor.next() { ids.append(id) }
      }
      #expect(inner.elements == [action.innerCode])
      #expect(outer?.resultCode == action.outerCode)
      // The step in which the function acts ends well.
      #expect(ids == (action.outerCode == nil ? [1, 2, 3] : [1, 2]))
      connection.end()
      db.remove(function: Self.other)
    }
    try check(queue)
  }

  @Test func `a collation fetches, and changes another table`() throws {
    let queue = try makeLibrary()
    let log = Log<Int?>()
    try queue.inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE member (name TEXT); CREATE TABLE log (name)")
      let connection = Connection(queue, db)
      db.add(
        collation: DatabaseCollation("fetching") { left, right in
          log.append(connection.count(left))
          return left.compare(right)
        })
      try db.execute(sql: "CREATE INDEX byName ON member(name COLLATE fetching)")
      try db.execute(sql: "INSERT INTO member VALUES ('Odo'), ('Shevek'), ('Bedap'), ('Takver')")
      let names = ["Bedap", "Odo", "Shevek", "Takver"]
      #expect(
        try String.fetchAll(db, sql: "SELECT name FROM member ORDER BY name COLLATE fetching")
          == names)
      #expect(
        try String.fetchAll(db, sql: "SELECT +name FROM member ORDER BY 1 COLLATE fetching")
          == names)
      #expect(!log.elements.isEmpty)
      #expect(Set(log.elements) == [3])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) > 0 FROM log") == 1)
      connection.end()
    }
    try check(queue)
  }
}

/// The connection that calls a function, for as long as its access runs.
private final class Connection: @unchecked Sendable {
  private var queue: DatabaseQueue?
  private var db: Database?

  init(_ queue: DatabaseQueue, _ db: Database) {
    self.queue = queue
    self.db = db
  }

  func end() {
    queue = nil
    db = nil
  }

  func act(_ action: ActingFunctionTests.Action) throws {
    guard let queue, let db else { return }
    try action.run(queue, db)
  }

  func count(_ name: String) -> Int? {
    guard let db else { return nil }
    try? db.execute(sql: "INSERT INTO log VALUES (?)", arguments: [name])
    return try? Int.fetchOne(db, sql: "SELECT count(*) FROM loan")
  }
}
