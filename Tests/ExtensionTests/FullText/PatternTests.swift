import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// Patterns that are made of texts.
@Suite(.needs(.fullText))
struct PatternTests {
  private static let tokens: [(String, [String])] = [
    ("", []), (" ", []), ("*", []), ("?!", []), ("\"", []), ("()", []), ("\\", []), ("\u{1}\t", []),
    ("sea", ["sea"]), ("sea*", ["sea"]), ("^sea", ["sea"]), ("-sea", ["sea"]),
    ("Old MAN", ["old", "man"]), ("sea OR river", ["sea", "or", "river"]), ("AND", ["and"]),
    ("NEAR(sea river)", ["near", "sea", "river"]), ("title:sea", ["title", "sea"]),
    ("sea sea", ["sea", "sea"]), ("ÉTÉ été", ["ÉtÉ", "été"]),
    ("+sea river", ["sea", "river"]), ("\"sea river\"", ["sea", "river"]),
    ("sea \"river", ["sea", "river"]), ("sea\triver", ["sea", "river"]),
    ("sea\nriver", ["sea", "river"]), ("{title body}: sea", ["title", "body", "sea"]),
    ("D'Artagnan", ["d", "artagnan"]), ("e-book", ["e", "book"]),
    ("snake_case", ["snake", "case"]), ("9.99", ["9", "99"]), ("1984-06-08", ["1984", "06", "08"]),
    ("a;b--c", ["a", "b", "c"]), ("me@shop.org", ["me", "shop", "org"]),
    ("#1 @home", ["1", "home"]), ("50%", ["50"]), ("C++", ["c"]),
    ("Großhandel", ["großhandel"]), ("ﬁne", ["ﬁne"]),
    ("e\u{301}te\u{301}", ["e\u{301}te\u{301}"]), ("d’été", ["d’été"]), ("“sea”", ["“sea”"]),
    ("¿qué?", ["¿qué"]), ("a\u{A0}b", ["a\u{A0}b"]), ("海 辺", ["海", "辺"]),
    ("📚 sea", ["📚", "sea"]), ("👩‍🚀", ["👩‍🚀"]),
  ]

  @Test(arguments: [Acute.composed, Acute.decomposed])
  func `A pattern is checked with the columns that it may have`(name: String) throws {
    for column in [Acute.composed, Acute.decomposed, name] {
      let isKnown = Array(column.utf8) == Array(name.utf8)
      let pattern = try? FTS5Pattern(rawPattern: "\(name): sea", allowedColumns: [column])
      #expect((pattern != nil) == isKnown)
    }
  }

  @Test(arguments: tokens.indices)
  func `The words of a text are combined`(index: Int) {
    let (text, tokens) = Self.tokens[index]
    func expect(
      _ pattern: String?, _ form: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let expected = tokens.isEmpty ? nil : form
      #expect(
        pattern.map { Array($0.utf8) } == expected.map { Array($0.utf8) },
        sourceLocation: sourceLocation)
    }
    let any = tokens.joined(separator: " OR ")
    let all = tokens.joined(separator: " ")
    let prefixes = tokens.map { "\($0)*" }.joined(separator: " ")
    // FTS3 needs quotes around words that a tokenizer may divide or pass over.
    let anyQuoted = tokens.map { $0.unicodeScalars.allSatisfy(\.isASCII) ? $0 : "\"\($0)\"" }
      .joined(separator: " OR ")
    expect(FTS3Pattern(matchingAnyTokenIn: text)?.rawPattern, anyQuoted)
    expect(FTS3Pattern(matchingAllTokensIn: text)?.rawPattern, all)
    expect(
      FTS3Pattern(matchingAllPrefixesIn: text)?.rawPattern,
      prefixes.replacing("“sea”*", with: "“sea*"))
    expect(FTS3Pattern(matchingPhrase: text)?.rawPattern, "\"\(all)\"")
    expect(FTS5Pattern(matchingAnyTokenIn: text)?.rawPattern, any)
    expect(FTS5Pattern(matchingAllTokensIn: text)?.rawPattern, all)
    expect(FTS5Pattern(matchingAllPrefixesIn: text)?.rawPattern, prefixes)
    expect(FTS5Pattern(matchingPhrase: text)?.rawPattern, "\"\(all)\"")
    expect(FTS5Pattern(matchingPrefixPhrase: text)?.rawPattern, "^\"\(all)\"")
  }

  @Test func `The description of a pattern is its text`() throws {
    #expect("\(try FTS3Pattern(rawPattern: "sea shell*"))" == "sea shell*")
  }

  @Test func `A NUL ends a text for FTS3`() {
    #expect(FTS3Pattern(matchingAnyTokenIn: "a\u{0}b")?.rawPattern == "a")
    #expect(FTS3Pattern(matchingAllPrefixesIn: "a\u{0}b")?.rawPattern == "a*")
    #expect(FTS3Pattern(matchingPhrase: "a\u{0}b")?.rawPattern == "\"a\"")
    #expect(FTS3Pattern(matchingPhrase: "\u{0}b") == nil)
    #expect(FTS5Pattern(matchingAnyTokenIn: "a\u{0}b")?.rawPattern == "a OR b")
    #expect(FTS5Pattern(matchingPrefixPhrase: "a\u{0}b")?.rawPattern == "^\"a b\"")
  }

  @Test func `Many words are too many for FTS3, except in phrases`() throws {
    func text(_ count: Int) -> String {
      Array(repeating: "sea", count: count).joined(separator: " ")
    }
    #expect(FTS3Pattern(matchingAllTokensIn: text(4095)) != nil)
    #expect(FTS3Pattern(matchingAllTokensIn: text(4096)) == nil)
    #expect(FTS3Pattern(matchingAnyTokenIn: text(4096)) == nil)
    #expect(FTS3Pattern(matchingAllPrefixesIn: text(4096)) == nil)
    let phrase = try #require(FTS3Pattern(matchingPhrase: text(20_000)))
    #expect(throws: Never.self) { try FTS3Pattern(rawPattern: phrase.rawPattern) }
    for pattern in [
      FTS5Pattern(matchingAnyTokenIn: text(20_000)), FTS5Pattern(matchingAllTokensIn: text(20_000)),
      FTS5Pattern(matchingAllPrefixesIn: text(20_000)),
      FTS5Pattern(matchingPhrase: text(20_000)), FTS5Pattern(matchingPrefixPhrase: text(20_000)),
    ] {
      #expect(throws: Never.self) { try FTS5Pattern(rawPattern: #require(pattern).rawPattern) }
    }
  }

  @Test(
    arguments: [
      ("old riv", "old riv*"), ("old riv ", "old riv"), ("Old Riv!", "old riv"), ("riv", "riv*"),
      ("old é", "old é*"), ("\"old riv", "old riv*"), ("riv ?", "riv"),
    ])
  func `The last word may be a prefix`(text: String, pattern: String) {
    #expect(FTS5Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true)?.rawPattern == pattern)
    #expect(FTS3Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true)?.rawPattern == pattern)
    let whole = pattern.replacing("*", with: "")
    #expect(FTS5Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: false)?.rawPattern == whole)
    #expect(FTS3Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: false)?.rawPattern == whole)
  }

  @Test func `Search as you type finds the words that begin as typed`() throws {
    try withIndexedBooks(.fts5) { db throws in
      func found(_ text: String) throws -> [String] {
        let pattern = FTS5Pattern(matchingAllTokensIn: text, lastTokenAsPrefix: true)
        return try BookIndex.matching(pattern).fetchAll(db).compactMap(\.title)
      }
      #expect(try found("riv") == ["River Street"])
      #expect(try found("riv ") == [])
      #expect(try found("street r") == ["River Street"])
      #expect(try found("sea w") == ["Sea Wolf"])
      #expect(try found("se wolf") == [])
      #expect(FTS5Pattern(matchingAllTokensIn: " ?", lastTokenAsPrefix: true) == nil)
    }
  }

  @Test func `The table tokenizes the words of a pattern again`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "doc", using: FTS5()) { $0.column("title") }
      try db.execute(
        sql:
          "INSERT INTO doc VALUES ('jour d''été'), ('sea'), ('海辺のカフカ'), ('old man and sea'), ('the old man')"
      )
      func found(_ pattern: FTS5Pattern?) throws -> [Int64] {
        try Table("doc").matching(pattern).select(Column.rowID, as: Int64.self).fetchAll(db)
      }
      #expect(try found(FTS5Pattern(matchingAllTokensIn: "d’été")) == [1])
      #expect(try found(FTS5Pattern(matchingAllTokensIn: "📚 sea")) == [2, 4])
      #expect(try found(FTS5Pattern(matchingAllTokensIn: "📚")) == [])
      #expect(try found(FTS5Pattern(matchingAllTokensIn: "海")) == [])
      #expect(try found(FTS5Pattern(matchingAllPrefixesIn: "海")) == [3])
      #expect(try found(FTS5Pattern(matchingPrefixPhrase: "old man")) == [4])
      #expect(try found(FTS5Pattern(matchingPrefixPhrase: "old m")) == [])
      #expect(try found(FTS5Pattern(matchingPhrase: "old man")) == [4, 5])
    }
  }

  @Test func `Prefixes and stems`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "doc", using: FTS5()) { t in
        t.column("title")
        t.tokenizer = .porter()
      }
      try db.execute(sql: "INSERT INTO doc VALUES ('running')")
      func count(_ text: String) throws -> Int {
        try Table("doc").matching(FTS5Pattern(matchingAllPrefixesIn: text)).fetchCount(db)
      }
      #expect(try count("runni") == 0)
      #expect(try count("run") == 1)
    }
  }

  @Test func `Patterns are combined`() throws {
    try withIndexedBooks(.fts5) { db throws in
      let sea = try #require(FTS5Pattern(matchingAllTokensIn: "sea"))
      let wolf = try #require(FTS5Pattern(matchingAnyTokenIn: "wolf river"))
      #expect((sea && wolf).rawPattern == "(sea) AND (wolf OR river)")
      #expect((sea || wolf).rawPattern == "(sea) OR (wolf OR river)")
      #expect(sea.excluding(wolf).rawPattern == "(sea) NOT (wolf OR river)")
      #expect(try sea.inColumns(["title"]).rawPattern == #"{"title"} : (sea)"#)
      #expect(try sea.inColumns(["title", "TITLE"]).rawPattern == #"{"title"} : (sea)"#)
      func found(_ pattern: FTS5Pattern) throws -> [Int64] {
        try db.booksMatching(pattern.rawPattern)
      }
      #expect(try found(sea && wolf) == [2])
      #expect(try found(sea || wolf) == [1, 2, 3])
      #expect(try found(sea.excluding(wolf)) == [1])
      #expect(try found(sea.inColumns(["title"])) == [1, 2])
      #expect(throws: DatabaseError.self) { try sea.inColumns([]) }
    }
  }

  @Test func `Columns of patterns in each other are intersected`() throws {
    try withDocuments(using: "fts5") { db throws in
      let sea = try #require(FTS5Pattern(matchingAllTokensIn: "sea"))
      let old = try #require(FTS5Pattern(matchingAllTokensIn: "old"))
      let either = try sea.inColumns(["title"]) || old.inColumns(["body"])
      let pattern = try either.inColumns(["title"])
      #expect(
        pattern.rawPattern == #"{"title"} : (({"title"} : (sea)) OR ({"body"} : (old)))"#)
      func found(_ pattern: FTS5Pattern) throws -> [Int64] {
        try Int64.fetchAll(
          db, sql: "SELECT rowid FROM doc WHERE doc MATCH ? ORDER BY rowid", arguments: [pattern])
      }
      #expect(try found(either) == [1, 3])
      #expect(try found(pattern) == [1])
    }
  }

  @Test func `Many patterns are joined by one operator`() throws {
    let sea = try #require(FTS5Pattern(matchingAllTokensIn: "sea"))
    let wolf = try #require(FTS5Pattern(matchingAllTokensIn: "wolf"))
    let street = try #require(FTS5Pattern(matchingAllTokensIn: "street"))
    #expect((sea && wolf && street).rawPattern == "(sea) AND (wolf) AND (street)")
    #expect((sea || (wolf || street)).rawPattern == "(sea) OR (wolf) OR (street)")
    #expect(((sea && wolf) || street).rawPattern == "((sea) AND (wolf)) OR (street)")
    #expect((sea && (wolf || street)).rawPattern == "(sea) AND ((wolf) OR (street))")
    let both = try FTS5Pattern(rawPattern: "(sea) AND (wolf)")
    #expect((sea && wolf) == both)
    try withIndexedBooks(.fts5) { db throws in
      let streets = Array(repeating: street, count: 1000)
      let left = streets.reduce(wolf) { $0 || $1 }
      #expect(try db.booksMatching(left.rawPattern) == [2, 3])
      let right = streets.reduce(wolf) { $1 || $0 }
      #expect(try db.booksMatching(right.rawPattern) == [2, 3])
      let all = Array(repeating: sea, count: 1000).reduce(wolf) { $1 && $0 }
      #expect(try db.booksMatching(all.rawPattern) == [2])
    }
  }

  @Test func `Many patterns are excluded`() throws {
    let sea = try #require(FTS5Pattern(matchingAllTokensIn: "sea"))
    let wolf = try #require(FTS5Pattern(matchingAllTokensIn: "wolf"))
    let street = try #require(FTS5Pattern(matchingAllTokensIn: "street"))
    let twice = sea.excluding(wolf).excluding(street)
    #expect(twice.rawPattern == "(sea) NOT ((wolf) OR (street))")
    #expect((twice && sea).rawPattern == "((sea) NOT ((wolf) OR (street))) AND (sea)")
    try withIndexedBooks(.fts5) { db throws in
      #expect(try db.booksMatching(twice.rawPattern) == [1])
      let often = Array(repeating: street, count: 200).reduce(sea) { $0.excluding($1) }
      #expect(try db.booksMatching(often.rawPattern) == [1, 2])
    }
  }

  /// The tokenizer `unicode61` passes over what is no word, and over the operator behind it.
  @Test(
    arguments: [
      ("“sea” river", "\"“sea”\" OR river", [1, 2]), ("50€ river", "\"50€\" OR river", [2]),
      ("📚 sea", "\"📚\" OR sea", [1]), ("sea — river", "sea OR \"—\" OR river", [1, 2]),
      ("É sea", "\"É\" OR sea", [1]), ("\u{301} sea", "\"\u{301}\" OR sea", [1]),
      ("sea \u{301}", "sea OR \"\u{301}\"", [1]),
      ("sea\u{305} river", "\"sea\u{305}\" OR river", [1, 2]),
      ("old€man river", "\"old€man\" OR river", [2]),
      // Letters of Unicode that are marks for SQLite.
      ("\u{19B0} sea", "\"\u{19B0}\" OR sea", [1]),
      ("sea \u{19B0}", "sea OR \"\u{19B0}\"", [1]),
      ("\u{1CF2} sea", "\"\u{1CF2}\" OR sea", [1]),
    ])
  func `Punctuation of other scripts does not swallow OR`(
    text: String, form: String, ids: [Int]
  ) throws {
    try DatabaseQueue().write { db throws in
      for (table, tokenizer) in [("a", FTS3TokenizerDescriptor.unicode61()), ("b", .simple)] {
        try db.create(virtualTable: table, using: FTS4()) { t in
          t.tokenizer = tokenizer
          t.column("t")
        }
        try db.execute(sql: "INSERT INTO \(table) (docid, t) VALUES (1, 'sea'), (2, 'river')")
      }
      let pattern = try #require(FTS3Pattern(matchingAnyTokenIn: text))
      #expect(pattern.rawPattern == form)
      let found = Table("a").matching(pattern).select(Column("docid"), as: Int.self)
      try #expect(found.fetchAll(db) == ids)
      try #expect(Table("b").matching(pattern).fetchCount(db) <= ids.count)
    }
  }

  @Test func `Punctuation of other scripts does not swallow a prefix`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "doc", using: FTS4()) { t in
        t.tokenizer = .unicode61()
        t.column("t")
      }
      try db.execute(sql: "INSERT INTO doc VALUES ('seaside river'), ('sea rivers')")
      for pattern in [
        FTS3Pattern(matchingAllPrefixesIn: "“sea” “river”"),
        FTS3Pattern(matchingAllTokensIn: "river sea…", lastTokenAsPrefix: true),
      ] {
        let pattern = try #require(pattern)
        try #expect(Table("doc").matching(pattern).fetchCount(db) > 0)
      }
      let prefixes = try #require(FTS3Pattern(matchingAllPrefixesIn: "“sea” 📚 “river”"))
      #expect(prefixes.rawPattern == "“sea* 📚* “river*")
      try #expect(Table("doc").matching(prefixes).fetchCount(db) == 2)
    }
  }
}
