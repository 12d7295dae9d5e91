import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// The SQL of the definitions of FTS3 and FTS4 tables.
@Suite(.needs(.fullText))
struct FTS3And4DefinitionTests {
  private func sql(
    _ name: String = "ft", options: VirtualTableOptions = [],
    _ body: ((FTS4TableDefinition) -> Void)? = nil
  ) throws -> [String] {
    try DatabaseQueue().writeWithoutTransaction { db throws -> [String] in
      db.add(function: DatabaseFunction("pack", argumentCount: 1) { $0[0] })
      db.add(function: DatabaseFunction("unpack", argumentCount: 1) { $0[0] })
      return try db.writingStatements {
        try db.create(virtualTable: name, options: options, using: FTS4(), body)
      }
    }
  }

  private func message(_ body: @escaping (FTS4TableDefinition) -> Void) -> String? {
    databaseError { try sql("ft", body) }?.message
  }

  private static let fts3: [(@Sendable (FTS3TableDefinition) -> Void, String)] = [
    ({ _ in }, "fts3"),
    (
      { t in
        t.column("title")
        t.column("body")
      }, "fts3(title, body)"
    ),
    (
      { t in
        t.tokenizer = .porter
        t.column("title")
      }, "fts3(title, tokenize=porter)"
    ),
    (
      { t in
        t.column("title")
        t.tokenizer = .porter
      }, "fts3(title, tokenize=porter)"
    ),
    (
      { t in t.tokenizer = .unicode61(diacritics: .keep) },
      #"fts3(tokenize=unicode61 "remove_diacritics=0")"#
    ),
    (
      { t in
        t.column("order")
        t.column("group")
      }, "fts3(order, group)"
    ),
    (
      { t in
        t.column("first name")
        t.column("a\"b")
        t.column("1st")
        t.column("é")
      },
      #"fts3("first name", "a""b", "1st", "é")"#
    ),
  ]

  @Test(arguments: fts3.indices)
  func `FTS3 definitions become arguments in a fixed order`(index: Int) throws {
    let (body, module) = Self.fts3[index]
    try DatabaseQueue().write { db throws in
      let statements = try db.writingStatements {
        try db.create(virtualTable: "ft", using: FTS3(), body)
      }
      #expect(statements == [#"CREATE VIRTUAL TABLE "ft" USING \#(module)"#])
    }
  }

  @Test func `A table without definition has a column named content`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: FTS3())
      #expect(try db.columns(in: "ft").map(\.name) == ["content"])
    }
  }

  @Test func `FTS3 takes the options of FTS4 for columns`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: "fts3(a, content='')")
      #expect(try db.columns(in: "ft").map(\.name) == ["a", "content"])
    }
  }

  @Test(
    arguments: [
      ([], #"CREATE VIRTUAL TABLE "ft" USING fts4"#),
      (.ifNotExists, #"CREATE VIRTUAL TABLE IF NOT EXISTS "ft" USING fts4"#),
      (.temporary, #"CREATE VIRTUAL TABLE temp."ft" USING fts4"#),
      ([.temporary, .ifNotExists], #"CREATE VIRTUAL TABLE IF NOT EXISTS temp."ft" USING fts4"#),
    ] as [(VirtualTableOptions, String)])
  func `Options stand before the name`(options: VirtualTableOptions, expected: String) throws {
    #expect(try sql(options: options) == [expected])
  }

  @Test func `All FTS4 options have their place`() throws {
    let statements = try sql { t in
      t.prefixes = [10, 5, 3]
      t.matchinfo = "fts3"
      t.uncompress = "unpack"
      t.compress = "pack"
      t.content = ""
      t.tokenizer = .porter
      t.column("title")
      t.column("isbn").notIndexed()
      t.column("lang").asLanguageId()
      t.column("body")
    }
    #expect(
      statements == [
        """
        CREATE VIRTUAL TABLE "ft" USING fts4(title, isbn, notindexed=isbn, languageid="lang", body, \
        tokenize=porter, content="", compress="pack", uncompress="unpack", matchinfo="fts3", \
        prefix="3,5,10")
        """
      ])
  }

  @Test func `Single FTS4 options are written as given`() throws {
    func arguments(_ body: @escaping (FTS4TableDefinition) -> Void) throws -> String {
      String(try sql("ft", body)[0].dropFirst(#"CREATE VIRTUAL TABLE "ft" USING "#.count))
    }
    #expect(try arguments { _ in } == "fts4")
    #expect(
      try arguments {
        $0.column("a")
        $0.content = "book"
      } == #"fts4(a, content="book")"#)
    #expect(
      try arguments {
        $0.column("a")
        $0.content = #"o"b"#
      } == #"fts4(a, content="o""b")"#)
    #expect(try arguments { $0.prefixes = [] } == #"fts4(prefix="")"#)
    #expect(try arguments { $0.prefixes = [5, 3, 0] } == #"fts4(prefix="0,3,5")"#)
    #expect(
      try arguments { $0.column("a b").notIndexed() } == #"fts4("a b", notindexed="a b")"#)
    #expect(
      try arguments { $0.column("l").asLanguageId().notIndexed() } == #"fts4(languageid="l")"#)
    #expect(
      try arguments {
        $0.column("l").asLanguageId()
        $0.column("m").asLanguageId()
      }
        == #"fts4(languageid="l", languageid="m")"#)
  }

  @Test func `Mistakes have the messages of SQLite`() {
    #expect(message { $0.matchinfo = "x" } == "unrecognized matchinfo: x")
    #expect(
      message { $0.compress = "pack" } == "missing uncompress parameter in fts4 constructor")
    #expect(
      message { $0.uncompress = "unpack" } == "missing compress parameter in fts4 constructor")
    #expect(message { $0.prefixes = [-1] } == "error parsing prefix parameter: -1")
    #expect(message { $0.content = "nope" } == "no such table: main.nope")
    let failed = "vtable constructor failed: ft"
    #expect(
      message {
        $0.column("a")
        $0.column("A")
      } == failed)
    #expect(message { $0.column("ft") } == failed)
    #expect(message { $0.column("docid") } == failed)
    #expect(
      message {
        $0.column("a")
        $0.column("a").asLanguageId()
      } == failed)
  }

  @Test func `A column with a blank or a quote works`() throws {
    for module in ["fts3", "fts4"] {
      try DatabaseQueue().write { db throws in
        if module == "fts3" {
          try db.create(virtualTable: #"f"t"#, using: FTS3()) { t in
            t.column("first name")
            t.column(#"a"b"#)
          }
        } else {
          try db.create(virtualTable: #"f"t"#, using: FTS4()) { t in
            t.column("first name")
            t.column(#"a"b"#).notIndexed()
          }
        }
        #expect(try db.columns(in: #"f"t"#).map(\.name) == ["first name", #"a"b"#])
        try db.execute(sql: #"INSERT INTO "f""t" VALUES ('sea', 'river')"#)
        let table = Table(#"f"t"#)
        let sea = try #require(FTS3Pattern(matchingAllTokensIn: "sea"))
        #expect(try table.matching(sea).fetchCount(db) == 1)
        #expect(try table.filter(Column("first name").match(sea)).fetchCount(db) == 1)
        let river = FTS3Pattern(matchingAllTokensIn: "river")
        #expect(try table.matching(river).fetchCount(db) == (module == "fts3" ? 1 : 0))
      }
    }
  }

  @Test func `Searches see the rows of their language`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: FTS4()) { t in
        t.column("title")
        t.column("lang").asLanguageId()
      }
      try db.execute(sql: "INSERT INTO ft(title, lang) VALUES ('sea', 0), ('sea', 1)")
      let request = Table("ft").matching(FTS3Pattern(matchingAllTokensIn: "sea"))
      #expect(try request.select(Column.rowID, as: Int64.self).fetchAll(db) == [1])
      #expect(
        try request.filter(Column("lang") == 1).select(Column.rowID, as: Int64.self).fetchAll(db)
          == [2])
      #expect(try db.columns(in: "ft").map(\.name) == ["title"])
    }
  }

  @Test func `Texts are compressed by functions of the application`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: FTS4()) { t in
        t.column("title")
        t.compress = "pack"
        t.uncompress = "unpack"
      }
      let error = databaseError { try db.execute(sql: "INSERT INTO ft VALUES ('Sea')") }
      #expect(error?.message == "SQL logic error")
      db.add(function: DatabaseFunction("pack", argumentCount: 1) { "<\($0[0])>" })
      db.add(function: DatabaseFunction("unpack", argumentCount: 1) { _ in "unpacked" })
      try db.execute(sql: "INSERT INTO ft VALUES ('Sea')")
      #expect(try String.fetchOne(db, sql: "SELECT c0title FROM ft_content") == #"<"Sea">"#)
      #expect(try String.fetchOne(db, sql: "SELECT title FROM ft") == "unpacked")
    }
  }

  @Test func `A contentless table stores no text`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: FTS4()) { t in
        t.column("title")
        t.content = ""
      }
      try db.execute(sql: "INSERT INTO ft(docid, title) VALUES (7, 'Sea')")
      let sql = "SELECT docid FROM ft WHERE ft MATCH 'sea'"
      #expect(try Int.fetchOne(db, sql: sql) == 7)
      for sql in ["SELECT title FROM ft", "UPDATE ft SET title = ''", "DELETE FROM ft"] {
        #expect(databaseError { try Row.fetchAll(db, sql: sql) }?.message == "SQL logic error")
      }
      #expect(databaseError { try db.rebuildFullTextIndex("ft") }?.message == "SQL logic error")
    }
  }

  @Test func `The content reads back, and the last call counts`() throws {
    let module = FTS4()
    func content(_ body: @escaping (FTS4TableDefinition) -> Void) throws -> String? {
      var content: String?
      try DatabaseQueue().write { db throws in
        try db.execute(sql: "CREATE TABLE book (a); CREATE TABLE other (a)")
        try db.create(virtualTable: "ft", using: module) { t in
          t.column("a")
          body(t)
          content = t.content
        }
        let isSynchronized = try db.triggerExists("__ft_ai")
        content = content.map { isSynchronized ? "\($0)!" : $0 }
      }
      return content
    }
    #expect(try content { _ in } == nil)
    #expect(try content { $0.content = "book" } == "book")
    #expect(try content { $0.synchronize(withTable: "book") } == "book!")
    #expect(
      try content {
        $0.synchronize(withTable: "book")
        $0.content = nil
      } == nil)
    #expect(
      try content {
        $0.synchronize(withTable: "book")
        $0.content = "other"
      } == "other")
    #expect(
      try content {
        $0.content = "other"
        $0.synchronize(withTable: "book")
      } == "book!")
  }
}
