import Quarry
import QuarryRecords
import QuarryTestSupport
import Testing

private typealias Country = Shop.Country

private struct Entry: Decodable, Equatable, FetchableRecord {
  var book: ShopBook
  var author: ShopAuthor?

  static let graph = SavedGraph(\Entry.book).belonging(
    to: \.author, ShopBook.author, key: \.authorId)
}

private struct AuthorEntry: Decodable, Equatable {
  var author: ShopAuthor
  var country: Country

  static let graph = SavedGraph(\AuthorEntry.author)
    .belonging(to: \.country, ShopAuthor.country, key: \.countryCode)
}

private struct FullEntry: Decodable, Equatable {
  var book: ShopBook
  var author: AuthorEntry

  static let graph = SavedGraph(\FullEntry.book)
    .belonging(to: \.author, ShopBook.author, as: AuthorEntry.graph, key: \.authorId)
}

struct GraphBelongingTests {
  @Test func `parents are saved first, on several levels`() throws {
    try withShop { db, recorder throws in
      var entry = FullEntry(
        book: ShopBook(title: "Romola"),
        author: AuthorEntry(
          author: ShopAuthor(name: "Eliot"), country: Country(code: "UK", name: "Kingdom")))
      try FullEntry.graph.save(db, &entry)
      #expect(
        recorder.takeWrites() == [
          #"INSERT INTO "country" ("code", "name") VALUES (?,?)"#,
          #"INSERT INTO "author" ("id", "name", "countryCode") VALUES (?,?,?)"#,
          #"INSERT INTO "book" ("id", "authorId", "title", "position") VALUES (?,?,?,?)"#,
        ])
      #expect(entry.book.authorId == 3)
      #expect(entry.author.author.countryCode == "UK")
      #expect(try db.texts("SELECT * FROM author WHERE id = 3") == ["3 Eliot UK"])

      entry.author.country.name = "United Kingdom"
      entry.book.title = "Adam Bede"
      try FullEntry.graph.save(db, &entry)
      #expect(
        recorder.takeWrites() == [
          #"UPDATE "country" SET "name"=? WHERE "code"=?"#,
          #"UPDATE "book" SET "authorId"=?, "title"=?, "position"=? WHERE "id"=?"#,
        ])
    }
  }

  @Test func `another author is referred to`() throws {
    try withShop { db, _ throws in
      var entry = Entry(
        book: try ShopBook.find(db, key: 1), author: try ShopAuthor.find(db, key: 2))
      try entry.save(db, Entry.graph)
      #expect(entry.book.authorId == 2)
      #expect(try db.books()[0] == "1 2 Emma a")
    }
  }

  @Test func `a value without author has a book without author`() throws {
    try withShop { db, _ throws in
      var entry = Entry(book: try ShopBook.find(db, key: 1), author: nil)
      let error = graphError { try entry.save(db, Entry.graph) }
      #expect(error?.reason == .key)
      #expect(error?.path == "book.author")
      #expect(try db.books()[0] == "1 1 Emma a")
      entry.book.authorId = nil
      try entry.save(db, Entry.graph)
      #expect(try db.books()[0] == "1 - Emma a")
    }
  }

  @Test func `an author of several books is saved once`() throws {
    try withShop { db, recorder throws in
      let request = ShopBook.including(optional: ShopBook.author).order(Column("id"))
      var entries = try Entry.fetchAll(db, request)
      for index in entries.indices { entries[index].author?.name += "!" }
      _ = recorder.take()
      try Entry.graph.save(db, &entries)
      #expect(
        recorder.takeWrites()
          == [String](
            repeating: #"UPDATE "author" SET "name"=?, "countryCode"=? WHERE "id"=?"#, count: 2))
      #expect(try Entry.fetchAll(db, request) == entries)

      entries[0].author?.name = "Jane"
      let before = entries
      let error = graphError { try Entry.graph.save(db, &entries) }
      #expect(error?.reason == .duplicate)
      #expect(error?.path == "book[1].author")
      #expect(error?.message.contains("book[0].author") == true)
      #expect(entries == before)
      #expect(try Entry.fetchAll(db, request).map(\.author?.name).first == "Austen!")
    }
  }

  @Test func `a record that the value has twice is the same, or an error`() throws {
    struct Info: Equatable {
      var author: ShopAuthor
      var books: [Entry]
    }
    let graph = SavedGraph(\Info.author)
      .having(many: \.books, ShopAuthor.books, as: Entry.graph, key: \.authorId, missing: .refuse)
    try withShop { db, recorder throws in
      let author = try ShopAuthor.find(db, key: 1)
      let books = try ShopBook.filter(Column("authorId") == 1).order(Column("id")).fetchAll(db)
      var info = Info(author: author, books: books.map { Entry(book: $0, author: author) })
      try graph.save(db, &info)
      info.author.name = "Jane"
      let error = graphError { try graph.save(db, &info) }
      #expect(error?.reason == .duplicate)
      #expect(error?.path == "author.books[0].author.name")
      info.books[0].author?.name = "Jane"
      info.books[1].author?.name = "Jane"
      _ = recorder.take()
      try graph.save(db, &info)
      #expect(recorder.takeWrites().count == 1)
      #expect(try ShopAuthor.find(db, key: 1).name == "Jane")
    }
  }

  @Test func `an unknown author in the database is an error of its own place`() throws {
    try withShop { db, _ throws in
      var entry = Entry(book: ShopBook(title: "X"), author: ShopAuthor(name: "Austen"))
      let error = graphError { try entry.save(db, Entry.graph) }
      #expect(error?.path == "book.author.name")
      #expect((error?.underlyingError as? DatabaseError)?.constraint?.kind == .unique)
      #expect(entry.author?.id == nil)
    }
  }
}
