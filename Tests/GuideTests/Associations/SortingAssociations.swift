import Quarry
import QuarryTestSupport
import Testing

/// 'Sorting Associations'.
struct SortingAssociations {
  typealias Book = Library.Book

  @Test func sortedByTheAssociation() throws {
    try Library.make().read { db throws in
      let sortedAuthor = Book.author.order(Column("name"))
      let request = Book.including(required: sortedAuthor)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "person".* FROM "book" \
          JOIN "person" ON "person"."id" = "book"."authorId" ORDER BY "person"."name"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(
        rows.map { $0.scopes["author"]?["name"] } == ["Anon", "Melville", "Melville", "Verne"])
    }
  }

  @Test func theBaseRecordIsSortedFirst() throws {
    try Library.make().write { db throws in
      try db.execute(sql: "UPDATE book SET publishDate = 1851 WHERE id IN (2, 5)")
      let sortedAuthor = Book.author.order(Column("name"))
      let request =
        Book
        .including(required: sortedAuthor)
        .order(Column("publishDate").desc)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "person".* FROM "book" \
          JOIN "person" ON "person"."id" = "book"."authorId" \
          ORDER BY "book"."publishDate" DESC, "person"."name"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0["publishDate"] } == [1994, 1851, 1851, 1851])
      #expect(
        rows.map { $0.scopes["author"]?["name"] } == ["Verne", "Anon", "Melville", "Melville"])
    }
  }

  /// The order of the terms changes with aliases, and terms may involve several tables.
  @Test func moreSortingOptions() throws {
    try Library.make().read { db throws in
      let alias = TableAlias()
      let book = TableAlias()
      let request = Book.aliased(book)
        .joining(required: Book.author.aliased(alias))
        .order(
          (book[Column("publishDate")] - alias[Column("deathDate")]).desc, alias[Column("name")],
          Column("id"))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".* FROM "book" JOIN "person" ON "person"."id" = "book"."authorId" \
          ORDER BY "book"."publishDate" - "person"."deathDate" DESC, "person"."name", "book"."id"
          """)
      // 89, 0, -40, and NULL last.
      #expect(try request.fetchAll(db).map(\.id) == [3, 2, 1, 5])
    }
  }
}
