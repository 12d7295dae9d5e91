import Foundation
import Quarry
import QuarryBlobs
import QuarryTestSupport
import Testing

/// SQLite itself looks at some indexes only, and before version 3.53 not at generated columns.
///
/// See <https://www.sqlite.org/c3ref/blob_open.html>.
@Suite("Columns of streams")
struct StreamColumnTests {
  private func inShelf(_ tables: String, _ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: tables)
      try body(db)
    }
  }

  private func isIntact(_ db: Database) throws -> Bool {
    try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"]
  }

  private func text(_ db: Database, _ column: String) throws -> String {
    try db.withBlob(table: "book", column: column, rowID: 1) {
      String(decoding: try $0.read(), as: UTF8.self)
    }
  }

  private func refusal(_ db: Database, _ column: String) -> String? {
    errorText {
      try db.withBlob(table: "book", column: column, rowID: 1, access: .readWrite) {
        try $0.write(Data("ZZZZ".utf8))
      }
    }
  }

  /// The stored row lacks the virtual column: SQLite took the next one.
  @Test(arguments: ["title", "label", "blurb", "notes"])
  func `a table with a virtual column has no streams`(column: String) throws {
    try inShelf(
      """
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title, label AS (upper(title)) VIRTUAL, blurb, notes);
      CREATE INDEX byNotes ON book(notes);
      INSERT INTO book (id, title, blurb, notes) VALUES (1, 'Emma', 'love', 'none')
      """
    ) { db throws in
      let message =
        "SQLite error 1: cannot open table with generated columns: book "
        + "- in column \(column) of table book, row 1"
      #expect(errorText { try text(db, column) } == message)
      #expect(refusal(db, column) == message)
      #expect(try isIntact(db))
      let rows = try Row.fetchAll(db, sql: "SELECT title, label, blurb, notes FROM book")
      #expect(rows == [["title": "Emma", "label": "EMMA", "blurb": "love", "notes": "none"]])
    }
  }

  @Test(arguments: [("title", "Emma"), ("label", "EMMA"), ("blurb", "love")])
  func `a table with stored generated columns is only read`(column: String, value: String) throws {
    try inShelf(
      """
      CREATE TABLE book (
        id INTEGER PRIMARY KEY, title, label AS (upper(title)) STORED, blurb);
      CREATE INDEX byLabel ON book(label);
      INSERT INTO book (id, title, blurb) VALUES (1, 'Emma', 'love')
      """
    ) { db throws in
      let message =
        "SQLite error 1: cannot open table with generated columns: book "
        + "- in column \(column) of table book, row 1"
      if SQLiteBuild.opensBlobsBesideGeneratedColumns {
        #expect(try text(db, column) == value)
      } else {
        #expect(errorText { try text(db, column) } == message)
      }
      #expect(refusal(db, column) == message)
      #expect(try isIntact(db))
    }
  }

  @Test(arguments: [
    ("title > 'm'", true), ("shelf = 1 AND \"TITLE\" IS NOT NULL", true), ("[title] > ''", true),
    ("shelf = 1", false), ("shelf <> 'title' -- not of a title\n", false),
  ])
  func `a column in the condition of an index can't be written`(condition: String, isNamed: Bool)
    throws
  {
    try inShelf(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title, shelf INTEGER);
      CREATE INDEX title ON book(shelf) WHERE \(condition);
      INSERT INTO book VALUES (1, 'Emma', 5)
      """
    ) { db throws in
      #expect(try text(db, "title") == "Emma")
      let message =
        "SQLite error 1: cannot open indexed column for writing - in column title of table book, "
        + "row 1"
      #expect(refusal(db, "title") == (isNamed ? message : nil))
      #expect(try isIntact(db))
      #expect(try text(db, "title") == (isNamed ? "Emma" : "ZZZZ"))
    }
  }

  @Test(arguments: ["main", "temp", "other"])
  func `the condition of an index counts in its own schema`(schema: String) throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(sql: "ATTACH ':memory:' AS other")
      for name in ["main", "temp", "other"] {
        try db.execute(
          sql: """
            CREATE TABLE \(name).book (id INTEGER PRIMARY KEY, title);
            INSERT INTO \(name).book VALUES (1, 'Emma')
            """)
      }
      try db.execute(sql: "CREATE INDEX \(schema).late ON book(id) WHERE title > 'm'")
      for name in ["main", "temp", "other"] {
        let error = databaseError {
          try db.openBlob(
            table: "book", column: "title", rowID: 1, schema: name, access: .readWrite
          ).close()
        }
        #expect((error == nil) == (name != schema))
      }
    }
  }

  @Test(arguments: [
    "CREATE INDEX byTitle ON book(title)", "CREATE INDEX byTitle ON book(upper(title))",
    "CREATE INDEX byTitle ON book(shelf) WHERE title > 'm'",
    "ALTER TABLE book ADD COLUMN label AS (upper(title))",
  ])
  func `a stream does not write any more once its column has got an index`(change: String) throws {
    try inShelf(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title, shelf INTEGER);
      INSERT INTO book VALUES (1, 'Emma', 5), (2, 'Ivan', 5);
      BEGIN
      """
    ) { db throws in
      let blob = try db.openBlob(table: "book", column: "title", rowID: 1, access: .readWrite)
      try blob.write(Data("Anna".utf8))
      try db.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY)")
      try blob.write(Data("O".utf8))
      try db.execute(sql: change)
      for _ in 1...2 {
        #expect(databaseError { try blob.write(Data("zzzz".utf8)) }?.resultCode == .SQLITE_ERROR)
        #expect(databaseError { try blob.reopen(rowID: 2) }?.resultCode == .SQLITE_ERROR)
      }
      try blob.close()
      try db.execute(sql: "COMMIT")
      #expect(try isIntact(db))
      let titles = try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY id")
      #expect(titles == ["Onna", "Ivan"])
    }
  }

  @Test func `a stream that is over stays so when the schema changes`() throws {
    try inShelf("CREATE TABLE book (id INTEGER PRIMARY KEY, title)") { db throws in
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma'); BEGIN")
      let blob = try db.openBlob(table: "book", column: "title", rowID: 1, access: .readWrite)
      try db.execute(sql: "UPDATE book SET title = 'Anna'; CREATE TABLE author (id)")
      #expect(databaseError { try blob.write(Data("O".utf8)) }?.resultCode == .SQLITE_ABORT)
      try blob.reopen(rowID: 1)
      try blob.write(Data("O".utf8))
      try blob.close()
      try db.execute(sql: "COMMIT")
      #expect(try text(db, "title") == "Onna")
    }
  }

  /// A text of C ends there.
  @Test func `no column has a name with a zero`() throws {
    try inShelf("CREATE TABLE book (id INTEGER PRIMARY KEY, title)") { db throws in
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Emma')")
      let error = databaseError { try text(db, "title\0s") }
      #expect(error?.message?.hasPrefix("no such column: \"title\0s\"") == true)
    }
  }

  @Test(arguments: [DatabaseBlob.Access.readOnly, .readWrite], [false, true])
  func `a stream that moves to another row after the drop of a column stays at its own`(
    access: DatabaseBlob.Access, isInTransaction: Bool
  ) throws {
    try inShelf(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, title, blurb, notes);
      INSERT INTO book VALUES (1, 'Emma', 'love', 'none'), (2, 'Peter', 'island', 'some')
      """
    ) { db throws in
      if isInTransaction { try db.beginTransaction(.immediate) }
      try db.withBlob(table: "book", column: "blurb", rowID: 1, access: access) { blob in
        try db.execute(sql: "ALTER TABLE book DROP COLUMN title")
        try blob.reopen(rowID: 2)
        #expect(try String(decoding: blob.read(), as: UTF8.self) == "island")
      }
      if isInTransaction { try db.commit() }
    }
  }
}
