import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

struct SoftDeletionAggregateTests {
  @Test func `aggregates of deleted and of other rows are separate`() throws {
    try withSoftRows { db throws in
      let books = Author.books
      let (kept, all) = (books.count.forKey("kept"), books.withDeleted().count.forKey("all"))
      let deleted = books.onlyDeleted().count.forKey("deleted")
      let authors = Author.select(Column("name")).order(Column("id"))
      try expectRows(
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
    try withSoftRows { db throws in
      let (books, tags, id) = (Author.books, Author.tags, Column("id"))
      let kept = books.count.forKey("kept")
      let all = books.withDeleted().count.forKey("all")
      let authors = Author.select(id).order(id)
      func rows(_ request: QueryInterfaceRequest<Author>) throws -> [String] {
        try Row.fetchAll(db, request).map { $0.map { "\($1)" }.joined(separator: " ") }
      }
      try expectRows(
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
    try withSoftRows { db throws in
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
    try withSoftRows { db throws in
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
    try withSoftRows { db throws in
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
    try withSoftRows { db throws in
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
}
