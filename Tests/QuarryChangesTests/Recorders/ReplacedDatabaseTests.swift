import Foundation
import Quarry
import QuarryBlobs
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Recordings of a replaced database", .needs(.sessions))
struct ReplacedDatabaseTests {
  private func makeQueue(_ sql: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: sql) }
    return queue
  }

  private func version(_ queue: DatabaseQueue) throws -> Int32 {
    try queue.read { db in try db.schemaVersion() }
  }

  @Test func `a recorder looks at the tables again, also for an equal version of the schema`()
    throws
  {
    let queue = try makeQueue("CREATE TABLE book (id INTEGER PRIMARY KEY, title)")
    let other = try makeQueue("CREATE TABLE book (id INTEGER, title)")
    #expect(try version(queue) == version(other))
    let reports = RecorderReports()
    let recorder = try reports.record(queue)
    try queue.write { db in try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma')") }
    let data = try other.read { db in try db.serialize() }
    try queue.writeWithoutTransaction { db in try db.deserialize(data) }
    let error = changesetError {
      try queue.write { db in try db.execute(sql: "INSERT INTO book VALUES (2, 'Sanditon')") }
    }
    #expect(error?.code == .unrecordable)
    #expect(error?.table == "book")
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM book") } == 0)
    #expect(reports.take() == ["insert book [1]"])
    recorder.stop()
  }

  @Test func `a log looks at the columns again, also for an equal version of the schema`() throws {
    let queue = try makeQueue("CREATE TABLE book (id INTEGER PRIMARY KEY NOT NULL, title, author)")
    let present = "CREATE TABLE book (id INTEGER PRIMARY KEY NOT NULL, author, title)"
    let other = try makeQueue(present)
    let peer = try makeQueue(present)
    let log = try ChangeLog(queue, tables: ["book"], identity: "A")
    let otherLog = try ChangeLog(other, tables: ["book"], identity: "B")
    let peerLog = try ChangeLog(peer, tables: ["book"], identity: "C")
    #expect(try version(queue) == version(other))
    try queue.write { db in try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma', 'Austen')") }
    let data = try other.read { db in try db.serialize() }
    try queue.writeWithoutTransaction { db in try db.deserialize(data) }
    try queue.write { db in
      try db.execute(sql: "INSERT INTO book (id, title, author) VALUES (2, 'Dracula', 'Stoker')")
    }
    try peerLog.receive(log.changes(after: 0, for: "C"))
    #expect(
      try peer.read { db in try Row.fetchAll(db, sql: "SELECT * FROM book") } == [
        ["id": 2, "author": "Stoker", "title": "Dracula"]
      ])
    withExtendedLifetime(otherLog) {}
  }

  @Test func `changes are recorded and undone before and after a replacement`() throws {
    let sql = "CREATE TABLE book (id INTEGER PRIMARY KEY, title)"
    let data = try makeQueue(sql).read { db in try db.serialize() }
    for _ in 0..<20 {
      let queue = try makeQueue(sql)
      let undo = try UndoStack(queue)
      for title in ["Emma", "Sanditon"] {
        try undo.record("insertion") { db in
          try db.execute(sql: "INSERT INTO book (title) VALUES (?)", arguments: [title])
        }
        try undo.undo()
        let changes = try queue.write { db in
          try db.recordChanges { try db.execute(sql: "INSERT INTO book VALUES (2, 'Evelina')") }
        }
        #expect(changes.description == "insert book [2]")
        try queue.writeWithoutTransaction { db in try db.deserialize(data) }
      }
    }
  }
}
