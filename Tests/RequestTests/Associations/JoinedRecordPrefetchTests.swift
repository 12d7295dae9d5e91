import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let y = Column("year")
private let score = Column("score")

/// Prefetched associations of joined records, where joins repeat the records of the request.
@Suite(.onQueueAndPool)
struct JoinedRecordPrefetchTests {
  /// The last statement that a request executes, and the numbers of the children.
  private func fetch(
    _ request: QueryInterfaceRequest<some Any>, _ key: String
  ) throws -> (sql: String?, children: [[Int]?]) {
    let recorder = SQLRecorder()
    let database = try makeBookshopDatabase(configuration: recorder.recording())
    return try database.read { db throws in
      let request = request.asRequest(of: Row.self)
      // The second time, the schema is known; the third time, the request is.
      let found = try (1...3).map { _ -> [[Int]?] in
        _ = recorder.take()
        return try request.fetchAll(db).map { $0.prefetchedRows[key]?.map { $0["id"] as Int } }
      }
      #expect(found[1] == found[0] && found[2] == found[0])
      return (recorder.take().last, found[0])
    }
  }

  @Test func `each row has the records of its own joined record`() throws {
    let books = Author.books.order(id).including(all: Book.reviews.order(id))
    let (sql, children) = try fetch(Author.order(id).including(required: books), "reviews")
    #expect(
      sql == """
        SELECT *, "bookId" AS "grdb_bookId" FROM "review" WHERE "bookId" IN (?, ?, ?) ORDER BY "id"
        """)
    #expect(children == [[1, 2], [], [3]])
    #expect(
      try fetch(Author.order(id).including(optional: books), "reviews").children
        == [[1, 2], [], [3], []])
  }

  @Test func `records are decoded`() throws {
    struct ReviewedBook: Decodable, Equatable {
      var id: Int64
      var reviews: [Review]
    }
    struct Written: Decodable, FetchableRecord {
      var id: Int64
      var book: ReviewedBook?
    }
    let books = Author.books.order(id).including(all: Book.reviews.order(id))
    let written = try makeBookshopDatabase().read { db in
      try Author.order(id).including(optional: books).asRequest(of: Written.self).fetchAll(db)
    }
    #expect(written.map(\.id) == [1, 1, 2, 3])
    #expect(written.map { $0.book?.id } == [1, 2, 3, nil])
    #expect(written.map { $0.book?.reviews.map(\.id) } == [[1, 2], [], [3], nil])
  }

  @Test func `through pivots, and through records that are not fetched`() throws {
    let publishers = Author.publishers.order(id).including(all: Publisher.books.order(id))
    let (sql, children) = try fetch(Author.order(id).including(required: publishers), "books")
    #expect(
      sql == """
        SELECT *, "publisherId" AS "grdb_publisherId" FROM "book" WHERE "publisherId" IN (?, ?) \
        ORDER BY "id"
        """)
    #expect(children == [[1, 3], [2], [1, 3]])
    let publisher = Book.publisher.including(all: Publisher.books.order(id))
    let books = Author.books.order(id).including(required: publisher)
    #expect(
      try fetch(Author.order(id).joining(required: books), "books").children
        == [[1, 3], [2], [1, 3]])
  }

  @Test func `limited associations on both sides`() throws {
    let first = Author.books.order(id).including(all: Book.reviews.order(score).limit(1))
    #expect(
      try fetch(Author.order(id).including(optional: first), "reviews").children
        == [[2], [], [3], []])
    let latest = Author.books.order(y.desc).limit(2).including(all: Book.reviews.order(id))
    #expect(
      try fetch(Author.order(id).including(optional: latest), "reviews").children
        == [[1, 2], [], [3], []])
  }

  @Test func `all pairs`() throws {
    let publishers = Book.association(to: Publisher.self).order(id)
      .including(all: Publisher.books.order(id))
    let book = Book.filter(key: 1)
    for request in [book.including(cross: publishers), book.including(required: publishers)] {
      #expect(try fetch(request, "books").children == [[1, 3], [2]])
    }
  }

  @Test func `records that satisfy a condition`() throws {
    let written = Author.association(to: Book.self) { author, book in
      book[Column("authorId")] == author[id]
    }
    let books = written.order(id).including(all: Book.reviews.order(id))
    #expect(
      try fetch(Author.order(id).including(required: books), "reviews").children
        == [[1, 2], [], [3]])
    // They repeat nothing as siblings either.
    let author = Book.author.joining(optional: written.forKey("other"))
      .including(all: Author.books.order(id))
    #expect(
      try fetch(Book.order(id).including(optional: author).distinct(), "books").children
        == [[1, 2], [1, 2], [3], []])
  }

  /// One author has the number: the key is that of the book, whose aliases are known.
  @Test func `a condition with a unique column leads to one record`() throws {
    let writer = Book.association(to: Author.self) { book, author in
      book[Column("authorId")] == author[id]
    }
    let books = Author.books.order(id)
    #expect(
      try fetch(Book.order(id).including(required: writer.including(all: books)), "books").children
        == [[1, 2], [1, 2], [3]])
    let book = TableAlias<Book>()
    let others = books.filter(id != book[id])
    #expect(
      try fetch(
        Book.aliased(book).order(id).including(required: writer.including(all: others)), "books"
      ).children == [[2], [1], []])
    #expect(
      try fetch(
        Book.aliased(book).order(id).including(required: Book.author.including(all: others)),
        "books"
      ).children == [[2], [1], []])
  }

  /// What is computed of an absent record is not null.
  @Test func `computed columns of optional records`() throws {
    let siblings = Book.hasMany(
      Book.self, through: Book.author, using: Author.books, key: "siblings")
    let books = Author.books.order(id).annotated(with: (Column("price") ?? 0).forKey("p"))
      .including(all: siblings.order(id).limit(1))
    #expect(
      try fetch(Author.order(id).including(optional: books), "siblings").children
        == [[1], [1], [3], []])
    // Nor where the row is one of another join.
    let rivals = Author.association(to: Book.self) { _, rival in rival[id] == 4 }.forKey("rival")
    let request = Author.order(id).including(required: books).including(right: rivals)
    #expect(try fetch(request, "siblings").children == [[], [], [], [1], [1], [3]])
  }

  @Test func `required records without primary key are refused`() throws {
    let database = try makeDatabase(
      sql: """
        CREATE TABLE room (id INTEGER PRIMARY KEY);
        CREATE TABLE parent (code TEXT PRIMARY KEY, name TEXT, roomId INTEGER);
        CREATE TABLE child (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO room VALUES (1);
        INSERT INTO parent VALUES ('a', 'x', 1), (NULL, 'y', 1);
        INSERT INTO child VALUES (1, 'x'), (2, 'y');
        """)
    let children = Table("parent").hasMany(
      Table("child"), key: "children", using: ForeignKey(["name"], to: ["name"]))
    let parents = Table("room").hasMany(
      Table("parent"), key: "parents", using: ForeignKey(["roomId"], to: ["id"]))
    let request = Table("room").all().including(required: parents.including(all: children.limit(1)))
    try database.read { db throws in
      #expect(
        try invalidity(of: request.fetchAll(db)) == """
          including(all:) of "children" needs the primary key of table "parent", which is null in \
          a row
          """)
    }
  }

  @Test func `keys of several columns`() throws {
    let stock = StockMove.stock.including(all: Stock.moves.order(id))
    let moves = Stock.moves.order(id).including(required: stock)
    let (sql, children) = try fetch(Stock.including(required: moves), "stockMoves")
    #expect(
      sql == """
        SELECT *, "shop" AS "grdb_shop", "isbn" AS "grdb_isbn" FROM "stockMove" \
        WHERE ("shop", "isbn") IN (VALUES (?, ?), (?, ?)) ORDER BY "id"
        """)
    #expect(children == [[1, 2], [1, 2], [3]])
  }

  /// They only decide which rows there are.
  @Test func `sibling joins repeat nothing`() throws {
    let books = Author.books.order(id)
    let author = Book.author.joining(optional: Author.books.forKey("other"))
    let (sql, children) = try fetch(
      Book.order(id).including(optional: author.including(all: books)).distinct(), "books")
    #expect(
      sql == """
        SELECT *, "authorId" AS "grdb_authorId" FROM "book" WHERE "authorId" IN (?, ?) ORDER BY "id"
        """)
    #expect(children == [[1, 2], [1, 2], [3], []])
    let prolific = Book.author.joining(required: Author.books.filter(y < 1980).forKey("other"))
    #expect(
      try fetch(
        Book.order(id).including(optional: prolific.including(all: books)).distinct(), "books"
      ).children == [[1, 2], [1, 2], [], []])
    // A sibling that is one record: the joins are followed.
    let latest = Book.author.joining(required: Author.oneBook.filter(y > 2000))
    let request = Book.order(id).including(required: latest.including(all: books))
    #expect(
      try fetch(request, "books").sql == """
        SELECT "book1".*, "author"."id" AS "grdb_id" FROM "book" "book1" \
        JOIN "author" ON ("author"."id" = "book1"."authorId") AND ("author"."id" = ?) \
        JOIN "book" "book2" ON ("book2"."authorId" = "author"."id") AND ("book2"."year" > ?) \
        ORDER BY "book1"."id"
        """)
  }

  /// An association to one record stays one, where the schema has no unique index.
  @Test func `the declaration of the association decides`() throws {
    let reviews = Book.reviews.order(id)
    let one = Author.including(required: Author.oneBook.including(all: reviews))
    let many = Author.including(required: Author.books.including(all: reviews))
    let recorder = SQLRecorder()
    try makeBookshopDatabase(configuration: recorder.recording()).read { db throws in
      // A request that is known is not taken for the other one.
      for _ in 1...3 {
        _ = try one.asRequest(of: Row.self).fetchAll(db)
        #expect(
          recorder.take().last == """
            SELECT "review".*, "book"."authorId" AS "grdb_authorId" FROM "review" \
            JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."authorId" IN (?, ?)) \
            ORDER BY "review"."id"
            """)
        _ = try many.asRequest(of: Row.self).fetchAll(db)
        #expect(recorder.take().last?.hasPrefix(#"SELECT *, "bookId" AS "grdb_bookId""#) == true)
      }
    }
  }

  @Test func `aliases of the joined record`() throws {
    let book = TableAlias<Book>()
    let reviews = Book.reviews.filter(score + 1970 > book[y])
    let books = Author.books.aliased(book).order(id).including(all: reviews)
    #expect(
      try fetch(Author.order(id).including(required: books), "reviews").children == [[1], [], []])
  }

  @Test func `aliases of other records are refused`() throws {
    let author = TableAlias<Author>()
    let reviews = Book.reviews.filter(score + 1924 > author[Column("birthYear")])
    let request = Author.aliased(author)
      .including(required: Author.books.including(all: reviews))
    #expect(
      try invalidity(of: sql(of: request)) == """
        including(all:) of "reviews" can't refer to an alias of table "author": joins to many \
        rows repeat the records of the request, so that its records depend on those of table \
        "book" only. To resolve this error, begin the request with table "book".
        """)
  }

  @Test func `the key of the joined record must be fetched`() throws {
    let requests = [
      Author.joining(required: Author.books.including(all: Book.reviews)),
      Author.including(required: Author.books.select(y).including(all: Book.reviews)),
    ]
    try makeBookshopDatabase().read { db throws in
      for request in requests {
        let error = errorText { try request.asRequest(of: Row.self).fetchAll(db) }
        #expect(
          error == """
            Missing column: id
            joins to many rows repeat the records of the request, so that the key is that of \
            "book": include it with including(required:) or including(optional:)
            - in request including(all:) of "reviews", from "book"
            """)
      }
      let none = Author.none().joining(required: Author.books.including(all: Book.reviews))
      #expect(try none.fetchAll(db).isEmpty)
    }
  }
}
