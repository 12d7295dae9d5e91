import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import Quarry
import Testing

@testable import Service

struct ServiceTests {
  /// Runs a test with a client of a real server.
  private func withShop(
    deadline: Duration = .seconds(30),
    _ test: @Sendable (any TestClientProtocol, Shop) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("service-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var shop = try Shop(path: directory.appendingPathComponent("shop.sqlite").path)
    shop.deadline = deadline
    let copy = shop
    try await Application(router: shop.makeRouter()).test(.ahc()) { client in
      try await test(client, copy)
    }
  }

  private static func body(_ json: String) -> ByteBuffer { ByteBuffer(string: json) }

  private static func decode<T: Decodable>(_ type: T.Type, _ response: TestResponse) throws -> T {
    try JSONDecoder().decode(type, from: Data(response.body.readableBytesView))
  }

  @Test func `books are added, read, searched and deleted`() async throws {
    try await withShop { client, _ in
      let author = try await client.execute(
        uri: "/authors", method: .post, body: Self.body(#"{"name":"Halldór Laxness"}"#))
      #expect(author.status == .created)
      #expect(try Self.decode(Author.self, author) == Author(id: 1, name: "Halldór Laxness"))
      for title in ["World Light", "Independent People"] {
        let book = try await client.execute(
          uri: "/books", method: .post, body: Self.body(#"{"authorId":1,"title":"\#(title)"}"#))
        #expect(book.status == .created)
      }
      let found = try await client.execute(uri: "/books?title=light", method: .get)
      #expect(
        try Self.decode([BookWithAuthor].self, found) == [
          BookWithAuthor(
            book: Book(id: 1, authorId: 1, title: "World Light", year: nil),
            author: Author(id: 1, name: "Halldór Laxness"))
        ])
      let all = try await client.execute(uri: "/books", method: .get)
      #expect(try Self.decode([BookWithAuthor].self, all).map(\.book.id) == [2, 1])
      let shelves = try await client.execute(uri: "/shelves", method: .get)
      #expect(
        try Self.decode([Shelf].self, shelves) == [Shelf(author: "Halldór Laxness", bookCount: 2)])
      let deletion = try await client.execute(uri: "/books/1", method: .delete)
      #expect(deletion.status == .noContent)
      let missing = try await client.execute(uri: "/books/1", method: .get)
      #expect(missing.status == .notFound)
    }
  }

  @Test(arguments: [
    ("/books", #"{"authorId":9,"title":"x"}"#, 409), ("/books", #"{"authorId":1,"title":""}"#, 409),
    ("/books", #"{"title":"x"}"#, 400), ("/books", "{", 400),
    ("/authors", #"{"name":"Known"}"#, 409),
  ])
  func `a wrong request is an answer`(uri: String, json: String, status: Int) async throws {
    try await withShop { client, shop in
      _ = try await shop.add(Author(id: nil, name: "Known"))
      let response = try await client.execute(uri: uri, method: .post, body: Self.body(json))
      #expect(response.status.code == status)
      let books = try await shop.books(titled: nil, limit: 10)
      #expect(books == [])
    }
  }

  @Test(arguments: ["/books?limit=0", "/books?limit=101", "/books/x"])
  func `a wrong parameter is an answer`(uri: String) async throws {
    try await withShop { client, _ in
      let response = try await client.execute(uri: uri, method: .get)
      #expect(response.status == .badRequest)
    }
  }

  /// Shelves that no query comes to the end of.
  private static func makeEndless(_ shop: Shop) async throws {
    try await shop.pool.write { db in
      try db.execute(
        sql: """
          DROP VIEW shelf;
          CREATE VIEW shelf AS
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
          SELECT 'x' AS author, i AS bookCount FROM n WHERE i < 0;
          """)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `a query that takes too long is interrupted, and readers come back`() async throws {
    try await withShop(deadline: .milliseconds(50)) { client, shop in
      try await Self.makeEndless(shop)
      // More often than there are readers.
      for _ in 0..<20 {
        let response = try await client.execute(uri: "/shelves", method: .get)
        #expect(response.status == .serviceUnavailable)
      }
      let count = try await shop.pool.read { db in try Author.fetchCount(db) }
      #expect(count == 0)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `many clients read and write at the same time`() async throws {
    try await withShop { client, shop in
      let author = try await shop.add(Author(id: nil, name: "Many"))
      #expect(author.id == 1)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let json = Self.body(#"{"authorId":1,"title":"Volume \#(number)"}"#)
            let response = try await client.execute(uri: "/books", method: .post, body: json)
            let book = try Self.decode(Book.self, response)
            let read = try await client.execute(uri: "/books/\(book.id ?? 0)", method: .get)
            #expect(try Self.decode(BookWithAuthor.self, read).book == book)
          }
        }
        try await group.waitForAll()
      }
      let shelves = try await shop.shelves()
      #expect(shelves == [Shelf(author: "Many", bookCount: 200)])
    }
  }
}
