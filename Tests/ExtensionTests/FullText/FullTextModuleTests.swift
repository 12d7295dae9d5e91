import Quarry
import QuarryTestSupport
import Testing

/// The full-text modules of SQLite: the parts that are there, and the statements that make their
/// tables.
@Suite(.needs(.fullText))
struct FullTextModuleTests {
  @Test(arguments: ["fts3", "fts4", "fts5", "fts3tokenize", "fts4aux", "fts5vocab"])
  func `Modules are known by asking SQLite`(module: String) throws {
    try DatabaseQueue().read { db throws in
      let sql = "SELECT COUNT(*) FROM pragma_module_list WHERE name = ?"
      #expect(try Int.fetchOne(db, sql: sql, arguments: [module]) == 1)
    }
  }

  @Test(.lacks(.fullTextOperators), arguments: ["fts3", "fts4"])
  func `a minus is an operator, and words of operators are words`(module: String) throws {
    try withDocuments(using: module) { db throws in
      func found(_ pattern: String) throws -> [Int] { try db.documentsMatching(pattern) }
      #expect(try found("sea -river") == [1])
      #expect(try found("sea NOT river") == [])
      #expect(try found("old NEAR/3 sea") == [1])
      #expect(try found("title:sea") == [1])
    }
  }

  @Test(.needs(.fullTextOperators), arguments: ["fts3", "fts4"])
  func `FTS3 and FTS4 understand operators and parentheses, and no minus`(module: String) throws {
    try withDocuments(using: module) { db throws in
      func found(_ pattern: String) throws -> [Int] { try db.documentsMatching(pattern) }
      #expect(try found("sea -river") == [2])
      #expect(try found("sea NOT river") == [1])
      #expect(try found("old AND (oak OR man)") == [1, 3])
      #expect(try found("old NEAR/1 sea") == [])
      #expect(try found("old NEAR/3 sea") == [1])
      #expect(try found("title:sea") == [1])
    }
  }

  /// A later SQLite may accept them.
  @Test(
    arguments: [
      ("fts4(a, tokenize=icu)", "unknown tokenizer: icu"),
      ("fts5(a, tokenize='trigram remove_diacritics 1')", "error in tokenizer constructor"),
      (
        "fts5(a, content='', contentless_delete=1)", #"unrecognized option: "contentless_delete""#
      ),
      ("fts5(a, tokendata=1)", #"unrecognized option: "tokendata""#),
      ("fts5(a, locale=1)", #"unrecognized option: "locale""#),
    ])
  func `An option that SQLite lacks is refused with its message`(module: String, message: String)
    throws
  {
    try DatabaseQueue().write { db throws in
      let error = databaseError { try db.create(virtualTable: "doc", using: module) }
      #expect([nil, message].contains(error?.message))
      #expect(try db.tableExists("doc") == (error == nil))
    }
  }

  @Test(
    arguments: [
      ([], #"CREATE VIRTUAL TABLE "vt" USING fts5(a)"#),
      (.ifNotExists, #"CREATE VIRTUAL TABLE IF NOT EXISTS "vt" USING fts5(a)"#),
      (.temporary, #"CREATE VIRTUAL TABLE temp."vt" USING fts5(a)"#),
      (
        [.temporary, .ifNotExists],
        #"CREATE VIRTUAL TABLE IF NOT EXISTS temp."vt" USING fts5(a)"#
      ),
    ] as [(VirtualTableOptions, String)])
  func `The text of a module is copied, in one statement without transaction`(
    options: VirtualTableOptions, sql: String
  ) throws {
    try DatabaseQueue().writeWithoutTransaction { db throws in
      let statements = try db.statements {
        try db.create(virtualTable: "vt", options: options, using: "fts5(a)")
      }
      #expect(
        statements.filter { $0.hasPrefix("CREATE VIRTUAL") || $0.hasPrefix("BEGIN") } == [sql])
    }
  }

  @Test func `The parameter ifNotExists is the option`() throws {
    try DatabaseQueue().write { db throws in
      let statements = try db.writingStatements {
        try db.create(virtualTable: "a", ifNotExists: true, using: "fts5(x)")
        try db.create(virtualTable: "a", ifNotExists: true, using: FTS4()) { $0.column("y") }
      }
      #expect(
        statements == [
          #"CREATE VIRTUAL TABLE IF NOT EXISTS "a" USING fts5(x)"#,
          #"CREATE VIRTUAL TABLE IF NOT EXISTS "a" USING fts4(y)"#,
        ])
      #expect(try db.columns(in: "a").map(\.name) == ["x"])
    }
  }

  @Test func `A dot belongs to the name of a table`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "a.b", using: "fts5(x)")
      #expect(try db.tableExists("a.b"))
      try db.execute(sql: #"INSERT INTO "a.b" VALUES ('sea')"#)
      let pattern = FTS5Pattern(matchingAllTokensIn: "sea")
      #expect(try Table("a.b").matching(pattern).fetchCount(db) == 1)
    }
  }

  @Test(
    arguments: [
      ("fts5(title, content='')", ["config", "data", "docsize", "idx"]),
      ("fts5(title, content='book')", ["config", "data", "docsize", "idx"]),
      ("fts5(title, columnsize=0)", ["config", "content", "data", "idx"]),
      ("fts4(title, content='')", ["docsize", "segdir", "segments", "stat"]),
    ])
  func `Tables that store less have fewer shadow tables`(module: String, shadows: [String]) throws {
    try withBooks { db throws in
      try db.create(virtualTable: "ft", using: module)
      let sql = "SELECT name FROM sqlite_master WHERE name LIKE 'ft\\_%' ESCAPE '\\' ORDER BY name"
      #expect(try String.fetchAll(db, sql: sql) == shadows.map { "ft_\($0)" })
    }
  }

  @Test func `Virtual tables can't be altered`() throws {
    try withDocuments(using: "fts5") { db throws in
      let error = databaseError {
        try db.alter(table: "doc") { t in t.add(column: "extra", .text) }
      }
      #expect(error?.message == "virtual tables may not be altered")
    }
  }
}
