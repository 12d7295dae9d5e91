import Quarry
import QuarryTestSupport
import Testing

/// 'DerivableRequest Protocol': methods for both requests and associations.
struct DerivableRequestProtocol {
  struct Author: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String
    var country: String
  }

  struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    static let author = belongsTo(Author.self)

    var id: Int64
    var authorId: Int64
  }

  let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
        CREATE TABLE book (
          id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author(id));
        INSERT INTO author VALUES
          (1, 'verne', 'FR'), (2, 'Cervantes', 'ES'), (3, 'Giono', 'FR'), (4, 'Zola', 'FR');
        INSERT INTO book VALUES (1, 2), (2, 1), (3, 4), (4, 2);
        """)
  }

  @Test func requests() throws {
    try dbQueue.read { db throws in
      // Authors sorted by name
      let sorted = Author.all().orderedByName()
      #expect(
        try sorted.fetchAll(db).map(\.name) == ["Cervantes", "Giono", "verne", "Zola"])

      // French authors ordered by name
      let french = Author.all().filter(country: "FR").orderedByName()
      #expect(try french.fetchAll(db).map(\.name) == ["Giono", "verne", "Zola"])
      #expect(
        try sql(of: french, in: db)
          == RenderedSQL(
            """
            SELECT * FROM "author" WHERE "country" = ? \
            ORDER BY "name" COLLATE swiftLocalizedCaseInsensitiveCompare
            """, ["FR"]))

      // Spanish books
      let spanish = Book.all().filter(country: "ES")
      #expect(try spanish.fetchAll(db).map(\.id).sorted() == [1, 4])
      #expect(
        try sql(of: spanish, in: db)
          == RenderedSQL(
            """
            SELECT "book".* FROM "book" JOIN "author" \
            ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?)
            """, ["ES"]))
    }
  }

  @Test func associations() throws {
    try dbQueue.read { db throws in
      let request = Book.including(required: Book.author.filter(country: "FR").orderedByName())
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.scopes["author"]?["name"] } == ["verne", "Zola"])
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author".* FROM "book" JOIN "author" \
          ON ("author"."id" = "book"."authorId") AND ("author"."country" = ?) \
          ORDER BY "author"."name" COLLATE swiftLocalizedCaseInsensitiveCompare
          """)
    }
  }
}

extension DerivableRequest<DerivableRequestProtocol.Author> {
  fileprivate func filter(country: String) -> Self {
    filter(Column("country") == country)
  }

  fileprivate func orderedByName() -> Self {
    order(Column("name").collating(.localizedCaseInsensitiveCompare))
  }
}

extension DerivableRequest<DerivableRequestProtocol.Book> {
  fileprivate func filter(country: String) -> Self {
    joining(required: DerivableRequestProtocol.Book.author.filter(country: country))
  }
}
