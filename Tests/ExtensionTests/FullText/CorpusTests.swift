import Foundation
import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// Random texts and patterns, compared with a naive search.
///
/// `QUARRY_CORPUS_TEXTS` and `QUARRY_CORPUS_PATTERNS` set their numbers.
@Suite(.needs(.fullText))
struct CorpusTests {
  private static func number(_ name: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  /// What a text is searched for.
  private enum Search: CaseIterable {
    case any, all, prefixes, phrase, typed, prefixPhrase

    func matches(_ words: [Substring], _ wanted: [String]) -> Bool {
      func contains(_ word: String) -> Bool { words.contains { $0 == word } }
      func containsPrefix(_ word: String) -> Bool { words.contains { $0.hasPrefix(word) } }
      switch self {
      case .any: return wanted.contains(where: contains)
      case .all: return wanted.allSatisfy(contains)
      case .prefixes: return wanted.allSatisfy(containsPrefix)
      case .typed:
        return wanted.dropLast().allSatisfy(contains) && wanted.suffix(1).allSatisfy(containsPrefix)
      case .phrase:
        guard words.count >= wanted.count else { return false }
        return (0...words.count - wanted.count).contains { start in
          zip(words[start...], wanted).allSatisfy { $0 == $1 }
        }
      case .prefixPhrase:
        return words.count >= wanted.count && zip(words, wanted).allSatisfy { $0 == $1 }
      }
    }

    func fts5(_ text: String) -> FTS5Pattern? {
      switch self {
      case .any: FTS5Pattern(matchingAnyTokenIn: text)
      case .all: FTS5Pattern(matchingAllTokensIn: text)
      case .prefixes: FTS5Pattern(matchingAllPrefixesIn: text)
      case .typed: FTS5Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true)
      case .phrase: FTS5Pattern(matchingPhrase: text)
      case .prefixPhrase: FTS5Pattern(matchingPrefixPhrase: text)
      }
    }

    func fts3(_ text: String) -> FTS3Pattern? {
      switch self {
      case .any: FTS3Pattern(matchingAnyTokenIn: text)
      case .all: FTS3Pattern(matchingAllTokensIn: text)
      case .prefixes: FTS3Pattern(matchingAllPrefixesIn: text)
      case .typed: FTS3Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true)
      case .phrase: FTS3Pattern(matchingPhrase: text)
      case .prefixPhrase: nil
      }
    }
  }

  /// Words of few syllables, the first ones often.
  private func makeWords(_ generator: inout SplitMix64) -> [String] {
    let syllables = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "ro", "su", "té", "海"]
    return (0..<400).map { _ in
      (0...generator.below(3)).map { _ in generator.pick(syllables) }.joined()
    }
  }

  private func word(_ words: [String], _ generator: inout SplitMix64) -> String {
    words[generator.below(generator.below(words.count) + 1)]
  }

  @Test func `Indexes find what a naive search finds`() throws {
    let run = RandomRun("corpus")
    var generator = run.generator
    let words = makeWords(&generator)
    let texts = (0..<Self.number("QUARRY_CORPUS_TEXTS", 300)).map { _ in
      (0...generator.below(20)).map { _ in word(words, &generator) }.joined(separator: " ")
    }
    let split = texts.map { $0.split(separator: " ") }
    try DatabaseQueue().write { db throws in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT)")
      for text in texts {
        try db.execute(sql: "INSERT INTO book (title) VALUES (?)", arguments: [text])
      }
      try makeIndexes(db)
      for _ in 0..<Self.number("QUARRY_CORPUS_PATTERNS", 60) {
        let wanted = (0...generator.below(3)).map { _ in
          let word = word(words, &generator)
          return generator.chance(3) ? String(word.prefix(1 + generator.below(word.count))) : word
        }
        let search = generator.pick(Search.allCases)
        let text = wanted.joined(separator: generator.pick([" ", ", ", "-", "  !"]))
        let expected = split.indices.filter { search.matches(split[$0], wanted) }.map { $0 + 1 }
        let comment: Comment = "\(search) \(text) seed \(run.seed)"
        #expect(try ids("index5", search.fts5(text), db) == expected, comment)
        if let pattern = search.fts3(text) {
          #expect(try ids("index4", pattern, db) == expected, comment)
        }
      }
      #expect(try db.checkFullTextIndex("index4").isSound)
      #expect(try db.checkFullTextIndex("index5").isSound)
    }
  }

  private func makeIndexes(_ db: Database) throws {
    try db.create(virtualTable: "index4", using: FTS4()) { t in
      t.column("title")
      t.tokenizer = .unicode61(diacritics: .keep)
      t.synchronize(withTable: "book")
    }
    try db.create(virtualTable: "index5", using: FTS5()) { t in
      t.column("title")
      t.tokenizer = .unicode61(diacritics: .keep)
      t.synchronize(withTable: "book")
      t.prefixes = [2]
    }
  }

  private func ids(_ table: String, _ pattern: FTS5Pattern?, _ db: Database) throws -> [Int] {
    try Table(table).matching(pattern).order(Column.rowID).select(Column.rowID, as: Int.self)
      .fetchAll(db)
  }

  private func ids(_ table: String, _ pattern: FTS3Pattern, _ db: Database) throws -> [Int] {
    try Table(table).matching(pattern).order(Column.rowID).select(Column.rowID, as: Int.self)
      .fetchAll(db)
  }
}
