import Foundation
import Quarry
import QuarryEncryption
import QuarryTestSupport
import Testing

/// Copies with another passphrase, or without any.
@Suite(.needs(.encryption)) struct ExportTests {
  @Test func `clear files are encrypted, and encrypted ones are opened`() throws {
    try withTemporaryDirectory { directory in
      let (clear, encrypted) = (directory + "/clear.sqlite", directory + "/encrypted.sqlite")
      let (other, opened) = (directory + "/other.sqlite", directory + "/opened.sqlite")
      try writeBooks(DatabaseQueue(path: clear))
      try export(clear, Configuration()) { db in
        try db.exportDatabase(to: encrypted, passphrase: "seven seas")
      }
      #expect(try !files(of: encrypted, contain: "Moby-Dick"))
      #expect(try titles(encrypted, configuration("seven seas")) == ["Moby-Dick", "Emma"])

      try export(encrypted, configuration("seven seas")) { db in
        try db.exportDatabase(to: other, passphrase: Data([0x00, 0xFF]))
      }
      var bytes = Configuration()
      bytes.prepareDatabase { db in try db.usePassphrase(Data([0x00, 0xFF])) }
      #expect(try titles(other, bytes) == ["Moby-Dick", "Emma"])
      #expect(
        databaseError { try titles(other, configuration("seven seas")) }?.resultCode
          == .SQLITE_NOTADB)

      try export(other, bytes) { db in try db.exportDatabase(to: opened, passphrase: nil) }
      #expect(try files(of: opened, contain: "SQLite format 3"))
      #expect(try files(of: opened, contain: "Moby-Dick"))
      #expect(try titles(opened) == ["Moby-Dick", "Emma"])
    }
  }

  @Test func `the copy has all of the schema, and the versions`() throws {
    try withTemporaryDirectory { directory in
      let (path, copy) = (directory + "/books.sqlite", directory + "/copy.sqlite")
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
            CREATE TABLE book (
              id INTEGER PRIMARY KEY, title TEXT, authorId INTEGER REFERENCES author ON DELETE CASCADE);
            CREATE INDEX bookOnAuthor ON book (authorId);
            CREATE VIEW authored AS SELECT title, name FROM book JOIN author ON author.id = authorId;
            CREATE TRIGGER named AFTER INSERT ON author BEGIN
              INSERT INTO book (title, authorId) VALUES ('By ' || new.name, new.id);
            END;
            CREATE TABLE page (
              width INTEGER, height INTEGER, area INTEGER AS (width * height) STORED);
            INSERT INTO page (width, height) VALUES (2, 3);
            CREATE TABLE note (key TEXT PRIMARY KEY, body BLOB) STRICT, WITHOUT ROWID;
            INSERT INTO note VALUES ('a', x'00FF');
            CREATE VIRTUAL TABLE text USING fts5(line);
            INSERT INTO author (name) VALUES ('Austen');
            INSERT INTO text VALUES ('call me Ishmael');
            PRAGMA user_version = 7;
            PRAGMA application_id = 42;
            """)
        try db.exportDatabase(to: copy, passphrase: "seven seas")
      }
      let encrypted = try DatabaseQueue(path: copy, configuration: configuration("seven seas"))
      try encrypted.write { db throws in
        #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 7)
        #expect(try Int.fetchOne(db, sql: "PRAGMA application_id") == 42)
        try db.execute(sql: "DELETE FROM author; INSERT INTO author (name) VALUES ('Melville')")
        // The next id, and the trigger. Foreign keys have deleted the other book.
        #expect(
          try Row.fetchAll(db, sql: "SELECT authorId, title FROM book") == [
            ["authorId": 2, "title": "By Melville"]
          ])
        #expect(try String.fetchAll(db, sql: "SELECT name FROM authored") == ["Melville"])
        #expect(
          try Int.fetchAll(db, sql: "SELECT rowid FROM text WHERE text MATCH 'ishmael'") == [1])
        #expect(try Int.fetchOne(db, sql: "SELECT area FROM page") == 6)
        #expect(try Data.fetchOne(db, sql: "SELECT body FROM note") == Data([0x00, 0xFF]))
        #expect(try db.indexes(on: "book").map(\.name) == ["bookOnAuthor"])
      }
    }
  }

  @Test func `a copy is no change of the database`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try writeBooks(DatabasePool(path: path, configuration: configuration("seven seas")))
      let pool = try DatabasePool(path: path, configuration: configuration("seven seas"))
      let counts = Log<Int>()
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book") ?? 0
      }
      let cancellable = observation.start(
        in: pool, scheduling: .async(onQueue: DispatchQueue(label: "counts")),
        onError: { Issue.record($0) },
        onChange: { counts.append($0) })
      try pool.writeWithoutTransaction { db throws in
        try db.exportDatabase(to: directory + "/copy.sqlite", passphrase: nil)
        #expect(try fetchTitles(db) == ["Moby-Dick", "Emma"])
        #expect(!db.isInsideTransaction)
      }
      try pool.write { db in try db.execute(sql: "DELETE FROM book WHERE id = 1") }
      #expect(eventually { counts.elements.last == 1 })
      cancellable.cancel()
      #expect(try pool.read(fetchTitles) == ["Emma"])
      #expect(try titles(directory + "/copy.sqlite") == ["Moby-Dick", "Emma"])
    }
  }

  @Test func `a file with content stays as it is`() throws {
    try withTemporaryDirectory { directory in
      let (path, other) = (directory + "/books.sqlite", directory + "/other.sqlite")
      try writeBooks(DatabaseQueue(path: path))
      try writeBooks(DatabaseQueue(path: other))
      let content = try Data(contentsOf: URL(fileURLWithPath: other))
      let error = databaseError {
        try export(path, Configuration()) { db in
          try db.exportDatabase(to: other, passphrase: "seven seas")
        }
      }
      #expect(error?.description == "SQLite error 21: the file of the copy has content: \(other)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == content)
    }
  }

  @Test func `nothing is left of a copy that fails`() throws {
    try withTemporaryDirectory { directory in
      let (path, copy) = (directory + "/books.sqlite", directory + "/copy.sqlite")
      try writeDamagedBooks(DatabaseQueue(path: path))
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db throws in
        let empty = databaseError { try db.exportDatabase(to: copy, passphrase: "") }
        #expect(empty?.description == "SQLite error 21: the passphrase is empty")
        #expect(!FileManager.default.fileExists(atPath: copy))
        let broken = databaseError { try db.exportDatabase(to: copy, passphrase: "seven seas") }
        #expect(broken?.message == "database disk image is malformed")
        #expect(broken?.sql == "SELECT sqlcipher_export('quarry_export')")
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(!db.isInsideTransaction)
        // The name of the copy is free again.
        try db.execute(sql: "ATTACH DATABASE ':memory:' AS quarry_export")
      }
    }
  }

  @Test func `a transaction, a reader and an empty path are refused`() throws {
    let queue = try DatabaseQueue()
    let inside = databaseError {
      try queue.write { db in try db.exportDatabase(to: "copy", passphrase: nil) }
    }
    #expect(
      inside?.description == """
        SQLite error 21: `exportDatabase` is a transaction of its own
        call it in `writeWithoutTransaction`
        """)
    let reading = databaseError {
      try queue.read { db in try db.exportDatabase(to: "copy", passphrase: nil) }
    }
    #expect(reading?.resultCode == .SQLITE_READONLY)
    let empty = databaseError {
      try queue.writeWithoutTransaction { db in try db.exportDatabase(to: "", passphrase: nil) }
    }
    #expect(empty?.description == "SQLite error 21: the path of the copy is empty")
    for path in [":memory:", "file:copy.sqlite"] {
      let other = databaseError {
        try queue.writeWithoutTransaction { db in try db.exportDatabase(to: path, passphrase: nil) }
      }
      #expect(
        other?.description
          == "SQLite error 21: the copy needs the path of a file, neither a URI nor `:memory:`: \(path)"
      )
    }
    let cut = databaseError {
      try queue.writeWithoutTransaction { db in
        try db.exportDatabase(to: "copy\u{0}.sqlite", passphrase: nil)
      }
    }
    #expect(cut?.resultCode == .SQLITE_CANTOPEN)
  }

  private func export(
    _ path: String, _ configuration: Configuration, _ body: (Database) throws -> Void
  ) throws {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction(body)
    try queue.close()
  }
}
