import QuarryTestSupport
import Testing

@testable import Quarry

/// What SQLite reports of full-text tables: changes of the tables that have their content, their
/// shadow tables.
@Suite(.needs(.fullText)) struct FullTextEventTests {
  private struct TitleIndex: TableRecord {
    static let databaseTableName = "ft"
  }

  private let pattern = FTS5Pattern(matchingAllTokensIn: "sea")

  /// The tables of the events of statements, each once, in the order of their first event.
  private func tables(
    _ statements: String..., in db: Database, _ wants: @escaping (DatabaseEventKind) -> Bool
  ) throws -> [String] {
    let log = EventLog()
    log.wants = wants
    db.add(transactionObserver: log)
    defer { db.remove(transactionObserver: log) }
    for sql in statements { try db.execute(sql: sql) }
    let tables = log.take().compactMap { line -> String? in
      let words = line.split(separator: " ")
      return words.count == 3 ? String(words[1]) : nil
    }
    return tables.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  @Test(
    arguments: [
      (IndexModule.fts4, ["ft_docsize", "ft_stat", "ft_segdir"]),
      (.fts5, ["ft_docsize", "ft_data"]),
    ])
  func `the events of the index go to observers of the index`(
    module: IndexModule, index: [String]
  ) throws {
    try withIndexedShop(module) { db throws in
      let insertion = "INSERT INTO book (title) VALUES ('Sea')"
      func tables(_ names: String...) throws -> [String] {
        try self.tables(insertion, in: db) { names.contains($0.tableName) }
      }
      #expect(try tables("book") == ["book"])
      #expect(try tables("ft") == index)
      #expect(try tables("ft", "book") == ["book"] + index)
      #expect(try tables("note") == [])
      let statements = ["UPDATE book SET title = 'Hill'", "DELETE FROM book"]
      for sql in statements {
        #expect(try self.tables(sql, in: db) { $0.tableName == "book" } == ["book"])
      }
    }
  }

  @Test func `an index belongs to the table with the longest name that fits`() throws {
    try withShop { db throws in
      try db.create(virtualTable: "book_ft", using: FTS5()) { t in
        t.synchronize(withTable: "book")
        t.column("title")
      }
      try db.execute(
        sql: """
          CREATE TABLE book_ft_list (title TEXT);
          CREATE TRIGGER list AFTER INSERT ON book BEGIN
            INSERT INTO book_ft_list VALUES (new.title);
          END;
          """)
      func tables(_ name: String) throws -> [String] {
        try self.tables("INSERT INTO book (title) VALUES ('Sea')", in: db) { $0.tableName == name }
      }
      #expect(try tables("book") == ["book"])
      #expect(try tables("book_ft") == ["book_ft_docsize", "book_ft_data"])
      #expect(try tables("book_ft_list") == ["book_ft_list"])
      let first = Table("book").filter(key: 1).select(Column("title"))
      let statements = [
        "UPDATE book SET title = 'Hill' WHERE id = 1", "DELETE FROM book WHERE id = 2",
      ]
      #expect(try notifications(first, in: db, statements) == [1, 0])
    }
  }

  @Test func `FTS4 removes the former words before the row is updated or deleted`() throws {
    try withIndexedShop(.fts4) { db throws in
      try db.execute(sql: "INSERT INTO book VALUES (1, 'Sea', 1, 1, NULL)")
      for sql in ["UPDATE book SET title = 'Hill'", "DELETE FROM book"] {
        let tables = try self.tables(sql, in: db) { ["book", "ft"].contains($0.tableName) }
        #expect(Array(tables.prefix(3)) == ["ft_docsize", "ft_stat", "book"])
      }
    }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `the events of a full-text table are those of its shadow tables`(module: String) throws {
    try withShop { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE ft USING \(module)(title)")
      let tables = try self.tables(
        "INSERT INTO ft VALUES ('a')", "UPDATE ft SET title = 'b'", "DELETE FROM ft", in: db
      ) { $0.tableName == "ft" }
      #expect(tables.first == "ft_content")
      #expect(tables.allSatisfy { $0.hasPrefix("ft_") })
    }
  }

  @Test func `an event of a shadow table modifies regions that don't name it`() {
    let event = DatabaseEvent(
      kind: .insert, databaseName: "main", tableName: "ft_data", rowID: 10)
    #expect(DatabaseRegion(table: "ft").isModified(by: event))
    #expect(DatabaseRegion(table: "book").isModified(by: event))
    #expect(!DatabaseRegion(table: "book").isModified(byEventsOfKind: .insert(tableName: "ft")))
  }

  static let requests: [(String, String)] = [
    ("SELECT * FROM ft WHERE ft MATCH 'sea'", "ft(ft,title)"),
    ("SELECT title FROM ft", "ft(title)"),
    ("SELECT COUNT(*) FROM ft WHERE ft MATCH 'sea'", "ft(ft)"),
    ("SELECT rowid FROM ft WHERE title MATCH 'sea'", "ft(ROWID,title)"),
    (
      "SELECT year FROM book JOIN ft ON ft.rowid = book.id WHERE ft MATCH 'sea'",
      "book(id,year),ft(ROWID,ft)"
    ),
  ]

  @Test(arguments: IndexModule.allCases, requests)
  func `the region of a statement has the hidden column that it matches`(
    module: IndexModule, expected: (String, String)
  ) throws {
    try withIndexedShop(module) { db throws in
      let region = try db.makeStatement(sql: expected.0).databaseRegion.description
      #expect(region == expected.1)
    }
  }

  @Test(arguments: IndexModule.allCases)
  func `the regions of requests that match`(module: IndexModule) throws {
    try withIndexedShop(module) { db throws in
      let matching = Table("ft").matching(pattern)
      #expect(try matching.databaseRegion(db).description == "ft(ft,title)")
      let noPattern: FTS5Pattern? = nil
      #expect(try Table("ft").matching(noPattern).databaseRegion(db).description == "empty")
      let index = Book.hasOne(TitleIndex.self, using: ForeignKey([Column.rowID]))
      let joined = Book.select(Column("title")).joining(required: index.matching(pattern))
      #expect(try joined.databaseRegion(db).description == "book(id,title),ft(ROWID,ft)")
      let queried = Book.select(Column("title")).filter(
        matching.select(Column.rowID).contains(Column("id")))
      #expect(try queried.databaseRegion(db).description == "book(id,title),ft(ROWID,ft)")
      if module == .fts5 {
        let ranked = Table("ft").matching(pattern).select(Column.rank)
        #expect(try ranked.databaseRegion(db).description == "ft(ft,rank)")
      }
    }
  }

  @Test(arguments: IndexModule.allCases)
  func `a region is notified of the writes to its full-text table only`(
    module: IndexModule
  ) throws {
    try withIndexedShop(module) { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE other USING \(module.rawValue)(title)")
      let notified = try notifications(
        Table("ft").matching(pattern), in: db,
        [
          "INSERT INTO book (id, title) VALUES (1, 'Sea')", "UPDATE book SET title = 'Hill'",
          "INSERT INTO other VALUES ('Sea')", "INSERT INTO note VALUES ('Sea')",
          "UPDATE book SET year = 2 WHERE 0", "DELETE FROM book",
        ])
      #expect(notified == [1, 1, 0, 0, 0, 1])
    }
  }

  @Test(arguments: ["fts3", "fts4", "fts5"])
  func `a command is a change of the full-text table when it writes`(module: String) throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE ft USING \(module)(title);
          INSERT INTO ft VALUES ('a');
          INSERT INTO ft VALUES ('b');
          """)
      let optimization = "INSERT INTO ft(ft) VALUES ('optimize')"
      let notified = try notifications(
        Table("ft"), in: db,
        [optimization, optimization, "INSERT INTO ft(ft) VALUES ('integrity-check')"])
      #expect(notified == [1, 0, 0])
    }
  }

  /// Where nothing is stored for each row, FTS5 writes the words when the transaction is committed.
  @Test(arguments: ["content=''", "content='book', content_rowid='id'"], [false, true])
  func `a table that stores its words at the end of the transaction is observed, too`(
    content: String, isInTransaction: Bool
  ) throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE ft USING fts5(title, \(content), columnsize=0);
          CREATE TRIGGER addWords AFTER INSERT ON book BEGIN
            INSERT INTO ft(rowid, title) VALUES (new.id, new.title);
          END;
          """)
      let statements = ["INSERT INTO book (title) VALUES ('Sea')", "INSERT INTO note VALUES ('a')"]
      let notified = try notifications(
        Table("ft").matching(pattern), in: db,
        statements.map { isInTransaction ? "BEGIN; \($0); COMMIT" : $0 })
      #expect(notified == [1, 0])
      let undone = "BEGIN; SAVEPOINT a; \(statements[0]); ROLLBACK TO a; COMMIT"
      #expect(try notifications(Table("ft"), in: db, [undone]) == [0])
    }
  }

  private static let contentless = "fts5(title, content='', columnsize=0)"
  private static let insertion = "BEGIN; INSERT INTO ft(rowid, title) VALUES (1, 'Sea'); COMMIT"

  @Test func `its words are changes of the full database, too`() throws {
    try withShop { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE ft USING \(Self.contentless)")
      let statements = [Self.insertion, "UPDATE book SET year = 1 WHERE 0"]
      #expect(try notifications(DatabaseRegion.fullDatabase, in: db, statements) == [1, 0])
    }
  }

  @Test func `a table is observed that is made without content while it is observed`() throws {
    try withShop { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE ft USING fts5(title)")
      let new = "BEGIN; DROP TABLE ft; CREATE VIRTUAL TABLE ft USING \(Self.contentless); COMMIT"
      let matching = Table("ft").matching(pattern)
      #expect(try notifications(matching, in: db, [new, Self.insertion]) == [1, 1])
    }
  }

  @Test func `a table without content is observed beside an ordinary one of its name`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS att;
          CREATE TABLE ft (id INTEGER PRIMARY KEY);
          CREATE VIRTUAL TABLE att.ft USING \(Self.contentless);
          """)
      let matching = SQLRequest<Row>(sql: "SELECT rowid FROM att.ft('sea')")
      let insertion = "BEGIN; INSERT INTO att.ft(rowid, title) VALUES (1, 'Sea'); COMMIT"
      let other = "UPDATE book SET year = 1"
      #expect(try notifications(matching, in: db, [insertion, other]) == [1, 0])
    }
  }

  /// FTS3 empties its tables then.
  @Test(arguments: ["fts3", "fts4"], [false, true])
  func `the deletion of the last row is observed`(module: String, isInTransaction: Bool) throws {
    try withShop { db throws in
      let insertion = "INSERT INTO ft(docid, title) VALUES (1, 'Sea')"
      let deletion = "DELETE FROM ft WHERE docid = 1"
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE ft USING \(module)(title);
          \(insertion); \(deletion); \(insertion);
          """)
      let statements = [deletion, deletion, insertion, deletion].map { sql in
        isInTransaction ? "BEGIN; \(sql); COMMIT" : sql
      }
      #expect(try notifications(Table("ft"), in: db, statements) == [1, 0, 1, 1])
    }
  }

  /// FTS5 writes what it has in memory when another statement begins that may be undone.
  @Test func `the events of an index go to no observer of the table of another statement`() throws {
    try withShop { db throws in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE ft USING fts5(title);
          CREATE TABLE member (id INTEGER PRIMARY KEY, number INTEGER UNIQUE);
          INSERT INTO member VALUES (1, 1), (2, 2);
          """)
      func tables(_ wants: @escaping (DatabaseEventKind) -> Bool) throws -> [String] {
        try self.tables(
          "BEGIN", "INSERT INTO ft VALUES ('Sea')", "UPDATE member SET number = number + 10",
          "COMMIT", in: db, wants)
      }
      #expect(try tables { $0.tableName == "member" } == ["member"])
      let both = ["ft_content", "ft_docsize", "ft_data", "member"]
      #expect(try Set(tables { ["ft", "member"].contains($0.tableName) }) == Set(both))
      #expect(try Set(tables { _ in true }) == Set(both))
    }
  }
}
