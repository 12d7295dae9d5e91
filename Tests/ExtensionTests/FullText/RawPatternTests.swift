import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Raw patterns, and patterns as values.
@Suite(.needs(.fullText))
struct RawPatternTests {
  @Test(
    .needs(.fullTextOperators),
    arguments: [
      "", " ", "sea", "sea river", "sea AND river", "sea OR river", "sea NOT river", "-sea",
      "sea -river", "\"old man\"", "\"old\"\"man\"", "\"\"", "()", "(sea)", "sea*", "*", "^sea",
      "sea NEAR river", "sea NEAR/2 river", "sea NEAR/x river", "title:sea", "nope:sea", "title:",
      "and or not", "?!", "sea'", "📚", "sea\u{0}(",
    ])
  func `Patterns that FTS3 accepts`(pattern: String) throws {
    #expect(try FTS3Pattern(rawPattern: pattern).rawPattern == pattern)
  }

  @Test(
    .needs(.fullTextOperators),
    arguments: [
      "AND", "OR", "NOT", "NEAR", "NEAR/3", "NOT sea", "sea AND", "sea OR OR river", "\"", "\"old",
      "(", ")", "(sea", "sea)", "body:\"&",
    ])
  func `Patterns that FTS3 refuses`(pattern: String) {
    let error = databaseError { try FTS3Pattern(rawPattern: pattern) }
    #expect(error?.text == "1 malformed MATCH expression: [\(pattern)]")
    #expect(error?.sql == nil)
    #expect(error?.arguments == nil)
  }

  @Test(
    arguments: [
      "sea", "sea river", "sea AND river", "sea OR river", "sea NOT river", "(sea)", "\"old man\"",
      "\"old\"\"man\"", "\"\"", "sea*", "sea *", "\"old man\" *", "^sea", "sea ^river",
      "^\"old man\"", "sea + river", "sea+river", "NEAR(sea river)", "NEAR(sea river, 3)",
      "NEAR(sea)", "NEAR", "sea NEAR river", "title:sea", "title : sea", "TITLE: sea",
      "\"title\": sea", "{title body}: sea", "- title: sea", "- {title}: sea",
      "title: (sea OR river)", "and or not", "été", "📚", "snake_case", "sea\u{0}(",
    ])
  func `Patterns that FTS5 accepts`(pattern: String) throws {
    let checked = try FTS5Pattern(rawPattern: pattern, allowedColumns: ["title", "body"])
    #expect(checked.rawPattern == pattern)
    try withDocuments(using: "fts5") { db throws in
      #expect(try db.makeFTS5Pattern(rawPattern: pattern, forTable: "doc") == checked)
      _ = try Doc.matching(checked).fetchAll(db)
    }
  }

  @Test(
    arguments: [
      ("", #"fts5: syntax error near """#), (" ", #"fts5: syntax error near """#),
      ("sea AND", #"fts5: syntax error near """#), ("(", #"fts5: syntax error near """#),
      ("(sea", #"fts5: syntax error near """#), ("^", #"fts5: syntax error near """#),
      ("title:", #"fts5: syntax error near """#), ("AND", #"fts5: syntax error near "AND""#),
      ("AND sea", #"fts5: syntax error near "AND""#), ("OR", #"fts5: syntax error near "OR""#),
      ("NOT", #"fts5: syntax error near "NOT""#), ("NOT sea", #"fts5: syntax error near "NOT""#),
      (")", #"fts5: syntax error near ")""#), ("()", #"fts5: syntax error near ")""#),
      ("sea)", #"fts5: syntax error near ")""#), ("NEAR()", #"fts5: syntax error near ")""#),
      ("sea.river", #"fts5: syntax error near ".""#), ("9.99", #"fts5: syntax error near ".""#),
      ("sea,river", #"fts5: syntax error near ",""#), ("me@shop", #"fts5: syntax error near "@""#),
      ("#sea", ##"fts5: syntax error near "#""##), ("sea'", #"fts5: syntax error near "'""#),
      ("?!", #"fts5: syntax error near "?""#), ("a;b", #"fts5: syntax error near ";""#),
      ("\"", "unterminated string"), ("\"old", "unterminated string"),
      ("nope: sea", "no such column: nope"), ("-sea", "no such column: sea"),
      ("sea -river", "no such column: river"), ("e-book", "no such column: book"),
      ("__grdb__: x", "no such column: __grdb__"), ("document: x", "no such column: document"),
      ("NEAR(sea river, x)", #"expected integer, got "x""#), ("*", "unknown special query: "),
    ])
  func `Patterns that FTS5 refuses`(pattern: String, message: String) {
    let error = databaseError {
      try FTS5Pattern(rawPattern: pattern, allowedColumns: ["title", "body"])
    }
    #expect(error?.text == "1 \(message)")
    #expect(error?.sql == nil)
    #expect(error?.arguments == nil)
  }

  @Test(
    .needs(.fullTextOperators),
    arguments: ["sea OR title:", "sea NEAR title: ;", "(sea NOT title:)"])
  func `FTS3 checks the columns of a pattern when it searches`(pattern: String) throws {
    let checked = try FTS3Pattern(rawPattern: pattern)
    try withDocuments(using: "fts3") { db throws in
      #expect(
        databaseError { try Doc.matching(checked).fetchAll(db) }?.message
          == "malformed MATCH expression: [\(pattern)]")
    }
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "doc", using: "fts3(body)")
      #expect(try Doc.matching(checked).fetchCount(db) == 0)
    }
  }

  @Test(.needs(.fullTextOperators)) func `Deep patterns are refused`() {
    let nested = String(repeating: "(", count: 300) + "sea" + String(repeating: ")", count: 300)
    #expect(
      databaseError { try FTS5Pattern(rawPattern: nested) }?.message
        == "fts5: parser stack overflow")
    let deep = String(repeating: "(", count: 100_000)
    #expect(throws: DatabaseError.self) { try FTS3Pattern(rawPattern: deep) }
    #expect(throws: DatabaseError.self) { try FTS5Pattern(rawPattern: deep) }
  }

  @Test func `Without columns, none can be named`() {
    for pattern in ["title:sea", "__grdb__: x", "document: x", "content: x", "rank: x"] {
      let name = pattern.prefix { $0 != ":" }
      #expect(
        databaseError { try FTS5Pattern(rawPattern: pattern) }?.message == "no such column: \(name)"
      )
    }
  }

  @Test func `Columns are those of a table`() throws {
    func message(_ columns: [String]) -> String? {
      databaseError { try FTS5Pattern(rawPattern: "sea", allowedColumns: columns) }?.message
    }
    #expect(message(["rank"]) == "reserved fts5 column name: rank")
    #expect(message(["a", "A"]) == "vtable constructor failed: document")
    #expect(message(["a"]) == nil)
    #expect(message(["document", "document_"]) == nil)
    #expect(message(["first name", "a\"b"]) == nil)
    #expect(message([]) == nil)
    #expect(throws: Never.self) {
      try FTS5Pattern(rawPattern: #""first name": sea"#, allowedColumns: ["first name"])
    }
    #expect(throws: Never.self) {
      try FTS5Pattern(rawPattern: "document: sea", allowedColumns: ["document"])
    }
  }

  @Test func `Patterns are checked for any table`() throws {
    try withBooks { db throws in
      #expect(throws: Never.self) {
        try db.makeFTS5Pattern(rawPattern: "year: 1984", forTable: "book")
      }
      #expect(
        databaseError { try db.makeFTS5Pattern(rawPattern: "sea", forTable: "nope") }?.message
          == "no such table: nope")
      try db.execute(sql: "CREATE VIEW recent AS SELECT title AS name FROM book")
      #expect(throws: Never.self) {
        try db.makeFTS5Pattern(rawPattern: "name: sea", forTable: "recent")
      }
      #expect(
        databaseError { try db.makeFTS5Pattern(rawPattern: "year: 1984", forTable: "recent") }?
          .message == "no such column: year")
      try db.create(virtualTable: "ft", using: FTS5()) { $0.column("isbn").notIndexed() }
      #expect(throws: Never.self) { try db.makeFTS5Pattern(rawPattern: "isbn: 1", forTable: "ft") }
    }
  }

  @Test(.needs(.fullTextOperators)) func `Patterns are values`() throws {
    let fts3 = try FTS3Pattern(rawPattern: "sea river")
    let fts5 = try FTS5Pattern(rawPattern: "sea river")
    #expect(fts3.databaseValue == "sea river".databaseValue)
    #expect(fts5.databaseValue == "sea river".databaseValue)
    #expect(fts5.description == "sea river")
    #expect(try fts5 == FTS5Pattern(rawPattern: "sea river"))
    #expect(FTS3Pattern.fromDatabaseValue("sea".databaseValue)?.rawPattern == "sea")
    #expect(FTS5Pattern.fromDatabaseValue("sea".databaseValue)?.rawPattern == "sea")
    let blob = Data("sea".utf8).databaseValue
    #expect(FTS3Pattern.fromDatabaseValue(blob)?.rawPattern == "sea")
    #expect(FTS5Pattern.fromDatabaseValue(blob)?.rawPattern == "sea")
    for value in [DatabaseValue.null, 1.databaseValue, 1.5.databaseValue, "AND".databaseValue] {
      #expect(FTS3Pattern.fromDatabaseValue(value) == nil)
      #expect(FTS5Pattern.fromDatabaseValue(value) == nil)
    }
    #expect(FTS5Pattern.fromDatabaseValue("title:sea".databaseValue) == nil)
  }

  @Test func `Patterns are fetched, and refused`() throws {
    try DatabaseQueue().read { db throws in
      #expect(try FTS5Pattern.fetchOne(db, sql: "SELECT 'sea'")?.rawPattern == "sea")
      #expect(try FTS3Pattern.fetchOne(db, sql: "SELECT NULL") == nil)
      #expect(
        errorText { try FTS5Pattern.fetchAll(db, sql: "SELECT 'AND'") }?
          .hasPrefix(#"could not decode FTS5Pattern from database value "AND""#) == true)
    }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `Only the text of a pattern counts`(module: String) throws {
    try withDocuments(using: module) { db throws in
      let sql = "SELECT COUNT(*) FROM doc WHERE doc MATCH ?"
      #expect(try Int.fetchOne(db, sql: sql, arguments: [FTS3Pattern(rawPattern: "sea")]) == 2)
      #expect(try Int.fetchOne(db, sql: sql, arguments: [FTS5Pattern(rawPattern: "sea")]) == 2)
      let sea = try FTS5Pattern(rawPattern: "sea")
      let request: SQLRequest<Int> = "SELECT COUNT(*) FROM doc WHERE doc MATCH \(sea)"
      #expect(try request.fetchOne(db) == 2)
      let none: FTS5Pattern? = nil
      if module == "fts5" {
        #expect(
          databaseError { try Int.fetchOne(db, sql: sql, arguments: [none]) }?.message
            == #"fts5: syntax error near """#)
      } else {
        #expect(try Int.fetchOne(db, sql: sql, arguments: [none]) == 0)
      }
    }
  }

  @Test func `Patterns are made inside of accesses, on all threads`() async throws {
    let queue = try DatabaseQueue()
    let count = await withTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask {
          (try? queue.write { db throws -> Int in
            _ = try FTS3Pattern(rawPattern: "sea \(number)")
            _ = try FTS5Pattern(rawPattern: "c\(number): sea", allowedColumns: ["c\(number)"])
            return 1
          }) ?? 0
        }
      }
      return await group.reduce(0, +)
    }
    #expect(count == 8)
  }
}
