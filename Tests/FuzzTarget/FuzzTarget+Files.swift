import CFuzz
import Foundation
import Quarry
import QuarryBlobs
import QuarryMigrations
import QuarryTables

extension FuzzTarget {
  private struct Book: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var title: String
    var authorId: Int?
    var cover: Data?
  }

  private static let fileSchema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, authorId REFERENCES author(id), cover BLOB);
    CREATE TABLE link (a, b, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE UNIQUE INDEX byTitle ON book(title);
    CREATE VIEW writers AS SELECT author.*, COUNT(*) AS n FROM author
      JOIN book ON authorId = author.id GROUP BY author.id;
    CREATE TRIGGER afterBook AFTER INSERT ON book BEGIN INSERT INTO link VALUES (new.id, 1); END;
    INSERT INTO author VALUES (1, 'Ursula'), (2, 'Emily');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 12)
    INSERT INTO book SELECT i, 'Title ' || i, 1 + i % 2, zeroblob(i * 60 % 700) FROM n;
    """

  private static func makeFile(_ sql: String) throws -> [UInt8] {
    let queue = try DatabaseQueue()
    return try queue.inDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 512; VACUUM; \(sql)")
      return [UInt8](try db.serialize())
    }
  }

  /// How many of the uses only read.
  private static let readCount = 14

  private static let uses: [@Sendable (Database) throws -> Void] = [
    { _ = try Book.fetchAll($0) },
    { _ = try Book.order(Column("title")).fetchCursor($0).reduce(0) { count, _ in count + 1 } },
    { _ = try Row.fetchAll($0, sql: "SELECT * FROM book JOIN author ON authorId = author.id") },
    { _ = try Row.fetchOne($0, sql: "SELECT * FROM writers") },
    { _ = try Book.filter(key: 7).fetchOne($0) },
    { _ = try $0.columns(in: "book") },
    { _ = try ($0.primaryKey("link"), $0.indexes(on: "book"), $0.foreignKeys(on: "book")) },
    { try $0.checkForeignKeys() },
    { _ = try Array(Row.fetchCursor($0, sql: "SELECT * FROM sqlite_master").prefix(50)) },
    { _ = try String.fetchAll($0, sql: "PRAGMA integrity_check(5)") },
    { _ = try $0.withBlob(table: "book", column: "cover", rowID: 3) { blob in try blob.read() } },
    { try $0.dumpContent(to: Sink()) },
    { _ = try $0.schemaDescription() },
    { _ = try $0.serialize() },
    { try Book(id: 1000, title: "New", authorId: 1, cover: nil).insert($0) },
    { _ = try Book.deleteOne($0, key: 12) },
    { try $0.execute(sql: "UPDATE book SET title = title || 'x', cover = zeroblob(900)") },
    { try $0.execute(sql: "CREATE INDEX other ON book(cover); DROP INDEX byTitle") },
  ]

  /// Whatever a file contains, uses of it succeed or throw.
  static let files = FuzzTarget(
    name: "files", maximumSize: 20_000,
    seeds: {
      try [
        makeFile(fileSchema), makeFile("CREATE TABLE book (id INTEGER PRIMARY KEY, title)"),
        makeFile("CREATE VIRTUAL TABLE book USING fts5(title); INSERT INTO book VALUES ('sea')"),
      ]
    }
  ) { bytes in
    try withDatabase(instructionCount: 500_000) { db in
      try db.deserialize(Data(bytes))
      for (index, use) in uses.enumerated() {
        // Those that write meet the file as it is.
        if index >= readCount { try db.deserialize(Data(bytes)) }
        tolerate { try use(db) }
      }
    }
  }

  private static let fullTextTables = """
    CREATE VIRTUAL TABLE t3 USING fts3(title, body);
    CREATE VIRTUAL TABLE t4 USING fts4(title, body, tokenize=porter);
    CREATE VIRTUAL TABLE t5 USING fts5(title, body);
    CREATE VIRTUAL TABLE t6 USING fts5(title, body, tokenize=trigram);
    INSERT INTO t3 VALUES ('sea title', 'The river é 📚'); INSERT INTO t4 SELECT * FROM t3;
    INSERT INTO t5 SELECT * FROM t3; INSERT INTO t6 SELECT * FROM t3;
    """

  /// Patterns of texts are understood by all tables; raw ones that were accepted, by their own.
  static let patterns = FuzzTarget(name: "patterns", maximumSize: 120) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    try withDatabase(fullTextTables) { db in
      func search(_ table: String, _ pattern: String) throws {
        _ = try Int.fetchAll(
          db, sql: "SELECT rowid FROM \(table) WHERE \(table) MATCH ?", arguments: [pattern])
      }
      func mustSearch(_ table: String, _ pattern: String?) {
        guard let pattern else { return }
        do { try search(table, pattern) } catch {
          wrong("\(text.debugDescription): \(table) refuses \(pattern.debugDescription): \(error)")
        }
      }
      for table in ["t3", "t4"] {
        mustSearch(table, FTS3Pattern(matchingAnyTokenIn: text)?.rawPattern)
        mustSearch(table, FTS3Pattern(matchingAllTokensIn: text)?.rawPattern)
        mustSearch(table, FTS3Pattern(matchingAllPrefixesIn: text)?.rawPattern)
        mustSearch(table, FTS3Pattern(matchingPhrase: text)?.rawPattern)
      }
      for table in ["t5", "t6"] {
        mustSearch(table, FTS5Pattern(matchingAnyTokenIn: text)?.rawPattern)
        mustSearch(table, FTS5Pattern(matchingAllTokensIn: text)?.rawPattern)
        mustSearch(table, FTS5Pattern(matchingAllPrefixesIn: text)?.rawPattern)
        mustSearch(table, FTS5Pattern(matchingPhrase: text)?.rawPattern)
        mustSearch(table, FTS5Pattern(matchingPrefixPhrase: text)?.rawPattern)
      }
      if let pattern = try? FTS5Pattern(rawPattern: text, allowedColumns: ["title", "body"]) {
        mustSearch("t5", pattern.rawPattern)
      }
      if let pattern = try? FTS3Pattern(rawPattern: text), !text.contains(":") {
        mustSearch("t3", pattern.rawPattern)
      }
    }
  }

  private static let csvPath = NSTemporaryDirectory() + "/quarry-fuzz-\(getpid()).csv"

  private static func rowsOfCSV(_ bytes: [UInt8]) throws -> [[DatabaseValue]] {
    defer { try? FileManager.default.removeItem(atPath: csvPath) }
    try Data(bytes).write(to: URL(fileURLWithPath: csvPath))
    var rows: [[DatabaseValue]] = []
    try withDatabase { db in
      try db.register(table: "t", CSVTable(path: csvPath))
      rows = try Row.fetchAll(db, sql: "SELECT * FROM t").map { Array($0.databaseValues) }
    }
    return rows
  }

  /// Bytes are a table or an error; rows that are written as CSV come back.
  static let csv = FuzzTarget(name: "csv") { bytes in
    do { _ = try rowsOfCSV(bytes) } catch is DatabaseError {}
    var input = Input(bytes)
    let columnCount = 1 + Int(input.byte() % 3)
    let texts = input.values(atMost: 9).map { value -> String in
      if case .string(let text) = value.storage { text } else { "" }
    }
    let rows = stride(from: 0, to: texts.count / columnCount * columnCount, by: columnCount)
      .map { Array(texts[$0..<$0 + columnCount]) }
    let header = (0..<columnCount).map { "c\($0)" }.joined(separator: ",")
    let lines = rows.map { row in
      row.map { $0.quotedDatabaseIdentifier }.joined(separator: ",")
    }
    let text = ([header] + lines).joined(separator: "\r\n")
    let expected = rows.map { $0.map(\.databaseValue) }
    do {
      let read = try rowsOfCSV(Array(text.utf8))
      guard read.count == expected.count, zip(read, expected).allSatisfy(isSame) else {
        wrong("\(text.debugDescription) is read as \(read)")
      }
    } catch {
      wrong("\(text.debugDescription): \(error)")
    }
  }
}
