import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

/// Stems of several languages, by libstemmer where it is installed.
@Suite(.needs(.fullText))
struct SnowballTokenizerTests {
  private func withIndex(
    _ language: SnowballLanguage, wrapping base: FTS5TokenizerDescriptor? = nil,
    _ titles: [String], _ body: (Database) throws -> Void
  ) throws {
    try DatabaseQueue().write { db throws in
      db.add(tokenizer: SnowballTokenizer.self)
      db.add(tokenizer: StopWords.self)
      try db.create(virtualTable: "doc", using: FTS5()) { t in
        t.tokenizer = .snowball(language, wrapping: base)
        t.column("title")
        t.column("note").notIndexed()
      }
      for title in titles {
        try db.execute(sql: "INSERT INTO doc (title) VALUES (?)", arguments: [title])
      }
      try body(db)
    }
  }

  /// Words that have a stem in common, with and without diacritics.
  private static let families: [(SnowballLanguage, [String])] = [
    (.danish, ["bøgerne", "Bøger"]), (.dutch, ["boeken", "boek"]),
    (.english, ["libraries", "Library"]), (.finnish, ["kirjat", "kirja", "kirjassa"]),
    (.french, ["chevaux", "CHEVAL"]), (.french, ["bibliothèques", "Bibliothèque", "bibliotheque"]),
    (.german, ["Häuser", "haus"]), (.german, ["Bücher", "Buch"]),
    (.hungarian, ["könyvek", "könyv"]), (.italian, ["biblioteche", "biblioteca"]),
    (.norwegian, ["båtene", "båten"]), (.portuguese, ["livros", "livro"]),
    (.romanian, ["cartea", "carte"]), (.russian, ["КНИГИ", "книга", "книгами"]),
    (.spanish, ["canciones", "canción", "cancion"]), (.swedish, ["båtarna", "båt"]),
    (.turkish, ["kitaplar", "kitap", "kitaplarda"]),
  ]

  @Test(.enabled(if: SnowballTokenizer.isAvailable), arguments: families.indices)
  func `Words are found by other forms of them`(index: Int) throws {
    let (language, words) = Self.families[index]
    try withIndex(language, words.map { "x \($0) y" } + ["other"]) { db throws in
      for word in words {
        let pattern = FTS5Pattern(matchingAllTokensIn: word)
        let count = try Table("doc").matching(pattern).fetchCount(db)
        #expect(count == words.count, "\(language.rawValue) \(word)")
      }
      #expect(try db.checkFullTextIndex("doc").isSound)
    }
  }

  @Test(.enabled(if: SnowballTokenizer.isAvailable))
  func `A word is its stem and itself, and a prefix is itself`() throws {
    try withIndex(.french, []) { db throws in
      let tokenizer = try db.makeTokenizer(.snowball(.french))
      let tokens = try tokenizer.tokenize(document: "Les CHEVAUX fermés, bibliothe\u{300}que")
      #expect(
        tokens.map(\.token) == [
          "le", "les", "cheval", "chevaux", "ferm", "fermes", "bibliothequ", "bibliotheque",
        ])
      #expect(
        tokens.map { $0.flags == .colocated }
          == [false, true, false, true, false, true, false, true])
      #expect(try tokenizer.tokenize(query: "cheval").map(\.token) == ["cheval"])
      #expect(try tokenizer.tokenize(query: "chevaux").map(\.token) == ["cheval", "chevaux"])
    }
  }

  @Test(.enabled(if: SnowballTokenizer.isAvailable))
  func `Prefixes, phrases and marks are those of the words as written`() throws {
    try withIndex(.french, ["Les chevaux du roi", "Un cheval", "La porte fermée"]) { db throws in
      #expect(try db.documentsMatching("chevau*") == [1])
      #expect(try db.documentsMatching("cheva*") == [1, 2])
      #expect(try db.documentsMatching("\"cheval du roi\"") == [1])
      #expect(try db.documentsMatching("\"roi cheval\"") == [])
      #expect(try db.documentsMatching("fermee") == [3])
      #expect(try db.documentsMatching("ferme*") == [3])
      let typed = FTS5Pattern(matchingAllTokensIn: "porte fermé", lastTokenAsPrefix: true)
      #expect(try Table("doc").matching(typed).fetchCount(db) == 1)
      #expect(
        try String.fetchAll(
          db, sql: "SELECT highlight(doc, 0, '[', ']') FROM doc WHERE doc MATCH 'cheval'")
          == ["Les [chevaux] du roi", "Un [cheval]"])
    }
  }

  @Test(.enabled(if: SnowballTokenizer.isAvailable))
  func `Folded words keep the characters that the other tokenizer finds`() throws {
    let base = FTS5TokenizerDescriptor.unicode61(diacritics: .keep, tokenCharacters: ["-", "#"])
    let titles = ["L’île-rousse", "Une île", "#café", "café"]
    try withIndex(.french, wrapping: base, titles) { db throws in
      #expect(try db.documentsMatching("\"ile-rousse\"") == [1])
      #expect(try db.documentsMatching("\"ile-r\"*") == [1])
      #expect(try db.documentsMatching("\"#cafe\"") == [3])
      #expect(try db.documentsMatching("café") == [4])
    }
  }

  @Test(.enabled(if: SnowballTokenizer.isAvailable))
  func `Another tokenizer may find the words`() throws {
    let base = StopWords.tokenizerDescriptor(arguments: ["a"])
    try withIndex(.english, wrapping: base, ["The sails of a ship"]) { db throws in
      #expect(
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'doc'")?
          .contains("tokenize='''snowball'' ''english'' ''stopwords'' ''a'''") == true)
      #expect(try db.documentsMatching("\"sailing ships\"") == [1])
      #expect(try db.documentsMatching("the") == [])
    }
  }

  @Test(.enabled(if: SnowballTokenizer.isAvailable))
  func `An unknown language is an error of the table`() throws {
    try DatabaseQueue().write { db throws in
      db.add(tokenizer: SnowballTokenizer.self)
      let unknown = SnowballLanguage(rawValue: "klingon")
      let error = databaseError {
        try db.create(virtualTable: "doc", using: FTS5()) { t in
          t.column("title")
          t.tokenizer = .snowball(unknown)
        }
      }
      #expect(
        error?.message == """
          error in tokenizer constructor - tokenizer snowball: \
          libstemmer has no stemmer for the language klingon
          """)
      #expect(try !db.tableExists("doc"))
      let missing = FTS5TokenizerDescriptor(components: ["snowball"])
      #expect(
        databaseError { try db.makeTokenizer(missing) }?.message
          == "failed fts5_tokenizer.xCreate - tokenizer snowball: missing language")
    }
  }

  @Test func `Without libstemmer there is an error`() throws {
    #expect(StemmerLibrary(["no such library"]) == nil)
    // A library that is there, without its functions.
    #expect(StemmerLibrary(["libsqlite3.so.0", "libsqlite3.dylib"]) == nil)
    try DatabaseQueue().read { db throws in
      let error = databaseError {
        try SnowballTokenizer(db: db, arguments: ["french"], library: nil)
      }
      #expect(error?.message?.hasPrefix("libstemmer is not installed: found none of ") == true)
    }
  }

  @Test(.enabled(if: SnowballTokenizer.isAvailable))
  func `Random texts are stemmed`() throws {
    var generator = RandomRun("stemmed texts").generator
    try withIndex(.german, []) { db throws in
      let tokenizers = try ["german", "russian", "turkish", "arabic"].map {
        try db.makeTokenizer(.snowball(SnowballLanguage(rawValue: $0)))
      }
      for _ in 0..<200 {
        let text = generator.text(upTo: 40)
        for tokenizer in tokenizers { _ = try tokenizer.tokenize(document: text) }
        try db.execute(sql: "INSERT INTO doc (title) VALUES (?)", arguments: [text])
      }
      #expect(try db.checkFullTextIndex("doc").isSound)
    }
  }
}
