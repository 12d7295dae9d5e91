import Quarry
import QuarryTestSupport
import Testing

/// 'Debugging Request Decoding': the debug description of rows.
struct DebuggingRequestDecoding {
  typealias Book = Bookshelf.Book
  typealias Author = Bookshelf.Author

  static let request =
    Book
    .including(
      required: Book.author
        .including(optional: Author.country)
    )
    .including(optional: Book.coverImage)
    .including(all: Book.prizes)

  @Test func theTreeIsPrinted() throws {
    try Bookshelf.make().read { db throws in
      let rows = try Row.fetchAll(db, Self.request.orderByPrimaryKey())
      let moby = #"[id:1 authorId:2 title:"Moby-Dick"]"#
      let melville = #"id:2 name:"Herman Melville" countryCode:"US""#
      let us = #"code:"US" name:"United States of America""#
      #expect(
        rows[0].debugDescription == """
          ▿ \(moby)
            unadapted: [id:1 authorId:2 title:"Moby-Dick" \(melville) \(us) \
          id:NULL imageId:NULL path:NULL]
            - author: [\(melville)]
              - country: [\(us)]
            - coverImage: [id:NULL imageId:NULL path:NULL]
            + prizes: 3 rows
          """)
      #expect(rows[1].debugDescription.hasSuffix("\n  + prizes: 0 row"))
      #expect(rows[2].debugDescription.hasSuffix("\n  + prizes: 1 row"))
    }
  }

  /// Null rows are decoded into Swift optionals.
  @Test func nullRowsFeedOptionals() throws {
    struct BookInfo: FetchableRecord, Decodable {
      var book: Book
      var author: Author  // .including(required: Book.author)
      var country: Bookshelf.Country?  // .including(optional: Author.country)
      var coverImage: Bookshelf.CoverImage?  // .including(optional: Book.coverImage)
      var prizes: [Bookshelf.Prize]  // .including(all: Book.prizes)
    }
    try Bookshelf.make().read { db throws in
      let infos = try BookInfo.fetchAll(db, Self.request.orderByPrimaryKey())
      #expect(infos.map(\.author.name) == ["Herman Melville", "Homer", "Herman Melville"])
      #expect(infos.map(\.country) == [Bookshelf.us, nil, Bookshelf.us])
      #expect(infos.map(\.coverImage) == [nil, Bookshelf.cover, nil])
      #expect(infos.map { $0.prizes.map(\.id).sorted() } == [[1, 2, 3], [], [4]])
    }
  }

  @Test func keysAreChanged() throws {
    try Bookshelf.make().read { db throws in
      let request =
        Book
        .including(optional: Book.author.forKey("writer"))  // customized association key
      let rows = try Row.fetchAll(db, request.orderByPrimaryKey())
      let melville = #"id:2 name:"Herman Melville" countryCode:"US""#
      #expect(
        rows[0].debugDescription == """
          ▿ [id:1 authorId:2 title:"Moby-Dick"]
            unadapted: [id:1 authorId:2 title:"Moby-Dick" \(melville)]
            - writer: [\(melville)]
          """)
    }
  }
}
