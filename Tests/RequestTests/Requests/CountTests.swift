import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let y = Column("year")
private let t = Column("title")
private let b = TableAlias<Book>(name: "b")
private let c = CommonTableExpression<Void>(named: "c", sql: "SELECT 1")

@Suite(.onQueueAndPool)
struct CountTests {
  static let counts: [(QueryInterfaceRequest<Book>, String, StatementArguments)] = [
    (Book.all(), #"SELECT COUNT(*) FROM "book""#, []),
    (Book.filter(y > 1), #"SELECT COUNT(*) FROM "book" WHERE "year" > ?"#, [1]),
    (Book.order(y), #"SELECT COUNT(*) FROM "book""#, []),
    (Book.all().distinct(), #"SELECT COUNT(*) FROM (SELECT DISTINCT * FROM "book")"#, []),
    (Book.limit(2), #"SELECT COUNT(*) FROM (SELECT * FROM "book" LIMIT 2)"#, []),
    (Book.order(y).limit(2), #"SELECT COUNT(*) FROM (SELECT * FROM "book" LIMIT 2)"#, []),
    (Book.all().group(y), #"SELECT COUNT(*) FROM (SELECT * FROM "book" GROUP BY "year")"#, []),
    (
      Book.all().with(c), #"SELECT COUNT(*) FROM (WITH "c" AS (SELECT 1) SELECT * FROM "book")"#,
      []
    ),
    (
      Book.joining(optional: Book.author),
      #"SELECT COUNT(*) FROM (SELECT "book".* FROM "book" "#
        + #"LEFT JOIN "author" ON "author"."id" = "book"."authorId")"#, []
    ),
    (Book.including(all: Book.reviews), #"SELECT COUNT(*) FROM "book""#, []),
    (Book.select(.allColumns(excluding: ["year"])), #"SELECT COUNT(*) FROM "book""#, []),
    (Book.select(y), #"SELECT COUNT(*) FROM "book""#, []),
    (Book.select(y.forKey("k")), #"SELECT COUNT(*) FROM "book""#, []),
    (
      Book.select(y).distinct(),
      #"SELECT COUNT(*) FROM (SELECT DISTINCT "year" FROM "book")"#, []
    ),
    (
      Book.select(y.forKey("k")).distinct(),
      #"SELECT COUNT(*) FROM (SELECT DISTINCT "year" AS "k" FROM "book")"#, []
    ),
    (
      Book.select(y + 1).distinct(),
      #"SELECT COUNT(*) FROM (SELECT DISTINCT "year" + ? FROM "book")"#, [1]
    ),
    (Book.select(id).distinct(), #"SELECT COUNT(DISTINCT "id") FROM "book""#, []),
    (Book.select(id.forKey("k")).distinct(), #"SELECT COUNT(DISTINCT "id") FROM "book""#, []),
    (
      Book.select((y + 1).forKey("next")).filter(Column("next").detached > 1970),
      #"SELECT COUNT(*) FROM (SELECT "year" + ? AS "next" FROM "book" WHERE ("next") > ?)"#,
      [1, 1970]
    ),
    (
      Book.select(id.forKey("k")).filter(sql: "k > 1"),
      #"SELECT COUNT(*) FROM (SELECT "id" AS "k" FROM "book" WHERE k > 1)"#, []
    ),
    (
      Book.select(id.forKey("k")).distinct().filter(Column("K") > 1),
      #"SELECT COUNT(*) FROM (SELECT DISTINCT "id" AS "k" FROM "book" WHERE "K" > ?)"#, [1]
    ),
    (
      Book.select(id.forKey("k")).filter(y > 1), #"SELECT COUNT(*) FROM "book" WHERE "year" > ?"#,
      [1]
    ),
    (
      Book.select(id.forKey("year")).filter(y > 1),
      #"SELECT COUNT(*) FROM "book" WHERE "year" > ?"#,
      [1]
    ),
    (Book.select(max(y)), #"SELECT COUNT(*) FROM (SELECT MAX("year") FROM "book")"#, []),
    (
      Book.select(max(y).forKey("k")),
      #"SELECT COUNT(*) FROM (SELECT MAX("year") AS "k" FROM "book")"#, []
    ),
    (Book.select(sql: "a"), #"SELECT COUNT(*) FROM (SELECT a FROM "book")"#, []),
    (Book.select(y, t), #"SELECT COUNT(*) FROM "book""#, []),
    (
      Book.select(y, t).distinct(),
      #"SELECT COUNT(*) FROM (SELECT DISTINCT "year", "title" FROM "book")"#, []
    ),
    (
      Book.select(y, t.forKey("k")),
      #"SELECT COUNT(*) FROM (SELECT "year", "title" AS "k" FROM "book")"#, []
    ),
    (
      Book.select(y, t.forKey("k")).filter(Column("k") == "a"),
      #"SELECT COUNT(*) FROM (SELECT "year", "title" AS "k" FROM "book" WHERE "k" = ?)"#, ["a"]
    ),
    (
      Book.select(Review.select(max(id))),
      #"SELECT COUNT(*) FROM (SELECT (SELECT MAX("id") FROM "review") FROM "book")"#, []
    ),
    (
      Book.aliased(b).filter(b[y] == 1),
      #"SELECT COUNT(*) FROM "book" "b" WHERE "b"."year" = ?"#, [1]
    ),
    (
      Book.aliased(b).select(b[AllColumns()]),
      #"SELECT COUNT(*) FROM (SELECT "b".* FROM "book" "b")"#, []
    ),
  ]

  @Test(arguments: counts.indices)
  func `counts of requests`(index: Int) throws {
    let (request, text, arguments) = Self.counts[index]
    #expect(try countSQL(of: request) == RenderedSQL(text, arguments))
  }

  @Test func `rows are counted`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try Book.fetchCount(db) == 4)
      #expect(try Table("book").fetchCount(db) == 4)
      #expect(try Book.filter(y > 1970).fetchCount(db) == 2)
      #expect(try Book.limit(3).fetchCount(db) == 3)
      #expect(try Book.select(Column("authorId")).distinct().fetchCount(db) == 3)
      #expect(try Book.select(Column("authorId") + 1).distinct().fetchCount(db) == 3)
      #expect(try Book.joining(required: Book.reviews).fetchCount(db) == 3)
      #expect(try SQLRequest<Int>("SELECT id FROM book").fetchCount(db) == 4)
      #expect(try AnyFetchRequest(Book.all()).fetchCount(db) == 4)
      #expect(try Book.all().adapted { _ in EmptyRowAdapter() }.fetchCount(db) == 4)
    }
  }

  /// The rows of the table are one, even if there are none.
  @Test func `a request that selects an aggregate has one row`() throws {
    let requests: [QueryInterfaceRequest<Book>] = [
      Book.select(max(y)), Book.select(max(y).forKey("k")), Book.select(y, count(id)),
      Book.select(max(y) + 1), Book.select(SQL("MAX(year)").sqlExpression),
      Book.select(SQL("SUM(year) FILTER (WHERE year > 1)").sqlExpression.forKey("k")),
      Book.annotated(with: max(y)), Book.annotated(with: count(id).forKey("k")),
      Book.all().annotated(with: [SQL("COUNT(*)").sqlExpression]), Book.select(max(y)).distinct(),
      // SQLite computes an aggregate of columns of the outer query there.
      Book.aliased(b).select(Table("country").select(max(b[y])).limit(1)),
      Book.aliased(b).select(y, Table("country").select(max(b[y])).limit(1).forKey("k")),
      Book.aliased(b).select(SQL("(SELECT MAX(b.year) FROM country)").sqlExpression),
    ]
    let plain: [QueryInterfaceRequest<Book>] = [
      Book.select(max(y, id)), Book.select(sum(y).over()), Book.annotated(with: y + 1),
      Book.select(SQL("MAX(year, id)").sqlExpression),
      Book.select(Review.select(max(id)).forKey("k")), Book.select(Review.select(max(id))),
    ]
    try makeBookshopDatabase().write { db throws in
      for request in plain { #expect(try request.fetchCount(db) == 4) }
      for request in requests {
        #expect(try Row.fetchAll(db, request).count == 1)
        for count in [request, request.filter(y > 2100)] { #expect(try count.fetchCount(db) == 1) }
      }
    }
  }

  @Test func `rows are filtered by an alias of the selection`() throws {
    let k = Column("k")
    let requests: [QueryInterfaceRequest<Book>] = [
      Book.select((y + 1).forKey("k")).filter(k.detached > 1970),
      Book.select((y + 1).forKey("k")).filter(k > 1970),
      Book.select(id.forKey("k")).distinct().filter(sql: "k > 2"),
      Book.select(id.forKey("k")).filterWhenConnected { _ in k > 2 },
      Book.select(id.forKey("k"))
        .filter(Review.filter(Column("bookId") == k.detached).exists()),
    ]
    try makeBookshopDatabase().read { db throws in
      for request in requests {
        #expect(try Row.fetchAll(db, request).count == 2)
        #expect(try request.fetchCount(db) == 2)
      }
    }
  }
}

/// Counts of the distinct values of one column: null is one of them.
struct DistinctCountTests {
  private static let counted = #"SELECT COUNT(DISTINCT "a") FROM "t""#
  private static let wrapped = #"SELECT COUNT(*) FROM (SELECT DISTINCT "a" FROM "t")"#

  private static let schemas: [(String, String)] = [
    ("CREATE TABLE t (a); INSERT INTO t VALUES (1), (1), (NULL), (NULL)", wrapped),
    ("CREATE TABLE t (a NOT NULL); INSERT INTO t VALUES (1), (1), (2)", counted),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (2)", counted),
    ("CREATE TABLE t (a INTEGER PRIMARY KEY DESC); INSERT INTO t VALUES (NULL), (2)", wrapped),
    ("CREATE TABLE t (a TEXT PRIMARY KEY); INSERT INTO t VALUES (NULL), (NULL), (2)", wrapped),
    ("CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (1)", counted),
    ("CREATE TABLE u (a NOT NULL); CREATE VIEW t AS SELECT a FROM u", wrapped),
  ]

  @Test(arguments: schemas)
  func `columns without nulls are counted at once`(schema: String, expected: String) throws {
    try makeDatabase(sql: schema).write { db throws in
      let request = Table("t").select(Column("a")).distinct()
      var count = 0
      let statements = try db.statements { count = try request.fetchCount(db) }
      #expect(statements.contains(expected))
      let rows = try request.fetchAll(db)
      #expect(count == rows.count)
    }
  }

  @Test func `the rowid`() throws {
    try makeDatabase(sql: "CREATE TABLE t (a); CREATE TABLE u (rowid)").read { db throws in
      let rowID = Column("rowid")
      #expect(
        try db.statements { _ = try Table("t").select(rowID).distinct().fetchCount(db) }
          .contains(#"SELECT COUNT(DISTINCT "rowid") FROM "t""#))
      #expect(
        try db.statements { _ = try Table("u").select(rowID).distinct().fetchCount(db) }
          .contains(#"SELECT COUNT(*) FROM (SELECT DISTINCT "rowid" FROM "u")"#))
    }
  }

  /// A request that is remembered is planned again for another schema.
  @Test func `a column that may be null from now on`() throws {
    try makeDatabase(sql: "CREATE TABLE t (a NOT NULL)").write { db throws in
      let request = Table("t").select(Column("a")).distinct()
      try db.execute(sql: "INSERT INTO t VALUES (1), (2)")
      for _ in 1...3 { #expect(try request.fetchCount(db) == 2) }
      try db.execute(
        sql: "DROP TABLE t; CREATE TABLE t (a); INSERT INTO t VALUES (1), (NULL), (NULL), (2)")
      for _ in 1...3 { #expect(try request.fetchCount(db) == 3) }
    }
  }
}

@Suite(.onQueueAndPool)
struct ExistenceTests {
  @Test func `is empty asks for the whole request`() throws {
    #expect(
      try existsSQL(of: Book.filter(y > 1).order(t).limit(1))
        == RenderedSQL(
          #"SELECT EXISTS (SELECT * FROM "book" WHERE "year" > ? ORDER BY "title" LIMIT 1)"#, [1]))
    #expect(
      try existsSQL(of: Book.all().with(c)).sql
        == #"SELECT EXISTS (WITH "c" AS (SELECT 1) SELECT * FROM "book")"#)
  }

  /// Books 1 and 2 have the same author. SQLite 3.40 would take the first row.
  @Test func `is empty counts an offset in distinct rows`() throws {
    let author = Column("authorId")
    let others = Book.filter(author == 1).select(author).distinct().limit(1, offset: 1)
    #expect(
      try existsSQL(of: others)
        == RenderedSQL(
          #"SELECT EXISTS (SELECT * FROM (SELECT DISTINCT "authorId" FROM "book" "#
            + #"WHERE "authorId" = ? LIMIT 1 OFFSET 1))"#, [1]))
    try makeBookshopDatabase().read { db throws in
      #expect(try others.isEmpty(db))
      #expect(try !Book.select(author).distinct().limit(1, offset: 1).isEmpty(db))
    }
  }

  @Test func `empty requests and missing keys`() throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try Book.filter(y > 2100).isEmpty(db))
      #expect(try !Book.all().isEmpty(db))
      #expect(try Book.exists(db, key: 1))
      #expect(try !Book.exists(db, key: 9))
      #expect(try Book.exists(db, id: 1))
      #expect(try Stock.exists(db, key: ["shop": "south", "isbn": "a"]))
      #expect(try Table("book").exists(db, key: 1))
    }
  }
}

/// Counts of requests that select window functions.
@Suite(.onQueueAndPool)
struct WindowCountTests {
  @Test(arguments: [
    [1, 2].contains(rank().over(orderBy: Column("year"))),
    sum(Column("price"), filter: rank().over(orderBy: Column("year")) > 1),
  ])
  func `distinct values of window functions are not counted in their own query`(
    _ expression: SQLExpression
  ) throws {
    let request = Book.select(expression).distinct()
    #expect(try countSQL(of: request).sql.hasPrefix("SELECT COUNT(*) FROM (SELECT DISTINCT "))
  }
}
