import Foundation
import Quarry
import QuarryMigrations
import QuarryTestSupport
import Testing

/// Reads all that a file has, as an application would that shows it. Returns the errors.
private func readAll(
  _ path: String, _ configuration: Configuration = impatient
) -> [any Error] {
  var errors: [any Error] = []
  func attempt(_ body: () throws -> Void) {
    do { try body() } catch { errors.append(error) }
  }
  attempt {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    var names: [String] = []
    attempt {
      names = try queue.read { db in
        try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
      }
    }
    attempt { _ = try queue.read { db in try db.schemaDescription() } }
    for name in names {
      attempt {
        try queue.read { db in
          _ = try db.columns(in: name)
          let cursor = try Row.fetchCursor(db, Table(name).limit(1000))
          while let row = try cursor.next() { _ = row.description }
        }
      }
      attempt { _ = try queue.read { db in try Table(name).fetchCount(db) } }
    }
    attempt { try queue.close() }
  }
  return errors
}

/// The bytes of a database file with pages of 1024 bytes.
private struct Pages {
  let path: String
  var bytes: [UInt8]

  init(_ path: String) throws {
    self.path = path
    bytes = try Array(Data(contentsOf: URL(filePath: path)))
  }

  var count: Int { bytes.count / 1024 }

  /// Pages are numbered from 1.
  func offset(_ page: Int) -> Int { (page - 1) * 1024 }

  func integer(at offset: Int, size: Int) -> Int {
    bytes[offset..<(offset + size)].reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func set(_ value: Int, at offset: Int, size: Int) {
    for index in 0..<size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - index)))
    }
  }

  func write() throws { try Data(bytes).write(to: URL(filePath: path)) }
}

/// A database with interior pages, overflow pages, free pages, an index, and a full-text table.
private let librarySQL = """
  CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT);
  CREATE INDEX book_title ON book (title);
  WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
  INSERT INTO book SELECT i, 'The Trial ' || i, hex(zeroblob(i * 13 % 2000)) FROM n;
  DELETE FROM book WHERE id % 5 = 0;
  CREATE VIEW title AS SELECT title FROM book;
  CREATE VIRTUAL TABLE search USING fts5(title);
  INSERT INTO search SELECT title FROM book;
  """

@Suite("Hostile files", .needs(.fullText), .timeLimit(.minutes(10)))
struct HostileFileTests {
  private func rootPage(_ path: String, _ name: String) throws -> Int {
    try DatabaseQueue(path: path).read { db in
      try Int.fetchOne(
        db, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [name]) ?? 0
    }
  }

  /// Damages a file by hand, and expects that it is not opened.
  private func expectRefusal(
    _ message: String, _ damage: (inout Pages, _ book: Int) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withFile(librarySQL) { path in
      #expect(readAll(path, .untrusted).isEmpty)
      var pages = try Pages(path)
      try damage(&pages, rootPage(path, "book"))
      try pages.write()
      let error = databaseError { try DatabaseQueue(path: path, configuration: .untrusted) }
      #expect(
        error?.description.contains(message) == true, "\(error as Any)",
        sourceLocation: sourceLocation)
      #expect(error?.description.contains(path) == true, sourceLocation: sourceLocation)
      #expect(!readAll(path).isEmpty, sourceLocation: sourceLocation)
    }
  }

  @Test func `pages that lead to themselves are found at the opening`() throws {
    try expectRefusal("the database file is damaged: ") { pages, book in
      // An interior page of a table: its rightmost child is the page itself.
      #expect(pages.bytes[pages.offset(book)] == 5)
      pages.set(book, at: pages.offset(book) + 8, size: 4)
    }
    try expectRefusal("the database file is damaged: ") { pages, book in
      // The first child of the interior page.
      let cell = pages.integer(at: pages.offset(book) + 12, size: 2)
      pages.set(book, at: pages.offset(book) + cell, size: 4)
    }
    try expectRefusal("the database file is damaged: ") { pages, _ in
      // The list of free pages: its first page is followed by itself.
      let first = pages.integer(at: 32, size: 4)
      #expect(first > 0)
      pages.set(first, at: pages.offset(first), size: 4)
    }
  }

  @Test func `overflow pages in a circle are found at the opening`() throws {
    let sql = "CREATE TABLE book (text); INSERT INTO book VALUES (hex(zeroblob(5000)))"
    try withFile(sql) { path in
      var pages = try Pages(path)
      let book = try rootPage(path, "book")
      let cell = pages.integer(at: pages.offset(book) + 8, size: 2)
      // The overflow pages follow the page, and each begins with the number of the next one.
      let overflow = (book + 1...pages.count).first { page in
        pages.integer(at: pages.offset(page), size: 4) == page + 1
      }
      let page = try #require(overflow)
      #expect(cell > 0)
      pages.set(page, at: pages.offset(page + 1), size: 4)
      try pages.write()
      let error = databaseError { try DatabaseQueue(path: path, configuration: .untrusted) }
      #expect(error?.resultCode == .SQLITE_CORRUPT, "\(error as Any)")
    }
  }

  @Test func `a record that claims to be huge is an error`() throws {
    try withFile("CREATE TABLE book (text); INSERT INTO book VALUES ('The Trial')") { path in
      var pages = try Pages(path)
      let book = try rootPage(path, "book")
      let cell = pages.offset(book) + pages.integer(at: pages.offset(book) + 8, size: 2)
      // The size of the record, then the rowid, the size of its header, and the type of its text:
      // 0xFFFFFFFFFFFFFFFF is the largest number of nine bytes.
      let huge = [UInt8](repeating: 0xFF, count: 9)
      pages.bytes.replaceSubrange(cell..<(cell + 9), with: huge)
      try pages.write()
      let errors = readAll(path)
      #expect(!errors.isEmpty && errors.allSatisfy { $0 is DatabaseError }, "\(errors)")
    }
  }

  @Test func `a text with a type that is longer than its record is an error`() throws {
    try withFile("CREATE TABLE book (text); INSERT INTO book VALUES ('The Trial')") { path in
      var pages = try Pages(path)
      let cell = try #require(
        pages.bytes.indices.first { Array(pages.bytes[$0...].prefix(9)) == Array("The Trial".utf8) }
      )
      // The type of the text, before it: (N - 13) / 2 bytes.
      pages.bytes[cell - 1] = 0x7F
      try pages.write()
      let errors = readAll(path)
      #expect(!errors.isEmpty && errors.allSatisfy { $0 is DatabaseError }, "\(errors)")
    }
  }

  @Test func `a page number outside of the file is found at the opening`() throws {
    try expectRefusal("the database file is damaged: ") { pages, book in
      pages.set(0x7FFF_FFFF, at: pages.offset(book) + 8, size: 4)
    }
  }

  @Test func `a file with another header is no database`() throws {
    try expectRefusal("file is not a database") { pages, _ in
      pages.bytes[3] = 0
    }
  }

  @Test(arguments: 0..<100)
  func `each byte of the header may be damaged`(index: Int) throws {
    try withFile(librarySQL) { path in
      let original = try Pages(path)
      // The versions of the format are 1 and 2.
      for value: UInt8 in index == 18 || index == 19
        ? [0, 1, 3, 0xFF] : [index % 2 == 0 ? 0 : 0x7F, 0xFF]
      {
        var pages = original
        pages.bytes[index] = value
        try pages.write()
        let errors = readAll(path)
        #expect(errors.allSatisfy { $0 is DatabaseError }, "\(index), \(value): \(errors)")
      }
    }
  }

  @Test func `random damage is no crash, no hang, and no other error`() throws {
    let run = RandomRun("random damage")
    try withFile(librarySQL) { path in
      let original = try Pages(path)
      var counts = (refused: 0, read: 0)
      try run.repeated(seconds: 1) { random in
        var pages = original
        for _ in 0...random.below(4) {
          let page = pages.offset(1 + random.below(pages.count))
          switch random.below(4) {
          case 0: pages.bytes[page + random.below(16)] = UInt8(random.below(256))
          case 1: pages.set(random.below(pages.count + 2), at: page + random.below(1020), size: 4)
          case 2:
            let other = pages.offset(1 + random.below(pages.count))
            let copy = pages.bytes[other..<(other + 1024)]
            pages.bytes.replaceSubrange(page..<(page + 1024), with: copy)
          default:
            pages.bytes[page + random.below(1024)] = UInt8(random.below(256))
          }
        }
        try pages.write()
        let errors = readAll(path)
        #expect(errors.allSatisfy { $0 is DatabaseError }, "\(run.seed): \(errors)")
        if errors.isEmpty { counts.read += 1 } else { counts.refused += 1 }
      }
      print("random damage: \(counts.refused) files with errors, \(counts.read) without")
    }
  }

  // Schemas that were written by hand.

  /// Makes a file whose schema was changed by `UPDATE sqlite_master`.
  private func withSchema(
    _ sql: String, _ change: String, _ body: (String) throws -> Void
  ) throws {
    try withFile(
      """
      \(sql);
      PRAGMA writable_schema = ON;
      \(change);
      """, body)
  }

  private func withFile(_ sql: String, _ body: (String) throws -> Void) throws {
    try EngineTests.withFile(sql, Configuration(), body)
  }

  @Test(arguments: [
    // Two tables on one page.
    "UPDATE sqlite_master SET rootpage = 2",
    // Pages that don't exist, or that are none.
    "UPDATE sqlite_master SET rootpage = 999999 WHERE name = 'author'",
    "UPDATE sqlite_master SET rootpage = -1 WHERE name = 'author'",
    "UPDATE sqlite_master SET rootpage = 1 WHERE name = 'author'",
    "UPDATE sqlite_master SET rootpage = 'x' WHERE name = 'author'",
    // An index in place of a table.
    "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE type = 'index')",
    // No SQL, other SQL, and SQL that runs something.
    "UPDATE sqlite_master SET sql = NULL WHERE name = 'author'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE author (' WHERE name = 'author'",
    "UPDATE sqlite_master SET sql = 'DROP TABLE book' WHERE name = 'author'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE x (a); DROP TABLE book' WHERE name = 'author'",
    "UPDATE sqlite_master SET sql = zeroblob(100000) WHERE name = 'author'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE author (id, id)' WHERE name = 'author'",
    // Names and types that are not those of the SQL.
    "UPDATE sqlite_master SET name = 'sqlite_master' WHERE name = 'author'",
    "UPDATE sqlite_master SET name = x'00ff', tbl_name = NULL WHERE name = 'author'",
    "UPDATE sqlite_master SET type = 'nonsense'",
    "UPDATE sqlite_master SET type = 'view' WHERE name = 'author'",
    "INSERT INTO sqlite_master SELECT * FROM sqlite_master",
    "INSERT INTO sqlite_master VALUES ('trigger', 't', 'book', 0, 'CREATE TRIGGER t AFTER INSERT ON nowhere BEGIN SELECT 1; END')",
    "INSERT INTO sqlite_master VALUES ('table', 'csv', 'csv', 0, 'CREATE VIRTUAL TABLE csv USING nowhere(''/etc/passwd'')')",
    "INSERT INTO sqlite_master VALUES ('table', 'f', 'f', 0, 'CREATE VIRTUAL TABLE f USING fts5(a, content=''sqlite_master'', tokenize=''nonsense'')')",
    "INSERT INTO sqlite_master VALUES ('table', 'f', 'f', 0, 'CREATE VIRTUAL TABLE f USING fts4(content=\"f\")')",
    "INSERT INTO sqlite_master VALUES ('table', 'r', 'r', 0, 'CREATE VIRTUAL TABLE r USING rtree(a, b, c)')",
  ])
  func `a schema that was written by hand is an error, or is read`(change: String) throws {
    let sql = """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO author VALUES (1, 'Kafka');
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT); INSERT INTO book VALUES (1, 'The Trial');
      CREATE INDEX book_title ON book (title);
      """
    try withSchema(sql, change) { path in
      let errors = readAll(path)
      #expect(errors.allSatisfy { $0 is DatabaseError }, "\(errors)")
      // Whatever the file says, its tables are there: nothing was executed.
      let written = try Data(contentsOf: URL(filePath: path))
      #expect(written.range(of: Data("The Trial".utf8)) != nil)
    }
  }

  @Test func `views in a circle are an error`() throws {
    try withSchema(
      "CREATE VIEW a AS SELECT 1; CREATE VIEW b AS SELECT * FROM a",
      "UPDATE sqlite_master SET sql = 'CREATE VIEW a AS SELECT * FROM b' WHERE name = 'a'"
    ) { path in
      let queue = try DatabaseQueue(path: path, configuration: .untrusted)
      for view in ["a", "b"] {
        let error = databaseError {
          try queue.read { db in try Row.fetchAll(db, sql: "SELECT * FROM \(view)") }
        }
        #expect(error?.message?.contains("circularly defined") == true, "\(error as Any)")
      }
    }
  }

  @Test func `a view that doubles with each level does not exhaust the memory`() throws {
    let views = (1...24).map { number in
      let before = "SELECT * FROM v\(number - 1)"
      return "CREATE VIEW v\(number) AS \(before) UNION ALL \(before);"
    }
    try withFile("CREATE VIEW v0 AS SELECT 1;" + views.joined()) { path in
      let queue = try DatabaseQueue(path: path, configuration: impatient)
      let error = databaseError {
        try queue.read { db in try Row.fetchAll(db, sql: "SELECT * FROM v24") }
      }
      #expect(error != nil)
      #expect(error?.resultCode != .SQLITE_NOMEM)
    }
  }

  @Test func `names with quotes are names`() throws {
    let names = [
      "a\"b", "a'b", "a`b", "a]b", "[a", "a;b", "--", "/*", "a\nb", "é", "", "sélect", "%s",
    ]
    let tables = names.map { name in
      let quoted = "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
      return "CREATE TABLE \(quoted) (\(quoted)); INSERT INTO \(quoted) VALUES (1);"
    }
    try withFile(tables.joined()) { path in
      #expect(readAll(path, .untrusted).isEmpty)
      try DatabaseQueue(path: path, configuration: .untrusted).read { db in
        for name in names {
          try #expect(db.tableExists(name), "\(name)")
          try #expect(db.columns(in: name).map(\.name) == [name])
          try #expect(Table(name).filter(Column(name) == 1).fetchCount(db) == 1)
        }
      }
    }
  }

  @Test func `names with NUL are an error, or those before it`() throws {
    try withSchema(
      "CREATE TABLE book (title); INSERT INTO book VALUES ('The Trial')",
      """
      UPDATE sqlite_master SET
        name = CAST(x'626f6f6b00657669' AS TEXT), tbl_name = CAST(x'626f6f6b00657669' AS TEXT),
        sql = CAST(x'435245415445205441424c4520626f6f6b002865766929' AS TEXT)
      """
    ) { path in
      let errors = readAll(path)
      #expect(!errors.isEmpty)
      #expect(errors.allSatisfy { $0 is DatabaseError }, "\(errors)")
    }
  }

  @Test func `a full-text index whose tables were written by hand is an error, or is read`() throws
  {
    for change in [
      "UPDATE search_data SET block = zeroblob(100)",
      "UPDATE search_data SET block = x'ffffffffffff'",
      "DELETE FROM search_data", "UPDATE search_config SET v = 99",
      "UPDATE search_docsize SET sz = x'ffffffffffffffffff'", "DROP TABLE search_content",
      "UPDATE search_idx SET pgno = -1",
    ] {
      try withFile(librarySQL + "PRAGMA writable_schema = ON; \(change)") { path in
        let errors = readAll(path)
        #expect(errors.allSatisfy { $0 is DatabaseError }, "\(change): \(errors)")
        let error = databaseError {
          try DatabaseQueue(path: path, configuration: impatient).read { db in
            for pattern in ["trial", "t*", "\"the trial\"", "the NOT trial"] {
              _ = try Row.fetchAll(
                db, sql: "SELECT *, rank FROM search WHERE search MATCH ? ORDER BY rank",
                arguments: [pattern])
            }
          }
        }
        #expect(error?.resultCode != .SQLITE_NOMEM, "\(change): \(error as Any)")
      }
    }
  }
}
