import Quarry
import QuarryTestSupport
import Testing

/// Descriptors of tokenizers, and the tokens of the built-in ones.
@Suite(.needs(.fullText))
struct TokenizerDescriptorTests {
  private static let fts3: [(FTS3TokenizerDescriptor, String)] = [
    (.simple, "tokenize=simple"), (.porter, "tokenize=porter"),
    (.unicode61(), "tokenize=unicode61"),
    (.unicode61(diacritics: .removeLegacy), "tokenize=unicode61"),
    (.unicode61(diacritics: .keep), #"tokenize=unicode61 "remove_diacritics=0""#),
    (.unicode61(diacritics: .remove), #"tokenize=unicode61 "remove_diacritics=2""#),
    (
      .unicode61(separators: ["X", ".", "é", "-", "a", "B"]),
      #"tokenize=unicode61 "separators=-.BXaé""#
    ),
    (
      .unicode61(tokenCharacters: ["-", ".", "_", "#"]), ##"tokenize=unicode61 "tokenchars=#-._""##
    ),
    (
      .unicode61(diacritics: .keep, separators: ["X", ".", "-"], tokenCharacters: ["_", "#"]),
      ##"tokenize=unicode61 "remove_diacritics=0" "separators=-.X" "tokenchars=#_""##
    ),
    (.unicode61(separators: ["\""]), #"tokenize=unicode61 "separators=""""#),
    (
      .unicode61(separators: ["(", ")", ",", "=", "'", "📚", "👩‍🚀"]),
      #"tokenize=unicode61 "separators='(),=👩‍🚀📚""#
    ),
  ]

  @Test(arguments: fts3.indices)
  func `FTS3 and FTS4 tokenizers have quoted arguments`(index: Int) throws {
    let (descriptor, sql) = Self.fts3[index]
    try DatabaseQueue().write { db throws in
      let statements = try db.writingStatements {
        try db.create(virtualTable: "ft", using: FTS4()) { $0.tokenizer = descriptor }
        try db.create(virtualTable: "ft3", using: FTS3()) { $0.tokenizer = descriptor }
      }
      #expect(
        statements == [
          #"CREATE VIRTUAL TABLE "ft" USING fts4(\#(sql))"#,
          #"CREATE VIRTUAL TABLE "ft3" USING fts3(\#(sql))"#,
        ])
    }
    #expect(throws: Never.self) { try FTS3.tokenize("a", withTokenizer: descriptor) }
  }

  private static let fts5: [(FTS5TokenizerDescriptor, [String])] = [
    (.ascii(), ["ascii"]),
    (
      .ascii(separators: ["X", "a"], tokenCharacters: ["-", "."]),
      ["ascii", "separators", "Xa", "tokenchars", "-."]
    ),
    (.porter(), ["porter"]),
    (
      .porter(wrapping: .unicode61(diacritics: .keep)),
      ["porter", "unicode61", "remove_diacritics", "0"]
    ),
    (.unicode61(), ["unicode61"]), (.unicode61(diacritics: .removeLegacy), ["unicode61"]),
    (.unicode61(diacritics: .remove), ["unicode61", "remove_diacritics", "2"]),
    (.unicode61(categories: "L* N* Co S*"), ["unicode61", "categories", "L* N* Co S*"]),
    (
      .unicode61(
        diacritics: .keep, categories: "L*", separators: ["b", "a"], tokenCharacters: ["@", "#"]),
      [
        "unicode61", "remove_diacritics", "0", "categories", "L*", "separators", "ab", "tokenchars",
        "#@",
      ]
    ),
    (.trigram(), ["trigram"]),
    (.trigram(caseSensitive: true), ["trigram", "case_sensitive", "1"]),
    (
      FTS5TokenizerDescriptor(components: ["ascii", "separators", "\"'."]),
      ["ascii", "separators", "\"'."]
    ),
  ]

  @Test(arguments: fts5.indices)
  func `FTS5 tokenizers are lists of components`(index: Int) throws {
    let (descriptor, components) = Self.fts5[index]
    #expect(descriptor.components == components)
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: FTS5()) { t in
        t.column("a")
        t.tokenizer = descriptor
      }
      _ = try db.makeTokenizer(descriptor)
    }
  }

  @Test func `FTS5 tokenizers are literals of literals`() throws {
    func sql(_ components: [String]) throws -> String? {
      try DatabaseQueue().write { db throws -> String? in
        try db.writingStatements {
          try db.create(virtualTable: "ft", using: FTS5()) { t in
            t.column("a")
            t.tokenizer = FTS5TokenizerDescriptor(components: components)
          }
        }.first
      }
    }
    let prefix = #"CREATE VIRTUAL TABLE "ft" USING fts5(a, tokenize="#
    #expect(
      try sql(["ascii", "separators", "+"]) == prefix + "'''ascii'' ''separators'' ''+''')")
    #expect(
      try sql(["ascii", "separators", "\"'."])
        == prefix + "'''ascii'' ''separators'' ''\"''''.''')")
  }

  @Test func `A descriptor needs a component`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = FTS5TokenizerDescriptor(components: [])
    }
    expectPrecondition("FTS5TokenizerDescriptor requires at least one component", in: result)
  }

  /// A text, and its tokens by the tokenizers `simple`, `unicode61`, the same with `.keep` and
  /// `.remove`, `porter` of FTS3 and of FTS5.
  private static let tokens: [(String, [[String]])] = [
    ("Red RIVER", Array(repeating: ["red", "river"], count: 6)),
    (
      "ÉTÉ été",
      [
        ["ÉtÉ", "été"], ["ete", "ete"], ["été", "été"], ["ete", "ete"], ["ÉtÉ", "été"],
        ["et", "et"],
      ]
    ),
    (
      "e\u{301}te\u{301}",
      [
        ["e\u{301}te\u{301}"], ["ete"], ["e\u{301}te\u{301}"], ["ete"], ["e\u{301}te\u{301}"],
        ["et"],
      ]
    ),
    (
      "Việt ngữ",
      [
        ["việt", "ngữ"], ["việt", "ngữ"], ["việt", "ngữ"], ["viet", "ngu"], ["việt", "ngữ"],
        ["việt", "ngữ"],
      ]
    ),
    (
      "İZMİR ılık",
      [
        ["İzmİr", "ılık"], ["izmir", "ılık"], ["İzmİr", "ılık"], ["izmir", "ılık"],
        ["İzmİr", "ılık"], ["izmir", "ılık"],
      ]
    ),
    (
      "ВОЛГА Волга",
      [
        ["ВОЛГА", "Волга"], ["волга", "волга"], ["волга", "волга"], ["волга", "волга"],
        ["ВОЛГА", "Волга"], ["волга", "волга"],
      ]
    ),
    ("Großhandel", Array(repeating: ["großhandel"], count: 6)),
    ("ﬁne", Array(repeating: ["ﬁne"], count: 6)),
    ("海辺のカフカ", Array(repeating: ["海辺のカフカ"], count: 6)),
    (
      "📚 sea", [["📚", "sea"], ["sea"], ["sea"], ["sea"], ["📚", "sea"], ["sea"]]
    ),
    ("a📚b", [["a📚b"], ["a", "b"], ["a", "b"], ["a", "b"], ["a📚b"], ["a", "b"]]),
    ("e-book", Array(repeating: ["e", "book"], count: 6)),
    ("9.99", Array(repeating: ["9", "99"], count: 6)),
    ("me@shop.org", Array(repeating: ["me", "shop", "org"], count: 6)),
    (
      "snake_case",
      [
        ["snake", "case"], ["snake", "case"], ["snake", "case"], ["snake", "case"],
        ["snake_case"], ["snake", "case"],
      ]
    ),
    (
      "d’été", [["d’été"], ["d", "ete"], ["d", "été"], ["d", "ete"], ["d’été"], ["d", "et"]]
    ),
    ("“sea”", [["“sea”"], ["sea"], ["sea"], ["sea"], ["“sea”"], ["sea"]]),
    ("¿qué?", [["¿qué"], ["que"], ["qué"], ["que"], ["¿qué"], ["que"]]),
    (
      "a\u{A0}b", [["a\u{A0}b"], ["a", "b"], ["a", "b"], ["a", "b"], ["a\u{A0}b"], ["a", "b"]]
    ),
    (
      "sailing sails",
      [
        ["sailing", "sails"], ["sailing", "sails"], ["sailing", "sails"], ["sailing", "sails"],
        ["sail", "sail"], ["sail", "sail"],
      ]
    ),
    ("editions", [["editions"], ["editions"], ["editions"], ["editions"], ["edit"], ["edit"]]),
    ("", Array(repeating: [], count: 6)),
  ]

  @Test(arguments: tokens.indices)
  func `Texts become tokens`(index: Int) throws {
    let (text, expected) = Self.tokens[index]
    let fts3: [FTS3TokenizerDescriptor] = [
      .simple, .unicode61(), .unicode61(diacritics: .keep), .unicode61(diacritics: .remove),
      .porter,
    ]
    let fts5: [FTS5TokenizerDescriptor] = [
      .ascii(), .unicode61(), .unicode61(diacritics: .keep), .unicode61(diacritics: .remove),
      .porter(),
    ]
    func bytes(_ tokens: [String]) -> [[UInt8]] { tokens.map { Array($0.utf8) } }
    for (descriptor, tokens) in zip(fts3, expected) {
      #expect(try bytes(FTS3.tokenize(text, withTokenizer: descriptor)) == bytes(tokens))
    }
    try DatabaseQueue().read { db throws in
      for (descriptor, tokens) in zip(fts5, expected[..<4] + expected[5...]) {
        let tokenizer = try db.makeTokenizer(descriptor)
        #expect(try bytes(tokenizer.tokenize(document: text).map(\.token)) == bytes(tokens))
        #expect(try bytes(tokenizer.tokenize(query: text).map(\.token)) == bytes(tokens))
        #expect(try tokenizer.tokenize(document: text).allSatisfy { $0.flags.isEmpty })
      }
    }
  }

  @Test func `FTS3 stops at a NUL, FTS5 does not`() throws {
    #expect(try FTS3.tokenize("a\u{0}b") == ["a"])
    #expect(try FTS3.tokenize("a\u{0}b", withTokenizer: .unicode61()) == ["a"])
    try DatabaseQueue().read { db throws in
      for descriptor in [FTS5TokenizerDescriptor.ascii(), .unicode61(), .porter()] {
        let tokens = try db.makeTokenizer(descriptor).tokenize(document: "a\u{0}b")
        #expect(tokens.map(\.token) == ["a", "b"])
      }
    }
  }

  @Test func `The porter tokenizer of FTS3 shortens long words`() throws {
    // Ten bytes of each end, which are half of a character here.
    let word = "a" + String(repeating: "é", count: 11)
    #expect(
      try FTS3.tokenize(word, withTokenizer: .porter) == ["aéééé\u{FFFD}ééééé"])
    try DatabaseQueue().read { db throws in
      let tokenizer = try db.makeTokenizer(.porter(wrapping: .ascii()))
      #expect(try tokenizer.tokenize(document: word).map(\.token) == [word])
    }
  }

  @Test func `Categories and trigrams`() throws {
    try DatabaseQueue().read { db throws in
      func tokens(_ text: String, _ descriptor: FTS5TokenizerDescriptor) throws -> [String] {
        try db.makeTokenizer(descriptor).tokenize(document: text).map(\.token)
      }
      let symbols = FTS5TokenizerDescriptor.unicode61(categories: "L* N* Co S*")
      #expect(try tokens("📚 sea", symbols) == ["📚", "sea"])
      #expect(try tokens("a📚b", symbols) == ["a📚b"])
      #expect(try tokens("C++", symbols) == ["c++"])
      #expect(try tokens("e-Book", .trigram()) == ["e-b", "-bo", "boo", "ook"])
      #expect(try tokens("e-Book", .trigram(caseSensitive: true)) == ["e-B", "-Bo", "Boo", "ook"])
      #expect(try tokens("ab", .trigram()) == [])
      // SQLite 3.46 stops at the NUL character, 3.53 skips it.
      #expect(
        try tokens("abc\u{0}def", .trigram())
          == (SQLiteBuild.version < 3_053_000 ? ["abc"] : ["abc", "bcd", "cde", "def"]))
    }
  }

  @Test func `Tokenizers that can't be made are errors`() throws {
    try DatabaseQueue().read { db throws in
      func error(_ components: String...) -> DatabaseError? {
        databaseError { try db.makeTokenizer(FTS5TokenizerDescriptor(components: components)) }
      }
      #expect(error("nope")?.text == "1 SQL logic error - no such tokenizer: nope")
      #expect(error("")?.text == "1 SQL logic error - no such tokenizer: ")
      #expect(error("nope")?.sql == nil)
      #expect(error("porter", "nope")?.text == "1 failed fts5_tokenizer.xCreate")
      #expect(error("unicode61", "zork", "1")?.text == "1 failed fts5_tokenizer.xCreate")
      #expect(error("UNICODE61")?.text == nil)
    }
    #expect(
      databaseError {
        try FTS3.tokenize("a", withTokenizer: .unicode61(separators: ["a"]))
      }?.text == nil)
  }
}
