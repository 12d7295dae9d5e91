import Foundation
import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// Tokenizers of applications.
@Suite(.needs(.fullText))
struct CustomTokenizerTests {
  @Test func `Stop words take no place`() throws {
    try withTokenizer(StopWords.self, arguments: ["a"]) { db throws in
      try db.insertDocuments("The Lord of the Rings", "Rings of a Lord", "The")
      #expect(try db.documentsMatching("\"lord rings\"") == [1])
      #expect(try db.documentsMatching("\"lord of the rings\"") == [1])
      #expect(try db.documentsMatching("a") == [])
      #expect(try db.documentsMatching("lord NOT the") == [1, 2])
      #expect(
        try String.fetchOne(
          db, sql: "SELECT highlight(doc, 0, '[', ']') FROM doc WHERE doc MATCH '\"lord rings\"'")
          == "The [Lord of the Rings]")
      #expect(try db.checkFullTextIndex("doc").isSound)
      let tokenizer = try db.makeTokenizer(StopWords.tokenizerDescriptor())
      #expect(
        try tokenizer.tokenize(document: "The Sea of a Man").map(\.token) == ["sea", "a", "man"])
      #expect(try tokenizer.tokenize(query: "the").isEmpty)
      let own = try StopWords(db: db, arguments: ["sea"])
      #expect(try own.tokenize(document: "The Sea of a Man").map(\.token) == ["a", "man"])
    }
  }

  @Test func `An empty token takes a place`() throws {
    try withTokenizer(EmptyTokens.self) { db throws in
      let tokenizer = try db.makeTokenizer(EmptyTokens.tokenizerDescriptor())
      #expect(
        try tokenizer.tokenize(document: "Lord of Rings").map(\.token) == ["lord", "", "rings"])
      try db.insertDocuments("Lord of Rings", "Lord Rings")
      #expect(try db.documentsMatching("lord rings") == [1, 2])
      #expect(try db.documentsMatching("\"lord rings\"") == [2])
      #expect(try db.documentsMatching("\"lord of rings\"") == [1])
      #expect(try db.checkFullTextIndex("doc").isSound)
    }
  }

  @Test func `The arguments arrive as they are`() throws {
    ProbeTokenizer.log = Log()
    defer { ProbeTokenizer.log = nil }
    try withTokenizer(ProbeTokenizer.self, arguments: ["a b", "c'd", "x\"y", "", "é"]) {
      db throws in
      #expect(ProbeTokenizer.log?.elements == ["init a b|c'd|x\"y||é"])
      #expect(
        ProbeTokenizer.tokenizerDescriptor(arguments: ["a b"]).components == ["probe", "a b"])
    }
  }

  @Test func `Wrapped tokenizers are arguments`() throws {
    try DatabaseQueue().write { db throws in
      db.add(tokenizer: StopWords.self)
      let statements = try db.writingStatements {
        try db.create(virtualTable: "doc", using: FTS5()) { t in
          t.column("title")
          t.tokenizer = StopWords.tokenizerDescriptor(
            arguments: FTS5TokenizerDescriptor.porter().components)
        }
      }
      #expect(
        statements == [
          #"CREATE VIRTUAL TABLE "doc" USING fts5(title, tokenize='''stopwords'' ''porter''')"#
        ])
      // porter can wrap it, too.
      try db.create(virtualTable: "stems", using: FTS5()) { t in
        t.column("title")
        t.tokenizer = .porter(wrapping: StopWords.tokenizerDescriptor())
      }
      try db.execute(sql: "INSERT INTO stems VALUES ('the sailing ships')")
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM stems WHERE stems MATCH 'sail'") == 1)
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM stems WHERE stems MATCH 'the'") == 0)
    }
  }

  @Test func `Tokenizers learn why they are asked`() throws {
    try withTokenizer(ProbeTokenizer.self) { db throws in
      let log = Log<String>()
      ProbeTokenizer.log = log
      defer { ProbeTokenizer.log = nil }
      func asked(_ body: () throws -> Void) throws -> [String] {
        log.removeAll()
        try body()
        return log.elements
      }
      // Each has a name: see the traps of #expect.
      let insertion = try asked { try db.insertDocuments("sea") }
      #expect(insertion == ["sea 4"])
      let update = try asked { try db.execute(sql: "UPDATE doc SET title = 'lake'") }
      #expect(update == ["sea 4", "lake 4"])
      let word = try asked { _ = try db.documentsMatching("lake") }
      #expect(word == ["lake 1"])
      let phrase = try asked { _ = try db.documentsMatching("\"lake sea\"") }
      #expect(phrase == ["lake 1", "sea 1"])
      let prefix = try asked { _ = try db.documentsMatching("la*") }
      #expect(prefix == ["la 3"])
      let rebuild = try asked { try db.rebuildFullTextIndex("doc") }
      #expect(Set(rebuild) == ["lake 4"])
      let highlight = "SELECT highlight(doc, 0, '', '') FROM doc WHERE doc MATCH 'lake'"
      let highlights = try asked { _ = try Row.fetchAll(db, sql: highlight) }
      #expect(highlights.first == "lake 1")
      #expect(Set(highlights.dropFirst()) == ["lake 8"])
      let deletion = try asked { try db.execute(sql: "DELETE FROM doc") }
      #expect(deletion == ["lake 4"])
      let tokenizer = try db.makeTokenizer(ProbeTokenizer.tokenizerDescriptor())
      let document = try asked { _ = try tokenizer.tokenize(document: "a") }
      #expect(document == ["a 4"])
      let query = try asked { _ = try tokenizer.tokenize(query: "a") }
      #expect(query == ["a 1"])
    }
  }

  @Test func `Synonyms in documents`() throws {
    try withTokenizer(DocumentSynonyms.self) { db throws in
      try db.insertDocuments("my red car", "the auto is here", "bus")
      #expect(try db.documentsMatching("car") == [1, 2])
      #expect(try db.documentsMatching("auto") == [1, 2])
      #expect(try db.documentsMatching("\"red auto\"") == [1])
      #expect(try db.documentsMatching("aut*") == [1, 2])
      #expect(
        try String.fetchAll(
          db, sql: "SELECT highlight(doc, 0, '[', ']') FROM doc WHERE doc MATCH 'auto'")
          == ["my red [car]", "the [auto] is here"])
      let tokens = try db.makeTokenizer(DocumentSynonyms.tokenizerDescriptor())
        .tokenize(document: "red car")
      #expect(tokens.map(\.token) == ["red", "car", "auto"])
      #expect(tokens.map(\.flags) == [[], [], .colocated])
      #expect(try db.checkFullTextIndex("doc").isSound)
    }
  }

  @Test func `Synonyms in queries`() throws {
    try withTokenizer(QuerySynonyms.self) { db throws in
      try db.insertDocuments("my red car", "the auto is here", "bus")
      #expect(try db.documentsMatching("car") == [1, 2])
      #expect(try db.documentsMatching("\"red auto\"") == [1])
      #expect(try db.documentsMatching("aut*") == [2])
    }
  }

  @Test(
    arguments: [
      (19, "constraint failed"), (9, "interrupted"), (7, "out of memory"), (1, "SQL logic error"),
    ])
  func `Errors of tokens are those of statements`(code: Int, message: String) throws {
    try withTokenizer(ProbeTokenizer.self, arguments: ["accept", "\(code)"]) { db throws in
      try db.insertDocuments("sea")
      func check(_ body: () throws -> Void) {
        let error = databaseError(body)
        #expect(error?.resultCode.rawValue == CInt(code))
        #expect(error?.message == "\(message) - tokenizer probe: bad word")
        #expect(error?.sql?.contains("doc") == true)
      }
      check { try db.insertDocuments("sea bad river") }
      check { try db.execute(sql: "UPDATE doc SET title = 'bad'") }
      check { _ = try db.documentsMatching("bad") }
      let tokenizer = try db.makeTokenizer(
        ProbeTokenizer.tokenizerDescriptor(arguments: ["accept", "\(code)"]))
      for body in [
        { try _ = tokenizer.tokenize(document: "sea bad") },
        { try _ = tokenizer.tokenize(query: "bad") },
      ] {
        let error = databaseError(body)
        #expect(error?.text == "\(code) \(message) - tokenizer probe: bad word")
        #expect(error?.sql == nil)
      }
      #expect(try db.documentsMatching("sea") == [1])
      #expect(
        databaseError { try db.execute(sql: "INSERT INTO nope VALUES (1)") }?.message
          == "no such table: nope")
    }
  }

  @Test(arguments: [
    ("refuse", "1 SQL logic error - tokenizer probe: Refusal()"),
    ("cancel", "1 SQL logic error - tokenizer probe: CancellationError()"),
  ])
  func `Other errors have code 1`(
    argument: String, text: String
  ) throws {
    try withTokenizer(ProbeTokenizer.self, arguments: [argument]) { db throws in
      #expect(databaseError { try db.insertDocuments("bad") }?.text == text)
    }
  }

  @Test func `SQLITE_DONE ends a text`() throws {
    try withTokenizer(ProbeTokenizer.self, arguments: ["accept", "101"]) { db throws in
      try db.insertDocuments("sea bad river")
      #expect(try db.documentsMatching("sea") == [1])
      #expect(try db.documentsMatching("river") == [])
      let tokenizer = try db.makeTokenizer(
        ProbeTokenizer.tokenizerDescriptor(arguments: ["accept", "101"]))
      #expect(try tokenizer.tokenize(document: "sea bad river").map(\.token) == ["sea"])
    }
    try withTokenizer(Nonsense.self, arguments: ["101"]) { db throws in
      try db.insertDocuments("sea")
      #expect(try db.documentsMatching("sea") == [])
    }
  }

  @Test(arguments: [(19, "constraint failed"), (7, "out of memory"), (100, "SQL logic error")])
  func `Codes that tokenizers return are those of statements`(code: Int, message: String) throws {
    try withTokenizer(Nonsense.self, arguments: ["\(code)"]) { db throws in
      let error = databaseError { try db.insertDocuments("sea") }
      #expect(error?.resultCode.rawValue == (code == 100 ? 1 : CInt(code)))
      #expect(error?.message == message)
    }
  }

  @Test func `A savepoint undoes the row that a tokenizer refuses`() throws {
    try withTokenizer(Nonsense.self, arguments: ["19"]) { db throws in
      #expect(throws: DatabaseError.self) {
        try db.inSavepoint {
          try db.insertDocuments("sea")
          return .commit
        }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM doc") == 0)
    }
  }

  @Test(arguments: [21, 19, 2067, 1, 9])
  func `Errors of initializers are those of tables`(code: Int) throws {
    try DatabaseQueue().writeWithoutTransaction { db throws in
      db.add(tokenizer: ProbeTokenizer.self)
      let descriptor = ProbeTokenizer.tokenizerDescriptor(arguments: ["init", "\(code)"])
      let error = databaseError {
        try db.create(virtualTable: "doc", using: FTS5()) { t in
          t.column("a")
          t.tokenizer = descriptor
        }
      }
      #expect(error?.resultCode == ResultCode(rawValue: CInt(code)).primaryResultCode)
      #expect(error?.message == "error in tokenizer constructor - tokenizer probe: bad luck")
      #expect(try !db.tableExists("doc"))
      let other = databaseError { try db.makeTokenizer(descriptor) }
      #expect(other?.extendedResultCode.rawValue == CInt(code))
      #expect(other?.message == "failed fts5_tokenizer.xCreate - tokenizer probe: bad luck")
      #expect(other?.sql == nil)
      let cancelled = ProbeTokenizer.tokenizerDescriptor(arguments: ["cancel init"])
      #expect(
        databaseError { try db.makeTokenizer(cancelled) }?.text
          == "1 failed fts5_tokenizer.xCreate - tokenizer probe: CancellationError()")
    }
  }

  @Test(
    arguments: [
      ["-1", "2"], ["2", "1"], ["0", "99"], ["99", "100"], ["-2147483648", "2147483647"],
      ["0", "2147483647", "ok"], ["-5", "-3", "ok"],
    ])
  func `Tokens beyond their text are refused`(numbers: [String]) throws {
    try withTokenizer(Nonsense.self, arguments: numbers) { db throws in
      let message = """
        SQL logic error - tokenizer nonsense: a token of 1 bytes is said to stand at bytes \
        \(numbers[0])..<\(numbers[1]) of a text of 3
        """
      #expect(databaseError { try db.insertDocuments("sea") }?.message == message)
      #expect(databaseError { try db.documentsMatching("sea") }?.message == message)
      let tokenizer = try db.makeTokenizer(Nonsense.tokenizerDescriptor(arguments: numbers))
      #expect(databaseError { try tokenizer.tokenize(document: "sea") }?.message == message)
    }
  }

  @Test func `A token with a NUL is refused where it would damage the index`() throws {
    try withTokenizer(Nonsense.self, arguments: ["0", "1"]) { db throws in
      let message = """
        SQL logic error - tokenizer nonsense: the token of bytes 0..<1 contains a NUL, which \
        damages the index
        """
      let error = databaseError { try db.insertDocuments("\0sea") }
      #expect(error?.message == (SQLiteBuild.version < 3_045_000 ? message : nil))
    }
  }

  @Test func `All tokens of a word stand where the word stands`() throws {
    try DatabaseQueue().write { db throws in
      let tokenizer = try Halves(db: db, arguments: [])
      let places = Log<String>()
      let context = Unmanaged.passUnretained(places).toOpaque()
      let text = "sea river"
      let code = text.withCString { pointer in
        tokenizer.tokenize(
          context: context, tokenization: .document, pText: pointer, nText: 9
        ) { context, flags, token, count, start, end in
          guard let context else { return 1 }
          let bytes = UnsafeRawBufferPointer(start: token, count: Int(count))
          Unmanaged<Log<String>>.fromOpaque(context).takeUnretainedValue().append(
            "\(String(decoding: bytes, as: UTF8.self)) \(start)-\(end) \(flags)")
          return 0
        }
      }
      #expect(code == 0)
      #expect(
        withExtendedLifetime(places) { places.elements } == [
          "s 0-3 0", "ea 0-3 0", " 0-3 0", "r 4-9 0", "iver 4-9 0", " 4-9 0",
        ])
    }
    try withTokenizer(Halves.self) { db throws in
      try db.insertDocuments("old sea")
      #expect(try db.documentsMatching("\"ld s\"") == [])
      #expect(try db.documentsMatching("ld + sea") == [])
      #expect(try db.documentsMatching("sea") == [1])
      #expect(
        try String.fetchOne(
          db, sql: "SELECT highlight(doc, 0, '[', ']') FROM doc WHERE doc MATCH 'sea'")
          == "old [sea]")
      #expect(try db.checkFullTextIndex("doc").isSound)
    }
  }

  @Test func `A code of the callback is an error of accept, and of the text`() throws {
    try DatabaseQueue().write { db throws in
      let tokenizer = try Halves(db: db, arguments: [])
      let code = "sea".withCString { pointer in
        tokenizer.tokenize(
          context: nil, tokenization: .document, pText: pointer, nText: 3
        ) { _, _, _, _, _, _ in 19 }
      }
      #expect(code == 19)
      #expect(
        tokenizer.errors == ["SQLite error 19: token callback failed"])
    }
  }

  @Test func `The first token may be colocated`() throws {
    try withTokenizer(DocumentColocated.self) { db throws in
      try db.insertDocuments("sea river")
      #expect(try db.documentsMatching("sea") == [1])
      #expect(try db.documentsMatching("\"sea river\"") == [])
    }
  }

  @Test func `Tokens that are no UTF-8 are left out`() throws {
    try DatabaseQueue().write { db throws in
      db.add(tokenizer: Nonsense.self)
      // The first byte of a character.
      let tokenizer = try db.makeTokenizer(Nonsense.tokenizerDescriptor(arguments: ["0", "1"]))
      #expect(try tokenizer.tokenize(document: "été").isEmpty)
      #expect(try tokenizer.tokenize(document: "sea").map(\.token) == ["s"])
    }
  }

  @Test func `Tokens that overlap do no harm`() throws {
    try withTokenizer(Nonsense.self, arguments: ["0", "0"]) { db throws in
      try db.insertDocuments("sea", "")
      #expect(try db.documentsMatching("s") == [1])
      #expect(
        try String.fetchAll(
          db, sql: "SELECT snippet(doc, 0, '[', ']', '', 3) FROM doc WHERE doc MATCH 's'"
        ).count == 1)
    }
  }

  @Test func `A tokenizer that searches its own index without end gets an error`() throws {
    let (error, innermost, isUsable) = try onThread {
      let log = Log<String>()
      return try Searching.$log.withValue(log) {
        try withTokenizer(Searching.self) { db in
          let search = "SELECT rowid FROM doc WHERE doc MATCH 'sea'"
          let error = databaseError { try Int.fetchAll(db, sql: search) }
          return try (error?.message, log.elements.first, Int.fetchOne(db, sql: "SELECT 1"))
        }
      }
    }
    #expect(error == "SQL logic error")
    #expect(
      innermost?.contains("tokenizer searching: it searches its own index, without end") == true)
    #expect(isUsable == 1)
  }

  @Test func `A tokenizer that wraps itself is refused`() throws {
    try DatabaseQueue().write { db throws in
      db.add(tokenizer: Endless.self)
      let error = databaseError { try db.makeTokenizer(Endless.tokenizerDescriptor()) }
      #expect(error?.message?.contains("the tokenizer wraps itself without end") == true)
      #expect(throws: DatabaseError.self) {
        try db.create(virtualTable: "doc", using: FTS5()) { t in
          t.column("a")
          t.tokenizer = Endless.tokenizerDescriptor()
        }
      }
      try db.execute(sql: "SELECT 1")
    }
  }
}
