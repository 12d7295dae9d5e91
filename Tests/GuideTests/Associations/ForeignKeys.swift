import Quarry
import QuarryTestSupport
import Testing

/// 'Foreign Keys': inferred from the schema, or told where the schema has none, or several.
struct ForeignKeys {
  enum Inferred {
    struct Book: Decodable, TableRecord, FetchableRecord {
      static let author = belongsTo(Author.self)

      var title: String
    }

    struct Author: Decodable, TableRecord, FetchableRecord {
      static let books = hasMany(Book.self)

      var name: String
    }
  }

  @Test func inferredFromTheSchema() throws {
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, authorId INTEGER REFERENCES author);
        INSERT INTO author VALUES (1, 'Melville'), (2, 'Austen');
        INSERT INTO book VALUES ('Emma', 2);
        """)
    try dbQueue.read { db throws in
      let books = Inferred.Book.joining(required: Inferred.Book.author)
      #expect(try books.fetchAll(db).map(\.title) == ["Emma"])
      let authors = Inferred.Author.joining(required: Inferred.Author.books)
      #expect(try authors.fetchAll(db).map(\.name) == ["Austen"])
      #expect(
        try sql(of: books, in: db).sql
          == #"SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId""#)
      #expect(
        try sql(of: authors, in: db).sql
          == #"SELECT "author".* FROM "author" JOIN "book" ON "book"."authorId" = "author"."id""#)
    }
  }

  struct Book: Decodable, Equatable, TableRecord, FetchableRecord {
    // Define foreign keys
    static let authorForeignKey = ForeignKey(["authorId"])
    static let translatorForeignKey = ForeignKey(["translatorId"])

    // Use foreign keys to define associations:
    static let author = belongsTo(Person.self, using: authorForeignKey)
    static let translator = belongsTo(
      Person.self, key: "translator", using: translatorForeignKey)

    static let ambiguous = belongsTo(Person.self)

    var title: String
  }

  struct Person: Decodable, Equatable, TableRecord, FetchableRecord {
    static let writtenBooks = hasMany(Book.self, using: Book.authorForeignKey)
    static let translatedBooks = hasMany(
      Book.self, key: "translatedBooks", using: Book.translatorForeignKey)

    static let ambiguous = hasMany(Book.self)

    var name: String
  }

  static let people = """
    INSERT INTO person VALUES (1, 'Verne'), (2, 'Wells'), (3, 'Butcher');
    INSERT INTO book VALUES
      ('The Invisible Man', 2, NULL), ('Twenty Thousand Leagues', 1, 3);
    """

  static func makeLibrary() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (
          title TEXT NOT NULL, authorId INTEGER REFERENCES person(id),
          translatorId INTEGER REFERENCES person(id));
        """ + people)
  }

  @Test func ambiguousForeignKeysAreTold() throws {
    try Self.makeLibrary().read { db throws in
      for error in [
        errorText { try Book.including(required: Book.ambiguous).fetchAll(db) },
        errorText { try Person.including(required: Person.ambiguous).fetchAll(db) },
        errorText { try Person.including(all: Person.ambiguous).fetchAll(db) },
      ] {
        let error = try #require(error)
        #expect(error.contains("Ambiguous foreign key from 'book' to 'person'"))
        #expect(error.contains("authorId"))
        #expect(error.contains("translatorId"))
        #expect(error.contains("`ForeignKey`"))
      }
    }
  }

  @Test func missingForeignKeysAreTold() throws {
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, authorId INTEGER, translatorId INTEGER);
        """ + Self.people)
    try dbQueue.read { db throws in
      let error = errorText { try Book.including(required: Book.ambiguous).fetchAll(db) }
      #expect(error?.contains("Could not infer foreign key from 'book' to 'person'") == true)
      // The columns of the origin are enough: they are paired with the primary key.
      let books = try Book.joining(required: Book.translator).fetchAll(db)
      #expect(books == [Book(title: "Twenty Thousand Leagues")])
    }
  }

  @Test func foreignKeysAreTold() throws {
    try Self.makeLibrary().read { db throws in
      let request = Book.order(Column("title"))
        .including(optional: Book.author.forKey("author"))
        .including(optional: Book.translator)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "person1".*, "person2".* FROM "book" \
          LEFT JOIN "person" "person1" ON "person1"."id" = "book"."authorId" \
          LEFT JOIN "person" "person2" ON "person2"."id" = "book"."translatorId" \
          ORDER BY "book"."title"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.scopes["author"]?["name"] } == ["Wells", "Verne"])
      #expect(rows.map { $0.scopes["translator"]?["name"] } == [nil, "Butcher"])
    }
  }

  @Test func theSymmetricAssociationsUseTheSameForeignKeys() throws {
    struct PersonInfo: Decodable, FetchableRecord {
      var person: Person
      var books: [Book]
      var translatedBooks: [Book]
    }
    try Self.makeLibrary().read { db throws in
      let request = Person.order(Column("id"))
        .including(all: Person.writtenBooks)
        .including(all: Person.translatedBooks)
      let infos = try PersonInfo.fetchAll(db, request)
      #expect(infos.map(\.person.name) == ["Verne", "Wells", "Butcher"])
      let leagues = Book(title: "Twenty Thousand Leagues")
      #expect(infos.map(\.books) == [[leagues], [Book(title: "The Invisible Man")], []])
      #expect(infos.map(\.translatedBooks) == [[], [], [leagues]])
    }
  }

  enum WithColumns {
    struct Book: TableRecord {
      enum Columns: String, ColumnExpression {
        case id, title, authorId, translatorId
      }

      static let authorForeignKey = ForeignKey([Columns.authorId])
      static let translatorForeignKey = ForeignKey([Columns.translatorId])
    }
  }

  @Test func foreignKeysAreDefinedFromColumns() throws {
    #expect(WithColumns.Book.authorForeignKey == Book.authorForeignKey)
    #expect(WithColumns.Book.translatorForeignKey == Book.translatorForeignKey)
    #expect(WithColumns.Book.authorForeignKey != Book.translatorForeignKey)
    let translator = WithColumns.Book.belongsTo(
      Person.self, using: WithColumns.Book.translatorForeignKey)
    try Self.makeLibrary().read { db throws in
      #expect(
        try sql(of: WithColumns.Book.joining(required: translator), in: db).sql == """
          SELECT "book".* FROM "book" JOIN "person" ON "person"."id" = "book"."translatorId"
          """)
    }
  }

  enum Full {
    struct Book: Decodable, Equatable, TableRecord, FetchableRecord {
      static let authorForeignKey = ForeignKey(["authorId"], to: ["id"])
      static let author = belongsTo(Person.self, using: authorForeignKey)

      var title: String
    }

    struct Person: TableRecord {}
  }

  /// When the destination table has no primary key, both sides are needed.
  @Test func destinationsWithoutPrimaryKey() throws {
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE person (id INTEGER, name TEXT NOT NULL);
        CREATE TABLE book (title TEXT NOT NULL, authorId INTEGER, translatorId INTEGER);
        INSERT INTO person VALUES (12, 'Nobody');
        """ + Self.people)
    try dbQueue.read { db throws in
      let request = Full.Book.including(required: Full.Book.author)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "person".* FROM "book" \
          JOIN "person" ON "person"."id" = "book"."authorId"
          """)
      let rows = try Row.fetchAll(db, request.order(Column("title")))
      #expect(rows.map { $0.scopes["person"]?["name"] } == ["Wells", "Verne"])
    }
  }
}
