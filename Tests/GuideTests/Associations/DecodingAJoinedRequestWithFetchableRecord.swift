import Quarry
import QuarryTestSupport
import Testing

/// 'Decoding a Joined Request with FetchableRecord': `init(row:)` and the tree of association keys.
struct DecodingAJoinedRequestWithFetchableRecord {
  typealias Book = Bookshelf.Book
  typealias Author = Bookshelf.Author
  typealias Country = Bookshelf.Country
  typealias CoverImage = Bookshelf.CoverImage

  struct BookInfo: FetchableRecord {
    var book: Book
    var author: Author
    var country: Country?
    var coverImage: CoverImage?

    init(row: Row) throws {
      book = try Book(row: row)
      author = row["author"]
      country = row["country"]
      coverImage = row["coverImage"]
    }
  }

  @Test func records() throws {
    try Bookshelf.make().read { db throws in
      let request =
        Book
        .including(
          required: Book.author
            .including(optional: Author.country)
        )
        .including(optional: Book.coverImage)
      let bookInfos: [BookInfo] = try BookInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        bookInfos.map(\.book) == [Bookshelf.mobyDick, Bookshelf.odyssey, Bookshelf.omoo])
      #expect(
        bookInfos.map(\.author) == [Bookshelf.melville, Bookshelf.homer, Bookshelf.melville])
      #expect(bookInfos.map(\.country) == [Bookshelf.us, nil, Bookshelf.us])
      #expect(bookInfos.map(\.coverImage) == [nil, Bookshelf.cover, nil])
    }
  }

  @Test func valuesAndRecordsOfARow() throws {
    try Bookshelf.make().read { db throws in
      let request = Book.filter(key: 2)
        .including(required: Book.author.including(optional: Author.country))
      let row = try #require(try Row.fetchOne(db, request))
      let title: String = row["title"]
      #expect(title == "Odyssey")
      let author: Author = row["author"]
      #expect(author == Bookshelf.homer)
      // Columns that are all NULL, and a key that is not there.
      let country: Country? = row["country"]
      #expect(country == nil)
      let coverImage: CoverImage? = row["coverImage"]
      #expect(coverImage == nil)
      // Navigation in the tree
      #expect(row.scopes["author"]?.scopes["country"]?.containsNonNullValue == false)
      #expect(row.scopes["author"]?["name"] == "Homer")
    }
  }

  /// A missing record is told by the fetch.
  @Test func missingRecordsAreTold() throws {
    try Bookshelf.make().read { db throws in
      let withoutAuthor = errorText { try BookInfo.fetchAll(db, Book.all()) }
      #expect(withoutAuthor?.contains(#"scope not found: "author""#) == true)
      let nullAuthor = Book.including(optional: Book.author.none())
      let error = errorText { try BookInfo.fetchAll(db, nullAuthor) }
      #expect(error?.contains(#"scope "author" only contains null values"#) == true)
    }
  }

  struct AuthorInfo: FetchableRecord {
    var author: Author
    var books: [Book]

    init(row: Row) throws {
      author = try Author(row: row)
      books = row["books"]
    }
  }

  struct AuthorInfoWithSet: FetchableRecord {
    var books: Set<Book>

    init(row: Row) {
      books = row["books"]
    }
  }

  @Test func arraysAndSets() throws {
    try Bookshelf.make().read { db throws in
      let request = Author.including(all: Author.books).orderByPrimaryKey()
      let authorInfos: [AuthorInfo] = try AuthorInfo.fetchAll(db, request)
      #expect(authorInfos.map(\.author) == [Bookshelf.homer, Bookshelf.melville])
      #expect(
        authorInfos.map(\.books)
          == [[Bookshelf.odyssey], [Bookshelf.mobyDick, Bookshelf.omoo]])
      let sets = try AuthorInfoWithSet.fetchAll(db, request)
      #expect(
        sets.map(\.books) == [[Bookshelf.odyssey], [Bookshelf.omoo, Bookshelf.mobyDick]])
    }
  }
}
