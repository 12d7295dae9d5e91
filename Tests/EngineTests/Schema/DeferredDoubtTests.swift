import Quarry
import QuarryTestSupport
import Testing

/// What a deferred transaction has planned with a key is not committed when another connection has
/// replaced the key before its first lock, whatever else the transaction does meanwhile.
@Suite("Doubts of deferred transactions", .timeLimit(.minutes(10)))
struct DeferredDoubtTests {
  /// A library with a temporary table and an attached archive, and other connections to both files.
  private struct Files {
    let library: DatabaseQueue
    let other: DatabaseQueue
    let archive: DatabaseQueue
  }

  private struct Film: Codable, FetchableRecord, TableRecord {
    var id: Int
    var title: String
  }

  private func withFiles(_ body: (Files) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      var open = Configuration()
      open.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: directory + "/library.sqlite", configuration: open)
      let archive = try DatabaseQueue(path: directory + "/archive.sqlite", configuration: open)
      for (queue, table) in [(other, "book"), (archive, "film")] {
        try queue.write { db in
          try db.execute(
            sql: """
              CREATE TABLE \(table) (id INTEGER PRIMARY KEY, title TEXT, number INTEGER);
              INSERT INTO \(table) VALUES (1, 'Emma', 2), (2, 'Orlando', 1);
              CREATE TABLE shelf (place TEXT);
              CREATE VIRTUAL TABLE word USING fts5(text);
              """)
        }
      }
      let library = try DatabaseQueue(path: other.path, configuration: open)
      try library.inDatabase { db in
        try db.execute(sql: "ATTACH ? AS archive", arguments: [archive.path])
        try db.execute(sql: "CREATE TEMP TABLE loan (id INTEGER PRIMARY KEY, reader TEXT)")
        // The schemas are known from now on.
        for table in ["loan", "book", "film"] {
          _ = try Table(table).filter(key: 1).fetchOne(db)
        }
      }
      try body(Files(library: library, other: other, archive: archive))
    }
  }

  /// The key of Emma is 2 from then on, and that of Orlando 1.
  private func changeKey(of table: String, _ queue: DatabaseQueue) throws {
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE new (id INTEGER, title TEXT, number INTEGER PRIMARY KEY);
          INSERT INTO new SELECT * FROM \(table);
          DROP TABLE \(table);
          ALTER TABLE new RENAME TO \(table);
          """)
    }
  }

  /// The error of a deferred transaction of the library.
  private func errorInTransaction(
    _ files: Files, _ body: (Database) throws -> Void
  ) -> DatabaseError? {
    databaseError {
      try files.library.inDatabase { db in
        try db.inTransaction(.deferred) {
          try body(db)
          return .commit
        }
      }
    }
  }

  private func titles(_ table: String, _ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in try String.fetchAll(db, sql: "SELECT title FROM \(table) ORDER BY id") }
  }

  /// What empties the cache of the schema between the plan and the definition.
  enum Emptying: CaseIterable { case definition, error, call }

  @Test(arguments: Emptying.allCases)
  func `a temporary view of the old key is not made after the cache was emptied`(
    _ emptying: Emptying
  ) throws {
    try withFiles { files throws in
      let error = errorInTransaction(files) { db in
        let films = Table("film").select(Column("title")).orderByPrimaryKey()
        let statement = try db.makeStatement(literal: "CREATE TEMP VIEW first AS \(films)")
        try changeKey(of: "film", files.archive)
        switch emptying {
        case .definition: try db.execute(sql: "CREATE TEMP TABLE note (text)")
        case .error:
          #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT nonsense") }
        case .call: db.clearSchemaCache()
        }
        try statement.execute()
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      let isMade = try files.library.inDatabase { db in try db.viewExists("first") }
      #expect(!isMade)
    }
  }

  /// The archive has a table of this name, too.
  @Test func `a temporary view does not wait for a table that its name does not mean`() throws {
    try withFiles { files throws in
      try files.archive.inTransaction(.exclusive) { _ in
        let error = errorInTransaction(files) { db in
          _ = try Table("loan").filter(key: 1).deleteAll(db)
          try db.execute(sql: "CREATE TEMP VIEW places AS SELECT place FROM shelf")
        }
        #expect(error == nil)
        return .rollback
      }
    }
  }

  private static let definitions = [
    "CREATE TABLE note (text)", "CREATE INDEX byNumber ON book (number)", "DROP TABLE shelf",
    "ALTER TABLE shelf RENAME TO room", "CREATE VIRTUAL TABLE sign USING fts5(text)",
    "ALTER TABLE word RENAME TO sign", "DROP TABLE word",
  ]

  @Test(arguments: definitions)
  func `a definition does not hide the old key from a literal after it`(sql: String) throws {
    try withFiles { files throws in
      let error = errorInTransaction(files) { db in
        let books = Table("book").filter(key: 1).select(Column("title"))
        _ = try Table("loan").filter(key: 1).deleteAll(db)
        try changeKey(of: "book", files.other)
        try db.execute(literal: "\(sql: sql); DELETE FROM book WHERE title = (\(books))")
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      #expect(try titles("book", files.other) == ["Emma", "Orlando"])
    }
  }

  @Test(arguments: definitions)
  func `a definition alone does not end a transaction that has planned`(sql: String) throws {
    try withFiles { files throws in
      let error = errorInTransaction(files) { db in
        let books = try Table("book").filter(key: 1).makePreparedRequest(db)
        try db.execute(sql: sql)
        try db.execute(sql: "UPDATE book SET title = 'Persuasion' WHERE id = 2")
        let book = try Row.fetchOne(books.statement)
        #expect(book?["title"] == "Emma")
      }
      #expect(error == nil)
      #expect(try titles("book", files.other) == ["Emma", "Persuasion"])
    }
  }

  /// The cursor has not begun when the table is made.
  @Test func `a definition does not hide the old key from a cursor`() throws {
    try withFiles { files throws in
      let error = errorInTransaction(files) { db in
        let cursor = try Film.filter(key: 1).deleteAndFetchCursor(db)
        try changeKey(of: "film", files.archive)
        try db.execute(sql: "CREATE TABLE archive.note (text)")
        while try cursor.next() != nil {}
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      #expect(try titles("film", files.archive) == ["Emma", "Orlando"])
    }
  }

  @Test func `a definition does not hide what its function has deleted by the old key`() throws {
    try withFiles { files throws in
      let error = errorInTransaction(files) { db in
        let films = Table("film").filter(key: 1).select(Column("title"))
        nonisolated(unsafe) let deletion = try db.makeStatement(
          literal: "DELETE FROM film WHERE title = (\(films))")
        db.add(
          function: DatabaseFunction("remove", argumentCount: 0, pure: false) { _ in
            try deletion.execute()
            return 1
          })
        try changeKey(of: "film", files.archive)
        try db.execute(sql: "CREATE TABLE note AS SELECT remove() AS number")
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      #expect(try titles("film", files.archive) == ["Emma", "Orlando"])
    }
  }

  /// As a virtual table in Swift is, and one that is removed.
  @Test func `a module does not hide the old key`() throws {
    try withFiles { files throws in
      let error = errorInTransaction(files) { db in
        _ = try Table("loan").filter(key: 1).deleteAll(db)
        try changeKey(of: "book", files.other)
        _ = try Table("book").filter(key: 1).deleteAll(db)
        try unsafe db.setModule("squares", nil)
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      #expect(try titles("book", files.other) == ["Emma", "Orlando"])
    }
  }

  @Test func `a read does not hide the old key of a database that it could not ask`() throws {
    try withFiles { files throws in
      let error = errorInTransaction(files) { db in
        let cursor = try Film.filter(key: 1).deleteAndFetchCursor(db)
        try changeKey(of: "film", files.archive)
        try files.archive.inTransaction(.exclusive) { _ in
          // The next look-up asks for the versions.
          try db.inSavepoint { .rollback }
          try db.readOnly { _ = try Table("book").filter(key: 1).fetchOne(db) }
          return .rollback
        }
        while try cursor.next() != nil {}
      }
      #expect(error?.resultCode == .SQLITE_SCHEMA)
      #expect(try titles("film", files.archive) == ["Emma", "Orlando"])
    }
  }

  /// Emma has the key 2 already.
  @Test(arguments: [false, true])
  func `a transaction that begins as a read knows the schema of its beginning`(
    readsFirst: Bool
  ) throws {
    try withFiles { files throws in
      try files.library.inDatabase { db in
        try changeKey(of: "book", files.other)
        try changeKey(of: "film", files.archive)
        try db.readOnly {
          try db.beginTransaction(.deferred)
          if readsFirst { _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM shelf") }
        }
        for table in ["book", "film"] { _ = try Table(table).filter(key: 2).deleteAll(db) }
        try db.commit()
      }
      #expect(try titles("book", files.other) == ["Orlando"])
      #expect(try titles("film", files.archive) == ["Orlando"])
    }
  }
}
