import Quarry
import QuarryTestSupport
import Testing

/// 'Columns Selected by an Association'.
struct ColumnsSelectedByAnAssociation {
  struct Author: TableRecord {}

  struct Book: TableRecord {
    static let author = belongsTo(Author.self)
    static let briefAuthor = belongsTo(BriefAuthor.self)
  }

  /// Selects some columns, wherever it is included.
  struct BriefAuthor: TableRecord {
    static let databaseTableName = "author"
    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("name")] }
  }

  static func makeLibrary() throws -> DatabaseQueue {
    try makeDatabase(
      sql: """
        CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, biography TEXT);
        CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id));
        INSERT INTO author VALUES (1, 'Melville', 'Born in 1819...');
        INSERT INTO book VALUES (2, 1);
        """)
  }

  @Test func allColumns() throws {
    try Self.makeLibrary().read { db throws in
      let request = Book.including(required: Book.author)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author".* FROM "book" \
          JOIN "author" ON "author"."id" = "book"."authorId"
          """)
      let row = try Row.fetchOne(db, request)
      #expect(row?.description == "[id:2 authorId:1]")
      #expect(
        row?.scopes["author"]?.description
          == #"[id:1 name:"Melville" biography:"Born in 1819..."]"#)
    }
  }

  @Test func someColumnsOfARequest() throws {
    try Self.makeLibrary().read { db throws in
      let restrictedAuthor = Book.author.select(Column("id"), Column("name"))
      let request = Book.including(required: restrictedAuthor)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author"."id", "author"."name" FROM "book" \
          JOIN "author" ON "author"."id" = "book"."authorId"
          """)
      let row = try Row.fetchOne(db, request)
      #expect(row?.scopes["author"]?.description == #"[id:1 name:"Melville"]"#)
    }
  }

  @Test func someColumnsOfAType() throws {
    try Self.makeLibrary().read { db throws in
      let request = Book.including(required: Book.briefAuthor)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author"."id", "author"."name" FROM "book" \
          JOIN "author" ON "author"."id" = "book"."authorId"
          """)
      let row = try Row.fetchOne(db, request)
      #expect(row?.scopes["author"]?.description == #"[id:1 name:"Melville"]"#)
    }
  }
}
