import QuarryMigrations
import QuarryTestSupport
import Testing

@testable import Quarry

private struct Patron: Codable, Equatable, FetchableRecord, TableRecord {
  static let databaseTableName = "Patrons"
  static let loans = hasMany(Loan.self)
  var id: Int64
  var name: String
}

private struct Loan: Codable, Equatable, FetchableRecord, TableRecord {
  static let databaseTableName = "Loans"
  static let patron = belongsTo(Patron.self)
  var id: Int64
  var title: String
}

private func makeLoans() throws -> DatabaseQueue {
  try makeDatabase(
    sql: """
      CREATE TABLE "Patrons" (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE "Loans" (
        id INTEGER PRIMARY KEY, patronId INTEGER REFERENCES "Patrons"(id), title TEXT);
      INSERT INTO "Patrons" VALUES (1, 'Ida'), (2, 'Jo');
      INSERT INTO "Loans" VALUES (1, 1, 'Emma'), (2, NULL, 'Ulysses');
      """)
}

/// The keys of associations are names of tables, which may be capitalized otherwise than
/// properties.
@Suite(.onQueueAndPool)
struct AssociationKeyCaseTests {
  private struct LoanInfo: Decodable, FetchableRecord {
    var loan: Loan
    var patron: Patron?
  }

  private let request = Loan.including(optional: Loan.patron).order(Column("id"))

  @Test func `the key of a joined record may differ by case`() throws {
    struct Nested: Decodable, FetchableRecord {
      struct Name: Decodable { var name: String }
      var patron: Name?
    }
    struct ByHand: Decodable, FetchableRecord {
      enum CodingKeys: CodingKey { case patron }
      enum PatronKeys: CodingKey { case name }
      var hasPatron: Bool
      var isNil: Bool
      var name: String?
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hasPatron = container.contains(.patron)
        isNil = try container.decodeNil(forKey: .patron)
        name = try container.nestedContainer(keyedBy: PatronKeys.self, forKey: .patron)
          .decodeIfPresent(String.self, forKey: .name)
      }
    }
    try makeLoans().read { db in
      #expect(try Row.fetchOne(db, request)?.scopes.names == ["Patron"])
      #expect(
        try LoanInfo.fetchAll(db, request).map(\.patron) == [Patron(id: 1, name: "Ida"), nil])
      #expect(try Nested.fetchAll(db, request).map(\.patron?.name) == ["Ida", nil])
      let byHand = try ByHand.fetchAll(db, request)
      #expect(byHand.map(\.hasPatron) == [true, true])
      #expect(byHand.map(\.isNil) == [false, true])
      #expect(byHand.map(\.name) == ["Ida", nil])
    }
  }

  @Test func `the key of prefetched records may differ by case`() throws {
    struct PatronInfo: Decodable, FetchableRecord {
      struct Title: Decodable, Equatable { var title: String }
      var patron: Patron
      var loans: [Loan]
    }
    struct Titles: Decodable, FetchableRecord {
      struct Title: Decodable, Equatable { var title: String }
      var loans: [Title]
    }
    try makeLoans().read { db in
      let request = Patron.including(all: Patron.loans).order(Column("id"))
      let infos = try PatronInfo.fetchAll(db, request)
      #expect(infos.map(\.loans) == [[Loan(id: 1, title: "Emma")], []])
      #expect(try Titles.fetchAll(db, request).map { $0.loans.map(\.title) } == [["Emma"], []])
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row.prefetchedRows["loans"] == nil)
      #expect((row["loans"] as [Loan]).map(\.id) == [1])
    }
  }

  @Test func `rows read by hand give records, and scopes by their exact names`() throws {
    try makeLoans().read { db in
      let row = try #require(try Row.fetchOne(db, request))
      #expect((row["patron"] as Patron?)?.name == "Ida")
      #expect(try row.decode(Patron.self, forKey: "PATRON").name == "Ida")
      #expect(row.scopes["patron"] == nil)
      #expect(row.scopesTree["Patron"] != nil)
    }
  }

  @Test func `an exact key wins`() throws {
    try makeLoans().read { db throws in
      let other = Loan.belongsTo(Patron.self, key: "patron").filter(Column("id") == 2)
      let both = Loan.including(optional: Loan.patron).including(optional: other).order(
        Column("id"))
      #expect(try Row.fetchOne(db, both)?.scopes.names == ["Patron", "patron"])
      #expect(try LoanInfo.fetchAll(db, both).map(\.patron) == [nil, nil])
    }
  }

  @Test func `the error of a missing key lists the keys that there are`() throws {
    struct Wrong: Decodable, FetchableRecord {
      var loan: Loan
      var borrower: Patron
    }
    try makeLoans().read { db throws in
      let error = #expect(throws: DecodingError.self) { try Wrong.fetchAll(db, request) }
      guard case .keyNotFound(let key, let context)? = error else {
        Issue.record("no missing key")
        return
      }
      #expect(key.stringValue == "borrower")
      #expect(context.debugDescription == "No such key: borrower or loan")
      let cause = try #require(context.underlyingError)
      #expect("\(cause)".hasPrefix(#"column not found: "borrower""#))
      #expect("\(cause)".contains(#"`forKey("borrower")`"#))
    }
  }

  @Test func `schema differences find keys that no property takes`() throws {
    struct Wrong: Decodable, FetchableRecord {
      var loan: Loan
      var borrower: Patron?
    }
    struct PatronInfo: Decodable, FetchableRecord {
      var patron: Patron
      var loan: [Loan]?
    }
    try makeLoans().read { db in
      #expect(try db.schemaDifferences(of: request.asRequest(of: LoanInfo.self)).isEmpty)
      let differences = try db.schemaDifferences(of: request.asRequest(of: Wrong.self))
      #expect(
        differences.map(\.description) == ["Wrong: no property takes the association key Patron"])
      #expect(differences.map(\.kind) == [.unusedAssociation])
      #expect(differences.map(\.table) == ["Loans"])
      let prefetch = Patron.including(all: Patron.loans).asRequest(of: PatronInfo.self)
      #expect(
        try db.schemaDifferences(of: prefetch).map(\.description)
          == ["PatronInfo: no property takes the association key Loans"])
    }
  }
}

/// An association that selects nothing, and leads to one that does.
@Suite(.onQueueAndPool)
struct SkippedAssociationTests {
  private let request = Review.joining(
    optional: Review.book.including(optional: Book.author)
  ).order(Column("id"))

  @Test func `a skipped record is nil`() throws {
    struct ReviewInfo: Decodable, FetchableRecord {
      var review: Review
      var book: Book?
      var author: Author?
    }
    struct Loose: Decodable, FetchableRecord {
      struct Title: Decodable { var title: String? }
      var book: Title?
      var author: Author?
    }
    try makeBookshopDatabase().read { db in
      let infos = try ReviewInfo.fetchAll(db, request)
      #expect(infos.map(\.book) == [nil, nil, nil])
      #expect(infos.map(\.author?.id) == [1, 1, 2])
      #expect(try Loose.fetchAll(db, request).allSatisfy { $0.book == nil && $0.author != nil })
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row["book"] as Book? == nil)
      #expect((row["author"] as Author?)?.id == 1)
    }
  }

  @Test func `a structure with the records behind it is decoded`() throws {
    struct ReviewInfo: Decodable, FetchableRecord {
      struct BookInfo: Decodable { var author: Author? }
      var review: Review
      var book: BookInfo?
    }
    try makeBookshopDatabase().read { db throws in
      #expect(try ReviewInfo.fetchAll(db, request).map(\.book?.author?.id) == [1, 1, 2])
    }
  }

  @Test func `a structure with the records behind it only gets values of the row`() throws {
    struct BookInfo: Decodable {
      var title: String?
      var author: Author?
      enum CodingKeys: CodingKey { case title, author }

      init(from decoder: any Decoder) throws {
        let book = try decoder.container(keyedBy: CodingKeys.self)
        if book.contains(.title) { title = try book.decode(String.self, forKey: .title) }
        let author = try book.decode(Author.self, forKey: .author)
        precondition(title != "" && author.id > 0, "a value that is not in the row")
        self.author = author
      }
    }
    struct ReviewInfo: Decodable, FetchableRecord { var book: BookInfo? }
    try makeBookshopDatabase().read { db throws in
      #expect(try ReviewInfo.fetchAll(db, request).map(\.book?.author?.id) == [1, 1, 2])
    }
  }

  @Test func `a structure with the records behind it is decoded in any way`() throws {
    try expectAuthor(NestedID.self)
    try expectAuthor(SuperID.self)
    try expectAuthor(AuthorsByKey.self)
    try expectAuthor(WrappedAuthor.self)
    try expectAuthor(AuthorByHand.self)
    try expectAuthor(MainAuthor.self)
  }

  private func expectAuthor<BookInfo: AuthorOfBook>(_ type: BookInfo.Type) throws {
    try makeBookshopDatabase().read { db throws in
      #expect(try RequiredBook<BookInfo>.fetchAll(db, request).map(\.book.authorID) == [1, 1, 2])
      #expect(
        try OptionalBook<BookInfo>.fetchAll(db, request).map(\.book?.authorID) == [1, 1, 2],
        "\(type)")
      #expect(
        try BookByHand<BookInfo>.fetchAll(db, request).map(\.book?.authorID) == [1, 1, 2], "\(type)"
      )
    }
  }

  @Test func `a record by hand, and one with prefetched records, are decoded`() throws {
    struct ByHand: FetchableRecord {
      var authorID: Int64
      init(row: Row) {
        let author: Author = row["author"]
        authorID = author.id
      }
    }
    struct Reviewed: Decodable, FetchableRecord { var reviews: [Review] }
    struct Wrapper: Decodable, FetchableRecord {
      var reviewed: Reviewed
      init(from decoder: any Decoder) throws {
        reviewed = try decoder.singleValueContainer().decode(Reviewed.self)
      }
    }
    try makeBookshopDatabase().read { db throws in
      #expect(try BookByHand<ByHand>.fetchAll(db, request).map(\.book?.authorID) == [1, 1, 2])
      let book = Review.book.including(optional: Book.author).including(all: Book.reviews)
      let prefetch = Review.joining(optional: book).order(Column("id"))
      let counts = [2, 2, 1]
      #expect(
        try OptionalBook<Reviewed>.fetchAll(db, prefetch).map(\.book?.reviews.count) == counts)
      #expect(
        try BookByHand<Wrapper>.fetchAll(db, prefetch).map(\.book?.reviewed.reviews.count)
          == counts)
    }
  }

  @Test func `a structure without the records behind it is nil, whatever it fails at`() throws {
    struct Person: Decodable, FetchableRecord {
      var name: String
      init(row: Row) { name = row["name"] }
    }
    struct BookInfo: Decodable, FetchableRecord { var person: Person }
    struct ReviewInfo: Decodable, FetchableRecord {
      var id: Int64
      var book: BookInfo?
    }
    struct ByHand: FetchableRecord {
      var book: BookInfo?
      init(row: Row) { book = row["book"] }
    }
    try makeBookshopDatabase().read { db throws in
      for _ in 1...2 {
        #expect(try ReviewInfo.fetchAll(db, request).map { $0.book == nil } == [true, true, true])
        #expect(try ByHand.fetchAll(db, request).map { $0.book == nil } == [true, true, true])
      }
      let row = try #require(try Row.fetchOne(db, request))
      #expect(try row.decodeIfPresent(BookInfo.self, forKey: "book") == nil)
      #expect(row["book"] as BookInfo? == nil)
    }
  }

  @Test func `a structure of other keys takes the records behind it by its row`() throws {
    struct ByScope: AuthorOfOtherKeys {
      var authorID: Int64?
      init(row: Row) { authorID = row.scopes["author"]?["id"] }
    }
    struct ByNearestScope: AuthorOfOtherKeys {
      var authorID: Int64?
      init(row: Row) { authorID = row.scopesTree["author"]?["id"] }
    }
    struct ByRecord: AuthorOfOtherKeys {
      var authorID: Int64?
      init(row: Row) { authorID = (row["author"] as Author?)?.id }
    }
    struct ByOtherCase: AuthorOfOtherKeys {
      var authorID: Int64?
      init(row: Row) throws { authorID = try row.decode(Author.self, forKey: "AUTHOR").id }
    }
    func expectAuthor<BookInfo: AuthorOfOtherKeys>(_ type: BookInfo.Type) throws {
      try makeBookshopDatabase().read { db throws in
        let optional = try OptionalBook<BookInfo>.fetchAll(db, request)
        #expect(optional.map(\.book?.authorID) == [1, 1, 2], "\(type)")
        let byHand = try BookByHand<BookInfo>.fetchAll(db, request)
        #expect(byHand.map(\.book?.authorID) == [1, 1, 2], "\(type)")
      }
    }
    try expectAuthor(ByScope.self)
    try expectAuthor(ByNearestScope.self)
    try expectAuthor(ByRecord.self)
    try expectAuthor(ByOtherCase.self)
  }

  @Test func `a structure of other keys takes prefetched records by its row`() throws {
    struct Reviewed: Decodable, FetchableRecord {
      enum CodingKeys: String, CodingKey { case scores = "points" }
      var scores: [Int?]
      init(row: Row) { scores = (row["reviews"] as [Review]).map(\.score) }
    }
    struct ReviewedRows: Decodable, FetchableRecord {
      enum CodingKeys: String, CodingKey { case scores = "points" }
      var scores: [Int?]
      init(row: Row) { scores = row.prefetchedRows["reviews"]?.map { $0["score"] } ?? [] }
    }
    try makeBookshopDatabase().read { db throws in
      let book = Review.book.including(optional: Book.author)
        .including(all: Book.reviews.order(Column("id")))
      let prefetch = Review.joining(optional: book).order(Column("id"))
      let scores = [[5, 3], [5, 3], [4]]
      #expect(try OptionalBook<Reviewed>.fetchAll(db, prefetch).map(\.book?.scores) == scores)
      #expect(try BookByHand<ReviewedRows>.fetchAll(db, prefetch).map(\.book?.scores) == scores)
    }
  }

  @Test func `a structure of other keys that takes no record by its row is nil`() throws {
    struct Publishers: AuthorOfOtherKeys {
      var authorID: Int64?
      init(row: Row) {
        precondition(row.scopes["publisher"] == nil && row.prefetchedRows["reviews"] == nil)
        authorID = (row["publisher"] as Publisher?).map { _ in 0 }
      }
    }
    try makeBookshopDatabase().read { db throws in
      let infos = try OptionalBook<Publishers>.fetchAll(db, request)
      #expect(infos.map { $0.book == nil } == [true, true, true])
    }
  }

  @Test func `the failure of a structure of other keys at a record that it takes is thrown`() throws
  {
    struct Person: Decodable, FetchableRecord { var surname: String }
    struct BookInfo: AuthorOfOtherKeys {
      var authorID: Int64?
      init(row: Row) throws { _ = try row.decode(Person.self, forKey: "author") }
    }
    try makeBookshopDatabase().read { db throws -> Void in
      #expect(throws: RowDecodingError.self) { try OptionalBook<BookInfo>.fetchAll(db, request) }
    }
  }

  @Test func `an earlier failure of the record is thrown`() throws {
    struct BookInfo: Decodable, FetchableRecord { var publisher: Publisher }
    struct ByHand: FetchableRecord {
      var stars: Int
      var book: BookInfo?
      init(row: Row) {
        stars = row["noColumn"]
        book = row["book"]
      }
    }
    try makeBookshopDatabase().read { db throws in
      let error = #expect(throws: RowDecodingError.self) { try ByHand.fetchAll(db, request) }
      #expect("\(try #require(error))".hasPrefix(#"column not found: "noColumn""#))
    }
  }

  @Test func `a structure with the records behind it lacks no column, in any order`() throws {
    struct TitleFirst: Decodable {
      var title: String
      var author: Author
    }
    struct AuthorFirst: Decodable {
      var author: Author
      var title: String
    }
    try makeBookshopDatabase().read { db throws in
      #expect(throws: RowDecodingError.self) { try OptionalBook<TitleFirst>.fetchAll(db, request) }
      #expect(throws: RowDecodingError.self) { try OptionalBook<AuthorFirst>.fetchAll(db, request) }
    }
  }
}

/// A structure that stands for the book of a review, and takes its author.
private protocol AuthorOfBook: Decodable, FetchableRecord {
  var authorID: Int64 { get }
}

/// One whose coding keys, which are those of JSON, are not the keys of associations.
private protocol AuthorOfOtherKeys: Decodable, FetchableRecord {
  var authorID: Int64? { get }
}

private enum BookKey: CodingKey { case author, id }

private struct NestedID: AuthorOfBook {
  var authorID: Int64
  init(from decoder: any Decoder) throws {
    authorID = try decoder.container(keyedBy: BookKey.self)
      .nestedContainer(keyedBy: BookKey.self, forKey: .author).decode(Int64.self, forKey: .id)
  }
}

private struct SuperID: AuthorOfBook {
  var authorID: Int64
  init(from decoder: any Decoder) throws {
    let author = try decoder.container(keyedBy: BookKey.self).superDecoder(forKey: .author)
    authorID = try Author(from: author).id
  }
}

private struct AuthorsByKey: AuthorOfBook {
  var authorID: Int64
  init(from decoder: any Decoder) throws {
    authorID = try [String: Author](from: decoder)["author"]?.id ?? 0
  }
}

private struct WrappedAuthor: AuthorOfBook {
  struct Wrapped: Decodable { var author: Author }
  var authorID: Int64
  init(from decoder: any Decoder) throws {
    authorID = try decoder.singleValueContainer().decode(Wrapped.self).author.id
  }
}

private struct AuthorByHand: AuthorOfBook {
  var author: Author
  var authorID: Int64 { author.id }
  init(row: Row) { author = row["author"] }
}

private struct MainAuthor: AuthorOfBook {
  struct Main: Decodable, FetchableRecord { var author: Author }
  var main: Main
  var authorID: Int64 { main.author.id }
}

private struct RequiredBook<BookInfo: Decodable>: Decodable, FetchableRecord { var book: BookInfo }

private struct OptionalBook<BookInfo: Decodable>: Decodable, FetchableRecord { var book: BookInfo? }

private struct BookByHand<BookInfo: FetchableRecord>: FetchableRecord {
  var book: BookInfo?
  init(row: Row) { book = row["book"] }
}
