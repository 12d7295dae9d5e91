import Quarry
import QuarryTestSupport
import Testing

/// 'Refining Association Requests': what happens when an association is there several times.
struct RefiningAssociationRequests {
  struct Author: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String
    var country: String
  }

  struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    static let author = belongsTo(Author.self)

    var id: Int64
    var title: String
    var year: Int
    var authorId: Int64?
  }

  static let melville = Author(id: 1, name: "Melville", country: "US")
  static let verne = Author(id: 2, name: "verne", country: "FR")
  static let giono = Author(id: 3, name: "Giono", country: "FR")

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER NOT NULL,
          authorId INTEGER REFERENCES author(id));
        INSERT INTO author VALUES (1, 'Melville', 'US'), (2, 'verne', 'FR'), (3, 'Giono', 'FR');
        INSERT INTO book VALUES
          (1, 'Moby-Dick', 1851, 1), (2, 'Paris', 1994, 2), (3, 'Beowulf', 1000, NULL),
          (4, 'Around the World', 1872, 2), (5, 'Colline', 1929, 3);
        """)
  }

  static let association = Book.author
  static let condition1 = Column("country") == "FR"
  static let condition2 = Column("id") > 2
  static let ordering1 = Column("name")
  static let ordering2 = Column("id").desc

  /// A request that joins an association twice, the request that it is equivalent to, and the books of both.
  struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let refined: QueryInterfaceRequest<Book>
    let equivalent: QueryInterfaceRequest<Book>
    let sql: String
    let ids: [Int64]
  }

  static let joined = #"JOIN "author" ON "author"."id" = "book"."authorId""#
  static let filtered = """
    JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?) \
    AND ("author"."id" > ?)
    """

  static let rules = [
    Rule(
      testDescription: "including wins over joining",
      refined:
        Book
        .including(optional: association)
        .joining(optional: association),
      equivalent: Book.including(optional: association),
      sql: #"SELECT "book".*, "author".* FROM "book" LEFT \#(joined)"#,
      ids: [1, 2, 3, 4, 5]),
    Rule(
      testDescription: "required wins over optional",
      refined:
        Book
        .including(required: association)
        .including(optional: association),
      equivalent: Book.including(required: association),
      sql: #"SELECT "book".*, "author".* FROM "book" \#(joined)"#,
      ids: [1, 2, 4, 5]),
    Rule(
      testDescription: "all filters are applied",
      refined:
        Book
        .including(required: association.filter(condition1))
        .including(optional: association.filter(condition2)),
      equivalent: Book.including(required: association.filter(condition1 && condition2)),
      sql: #"SELECT "book".*, "author".* FROM "book" \#(filtered)"#,
      ids: [5]),
    Rule(
      testDescription: "the last ordering wins",
      refined:
        Book
        .including(required: association.order(ordering1))
        .including(optional: association.order(ordering2)),
      equivalent: Book.including(required: association.order(ordering2)),
      sql: #"SELECT "book".*, "author".* FROM "book" \#(joined) ORDER BY "author"."id" DESC"#,
      ids: [1, 2, 4, 5]),
    Rule(
      testDescription: "the last selection wins",
      refined:
        Book
        .including(required: association.select(Column("id")))
        .including(optional: association.select(Column("name"), Column("country"))),
      equivalent: Book.including(
        required: association.select(Column("name"), Column("country"))),
      sql:
        #"SELECT "book".*, "author"."name", "author"."country" FROM "book" \#(joined)"#,
      ids: [1, 2, 4, 5]),
  ]

  @Test(arguments: rules) func merging(_ rule: Rule) throws {
    try dbQueue.read { db throws in
      let refined = try sql(of: rule.refined, in: db)
      #expect(refined.sql == rule.sql)
      #expect(try sql(of: rule.equivalent, in: db) == refined)
      #expect(try rule.refined.fetchAll(db).map(\.id).sorted() == rule.ids)
    }
  }

  struct BookInfo: FetchableRecord, Decodable, Equatable {
    var book: Book
    var author: Author
  }

  @Test func fluentInterfaces() throws {
    try dbQueue.read { db throws in
      let request = Book.all()
        .filter(authorCountry: "FR")
        .orderedByAuthorNameAndYear()
        .including(required: Book.author)
        .asRequest(of: BookInfo.self)
      let bookInfos = try request.fetchAll(db)
      #expect(bookInfos.map(\.book.title) == ["Colline", "Around the World", "Paris"])
      #expect(bookInfos.map(\.author) == [Self.giono, Self.verne, Self.verne])
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".*, "author".* FROM "book" \
            JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?) \
            ORDER BY "author"."name" \
            COLLATE swiftLocalizedCaseInsensitiveCompare, "book"."year"
            """, ["FR"]))
    }
  }

  /// Another key stops the merging.
  @Test func otherKeysAreOtherJoins() throws {
    try dbQueue.read { db throws in
      let request =
        Book
        .including(required: Book.author.filter(Self.condition1))
        .including(optional: Book.author.filter(Self.condition2).forKey("late"))
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".*, "author1".*, "author2".* FROM "book" \
            JOIN "author" "author1" \
            ON ("author1"."id" = "book"."authorId") AND ("author1"."country" = ?) \
            LEFT JOIN "author" "author2" \
            ON ("author2"."id" = "book"."authorId") AND ("author2"."id" > ?)
            """, ["FR", 2]))
      #expect(try request.fetchAll(db).map(\.id).sorted() == [2, 4, 5])
    }
  }
}

// Author requests
extension DerivableRequest<RefiningAssociationRequests.Author> {
  /// Filters authors by country
  fileprivate func filter(country: String) -> Self {
    filter(Column("country") == country)
  }
}

// Book requests
extension DerivableRequest<RefiningAssociationRequests.Book> {
  /// Filters books by author country
  fileprivate func filter(authorCountry: String) -> Self {
    joining(
      required: RefiningAssociationRequests.Book.author.filter(country: authorCountry))
  }

  /// Order books by author name and then book title
  fileprivate func orderedByAuthorNameAndYear() -> Self {
    let authorAlias = TableAlias()
    return
      self
      .joining(optional: RefiningAssociationRequests.Book.author.aliased(authorAlias))
      .order(
        authorAlias[Column("name")].collating(.localizedCaseInsensitiveCompare),
        Column("year"))
  }
}
