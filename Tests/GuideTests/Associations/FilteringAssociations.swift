import Quarry
import QuarryTestSupport
import Testing

/// 'Filtering Associations'.
struct FilteringAssociations {
  typealias Book = Library.Book
  typealias Person = Library.Person

  @Test func filteredJoin() throws {
    try Library.make().read { db throws in
      let frenchAuthor = Book.author.filter(Column("countryCode") == "FR")
      let request = Book.joining(required: frenchAuthor)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "book".* FROM "book" JOIN "person" \
            ON ("person"."id" = "book"."authorId") AND ("person"."countryCode" = ?)
            """, ["FR"]))
      // This request feeds the Book record:
      let books: [Book] = try request.fetchAll(db)
      #expect(books == [Library.paris])
    }
  }

  @Test func filteredByKeys() throws {
    try Library.make().read { db throws in
      let one = Book.joining(required: Book.author.filter(key: 4))
      #expect(
        try sql(of: one, in: db)
          == RenderedSQL(
            """
            SELECT "book".* FROM "book" JOIN "person" \
            ON ("person"."id" = "book"."authorId") AND ("person"."id" = ?)
            """, [4]))
      #expect(try one.fetchAll(db) == [Library.lazarillo])
      let several = Book.joining(required: Book.author.filter(keys: [2, 4]))
      #expect(
        try sql(of: several, in: db)
          == RenderedSQL(
            """
            SELECT "book".* FROM "book" JOIN "person" \
            ON ("person"."id" = "book"."authorId") AND ("person"."id" IN (?, ?))
            """, [2, 4]))
      #expect(try several.fetchSet(db) == [Library.paris, Library.lazarillo])
    }
  }

  @Test func filteredPrefetches() throws {
    struct AuthorInfo: FetchableRecord, Decodable, Equatable {
      var author: Person
      var novels: [Book]
      var poems: [Book]
    }
    try Library.make().read { db throws in
      let request =
        Person
        .including(
          all: Person.books
            .filter(Column("kind") == "novel")
            .forKey("novels")
        )
        .including(
          all: Person.books
            .filter(Column("kind") == "poems")
            .forKey("poems"))
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        authorInfos == [
          AuthorInfo(
            author: Library.melville, novels: [Library.mobyDick], poems: [Library.timoleon]),
          AuthorInfo(author: Library.verne, novels: [Library.paris], poems: []),
          AuthorInfo(author: Library.giono, novels: [], poems: []),
          AuthorInfo(author: Library.anon, novels: [Library.lazarillo], poems: []),
        ])
    }
  }

  /// Conditions on several tables, and in the `WHERE` clause: with aliases.
  @Test func moreFilteringOptions() throws {
    try Library.make().read { db throws in
      let alias = TableAlias()
      let inWhere = Book.joining(optional: Book.author.aliased(alias))
        .filter(alias[Column("countryCode")] == nil)
      #expect(
        try sql(of: inWhere, in: db).sql == """
          SELECT "book".* FROM "book" LEFT JOIN "person" ON "person"."id" = "book"."authorId" \
          WHERE "person"."countryCode" IS NULL
          """)
      #expect(try inWhere.fetchSet(db) == [Library.beowulf, Library.lazarillo])
      // The same condition in the ON clause filters no book.
      let inOn = Book.joining(optional: Book.author.filter(Column("countryCode") == nil))
      #expect(try inOn.fetchCount(db) == 5)
      let bookAlias = TableAlias()
      let several = Book.aliased(bookAlias).joining(
        required: Book.author.filter(Column("deathDate") == bookAlias[Column("publishDate")]))
      #expect(
        try sql(of: several, in: db).sql == """
          SELECT "book".* FROM "book" JOIN "person" ON ("person"."id" = "book"."authorId") \
          AND ("person"."deathDate" = "book"."publishDate")
          """)
      #expect(try several.fetchAll(db) == [Library.timoleon])
    }
  }
}
