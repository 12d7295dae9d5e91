import Foundation
import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// Random patterns, texts and names: none crashes, each matches or throws.
///
/// `QUARRY_FUZZ_COUNT` sets the number of random strings.
@Suite(.needs(.fullText))
struct FullTextFuzzTests {
  private var count: Int {
    ProcessInfo.processInfo.environment["QUARRY_FUZZ_COUNT"].flatMap { Int($0) } ?? 150
  }

  private static let pieces = [
    "AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR/3", "\"", "(", ")", "{", "}", ":", "^", "*", "+",
    "-", ",", "sea", "river", "title", "body", "doc", "rank", " ", "'", "\0", "é", "📚", "\u{301}",
    "e\u{301}", "\\", "1", "9.99", "title:", "{title body}:", "- title :", ";", "\u{1A}",
  ]

  private func pattern(_ generator: inout SplitMix64) -> String {
    if generator.chance(4) { return generator.text() }
    return (0...generator.below(8)).map { _ in
      generator.pick(Self.pieces) + (generator.chance(2) ? " " : "")
    }.joined()
  }

  private func withTables(_ body: (Database, [String]) throws -> Void) throws {
    try DatabaseQueue().write { db throws in
      let modules = [
        "fts3(title, body)", "fts4(title, body)", "fts4(title, body, tokenize=porter)",
        "fts4(title, body, content='')", "fts5(title, body)",
        "fts5(title, body, detail=column)", "fts5(title, body, detail=none)",
        "fts5(title, body, tokenize=trigram)", "fts5(title, body, tokenize=porter)",
        "fts5(title, body, content='')",
      ]
      let tables = modules.indices.map { "t\($0)" }
      for (table, module) in zip(tables, modules) {
        try db.create(virtualTable: table, using: module)
        try db.execute(
          sql: "INSERT INTO \(table) (rowid, title, body) VALUES (1, 'sea title', 'The river é 📚')")
      }
      try body(db, tables)
    }
  }

  @Test func `Raw patterns match or throw`() throws {
    let run = RandomRun("raw patterns")
    var generator = run.generator
    var accepted = 0
    try withTables { db, tables throws in
      try db.create(virtualTable: "plain", using: "fts3(words)")
      for _ in 0..<count {
        let text = pattern(&generator)
        let checked = try? FTS3Pattern(rawPattern: text)
        let columns = generator.chance(2) ? ["title", "body"] : []
        let checked5 = try? FTS5Pattern(rawPattern: text, allowedColumns: columns)
        accepted += (checked == nil ? 0 : 1) + (checked5 == nil ? 0 : 1)
        let isUnderstood = databaseError { try search("plain", text, db) } == nil
        #expect(isUnderstood == (checked != nil), "\(text.debugDescription) \(run.seed)")
        for table in tables {
          do {
            try search(table, text, db)
          } catch let error as DatabaseError {
            #expect(error.resultCode == .SQLITE_ERROR, "\(text.debugDescription) \(run.seed)")
            // What was accepted is understood by a table of the same kind, unless FTS3 finds a
            // column without words.
            if table == "t0", !text.contains("title:"), !text.contains("body:") {
              #expect(checked == nil, "\(text.debugDescription) \(run.seed)")
            }
            if table == "t4" {
              #expect(checked5 == nil, "\(text.debugDescription) \(run.seed)")
            }
          }
        }
      }
    }
    #expect(accepted > 0)
  }

  @Test func `Patterns of texts match in all tables`() throws {
    let run = RandomRun("patterns of texts")
    var generator = run.generator
    try withTables { db, tables throws in
      for _ in 0..<count {
        let text = pattern(&generator)
        let fts3 = [
          FTS3Pattern(matchingAnyTokenIn: text), FTS3Pattern(matchingAllTokensIn: text),
          FTS3Pattern(matchingAllPrefixesIn: text), FTS3Pattern(matchingPhrase: text),
          FTS3Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true),
        ].compactMap { $0?.rawPattern }
        let fts5 = [
          FTS5Pattern(matchingAnyTokenIn: text), FTS5Pattern(matchingAllTokensIn: text),
          FTS5Pattern(matchingAllPrefixesIn: text),
          FTS5Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true),
        ].compactMap { $0?.rawPattern }
        let phrases = [FTS5Pattern(matchingPhrase: text), FTS5Pattern(matchingPrefixPhrase: text)]
          .compactMap { $0?.rawPattern }
        for table in tables[..<4] {
          for pattern in fts3 { try search(table, pattern, db) }
        }
        for pattern in fts5 {
          #expect(throws: Never.self) { try FTS5Pattern(rawPattern: pattern) }
          for table in [tables[4], tables[7], tables[8], tables[9]] {
            try search(table, pattern, db)
          }
        }
        for pattern in phrases {
          #expect(throws: Never.self) { try FTS5Pattern(rawPattern: pattern) }
          try search(tables[4], pattern, db)
        }
        // The tokens are those of SQLite.
        let tokens = try FTS3.tokens(text, in: db)
        #expect(
          FTS3Pattern(matchingAllTokensIn: text)?.rawPattern.utf8.elementsEqual(
            tokens.joined(separator: " ").utf8) ?? tokens.isEmpty,
          "\(text.debugDescription) \(run.seed)")
        let tokens5 = try db.makeTokenizer(.ascii()).tokenize(query: text).map(\.token)
        #expect(
          FTS5Pattern(matchingAllTokensIn: text)?.rawPattern.utf8.elementsEqual(
            tokens5.joined(separator: " ").utf8) ?? tokens5.isEmpty,
          "\(text.debugDescription) \(run.seed)")
      }
    }
  }

  private func search(_ table: String, _ pattern: String, _ db: Database) throws {
    _ = try Int.fetchAll(
      db, sql: "SELECT rowid FROM \(table) WHERE \(table) MATCH ?", arguments: [pattern])
  }

  @Test func `Names and options make a table or throw`() throws {
    var generator = RandomRun("full-text definitions").generator
    var created = 0
    try DatabaseQueue().write { db throws in
      for _ in 0..<count / 3 {
        let table = generator.text(upTo: 5)
        let columns = (0...generator.below(3)).map { _ in generator.text(upTo: 5) }
        let characters = Set(generator.text(upTo: 5))
        do {
          if generator.chance(2) {
            try db.create(virtualTable: table, using: FTS4()) { t in
              t.tokenizer = .unicode61(separators: characters)
              for column in columns { t.column(column).notIndexed() }
            }
          } else {
            try db.create(virtualTable: table, using: FTS5()) { t in
              t.tokenizer = .unicode61(tokenCharacters: characters)
              for column in columns { t.column(column) }
            }
          }
          created += 1
          #expect(try db.columns(in: table).map(\.name) == columns)
          try db.dropFullTextTable(table)
        } catch is DatabaseError {
        } catch is InvalidRequest {
        }
      }
    }
    #expect(created > 0)
  }

  @Test func `Random texts are tokenized`() throws {
    var generator = RandomRun("tokenized texts").generator
    try DatabaseQueue().write { db throws in
      db.add(tokenizer: StopWords.self)
      let tokenizers = try [
        FTS5TokenizerDescriptor.ascii(), .unicode61(), .porter(), .trigram(),
        StopWords.tokenizerDescriptor(),
      ].map(db.makeTokenizer)
      for _ in 0..<count {
        let text = generator.text(upTo: 40)
        for tokenizer in tokenizers { _ = try tokenizer.tokenize(document: text) }
      }
    }
  }
}

extension FTS3 {
  /// The tokens of the tokenizer `simple`, on a connection that is there.
  static func tokens(_ text: String, in db: Database) throws -> [String] {
    if try !db.tableExists("simpletokens") {
      try db.create(virtualTable: "simpletokens", using: "fts3tokenize(simple)")
    }
    // FTS3 tables stop at a NUL.
    let end = text.utf8.firstIndex(of: 0) ?? text.endIndex
    return try String.fetchAll(
      db, sql: "SELECT token FROM simpletokens WHERE input = ? ORDER BY position",
      arguments: [String(text[..<end])])
  }
}
