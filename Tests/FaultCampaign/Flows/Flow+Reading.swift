import Foundation
import Quarry

extension Flow {
  static let reads = Flow(
    name: "reads", onlyReads: true,
    run: { course in
      func read(_ name: String, _ body: (Database) throws -> some Any) {
        // The second time, the statement is known, and planned no more.
        for _ in 1...2 {
          course.step(name) { try course.expectSame(name, course.database.read(body)) }
        }
      }
      read("records") { db in try Entry.order(Column("id").desc).fetchAll(db) }
      read("count") { db in try Entry.filter(Column("number") == 0).fetchCount(db) }
      read("join") { db in
        try Entry.joining(required: Entry.writer.filter(Column("name") == "Bo"))
          .order(Column("id")).fetchAll(db)
      }
      read("prefetch") { db in
        try Row.fetchAll(db, Author.including(all: Author.entries).order(Column("id")))
          .map { try "\($0) \($0.decode(String.self, forColumn: "name")) \($0.prefetchedRows)" }
      }
      read("aggregate") { db in
        try Row.fetchAll(db, Author.annotated(with: Author.entries.count).order(Column("id")))
      }
      read("cursor") { db in
        let cursor = try String.fetchCursor(db, sql: "SELECT text FROM entry ORDER BY id")
        var count = 0
        while let text = try cursor.next() { count += text.count }
        return count
      }
      read("none") { db in try Author.fetchOne(db, key: 1000) }
      read("exists") { db in try Author.exists(db, key: 1) }
      read("schema") { db in try "\(db.columns(in: "entry")) \(db.indexes(on: "entry"))" }
    })

  static let dump = Flow(
    name: "dump", onlyReads: true,
    run: { course in
      course.step("content") {
        let text = DumpText()
        try course.database.dumpContent(to: text)
        course.expectSame("content", text.text)
      }
      course.step("request") {
        let text = DumpText()
        try course.database.dumpRequest(Author.including(all: Author.entries), to: text)
        course.expectSame("request", text.text)
      }
    })

  static let snapshots = Flow(
    name: "snapshots", connections: [.pool],
    run: { course in
      guard let pool = course.writer as? DatabasePool else { return }
      let snapshot = course.step("snapshot") { try pool.makeSnapshot() }
      course.step("write") { try course.commit(1) }
      if let snapshot {
        course.mustBeReleased("the snapshot", snapshot)
        course.step("snapshot read") {
          try course.expectSame("snapshot", snapshot.read(Entry.fetchCount))
        }
      }
      course.step("concurrent read") {
        let result = Shared<Result<Int, any Error>?>(nil)
        try pool.writeWithoutTransaction { db throws -> Void in
          let before = try Entry.fetchCount(db)
          pool.spawnConcurrentRead { db in
            let count = Result { try Entry.fetchCount(db.get()) }
            result.withLock { $0 = count }
          }
          course.ledger.begin(2, entryCount: 1)
          try db.inTransaction {
            for var entry in Ledger.entries(2, count: 1) { try entry.insert(db) }
            return .commit
          }
          course.ledger.acknowledge(2)
          course.wait(for: "the concurrent read") { result.value != nil }
          let count = try result.value?.get()
          course.expect(count == before, "the concurrent read sees \(count ?? -1) of \(before)")
        }
      }
      course.step("close") { try snapshot?.close() }
      course.step("barrier") {
        try pool.barrierWriteWithoutTransaction { db throws -> Void in
          try db.execute(sql: "UPDATE author SET name = name")
        }
      }
      pool.invalidateReadOnlyConnections()
      course.step("new reader") { try course.expectSame("authors", pool.read(Author.fetchCount)) }
    })
}

/// Where a dump is written.
private final class DumpText: TextOutputStream {
  var text = ""
  func write(_ string: String) { text += string }
}
