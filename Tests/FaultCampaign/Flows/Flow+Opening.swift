import Foundation
import Quarry

extension Flow {
  static let creation = Flow(
    name: "creation", opensDatabase: true,
    prepareFiles: { _, _, _ in },
    run: { course in
      for _ in 1...2 where course.writer == nil {
        course.step("open") { try course.openDatabase() }
      }
      for _ in 1...2 {
        course.step("create") {
          try course.database.write { db in
            if try !db.tableExists("entry") { try Ledger.createTables(db) }
          }
        }
      }
      course.step("first write") {
        if try course.database.read({ db in try db.tableExists("entry") }) { try course.commit(1) }
      }
    },
    check: { db in
      // The creation of the tables is one transaction.
      let tables = try ["author", "entry"].map { try db.tableExists($0) }
      return tables[0] == tables[1] ? [] : ["half of the tables is there"]
    })

  static let opening = Flow(
    name: "opening", opensDatabase: true,
    run: { course in
      for _ in 1...2 where course.writer == nil {
        course.step("open") { try course.openDatabase() }
      }
      course.step("read") { try course.expectSame("count", course.database.read(Entry.fetchCount)) }
      course.step("write") { try course.commit(1) }
    })

  /// The files are those of a process that was killed: the journal is hot, or the log has not been
  /// copied.
  static let recovery = Flow(
    name: "recovery", opensDatabase: true,
    prepareFiles: { connection, path, ledger in
      let source = path + "-source"
      let writer = try connection.open(source, Course.configuration)
      try fill(writer, ledger)
      try writer.writeWithoutTransaction { db throws -> Void in
        try db.inTransaction {
          try db.execute(sql: "UPDATE entry SET text = text || 'changed', number = 99")
          try db.execute(sql: "UPDATE author SET name = name || text FROM (SELECT text FROM entry)")
          // What does not fit into the cache is in the files already.
          for suffix in ["", "-wal", "-journal"]
          where FileManager.default.fileExists(atPath: source + suffix) {
            try FileManager.default.copyItem(atPath: source + suffix, toPath: path + suffix)
          }
          return .rollback
        }
      }
      try writer.close()
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: source + suffix)
      }
    },
    run: { course in
      for _ in 1...2 where course.writer == nil {
        course.step("open") { try course.openDatabase() }
      }
      course.step("read") {
        try course.expectSame("count", course.database.read(Entry.fetchCount))
        try course.expectSame(
          "authors", course.database.read { db in try Author.order(Column("id")).fetchAll(db) })
      }
      course.step("write") { try course.commit(1) }
    })

  static let closing = Flow(
    name: "closing", closesDatabase: true,
    run: { course in
      course.step("write") { try course.commit(1) }
      course.step("read") {
        try course.expectSame("count", course.database.read(Author.fetchCount))
      }
      course.step("close") { try course.database.close() }
      course.step("close again") { try course.database.close() }
    })

  static let checkpoint = Flow(
    name: "checkpoint", connections: [.walQueue, .pool],
    run: { course in
      let kinds: [Database.CheckpointMode] = [.passive, .full, .restart, .truncate]
      for (index, kind) in kinds.enumerated() {
        course.step("write") { try course.commit(index + 1) }
        course.step("\(kind)") {
          try course.database.writeWithoutTransaction { db throws -> Void in try db.checkpoint(kind)
          }
        }
      }
      course.step("last write") { try course.commit(5) }
    })
}
