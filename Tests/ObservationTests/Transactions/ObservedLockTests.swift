import QuarryTestSupport
import Testing

@testable import Quarry

/// A write that is observed takes the locks that it takes without observers.
@Suite struct ObservedLockTests {
  /// Calls `body` with two connections to a library. The second one ends the transaction of the
  /// first one when it has to wait for it.
  private func withLibrary(
    _ mode: Configuration.JournalModeConfiguration = .default,
    _ body: (_ first: DatabaseQueue, _ second: DatabaseQueue, _ directory: String) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/library.sqlite"
      var configuration = Configuration()
      configuration.journalMode = mode
      configuration.allowsUnsafeTransactions = true
      let first = try DatabaseQueue(path: path, configuration: configuration)
      try first.write { db in try db.execute(sql: shopSchema) }
      configuration.busyMode = .callback { _ in
        (try? first.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }) != nil
      }
      try body(first, DatabaseQueue(path: path, configuration: configuration), directory)
    }
  }

  private func observing(
    _ region: some DatabaseRegionConvertible, in queue: DatabaseQueue, _ log: Log<Int>,
    _ body: () throws -> Void
  ) throws {
    let cancellable = DatabaseRegionObservation(tracking: region).start(in: queue) {
      Issue.record($0)
    } onChange: { _ in
      log.append(1)
    }
    defer { cancellable.cancel() }
    try body()
  }

  @Test(
    arguments: [Configuration.JournalModeConfiguration.default, .wal],
    [
      "INSERT INTO book (title) VALUES ('Sea')", "UPDATE book SET title = 'Hill'",
      "DELETE FROM book WHERE id = 1",
    ])
  func `the first write of a deferred transaction waits for the lock`(
    mode: Configuration.JournalModeConfiguration, sql: String
  ) throws {
    try withLibrary(mode) { first, second, _ in
      let log = Log<Int>()
      try observing(Table("book"), in: second, log) {
        try second.writeWithoutTransaction { db in try db.execute(sql: "CREATE TABLE list (a)") }
        try first.writeWithoutTransaction { db in
          try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO book (id, title) VALUES (1, 'Lake')")
        }
        try second.inTransaction(.deferred) { db in
          try db.execute(sql: sql)
          return .commit
        }
      }
      #expect(log.elements == [1])
    }
  }

  @Test func `a write locks no attached database`() throws {
    try withLibrary { _, queue, directory in
      let archive = try DatabaseQueue(path: directory + "/archive.sqlite")
      try archive.write { db in try db.execute(sql: "CREATE TABLE loan (a)") }
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH '\(directory)/archive.sqlite' AS archive")
      }
      let log = Log<Int>()
      try observing(Table("book"), in: queue, log) {
        // SQLite locks all databases for an immediate transaction.
        try queue.inTransaction(.deferred) { db in
          try db.execute(sql: "INSERT INTO book (title) VALUES ('Sea')")
          try db.execute(sql: "UPDATE book SET title = 'Hill'")
          try archive.write { db in try db.execute(sql: "INSERT INTO loan VALUES (1)") }
          return .commit
        }
      }
      #expect(log.elements == [1])
    }
  }

  @Test func `a write waits for no lock of an attached database`() throws {
    try withLibrary { first, _, directory in
      let archive = try DatabaseQueue(path: directory + "/archive.sqlite", configuration: .init())
      let waits = Log<Int>()
      var configuration = Configuration()
      configuration.busyMode = .callback { _ in
        waits.append(1)
        return false
      }
      let queue = try DatabaseQueue(path: first.path, configuration: configuration)
      try archive.write { db in try db.execute(sql: "CREATE TABLE loan (a)") }
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH '\(directory)/archive.sqlite' AS archive")
      }
      let log = Log<Int>()
      try observing(Table("book"), in: queue, log) {
        try archive.inTransaction(.exclusive) { _ in
          try queue.writeWithoutTransaction { db in
            for _ in 1...2 { try db.execute(sql: "INSERT INTO book (title) VALUES ('Sea')") }
          }
          return .commit
        }
      }
      #expect(log.elements == [1, 1])
      #expect(waits.elements == [])
    }
  }

  @Test func `insertions after a rollback read no schema`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: shopSchema) }
    let log = Log<Int>()
    let queries = Log<String>()
    try observing(Table("note"), in: queue, log) {
      try queue.write { db in
        db.trace { event in
          if "\(event)".contains("sqlite_master") { queries.append("\(event)") }
        }
        for completion in [Database.TransactionCompletion.rollback, .commit] {
          try db.inSavepoint {
            try db.execute(sql: "INSERT INTO note VALUES ('a')")
            return completion
          }
        }
        db.trace()
      }
    }
    #expect(log.elements == [1])
    #expect(queries.elements == [])
  }

  /// FTS5 writes the words of the second table when the transaction is committed.
  @Test(.needs(.fullText))
  func `a full-text table is observed that another connection makes without content`() throws {
    try withLibrary { first, second, _ in
      try first.write { db in try db.execute(sql: "CREATE VIRTUAL TABLE ft USING fts5(title)") }
      let log = Log<Int>()
      func insert(_ id: Int) throws {
        try second.write { db in
          let insertion = try db.cachedStatement(
            sql: "INSERT INTO ft (rowid, title) VALUES (?, 'Sea')")
          try insertion.execute(arguments: [id])
        }
      }
      try observing(Table("ft"), in: second, log) {
        try insert(1)
        try first.write { db in
          try db.execute(
            sql: """
              DROP TABLE ft;
              CREATE VIRTUAL TABLE ft USING fts5(title, content='', columnsize=0);
              """)
        }
        try insert(2)
        try insert(3)
      }
      #expect(log.elements == [1, 1, 1])
    }
  }
}
