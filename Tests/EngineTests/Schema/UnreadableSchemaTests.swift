import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// An attached database that is locked or damaged.
@Suite(.timeLimit(.minutes(10)))
struct UnreadableSchemaTests {
  /// Calls `body` with a library that has attached `archive`, and with a connection to the latter.
  private func withArchive(
    _ configuration: Configuration = Configuration(),
    _ body: (_ library: DatabaseQueue, _ archive: DatabaseQueue) throws -> Void
  ) throws {
    try withTemporaryDirectory { directory in
      let archive = try DatabaseQueue(path: directory + "/archive.sqlite")
      try archive.write { db in
        try db.execute(sql: "CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT)")
      }
      let library = try DatabaseQueue(
        path: directory + "/library.sqlite", configuration: configuration)
      try library.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
            INSERT INTO book VALUES (1, 'Ulysses');
            """)
        try db.execute(sql: "ATTACH ? AS archive", arguments: [archive.path])
      }
      try body(library, archive)
    }
  }

  private func fetchBook(_ db: Database) throws -> Row? {
    try Table("book").filter(key: 1).fetchOne(db)
  }

  private func expectBook(_ library: DatabaseQueue) throws {
    try library.read { db throws in
      #expect(try fetchBook(db) == ["id": 1, "title": "Ulysses"])
      #expect(try db.columns(in: "book").map(\.name) == ["id", "title"])
      #expect(try Table("main.book").filter(key: 1).fetchOne(db) == ["id": 1, "title": "Ulysses"])
      #expect(try db.columns(in: "main.book").map(\.name) == ["id", "title"])
      #expect(try db.tableExists("main.book"))
      #expect(try !db.tableExists("main.film"))
    }
  }

  /// What looks for a table of the archive, or for one that may be there, throws.
  private func expectErrors(_ library: DatabaseQueue, _ code: ResultCode) {
    for table in ["film", "archive.film", "shelf", "archive.shelf"] {
      let requests: [(Database) throws -> Void] = [
        { db in _ = try Table(table).fetchAll(db) },
        { db in _ = try Table(table).filter(key: 1).fetchOne(db) },
        { db in _ = try db.columns(in: table) },
        { db in _ = try db.tableExists(table) },
      ]
      for request in requests {
        let error = databaseError {
          try library.read { db throws in
            _ = try fetchBook(db)
            try request(db)
          }
        }
        #expect(error?.resultCode == code, "\(table): \(error as Any)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a locked database is only missed by requests that look for its tables`(
    isKnown: Bool
  ) throws {
    try withArchive { library, archive in
      if isKnown { _ = try library.read { db in try db.columns(in: "film") } }
      try archive.inTransaction(.exclusive) { _ in
        try expectBook(library)
        expectErrors(library, .SQLITE_BUSY)
        return .rollback
      }
      try archive.write { db in
        try db.execute(sql: "ALTER TABLE film ADD COLUMN year; CREATE TABLE shelf (id)")
      }
      try library.read { db throws in
        #expect(try db.columns(in: "film").map(\.name) == ["id", "title", "year"])
        #expect(try db.tableExists("shelf"))
        #expect(try Table("archive.film").fetchCount(db) == 0)
      }
    }
  }

  @Test(arguments: [false, true])
  func `a damaged database is only missed by requests that look for its tables`(
    isKnown: Bool
  ) throws {
    try withArchive { library, archive in
      if isKnown { _ = try library.read { db in try db.columns(in: "film") } }
      let file = try #require(FileHandle(forUpdatingAtPath: archive.path))
      try file.write(contentsOf: Data(repeating: 0, count: 100))
      try file.close()
      try expectBook(library)
      expectErrors(library, .SQLITE_NOTADB)
    }
  }

  @Test func `a table is found in the same access once its database is no longer locked`() throws {
    try withArchive { library, archive in
      try library.writeWithoutTransaction { db throws in
        try archive.inTransaction(.exclusive) { _ in
          let error = databaseError { try db.columns(in: "film") }
          #expect(error?.resultCode == .SQLITE_BUSY)
          return .rollback
        }
        #expect(try Table("film").filter(key: 1).fetchOne(db) == nil)
        #expect(try db.columns(in: "film").map(\.name) == ["id", "title"])
      }
    }
  }

  @Test func `a deferred transaction does not wait for a locked database that it does not use`()
    throws
  {
    let waits = Log<Int>()
    var configuration = Configuration()
    configuration.busyMode = .callback { numberOfTries in
      waits.append(numberOfTries)
      return false
    }
    try withArchive(configuration) { library, archive in
      _ = try library.read { db in try fetchBook(db) }
      try archive.inTransaction(.exclusive) { _ in
        try library.inDatabase { db in
          try db.inTransaction(.deferred) {
            _ = try Table("book").filter(key: 1).updateAll(db, Column("title").set(to: "Emma"))
            return .commit
          }
        }
        return .rollback
      }
      #expect(waits.elements == [])
      #expect(try library.read { db in try fetchBook(db) } == ["id": 1, "title": "Emma"])
    }
  }

  @Test func `a database that can be read again does not stop a deferred transaction`() throws {
    try withArchive { library, archive in
      try library.inDatabase { db throws in
        try archive.inTransaction(.exclusive) { _ in
          _ = try fetchBook(db)
          try db.beginTransaction(.deferred)
          return .rollback
        }
        _ = try Table("book").filter(key: 1).updateAll(db, Column("title").set(to: "Emma"))
        try db.commit()
        #expect(try fetchBook(db) == ["id": 1, "title": "Emma"])
      }
    }
  }

  /// The key of the film is its title, from then on.
  @Test func `a deferred transaction is not committed where an attached schema has changed`() throws
  {
    try withArchive { library, archive in
      try archive.write { db in try db.execute(sql: "INSERT INTO film VALUES (1, '2'), (2, '1')") }
      let error = databaseError {
        try library.inDatabase { db in
          _ = try Table("film").filter(key: 1).fetchOne(db)
          try db.inTransaction(.deferred) {
            try archive.write { db in
              try db.execute(
                sql: """
                  CREATE TABLE new (id INTEGER, title INTEGER PRIMARY KEY);
                  INSERT INTO new SELECT id, title FROM film;
                  DROP TABLE film;
                  ALTER TABLE new RENAME TO film;
                  """)
            }
            _ = try Table("film").filter(key: 1).deleteAll(db)
            return .commit
          }
        }
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      #expect(try archive.read { db in try Table("film").fetchCount(db) } == 2)
    }
  }

  @Test func `a deferred transaction with a time limit waits for the lock of its database`() throws
  {
    var configuration = Configuration()
    configuration.busyMode = .timeout(7200)
    configuration.accessTimeLimit = .seconds(600)
    try withArchive(configuration) { library, _ in
      // A request that asks for the schema in the transaction reads before it writes.
      _ = try library.read(fetchBook)
      let other = try DatabaseQueue(path: library.path)
      let isLocked = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        try? other.inTransaction(.immediate) { _ in
          isLocked.signal()
          Thread.sleep(forTimeInterval: 0.2)
          return .commit
        }
      }
      isLocked.wait()
      try library.inDatabase { db in
        try db.inTransaction(.deferred) {
          _ = try Table("book").filter(key: 1).updateAll(db, Column("title").set(to: "Emma"))
          return .commit
        }
      }
      #expect(try library.read { db in try fetchBook(db) } == ["id": 1, "title": "Emma"])
    }
  }

  @Test func `a wait for a locked database that the deadline ends is an error`() throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(7200)
    try withArchive(configuration) { library, archive in
      try archive.inTransaction(.exclusive) { _ in
        let error = databaseError {
          try library.read(deadline: after(0.3)) { db in try fetchBook(db) }
        }
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(error?.accessLimit == .deadline)
        return .rollback
      }
      try expectBook(library)
    }
  }

  @Test func `a table that is missing in another database is named beside a locked one`() throws {
    try withArchive { library, archive in
      try library.writeWithoutTransaction { db in try db.execute(sql: "ATTACH ':memory:' AS b") }
      try archive.inTransaction(.exclusive) { _ in
        for name in ["b.missing", "main.missing"] {
          let error = databaseError {
            try library.read { db throws in
              _ = try fetchBook(db)
              _ = try Row.fetchAll(db, sql: "SELECT * FROM \(name)")
            }
          }
          #expect(error?.message == "no such table: \(name)")
        }
        return .rollback
      }
    }
  }

  @Test func `a table is created in a named database beside a locked one`() throws {
    try withArchive { library, archive in
      try archive.inTransaction(.exclusive) { _ in
        try library.writeWithoutTransaction { db throws in
          try db.create(table: "main.shelf") { t in t.primaryKey("id", .integer) }
          #expect(try db.tableExists("main.shelf"))
        }
        return .rollback
      }
    }
  }

  @Test func `an observation starts beside a locked database`() throws {
    try withArchive { library, archive in
      let titles = Log<String?>()
      var cancellable: AnyDatabaseCancellable?
      try archive.inTransaction(.exclusive) { _ in
        cancellable = DatabaseRegionObservation(tracking: Table("book")).start(
          in: library, onError: { Issue.record($0) },
          onChange: { db in titles.append(try? fetchTitle(db)) })
        return .rollback
      }
      try library.writeWithoutTransaction { db in
        try db.execute(sql: "UPDATE book SET title = 'Emma'")
      }
      #expect(titles.elements == ["Emma"])
      cancellable?.cancel()
    }
  }

  @Test func `changes are observed beside a locked database`() throws {
    try withArchive { library, archive in
      let titles = Log<String?>()
      let cancellable = DatabaseRegionObservation(tracking: Table("book")).start(
        in: library, onError: { Issue.record($0) },
        onChange: { db in titles.append(try? fetchTitle(db)) })
      defer { cancellable.cancel() }
      func setTitle(_ title: String) throws {
        try library.writeWithoutTransaction { db in
          try db.execute(sql: "UPDATE book SET title = ?", arguments: [title])
        }
      }
      try setTitle("Emma")
      try archive.inTransaction(.exclusive) { _ in
        try setTitle("Persuasion")
        return .rollback
      }
      #expect(titles.elements == ["Emma", "Persuasion"])
    }
  }
}

private func fetchTitle(_ db: Database) throws -> String? {
  try String.fetchOne(db, sql: "SELECT title FROM book")
}
