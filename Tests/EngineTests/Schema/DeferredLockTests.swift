import Quarry
import QuarryTestSupport
import Testing

/// The library asks for versions of the schema, and must not lock for that what the statements of a
/// deferred transaction don't lock: the first write to a schema waits for others only where it is
/// the first statement there.
@Suite("Locks of deferred transactions", .timeLimit(.minutes(10)))
struct DeferredLockTests {
  /// A library with a temporary table and an attached archive, and other connections to both files.
  private struct Files {
    let library: DatabaseQueue
    let other: DatabaseQueue
    let archive: DatabaseQueue
    /// The tries of the library to get a lock.
    let waits: Log<Int>
    /// What happens while the library waits.
    let meanwhile: Log<@Sendable () -> Void>
  }

  private func withFiles(_ body: (Files) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      var open = Configuration()
      open.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: directory + "/library.sqlite", configuration: open)
      let archive = try DatabaseQueue(path: directory + "/archive.sqlite", configuration: open)
      for queue in [other, archive] {
        try queue.write { db in
          try db.execute(
            sql: """
              CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
              INSERT INTO book VALUES (1, 'Ulysses');
              CREATE TABLE shelf (id INTEGER PRIMARY KEY, place TEXT);
              """)
        }
      }
      let waits = Log<Int>()
      let meanwhile = Log<@Sendable () -> Void>()
      var configuration = Configuration()
      configuration.busyMode = .callback { numberOfTries in
        waits.append(numberOfTries)
        meanwhile.elements.forEach { $0() }
        return !meanwhile.elements.isEmpty && numberOfTries < 10
      }
      let library = try DatabaseQueue(path: other.path, configuration: configuration)
      try library.writeWithoutTransaction { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [archive.path])
        try db.execute(sql: "CREATE TEMP TABLE loan (id INTEGER PRIMARY KEY, reader TEXT)")
        // The schemas are known from now on.
        for table in ["loan", "book", "archive.book"] {
          _ = try Table(table).filter(key: 1).fetchOne(db)
        }
      }
      try body(
        Files(
          library: library, other: other, archive: archive, waits: waits, meanwhile: meanwhile))
    }
  }

  /// Begins a write that ends while the library waits for it.
  private func beginWrite(_ queue: DatabaseQueue, _ files: Files) throws {
    try queue.inDatabase { db in
      try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO book VALUES (2, 'Emma')")
    }
    files.meanwhile.append {
      try? queue.inDatabase { db in if db.isInsideTransaction { try db.execute(sql: "COMMIT") } }
    }
  }

  private func lend(_ db: Database) throws {
    _ = try Table("loan").filter(key: 1).deleteAll(db)
    try db.execute(sql: "INSERT INTO loan VALUES (1, 'Barbara')")
  }

  /// The error of a deferred transaction that begins with temporary tables.
  private func errorAfterLoan(
    in files: Files, _ body: (Database) throws -> Void
  ) -> DatabaseError? {
    databaseError {
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          try lend(db)
          try body(db)
          return .commit
        }
      }
    }
  }

  @Test func `a transaction of temporary tables does not wait for a locked file`() throws {
    try withFiles { files in
      try files.library.inDatabase { db in
        try db.beginTransaction(.deferred)
        try files.other.inTransaction(.exclusive) { _ in
          try lend(db)
          #expect(try String.fetchAll(db, sql: "SELECT reader FROM loan") == ["Barbara"])
          try db.commit()
          return .rollback
        }
      }
      #expect(files.waits.elements == [])
    }
  }

  @Test func `a transaction begins beside a locked file`() throws {
    try withFiles { files in
      try files.other.inTransaction(.exclusive) { _ in
        try files.library.inDatabase { db in
          try db.inTransaction(.deferred) {
            try lend(db)
            return .commit
          }
        }
        return .rollback
      }
    }
  }

  @Test func `the first write waits, also after temporary tables`() throws {
    try withFiles { files in
      try beginWrite(files.other, files)
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          try lend(db)
          try db.execute(sql: "UPDATE book SET title = 'Dubliners' WHERE id = 2")
          return .commit
        }
      }
      #expect(files.waits.elements == [0])
      let titles = try files.other.read { db in
        try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY id")
      }
      #expect(titles == ["Ulysses", "Dubliners"])
    }
  }

  private struct Shelf: Codable, MutablePersistableRecord {
    var id: Int64?
    var place: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  }

  /// The key of its table has not been looked up before.
  @Test func `the first insertion of a record waits`() throws {
    try withFiles { files in
      try beginWrite(files.other, files)
      var shelf = Shelf(place: "Attic")
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          try shelf.insert(db)
          return .commit
        }
      }
      #expect(files.waits.elements == [0])
      #expect(shelf.id == 1)
    }
  }

  @Test func `the first write to an attached database waits, after others`() throws {
    try withFiles { files in
      try beginWrite(files.archive, files)
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          _ = try Table("book").filter(key: 1).updateAll(db, Column("title").set(to: "Dubliners"))
          _ = try Table("book").filter(key: 1).fetchOne(db)
          try db.execute(sql: "UPDATE archive.book SET title = 'Persuasion' WHERE id = 2")
          return .commit
        }
      }
      #expect(files.waits.elements == [0])
      let titles = try files.archive.read { db in
        try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY id")
      }
      #expect(titles == ["Ulysses", "Persuasion"])
    }
  }

  @Test func `an attached database that is not used can be written by others`() throws {
    try withFiles { files in
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          _ = try Table("book").filter(key: 1).updateAll(db, Column("title").set(to: "Dubliners"))
          _ = try Table("book").filter(key: 1).fetchOne(db)
          try files.archive.write { db in try db.execute(sql: "DELETE FROM book") }
          return .commit
        }
      }
      #expect(try files.archive.read { db in try Table("book").fetchCount(db) } == 0)
    }
  }

  private static let newKey = """
    CREATE TABLE new (id INTEGER, title TEXT, number INTEGER PRIMARY KEY);
    INSERT INTO new VALUES (1, 'Ulysses', 2), (2, 'Emma', 1);
    DROP TABLE book;
    ALTER TABLE new RENAME TO book;
    """

  /// The key of a book of the archive is another column, from then on.
  @Test func `what was planned with the old schema of an attached database is not committed`()
    throws
  {
    try withFiles { files in
      let error = databaseError {
        try files.library.inDatabase { db in
          try db.inTransaction(.deferred) {
            _ = try Table("book").filter(key: 1).updateAll(db, Column("title").set(to: "Emma"))
            try files.archive.write { db in try db.execute(sql: Self.newKey) }
            _ = try Table("archive.book").filter(key: 1).deleteAll(db)
            return .commit
          }
        }
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      #expect(try files.archive.read { db in try Table("book").fetchCount(db) } == 2)
      let title = try files.other.read { db in
        try String.fetchOne(db, sql: "SELECT title FROM book")
      }
      #expect(title == "Ulysses")
    }
  }

  @Test func `a transaction may set the version of its schema first`() throws {
    try withFiles { files in
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          _ = try Table("book").filter(key: 1).makePreparedRequest(db)
          try db.execute(sql: "PRAGMA schema_version = 77")
          _ = try Table("book").filter(key: 1).updateAll(db, Column("title").set(to: "Emma"))
          return .commit
        }
        #expect(try db.schemaVersion() == 77)
      }
    }
  }

  @Test func `a refused write after a read says so, also beside temporary tables`() throws {
    try withFiles { files in
      let error = errorAfterLoan(in: files) { db in
        _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book")
        try beginWrite(files.other, files)
        try db.execute(sql: "UPDATE book SET title = 'Emma'")
      }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(error?.details?.contains("has read before it writes") == true)
    }
  }

  @Test func `another change of a schema that the transaction has not locked is no conflict`()
    throws
  {
    try withFiles { files in
      try files.library.inDatabase { db throws in
        try db.inTransaction(.deferred) {
          _ = try Table("book").filter(key: 1).updateAll(db, Column("title").set(to: "Emma"))
          _ = try Table("book").filter(key: 1).fetchOne(db)
          try files.archive.write { db in try db.execute(sql: "CREATE TABLE film (title)") }
          #expect(try Table("book").filter(key: 1).fetchOne(db)?["title"] == "Emma")
          return .commit
        }
        #expect(try db.tableExists("film"))
        #expect(try String.fetchOne(db, sql: "SELECT title FROM main.book") == "Emma")
      }
    }
  }

  @Test func `a definition with a query does not wait for a locked database that is attached`()
    throws
  {
    try withFiles { files in
      try files.archive.inTransaction(.exclusive) { _ in
        try files.library.inDatabase { db in
          try db.inTransaction(.deferred) {
            try db.create(view: "first", as: Table("book").filter(key: 1))
            return .commit
          }
        }
        return .rollback
      }
      #expect(files.waits.elements == [])
      #expect(try files.library.read { db in try db.viewExists("first") })
    }
  }

  @Test func `a definition that was planned is none of other schemas`() throws {
    try withFiles { files in
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          try lend(db)
          try files.archive.write { db in try db.execute(sql: "CREATE TABLE film (title)") }
          try db.create(view: "first", as: Table("book").filter(key: 1))
          return .commit
        }
        #expect(try String.fetchAll(db, sql: "SELECT title FROM first") == ["Ulysses"])
      }
    }
  }

  @Test(arguments: [
    "CREATE TABLE selection (id)", "CREATE INDEX triggerHappy ON book (title)",
    "CREATE TABLE film (title DEFAULT 'REFERENCES')",
  ])
  func `a definition that depends on no key waits as the first write`(sql: String) throws {
    try withFiles { files in
      try beginWrite(files.other, files)
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          try lend(db)
          try db.execute(sql: sql)
          return .commit
        }
      }
      #expect(files.waits.elements == [0])
      let count = try files.other.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master")
      }
      #expect(count == 3)
    }
  }

  @Test(arguments: [
    "CREATE TEMP TABLE due AS SELECT 1 AS id", "CREATE TEMP TABLE due (loanId REFERENCES loan)",
    "CREATE TEMP VIEW due AS SELECT reader FROM temp.loan",
  ])
  func `a temporary definition does not wait for locked files`(sql: String) throws {
    try withFiles { files in
      try files.library.inDatabase { db in
        try db.beginTransaction(.deferred)
        try files.other.inTransaction(.exclusive) { _ in
          try files.archive.inTransaction(.exclusive) { _ in
            try lend(db)
            try db.execute(sql: sql)
            try db.commit()
            return .rollback
          }
          return .rollback
        }
      }
      #expect(files.waits.elements == [])
    }
  }

  /// It would be one of the old key, after the transaction.
  @Test func `a temporary definition waits for the file of a table that it names`() throws {
    try withFiles { files in
      let error = errorAfterLoan(in: files) { db in
        try files.other.write { db in try db.execute(sql: Self.newKey) }
        try files.other.inDatabase { db in try db.execute(sql: "BEGIN EXCLUSIVE") }
        try db.create(view: "first", options: .temporary, as: Table("book").filter(key: 1))
      }
      try files.other.inDatabase { db in try db.rollback() }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(try files.library.read { db in try !db.viewExists("first") })
    }
  }

  @Test func `a temporary trigger does not find rows of another schema by the old key`() throws {
    try withFiles { files in
      let error = errorAfterLoan(in: files) { db in
        try files.archive.write { db in try db.execute(sql: Self.newKey) }
        _ = try Table("archive.book").filter(key: 1).makePreparedRequest(db)
        try db.execute(
          sql: """
            CREATE TEMP TRIGGER kept AFTER DELETE ON main.book
            BEGIN
              INSERT INTO loan (reader) SELECT title FROM archive.book WHERE id = 1;
            END
            """)
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
    }
  }

  private struct Film: Codable, PersistableRecord {
    var id: Int
    var title: String
    var number: Int
  }

  /// After a definition and an error, nothing shows that the record was planned with the old key.
  @Test func `a record of an attached database is not updated by its old key`() throws {
    try withFiles { files in
      try files.archive.write { db in
        try db.execute(
          sql: """
            CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT, number INTEGER);
            INSERT INTO film VALUES (1, 'Emma', 2), (2, 'Orlando', 1);
            """)
      }
      let film = Film(id: 2, title: "Orlando", number: 1)
      let error = databaseError {
        try files.library.inDatabase { db in
          try film.update(db)
          try db.inTransaction(.deferred) {
            try lend(db)
            try db.execute(sql: "CREATE TABLE archive.more (x)")
            try film.update(db)
            return .commit
          }
          #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT nonsense") }
          try files.archive.write { db in
            try db.execute(
              sql: """
                CREATE TABLE new (id INTEGER, title TEXT, number INTEGER PRIMARY KEY);
                INSERT INTO new SELECT * FROM film;
                DROP TABLE film;
                ALTER TABLE new RENAME TO film;
                """)
          }
          try files.archive.inDatabase { db in try db.execute(sql: "BEGIN EXCLUSIVE") }
          try db.beginTransaction(.deferred)
          try files.archive.inDatabase { db in try db.execute(sql: "COMMIT") }
          do {
            try Film(id: 2, title: "Persuasion", number: 9).update(db)
            try db.commit()
          } catch RecordError.recordNotFound {
            try db.rollback()
            throw DatabaseError(resultCode: .SQLITE_SCHEMA)
          } catch {
            try db.rollback()
            throw error
          }
        }
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      let titles = try files.archive.read { db in
        try String.fetchAll(db, sql: "SELECT title FROM film ORDER BY id")
      }
      #expect(titles == ["Emma", "Orlando"])
    }
  }

  @Test(arguments: [
    "ALTER TABLE shelf RENAME TO room", "ALTER TABLE shelf RENAME COLUMN place TO room",
    "ALTER TABLE shelf DROP COLUMN place",
  ])
  func `an alteration does not wait for a locked database that is attached`(sql: String) throws {
    try withFiles { files in
      try files.archive.inTransaction(.exclusive) { _ in
        try files.library.inDatabase { db in
          try db.inTransaction(.deferred) {
            try lend(db)
            try db.execute(sql: sql)
            return .commit
          }
        }
        return .rollback
      }
      #expect(files.waits.elements == [])
    }
  }

  @Test func `another file takes the place of an attached one in a transaction`() throws {
    try withFiles { files in
      try files.archive.write { db in try db.execute(sql: "CREATE TABLE film (title)") }
      let other = try DatabaseQueue(path: files.archive.path + "-other")
      try other.write { db in try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY)") }
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          try lend(db)
          try db.execute(sql: "DETACH archive")
          try db.execute(sql: "ATTACH ? AS archive", arguments: [other.path])
          try db.execute(sql: "INSERT INTO archive.book VALUES (9)")
          try db.create(view: "due", options: .temporary, as: Table("temp.loan").filter(key: 1))
          return .commit
        }
        #expect(try String.fetchAll(db, sql: "SELECT reader FROM due") == ["Barbara"])
      }
      #expect(try other.read { db in try Int.fetchAll(db, sql: "SELECT id FROM book") } == [9])
    }
  }

  /// The key of a book of the archive is another column, from then on.
  @Test func `rows that were found by the old key of an attached database are not copied`() throws {
    try withFiles { files in
      let error = errorAfterLoan(in: files) { db in
        try files.archive.write { db in try db.execute(sql: Self.newKey) }
        let books = Table("archive.book").filter(key: 1)
        try db.execute(
          literal: "INSERT INTO loan VALUES (2, 'Ada'); CREATE TABLE copy AS \(books)")
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      try #expect(!files.library.read { db in try db.tableExists("copy") })
    }
  }

  @Test(arguments: [
    "UPDATE archive.book SET title = 'Emma'", "PRAGMA archive.user_version = 4",
  ])
  func `a refused write to an attached database says that it has read before`(sql: String) throws {
    try withFiles { files in
      let error = databaseError {
        try files.library.inDatabase { db in
          try db.inTransaction(.deferred) {
            _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book")
            _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM archive.book")
            try beginWrite(files.archive, files)
            try db.execute(sql: sql)
            return .commit
          }
        }
      }
      #expect(error?.resultCode == .SQLITE_BUSY)
      #expect(error?.details?.contains("has read before it writes") == true)
    }
  }
}
