import Quarry
import QuarryTables
import QuarryTestSupport
import Testing

/// The SQL of the definitions of FTS5 tables.
@Suite(.needs(.fullText))
struct FTS5DefinitionTests {
  private typealias Body = (FTS5TableDefinition) -> Void

  private func arguments(_ body: @escaping Body) throws -> String {
    try DatabaseQueue().writeWithoutTransaction { db throws -> String in
      try db.execute(sql: "CREATE TABLE book (id INTEGER PRIMARY KEY, a)")
      let statements = try db.writingStatements {
        try db.create(virtualTable: "ft", using: FTS5(), body)
      }
      return String(statements[0].dropFirst(#"CREATE VIRTUAL TABLE "ft" USING "#.count))
    }
  }

  private func message(_ body: @escaping Body) -> String? {
    databaseError { try arguments(body) }?.message
  }

  @Test func `All options have their place`() throws {
    let module = try arguments { t in
      t.detail = "column"
      t.columnSize = 0
      t.prefixes = [3, 2, 1]
      t.contentRowID = "id"
      t.content = "book"
      t.tokenizer = .porter()
      t.column("title")
      t.column("isbn").notIndexed()
      t.contentRowID = "id"
    }
    #expect(
      module == """
        fts5(title, isbn UNINDEXED, tokenize='''porter''', content='book', content_rowid='id', \
        prefix='1 2 3', columnSize=0, detail=column)
        """)
  }

  @Test func `Single options are written as given`() throws {
    #expect(
      try arguments {
        $0.column("a")
        $0.content = ""
      } == "fts5(a, content='')")
    #expect(
      try arguments {
        $0.column("a")
        $0.content = "o'b"
      } == "fts5(a, content='o''b')")
    #expect(
      try arguments {
        $0.column("a")
        $0.contentRowID = "id"
      } == "fts5(a, content_rowid='id')")
    #expect(
      try arguments {
        $0.column("a")
        $0.prefixes = []
      } == "fts5(a, prefix='')")
    #expect(
      try arguments {
        $0.column("a")
        $0.columnSize = 1
      } == "fts5(a, columnSize=1)")
    #expect(
      try arguments {
        $0.column("a")
        $0.detail = "none"
      } == "fts5(a, detail=none)")
    #expect(
      try arguments {
        $0.column("order")
        $0.column("b_2")
      } == "fts5(order, b_2)")
    #expect(
      try arguments {
        $0.column("a b")
        $0.column("c\"d").notIndexed()
      }
        == #"fts5("a b", "c""d" UNINDEXED)"#)
  }

  @Test func `Mistakes have the messages of SQLite`() {
    #expect(message { $0.column("rank") } == "reserved fts5 column name: rank")
    #expect(message { $0.column("rowid") } == "reserved fts5 column name: rowid")
    let failed = "vtable constructor failed: ft"
    #expect(
      message {
        $0.column("a")
        $0.column("A")
      } == failed)
    #expect(message { $0.column("ft") } == failed)
    let range = "prefix length out of range (max 999)"
    #expect(
      message {
        $0.column("a")
        $0.prefixes = [0]
      } == range)
    #expect(
      message {
        $0.column("a")
        $0.prefixes = [1000]
      } == range)
    #expect(
      message {
        $0.column("a")
        $0.prefixes = Set(1...32)
      } == "too many prefix indexes (max 31)")
    #expect(
      message {
        $0.column("a")
        $0.columnSize = 2
      } == "malformed columnsize=... directive")
    #expect(
      message {
        $0.column("a")
        $0.detail = "x"
      } == "malformed detail=... directive")
    #expect(
      message {
        $0.column("a")
        $0.tokenizer = FTS5TokenizerDescriptor(components: ["nope"])
      }
        == "no such tokenizer: nope")
    #expect(
      message {
        $0.column("a")
        $0.tokenizer = .unicode61(categories: "Zork")
      }
        == "error in tokenizer constructor")
  }

  @Test func `A table needs a column`() throws {
    try DatabaseQueue().write { db throws in
      let statements = try db.writingStatements { () throws in
        #expect(
          errorText { try db.create(virtualTable: "ft", using: FTS5()) }
            == "FTS5 virtual table requires at least one column.")
      }
      #expect(statements == [])
    }
  }

  @Test func `A table and columns with blanks and quotes work`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: #"f"t"#, using: FTS5()) { t in
        t.column("first name")
        t.column(#"a"b"#).notIndexed()
      }
      try db.execute(sql: #"INSERT INTO "f""t" VALUES ('sea', 'river')"#)
      let table = Table(#"f"t"#)
      let sea = try #require(FTS5Pattern(matchingAllTokensIn: "sea"))
      #expect(try table.matching(sea).fetchCount(db) == 1)
      #expect(try table.filter(Column("first name").match(sea)).fetchCount(db) == 1)
      #expect(try table.matching(FTS5Pattern(matchingAllTokensIn: "river")).fetchCount(db) == 0)
      let pattern = try db.makeFTS5Pattern(rawPattern: #""first name": sea"#, forTable: #"f"t"#)
      #expect(try table.matching(pattern).fetchCount(db) == 1)
    }
  }

  @Test func `Less detail refuses some patterns`() throws {
    func errors(_ detail: String) throws -> [String?] {
      try DatabaseQueue().write { db throws -> [String?] in
        try db.create(virtualTable: "ft", using: FTS5()) { t in
          t.column("a")
          t.columnSize = 0
          t.detail = detail
        }
        try db.execute(sql: "INSERT INTO ft VALUES ('old man'), ('man of old')")
        let sql = "SELECT rank, highlight(ft, 0, '[', ']') FROM ft WHERE ft MATCH ?"
        return [#""old man""#, "^old", "NEAR(old man)", "a: old", "old"].map { pattern in
          databaseError { try Row.fetchAll(db, sql: sql, arguments: [pattern]) }?.message
        }
      }
    }
    let phrase = "fts5: phrase queries are not supported (detail!=full)"
    let near = "fts5: NEAR queries are not supported (detail!=full)"
    let column = "fts5: column queries are not supported (detail=none)"
    #expect(try errors("full") == [nil, nil, nil, nil, nil])
    #expect(try errors("column") == [phrase, phrase, near, nil, nil])
    #expect(try errors("none") == [phrase, phrase, near, column, nil])
  }

  @Test(arguments: ["full", "column", "none"], [nil, 0])
  func `Ranks and marks need neither details nor sizes`(detail: String, columnSize: Int?) throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: FTS5()) { t in
        t.column("title")
        t.detail = detail
        t.columnSize = columnSize
      }
      try db.execute(sql: "INSERT INTO ft VALUES ('Old Sea'), ('Hill')")
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT rank < 0 AS isRanked, bm25(ft) < 0 AS isWeighed,
            highlight(ft, 0, '[', ']') AS marked FROM ft WHERE ft MATCH 'sea'
          """)
      #expect(row == ["isRanked": 1, "isWeighed": 1, "marked": "Old [Sea]"])
    }
  }

  @Test func `The last call for the content counts`() throws {
    func content(_ body: @escaping Body) throws -> [String?] {
      try withBooks { db throws in
        try db.execute(sql: "CREATE TABLE other (title)")
        var read: [String?] = []
        let statements = try db.writingStatements {
          try db.create(virtualTable: "ft", using: FTS5()) { t in
            t.column("title")
            body(t)
            read = [t.content, t.contentRowID]
          }
        }
        let options = statements[0].dropFirst(#"CREATE VIRTUAL TABLE "ft" USING fts5(title"#.count)
        return read + [String(options.dropLast()) + (statements.count > 1 ? " + triggers" : "")]
      }
    }
    #expect(
      try content { $0.synchronize(withTable: "book") }
        == ["book", nil, ", content='book', content_rowid='id' + triggers"])
    #expect(
      try content {
        $0.synchronize(withTable: "book")
        $0.content = nil
      } == [nil, nil, ""])
    #expect(
      try content {
        $0.synchronize(withTable: "book")
        $0.content = "other"
      }
        == ["other", nil, ", content='other'"])
    #expect(
      try content {
        $0.synchronize(withTable: "book")
        $0.contentRowID = "id"
      }
        == [nil, "id", ", content_rowid='id'"])
    #expect(
      try content {
        $0.content = "other"
        $0.contentRowID = "oid"
        $0.synchronize(withTable: "book")
      } == ["book", nil, ", content='book', content_rowid='id' + triggers"])
    #expect(
      try content {
        $0.content = "a"
        $0.contentRowID = "oid"
        $0.content = "other"
      } == ["other", "oid", ", content='other', content_rowid='oid'"])
  }

  @Test func `A contentless table stores no text`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: FTS5()) { t in
        t.column("title")
        t.content = ""
      }
      try db.execute(sql: "INSERT INTO ft(rowid, title) VALUES (1, 'Old Sea'), (2, 'River')")
      #expect(
        try Row.fetchOne(
          db, sql: "SELECT title, highlight(ft, 0, '[', ']') AS h FROM ft WHERE ft MATCH 'sea'")
          == ["title": nil, "h": nil])
      #expect(
        databaseError { try db.execute(sql: "DELETE FROM ft") }?.message
          == "cannot DELETE from contentless fts5 table: ft")
      #expect(
        databaseError { try db.execute(sql: "UPDATE ft SET title = ''") }?.message
          == "cannot UPDATE contentless fts5 table: ft")
      try db.execute(sql: "INSERT INTO ft(ft, rowid, title) VALUES('delete', 1, 'Old Sea')")
      #expect(
        try Int.fetchAll(db, sql: "SELECT rowid FROM ft WHERE ft MATCH 'sea OR river'") == [2])
      // The words of the former text stay.
      try db.execute(sql: "INSERT OR REPLACE INTO ft(rowid, title) VALUES (2, 'Hill')")
      for word in ["river", "hill"] {
        let sql = "SELECT rowid FROM ft WHERE ft MATCH ?"
        #expect(try Int.fetchAll(db, sql: sql, arguments: [word]) == [2])
      }
      try db.execute(sql: "INSERT INTO ft(ft) VALUES('delete-all')")
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM ft WHERE ft MATCH 'hill'") == 0)
      #expect(
        databaseError { try db.rebuildFullTextIndex("ft") }?.message
          == "'rebuild' may not be used with a contentless fts5 table")
    }
  }

  @Test func `Missing content tables are reported when a column is read`() throws {
    try DatabaseQueue().write { db throws in
      try db.create(virtualTable: "ft", using: FTS5()) { t in
        t.column("title")
        t.content = "nope"
      }
      #expect(
        databaseError { try Row.fetchAll(db, sql: "SELECT title FROM ft") }?.message
          == "no such table: main.nope")
    }
  }

  @Test func `What the body throws is thrown before anything is executed`() throws {
    struct Stop: Error {}
    try DatabaseQueue().writeWithoutTransaction { db throws in
      let statements = db.statements {
        #expect(throws: Stop.self) {
          try db.create(virtualTable: "ft", using: FTS5()) { t in
            t.column("a")
            throw Stop()
          }
        }
      }
      #expect(statements == [])
    }
  }
}
