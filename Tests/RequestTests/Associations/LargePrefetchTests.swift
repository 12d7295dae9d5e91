import Foundation
import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

/// Prefetches of many rows, over all kinds of keys: time and SQL don't depend on the number of
/// keys.
@Suite(.onQueueAndPool)
struct LargePrefetchTests {
  private struct Statement: Equatable {
    var sql: String
    var childCounts: [Int]
  }

  /// Fetches all parents with their children. Returns the second statement, and the number of
  /// children per parent.
  private func prefetch(
    parents: String, children: String, rows: String, parentColumns: [String], columns: [String]
  ) throws -> Statement {
    let recorder = SQLRecorder()
    let database = try DatabaseQueue(configuration: recorder.recording())
    return try database.write { db in
      try db.execute(sql: parents)
      try db.execute(sql: children)
      try db.execute(sql: rows)
      let parent = Table("parent")
      let association = parent.hasMany(
        Table("child"), key: "children", using: ForeignKey(columns, to: parentColumns))
      _ = recorder.take()
      let rows = try parent.all().order(sql: "parent.rowid").including(all: association).fetchAll(
        db)
      let sql = try #require(
        recorder.take().last { $0.contains("child") && !$0.contains("PRAGMA") })
      return Statement(
        sql: sql, childCounts: rows.map { $0.prefetchedRows["children"]?.count ?? -1 })
    }
  }

  private static let numbers = """
    WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < 300)
    """

  @Test func `integers`() throws {
    let result = try prefetch(
      parents: "CREATE TABLE parent (id INTEGER PRIMARY KEY)",
      children: "CREATE TABLE child (id INTEGER PRIMARY KEY, parentId INTEGER)",
      rows: """
        \(Self.numbers) INSERT INTO parent SELECT i FROM n;
        \(Self.numbers) INSERT INTO child SELECT i, i % 150 FROM n;
        """, parentColumns: ["id"], columns: ["parentId"])
    #expect(
      result.sql == """
        SELECT *, "parentId" AS "grdb_parentId" FROM "child" \
        WHERE "parentId" IN (SELECT +"value" FROM json_each(?))
        """)
    #expect(result.childCounts == Array(repeating: 2, count: 150) + Array(repeating: 0, count: 150))
  }

  /// Whole numbers are keys, however they are stored, also zero and null.
  @Test(arguments: [
    ("(0)", "(0), (0.0), (0), (1), (NULL)", [3]),
    ("(7)", "(0), (7), (7.0), (7.5), ('7'), (NULL)", [2]),
    ("(0), (NULL), (-1)", "(-1), (0), (-1), (NULL), (-1.0), (1)", [1, 0, 3]),
    ("(NULL), (NULL)", "(0), (NULL)", [0, 0]),
    ("(5), (5), (9)", "(9), (5), (9), (5), (5)", [3, 3, 2]),
  ])
  func `keys of few parents`(_ parents: String, _ children: String, _ counts: [Int]) throws {
    let result = try prefetch(
      parents: "CREATE TABLE parent (id)", children: "CREATE TABLE child (parentId)",
      rows: "INSERT INTO parent VALUES \(parents); INSERT INTO child VALUES \(children)",
      parentColumns: ["id"], columns: ["parentId"])
    #expect(result.childCounts == counts)
  }

  @Test func `texts`() throws {
    let result = try prefetch(
      parents: "CREATE TABLE parent (id TEXT PRIMARY KEY)",
      children: "CREATE TABLE child (id INTEGER PRIMARY KEY, parentId TEXT)",
      rows: """
        \(Self.numbers) INSERT INTO parent
          SELECT i || '"\\' || char(1, 10, 233, 0x1F389) || 'é' FROM n;
        \(Self.numbers) INSERT INTO child SELECT rowid, id FROM parent;
        """, parentColumns: ["id"], columns: ["parentId"])
    #expect(result.sql.contains("json_each(?)"))
    #expect(result.childCounts == Array(repeating: 1, count: 300))
  }

  @Test(arguments: ["CAST(i AS BLOB)", "i + 0.5", "'a' || char(0) || i"])
  func `keys that JSON lacks`(_ key: String) throws {
    let result = try prefetch(
      parents: "CREATE TABLE parent (id PRIMARY KEY)",
      children: "CREATE TABLE child (id INTEGER PRIMARY KEY, parentId)",
      rows: """
        \(Self.numbers) INSERT INTO parent SELECT \(key) FROM n;
        INSERT INTO child SELECT rowid, id FROM parent WHERE rowid % 2;
        """, parentColumns: ["id"], columns: ["parentId"])
    #expect(
      result.sql == """
        WITH "grdb_base" AS (SELECT "id" FROM "parent") \
        SELECT *, "parentId" AS "grdb_parentId" FROM "child" WHERE "parentId" IN "grdb_base"
        """)
    #expect(result.childCounts == (0..<300).map { 1 - $0 % 2 })
  }

  /// The request might find other rows when it is repeated.
  @Test func `keys that JSON lacks, of a request with a limit`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE parent (id BLOB PRIMARY KEY);
          CREATE TABLE child (id INTEGER PRIMARY KEY, parentId BLOB);
          \(Self.numbers) INSERT INTO parent SELECT CAST(i AS BLOB) FROM n;
          INSERT INTO child SELECT NULL, id FROM parent WHERE rowid % 2;
          """)
      let children = Table("parent").hasMany(
        Table("child"), key: "children", using: ForeignKey(["parentId"], to: ["id"]))
      let request = Table("parent").order(sql: "rowid").including(all: children)
      let rows = try request.limit(250).fetchAll(db)
      let counts = rows.map { $0.prefetchedRows["children"]?.count }
      let expected: [Int?] = (0..<250).map { 1 - $0 % 2 }
      #expect(counts == expected)
    }
  }

  /// Joined records are not read again. Keys beyond the limit of SQLite's arguments are literals.
  @Test func `many keys that JSON lacks, of joined records`() throws {
    let database = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY);
        CREATE TABLE book (id BLOB PRIMARY KEY, number INTEGER, authorId INTEGER);
        CREATE TABLE review (id INTEGER PRIMARY KEY, bookId BLOB);
        INSERT INTO author VALUES (1);
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 33000)
        INSERT INTO book SELECT CAST(i AS BLOB), i, 1 FROM n;
        INSERT INTO review SELECT number, id FROM book WHERE number % 2;
        """)
    let reviews = Table("book").hasMany(
      Table("review"), key: "reviews", using: ForeignKey(["bookId"], to: ["id"]))
    let books = Table("author").hasMany(
      Table("book"), key: "books", using: ForeignKey(["authorId"], to: ["id"]))
    let request = Table("author").all()
      .including(required: books.order(Column("number")).including(all: reviews))
    let rows = try database.read { db in try request.fetchAll(db) }
    #expect(rows.map { $0.prefetchedRows["reviews"]?.count } == (1...33_000).map { $0 % 2 })
  }

  @Test func `compound keys`() throws {
    let result = try prefetch(
      parents: "CREATE TABLE parent (a INTEGER, b TEXT, PRIMARY KEY (a, b))",
      children: "CREATE TABLE child (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)",
      rows: """
        \(Self.numbers) INSERT INTO parent SELECT i % 10, 'b' || (i / 10) FROM n;
        INSERT INTO child SELECT NULL, a, b FROM parent WHERE a < 5;
        INSERT INTO child SELECT NULL, a, b FROM parent WHERE a < 3;
        INSERT INTO child VALUES (NULL, 1, NULL), (NULL, NULL, NULL);
        """, parentColumns: ["a", "b"], columns: ["a", "b"])
    #expect(
      result.sql == """
        SELECT *, "a" AS "grdb_a", "b" AS "grdb_b" FROM "child" WHERE ("a", "b") IN (\
        SELECT JSON_EXTRACT("value", '$[0]'), JSON_EXTRACT("value", '$[1]') FROM json_each(?))
        """)
    #expect(result.childCounts == (0..<300).map { [2, 2, 2, 1, 1, 0, 0, 0, 0, 0][$0 % 10] })
  }

  @Test func `compound keys with blobs`() throws {
    let result = try prefetch(
      parents: "CREATE TABLE parent (a, b, PRIMARY KEY (a, b))",
      children: "CREATE TABLE child (id INTEGER PRIMARY KEY, a, b)",
      rows: """
        \(Self.numbers) INSERT INTO parent SELECT CAST(i AS BLOB), i FROM n;
        INSERT INTO child SELECT NULL, a, b FROM parent;
        """, parentColumns: ["a", "b"], columns: ["a", "b"])
    #expect(result.sql.hasPrefix(#"WITH "grdb_base" AS (SELECT "a", "b" FROM "parent") SELECT"#))
    #expect(result.childCounts == Array(repeating: 1, count: 300))
  }

  @Test func `keys of many rows are found by index`() throws {
    let database = try DatabaseQueue()
    try database.write { db in
      try db.execute(sql: "CREATE TABLE child (id INTEGER PRIMARY KEY, a, b, c, UNIQUE (a, b))")
      for condition in [
        #""a" IN (SELECT +"value" FROM json_each(?))"#,
        """
        ("a", "b") IN (\
        SELECT JSON_EXTRACT("value", '$[0]'), JSON_EXTRACT("value", '$[1]') FROM json_each(?))
        """,
      ] {
        let steps = try Row.fetchAll(
          db, sql: "EXPLAIN QUERY PLAN SELECT * FROM child WHERE \(condition)", arguments: ["[]"]
        ).map { $0["detail"] as String }
        #expect(steps.contains { $0.hasPrefix("SEARCH child USING INDEX") }, "\(steps)")
      }
    }
  }
}

/// Foreign keys of several columns.
@Suite(.onQueueAndPool)
struct CompoundPrefetchTests {
  private func secondStatement(_ request: QueryInterfaceRequest<Stock>) throws -> String? {
    let recorder = SQLRecorder()
    let database = try makeBookshopDatabase(configuration: recorder.recording())
    return try database.read { db in
      _ = recorder.take()
      _ = try request.asRequest(of: Row.self).fetchAll(db)
      return recorder.take().last { $0.contains("stockMove") && !$0.contains("PRAGMA") }
    }
  }

  static let requests: [(QueryInterfaceRequest<Stock>, String, String)] = [
    (Stock.including(all: Stock.moves), "", #"("shop", "isbn") IN "grdb_base""#),
    (
      Stock.including(all: Stock.moves.filter(Column("delta") > 0)), "",
      #"("delta" > ?) AND (("shop", "isbn") IN "grdb_base")"#
    ),
    (
      Stock.filter(Column("qty") > 0).order(Column("qty")).including(all: Stock.moves),
      #" WHERE "qty" > ?"#, #"("shop", "isbn") IN "grdb_base""#
    ),
    (
      // In conditions, a column comes before a selected value.
      Stock.annotated(with: [(Column("qty") * 2).forKey("qty")]).filter(Column("qty") > 0)
        .including(all: Stock.moves),
      #" WHERE "qty" > ?"#, #"("shop", "isbn") IN "grdb_base""#
    ),
    (
      Stock.all().distinct().including(all: Stock.moves), "",
      #"("shop", "isbn") IN "grdb_base""#
    ),
  ]

  @Test(arguments: requests.indices)
  func `the main request is repeated`(_ index: Int) throws {
    let (request, clauses, condition) = Self.requests[index]
    #expect(
      try secondStatement(request) == """
        WITH "grdb_base" AS (SELECT "shop", "isbn" FROM "stock"\(clauses)) \
        SELECT *, "shop" AS "grdb_shop", "isbn" AS "grdb_isbn" FROM "stockMove" WHERE \(condition)
        """)
  }

  @Test func `keys are written where the main request may find other rows`() throws {
    let qty = Column("qty")
    for (request, condition) in [
      (Stock.order(qty.desc).limit(1), "= (?, ?)"),
      (Stock.limit(2, offset: 1), "IN (VALUES (?, ?), (?, ?))"),
      (Stock.filter(abs(qty) > 2), "IN (VALUES (?, ?), (?, ?))"),
      (
        Stock.annotated(with: [(qty * 2).forKey("pairs")]).filter(Column("pairs").detached > 5),
        "IN (VALUES (?, ?), (?, ?))"
      ),
      (Stock.filter(sql: "random() IS NOT NULL"), "IN (VALUES (?, ?), (?, ?), (?, ?))"),
    ] {
      #expect(
        try secondStatement(request.including(all: Stock.moves)) == """
          SELECT *, "shop" AS "grdb_shop", "isbn" AS "grdb_isbn" FROM "stockMove" \
          WHERE ("shop", "isbn") \(condition)
          """)
    }
  }

  @Test func `the rows of a limited request have their associated rows`() throws {
    // SQLite reads all columns in the order of the rowid, and those of the key from its index.
    let database = try makeDatabase(
      sql: """
        CREATE TABLE stock (
          shop TEXT NOT NULL, isbn TEXT NOT NULL, qty INTEGER, PRIMARY KEY (shop, isbn));
        CREATE TABLE stockMove (
          id INTEGER PRIMARY KEY, shop TEXT, isbn TEXT, delta INTEGER,
          FOREIGN KEY (shop, isbn) REFERENCES stock(shop, isbn));
        INSERT INTO stock VALUES ('south', 'b', 1), ('north', 'a', 1), ('east', 'c', 1);
        INSERT INTO stockMove SELECT rowid, shop, isbn, 5 FROM stock;
        """)
    func hasItsMove(_ row: Row) -> Bool {
      row.prefetchedRows["stockMoves"]?.map { $0["shop"] as String } == [row["shop"]]
    }
    try database.read { db throws in
      for request in [
        Stock.limit(1), Stock.limit(2), Stock.order(Column("qty")).limit(2),
        Stock.order(.random).limit(2), Stock.filter(sql: "random() % 2"),
        Stock.limit(2).asTable(), Stock.limit(1).union(Stock.limit(1, offset: 2)).asTable(),
        Stock.all().group(Column("qty")),
      ] {
        for _ in 1...8 {
          let rows = try request.including(all: Stock.moves).asRequest(of: Row.self).fetchAll(db)
          #expect(rows.allSatisfy(hasItsMove))
        }
      }
      let compound = Stock.including(all: Stock.moves).limit(1).union(Stock.limit(1, offset: 2))
      #expect(try compound.asRequest(of: Row.self).fetchAll(db).allSatisfy(hasItsMove))
      let first = try Stock.including(all: Stock.moves).asRequest(of: Row.self).fetchOne(db)
      #expect(first?["shop"] == "south")
      #expect(first?.prefetchedRows["stockMoves"]?.count == 1)
    }
  }

  @Test func `a limited request has more keys than SQLite has arguments`() throws {
    let database = try makeDatabase(
      sql: """
        CREATE TABLE parent (a, b, PRIMARY KEY (a, b));
        CREATE TABLE child (id INTEGER PRIMARY KEY, a, b);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 17001)
        INSERT INTO parent SELECT CAST(i AS BLOB), i FROM n;
        INSERT INTO child SELECT b, a, b FROM parent;
        """)
    let parents = Table("parent")
    let key = ForeignKey(["a", "b"], to: ["a", "b"])
    let request = parents.all()
      .including(all: parents.hasMany(Table("child"), key: "children", using: key))
    try database.read { db throws in
      let some = try request.limit(10_000).fetchAll(db)
      #expect(some.allSatisfy { $0.prefetchedRows["children"]?.count == 1 })
      #expect(try request.fetchAll(db).allSatisfy { $0.prefetchedRows["children"]?.count == 1 })
      let many = try request.limit(20_000).fetchAll(db)
      #expect(many.count == 17_001)
      #expect(many.allSatisfy { $0.prefetchedRows["children"]?.count == 1 })
    }
  }

  @Test func `joins of the main request stay`() throws {
    let request = Stock.including(optional: Stock.moves.forKey("some")).including(all: Stock.moves)
    #expect(
      try secondStatement(request) == """
        WITH "grdb_base" AS (SELECT "stock"."shop", "stock"."isbn" FROM "stock" \
        LEFT JOIN "stockMove" ON ("stockMove"."shop" = "stock"."shop") \
        AND ("stockMove"."isbn" = "stock"."isbn")) \
        SELECT *, "shop" AS "grdb_shop", "isbn" AS "grdb_isbn" FROM "stockMove" \
        WHERE ("shop", "isbn") IN "grdb_base"
        """)
  }

  @Test func `rows`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let rows = try Stock.order(Column("shop"), Column("isbn"))
        .including(all: Stock.moves.order(Column("id")))
        .asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows.map { $0.prefetchedRows["stockMoves"]?.map { $0["id"] as Int } ?? [] }
          == [[1, 2], [], [3]])
      let first = try Stock.order(Column("qty").desc).including(all: Stock.moves)
        .asRequest(of: Row.self).fetchOne(db)
      #expect(first?.prefetchedRows["stockMoves"]?.map { $0["id"] as Int } == [3])
    }
  }
}
