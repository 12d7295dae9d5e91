import Quarry
import QuarryTestSupport
import Testing

/// 'Joining And Prefetching Associated Records': the five joining methods.
struct JoiningAndPrefetchingAssociatedRecords {
  struct Author: Codable, Equatable, FetchableRecord, TableRecord {
    static let books = hasMany(Book.self)

    var id: Int64
    var countryCode: String
  }

  struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    static let author = belongsTo(Author.self)

    var id: Int64
    var title: String
    var authorId: Int64?
  }

  static let melville = Author(id: 1, countryCode: "US")
  static let verne = Author(id: 2, countryCode: "FR")
  static let mobyDick = Book(id: 1, title: "Moby-Dick", authorId: 1)
  static let paris = Book(id: 2, title: "Paris", authorId: 2)
  static let beowulf = Book(id: 3, title: "Beowulf", authorId: nil)
  static let aroundTheWorld = Book(id: 4, title: "Around the World", authorId: 2)

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, countryCode TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, authorId INTEGER REFERENCES author(id));
        INSERT INTO author VALUES (1, 'US'), (2, 'FR');
        INSERT INTO book VALUES
          (1, 'Moby-Dick', 1), (2, 'Paris', 2), (3, 'Beowulf', NULL), (4, 'Around the World', 2);
        """)
  }

  /// All authors with their respective books.
  @Test func includingAll() throws {
    struct AuthorInfo: FetchableRecord, Decodable, Equatable {
      var author: Author
      var books: [Book]  // all associated books
    }
    try dbQueue.read { db throws in
      let request =
        Author
        .including(all: Author.books)
      #expect(try sql(of: request, in: db).sql == #"SELECT * FROM "author""#)
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(
        authorInfos == [
          AuthorInfo(author: Self.melville, books: [Self.mobyDick]),
          AuthorInfo(author: Self.verne, books: [Self.paris, Self.aroundTheWorld]),
        ])
    }
  }

  struct BookInfo: FetchableRecord, Decodable, Equatable {
    var book: Book
    var author: Author  // the required associated author
  }

  /// All books with their respective author.
  @Test func includingRequired() throws {
    try dbQueue.read { db throws in
      let request =
        Book
        .including(required: Book.author)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author".* FROM "book" \
          JOIN "author" ON "author"."id" = "book"."authorId"
          """)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        bookInfos == [
          BookInfo(book: Self.mobyDick, author: Self.melville),
          BookInfo(book: Self.paris, author: Self.verne),
          BookInfo(book: Self.aroundTheWorld, author: Self.verne),
        ])
    }
  }

  /// All books with their respective author, sorted by title.
  @Test func sortedByTitle() throws {
    try dbQueue.read { db throws in
      let request =
        Book
        .order(Column("title"))
        .including(required: Book.author)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author".* FROM "book" \
          JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY "book"."title"
          """)
      let bookInfos = try BookInfo.fetchAll(db, request)
      #expect(bookInfos.map(\.book.title) == ["Around the World", "Moby-Dick", "Paris"])
      #expect(bookInfos.map(\.author.countryCode) == ["FR", "US", "FR"])
    }
  }

  /// All books written by a French author.
  @Test func joiningRequired() throws {
    try dbQueue.read { db throws in
      let request =
        Book
        .joining(required: Book.author.filter(Column("countryCode") == "FR"))
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".* FROM "book" JOIN "author" \
            ON ("author"."id" = "book"."authorId") AND ("author"."countryCode" = ?)
            """, ["FR"]))
      // This request feeds the Book record:
      let books: [Book] = try request.orderByPrimaryKey().fetchAll(db)
      #expect(books == [Self.paris, Self.aroundTheWorld])
    }
  }

  /// All books with their respective (eventual) authors.
  @Test func includingOptional() throws {
    struct BookInfo: FetchableRecord, Decodable, Equatable {
      var book: Book
      var author: Author?  // the optional associated author
    }
    try dbQueue.read { db throws in
      let request =
        Book
        .including(optional: Book.author)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author".* FROM "book" \
          LEFT JOIN "author" ON "author"."id" = "book"."authorId"
          """)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        bookInfos == [
          BookInfo(book: Self.mobyDick, author: Self.melville),
          BookInfo(book: Self.paris, author: Self.verne),
          BookInfo(book: Self.beowulf, author: nil),
          BookInfo(book: Self.aroundTheWorld, author: Self.verne),
        ])
    }
  }

  /// Joining an optional association filters nothing.
  @Test func joiningOptional() throws {
    try dbQueue.read { db throws in
      let request = Book.joining(optional: Book.author.filter(Column("countryCode") == "FR"))
      #expect(try request.fetchCount(db) == 4)
    }
  }

  struct Stock: Codable, FetchableRecord, TableRecord {
    static let moves = hasMany(Move.self)

    var shop: Int
    var isbn: Int
  }

  struct Move: Codable, Equatable, FetchableRecord, TableRecord {
    var delta: Int
  }

  /// The warning of the guide: its limit is the depth of expressions in SQLite, which is 1000. There is none here.
  @Test(arguments: [1, 999, 1000, 1001, 5000])
  func compoundForeignKeysOfManyParents(_ count: Int) throws {
    struct StockInfo: Decodable, FetchableRecord {
      var stock: Stock
      var moves: [Move]
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE stock (
          shop INTEGER NOT NULL, isbn INTEGER NOT NULL, PRIMARY KEY (shop, isbn));
        CREATE TABLE move (
          delta INTEGER NOT NULL, shop INTEGER, isbn INTEGER,
          FOREIGN KEY (shop, isbn) REFERENCES stock(shop, isbn));
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(count))
        INSERT INTO stock SELECT n, n % 7 FROM number;
        INSERT INTO move SELECT 10 * shop, shop, isbn FROM stock;
        INSERT INTO move SELECT 10 * shop + 1, shop, isbn FROM stock WHERE isbn = 1;
        INSERT INTO move VALUES (-1, NULL, 1), (-1, 1, NULL), (-1, NULL, NULL);
        """)
    let infos = try dbQueue.read { db throws in
      let moves = Stock.moves.order(Column("delta"))
      return try StockInfo.fetchAll(db, Stock.including(all: moves).order(Column("shop")))
    }
    #expect(infos.map(\.stock.shop) == Array(1...count))
    #expect(
      infos.map { $0.moves.map(\.delta) }
        == (1...count).map { $0 % 7 == 1 ? [10 * $0, 10 * $0 + 1] : [10 * $0] })
  }
}
