import Dispatch
import Foundation
import Quarry
import QuarryAccess
import QuarryTestSupport

extension Mistake {
  static let accesses = [
    Mistake("`queue.read` inside `queue.write`") { database in
      try database.write { _ in try database.read { _ in } }
    },
    Mistake("a write in `read`") { try $0.read { db in try Book(id: 9).insert(db) } },
    Mistake("a write on a `readonly` connection") { _ in
      try withTemporaryDirectory { folder in
        _ = try DatabaseQueue(path: folder + "/books.sqlite")
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(
          path: folder + "/books.sqlite", configuration: configuration)
        try database.write { db in try db.execute(sql: "CREATE TABLE book (id)") }
      }
    },
    Mistake("`db.inTransaction` inside `write`") {
      try $0.write { db in try db.inTransaction { .commit } }
    },
    Mistake("a cursor that is kept after its access") { database in
      let cursor = try database.read { db in try Book.fetchCursor(db) }
      _ = try cursor.next()
    },
    Mistake("`db` that is kept after its access") { database in
      var kept: Database?
      try database.read { db in kept = db }
      _ = try kept.map { try Book.fetchAll($0) }
    },
    Mistake("another connection writes") { _ in
      try withTemporaryDirectory { folder in
        let first = try DatabaseQueue(path: folder + "/books.sqlite")
        let second = try DatabaseQueue(path: folder + "/books.sqlite")
        try first.write { _ in try second.write { _ in } }
      }
    },
    Mistake("another connection writes for longer than the timeout") { _ in
      try withTemporaryDirectory { folder in
        var configuration = Configuration()
        configuration.busyMode = .timeout(0.01)
        let first = try DatabaseQueue(path: folder + "/books.sqlite")
        let second = try DatabaseQueue(
          path: folder + "/books.sqlite", configuration: configuration)
        try first.write { _ in try second.write { _ in } }
      }
    },
    Mistake("a deferred transaction that has read before another connection writes") { _ in
      try withTemporaryDirectory { folder in
        let first = try DatabasePool(path: folder + "/books.sqlite")
        try first.write { db in try db.execute(sql: "CREATE TABLE book (id)") }
        let second = try DatabasePool(path: folder + "/books.sqlite")
        try first.writeWithoutTransaction { db in
          try db.inTransaction(.deferred) {
            _ = try Row.fetchAll(db, sql: "SELECT * FROM book")
            try second.write { db in try db.execute(sql: "INSERT INTO book VALUES (1)") }
            try db.execute(sql: "INSERT INTO book VALUES (2)")
            return .commit
          }
        }
      }
    },
    Mistake("a deadline that passes while a statement runs") {
      try $0.read(deadline: .now + .seconds(1)) { db in
        _ = try Row.fetchOne(
          db, sql: "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
      }
    },
    Mistake("a deadline that passes while another access writes") { database in
      let (begins, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        try? database.write { _ in
          begins.signal()
          ends.wait()
        }
      }
      begins.wait()
      defer { ends.signal() }
      try database.write(deadline: .now + .milliseconds(20)) { _ in }
    },
    Mistake("another connection writes for longer than all tries of `write(retry:)`") { _ in
      try withTemporaryDirectory { folder in
        let first = try DatabaseQueue(path: folder + "/books.sqlite")
        let second = try DatabaseQueue(path: folder + "/books.sqlite")
        try first.write { _ in
          try second.write(retry: .whenLocked(tries: 3, pause: .milliseconds(1))) { _ in }
        }
      }
    },
    Mistake("`close()` with an open statement") { _ in
      let database = try DatabaseQueue()
      let statement = try database.read { db in try db.makeStatement(sql: "SELECT 1") }
      try withExtendedLifetime(statement) { try database.close() }
    },
    Mistake("`close()` inside an access") { database in
      try database.write { _ in try database.close() }
    },
  ]
}
