import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let title = Column("title")
private let price = Column("price")
private let year = Column("year")
private let authorId = Column("authorId")

private let dearest = Book.order(price.desc).limit(2)

/// `FROM (SELECT …)`
struct RequestAsTableSQLTests {
  @Test(arguments: [
    RequestCase(
      dearest.asTable().filter(year > 2000).order(title),
      """
      SELECT * FROM (SELECT * FROM "book" ORDER BY "price" DESC LIMIT 2) "book" \
      WHERE "year" > ? ORDER BY "title"
      """, [2000]),
    RequestCase(
      Book.select(authorId, count(id).forKey("number")).group(authorId).asTable(named: "total")
        .select(max(Column("number"))),
      """
      SELECT MAX("number") FROM (SELECT "authorId", COUNT("id") AS "number" FROM "book" \
      GROUP BY "authorId") "total"
      """),
    RequestCase(
      Author.select(id).union(Publisher.select(id)).asTable().filter(id > 1),
      """
      SELECT * FROM (SELECT "id" FROM "author" UNION SELECT "id" FROM "publisher") "author" \
      WHERE "id" > ?
      """, [1]),
    RequestCase(
      SQLRequest<Row>(sql: "SELECT ? AS x", arguments: [7]).asTable().filter(Column("x") == 8),
      #"SELECT * FROM (SELECT ? AS x) "subquery" WHERE "x" = ?"#, [7, 8]),
    RequestCase(
      dearest.filter(year > 1).asTable().limit(1).asTable().filter(year > 2),
      """
      SELECT * FROM (SELECT * FROM (SELECT * FROM "book" WHERE "year" > ? ORDER BY "price" DESC \
      LIMIT 2) "book" LIMIT 1) "book" WHERE "year" > ?
      """, [1, 2]),
    RequestCase(
      dearest.asTable().including(required: Book.author),
      """
      SELECT "book".*, "author".* FROM (SELECT * FROM "book" ORDER BY "price" DESC LIMIT 2) "book" \
      JOIN "author" ON "author"."id" = "book"."authorId"
      """),
    RequestCase(
      Book.filter(year > 2000).union(Book.filter(price > 10)).asTable()
        .including(required: Book.author),
      """
      SELECT "book".*, "author".* FROM (SELECT * FROM "book" WHERE "year" > ? \
      UNION SELECT * FROM "book" WHERE "price" > ?) "book" \
      JOIN "author" ON "author"."id" = "book"."authorId"
      """, [2000, 10]),
    RequestCase(
      dearest.asTable(named: "top").joining(optional: Book.author.filter(id > 1)),
      """
      SELECT "top".* FROM (SELECT * FROM "book" ORDER BY "price" DESC LIMIT 2) "top" \
      LEFT JOIN "author" ON ("author"."id" = "top"."authorId") AND ("author"."id" > ?)
      """, [1]),
    RequestCase(
      Book.annotated(withRequired: Book.author.select(Column("name"))).limit(3).asTable()
        .filter(Column("name") == "x"),
      """
      SELECT * FROM (SELECT "book".*, "author"."name" FROM "book" \
      JOIN "author" ON "author"."id" = "book"."authorId" LIMIT 3) "book" WHERE "name" = ?
      """, ["x"]),
    RequestCase(
      Author.filter(dearest.asTable().select(authorId).contains(id)),
      """
      SELECT * FROM "author" WHERE "id" IN (SELECT "authorId" FROM \
      (SELECT * FROM "book" ORDER BY "price" DESC LIMIT 2) "book")
      """),
    RequestCase(
      dearest.asTable().aliased(TableAlias(name: "b")).filter(id == 1),
      """
      SELECT "b".* FROM (SELECT * FROM "book" ORDER BY "price" DESC LIMIT 2) "b" \
      WHERE "b"."id" = ?
      """, [1]),
    RequestCase(
      TableFunction("json_each", "[1]").limit(1).asTable().select(Column("value")),
      #"SELECT "value" FROM (SELECT * FROM "json_each"(?) LIMIT 1) "json_each""#, ["[1]"]),
  ])
  func `subqueries`(_ test: RequestCase) throws { try test.check() }
}

@Suite(.onQueueAndPool)
struct RequestAsTableTests {
  @Test func `records are decoded as before`() throws {
    try makeBookshopDatabase().read { db throws in
      let books: [Book] = try dearest.asTable().filter(year > 2000).fetchAll(db)
      #expect(books.map(\.id) == [3])
      #expect(try dearest.asTable().order(id).fetchAll(db).map(\.id) == [1, 3])
      #expect(try dearest.asTable().fetchCount(db) == 2)
      #expect(try dearest.asTable().filter(year > 3000).isEmpty(db))
      #expect(try dearest.asTable().order(id).fetchOne(db)?.id == 1)
      let names = Author.select(Column("name"), as: String.self)
        .union(Publisher.select(Column("name"))).asTable()
      #expect(try names.filter(Column("name") < "B").fetchAll(db) == ["Ana Neves"])
    }
  }

  @Test func `columns that only SQLite knows can't be left out`() throws {
    let error = try invalidity(
      of: sql(of: dearest.asTable().select(.allColumns(excluding: ["id"]))))
    #expect(error?.hasPrefix("Can't leave out columns of subquery") == true, "\(error ?? "")")
  }

  @Test func `associations are joined and prefetched`() throws {
    struct BookInfo: Decodable, FetchableRecord {
      var book: Book
      var author: Author
      var reviews: [Review]
    }
    try makeBookshopDatabase().read { db throws in
      for _ in 1...3 {
        let infos = try dearest.asTable().including(required: Book.author)
          .including(all: Book.reviews.order(id)).order(id)
          .asRequest(of: BookInfo.self).fetchAll(db)
        #expect(infos.map(\.book.id) == [1, 3])
        #expect(infos.map(\.author.name) == ["Ursula Vernet", "Italo Bassi"])
        #expect(infos.map { $0.reviews.map(\.id) } == [[1, 2], [3]])
      }
    }
  }

  @Test func `associations of compound requests are joined`() throws {
    struct BookInfo: Decodable, FetchableRecord {
      var book: Book
      var author: Author
    }
    try makeBookshopDatabase().read { db throws in
      let request = Book.filter(year > 2000).union(Book.filter(price > 10)).asTable()
        .including(required: Book.author).order(id).asRequest(of: BookInfo.self)
      let infos = try request.fetchAll(db)
      #expect(infos.map(\.book.id) == [1, 3])
      #expect(infos.map(\.author.name) == ["Ursula Vernet", "Italo Bassi"])
    }
  }

  @Test func `a warm request has its own values`() throws {
    try makeBookshopDatabase().read { db throws in
      for (from, to, ids) in [(1900, 1970, [2]), (1970, 2100, [1, 3]), (1960, 1975, [1, 2])] {
        let request = Book.filter(year >= from).limit(10).asTable().filter(year < to).order(id)
        #expect(try request.fetchAll(db).map(\.id) == ids.map(Int64.init))
      }
      #expect(db.compiledQueries.count == 1)
    }
  }

  @Test func `the region is that of the subquery`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = Book.select(title).filter(key: 1).asTable().filter(title > "A")
      #expect(
        try request.makePreparedRequest(db).statement.databaseRegion.description == "book(id,title)"
      )
    }
  }

  private func text<T>(_ body: (Database) throws -> T) throws -> String {
    let database = try makeBookshopDatabase()
    return try #require(errorText { try database.write(body) })
  }

  @Test func `requests that include associations`() throws {
    let advice = "To fix this error, include them after asTable()."
    let joined = Book.including(required: Book.author).limit(1)
    #expect(try text { try joined.asTable().fetchAll($0) }.contains(advice))
    let prefetched = Author.including(all: Author.books).limit(1)
    #expect(try text { try prefetched.asTable().fetchAll($0) }.contains(advice))
    #expect(try text { try prefetched.union(Author.all()).asTable().fetchAll($0) }.contains(advice))
    let deep = Review.joining(required: Review.book.including(required: Book.author))
    #expect(try text { try deep.asTable().fetchAll($0) }.contains(advice))
  }

  @Test func `requests that test the existence of a row`() throws {
    let book = TableAlias()
    let missing = try text { try dearest.asTable().aliased(book).filter(!book.exists).fetchAll($0) }
    #expect(missing.contains("Can't test the existence of a row of \"book\""))
  }

  @Test func `requests that need a key`() throws {
    let message = "The subquery \"book\" has no primary key"
    #expect(try text { try dearest.asTable().filter(key: 1).fetchAll($0) }.contains(message))
    #expect(try text { try dearest.asTable().orderByPrimaryKey().fetchAll($0) }.contains(message))
    #expect(
      try text {
        try dearest.asTable().annotated(with: Book.reviews.count).fetchAll($0)
      }.contains(message))
    #expect(
      try text { try dearest.asTable().deleteAll($0) }.contains(
        "Can't delete rows of the subquery \"book\": they are computed"))
    #expect(
      try text { try dearest.asTable().updateAll($0, [price.set(to: 1)]) }.contains(
        "Can't update rows of the subquery \"book\": they are computed"))
  }

  @Test func `columns that the request does not select`() throws {
    let missing = try text { try Book.select(title).asTable().filter(year > 1).fetchAll($0) }
    // Later versions of SQLite quote the name.
    #expect(missing.contains("no such column: ") && missing.contains("year"))
    let link = try text {
      try Book.select(title).asTable().joining(required: Book.author).fetchAll($0)
    }
    #expect(link.contains("no such column: book.authorId"))
    let literal = SQLRequest<Book>(sql: "SELECT * FROM book").asTable()
    let unknown = try text { try literal.joining(required: Book.author).fetchAll($0) }
    #expect(unknown.contains("Could not infer foreign key from 'subquery' to 'author'"))
  }

  @Test func `an alias of the subquery is not one of the request`() throws {
    let book = TableAlias<Book>()
    let inner = try text { try Book.aliased(book).asTable().filter(book[id] == 1).fetchAll($0) }
    #expect(inner.contains("TableAlias"))
    let both = try text { try Book.aliased(book).asTable().aliased(book).fetchAll($0) }
    #expect(both.contains("A TableAlias must not be used to refer to multiple tables"))
  }

  @Test func `two subqueries under one association key`() throws {
    func ratings(over score: Int) -> JoinAssociation<Book, Review> {
      Book.association(to: Review.filter(Column("score") > score).limit(10), named: "rating") {
        $0[id] == $1[Column("bookId")]
      }
    }
    let ambiguous = try text { db throws in
      try Book.joining(required: ratings(over: 3)).joining(required: ratings(over: 4)).fetchAll(db)
    }
    #expect(ambiguous.contains("is ambiguous. Use the Association.forKey(_:) method"))
    let rating = ratings(over: 3)
    try makeBookshopDatabase().read { db throws in
      let request = Book.joining(required: rating).joining(required: rating.filter(id > 1))
      #expect(try request.fetchAll(db).map(\.id) == [3])
    }
  }
}
