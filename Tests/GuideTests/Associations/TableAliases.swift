import Quarry
import QuarryTestSupport
import Testing

/// 'Table Aliases': conditions and orders that involve several records.
struct TableAliases {
  typealias Book = Library.Book
  typealias Person = Library.Person

  @Test func withoutAliasColumnsBelongToTheBaseRecord() throws {
    try Library.make().read { db throws in
      // A wrong request:
      let request =
        Book
        .joining(required: Book.author)
        .filter(Column("publishDate") >= Column("deathDate"))
      let error = try #require(databaseError { try request.fetchAll(db) })
      #expect(error.resultCode == .SQLITE_ERROR)
      #expect(error.message == "no such column: book.deathDate")
      #expect(
        error.sql == """
          SELECT "book".* FROM "book" JOIN "person" ON "person"."id" = "book"."authorId" \
          WHERE "book"."publishDate" >= "book"."deathDate"
          """)
    }
  }

  @Test func conditions() throws {
    try Library.make().read { db throws in
      let authorAlias = TableAlias()
      let request =
        Book
        .joining(required: Book.author.aliased(authorAlias))
        .filter(Column("publishDate") >= authorAlias[Column("deathDate")])
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".* FROM "book" JOIN "person" ON "person"."id" = "book"."authorId" \
          WHERE "book"."publishDate" >= "person"."deathDate"
          """)
      #expect(try request.fetchSet(db) == [Library.timoleon, Library.paris])
    }
  }

  @Test func orders() throws {
    try Library.make().read { db throws in
      let authorAlias = TableAlias()
      let request =
        Book
        .joining(required: Book.author.aliased(authorAlias))
        .order(authorAlias[Column("name")], Column("publishDate"))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".* FROM "book" JOIN "person" ON "person"."id" = "book"."authorId" \
          ORDER BY "person"."name", "book"."publishDate"
          """)
      #expect(
        try request.fetchAll(db) == [
          Library.lazarillo, Library.mobyDick, Library.timoleon, Library.paris,
        ])
    }
  }

  @Test func names() throws {
    try Library.make().read { db throws in
      let bookAlias = TableAlias(name: "b")
      let authorAlias = TableAlias(name: "a")
      let request = Book.aliased(bookAlias)
        .joining(
          required: Book.author.aliased(authorAlias)
            .filter(sql: "a.countryCode = ?", arguments: ["FR"])
        )
        .filter(sql: "b.publishDate >= a.deathDate")
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "b".* FROM "book" "b" JOIN "person" "a" \
            ON ("a"."id" = "b"."authorId") AND (a.countryCode = ?) \
            WHERE b.publishDate >= a.deathDate
            """, ["FR"]))
      #expect(try request.fetchAll(db) == [Library.paris])
    }
  }

  /// In two requests, an alias is two aliases. In one request, it is a mistake that is told.
  @Test func anAliasRefersToOneTableOfARequest() throws {
    try Library.make().read { db throws in
      let alias = TableAlias()
      let books = Book.aliased(alias).filter(alias[Column("id")] == 1)
      let people = Person.aliased(alias).filter(alias[Column("id")] == 2)
      #expect(try books.fetchAll(db) == [Library.mobyDick])
      #expect(try people.fetchAll(db) == [Library.verne])
      let both = Book.aliased(alias).joining(required: Book.author.aliased(alias))
      let error = errorText { try both.fetchAll(db) }
      #expect(
        error?.contains("A TableAlias most not be used to refer to multiple tables") == true)
    }
  }
}
