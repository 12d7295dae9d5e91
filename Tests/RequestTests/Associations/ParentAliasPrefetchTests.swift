import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let t = Column("title")
private let y = Column("year")
private let birthYear = Column("birthYear")
private let score = Column("score")

/// Prefetches whose conditions and orders refer to aliases of the main request.
@Suite(.onQueueAndPool)
struct ParentAliasPrefetchTests {
  /// The last statement that a request executes, and the numbers of the children.
  private func fetch(
    _ request: QueryInterfaceRequest<some Any>, _ key: String
  ) throws -> (sql: String?, children: [[Int]?]) {
    let recorder = SQLRecorder()
    let database = try makeBookshopDatabase(configuration: recorder.recording())
    return try database.read { db in
      let request = request.order(id).asRequest(of: Row.self)
      _ = try request.fetchAll(db)
      _ = recorder.take()
      let rows = try request.fetchAll(db)
      return (
        recorder.take().last, rows.map { $0.prefetchedRows[key]?.map { $0["id"] as Int } }
      )
    }
  }

  @Test func `filters`() throws {
    let author = TableAlias<Author>()
    let request = Author.aliased(author)
      .including(all: Author.books.filter(y >= author[birthYear] + 45))
    let (sql, children) = try fetch(request, "books")
    #expect(
      sql == """
        SELECT "book".*, "author"."id" AS "grdb_id" FROM "book" \
        JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."id" IN (?, ?, ?)) \
        WHERE "book"."year" >= ("author"."birthYear" + ?)
        """)
    #expect(children == [[1], [3], []])
  }

  @Test func `selected columns`() throws {
    let author = TableAlias<Author>()
    let books = Author.books.order(id).select(
      id, author[.allColumns(excluding: ["id", "country"])])
    let (sql, children) = try fetch(Author.aliased(author).including(all: books), "books")
    #expect(
      sql == """
        SELECT "book"."id", "author"."name", "author"."birthYear", "author"."id" AS "grdb_id" \
        FROM "book" JOIN "author" ON ("author"."id" = "book"."authorId") AND \
        ("author"."id" IN (?, ?, ?)) ORDER BY "book"."id"
        """)
    #expect(children == [[1, 2], [3], []])
  }

  @Test func `groups`() throws {
    let author = TableAlias<Author>()
    let books = Author.books.order(y).group { [$0.year, author[n]] }
    let later = Author.books.order(y).groupWhenConnected { _ in [y, author[n]] }
    let (sql, children) = try fetch(Author.aliased(author).including(all: books), "books")
    #expect(try fetch(Author.aliased(author).including(all: later), "books").sql == sql)
    #expect(
      sql == """
        SELECT "book".*, "author"."id" AS "grdb_id" FROM "book" \
        JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."id" IN (?, ?, ?)) \
        GROUP BY "book"."year", "author"."name", "author"."id" ORDER BY "book"."year"
        """)
    #expect(children == [[2, 1], [3], []])
  }

  @Test func `orders`() throws {
    let author = TableAlias<Author>()
    let request = Author.aliased(author).including(
      all: Author.books.order((y - author[birthYear]).desc))
    let (sql, children) = try fetch(request, "books")
    #expect(
      sql == """
        SELECT "book".*, "author"."id" AS "grdb_id" FROM "book" \
        JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."id" IN (?, ?, ?)) \
        ORDER BY "book"."year" - "author"."birthYear" DESC
        """)
    #expect(children == [[1, 2], [3], []])
  }

  @Test func `named aliases in raw SQL`() throws {
    let request = Author.aliased(TableAlias(name: "a"))
      .including(all: Author.books.filter(sql: "book.year >= a.birthYear + 45"))
    let (sql, children) = try fetch(request, "books")
    #expect(sql?.contains(#"JOIN "author" "a" ON"#) == true)
    #expect(children == [[1], [3], []])
  }

  @Test func `subqueries and deferred clauses`() throws {
    let author = TableAlias<Author>(name: "a")
    let younger = Author.filter(birthYear > author[birthYear])
    let (_, children) = try fetch(
      Author.aliased(author).including(all: Author.books.filter(younger.exists())), "books")
    #expect(children == [[1, 2], [3], []])
    let deferred = Author.books.filterWhenConnected { _ in y >= author[birthYear] + 45 }
    #expect(
      try fetch(Author.aliased(author).including(all: deferred), "books").children
        == [[1], [3], []])
  }

  @Test func `table expressions of a compound request`() throws {
    let author = TableAlias<Author>(name: "a")
    let younger = CommonTableExpression(
      named: "younger", request: Author.select(id).filter(birthYear > author[birthYear]))
    let ids = younger.all().select(id)
    let books = Author.books.filter(ids.union(ids).with(younger).exists())
    let (_, children) = try fetch(Author.aliased(author).including(all: books), "books")
    #expect(children == [[1, 2], [3], []])
  }

  @Test func `conditions of joined associations`() throws {
    let author = TableAlias<Author>()
    let years = CommonTableExpression(named: "years", request: Book.select(id, y))
    let late = Book.association(to: years) { book, years in
      years[id] == book[id] && years[y] >= author[birthYear] + 45
    }
    let request = Author.aliased(author).with(years)
      .including(all: Author.books.joining(required: late))
    #expect(try fetch(request, "books").children == [[1], [3], []])
  }

  @Test func `an alias that is not used changes nothing`() throws {
    let author = TableAlias<Author>()
    let request = Author.aliased(author).filter(author[n] != "x").including(all: Author.books)
    #expect(
      try fetch(request, "books").sql
        == #"SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (?, ?, ?)"#)
    let named = Author.aliased(TableAlias(name: "a")).including(
      all: Author.books.filter(sql: "title <> 'A day'"))
    #expect(try fetch(named, "books").sql?.contains("JOIN") == true)
    let other = Author.aliased(TableAlias(name: "a")).including(
      all: Author.books.filter(sql: "title <> 'Dayparts'"))
    #expect(try fetch(other, "books").sql?.contains("JOIN") == false)
  }

  @Test func `indirect associations`() throws {
    let author = TableAlias<Author>()
    let reviews = Author.hasMany(
      Review.self, through: Author.books.filter(y >= author[birthYear] + 45), using: Book.reviews)
    let (sql, children) = try fetch(Author.aliased(author).including(all: reviews), "reviews")
    #expect(
      sql == """
        SELECT "review".*, "author"."id" AS "grdb_id" FROM "review" \
        JOIN "book" ON ("book"."id" = "review"."bookId") \
        AND ("book"."year" >= ("author"."birthYear" + ?)) \
        JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."id" IN (?, ?, ?))
        """)
    #expect(children == [[1, 2], [3], []])
  }

  /// The parents share the foreign key: each has its own children all the same.
  @Test func `parents are distinguished`() throws {
    let book = TableAlias<Book>()
    let older = Book.hasMany(Book.self, through: Book.author, using: Author.books, key: "older")
      .filter(y < book[y])
    let (sql, children) = try fetch(Book.aliased(book).including(all: older), "older")
    #expect(
      sql == """
        SELECT "book1".*, "book2"."id" AS "grdb_id" FROM "book" "book1" \
        JOIN "author" ON "author"."id" = "book1"."authorId" \
        JOIN "book" "book2" ON ("book2"."authorId" = "author"."id") \
        AND ("book2"."id" IN (?, ?, ?, ?)) WHERE "book1"."year" < "book2"."year"
        """)
    #expect(children == [[2], [], [], []])
  }

  @Test func `associations behind to one associations`() throws {
    let book = TableAlias<Book>()
    let author = TableAlias<Author>()
    let behind = Book.aliased(book).including(
      optional: Book.author.aliased(author).including(
        all: Author.books.filter(id != book[id] && y > author[birthYear])))
    let (_, children) = try fetch(behind, "books")
    #expect(children == [[2], [1], [], []])
  }

  @Test func `aliases of joined sources`() throws {
    let publisher = TableAlias<Publisher>()
    let request = Book.joining(optional: Book.publisher.aliased(publisher))
      .including(all: Book.reviews.filter(publisher[n] == "Meridian" && score > 3))
    let (sql, children) = try fetch(request, "reviews")
    #expect(
      sql == """
        SELECT "review".*, "book"."id" AS "grdb_id" FROM "review" \
        JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."id" IN (?, ?, ?, ?)) \
        LEFT JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
        WHERE ("publisher"."name" = ?) AND ("review"."score" > ?)
        """)
    #expect(children == [[1], [], [3], []])
  }

  @Test func `aliases of many rows are refused`() throws {
    let book = TableAlias<Book>()
    let request = Author.joining(optional: Author.books.aliased(book))
      .including(all: Author.reviews.filter(Column("bookId") == book[id]))
    #expect(
      try invalidity(of: sql(of: request)) == """
        including(all:) of "reviews" can't refer to an alias of table "book", which is joined to \
        many rows. To resolve this error, filter with a subquery, or refer to a source that is \
        joined to one row.
        """)
  }

  @Test func `nested prefetches know their grandparents`() throws {
    let author = TableAlias<Author>()
    let reviews = Book.reviews.filter(score + 1924 > author[birthYear])
    let request = Author.aliased(author).order(id)
      .including(all: Author.books.including(all: reviews.order(id)).order(id))
    let database = try makeBookshopDatabase()
    let rows = try database.read { db in try request.asRequest(of: Row.self).fetchAll(db) }
    #expect(
      rows.map {
        $0.prefetchedRows["books"]?.map { $0.prefetchedRows["reviews"]?.map { $0["id"] as Int } }
      } == [[[], []], [[3]], []])
  }

  @Test func `limits`() throws {
    let author = TableAlias<Author>()
    let books = Author.books.filter(y >= author[birthYear] + 45)
    #expect(
      try fetch(Author.aliased(author).including(all: books.limit(1)), "books").children
        == [[1], [3], []])
    let ordered = books.order(y - author[birthYear]).limit(1)
    #expect(
      try invalidity(of: sql(of: Author.aliased(author).including(all: ordered))) == """
        The order of a limited association to table "book" can't refer to an alias of another \
        table: SQLite has no such subqueries
        """)
  }

  /// The main request is there twice: as the table expression of the keys, and as the parent.
  @Test func `compound keys`() throws {
    let stock = TableAlias<Stock>()
    let request = Stock.aliased(stock).filter(stock[Column("qty")] >= 0)
      .including(all: Stock.moves.filter(Column("delta") < stock[Column("qty")]).order(id))
    let database = try makeBookshopDatabase()
    let rows = try database.read { db in
      try request.order(Column("shop"), Column("isbn")).asRequest(of: Row.self).fetchAll(db)
    }
    #expect(
      rows.map { $0.prefetchedRows["stockMoves"]?.map { $0["id"] as Int } } == [[2], [], []])
  }

  @Test func `many parents`() throws {
    let author = TableAlias<Author>()
    let request = Author.aliased(author)
      .including(all: Author.books.filter(y > author[birthYear]))
    let database = try makeBookshopDatabase()
    try database.write { db throws in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (VALUES (10) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
          INSERT INTO author SELECT i, 'n', NULL, 1000 + i FROM n;
          INSERT INTO book SELECT NULL, 't', 1500, 1, id, NULL FROM author WHERE id >= 10;
          """)
      let rows = try request.order(id).asRequest(of: Row.self).fetchAll(db)
      let counts = rows.map { $0.prefetchedRows["books"]?.count ?? -1 }
      #expect(counts[..<3] == [2, 1, 0])
      #expect(counts[3...].reduce(0, +) == 490)
    }
  }
}
