import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let t = Column("title")
private let y = Column("year")
private let score = Column("score")
private let r = TableAlias(name: "r")

/// To-many associations fetched with a second request.
private struct LatestBook: TableRecord {
  static let databaseTableName = "book"
  static var databaseSelection: [any SQLSelectable] { [SQL("MAX(year) AS v")] }
}

@Suite(.onQueueAndPool)
struct PrefetchTests {
  /// The statements that a request executes.
  private func statements(of request: QueryInterfaceRequest<some Any>) throws -> [String] {
    let recorder = SQLRecorder()
    let database = try makeBookshopDatabase(configuration: recorder.recording())
    return try database.read { db in
      // The second time, the schema is known.
      _ = try request.asRequest(of: Row.self).fetchAll(db)
      _ = recorder.take()
      _ = try request.asRequest(of: Row.self).fetchAll(db)
      return recorder.take()
    }
  }

  static let requests: [(QueryInterfaceRequest<Author>, String)] = [
    (
      Author.including(all: Author.books),
      #"SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (?, ?, ?)"#
    ),
    (
      Author.filter(id == 2).including(all: Author.books),
      #"SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" = ?"#
    ),
    (
      Author.including(all: Author.books.filter(y > 2000).order(t)),
      """
      SELECT *, "authorId" AS "grdb_authorId" FROM "book" \
      WHERE ("year" > ?) AND ("authorId" IN (?, ?, ?)) ORDER BY "title"
      """
    ),
    (
      Author.including(all: Author.books.select(t)),
      """
      SELECT "title", "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (?, ?, ?)
      """
    ),
    (
      Author.including(all: Author.books.including(optional: Book.publisher)),
      """
      SELECT "book".*, "book"."authorId" AS "grdb_authorId", "publisher".* FROM "book" \
      LEFT JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
      WHERE "book"."authorId" IN (?, ?, ?)
      """
    ),
    (
      Author.including(all: Author.books.annotated(with: Book.reviews.count)),
      """
      SELECT "book".*, COUNT(DISTINCT "review"."id") AS "reviewCount", \
      "book"."authorId" AS "grdb_authorId" FROM "book" \
      LEFT JOIN "review" ON "review"."bookId" = "book"."id" \
      WHERE "book"."authorId" IN (?, ?, ?) GROUP BY "book"."id"
      """
    ),
    (
      Author.including(all: Author.reviews),
      """
      SELECT "review".*, "book"."authorId" AS "grdb_authorId" FROM "review" \
      JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."authorId" IN (?, ?, ?))
      """
    ),
    (
      Author.including(
        all: Author.hasMany(
          Review.self, through: Author.books.filter(y > 2000), using: Book.reviews
        )
        .filter(score > 3)),
      """
      SELECT "review".*, "book"."authorId" AS "grdb_authorId" FROM "review" \
      JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."year" > ?) \
      AND ("book"."authorId" IN (?, ?, ?)) WHERE "review"."score" > ?
      """
    ),
    (
      Author.including(all: Author.publishers.distinct()),
      """
      SELECT DISTINCT "publisher".*, "book"."authorId" AS "grdb_authorId" FROM "publisher" \
      JOIN "book" ON ("book"."publisherId" = "publisher"."id") AND ("book"."authorId" IN (?, ?, ?))
      """
    ),
    (
      Author.including(all: Author.books.groupWhenConnected { _ in [y] }.select(y)),
      """
      SELECT "year", "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (?, ?, ?) \
      GROUP BY "year", "authorId"
      """
    ),
    (
      Author.including(
        all: Author.books.filter(Review.aliased(r).select(r[AllColumns()]).exists())),
      """
      SELECT *, "authorId" AS "grdb_authorId" FROM "book" \
      WHERE (EXISTS (SELECT "r".* FROM "review" "r")) AND ("authorId" IN (?, ?, ?))
      """
    ),
    (
      Author.including(all: Author.books).withStableOrder(),
      """
      SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (?, ?, ?) \
      ORDER BY "id"
      """
    ),
  ]

  @Test(arguments: requests.indices)
  func `second request`(_ index: Int) throws {
    let (request, expected) = Self.requests[index]
    let statements = try statements(of: request)
    #expect(statements.count == 2)
    #expect(statements.last == expected)
  }

  @Test func `sets of records have their associated records`() throws {
    struct Shelf: Decodable, Hashable, FetchableRecord {
      var id: Int64
      var books: Set<Book>
    }
    try makeBookshopDatabase().read { db throws in
      let shelves = try Author.including(all: Author.books).asRequest(of: Shelf.self).fetchSet(db)
      let ids = shelves.sorted { $0.id < $1.id }.map { $0.books.map(\.id).sorted() }
      #expect(ids == [[1, 2], [3], []])
    }
  }

  @Test func `the main request ignores prefetches`() throws {
    #expect(
      try sql(of: Author.including(all: Author.books)).sql == #"SELECT * FROM "author""#)
    #expect(
      try countSQL(of: Author.including(all: Author.books)).sql
        == #"SELECT COUNT(*) FROM "author""#)
  }

  @Test func `associations behind to one associations`() throws {
    let statements = try statements(
      of: Book.including(optional: Book.author.including(all: Author.books)))
    #expect(
      statements == [
        """
        SELECT "book".*, "author".* FROM "book" \
        LEFT JOIN "author" ON "author"."id" = "book"."authorId"
        """,
        """
        SELECT "book".*, "author"."id" AS "grdb_id" FROM "book" JOIN "author" \
        ON ("author"."id" = "book"."authorId") AND ("author"."id" IN (?, ?))
        """,
      ])
  }

  @Test func `associations behind several to one associations`() throws {
    let author = Book.author.including(all: Author.books.order(id))
    let request = Review.including(
      required: Review.book.including(required: author).including(optional: Book.publisher))
    #expect(
      try statements(of: request).last == """
        SELECT "book1".*, "book2"."id" AS "grdb_id" FROM "book" "book1" \
        JOIN "author" ON "author"."id" = "book1"."authorId" \
        JOIN "book" "book2" ON ("book2"."authorId" = "author"."id") AND ("book2"."id" IN (?, ?)) \
        LEFT JOIN "publisher" ON "publisher"."id" = "book2"."publisherId" ORDER BY "book1"."id"
        """)
  }

  @Test func `joins of pivots stay`() throws {
    let books = Author.books.joining(required: Book.publisher.filter(n == "Meridian"))
    let reviews = Author.hasMany(Review.self, through: books, using: Book.reviews)
    #expect(
      try statements(of: Author.including(all: reviews)).last == """
        SELECT "review".*, "book"."authorId" AS "grdb_authorId" FROM "review" \
        JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."authorId" IN (?, ?, ?)) \
        JOIN "publisher" ON ("publisher"."id" = "book"."publisherId") AND ("publisher"."name" = ?)
        """)
  }

  @Test func `associations through different pivots are fetched apart`() throws {
    let old = Author.hasMany(
      Publisher.self, through: Author.books.filter(y < 1970).forKey("oldBooks"),
      using: Book.publisher)
    let new = Author.hasMany(
      Publisher.self, through: Author.books.filter(y > 1970).forKey("newBooks"),
      using: Book.publisher)
    let request = Author.including(all: old).including(all: new).order(id)
    let base = """
      SELECT "publisher".*, "book"."authorId" AS "grdb_authorId" FROM "publisher" \
      JOIN "book" ON ("book"."publisherId" = "publisher"."id") AND
      """
    #expect(
      try statements(of: request).dropFirst() == [
        base + #" ("book"."year" < ?) AND ("book"."authorId" IN (?, ?, ?))"#,
        base + #" ("book"."year" > ?) AND ("book"."authorId" IN (?, ?, ?))"#,
      ])
    let rows = try makeBookshopDatabase().read { db in
      try request.asRequest(of: Row.self).fetchAll(db)
    }
    #expect(rows.map { $0.prefetchedRows["publishers"]?.map { $0["id"] as Int } } == [[2], [], []])
    // All keys are those of the other one: both conditions hold.
    let both = Author.including(all: old).including(all: new.filter(n == "Meridian")).order(id)
    #expect(try statements(of: both).count == 3)
    let merged = Author.including(all: old).including(all: old.filter(n == "Meridian")).order(id)
    #expect(try statements(of: merged).count == 2)
  }

  @Test func `groups belong to one parent`() throws {
    let database = try makeBookshopDatabase()
    let publishers = Author.publishers.annotated(with: Publisher.books.count).order(id)
    let rows = try database.read { db in
      try Author.order(id).including(all: publishers).asRequest(of: Row.self).fetchAll(db)
    }
    let counts = rows.map { $0.prefetchedRows["publishers"]?.map { $0["bookCount"] as Int } ?? [] }
    #expect(counts == [[2, 1], [2], []])
  }

  @Test func `aggregates of a joined record`() throws {
    let author = Book.author.select(Column("name")).annotated(with: Author.books.count)
    let error = try invalidity(of: sql(of: Book.annotated(withOptional: author)))
    #expect(error?.hasPrefix("An association with a GROUP BY clause can't be joined") == true)
  }

  @Test func `groups and aggregates of an association are those of one parent`() throws {
    let database = try makeBookshopDatabase()
    try database.write { db throws in
      try db.execute(
        sql: "INSERT INTO book (id, title, year, authorId) VALUES (5, 'Twin', 1974, 2)")
      func values<A: AssociationToMany>(_ association: A, _ key: String) throws -> [[Int]]
      where A.OriginRowDecoder == Author {
        // Twice: the plan is remembered.
        let request = Author.order(id).including(all: association.forKey(key))
        let rows = try (1...2).map { _ in try request.asRequest(of: Row.self).fetchAll(db) }
        let found = rows.map { rows in
          rows.map { $0.prefetchedRows[key]?.map { $0["v"] as Int } ?? [] }
        }
        #expect(found[0] == found[1])
        return found[0]
      }
      let books = Author.books
      let years = books.select(y.forKey("v")).group(y).order(y)
      #expect(try values(years, "years") == [[1969, 1974], [1974, 2002], []])
      #expect(try values(books.select(max(y).forKey("v")), "last") == [[1974], [2002], []])
      #expect(try values(books.select(abs(min(y)).forKey("v")), "first") == [[1969], [1974], []])
      #expect(
        try values(books.select(SQLExpression.countAll.forKey("v")), "number") == [[2], [2], []])
      #expect(
        try values(Author.reviews.select(max(score).forKey("v")), "scores") == [[5], [4], []])
      let windows = books.select(max(y).over(partitionBy: Column("authorId")).forKey("v"))
      #expect(try values(windows, "windows") == [[1974, 1974], [2002, 2002], []])
      // As in Swift, with SQL.
      for sql: SQL in [
        "MAX(year) AS v", "\(max(y)) AS v", "max (year) FILTER (WHERE id > 0) AS v",
        "MAX(max(year, 1)) -- the last\n AS v", "0 + (Max(\(y))) AS v",
      ] {
        #expect(try values(books.select(literal: sql), "last") == [[1974], [2002], []], "\(sql)")
      }
      func selection(_ item: some SQLSelectable) -> SQL { "\(item)" }
      for sql: SQL in [
        selection(SQL(sql: "max(year) AS v")),
        "\(max(y).forKey("v"))", #""max"(year) AS v"#, "[max](year) FILTER (WHERE 1) AS v",
        "\(SQL(sql: "max(year)")) AS v", "CASE WHEN 1 THEN max(year) END AS v",
        "\(columnsOf: LatestBook.self)",
      ] {
        #expect(try values(books.select(literal: sql), "last") == [[1974], [2002], []], "\(sql)")
      }
      for sql in [
        "year AS v, title AS over, 1 AS filter", "year AS v, 'MAX(id) OVER ()', (year) AS count",
      ] {
        let found = try values(books.order(y).select(sql: sql), "one")
        #expect(found == [[1969, 1974], [1974, 2002], []], "\(sql)")
      }
      for sql in [
        "max(year, (SELECT MAX(birthYear) FROM author)) AS v",
        #"max(year, 0, id) AS v, 'COUNT(id)' AS "MAX(year)""#,
        "year AS v, EXISTS (SELECT COUNT(*) FROM review) AS \"count\"",
      ] {
        let found = try values(books.order(y).select(sql: sql), "one")
        #expect(found == [[1969, 1974], [1974, 2002], []], "\(sql)")
      }
      let having = books.having(SQLExpression.countAll > 1)
      #expect(try values(having.select(count(id).forKey("v")), "some") == [[2], [2], []])
      for sql: SQL in [
        "\(sum(y)) OVER (ORDER BY year) AS v", "\(SQL(sql: "rank()")) OVER (ORDER BY year) AS v",
        "\(sum(y)) FILTER (WHERE 1) OVER () AS v",
        "\(max(y).forKey("v")), \(rowNumber().over(orderBy: y))",
      ] {
        let error = try invalidity(of: values(books.select(literal: sql), "window"))
        #expect(error?.contains("SQL with window functions") == true, "\(error ?? "\(sql)")")
      }
      #expect(
        try values(books.select(sql: "year AS w, COUNT(*) AS v, MAX(year) over"), "alias") == [
          [2], [2], [],
        ])
      let counts = books.select(
        sum(SQL(sql: "COUNT(*)").sqlExpression).over(SQLWindow()).forKey("v"))
      #expect(try values(counts, "counts") == [[2], [2], []])
      for sql in [
        "SUM(year) OVER (ORDER BY year) AS v", "COUNT(*) FILTER (WHERE id > 1) OVER w AS v",
        "id, (1 + row_number()OVER(ORDER BY year)) AS v",
      ] {
        let error = try invalidity(of: values(books.select(sql: sql), "window"))
        #expect(error?.contains("SQL with window functions") == true, "\(error ?? sql)")
      }
      let named = books.window("w", SQLWindow(orderBy: y)).order(y)
      #expect(
        try values(named.select(sql: #"RANK() OVER "w" AS v"#), "named") == [[1, 2], [1, 2], []])
      #expect(
        try values(named.select(sql: #"COUNT(*) OVER ("w" ROWS 1 PRECEDING) AS v"#), "refined")
          == [[1, 2], [1, 2], []])
      let sums = books.order(y).select(
        SQL(sql: "COUNT(year)").sqlExpression.over(orderBy: y).forKey("v"))
      #expect(try values(sums, "sums") == [[1, 2], [1, 2], []])
      let ordered = books.order(sql: "RANK() OVER (ORDER BY year)").select(y.forKey("v"))
      #expect(try invalidity(of: values(ordered, "ordered")) != nil)
      let ranks = books.window("w", SQLWindow(orderBy: y)).order(y)
      #expect(
        try values(ranks.select(rowNumber().over("w").forKey("v")), "ranks") == [
          [1, 2], [1, 2], [],
        ])
      let next = books.order(y).select((rowNumber().over(orderBy: y) + 10).forKey("v"))
      #expect(try values(next, "next") == [[11, 12], [11, 12], []])
      let error = try invalidity(of: values(books.select(max(y).forKey("v")).limit(1), "limited"))
      #expect(error?.contains("it has an aggregate") == true, "\(error ?? "no error")")
      let window = try invalidity(of: values(windows.limit(1), "limited"))
      #expect(window?.contains("it has window functions") == true, "\(window ?? "no error")")
    }
  }

  @Test func `nested prefetches run after their origin`() throws {
    let request = Author.including(all: Author.books.including(all: Book.reviews))
      .including(all: Author.publishers)
    #expect(
      try statements(of: request) == [
        #"SELECT * FROM "author""#,
        #"SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (?, ?, ?)"#,
        #"SELECT *, "bookId" AS "grdb_bookId" FROM "review" WHERE "bookId" IN (?, ?, ?)"#,
        """
        SELECT "publisher".*, "book"."authorId" AS "grdb_authorId" FROM "publisher" JOIN "book" \
        ON ("book"."publisherId" = "publisher"."id") AND ("book"."authorId" IN (?, ?, ?))
        """,
      ])
  }

  @Test func `without row nothing more runs`() throws {
    #expect(try statements(of: Author.none().including(all: Author.books)).count == 1)
  }

  @Test func `without key the second request still runs`() throws {
    let statements = try statements(
      of: Book.filter(id == 4).joining(optional: Book.author.including(all: Author.books)))
    #expect(statements.count == 2)
    #expect(statements.last?.hasSuffix("AND ?") == true)
  }

  @Test func `rows`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let rows = try Author.order(id)
        .including(all: Author.books.order(y).including(all: Book.reviews.order(id)))
        .including(all: Author.reviews.order(score))
        .asRequest(of: Row.self).fetchAll(db)
      func ids(_ rows: [Row]?) -> [Int64]? { rows?.map { $0["id"] } }
      #expect(rows.map { ids($0.prefetchedRows["books"]) } == [[2, 1], [3], []])
      #expect(rows.map { ids($0.prefetchedRows["reviews"]) } == [[2, 1], [3], []])
      let books = try #require(rows[0].prefetchedRows["books"])
      #expect(books.map { ids($0.prefetchedRows["reviews"]) } == [[], [1, 2]])
      #expect(rows[0].prefetchedRows.keys == ["books", "reviews"])
      #expect(books[0]["grdb_authorId"] as Int64 == 1)
    }
  }

  @Test func `rows behind a to one association`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let rows = try Book.order(id)
        .including(optional: Book.author.including(all: Author.books.order(id)))
        .asRequest(of: Row.self).fetchAll(db)
      let ids = rows.map { $0.prefetchedRows["books"]?.map { $0["id"] as Int64 } }
      #expect(ids == [[1, 2], [1, 2], [3], []])
      let author = try #require(rows[0].scopes["author"])
      #expect(author.prefetchedRows["books"]?.count == 2)
    }
  }

  struct AuthorInfo: Decodable, FetchableRecord, Equatable {
    var author: Author
    var books: [Book]
    var publishers: Set<Publisher>
  }

  @Test func `records`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let infos = try Author.filter(id < 3).order(id)
        .including(all: Author.books.order(id))
        .including(all: Author.publishers)
        .asRequest(of: AuthorInfo.self).fetchAll(db)
      #expect(infos.map(\.author.id) == [1, 2])
      #expect(
        infos.map { $0.books.map(\.title) } == [
          ["Dispossession", "Left Hand"], ["Invisible Towns"],
        ])
      #expect(infos.map { $0.publishers.map(\.id).sorted() } == [[1, 2], [1]])
      let one = try Author.order(id.desc).including(all: Author.books)
        .including(all: Author.publishers).asRequest(of: AuthorInfo.self).fetchOne(db)
      #expect(one?.author.id == 3)
      #expect(one?.books == [])
    }
  }

  @Test func `a direct and an indirect association share their base`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let row = try Author.filter(key: 1).including(all: Author.books)
        .including(all: Author.reviews).asRequest(of: Row.self).fetchOne(db)
      #expect(row?.prefetchedRows["books"]?.count == 2)
      #expect(row?.prefetchedRows["reviews"]?.count == 2)
    }
  }

  @Test func `a record that is included twice has the prefetches of both`() throws {
    let id = Column("id")
    let request = Book.including(optional: Book.author.including(all: Author.books))
      .including(optional: Book.author.including(all: Author.reviews))
      .including(optional: Book.author.including(all: Author.books.filter(id > 1)))
    try makeBookshopDatabase().read { db throws in
      let rows = try request.order(id).asRequest(of: Row.self).fetchAll(db)
      let authors = rows.map { $0.scopes["author"] }
      #expect(
        authors.map { $0?.prefetchedRows["books"]?.map { $0["id"] as Int } }
          == [[2], [2], [3], []])
      #expect(
        authors.map { $0?.prefetchedRows["reviews"]?.map { $0["id"] as Int }.sorted() }
          == [[1, 2], [1, 2], [3], []])
    }
  }

  @Test func `the same association under two keys`() throws {
    let request = Author.order(id)
      .including(all: Author.books.filter(y < 1970).forKey("oldBooks"))
      .including(all: Author.books.filter(y > 1970).forKey("newBooks"))
    #expect(try statements(of: request).count == 3)
    let database = try makeBookshopDatabase()
    try database.read { db in
      let row = try request.asRequest(of: Row.self).fetchOne(db)
      #expect(row?.prefetchedRows["oldBooks"]?.map { $0["id"] as Int } == [2])
      #expect(row?.prefetchedRows["newBooks"]?.map { $0["id"] as Int } == [1])
    }
  }

  @Test func `key columns must be selected`() throws {
    let database = try makeBookshopDatabase()
    func message(_ request: QueryInterfaceRequest<some Any>) throws -> String? {
      try database.read { db in
        try invalidity(of: request.asRequest(of: Row.self).fetchAll(db))
      }
    }
    #expect(try message(Author.select(n).including(all: Author.books)) == "Missing column: id")
    #expect(
      try message(Stock.select(Column("qty")).including(all: Stock.moves))
        == "Column shop is not selected")
    #expect(try message(Author.select(n).none().including(all: Author.books)) == nil)
  }

  @Test func `faults are thrown even without rows`() throws {
    let association = Author.hasMany(Publisher.self)
    #expect(
      try invalidity(of: sql(of: Author.none().including(all: association)))?
        .hasPrefix("Could not infer foreign key from 'publisher' to 'author'.") == true)
  }

  @Test func `cursors have no prefetched rows`() throws {
    let database = try makeBookshopDatabase()
    let message = try database.read { db in
      try invalidity(of: Author.including(all: Author.books).fetchCursor(db))
    }
    #expect(
      message == "A cursor can't fetch the associations of including(all:): use fetchAll instead")
  }
}
