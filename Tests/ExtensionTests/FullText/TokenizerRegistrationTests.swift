import CSQLite
import Foundation
import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// Where tokenizers are known, and how long they live.
@Suite(.needs(.fullText))
struct TokenizerRegistrationTests {
  private final class Shouting: FTS5WrapperTokenizer {
    static let name = "StopWords"
    let wrappedTokenizer: any FTS5Tokenizer
    init(db: Database, arguments: [String]) throws {
      wrappedTokenizer = try db.makeTokenizer(.ascii())
    }
    func accept(
      token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
      tokenCallback: FTS5WrapperTokenCallback
    ) throws {
      try tokenCallback(token.uppercased() + "!", flags)
    }
  }

  /// Replaces the tokenizer of SQLite.
  private final class Letters: FTS5CustomTokenizer {
    static let name = "unicode61"
    init(db: Database, arguments: [String]) throws {}
    func tokenize(
      context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
      pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
      for index in 0..<nText {
        let code = tokenCallback(context, 0, pText.map { $0 + Int(index) }, 1, index, index + 1)
        if code != 0 { return code }
      }
      return 0
    }
  }

  private func makeTable(_ db: Database) throws {
    try db.create(virtualTable: "doc", using: FTS5()) { t in
      t.column("title")
      t.tokenizer = StopWords.tokenizerDescriptor()
    }
    try db.execute(sql: "INSERT INTO doc VALUES ('the sea')")
  }

  @Test func `A tokenizer belongs to each connection that is prepared with it`() throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.prepareDatabase { db in db.add(tokenizer: StopWords.self) }
      let path = directory + "/books.sqlite"
      try DatabaseQueue(path: path, configuration: configuration).write(makeTable)
      configuration.readonly = true
      try DatabaseQueue(path: path, configuration: configuration).read { db throws in
        #expect(try db.documentsMatching("sea") == [1])
        #expect(try db.documentsMatching("the") == [])
        #expect(
          databaseError { try db.checkFullTextIndex("doc") }?.text
            == "8 attempt to write a readonly database")
      }
    }
  }

  @Test func `All connections of a pool are prepared with it`() throws {
    try withTemporaryDirectory { directory in
      var configuration = Configuration()
      configuration.prepareDatabase { db in db.add(tokenizer: StopWords.self) }
      let pool = try DatabasePool(path: directory + "/books.sqlite", configuration: configuration)
      try pool.write(makeTable)
      try pool.read { db throws in #expect(try db.documentsMatching("sea") == [1]) }
      let snapshot = try pool.makeSnapshot()
      try snapshot.read { db throws in #expect(try db.documentsMatching("sea") == [1]) }
    }
  }

  @Test func `A tokenizer of the writer is none of the readers`() throws {
    try withTemporaryDirectory { directory in
      let pool = try DatabasePool(path: directory + "/books.sqlite")
      try pool.write { db throws in
        db.add(tokenizer: StopWords.self)
        try makeTable(db)
        #expect(try db.documentsMatching("sea") == [1])
      }
      let error = databaseError { try pool.read { try $0.documentsMatching("sea") } }
      #expect(error?.message == "no such tokenizer: stopwords")
    }
  }

  @Test func `A connection that does not know a tokenizer can't use its tables`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/books.sqlite"
      try DatabaseQueue(path: path).write { db throws in
        db.add(tokenizer: StopWords.self)
        try makeTable(db)
      }
      let queue = try DatabaseQueue(path: path)
      try queue.write { db throws in
        let message = "no such tokenizer: stopwords"
        for sql in ["SELECT * FROM doc WHERE doc MATCH 'sea'", "INSERT INTO doc VALUES ('x')"] {
          #expect(databaseError { try db.execute(sql: sql) }?.message == message)
        }
        // Since SQLite 3.47, a table looks for its tokenizer when it is about to use it.
        let early = SQLiteBuild.version < 3_047_000 ? message : nil
        for sql in ["SELECT * FROM doc", "DROP TABLE doc"] {
          let error = databaseError {
            try db.inSavepoint {
              try db.execute(sql: sql)
              return .rollback
            }
          }
          #expect(error?.message == early)
        }
        #expect(databaseError { try db.columns(in: "doc") }?.message == early)
        #expect(try db.tableExists("doc"))
        #expect(
          databaseError { try db.makeTokenizer(StopWords.tokenizerDescriptor()) }?.message
            == "SQL logic error - no such tokenizer: stopwords")
        db.add(tokenizer: StopWords.self)
        #expect(try db.documentsMatching("sea") == [1])
      }
      try queue.inDatabase { db throws in
        try db.execute(sql: "BEGIN; DROP TABLE doc; ROLLBACK")
      }
      let copy = try DatabaseQueue()
      try queue.backup(to: copy)
      try copy.read { db throws in #expect(try db.tableExists("doc")) }
      try copy.erase()
      try copy.read { db throws in #expect(try !db.tableExists("doc")) }
    }
  }

  @Test func `Names ignore case, and the last one wins for new tables`() throws {
    try DatabaseQueue().writeWithoutTransaction { db throws in
      db.add(tokenizer: StopWords.self)
      try makeTable(db)
      db.add(tokenizer: Shouting.self)
      let tokenizer = try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["STOPWORDS"]))
      #expect(try tokenizer.tokenize(document: "the sea").map(\.token) == ["THE!", "SEA!"])
      try db.execute(sql: "INSERT INTO doc VALUES ('the sea again')")
      #expect(try db.documentsMatching("sea") == [1, 2])
      #expect(try db.documentsMatching("the") == [])
    }
  }

  @Test func `A tokenizer may replace one of SQLite`() throws {
    try DatabaseQueue().writeWithoutTransaction { db throws in
      db.add(tokenizer: Letters.self)
      func isFound(_ descriptor: FTS5TokenizerDescriptor?) throws -> Bool {
        try db.create(virtualTable: "doc", using: FTS5()) { t in
          t.column("title")
          t.tokenizer = descriptor
        }
        try db.execute(sql: "INSERT INTO doc VALUES ('sea')")
        defer { try? db.drop(table: "doc") }
        return try db.documentsMatching("e") == [1]
      }
      #expect(try isFound(.unicode61()))
      #expect(try isFound(.porter()))
      #expect(try !isFound(nil))
    }
  }

  @Test func `Tokenizers live as long as their tables and connections`() throws {
    let log = Log<String>()
    var queue: DatabaseQueue? = try DatabaseQueue()
    var kept: (any FTS5Tokenizer)?
    try queue?.writeWithoutTransaction { db throws in
      ProbeTokenizer.log = log
      defer { ProbeTokenizer.log = nil }
      db.add(tokenizer: ProbeTokenizer.self)
      #expect(log.elements == [])
      try db.create(virtualTable: "doc", using: FTS5()) { t in
        t.column("title")
        t.tokenizer = ProbeTokenizer.tokenizerDescriptor(arguments: ["table"])
      }
      #expect(log.elements == ["init table"])
      var tokenizer: (any FTS5Tokenizer)? = try db.makeTokenizer(
        ProbeTokenizer.tokenizerDescriptor())
      #expect(tokenizer != nil)
      #expect(log.elements.last == "init ")
      tokenizer = nil
      #expect(log.elements.last == "deinit")
      log.removeAll()
      try db.drop(table: "doc")
      #expect(log.elements == ["deinit"])
      kept = try db.makeTokenizer(ProbeTokenizer.tokenizerDescriptor())
    }
    // It outlives its connection.
    queue = nil
    #expect(try kept?.tokenize(document: "Sea").map(\.token) == ["sea"])
    kept = nil
  }

  @Test func `The interface of FTS5 is there`() throws {
    try DatabaseQueue().read { db throws in
      #expect(try FTS5.api(db).pointee.iVersion >= 2)
    }
  }

  @Test func `Tokenizers are made in accesses`() throws {
    let queue = try DatabaseQueue()
    let db = try queue.read { db throws -> Database in db }
    #expect(databaseError { try db.makeTokenizer(.ascii()) }?.resultCode == .SQLITE_MISUSE)
  }
}
