import Quarry
import QuarryTestSupport
import Testing

/// 'The Structure of a Joined Request': the tree of association keys.
struct TheStructureOfAJoinedRequest {
  typealias Book = Bookshelf.Book
  typealias Author = Bookshelf.Author

  @Test func theTreeOfAssociationKeys() throws {
    struct BookInfo: FetchableRecord, Decodable, Equatable {
      var book: Book
      var author: Author
      var country: Bookshelf.Country?
      var coverImage: Bookshelf.CoverImage?
    }
    try Bookshelf.make().read { db throws in
      let request =
        Book
        .including(
          required: Book.author
            .including(optional: Author.country)
        )
        .including(optional: Book.coverImage)
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "book".*, "author".*, "country".*, "coverImage".* FROM "book" \
          JOIN "author" ON "author"."id" = "book"."authorId" \
          LEFT JOIN "country" ON "country"."code" = "author"."countryCode" \
          LEFT JOIN "coverImage" ON "coverImage"."imageId" = "book"."id"
          """)
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row.scopes.names.sorted() == ["author", "coverImage"])
      #expect(row.scopes["author"]?.scopes.names == ["country"])
      #expect(Set(row.scopesTree.names) == ["author", "country", "coverImage"])

      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        bookInfos == [
          BookInfo(
            book: Bookshelf.mobyDick, author: Bookshelf.melville, country: Bookshelf.us,
            coverImage: nil),
          BookInfo(
            book: Bookshelf.odyssey, author: Bookshelf.homer, country: nil,
            coverImage: Bookshelf.cover),
          BookInfo(
            book: Bookshelf.omoo, author: Bookshelf.melville, country: Bookshelf.us,
            coverImage: nil),
        ])
    }
  }

  @Test func defaultKeys() throws {
    try Bookshelf.make().read { db throws in
      let authors = Author.including(all: Author.books)  // association key "books"
      #expect(try Row.fetchOne(db, authors)?.prefetchedRows.keys == ["books"])
      let books = Book.including(required: Book.author)  // association key "author"
      #expect(try Row.fetchOne(db, books)?.scopes.names == ["author"])
    }
  }

  @Test func keysOfDefinitions() throws {
    typealias Employee = SelfJoins.Employee
    try SelfJoins.makeCompany().read { db throws in
      let request = Employee.including(optional: Employee.manager)  // association key "manager"
      #expect(try Row.fetchOne(db, request)?.scopes.names == ["manager"])
    }
  }

  @Test func keysAreChanged() throws {
    let early = Author.books
      .filter(Column("title") < "Omoo")
      .forKey("earlyBooks")
    try Bookshelf.make().read { db throws in
      // association key "earlyBooks"
      let request = Author.including(all: early).order(Column("id"))
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.prefetchedRows.keys } == [["earlyBooks"], ["earlyBooks"]])
      let titles = rows.map { $0.prefetchedRows["earlyBooks"]?.map { $0["title"] as String } }
      #expect(titles == [["Odyssey"], ["Moby-Dick"]])
    }
  }
}
