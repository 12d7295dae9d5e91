import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let y = Column("year")
private let score = Column("score")

/// What prefetched associations compute from several rows: from those of one record of the request.
@Suite(.onQueueAndPool)
struct PrefetchedGroupTests {
  private func children<A: AssociationToMany>(
    _ association: A, _ db: Database
  ) throws -> [[Row]] where A.OriginRowDecoder == Author {
    try Author.order(id).including(all: association.forKey("found")).asRequest(of: Row.self)
      .fetchAll(db).map { $0.prefetchedRows["found"] ?? [] }
  }

  /// Why the association of an author is refused.
  private func refusal<A: AssociationToMany>(_ association: A) throws -> String?
  where A.OriginRowDecoder == Author {
    try invalidity(of: sql(of: Author.including(all: association)))
  }

  /// The query is known from the third request on: it has the values of the present one.
  @Test func `groups by a value are those of the present request`() throws {
    try makeBookshopDatabase().read { db throws in
      func books(by step: Int) throws -> [[[Int]]] {
        let group = y / step
        let books = Author.books.select(group.forKey("g"), count(id).forKey("c"))
          .group(group).order(group)
        return try children(books, db).map { $0.map { [$0["g"] as Int, $0["c"] as Int] } }
      }
      func reviews(by step: Int) throws -> [[[Int]]] {
        let group = score / step
        let reviews = Author.reviews.select(group.forKey("g"), count(id).forKey("c"))
          .group(group).order(group)
        return try children(reviews, db).map { $0.map { [$0["g"] as Int, $0["c"] as Int] } }
      }
      for step in [10, 10, 100, 10, 100] {
        let expected: [[[Int]]] =
          step == 10
          ? [[[196, 1], [197, 1]], [[200, 1]], []] : [[[19, 2]], [[20, 1]], []]
        #expect(try books(by: step) == expected)
      }
      for step in [2, 2, 10, 2, 10] {
        let expected: [[[Int]]] =
          step == 2 ? [[[1, 1], [2, 1]], [[2, 1]], []] : [[[0, 2]], [[0, 1]], []]
        #expect(try reviews(by: step) == expected)
      }
    }
  }

  /// The sum of its last arguments, in whole numbers.
  private struct Total: DatabaseAggregate {
    var total = 0

    mutating func step(_ values: [DatabaseValue]) {
      total += Int.fromDatabaseValue(values[values.count - 1]) ?? 0
    }

    func finalize() -> (any DatabaseValueConvertible)? { total }
  }

  @Test func `aggregates of the application, in SQL, are those of one author`() throws {
    try makeBookshopDatabase().write { db throws in
      func totals(_ sql: String) throws -> [[Int]] {
        try children(Author.books.select(sql: sql), db).map { $0.map { $0["v"] as Int } }
      }
      // Any number of arguments.
      db.add(function: DatabaseFunction("total_of", aggregate: Total.self))
      for sql in [
        "total_of(year) AS v", "TOTAL_OF (1, year) AS v", #""total_of"(year) + 0 AS v"#,
        "total_of(max(year, 0)) FILTER (WHERE id > 0) AS v",
      ] {
        for _ in 1...3 { #expect(try totals(sql) == [[3943], [2002], []], "\(sql)") }
      }
      // With one argument, the same name is another function.
      db.add(function: DatabaseFunction("total_of", argumentCount: 1) { $0[0] })
      let sorted = try totals("total_of(year) AS v").map { $0.sorted() }
      #expect(sorted == [[1969, 1974], [2002], []])
      #expect(try totals("total_of(1, year) AS v") == [[3943], [2002], []])
      let windows = try invalidity(of: totals("total_of(1, year) OVER () AS v"))
      #expect(windows?.contains("SQL with window functions") == true, "\(windows ?? "none")")
    }
  }

  @Test func `a function that becomes an aggregate is planned anew`() throws {
    try makeBookshopDatabase().write { db throws in
      func values() throws -> [[Int]] {
        try children(Author.books.select(sql: "number_of(year) AS v"), db)
          .map { $0.map { $0["v"] as Int }.sorted() }
      }
      db.add(function: DatabaseFunction("number_of", argumentCount: 1) { $0[0] })
      for _ in 1...3 { #expect(try values() == [[1969, 1974], [2002], []]) }
      db.add(function: DatabaseFunction("number_of", argumentCount: 1, aggregate: Total.self))
      for _ in 1...3 { #expect(try values() == [[3943], [2002], []]) }
      db.remove(function: DatabaseFunction("number_of", argumentCount: 1, aggregate: Total.self))
      #expect(errorText { try values() }?.contains("no such function: number_of") == true)
      // The application's own function hides the aggregate of SQLite.
      db.add(function: DatabaseFunction("sum", argumentCount: 1) { $0[0] })
      let sums = try children(Author.books.select(sql: "sum(year) AS v"), db)
      #expect(sums.map { $0.map { $0["v"] as Int }.sorted() } == [[1969, 1974], [2002], []])
    }
  }

  @Test func `limited groups have no aggregates`() throws {
    let years = Author.books.select(y).group(y)
    let refused: [HasManyAssociation<Author, Book>] = [
      Author.books.select(y, count(id).forKey("n")).group(y).order(y).limit(2),
      Author.books.select(sql: "year, COUNT(*) AS n").group(y).limit(2),
      years.having(count(id) > 1).limit(2), years.having(sql: "COUNT(*) > 1").limit(2),
      years.order(count(id)).limit(2), years.order(sql: "COUNT(*)").limit(2),
    ]
    for books in refused {
      #expect(
        try refusal(books) == """
          The association "books" can't be limited in including(all:): it has an aggregate, which \
          would be computed from the limited rows.
          """)
    }
    try makeBookshopDatabase().read { db throws in
      let first = years.order(y).limit(1)
      #expect(try children(first, db).map { $0.map { $0["year"] as Int } } == [[1969], [2002], []])
      // A group is one book, with all its reviews.
      let review = TableAlias<Review>()
      let counted = Author.books.joining(optional: Book.reviews.aliased(review))
        .select(id, count(review[id]).forKey("n")).group(id).order(id).limit(1)
      #expect(try children(counted, db).map { $0.map { $0["n"] as Int } } == [[2], [1], []])
      let book = TableAlias<Book>()
      let aliased = Author.books.aliased(book).joining(optional: Book.reviews.aliased(review))
        .select(book[id], count(review[id]).forKey("n")).group(book[id]).order(id).limit(1)
      #expect(try children(aliased, db).map { $0.map { $0["n"] as Int } } == [[2], [1], []])
    }
  }

  /// Not all builds of SQLite have them.
  @Test(arguments: [
    "median(price)", "percentile(price, 50)", "percentile_cont(price, 0.5)",
    "percentile_disc(price, 0.5)", "geopoly_group_bbox(title)",
  ])
  func `aggregates of extensions in SQL by hand are known`(_ call: String) throws {
    let books = Author.books.select(sql: "\(call) AS v").group(y).limit(2)
    #expect(try refusal(books)?.contains("it has an aggregate") == true)
  }

  /// Nulls are one group.
  @Test func `limited groups by a unique column are records, unless it has nulls`() throws {
    try makeBookshopDatabase().write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE edition (
            id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, shelf TEXT UNIQUE,
            authorId INTEGER);
          INSERT INTO edition VALUES (1, 'b', NULL, 1), (2, 'a', NULL, 1), (3, 'c', 'top', 2);
          """)
      let editions = Author.hasMany(
        Table("edition"), key: "editions", using: ForeignKey(["authorId"], to: ["id"]))
      func counted(by column: Column) -> HasManyAssociation<Author, Row> {
        editions.select(id, count(id).forKey("n")).group(column).order(column).limit(1)
      }
      let found = try children(counted(by: Column("code")), db)
      #expect(
        found.map { $0.map { [$0["id"] as Int, $0["n"] as Int] } } == [[[2, 1]], [[3, 1]], []])
      let error = errorText { try children(counted(by: Column("shelf")), db) }
      #expect(error?.contains("it has an aggregate") == true, "\(error ?? "")")
    }
  }

  @Test func `windows of joined records end with the record of the request`() throws {
    func ranked(_ publisher: BelongsToAssociation<Book, Publisher>) throws -> [[Int?]] {
      let books = Author.books.order(id).including(required: publisher)
      return try makeBookshopDatabase().read { db throws in
        // A request that is known finds the same.
        let found = try (1...3).map { _ -> [[Int?]] in
          try children(books, db).map { $0.map { $0.scopes["publisher"]?["rank"] as Int? } }
        }
        #expect(found[1] == found[0] && found[2] == found[0])
        return found[0]
      }
    }
    let rank = rowNumber().over(orderBy: n).forKey("rank")
    #expect(try ranked(Book.publisher.annotated(with: rank)) == [[1, 2], [1], []])
    let named = Book.publisher.window("w", SQLWindow(orderBy: n))
      .annotated(with: rowNumber().over("w").forKey("rank"))
    #expect(try ranked(named) == [[1, 2], [1], []])
    let connected = Book.publisher.selectWhenConnected { _ in [rank] }
    #expect(try ranked(connected) == [[1, 2], [1], []])
    let recorder = SQLRecorder()
    try makeBookshopDatabase(configuration: recorder.recording()).read { db throws in
      let books = Author.books.order(id)
        .including(required: Book.publisher.annotated(with: rank))
      _ = try Author.including(all: books).asRequest(of: Row.self).fetchAll(db)
      #expect(
        recorder.take().last == """
          SELECT "book".*, "book"."authorId" AS "grdb_authorId", "publisher".*, \
          ROW_NUMBER() OVER (PARTITION BY "book"."authorId" ORDER BY "publisher"."name") AS "rank" \
          FROM "book" JOIN "publisher" ON "publisher"."id" = "book"."publisherId" \
          WHERE "book"."authorId" IN (?, ?, ?) ORDER BY "book"."id"
          """)
    }
  }

  @Test func `windows of records that are joined to those of a through association`() throws {
    let book = Review.book.annotated(with: rank().over(orderBy: y).forKey("rank"))
    let reviews = Author.reviews.order(id).including(required: book)
    let ranks = try makeBookshopDatabase().read { db in
      try children(reviews, db).map { $0.map { $0.scopes["book"]?["rank"] as Int? } }
    }
    #expect(ranks == [[1, 1], [1], []])
  }

  @Test func `aggregates of joined records are those of one record`() throws {
    let number = Book.publisher.select(count(id).forKey("number"))
    let numbers = try makeBookshopDatabase().read { db in
      try children(Author.books.including(required: number), db)
        .map { $0.map { $0.scopes["publisher"]?["number"] as Int? } }
    }
    #expect(numbers == [[2], [1], []])
  }

  @Test func `computations of joined records are refused where those of records are`() throws {
    let sql = Book.publisher.select(sql: "RANK() OVER (ORDER BY name) AS rank")
    #expect(
      try refusal(Author.books.including(required: sql))?.hasPrefix(
        #"The association "books" can't have SQL with window functions in including(all:)"#)
        == true)
    let ranked = Book.publisher.annotated(with: rank().over(orderBy: n))
    #expect(
      try refusal(Author.books.including(required: ranked).limit(1))?.contains(
        "it has window functions") == true)
    let number = Book.publisher.select(count(id))
    #expect(
      try refusal(Author.books.including(required: number).limit(1))?.contains(
        "it has an aggregate") == true)
  }
}
