import QuarryTestSupport
import Testing

@testable import Quarry

// A record may keep its decoder, or a container of it. Used later, it throws: it does not show
// another row.
@Suite(.serialized) struct EscapedDecoderTests {
  private static let sql = """
    SELECT 'one' AS name, 'x' AS word UNION ALL SELECT 'two', 'y' UNION ALL SELECT 'three', 'z'
    """

  /// Closures that read the names of rows through what records have kept.
  private final class Kept {
    var readings: [() throws -> String] = []

    /// The names that can be read.
    var shown: [String?] { readings.map { try? $0() } }
  }

  private struct Word: Decodable {
    nonisolated(unsafe) static var kept = Kept()
    var word: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      word = try container.decode(String.self)
      Self.kept.readings.append { try container.decode(String.self) }
      Self.kept.readings.append { try decoder.singleValueContainer().decode(String.self) }
    }
  }

  private struct Keeping: Decodable, FetchableRecord {
    nonisolated(unsafe) static var kept = Kept()
    var name: String
    var word: Word?

    enum CodingKeys: CodingKey { case name, word }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      word = try container.decodeIfPresent(Word.self, forKey: .word)
      let name = try container.superDecoder(forKey: .name)
      Self.kept.readings += [
        { try container.decode(String.self, forKey: .name) },
        { try container.decodeIfPresent(String.self, forKey: .name) ?? "nil" },
        { try container.decode(Name.self, forKey: .name).name },
        {
          try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
        },
        { try decoder.singleValueContainer().decode(Other.self).name },
        { try name.singleValueContainer().decode(String.self) },
      ]
    }
  }

  private struct Name: Decodable {
    var name: String
    init(from decoder: any Decoder) throws {
      name = try decoder.singleValueContainer().decode(String.self)
    }
  }

  private struct Other: Decodable, FetchableRecord {
    var name: String
  }

  /// - parameter next: the name of the next record.
  private func expectNoEscape(_ next: () throws -> String?) throws {
    Keeping.kept = Kept()
    Word.kept = Kept()
    while let name = try next() {
      let shown = Keeping.kept.shown
      // Those of the current record may show its row.
      #expect(shown.dropLast(6).allSatisfy { $0 == nil }, "\(name): \(shown)")
      #expect(shown.suffix(6).allSatisfy { $0 == nil || $0 == name }, "\(name): \(shown)")
      let words = Word.kept.shown
      #expect(words.dropLast(2).allSatisfy { $0 == nil }, "\(words)")
    }
    #expect(Keeping.kept.shown == Array(repeating: nil, count: 18))
    #expect(Word.kept.shown.compactMap { $0 } == [])
  }

  @Test func `What a record keeps of its decoding throws when it is used later`() throws {
    try inEmptyDatabase { db in
      let cursor = try Keeping.fetchCursor(db, sql: Self.sql)
      try expectNoEscape { try cursor.next()?.name }
      // The statement, with its row and what decodes it, is used again.
      let again = try Keeping.fetchCursor(db, sql: Self.sql)
      try expectNoEscape { try again.next()?.name }
      let rows = try Row.fetchCursor(db, sql: Self.sql)
      try expectNoEscape { try rows.next().map { try Keeping(row: $0).name } }
    }
  }

  @Test func `A required value that keeps its decoder shows no other row`() throws {
    struct Holder: Decodable, FetchableRecord {
      var word: Word
    }
    try inEmptyDatabase { db in
      Word.kept = Kept()
      let cursor = try Holder.fetchCursor(db, sql: Self.sql)
      var words: [String] = []
      while let holder = try cursor.next() {
        words.append(holder.word.word)
        let shown = Word.kept.shown
        #expect(shown.dropLast(2).allSatisfy { $0 == nil }, "\(shown)")
        #expect(shown.suffix(2).allSatisfy { $0 == nil || $0 == words.last }, "\(shown)")
      }
      #expect(words == ["x", "y", "z"])
      #expect(Word.kept.shown.compactMap { $0 } == [])
    }
  }

  @Test func `The records of scopes escape no more than others`() throws {
    struct Scoped: FetchableRecord {
      var keeping: Keeping
      init(row: Row) { keeping = row["scope"] }
    }
    try inEmptyDatabase { db in
      let adapter = ScopeAdapter(["scope": SuffixRowAdapter(fromIndex: 0)])
      let cursor = try Scoped.fetchCursor(db, sql: Self.sql, adapter: adapter)
      try expectNoEscape { try cursor.next()?.keeping.name }
    }
  }

  @Test func `What is kept throws after the end of the connection`() throws {
    Keeping.kept = Kept()
    do {
      let queue = try DatabaseQueue()
      #expect(try queue.read { db in try Keeping.fetchAll(db, sql: Self.sql).count } == 3)
    }
    #expect(Keeping.kept.shown.compactMap { $0 } == [])
  }

  @Test func `Containers of one row are used in turn, in each row`() throws {
    struct Turning: Decodable, FetchableRecord {
      enum Key: CodingKey { case name }
      enum OtherKey: CodingKey { case name, word }
      struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      var values: [String] = []

      init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: Key.self)
        let words = try decoder.container(keyedBy: OtherKey.self)
        let all = try decoder.container(keyedBy: AnyKey.self)
        let scope = try all.nestedContainer(
          keyedBy: OtherKey.self, forKey: AnyKey(stringValue: "scope"))
        let sameScope = try all.nestedContainer(
          keyedBy: Key.self, forKey: AnyKey(stringValue: "scope"))
        let single = try decoder.singleValueContainer()
        values.append(try names.decode(String.self, forKey: .name))
        values.append(try words.decode(String.self, forKey: .word))
        values.append(try single.decode(Other.self).name)
        values.append(try scope.decode(String.self, forKey: .name))
        values.append(try sameScope.decode(String.self, forKey: .name))
        values.append(try all.decode(String.self, forKey: AnyKey(stringValue: "word")))
        values.append(try single.decode(Other.self).name)
        values.append(try scope.decode(String.self, forKey: .word))
        values.append(try names.decode(String.self, forKey: .name))
      }
    }
    try inEmptyDatabase { db in
      let adapter = ScopeAdapter(["scope": SuffixRowAdapter(fromIndex: 0)])
      let turning = try Turning.fetchAll(db, sql: Self.sql, adapter: adapter)
      #expect(
        turning.map { $0.values.joined(separator: " ") } == [
          "one x one one one x one x one", "two y two two two y two y two",
          "three z three three three z three z three",
        ])
    }
  }

  @Test func `A type that contains itself in the same row throws`() throws {
    final class Node: Decodable, FetchableRecord {
      let name: String
      let parent: Node
    }
    final class Nested: Decodable {
      let name: String
      let nested: Nested
    }
    struct Outer: Decodable, FetchableRecord {
      var outer: Nested
    }
    struct First: Decodable, FetchableRecord {
      final class Second: Decodable, FetchableRecord {
        let third: Third
      }
      final class Third: Decodable, FetchableRecord {
        let second: Second
      }
      var second: Second
    }
    try inEmptyDatabase { db throws in
      for _ in 1...2 {
        let node = errorText { try Node.fetchAll(db, sql: Self.sql) }
        #expect(node?.contains("parent") == true, "\(node ?? "no error")")
        let outer = errorText { try Outer.fetchAll(db, sql: Self.sql) }
        #expect(outer?.contains("nested") == true, "\(outer ?? "no error")")
        let first = errorText { try First.fetchAll(db, sql: Self.sql) }
        #expect(first?.contains("second") == true, "\(first ?? "no error")")
        let rows = try Row.fetchAll(db, sql: Self.sql)
        #expect(throws: (any Error).self) { try Node(row: rows[0]) }
        #expect(try Other.fetchAll(db, sql: Self.sql).count == 3)
      }
    }
  }
}
