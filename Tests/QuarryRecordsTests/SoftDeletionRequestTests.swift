import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private func withLibrary<T>(_ body: (Database) throws -> T) throws -> T {
  try makeDatabase(sql: softSchema + softRows).write(body)
}

private func expect(
  _ request: QueryInterfaceRequest<some Any>, _ db: Database, _ sql: String, _ rows: [String],
  _ location: SourceLocation = #_sourceLocation
) throws {
  let prepared = try QuarryTestSupport.sql(of: request, in: db)
  #expect(prepared.sql == sql, sourceLocation: location)
  let found = try Row.fetchAll(db, sql: prepared.sql, arguments: prepared.arguments).map { row in
    row.databaseValues.map { "\($0)" }.joined(separator: " ")
  }
  #expect(found == rows, sourceLocation: location)
}

struct SoftDeletionRequestTests {
  @Test func `requests leave deleted rows out, unless they are asked for`() throws {
    try withLibrary { db throws in
      let titles = Book.select(Column("title"))
      try expect(
        titles, db, #"SELECT "title" FROM "book" WHERE "deletedAt" IS NULL"#,
        [#""Emma""#, #""Armadale""#, #""Beowulf""#])
      try expect(
        titles.withDeleted(), db, #"SELECT "title" FROM "book""#,
        [#""Emma""#, #""Sanditon""#, #""Villette""#, #""Armadale""#, #""Beowulf""#])
      try expect(
        titles.onlyDeleted(), db, #"SELECT "title" FROM "book" WHERE "deletedAt" IS NOT NULL"#,
        [#""Sanditon""#, #""Villette""#])
      try expect(
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
    try withLibrary { db throws in
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
    try withLibrary { db throws in
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
    try withLibrary { db throws in
      let books = Table<Book>("book")
      #expect(try books.fetchCount(db) == 3)
      #expect(try books.filter(Column("id") < 3).fetchAll(db).map(\.id) == [1])
      #expect(try books.filter(key: 2).fetchOne(db) == nil)
      #expect(try books.withDeleted().fetchCount(db) == 5)
      #expect(try books.onlyDeleted().fetchCount(db) == 2)
      #expect(try Table("book").fetchCount(db) == 5)
    }
  }

  @Test func `joins have the condition where it keeps the parents`() throws {
    try withLibrary { db throws in
      let name = Author.select(Column("name")).order(Column("id"))
      try expect(
        name.joining(required: Author.books), db,
        """
        SELECT "author"."name" FROM "author" JOIN "book" ON ("book"."authorId" = "author"."id") \
        AND ("book"."deletedAt" IS NULL) WHERE "author"."deletedAt" IS NULL ORDER BY "author"."id"
        """, [#""Austen""#])
      try expect(
        name.including(optional: Author.books.select(Column("title"))), db,
        """
        SELECT "author"."name", "book"."title" FROM "author" \
        LEFT JOIN "book" ON ("book"."authorId" = "author"."id") AND ("book"."deletedAt" IS NULL) \
        WHERE "author"."deletedAt" IS NULL ORDER BY "author"."id"
        """, [#""Austen" "Emma""#, #""Brontë" NULL"#])
      try expect(
        name.including(optional: Author.books.withDeleted().select(Column("title"))), db,
        """
        SELECT "author"."name", "book"."title" FROM "author" \
        LEFT JOIN "book" ON "book"."authorId" = "author"."id" \
        WHERE "author"."deletedAt" IS NULL ORDER BY "author"."id"
        """, [#""Austen" "Emma""#, #""Austen" "Sanditon""#, #""Brontë" "Villette""#])
    }
  }

  @Test func `right joins leave out deleted rows that they keep`() throws {
    try withLibrary { db throws in
      try db.execute(sql: "INSERT INTO author VALUES (4, 'Dickens', NULL)")
      try expect(
        Book.withDeleted().select(Column("title")).order(Column("id"))
          .including(right: Book.author.select(Column("name"))), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        RIGHT JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."deletedAt" IS NULL) \
        WHERE "author"."deletedAt" IS NULL ORDER BY "book"."id"
        """,
        [
          #"NULL "Dickens""#, #""Emma" "Austen""#, #""Sanditon" "Austen""#,
          #""Villette" "Brontë""#,
        ])
    }
  }

  /// A deleted book is not there: its author is one without a book.
  @Test func `right joins keep the records whose only record is deleted`() throws {
    try withLibrary { db throws in
      let books = Book.select(Column("title"))
      let name = Book.author.select(Column("name")).order(Column("id"))
      try expect(
        books.including(right: name), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        RIGHT JOIN "author" ON ("author"."id" = "book"."authorId") \
        AND ("author"."deletedAt" IS NULL) AND ("book"."deletedAt" IS NULL) \
        WHERE ("book"."deletedAt" IS NULL) AND ("author"."deletedAt" IS NULL) \
        ORDER BY "author"."id"
        """, [#""Emma" "Austen""#, #"NULL "Brontë""#])
      try expect(
        books.onlyDeleted().including(right: name.withDeleted()), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        RIGHT JOIN "author" ON ("author"."id" = "book"."authorId") \
        AND (("book"."id" IS NULL) OR ("book"."deletedAt" IS NOT NULL)) \
        WHERE ("book"."id" IS NULL) OR ("book"."deletedAt" IS NOT NULL) \
        ORDER BY "author"."id"
        """, [#""Sanditon" "Austen""#, #""Villette" "Brontë""#, #"NULL "Collins""#])
      try expect(
        books.withDeleted().including(right: name.withDeleted()).order(Column("id")), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        RIGHT JOIN "author" ON "author"."id" = "book"."authorId" \
        ORDER BY "book"."id", "author"."id"
        """,
        [
          #""Emma" "Austen""#, #""Sanditon" "Austen""#, #""Villette" "Brontë""#,
          #""Armadale" "Collins""#,
        ])
      #expect(try Book.all().including(right: Book.author).fetchCount(db) == 2)
      // A condition of the request leaves out rows of the result.
      #expect(try Book.filter(Column("id") > 1).including(right: Book.author).fetchCount(db) == 0)
    }
  }

  @Test func `full joins keep the records whose only record is deleted`() throws {
    try withLibrary { db throws in
      let books = Book.select(Column("title")).order(Column("title"))
      let name = Book.author.withDeleted().select(Column("name")).order(Column("id"))
      try expect(
        books.including(full: name), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        FULL JOIN "author" ON ("author"."id" = "book"."authorId") AND ("book"."deletedAt" IS NULL) \
        WHERE "book"."deletedAt" IS NULL ORDER BY "book"."title", "author"."id"
        """,
        [
          #"NULL "Brontë""#, #""Armadale" "Collins""#, #""Beowulf" NULL"#, #""Emma" "Austen""#,
        ])
      try expect(
        books.onlyDeleted().including(full: name), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        FULL JOIN "author" ON ("author"."id" = "book"."authorId") \
        AND (("book"."id" IS NULL) OR ("book"."deletedAt" IS NOT NULL)) \
        WHERE ("book"."id" IS NULL) OR ("book"."deletedAt" IS NOT NULL) \
        ORDER BY "book"."title", "author"."id"
        """, [#"NULL "Collins""#, #""Sanditon" "Austen""#, #""Villette" "Brontë""#])
      #expect(try books.withDeleted().including(full: name).fetchCount(db) == 5)
    }
  }

  /// The second join does not match an author by a deleted book, either.
  @Test func `right joins behind other joins match no deleted record`() throws {
    try withLibrary { db throws in
      try db.execute(
        sql: """
          CREATE TABLE city (id INTEGER PRIMARY KEY, authorId INTEGER);
          INSERT INTO city VALUES (1, 1), (2, 2);
          """)
      let city = Author.hasOne(
        Table("city"), key: "city", using: ForeignKey(["authorId"], to: ["id"])
      ).order(Column("id"))
      let request = Book.select(Column("title"))
        .including(
          optional: Book.author.select(Column("name")).including(right: city.select(Column("id"))))
      try expect(
        request, db,
        """
        SELECT "book"."title", "author"."name", "city"."id" FROM "book" \
        LEFT JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."deletedAt" IS NULL) \
        RIGHT JOIN "city" ON ("city"."authorId" = "author"."id") AND ("book"."deletedAt" IS NULL) \
        WHERE "book"."deletedAt" IS NULL ORDER BY "city"."id"
        """, [#""Emma" "Austen" 1"#, "NULL NULL 2"])
    }
  }

  @Test func `two associations of one key have one condition`() throws {
    try withLibrary { db throws in
      try expect(
        Book.select(Column("title")).joining(required: Book.author).including(
          optional: Book.author.select(Column("name"))), db,
        """
        SELECT "book"."title", "author"."name" FROM "book" \
        JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."deletedAt" IS NULL) \
        WHERE "book"."deletedAt" IS NULL
        """, [#""Emma" "Austen""#])
    }
  }

  @Test func `prefetches, aggregates and through associations leave deleted rows out`() throws {
    struct Shelf: Decodable, FetchableRecord {
      var author: Author
      var books: [Book]
      var tags: [Tag]
    }
    try withLibrary { db throws in
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

      try expect(
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

  @Test func `aggregates of deleted and of other rows are separate`() throws {
    try withLibrary { db throws in
      let books = Author.books
      let (kept, all) = (books.count.forKey("kept"), books.withDeleted().count.forKey("all"))
      let deleted = books.onlyDeleted().count.forKey("deleted")
      let authors = Author.select(Column("name")).order(Column("id"))
      try expect(
        authors.annotated(with: kept, all), db,
        """
        SELECT "author"."name", COUNT(DISTINCT "book1"."id") AS "kept", \
        COUNT(DISTINCT "book2"."id") AS "all" FROM "author" LEFT JOIN "book" "book1" \
        ON ("book1"."authorId" = "author"."id") AND ("book1"."deletedAt" IS NULL) \
        LEFT JOIN "book" "book2" ON "book2"."authorId" = "author"."id" \
        WHERE "author"."deletedAt" IS NULL GROUP BY "author"."id" ORDER BY "author"."id"
        """, [#""Austen" 1 2"#, #""Brontë" 0 1"#])
      func rows(_ request: QueryInterfaceRequest<Author>) throws -> [[Int]] {
        try Row.fetchAll(db, request).map { row in
          row.dropFirst().map { Int.fromDatabaseValue($1)! }
        }
      }
      let expected = [[2, 1, 1, 2], [1, 0, 1, 1]]
      let request = authors.annotated(with: all, kept, deleted)
        .annotated(with: books.withDeleted().count.forKey("again"))
      try #expect(rows(request) == expected)
      try #expect(rows(request.withAggregatesInSubqueries()) == expected)
      try #expect(rows(request.limit(5)) == expected)
      try #expect(rows(authors.joining(required: books).annotated(with: all)) == [[2]])
      let ids = books.withDeleted().sum(Column("id")).forKey("ids")
      try #expect(rows(authors.annotated(with: kept, ids)) == [[1, 3], [0, 3]])
      try #expect(
        Author.having(books.count < books.withDeleted().count).fetchAll(db).map(\.id) == [1, 2])
      let tags = Author.tags
      try #expect(
        rows(
          authors.annotated(
            with: tags.count.forKey("tags"), tags.withDeleted().count.forKey("all")))
          == [[1, 2], [0, 0]])
    }
  }

  @Test func `aggregates of other deleted rows are separate in any order of calls`() throws {
    try withLibrary { db throws in
      let (books, tags, id) = (Author.books, Author.tags, Column("id"))
      let kept = books.count.forKey("kept")
      let all = books.withDeleted().count.forKey("all")
      let authors = Author.select(id).order(id)
      func rows(_ request: QueryInterfaceRequest<Author>) throws -> [String] {
        try Row.fetchAll(db, request).map { $0.map { "\($1)" }.joined(separator: " ") }
      }
      try expect(
        authors.annotated(with: all).joining(required: books), db,
        """
        SELECT "author"."id", COUNT(DISTINCT "book1"."id") AS "all" FROM "author" \
        LEFT JOIN "book" "book1" ON "book1"."authorId" = "author"."id" \
        JOIN "book" "book2" ON ("book2"."authorId" = "author"."id") \
        AND ("book2"."deletedAt" IS NULL) \
        WHERE "author"."deletedAt" IS NULL GROUP BY "author"."id" ORDER BY "author"."id"
        """, ["1 2"])
      try #expect(rows(authors.annotated(with: all).joining(optional: books)) == ["1 2", "2 1"])
      let titles = books.select(Column("title"))
      try #expect(
        rows(authors.annotated(with: all).annotated(withRequired: titles)) == [
          #"1 2 "Emma""#
        ])
      let included = authors.having(books.withDeleted().count == 2).including(required: books)
      try #expect(
        Row.fetchAll(db, included).map { $0.scopes["book"]?["title"] as String? } == ["Emma"])
      // The join of all books is that of their aggregate, also when it comes last.
      let first = books.withDeleted().filter(id == 2)
      for request in [
        authors.annotated(with: kept, all).joining(required: first),
        authors.annotated(with: kept).joining(required: first).annotated(with: all),
        authors.joining(required: first).annotated(with: kept, all),
      ] {
        try #expect(rows(request) == ["1 1 1"])
      }
      let allTags = tags.withDeleted().count.forKey("tags")
      for request in [
        authors.annotated(with: allTags).joining(required: tags),
        authors.annotated(with: kept, allTags).joining(required: tags),
        authors.joining(required: tags).annotated(with: allTags),
      ] {
        try #expect(rows(request).map(\.last) == ["2"])
      }
      let twice = authors.joining(required: books.withDeleted()).annotated(with: all)
      try #expect(rows(twice.joining(required: books)) == ["1 2"])
      try #expect(
        rows(
          authors.joining(required: books.withDeleted()).joining(required: books)
            .annotated(with: all)) == ["1 2"])
    }
  }

  @Test func `aggregates of other deleted rows are separate in merged prefetches`() throws {
    let books = Author.books
    let tagged = books.joining(required: Book.tags)
    let counted = books.annotated(with: Book.tags.withDeleted().count.forKey("tags"))
    let prefetch = Author.including(all: tagged).including(all: counted)
    let marked = Author.including(all: books.including(required: Book.tags.onlyDeleted()))
      .including(all: books.annotated(with: Book.tags.count.forKey("tags")))
    try withLibrary { db throws in
      func books(_ request: QueryInterfaceRequest<Author>) throws -> [String] {
        try Row.fetchAll(db, request.order(Column("id"))).flatMap { author in
          try #require(author.prefetchedRows["books"]).map { book in
            let tag = book.scopesTree["tag"]?["id"] as Int? ?? 0
            return "\(book["id"] as Int) \(book["tags"] as Int) \(tag)"
          }
        }
      }
      try #expect(books(prefetch) == ["1 2 0"])
      try #expect(books(marked) == ["1 1 2"])
    }
  }

  /// The books, which both aggregates pass, have the same deleted rows.
  @Test func `a join filters the pivots of separate aggregates in any order of calls`() throws {
    let tags = Author.tags
    let kept = tags.count.forKey("kept")
    let deleted = tags.onlyDeleted().count.forKey("deleted")
    let authors = Author.select(Column("id")).order(Column("id"))
    try withLibrary { db throws in
      func rows(_ request: QueryInterfaceRequest<Author>) throws -> [[Int]] {
        try Row.fetchAll(db, request).map { row in ["id", "kept", "deleted"].map { row[$0] } }
      }
      try #expect(rows(authors.annotated(with: kept, deleted)) == [[1, 1, 1], [2, 0, 0]])
      for (book, count) in [(1, 1), (4, 0)] {
        let join = Author.books.forKey("taggedBooks").filter(Column("id") == book)
        for request in [
          authors.annotated(with: kept, deleted).joining(optional: join),
          authors.annotated(with: deleted, kept).joining(optional: join),
          authors.annotated(with: kept).joining(optional: join).annotated(with: deleted),
          authors.joining(optional: join).annotated(with: deleted, kept),
        ] {
          try #expect(rows(request) == [[1, count, count], [2, 0, 0]])
        }
      }
    }
  }

  /// The join is that of books with the tag 1: Emma, which has a deleted tag, too.
  @Test func `an aggregate that stays apart from a join takes no other one with it`() throws {
    let id = Column("id")
    let books = Author.books.forKey("taggedBooks").count.forKey("books")
    let all = Author.tags.withDeleted().count.forKey("all")
    let join = Author.tags.filter(id == 1)
    let authors = Author.select(id)
    try withLibrary { db throws in
      try db.execute(sql: "INSERT INTO book VALUES (6, 1, 'Persuasion', NULL)")
      for request in [
        authors.joining(required: join).annotated(with: books),
        authors.joining(required: join).annotated(with: books, all),
        authors.joining(required: join).annotated(with: all, books),
        authors.annotated(with: all, books).joining(required: join),
        authors.annotated(with: all).joining(required: join).annotated(with: books),
      ] {
        for _ in 1...3 {
          let rows = try Row.fetchAll(db, request)
          #expect(rows.map { $0["books"] as Int } == [1])
          #expect(rows.map { $0["all"] as Int? ?? 2 } == [2])
        }
      }
    }
  }

  @Test func `one of two separate aggregates is not chosen for a join`() throws {
    let tagged = Author.books.joining(required: Book.tags)
    let all = Author.books.joining(required: Book.tags.withDeleted())
    let (first, second) = (tagged.count.forKey("tagged"), all.count.forKey("all"))
    let joined = Author.joining(optional: Author.books.filter(Column("id") > 1))
    try withLibrary { db throws in
      let separate = Author.select(Column("id")).annotated(with: first, second)
      #expect(
        try Row.fetchAll(db, separate) == [
          ["id": 1, "tagged": 1, "all": 1], ["id": 2, "tagged": 0, "all": 0],
        ])
      for request in [
        joined.annotated(with: first, second), joined.annotated(with: second, first),
        Author.annotated(with: first, second).joining(optional: Author.books),
      ] {
        let error = errorText { try request.fetchAll(db) }
        #expect(
          error == """
            The association key "book" is ambiguous. Use the Association.forKey(_:) method in order \
            to disambiguate. The request joins it, and has aggregates of different deleted records. \
            - in request SELECT … FROM "author" …
            """)
      }
    }
  }

  /// The books of the tags have the conditions of all books, and not those of the tagged ones.
  @Test func `conflicts of aggregates are refused in any order of calls`() throws {
    let books = Author.books.forKey("taggedBooks")
    let all = books.joining(required: Book.tags.withDeleted()).count.forKey("all")
    let (tags, count) = (Author.tags.count.forKey("tags"), books.count.forKey("books"))
    var configuration = Configuration()
    configuration.conflictingAggregates = .refused
    try DatabaseQueue(configuration: configuration).write { db in
      try db.execute(sql: softSchema + softRows)
      for aggregates in [
        [all, tags, count], [all, count, tags], [tags, all, count], [tags, count, all],
        [count, all, tags], [count, tags, all],
      ] {
        let error = errorText { try Author.annotated(with: aggregates).fetchAll(db) }
        #expect(
          error?.hasPrefix("Aggregates share the association key \"taggedBook\", with ") == true)
      }
    }
  }

  @Test func `subqueries leave deleted rows out`() throws {
    try withLibrary { db throws in
      try expect(
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
    try withLibrary { db throws in
      let later = Book.association(to: Book.self) { book, later in
        later[Column("id")] > book[Column("id")]
      }
      .forKey("later")
      try expect(
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
    try withLibrary { db throws in
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
    try withLibrary { db throws in
      let request = Table("book").all().asRequest(of: Book.self)
      #expect(try request.fetchCount(db) == 5)
      #expect(throws: InvalidRequest.self) { try request.withDeleted().fetchCount(db) }
    }
  }

  @Test func `a warm request distinguishes kept rows from all rows`() throws {
    try withLibrary { db throws in
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
      try withLibrary { db throws in
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
