import QuarryTestSupport
import Testing

@testable import Quarry

/// The region of the statement that a request is prepared into.
@Suite struct PreparedRequestRegionTests {
  private static let books = "book(authorId,id,price,title,year)"

  private func region(_ request: some FetchRequest, _ db: Database) throws -> String {
    try request.makePreparedRequest(db, forSingleResult: false).statement.databaseRegion.description
  }

  @Test func `it has the tables of the associations that are fetched with it`() throws {
    try withShop { db throws in
      let authors = "author(country,id,name)"
      // Three times: compiled, remembered, and found again.
      for _ in 0..<3 {
        #expect(
          try region(Author.including(all: Author.books), db) == "\(authors),\(Self.books)")
        #expect(
          try region(Author.including(all: Author.books.select(Column("title"))), db)
            == "\(authors),book(authorId,title)")
        #expect(
          try region(Author.including(all: Author.books.including(all: Book.reviews)), db)
            == "\(authors),\(Self.books),review(bookId,id,score)")
        // The statement is the same.
        #expect(try region(Author.all(), db) == authors)
        #expect(try region(SQLRequest<Row>(sql: "SELECT * FROM \"author\""), db) == authors)
      }
    }
  }

  @Test func `it is the full database where the associations can't be planned any more`() throws {
    try withShop { db throws in
      let request = Author.including(all: Author.books)
      let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
      #expect(statement.databaseRegion.description == "author(country,id,name),\(Self.books)")
      try db.execute(sql: "DROP TABLE review; DROP TABLE book")
      #expect(statement.databaseRegion.description == "full database")
    }
  }

  @Test func `cursors of rows, and requests of other types, have it too`() throws {
    try withShop { db throws in
      let request = Author.including(all: Author.books)
      #expect(
        try region(AnyFetchRequest(request), db) == "author(country,id,name),\(Self.books)")
      #expect(
        try region(request.filter(key: 1), db) == "author(country,id,name),\(Self.books)")
    }
  }

  @Test func `a request that is prepared during a recording has it too`() throws {
    try withShop { db throws in
      let request = Author.including(all: Author.books)
      let (text, _) = try db.recordRegion { try region(request, db) }
      #expect(text == "author(country,id,name),\(Self.books)")
    }
  }

  @Test func `a prepared request that gets other arguments reads other rows`() throws {
    try withShop { db throws in
      let (_, region) = try db.recordRegion {
        let prepared = try Author.filter(key: 1).makePreparedRequest(db, forSingleResult: false)
        try prepared.statement.setArguments([2])
        _ = try Row.fetchAll(prepared.statement)
      }
      #expect(try region.observed(in: db).description == "author(country,id,name)")
    }
  }

  @Test func `a request that is prepared before a recording is recorded`() throws {
    try withShop { db throws in
      let request = Author.including(all: Author.books)
      let prepared = try request.makePreparedRequest(db, forSingleResult: false)
      let (_, region) = try db.recordRegion { try prepared.statement.execute() }
      #expect(region.description == "author(country,id,name),\(Self.books)")
    }
  }
}
