import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

struct SoftDeletionRequestTests {
  @Test func `requests leave deleted rows out, unless they are asked for`() throws {
    try withSoftRows { db throws in
      let titles = Book.select(Column("title"))
      try expectRows(
        titles, db, #"SELECT "title" FROM "book" WHERE "deletedAt" IS NULL"#,
        [#""Emma""#, #""Armadale""#, #""Beowulf""#])
      try expectRows(
        titles.withDeleted(), db, #"SELECT "title" FROM "book""#,
        [#""Emma""#, #""Sanditon""#, #""Villette""#, #""Armadale""#, #""Beowulf""#])
      try expectRows(
        titles.onlyDeleted(), db, #"SELECT "title" FROM "book" WHERE "deletedAt" IS NOT NULL"#,
        [#""Sanditon""#, #""Villette""#])
      try expectRows(
        titles.onlyDeleted().withDeleted().filter(Column("id") == 2), db,
        #"SELECT "title" FROM "book" WHERE "id" = ?"#, [#""Sanditon""#])
      #expect(try Book.fetchCount(db) == 3)
      #expect(try Book.withDeleted().fetchCount(db) == 5)
      #expect(try Book.onlyDeleted().fetchCount(db) == 2)
      #expect(try Book.fetchAll(db).map(\.id) == [1, 4, 5])
    }
  }

  @Test func `a table without the column is named`() throws {
    struct Shelf: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
      static let books = hasMany(Book.self)
      var id: Int64
    }
    try withSoftRows { db throws in
      try db.execute(sql: "CREATE TABLE shelf (id INTEGER PRIMARY KEY)")
      let advice = """
        Shelf is a SoftDeletableRecord, and its table "shelf" has no column "deletedAt": add it in a \
        migration, or name another one with `deletedAtColumn`
        """
      for text in [
        errorText { try Shelf.fetchAll(db) }, errorText { try Shelf.fetchCount(db) },
        errorText { try Shelf.fetchOne(db, key: 1) },
        errorText { try Shelf.filter(Column("id") == 1).asRequest(of: Row.self).fetchAll(db) },
      ] {
        #expect(text?.contains(advice) == true, "\(text ?? "no error")")
        #expect(text?.contains("join it") == false)
      }
      // The mistake of another name is another one.
      let other = errorText { try Book.filter(Column("titel") == "").fetchAll(db) }
      #expect(other?.contains("SoftDeletableRecord") == false)
      #expect(try Shelf.withDeleted().fetchAll(db).isEmpty)
    }
  }

  @Test func `deleted rows have no key`() throws {
    try withSoftRows { db throws in
      #expect(try Book.fetchOne(db, key: 1)?.title == "Emma")
      #expect(try Book.fetchOne(db, key: 2) == nil)
      #expect(try Book.fetchOne(db, key: ["id": 2]) == nil)
      #expect(throws: RecordError.self) { try Book.find(db, key: 2) }
      #expect(try Book.fetchAll(db, keys: [1, 2, 3, 4]).map(\.id) == [1, 4])
      #expect(try !Book.exists(db, key: 2))
      #expect(try Book.exists(db, key: 1))
      let deleted = try #require(try Book.withDeleted().filter(key: 2).fetchOne(db))
      #expect(try !deleted.exists(db))
      #expect(try Book.find(db, key: 1).exists(db))
    }
  }

  @Test func `tables of the type leave deleted rows out, and tables of rows have them`() throws {
    try withSoftRows { db throws in
      let books = Table<Book>("book")
      #expect(try books.fetchCount(db) == 3)
      #expect(try books.filter(Column("id") < 3).fetchAll(db).map(\.id) == [1])
      #expect(try books.filter(key: 2).fetchOne(db) == nil)
      #expect(try books.withDeleted().fetchCount(db) == 5)
      #expect(try books.onlyDeleted().fetchCount(db) == 2)
      #expect(try Table("book").fetchCount(db) == 5)
    }
  }

  @Test func `prefetches, aggregates and through associations leave deleted rows out`() throws {
    struct Shelf: Decodable, FetchableRecord {
      var author: Author
      var books: [Book]
      var tags: [Tag]
    }
    try withSoftRows { db throws in
      let request = Author.order(Column("id")).including(all: Author.books)
        .including(all: Author.tags)
      let shelves = try Shelf.fetchAll(db, request)
      #expect(shelves.map { $0.books.map(\.title) } == [["Emma"], []])
      #expect(shelves.map { $0.tags.map(\.name) } == [["novel"], []])
      let all = try Shelf.fetchAll(
        db,
        Author.withDeleted().order(Column("id")).including(all: Author.books.withDeleted())
          .including(all: Author.tags.withDeleted()))
      #expect(all.map { $0.books.map(\.id) } == [[1, 2], [3], [4]])
      #expect(all.map { $0.tags.map(\.name) } == [["novel", "classic"], [], []])

      try expectRows(
        Author.select(Column("name")).annotated(with: Author.books.count), db,
        """
        SELECT "author"."name", COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" \
        LEFT JOIN "book" ON ("book"."authorId" = "author"."id") AND ("book"."deletedAt" IS NULL) \
        WHERE "author"."deletedAt" IS NULL GROUP BY "author"."id"
        """, [#""Austen" 1"#, #""Brontë" 0"#])
      #expect(try Author.having(Author.books.isEmpty).fetchAll(db).map(\.name) == ["Brontë"])
      #expect(
        try Author.having(Author.books.withDeleted().count == 2).fetchAll(db).map(\.id) == [1])
      let books = try #require(try Author.fetchOne(db, key: 1)).request(for: Author.books)
      #expect(try books.fetchAll(db).map(\.title) == ["Emma"])
      #expect(try books.withDeleted().fetchCount(db) == 2)
    }
  }

  @Test func `subqueries leave deleted rows out`() throws {
    try withSoftRows { db throws in
      try expectRows(
        Author.select(Column("name"))
          .filter(Book.select(Column("authorId")).contains(Column("id"))), db,
        """
        SELECT "name" FROM "author" WHERE ("deletedAt" IS NULL) AND ("id" IN \
        (SELECT "authorId" FROM "book" WHERE "deletedAt" IS NULL))
        """, [#""Austen""#])
      let author = TableAlias<Author>()
      #expect(
        try Author.aliased(author)
          .filter(!Book.filter(Column("authorId") == author[Column("id")]).exists())
          .fetchAll(db).map(\.name) == ["Brontë"])
    }
  }

  @Test func `associations along a condition leave deleted rows out`() throws {
    try withSoftRows { db throws in
      let later = Book.association(to: Book.self) { book, later in
        later[Column("id")] > book[Column("id")]
      }
      .forKey("later")
      try expectRows(
        Book.select(Column("id")).including(optional: later.select(Column("id"))), db,
        """
        SELECT "book1"."id", "book2"."id" FROM "book" "book1" LEFT JOIN "book" "book2" \
        ON ("book2"."id" > "book1"."id") AND ("book2"."deletedAt" IS NULL) \
        WHERE "book1"."deletedAt" IS NULL
        """, ["1 4", "1 5", "4 5", "5 NULL"])
    }
  }

  @Test func `limited associations are lifted before their limit`() throws {
    struct Newest: Decodable, FetchableRecord {
      var author: Author
      var book: Book?
    }
    try withSoftRows { db throws in
      let request = Author.order(Column("id")).including(optional: Author.newestBook)
      #expect(try Newest.fetchAll(db, request).map { $0.book?.id } == [1, nil])
      let lifted = Author.books.withDeleted().order(Column("id")).last()
      #expect(
        try Newest.fetchAll(db, Author.order(Column("id")).including(optional: lifted))
          .map { $0.book?.id } == [2, 3])
      let error = #expect(throws: InvalidRequest.self) {
        try Author.including(optional: Author.books.last().forKey("b").withDeleted()).fetchAll(db)
      }
      #expect(
        "\(try #require(error))".contains("before `forceDelete`, `first()`, `last()`") == true)
    }
  }

  @Test func `a request of another type has no scope to lift`() throws {
    try withSoftRows { db throws in
      let request = Table("book").all().asRequest(of: Book.self)
      #expect(try request.fetchCount(db) == 5)
      #expect(throws: InvalidRequest.self) { try request.withDeleted().fetchCount(db) }
    }
  }

  @Test func `a warm request distinguishes kept rows from all rows`() throws {
    try withSoftRows { db throws in
      for _ in 0..<4 {
        #expect(try Book.filter(Column("id") < 3).fetchCount(db) == 1)
        #expect(try Book.filter(Column("id") < 3).withDeleted().fetchCount(db) == 2)
        #expect(try Book.filter(Column("id") < 3).onlyDeleted().fetchCount(db) == 1)
      }
    }
  }

  @Test func `a table without the column is an error`() throws {
    struct Loan: Codable, FetchableRecord, PersistableRecord, SoftDeletableRecord {
      static var deletedAtColumn: String { "endedAt" }
      var id: Int64
    }
    try makeDatabase(sql: "CREATE TABLE loan (id INTEGER PRIMARY KEY)").write { db throws in
      for body: () throws -> Void in [
        { _ = try Loan.fetchAll(db) }, { _ = try Loan(id: 1).delete(db) },
        { _ = try Loan.deleteAll(db) }, { _ = try Loan(id: 1).restore(db) },
      ] {
        let error = #expect(throws: DatabaseError.self) { try body() }
        #expect(error?.message?.hasPrefix("no such column: ") == true)
        #expect(error?.message?.contains("endedAt") == true)
      }
    }
  }

  /// The same request, of types with a scope and with conditions by hand.
  @Test func `random requests are those with conditions by hand`() throws {
    try RandomRun("soft deletion").repeated(seconds: 1) { generator throws in
      let choices = (0..<6).map { _ in generator.below(12) }
      let deleted = (0..<4).map { _ in generator.below(5) }
      try withSoftRows { db throws in
        for (table, id) in zip(["author", "book", "book", "tag"], deleted) {
          try db.execute(
            sql: """
              UPDATE \(table) SET deletedAt = iif(deletedAt IS NULL, '2026', NULL) WHERE id = ?
              """,
            arguments: [id])
        }
        let soft = authors(
          Author.all(), Author.books, Author.newestBook, Author.tags, Book.author, Book.all(),
          choices)
        let plain = authors(
          PlainAuthor.filter(Column("deletedAt") == nil), PlainAuthor.books, PlainAuthor.newestBook,
          PlainAuthor.tags, PlainBook.author, PlainBook.filter(Column("deletedAt") == nil), choices)
        let rows = try Row.fetchAll(db, soft)
        let expected = try Row.fetchAll(db, plain)
        #expect(
          rows.map(\.debugDescription) == expected.map(\.debugDescription), "choices: \(choices)")
        #expect(try soft.fetchCount(db) == plain.fetchCount(db), "choices: \(choices)")
      }
    }
  }

  private func authors<A: TableRecord, B: TableRecord, T>(
    _ all: QueryInterfaceRequest<A>, _ books: HasManyAssociation<A, B>,
    _ newest: HasOneAssociation<A, B>, _ tags: HasManyThroughAssociation<A, T>,
    _ author: BelongsToAssociation<B, A>, _ allBooks: QueryInterfaceRequest<B>, _ choices: [Int]
  ) -> QueryInterfaceRequest<Row> {
    var request = all.order(Column("id"))
    for choice in choices {
      switch choice {
      case 0: request = request.joining(required: books)
      case 1: request = request.including(optional: books.order(Column("id")))
      case 2: request = request.including(all: books.order(Column("id")))
      case 3: request = request.annotated(with: books.count)
      case 4: request = request.having(books.isEmpty)
      case 5: request = request.filter(allBooks.select(Column("authorId")).contains(Column("id")))
      case 6: request = request.including(all: tags.distinct().order(Column("id")))
      case 7: request = request.joining(optional: tags)
      case 8: request = request.including(optional: newest.forKey("newest"))
      case 9:
        request = request.including(
          all: books.forKey("deep").including(optional: author).order(Column("id")))
      case 10: request = request.annotated(with: tags.count)
      default: request = request.limit(2)
      }
    }
    return request.asRequest(of: Row.self)
  }
}
