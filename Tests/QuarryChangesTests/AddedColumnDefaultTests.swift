import Foundation
import Quarry
import QuarryBlobs
import QuarryChanges
import QuarryTestSupport
import Testing

@Suite("Recorded values of columns that were added with a default", .needs(.sessions))
struct AddedColumnDefaultTests {
  /// A row that is older than a column has the default of the column, and ends before it.
  @Test(arguments: [
    "UPDATE book SET title = 'Emma' WHERE id = 1", "DELETE FROM book WHERE id = 1",
    "UPDATE book SET copies = 7 WHERE id = 1", "UPDATE book SET copies = copies",
  ])
  func `defaults of added columns come back`(sql: String) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO book VALUES (1, 'Persuasion');
          ALTER TABLE book ADD COLUMN price REAL;
          ALTER TABLE book ADD COLUMN copies TEXT NOT NULL DEFAULT 5;
          INSERT INTO book VALUES (2, 'Emma', 9.5, '1');
          """)
    }
    let books = { (db: Database) in try Row.fetchAll(db, sql: "SELECT * FROM book ORDER BY id") }
    let before = try queue.read(books)
    #expect(before[0] == ["id": 1, "title": "Persuasion", "price": nil, "copies": "5"])
    let undo = try UndoStack(queue)
    try undo.record("change") { try $0.execute(sql: sql) }
    let after = try queue.read(books)
    if sql.hasSuffix("= copies") {
      #expect(!undo.state.canUndo)
    } else {
      try undo.undo()
      try #expect(queue.read(books) == before)
      try undo.redo()
      try #expect(queue.read(books) == after)
    }
  }

  @Test func `the default of a strict column of any type keeps its form`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY) STRICT;
          INSERT INTO book VALUES (1);
          ALTER TABLE book ADD COLUMN shelf ANY NOT NULL DEFAULT '07';
          """)
    }
    let changes = try queue.write { db in try db.changes("DELETE FROM book") }
    #expect(changes.changes[0].oldValues == [1.databaseValue, "07".databaseValue])
  }

  /// SQLite 3.40 has NULL for both, later versions have the right value.
  @Test func `a default that may be NULL is no guess`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY);
          INSERT INTO book VALUES (1);
          ALTER TABLE book ADD COLUMN copies INTEGER DEFAULT 5;
          ALTER TABLE book ADD COLUMN place TEXT;
          INSERT INTO book VALUES (2, NULL, 'hall');
          """)
    }
    let changes = { (sql: String) in
      try queue.write { db in try db.changes(sql) }
    }
    // The row has the last column, and so the one before.
    let known = try changes("DELETE FROM book WHERE id = 2")
    #expect(known.changes[0].oldValues == [2.databaseValue, .null, "hall".databaseValue])
    do {
      let old = try changes("DELETE FROM book WHERE id = 1")
      #expect(old.changes[0].oldValues == [1.databaseValue, 5.databaseValue, .null])
    } catch let error as ChangesetError {
      #expect(error.code == .unrecordable)
      #expect(error.column == "copies")
      try #expect(queue.read { try Int.fetchAll($0, sql: "SELECT id FROM book") } == [1])
    }
  }

  /// SQLite 3.40 takes the old value for NULL, and records no change of it.
  @Test(
    arguments: [
      "UPDATE book SET copies = NULL WHERE id = 1",
      "UPDATE book SET copies = NULL, title = 'Emma' WHERE id = 1",
    ], [false, true])
  func `an update of a default to NULL is recorded, or refused`(sql: String, isPatchset: Bool)
    throws
  {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT);
          INSERT INTO book VALUES (1, 'Persuasion');
          ALTER TABLE book ADD COLUMN copies INTEGER DEFAULT 5;
          INSERT INTO book VALUES (2, 'Beowulf', 6);
          """)
    }
    do {
      let changes = try queue.write { db in
        try isPatchset ? db.recordPatchset { try db.execute(sql: sql) } : db.changes(sql)
      }
      #expect(changes.changes.map(\.description) == ["update book [1]"])
      #expect(changes.changes.first?.newValues?[2] == DatabaseValue.null)
      guard !isPatchset else { return }
      try queue.write { db in try changes.inverted().apply(to: db) }
    } catch let error as ChangesetError {
      #expect(SQLiteBuild.version < 3_053_000)
      #expect(error.code == .unrecordable)
      #expect(error.table == "book")
      #expect(error.column == "copies")
    }
    let books = try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM book ORDER BY id") }
    #expect(
      books == [
        ["id": 1, "title": "Persuasion", "copies": 5], ["id": 2, "title": "Beowulf", "copies": 6],
      ])
  }

  @Test func `values of a column that may be NULL are recorded where they are known`() throws {
    let queue = try DatabaseQueue()
    let schema = "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, copies INTEGER DEFAULT 5)"
    let rows = { (db: Database) in try Row.fetchAll(db, sql: "SELECT * FROM book ORDER BY id") }
    try queue.write { db in
      try db.execute(sql: "\(schema); INSERT INTO book VALUES (1, 'Emma', 6)")
    }
    let before = try queue.read(rows)
    let undo = try UndoStack(queue)
    try undo.record("update") { db in try db.execute(sql: "UPDATE book SET copies = NULL") }
    // Beside a row with NULL.
    try undo.record("insertion") { db in
      try db.execute(sql: "INSERT INTO book VALUES (2, 'Beowulf', NULL), (3, 'Persuasion', 7)")
    }
    #expect(undo.state.undoCount == 2)
    try undo.undo()
    try undo.undo()
    try #expect(queue.read(rows) == before)
  }

  /// Nothing is missing: SQLite 3.40 has as many changes as were made.
  @Test(arguments: [
    ("UPDATE book SET title = 'Evelina' WHERE id = 2", ["update book [2]"]),
    ("UPDATE book SET copies = NULL WHERE id = 2", ["update book [2]"]),
    ("DELETE FROM book WHERE id = 2", ["delete book [2]"]),
    (
      "UPDATE author SET name = 'Jane'; DELETE FROM book WHERE id = 2",
      ["delete book [2]", "update author [1]"]
    ),
    (
      "UPDATE book SET copies = 7 WHERE id = 2; INSERT INTO book VALUES (3, 'Evelina', NULL)",
      ["insert book [3]", "update book [2]"]
    ),
  ])
  func `changes are recorded beside a row that is NULL in a column with a default`(
    sql: String, changes: [String]
  ) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, copies INTEGER DEFAULT 5);
          INSERT INTO author VALUES (1, 'Ann');
          INSERT INTO book VALUES (1, 'Emma', NULL), (2, 'Beowulf', 6);
          """)
      let recorded = try db.changes(sql)
      #expect(recorded.changes.map(\.description).sorted() == changes)
    }
  }

  /// A row that is removed by the update of a key, and a write to a blob, count for less changes
  /// than SQLite 3.40 records.
  @Test(arguments: [false, true])
  func `no other change hides an update of a default to NULL`(writesBlob: Bool) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE book (id INTEGER PRIMARY KEY, cover BLOB);
          INSERT INTO book VALUES (1, x'01');
          ALTER TABLE book ADD COLUMN copies INTEGER DEFAULT 5;
          INSERT INTO book VALUES (2, x'02', 6);
          """)
    }
    var recorded = Changeset()
    let error = changesetError {
      recorded = try queue.write { db in
        try db.recordChanges {
          try db.execute(sql: "UPDATE book SET copies = NULL WHERE id = 1")
          guard writesBlob else {
            return try db.execute(sql: "UPDATE book SET id = 9 WHERE id = 2")
          }
          try db.withBlob(table: "book", column: "cover", rowID: 2, access: .readWrite) { blob in
            try blob.write(Data([3]), at: 0)
          }
        }
      }
    }
    if let error {
      #expect(SQLiteBuild.version < 3_053_000)
      #expect(error.code == .unrecordable)
      #expect(error.column == "copies")
    } else {
      #expect(
        recorded.changes.map(\.description).sorted()
          == (writesBlob
            ? ["update book [1]", "update book [2]"]
            : ["delete book [2]", "insert book [9]", "update book [1]"]))
    }
  }
}
