import Foundation
import Hummingbird
import Quarry
import Testing

@testable import Service

struct RouteTests {
  @Test func `authors and books are added, read, changed and deleted`() async throws {
    try await withService { client, _ in
      func get<T: Decodable>(_ path: String, as type: T.Type) async throws -> T {
        let answer = try await client.send("GET", path)
        try #require(answer.status == 200)
        return try JSONDecoder().decode(type, from: Data(answer.body.utf8))
      }
      let laxness = #"{"name":"Halldór Laxness"}"#
      #expect(try await client.send("POST", "/authors", laxness).status == 201)
      let light = #"{"authorId":1,"title":"World Light","stock":3}"#
      let people = #"{"authorId":1,"title":"Independent People","stock":5}"#
      #expect(try await client.send("POST", "/books", light).status == 201)
      #expect(try await client.send("POST", "/books", people).status == 201)
      #expect(
        try await client.send("PUT", "/books/1", light.replacing("3", with: "4")).status == 200)

      let book = try await get("/books/1", as: BookWithAuthor.self)
      #expect((book.book.title, book.book.stock) == ("World Light", 4))
      #expect((book.author.id, book.author.name) == (1, "Halldór Laxness"))
      let found = try await get("/books?title=PEOPLE", as: [BookWithAuthor].self)
      #expect(found.map(\.book.id) == [2])
      let author = try await get("/authors/1", as: AuthorWithBooks.self)
      #expect(author.books.map(\.title) == ["Independent People", "World Light"])
      let authors = try await get("/authors", as: [AuthorInfo].self)
      #expect(authors.map(\.bookCount) == [2])

      let deletion = try await client.send("DELETE", "/books/1")
      #expect(deletion == Client.Answer(status: 204, body: ""))
      #expect(try await client.send("GET", "/books/1").status == 404)
    }
  }

  @Test func `a mistake of the client is an answer, and changes nothing`() async throws {
    try await withService { client, shop in
      let author = try await shop.add(Author(name: "Known"))
      #expect(author.id == 1)
      _ = try await shop.add(Book(authorId: 1, title: "Title", stock: 2))
      let cases: [(String, String, String?, Int, String)] = [
        ("POST", "/authors", #"{"name":"Known"}"#, 409, "UNIQUE constraint failed: author.name"),
        ("POST", "/authors", #"{"name":""}"#, 409, " > 0) of the table author"),
        ("POST", "/authors", "{", 400, ""),
        ("POST", "/authors", #"{"title":"x"}"#, 400, "name"),
        (
          "POST", "/books", #"{"authorId":9,"title":"x","stock":1}"#, 409,
          "foreign key from book(authorId) to author(id): there is no such row"
        ),
        ("PUT", "/books/9", #"{"authorId":1,"title":"x","stock":1}"#, 404, "book: [id:9]"),
        ("GET", "/books/9", nil, 404, "book: [id:9]"),
        ("DELETE", "/books/9", nil, 404, "book: [id:9]"),
        ("GET", "/authors/9", nil, 404, "author: [id:9]"),
        ("GET", "/books/x", nil, 400, ""),
        ("GET", "/books?limit=0", nil, 400, "limit is a number from 1 to 100"),
        ("GET", "/books?limit=many", nil, 400, "limit is a number from 1 to 100"),
        ("POST", "/books/1/sales", #"{"copies":3}"#, 409, " >= 0) of the table book"),
        ("POST", "/books/1/sales", #"{"copies":0}"#, 400, "copies is 1 or more"),
        ("POST", "/books/9/sales", #"{"copies":1}"#, 404, "book: [id:9]"),
        ("GET", "/nowhere", nil, 404, ""),
      ]
      for (method, path, json, status, message) in cases {
        let answer = try await client.send(method, path, json)
        #expect(answer.status == status, "\(method) \(path) \(json ?? ""): \(answer)")
        #expect(message.isEmpty || answer.body.contains(message), "\(path): \(answer)")
      }
      let books = try await shop.books(titled: nil, limit: 10)
      #expect(books.map(\.book.stock) == [2])
      #expect(try await shop.authors().map(\.author.name) == ["Known"])
    }
  }

  @Test func `many clients at once sell each copy once`() async throws {
    try await withService { client, shop in
      _ = try await shop.add(Author(name: "Author"))
      _ = try await shop.add(Book(authorId: 1, title: "Title", stock: 150))
      let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
        for _ in 0..<200 {
          group.addTask {
            let sale = try await client.send("POST", "/books/1/sales", #"{"copies":1}"#)
            let reading = try await client.send("GET", "/books?limit=1")
            return [sale.status, reading.status]
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let counts = Dictionary(grouping: statuses) { $0 }.mapValues(\.count)
      #expect(counts == [200: 150 + 200, 409: 50])
      #expect(try await shop.book(1).book.stock == 0)
    }
  }
}
