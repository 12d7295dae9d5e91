import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let year = Column("year")
private let title = Column("title")

/// An order replaces the one before, which may be a mistake.
@Suite(.onQueueAndPool)
struct ReplacedOrderTests {
  private func read<T>(
    _ treatment: Configuration.RequestTreatment, _ body: (Database) throws -> T
  ) throws -> T {
    var configuration = Configuration()
    configuration.replacedOrders = treatment
    return try makeBookshopDatabase(configuration: configuration).read(body)
  }

  private static let message = """
    An order of the request replaces the one before, which has no effect. To order by several \
    terms, give them to one order(…); to replace an order, remove it with unordered(). \
    - in request SELECT * FROM "book" ORDER BY "title"
    """

  private static let mistakes: [QueryInterfaceRequest<Book>] = [
    Book.order(year).order(title), Book.all().order(year).order(title),
    Table<Book>("book").order(year).order(title), Book.order(sql: "year").order(title),
    Book.orderByPrimaryKey().order(title), Book.order { _ in year }.order { _ in title },
    Book.order(year).orderWhenConnected { _ in [title] },
    Book.all().orderWhenConnected { _ in [year] }.order(title),
  ]

  private static let requests: [QueryInterfaceRequest<Book>] = [
    Book.all(), Book.order(year), Book.order(year, title), Book.order(year).unordered(),
    Book.order(year).unordered().order(title), Book.order(year).reversed(),
    Book.order(year).withStableOrder(), Book.order(year).order([]),
    Book.all().order([]).order(year),
    Book.order(year).order(title).unordered(),
    Book.including(all: Book.reviews.order(id).order(Column("score"))).order(title),
    Book.joining(optional: Book.author.order(id).order(Column("name"))).order(title),
    Book.order(year).filter(
      Book.order(year).select(id).contains(id)),
  ]

  @Test(arguments: mistakes.indices)
  func `a replaced order is refused`(_ index: Int) throws {
    try read(.refused) { db throws in
      let error = #expect(throws: InvalidRequest.self) { try Self.mistakes[index].fetchAll(db) }
      #expect(error?.description == Self.message)
      #expect(try Self.mistakes[index].fetchCount(db) == 4)
    }
  }

  @Test func `each statement is reported once`() throws {
    let log = Log<String>()
    try read(.reported { log.append($0) }) { db throws in
      for request in Self.mistakes + Self.mistakes {
        #expect(try request.fetchAll(db).map(\.id) == [4, 1, 3, 2])
      }
      _ = try Self.mistakes[0].filter(year > 1970).fetchAll(db)
      _ = try Self.mistakes[0].filter(year > 1980).fetchAll(db)
    }
    #expect(log.elements.count == 2)
    #expect(log.elements.first == Self.message)
  }

  @Test func `the number of reports is limited`() throws {
    let log = Log<String>()
    try read(.reported { log.append($0) }) { db throws in
      for limit in 1...120 { _ = try Self.mistakes[0].limit(limit).fetchAll(db) }
    }
    #expect(log.elements.count == 100)
  }

  @Test(arguments: requests.indices)
  func `other orders are not refused`(_ index: Int) throws {
    // From the second time on, the query is remembered.
    try read(.refused) { db throws in
      for _ in 0..<3 { _ = try Self.requests[index].fetchAll(db) }
    }
  }

  @Test func `the order of an association is a default`() throws {
    let books = Author.books.order(year)
    try read(.refused) { db throws in
      let author = try #require(try Author.fetchOne(db, key: 1))
      let request = author.request(for: books).order(title)
      #expect(try request.fetchAll(db).map(\.id) == [1, 2])
      #expect(throws: InvalidRequest.self) { try request.order(id).fetchAll(db) }
      _ = try author.request(for: books.order(title)).fetchAll(db)
    }
  }

  @Test func `the order of a through association is a default, too`() throws {
    let score = Column("score")
    let reviews = Author.reviews
    try read(.refused) { db throws in
      let author = try #require(try Author.fetchOne(db, key: 1))
      let request = author.request(for: reviews.order(score)).order(id)
      let rendered = try sql(of: request, in: db)
      #expect(rendered.sql.hasSuffix(#"ORDER BY "review"."id""#))
      _ = try request.fetchAll(db)
      // The association itself has two.
      _ = try author.request(for: reviews.order(score).order(id)).fetchAll(db)
    }
  }

  @Test func `replaced orders are allowed by default`() throws {
    #expect(try makeBookshopDatabase().read { try Self.mistakes[0].fetchAll($0) }.count == 4)
  }
}
