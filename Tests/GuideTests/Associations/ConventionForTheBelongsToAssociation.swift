import Quarry
import QuarryTestSupport
import Testing

/// 'Convention for the BelongsTo Association': the recommended migration, and schemas without foreign keys.
struct ConventionForTheBelongsToAssociation {
  struct Author: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String?
  }

  struct Book: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let author = belongsTo(Author.self)

    var id: Int64
    var authorId: Int64?
    var title: String?
  }

  static func makeLibrary() throws -> DatabaseQueue {
    let dbQueue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Books and Authors") { db in
      try db.create(table: "author") { t in
        t.autoIncrementedPrimaryKey("id")  // (1)
        t.column("name", .text)
      }
      try db.create(table: "book") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("authorId", .integer)  // (2)
          .notNull()  // (3)
          .indexed()  // (4)
          .references("author", onDelete: .cascade)  // (5)
        t.column("title", .text)
      }
    }
    try migrator.migrate(dbQueue)
    try dbQueue.write { db throws in
      try db.execute(
        sql: """
          INSERT INTO author (name) VALUES ('Melville'), ('Austen');
          INSERT INTO book (authorId, title) VALUES (2, 'Emma'), (1, 'Moby-Dick');
          """)
    }
    return dbQueue
  }

  @Test func theRecommendedMigration() throws {
    try Self.makeLibrary().write { db throws in
      #expect(try db.primaryKey("author").columns == ["id"])
      let column = try #require(try db.columns(in: "book").first { $0.name == "authorId" })
      #expect(column.isNotNull)
      #expect(column.type == "INTEGER")
      #expect(try db.indexes(on: "book").map(\.name) == ["book_on_authorId"])
      let foreignKey = try #require(try db.foreignKeys(on: "book").first)
      #expect(foreignKey.destinationTable == "author")
      #expect(foreignKey.mapping.map { [$0.origin, $0.destination] } == [["authorId", "id"]])
      let stray = Book(id: 3, authorId: 12, title: "Beowulf")
      #expect(databaseError { try stray.insert(db) }?.resultCode == .SQLITE_CONSTRAINT)
      try Author.deleteOne(db, key: 2)
      #expect(try Book.fetchAll(db) == [Book(id: 2, authorId: 1, title: "Moby-Dick")])
    }
  }

  @Test func theAssociation() throws {
    try Self.makeLibrary().read { db throws in
      let request = Book.including(required: Book.author).orderByPrimaryKey()
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author".* FROM "book" \
          JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY "book"."id"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.scopes["author"]?["name"] } == ["Austen", "Melville"])
    }
  }

  enum Composite {
    struct Citizenship: Codable, Equatable, FetchableRecord, TableRecord {
      var citizenId: Int64
      var countryCode: String
    }

    struct Stamp: Codable, Equatable, FetchableRecord, TableRecord {
      static let citizenship = belongsTo(Citizenship.self)

      var id: Int64
    }
  }

  /// All primary keys are supported, including composite ones.
  @Test func compositeKeys() throws {
    typealias Stamp = Composite.Stamp
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE citizenship (
          citizenId INTEGER NOT NULL, countryCode TEXT NOT NULL,
          PRIMARY KEY (citizenId, countryCode));
        CREATE TABLE stamp (
          id INTEGER PRIMARY KEY, citizen INTEGER, country TEXT,
          FOREIGN KEY (citizen, country) REFERENCES citizenship);
        INSERT INTO citizenship VALUES (1, 'FR'), (1, 'US');
        INSERT INTO stamp VALUES (1, 1, 'US'), (2, 1, NULL), (3, 1, 'FR');
        """)
    try dbQueue.read { db throws in
      let request = Stamp.including(optional: Stamp.citizenship).order(Column("id"))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "stamp".*, "citizenship".* FROM "stamp" LEFT JOIN "citizenship" \
          ON ("citizenship"."citizenId" = "stamp"."citizen") \
          AND ("citizenship"."countryCode" = "stamp"."country") ORDER BY "stamp"."id"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(
        rows.map { $0.scopes["citizenship"]?.description } == [
          #"[citizenId:1 countryCode:"US"]"#, "[citizenId:NULL countryCode:NULL]",
          #"[citizenId:1 countryCode:"FR"]"#,
        ])
    }
  }
}
