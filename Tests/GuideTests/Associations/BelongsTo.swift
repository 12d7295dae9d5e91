import Quarry
import QuarryTestSupport
import Testing

/// 'BelongsTo': each book belongs to an author. With the page of `BelongsToAssociation`.
struct BelongsTo {
  struct Author: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String?
  }

  struct Book: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let author: BelongsToAssociation<Book, Author> = belongsTo(Author.self)

    var id: Int64
    var authorId: Int64?
    var title: String?
  }

  struct BookInfo: Decodable, Equatable, FetchableRecord {
    var book: Book
    var author: Author
  }

  /// The schema of the page of `BelongsToAssociation`.
  static func makeLibrary() throws -> DatabaseQueue {
    let dbQueue = try DatabaseQueue()
    try dbQueue.write { db throws in
      try db.create(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")  // (1)
        t.column("name", .text)
      }
      try db.create(table: "book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("author", onDelete: .cascade)  // (2)
          .notNull()  // (3)
        t.column("title", .text)
      }
      try db.execute(
        sql: """
          INSERT INTO author (name) VALUES ('Melville'), ('Austen');
          INSERT INTO book (authorId, title) VALUES (2, 'Emma'), (1, 'Moby-Dick');
          """)
    }
    return dbQueue
  }

  @Test func booksWithTheirAuthor() throws {
    try Self.makeLibrary().read { db throws in
      let request = Book.including(required: Book.author)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".*, "author".* FROM "book" \
            JOIN "author" ON "author"."id" = "book"."authorId"
            """))
      #expect(
        try BookInfo.fetchAll(db, request.orderByPrimaryKey()) == [
          BookInfo(
            book: Book(id: 1, authorId: 2, title: "Emma"), author: Author(id: 2, name: "Austen")),
          BookInfo(
            book: Book(id: 2, authorId: 1, title: "Moby-Dick"),
            author: Author(id: 1, name: "Melville")),
        ])
    }
  }

  @Test func theSchemaOfAnAssociation() throws {
    try Self.makeLibrary().write { db throws in
      let foreignKeys = try db.foreignKeys(on: "book")
      #expect(foreignKeys.count == 1)
      #expect(foreignKeys.first?.destinationTable == "author")
      #expect(foreignKeys.first?.originColumns == ["authorId"])
      #expect(foreignKeys.first?.destinationColumns == ["id"])
      #expect(try db.indexes(on: "book").map(\.columns) == [["authorId"]])
      // No book without author, and none with a missing one.
      let orphan = Book(id: 3, authorId: nil, title: "Beowulf")
      #expect(
        databaseError { try orphan.insert(db) }?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
      let stray = Book(id: 3, authorId: 12, title: "Beowulf")
      #expect(
        databaseError { try stray.insert(db) }?.extendedResultCode
          == .SQLITE_CONSTRAINT_FOREIGNKEY)
      // The books of an author go with the author.
      try Author.deleteOne(db, key: 1)
      #expect(try Book.fetchAll(db) == [Book(id: 1, authorId: 2, title: "Emma")])
    }
  }

  enum WithoutForeignKey {
    struct Author: Codable, Equatable, FetchableRecord, TableRecord {
      var id: Int64
      var name: String?
    }

    struct Book: Codable, Equatable, FetchableRecord, TableRecord {
      static let author = belongsTo(Author.self, using: ForeignKey(["writer"]))
      static let inferredAuthor = belongsTo(Author.self)

      var id: Int64
      var writer: Int64?
    }
  }

  @Test func aMissingForeignKeyIsDefinedInTheAssociation() throws {
    typealias Book = WithoutForeignKey.Book
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, writer INTEGER);
        INSERT INTO author VALUES (1, 'Melville'), (2, 'Austen');
        INSERT INTO book VALUES (1, 2), (2, NULL), (3, 12);
        """)
    try dbQueue.read { db throws in
      let request = Book.including(optional: Book.author).orderByPrimaryKey()
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".*, "author".* FROM "book" \
            LEFT JOIN "author" ON "author"."id" = "book"."writer" ORDER BY "book"."id"
            """))
      let rows = try Row.fetchAll(db, request)
      let names = rows.map { $0.scopes["author"]?["name"] as String? }
      #expect(names == ["Austen", nil, nil])
      let error = errorText {
        try Book.including(optional: Book.inferredAuthor).fetchAll(db)
      }
      #expect(
        error?.contains("Could not infer foreign key from 'book' to 'author'") == true)
    }
  }
}
