import Quarry
import QuarryRecords
import Testing

/// Foreign keys that share a column, and keys that are null.
@Suite struct GraphKeyTests {
  private struct Author: Codable, FetchableRecord, PersistableRecord {
    static let books = hasMany(Book.self)
    var tenantId: Int
    var id: Int
  }

  private struct Genre: Codable, FetchableRecord, PersistableRecord {
    var tenantId: Int
    var id: Int
  }

  private struct Book: Codable, FetchableRecord, PersistableRecord {
    static let author = belongsTo(Author.self)
    static let genre = belongsTo(Genre.self)
    static let links = hasMany(Link.self)
    static let genres = hasMany(Genre.self, through: links, using: Link.genre)
    var id: Int
    var tenantId: Int
    var authorId: Int?
    var genreId: Int?
  }

  private struct Link: Codable, FetchableRecord, PersistableRecord {
    static let genre = belongsTo(Genre.self)
    var tenantId: Int
    var bookId: Int
    var genreId: Int
  }

  private struct BookInfo {
    var book: Book
    var author: Author
    var genre: Genre
  }

  private static let schema = """
    CREATE TABLE author (tenantId INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tenantId, id));
    CREATE TABLE genre (tenantId INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tenantId, id));
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, tenantId INTEGER NOT NULL, authorId INTEGER, genreId INTEGER,
      UNIQUE (tenantId, id),
      FOREIGN KEY (tenantId, authorId) REFERENCES author (tenantId, id),
      FOREIGN KEY (tenantId, genreId) REFERENCES genre (tenantId, id));
    CREATE TABLE link (
      tenantId INTEGER NOT NULL, bookId INTEGER NOT NULL, genreId INTEGER NOT NULL,
      PRIMARY KEY (tenantId, bookId, genreId),
      FOREIGN KEY (tenantId, bookId) REFERENCES book (tenantId, id),
      FOREIGN KEY (tenantId, genreId) REFERENCES genre (tenantId, id));
    INSERT INTO author VALUES (1, 7), (2, 7); INSERT INTO genre VALUES (1, 5), (2, 5);
    """

  @Test func `two records that a record belongs to agree in a column that both keys have`() throws {
    let graph = SavedGraph(\BookInfo.book)
      .belonging(to: \.author, Book.author, key: \.tenantId, \.authorId)
      .belonging(to: \.genre, Book.genre, key: \.tenantId, \.genreId)
    try withShop(Self.schema) { db, _ throws in
      var info = BookInfo(
        book: Book(id: 1, tenantId: 1), author: Author(tenantId: 1, id: 7),
        genre: Genre(tenantId: 2, id: 5))
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(error?.path == "book")
      #expect(error?.message.contains("column \"tenantId\"") == true)
      #expect(try Book.fetchCount(db) == 0)
      info.genre.tenantId = 1
      try graph.save(db, &info)
      #expect(try db.texts("SELECT * FROM book") == ["1 1 7 5"])
    }
  }

  @Test func `a record does not leave its owner by the key of another record`() throws {
    struct GenreBook {
      var book: Book
      var genre: Genre
    }
    struct AuthorInfo {
      var author: Author
      var books: [GenreBook]
    }
    let books = SavedGraph(\GenreBook.book)
      .belonging(to: \.genre, Book.genre, key: \.tenantId, \.genreId)
    let graph = SavedGraph(\AuthorInfo.author)
      .having(
        many: \.books, Author.books, as: books, key: \.tenantId, \.authorId, missing: .refuse)
    try withShop(Self.schema + "INSERT INTO book VALUES (1, 1, 7, 5);") { db, _ throws in
      let book = Book(id: 1, tenantId: 1, authorId: 7, genreId: 5)
      var info = AuthorInfo(
        author: Author(tenantId: 1, id: 7),
        books: [GenreBook(book: book, genre: Genre(tenantId: 2, id: 5))])
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(try db.texts("SELECT * FROM book") == ["1 1 7 5"])
    }
  }

  @Test func `records are linked if they agree in a column that both keys have`() throws {
    struct Info {
      var book: Book
      var genres: [Genre]
    }
    let graph = SavedGraph(\Info.book)
      .linking(many: \.genres, Book.genres, saving: .untouched, missing: .unlink)
    try withShop(Self.schema + "INSERT INTO book VALUES (1, 1, 7, 5);") { db, _ throws in
      let book = Book(id: 1, tenantId: 1, authorId: 7, genreId: 5)
      var info = Info(book: book, genres: [Genre(tenantId: 2, id: 5)])
      #expect(graphError { try graph.save(db, &info) }?.reason == .key)
      #expect(try db.texts("SELECT * FROM link") == [])
      info.genres[0].tenantId = 1
      for _ in 1...2 {
        try graph.save(db, &info)
        #expect(try db.texts("SELECT * FROM link") == ["1 1 5"])
      }
      info.genres = []
      try graph.save(db, &info)
      #expect(try db.texts("SELECT * FROM link") == [])
    }
  }

  private struct Customer: Codable, FetchableRecord, PersistableRecord {
    static let lines = hasMany(Line.self)
    static let coupons = hasMany(Coupon.self)
    var id: Int
    var code: String?
  }

  private struct Line: Codable, FetchableRecord, PersistableRecord {
    var orderId: Int
    var number: Int?
    var customerId: Int
  }

  private struct Coupon: Codable, FetchableRecord, PersistableRecord {
    var id: Int?
    var customerCode: String?
    var discount: Double?
  }

  private struct LineInfo {
    var customer: Customer
    var lines: [Line]
  }

  private struct CouponInfo {
    var customer: Customer
    var coupons: [Coupon]
  }

  private static let shop = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
    CREATE TABLE line (
      orderId INTEGER, number INTEGER, customerId INTEGER REFERENCES customer,
      PRIMARY KEY (orderId, number));
    CREATE TABLE coupon (
      id INTEGER PRIMARY KEY, customerCode TEXT REFERENCES customer (code), discount REAL);
    INSERT INTO customer VALUES (1, 'a'), (2, NULL);
    INSERT INTO line VALUES (1, NULL, 1), (1, NULL, 2);
    """

  @Test(arguments: [MissingRows.delete, .detach])
  func `a row without a key is not removed by it`(missing: MissingRows) throws {
    let graph = SavedGraph(\LineInfo.customer)
      .having(many: \.lines, Customer.lines, key: \.customerId, missing: missing)
    try withShop(Self.shop) { db, _ throws in
      var info = LineInfo(customer: Customer(id: 1, code: "a"), lines: [])
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(error?.path == "customer.lines")
      #expect(try db.texts("SELECT * FROM line ORDER BY customerId") == ["1 - 1", "1 - 2"])
    }
  }

  @Test func `a record whose key is null has no other records`() throws {
    let graph = SavedGraph(\CouponInfo.customer)
      .having(many: \.coupons, Customer.coupons, key: \.customerCode, missing: .delete)
    try withShop(Self.shop + "INSERT INTO coupon VALUES (1, NULL, 3);") { db, _ throws in
      var info = CouponInfo(customer: Customer(id: 2), coupons: [])
      try graph.save(db, &info)
      #expect(try Coupon.fetchCount(db) == 1)
      info.coupons = [Coupon()]
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .key)
      #expect(error?.message.contains("no key that others could refer to") == true)
    }
  }

  @Test func `keys of the value are not given to its records without one`() throws {
    struct Owner: Codable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "customer"
      static let coupons = hasMany(NumberedCoupon.self)
      var id: Int
      var code: String
    }
    struct NumberedCoupon: Codable, FetchableRecord, MutablePersistableRecord {
      static let databaseTableName = "coupon"
      var id: Int64?
      var customerCode: String?
      var discount: Double?
      mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
    }
    struct Info {
      var owner: Owner
      var coupons: [NumberedCoupon]
    }
    let graph = SavedGraph(\Info.owner)
      .having(many: \.coupons, Owner.coupons, key: \.customerCode, missing: .delete)
    try withShop(Self.shop + "INSERT INTO coupon VALUES (4, 'a', NULL);") { db, recorder throws in
      var info = Info(
        owner: Owner(id: 1, code: "a"),
        coupons: [
          NumberedCoupon(id: 4, discount: .nan), NumberedCoupon(), NumberedCoupon(id: 5),
        ])
      try graph.save(db, &info)
      #expect(info.coupons.map(\.id) == [4, 6, 5])
      // A NaN is stored as NULL: nothing differs.
      _ = recorder.takeWrites()
      try graph.save(db, &info)
      #expect(recorder.takeWrites() == [])
    }
  }

  @Test func `a row that another property marks as deleted is an error`() throws {
    struct Marked: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
      static let databaseTableName = "marked"
      var id: Int
      var writerId: Int?
      var editorId: Int?
    }
    struct Person: Codable, FetchableRecord, PersistableRecord {
      static let written = hasMany(Marked.self, key: "written", using: ForeignKey(["writerId"]))
      static let edited = hasMany(Marked.self, key: "edited", using: ForeignKey(["editorId"]))
      static let databaseTableName = "person"
      var id: Int
    }
    struct Info {
      var person: Person
      var written: [Marked]
      var edited: [Marked]
    }
    let schema = """
      CREATE TABLE person (id INTEGER PRIMARY KEY);
      CREATE TABLE marked (
        id INTEGER PRIMARY KEY, writerId INTEGER REFERENCES person, editorId INTEGER REFERENCES person,
        deletedAt TEXT);
      INSERT INTO person VALUES (1); INSERT INTO marked VALUES (1, 1, 1, NULL);
      """
    for missing in [MissingRows.delete, .detach] {
      let graph = SavedGraph(\Info.person)
        .having(many: \.written, Person.written, key: \.writerId, missing: missing)
        .having(many: \.edited, Person.edited, key: \.editorId, missing: missing)
      try withShop(schema) { db, _ throws in
        var info = Info(
          person: Person(id: 1), written: [Marked(id: 1, writerId: 1, editorId: 1)], edited: [])
        #expect(graphError { try graph.save(db, &info) }?.reason == .removedRow)
        #expect(try db.texts("SELECT * FROM marked") == ["1 1 1 -"])
      }
    }
  }
}
