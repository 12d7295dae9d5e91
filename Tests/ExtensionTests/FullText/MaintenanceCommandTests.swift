import Foundation
import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// The commands of full-text tables, in SQL.
@Suite(.needs(.fullText))
struct MaintenanceCommandTests {
  private func message(_ command: String, in db: Database) -> String? {
    databaseError { try db.execute(sql: "INSERT INTO \(command)") }?.message
  }

  @Test(arguments: ["fts3", "fts4"])
  func `Commands of FTS3 and FTS4`(module: String) throws {
    try withDocuments(using: module) { db throws in
      for command in ["optimize", "rebuild", "integrity-check", "merge=8,4", "automerge=4"] {
        #expect(message("doc(doc) VALUES('\(command)')", in: db) == nil)
      }
      for command in ["delete-all", "zork"] {
        #expect(message("doc(doc) VALUES('\(command)')", in: db) == "SQL logic error")
      }
    }
  }

  @Test func `Commands of FTS5`() throws {
    try withDocuments(using: "fts5") { db throws in
      for command in ["optimize", "rebuild", "integrity-check"] {
        #expect(message("doc(doc) VALUES('\(command)')", in: db) == nil)
      }
      for (command, value) in [
        ("integrity-check", "1"), ("merge", "8"), ("automerge", "4"), ("usermerge", "4"),
        ("crisismerge", "16"), ("pgsz", "2000"), ("hashsize", "1000"),
        ("rank", "'bm25(10.0, 0.1)'"),
      ] {
        #expect(message("doc(doc, rank) VALUES('\(command)', \(value))", in: db) == nil)
      }
      for command in ["doc(doc, rank) VALUES('rank', 'nonsense(')", "doc(doc) VALUES('zork')"] {
        #expect(message(command, in: db) == "SQL logic error")
      }
      #expect(
        message("doc(doc) VALUES('delete-all')", in: db) == """
          'delete-all' may only be used with a contentless or external content fts5 table
          """)
      #expect(
        databaseError {
          try db.execute(sql: "SELECT rank FROM doc WHERE doc MATCH 'sea' AND rank MATCH 'zork()'")
        }?.message == "no such function: zork")
    }
  }

  @Test(arguments: Engine.allCases)
  func `A stale index of FTS4 does not pass its check`(engine: Engine) throws {
    try withIndexedBooks(engine) { db throws in
      try db.execute(sql: "INSERT OR REPLACE INTO book VALUES (1, 'Hill', 1)")
      let error = databaseError {
        try db.execute(sql: "INSERT INTO bookIndex(bookIndex) VALUES('integrity-check')")
      }
      #expect(error?.extendedResultCode.rawValue == (engine == .fts4 ? 267 : nil))
      if engine == .fts5 {
        try db.execute(sql: "INSERT INTO bookIndex(bookIndex) VALUES('delete-all')")
        #expect(try db.booksMatching("sea") == [])
      }
    }
  }

  @Test func `A rank function stays with the table`() throws {
    try withDocuments(using: "fts5") { db throws in
      func ranks() throws -> [Double] {
        try Doc.matching(FTS5Pattern(matchingAllTokensIn: "sea"))
          .select(Column.rank, as: Double.self).fetchAll(db)
      }
      let before = try ranks()
      try db.execute(sql: "INSERT INTO doc(doc, rank) VALUES('rank', 'bm25(10.0, 0.1)')")
      #expect(try ranks() != before)
    }
  }

  @Test func `A stale index passes the check of FTS5 alone`() throws {
    try withIndexedBooks(.fts5) { db throws in
      try db.execute(sql: "INSERT OR REPLACE INTO book VALUES (1, 'Hill', 1)")
      #expect(message("bookIndex(bookIndex) VALUES('integrity-check')", in: db) == nil)
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      let error = databaseError {
        try db.execute(
          sql: "INSERT INTO bookIndex(bookIndex, rank) VALUES('integrity-check', 1)")
      }
      #expect(error?.extendedResultCode.rawValue == 267)
    }
  }

  @Test func `The vocabulary is a table`() throws {
    try withDocuments(using: "fts5") { db throws in
      try db.create(virtualTable: "words", using: "fts5vocab(doc, row)")
      #expect(
        try Row.fetchOne(db, sql: "SELECT * FROM words WHERE term = 'sea'")
          == ["term": "sea", "doc": 2, "cnt": 3])
      try db.create(virtualTable: "columns", using: "fts5vocab(doc, col)")
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM columns WHERE term = 'sea' ORDER BY col")
          == [
            ["term": "sea", "col": "body", "doc": 2, "cnt": 2],
            ["term": "sea", "col": "title", "doc": 1, "cnt": 1],
          ])
      try db.create(virtualTable: "places", using: "fts5vocab(doc, instance)")
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM places WHERE term = 'oak'")
          == [["term": "oak", "doc": 3, "col": "body", "offset": 4]])
    }
    try withDocuments(using: "fts4") { db throws in
      try db.create(virtualTable: "words", using: "fts4aux(doc)")
      #expect(
        try Row.fetchOne(db, sql: "SELECT * FROM words WHERE term = 'sea' AND col = '*'")
          == ["term": "sea", "col": "*", "documents": 2, "occurrences": 3])
    }
  }

  @Test func `Tables with texts of SQL are created as before`() throws {
    try withDocuments(using: "fts5") { db throws in
      func message(_ module: String) -> String? {
        databaseError { try db.create(virtualTable: "doc", using: module) }?.message
      }
      #expect(message("fts5(a)") == "table \"doc\" already exists")
      #expect(
        databaseError { try db.create(virtualTable: "vt", using: "nope") }?.message
          == "no such module: nope")
      #expect(
        databaseError { try db.create(virtualTable: "vt", using: "") }?.message
          == "incomplete input")
    }
  }

  @Test func `Nothing is written by read-only accesses`() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.create(virtualTable: "doc", using: FTS5()) { $0.column("title") }
    }
    try queue.read { db throws in
      #expect(
        databaseError { try db.create(virtualTable: "vt", using: FTS4()) }?.resultCode.rawValue
          == 8)
      #expect(databaseError { try db.rebuildFullTextIndex("doc") }?.resultCode.rawValue == 8)
    }
  }

  private static let shell = "/usr/bin/sqlite3"

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: shell), "there is no sqlite3 shell"),
    arguments: Engine.allCases)
  func `The sqlite3 shell searches an index, and finds it sound`(engine: Engine) throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/books.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.write { db throws in
        try db.execute(
          sql: """
            CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER);
            INSERT INTO book VALUES (1, 'Old Man and Sea', 1952), (2, 'Hill', 1999);
            """)
        try db.createBookIndex(engine)
        try db.execute(sql: "UPDATE book SET title = 'Sea Hill' WHERE id = 2")
      }
      try queue.close()
      let check =
        engine == .fts5
        ? "(bookIndex, rank) VALUES('integrity-check', 1)"
        : "(bookIndex) VALUES('integrity-check')"
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: Self.shell)
      process.arguments = [
        "-bail", path,
        """
        INSERT INTO bookIndex\(check); INSERT INTO book VALUES (3, 'Sea', 2020);
        SELECT group_concat(title, '|') FROM bookIndex WHERE bookIndex MATCH 'sea';
        """,
      ]
      process.standardOutput = output
      // The shell refuses another library than its own.
      process.environment = ProcessInfo.processInfo.environment
        .filter { $0.key != "LD_LIBRARY_PATH" }
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(text == "Old Man and Sea|Sea Hill|Sea\n")
    }
  }

  @Test func `Dumps leave shadow tables out`() throws {
    try withIndexedBooks(.fts5) { db throws in
      let stream = DumpText()
      try db.dumpContent(format: .list(), to: stream)
      #expect(stream.text.contains("\nOld Man and Sea\nSea Wolf\nRiver Street\n"))
      #expect(!stream.text.contains("bookIndex_data"))
    }
  }

  private final class DumpText: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }
}
