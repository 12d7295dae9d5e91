import Quarry
import QuarryTestSupport
import Testing

/// 'Convention for the HasMany Association': the same migration, seen from the author.
struct ConventionForTheHasManyAssociation {
  struct Book: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var title: String?
  }

  struct Author: Codable, Equatable, FetchableRecord, TableRecord {
    static let books = hasMany(Book.self)

    var id: Int64
    var name: String?
  }

  struct AuthorInfo: Decodable, Equatable, FetchableRecord {
    var author: Author
    var books: [Book]
  }

  static let infos = [
    AuthorInfo(author: Author(id: 1, name: "Melville"), books: [Book(id: 2, title: "Moby-Dick")]),
    AuthorInfo(author: Author(id: 2, name: "Austen"), books: [Book(id: 1, title: "Emma")]),
  ]

  @Test func theAssociation() throws {
    try ConventionForTheBelongsToAssociation.makeLibrary().read { db throws in
      let request = Author.including(all: Author.books).order(Column("id"))
      #expect(try AuthorInfo.fetchAll(db, request) == Self.infos)
    }
  }

  @Test func aMissingForeignKeyIsDefinedInTheAssociation() throws {
    let books = Author.hasMany(Book.self, using: ForeignKey(["writer"]))
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, writer INTEGER, title TEXT);
        INSERT INTO author VALUES (1, 'Melville'), (2, 'Austen');
        INSERT INTO book VALUES (1, 2, 'Emma'), (2, 1, 'Moby-Dick'), (3, NULL, 'Beowulf');
        """)
    try dbQueue.read { db throws in
      let request = Author.including(all: books).order(Column("id"))
      #expect(try AuthorInfo.fetchAll(db, request) == Self.infos)
      #expect(
        try sql(of: Author.joining(required: books), in: db).sql == """
          SELECT "author".* FROM "author" JOIN "book" ON "book"."writer" = "author"."id"
          """)
      let error = errorText { try Author.including(all: Author.books).fetchAll(db) }
      #expect(error?.contains("Could not infer foreign key from 'book' to 'author'") == true)
    }
  }
}
