import Foundation
import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryPages

private let year = Column("year")
private let name = Column("name")

@Suite(.onQueueAndPool)
struct PageTests {
  @Test func `pages are found by the values of the row before`() throws {
    try inBookshop { db, log throws in
      let request = Book.select(Column("title"), as: String.self).order(year)
      let first = try request.page(limit: 2).fetch(db)
      #expect(first.records == ["Anonymous", "Left Hand"])
      #expect(first.previous == nil)
      let second = try request.page(after: first.next, limit: 2).fetch(db)
      #expect(second.records == ["Dispossession", "Invisible Towns"])
      #expect(second.next == nil)
      #expect(
        log.takeStatements() == [
          #"SELECT "title", "year" AS "page key 1", "id" AS "page key 2" FROM "book" "#
            + #"ORDER BY "year", "id" LIMIT 3"#,
          #"SELECT "title", "year" AS "page key 1", "id" AS "page key 2" FROM "book" "#
            + #"WHERE ("year", "id") > (?, ?) ORDER BY "year", "id" LIMIT 3"#,
        ])
      let back = try request.page(before: second.previous, limit: 2).fetch(db)
      #expect(back.records == first.records)
      #expect(back.previous == nil)
      #expect(back.next == first.next)
      let sql = try request.page(before: second.previous, limit: 2).request(db).sql(db)
      #expect(
        sql == #"SELECT "title", "year" AS "page key 1", "id" AS "page key 2" FROM "book" "#
          + #"WHERE ("year" < 1974) OR ("year" IS NULL) OR (("year" = 1974) AND ("id" < 1)) "#
          + #"ORDER BY "year" DESC, "id" DESC LIMIT 3"#)
    }
  }

  @Test func `a selected value may have the name of an ordered column`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "book" ("id" INTEGER PRIMARY KEY, "isbn" TEXT);
          INSERT INTO "book" VALUES (1, 'x'), (2, 'y'), (3, NULL), (4, 'x');
          """)
      let request = Table<Row>("book")
        .select(Column("id").forKey("number"), Column("isbn").forKey("id"))
        .order(Column("number"))
      #expect(
        try request.page(limit: 2).request(db).sql(db)
          == #"SELECT "id" AS "number", "isbn" AS "id", "id" AS "page key 1" FROM "book" "#
          + #"ORDER BY "page key 1" LIMIT 3"#)
      for limit in 1...4 {
        let rows = try walk {
          try request.page(after: $0, limit: limit).fetch(db)
        } backward: {
          try request.page(before: $0, limit: limit).fetch(db)
        }
        let numbers = rows.map { $0["number"] as Int }
        #expect(numbers == [1, 2, 3, 4])
      }
    }
  }

  @Test func `nil begins at either end`() throws {
    try withBookshop { db throws in
      let ids = Book.selectID()
      #expect(try ids.page(after: nil, limit: 3).fetch(db).records == [1, 2, 3])
      let last = try ids.page(before: nil, limit: 3).fetch(db)
      #expect(last.records == [2, 3, 4])
      #expect(last.next == nil)
      #expect(try ids.page(before: last.previous, limit: 3).fetch(db).records == [1])
      #expect(try ids.page(limit: .max).fetch(db).records == [1, 2, 3, 4])
      #expect(try ids.page(limit: 4).fetch(db).next == nil)
    }
  }

  @Test func `the key has the direction of the last term`() throws {
    try withBookshop { db throws in
      let page = try Book.order(year.desc).page(limit: 2).fetch(db)
      #expect(page.records.map(\.id) == [3, 1])
      let next = Book.order(year.desc).page(after: page.next, limit: 2)
      #expect(try next.fetch(db).records.map(\.id) == [2, 4])
      // Nulls follow in descending order.
      #expect(
        try next.request(db).sql(db) == #"SELECT *, "year" AS "page key 1", "id" AS "page key 2" "#
          + #"FROM "book" WHERE ("year" < 1974) OR ("year" IS NULL) "#
          + #"OR (("year" = 1974) AND ("id" < 1)) ORDER BY "year" DESC, "id" DESC LIMIT 3"#)
    }
  }

  @Test func `the end of a page may be null`() throws {
    try withBookshop { db throws in
      let page = try Book.order(year).page(limit: 1).fetch(db)
      let next = Book.order(year).page(after: page.next, limit: 5)
      #expect(try next.fetch(db).records.map(\.id) == [2, 1, 3])
      #expect(
        try next.request(db).sql(db) == #"SELECT *, "year" AS "page key 1", "id" AS "page key 2" "#
          + #"FROM "book" WHERE ("year" IS NOT NULL) OR (("year" IS NULL) AND ("id" > 4)) "#
          + #"ORDER BY "year", "id" LIMIT 6"#)
      let nullsLast = Book.order(year.ascNullsLast)
      let last = try nullsLast.page(before: nil, limit: 1).fetch(db)
      #expect(last.records.map(\.id) == [4])
      #expect(
        try nullsLast.page(before: last.previous, limit: 5).fetch(db).records.map(\.id) == [
          2, 1, 3,
        ])
    }
  }

  @Test func `an empty page leads back to all rows`() throws {
    try withBookshop { db throws in
      let ids = Book.selectID()
      let first = try ids.page(limit: 2).fetch(db)
      try Review.deleteAll(db)
      try Book.deleteAll(db, keys: [3, 4])
      let empty = try ids.page(after: first.next, limit: 2).fetch(db)
      #expect(empty.records.isEmpty)
      #expect(empty.next == nil)
      let back = try ids.page(before: empty.previous, limit: 2).fetch(db)
      #expect(back.records == [1, 2])
      #expect(try ids.page(after: back.next, limit: 2).fetch(db).records.isEmpty)
    }
  }

  @Test func `an empty table has an empty page`() throws {
    try withBookshop { db throws in
      try Review.deleteAll(db)
      try Book.deleteAll(db)
      for page in [Book.all().page(limit: 2), Book.all().page(before: nil, limit: 2)] {
        let page = try page.fetch(db)
        #expect(page.records.isEmpty && page.next == nil && page.previous == nil)
      }
    }
  }

  @Test func `rows don't show the values of the order`() throws {
    try withBookshop { db throws in
      let rows = try Book.select(Column("title")).order(year).asRequest(of: Row.self)
        .page(limit: 1).fetch(db).records
      #expect(rows == [["title": "Anonymous"]])
      let joined = try Book.including(required: Book.author).order(year).asRequest(of: Row.self)
        .page(limit: 1).fetch(db).records
      #expect(
        joined.first?.unscoped == [
          "id": 2, "title": "Left Hand", "year": 1969, "price": 9.0, "authorId": 1,
          "publisherId": 2,
        ])
      #expect(joined.first?.scopes["author"]?["name"] == "Ursula Vernet")
    }
  }

  @Test func `orders of joined records count`() throws {
    try withBookshop { db throws in
      let request = Book.including(optional: Book.author.order(name.desc)).order(year.desc)
      let page = try request.page(limit: 2).fetch(db)
      #expect(page.records.map(\.id) == [3, 1])
      #expect(
        try request.page(after: page.next, limit: 2).request(db).sql(db)
          == #"SELECT "book".*, "book"."year" AS "page key 1", "author"."name" AS "page key 2", "#
          + #""book"."id" AS "page key 3", "author".* FROM "book" "#
          + #"LEFT JOIN "author" ON "author"."id" = "book"."authorId" "#
          + #"WHERE ("book"."year" < 1974) OR ("book"."year" IS NULL) OR (("book"."year" = 1974) "#
          + #"AND (("author"."name" < 'Ursula Vernet') OR ("author"."name" IS NULL) "#
          + #"OR (("author"."name" = 'Ursula Vernet') AND ("book"."id" < 1)))) "#
          + #"ORDER BY "book"."year" DESC, "author"."name" DESC, "book"."id" DESC LIMIT 3"#)
    }
  }

  /// Books 1 and 2 have an author born in 1929, book 3 one born in 1923.
  @Test func `an order may have the names of values that joined records select`() throws {
    let birthYear = Column("birthYear")
    let author = Book.author.select((-birthYear).forKey("birthYear"))
    let requests = [
      Book.including(required: author).order(birthYear.detached),
      Book.including(required: author.order(birthYear.detached)),
      Book.annotated(withRequired: author).order(birthYear.detached),
    ].map { $0.asRequest(of: Row.self) }
    // A joined record may be ordered by a value of the root.
    let ages = Book.select(Column("id"), (-year).forKey("age"))
      .joining(required: Book.author.order(Column("age").detached)).asRequest(of: Row.self)
    let random = Book.including(required: Book.author.select(SQL("random()").forKey("r")))
      .order(Column("r").detached)
    try withBookshop { db throws in
      func expect(_ ids: [Int], of request: QueryInterfaceRequest<Row>) throws {
        #expect(try request.fetchAll(db).map { $0["id"] } == ids)
        for limit in 1...3 {
          #expect(try pages(of: request, limit: limit, db).map { $0["id"] } == ids)
        }
      }
      for request in requests { try expect([1, 2, 3], of: request) }
      try expect([3, 1, 2], of: ages)
      let first = try requests[0].page(limit: 1).fetch(db)
      #expect(
        try requests[0].page(after: first.next, limit: 1).request(db).sql(db)
          == #"SELECT "book".*, -"author"."birthYear" AS "page key 1", "#
          + #""book"."id" AS "page key 2", -"author"."birthYear" AS "birthYear" FROM "book" "#
          + #"JOIN "author" ON "author"."id" = "book"."authorId" "#
          + #"WHERE (-"author"."birthYear", "book"."id") > (-1929, 1) "#
          + #"ORDER BY -"author"."birthYear", "book"."id" LIMIT 2"#)
      #expect(
        errorText { try random.page(limit: 1).fetch(db) }?
          .hasPrefix("Pages can't have a random order") == true)
    }
  }

  @Test func `a parent with many children is there once for each`() throws {
    try withBookshop { db throws in
      let request = Author.joining(required: Author.books).order(name).select(name, as: String.self)
      #expect(
        try pages(of: request, limit: 1, db) == ["Italo Bassi", "Ursula Vernet", "Ursula Vernet"])
    }
  }

  @Test func `prefetched records come with their page`() throws {
    struct Shelf: Decodable, FetchableRecord {
      var name: String
      var books: [Book]
    }
    try withBookshop { db throws in
      let request = Author.including(all: Author.books.order(year)).order(name)
        .asRequest(of: Shelf.self)
      let first = try request.page(limit: 2).fetch(db)
      #expect(first.records.map { $0.books.map(\.id) } == [[], [3]])
      let second = try request.page(after: first.next, limit: 2).fetch(db)
      #expect(second.records.map { $0.books.map(\.id) } == [[2, 1]])
    }
  }

  @Test func `records with aggregates have pages`() throws {
    try withBookshop { db throws in
      let request = Author.annotated(with: Author.books.count.forKey("bookCount"))
      let byName = request.order(name).select(name, as: String.self)
      #expect(try pages(of: byName, limit: 1, db) == ["Ana Neves", "Italo Bassi", "Ursula Vernet"])
      let byCount = request.order(Column("bookCount").detached.desc).asRequest(of: Row.self)
      for limit in 1...3 {
        #expect(try pages(of: byCount, limit: limit, db).map { $0["bookCount"] } == [2, 1, 0])
      }
    }
  }

  /// https://www.sqlite.org/lang_select.html#orderby: a name means a selected value, then a column.
  @Test func `an order by a selected name has the selected values`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "t" ("id" INTEGER PRIMARY KEY, "a" INTEGER, "b" INTEGER);
          INSERT INTO "t" VALUES (1, 10, 3), (2, 10, 1), (3, 20, 2), (4, NULL, 1);
          """)
      let t = Table<Row>("t")
      let (id, a, b) = (Column("id"), Column("a"), Column("b"))
      func ids(_ request: QueryInterfaceRequest<Row>) throws -> [Int] {
        try pages(of: request, limit: 1, db).map { $0["id"] }
      }
      // A selected value with the name of a column.
      let shadow = t.select(id, (-b).forKey("a"))
      #expect(try ids(shadow.order(a)) == [1, 3, 2, 4])
      #expect(try ids(shadow.order(a.detached.desc)) == [4, 2, 3, 1])
      #expect(try ids(shadow.order(SQL("a").sqlExpression)) == [1, 3, 2, 4])
      #expect(try ids(shadow.aliased(TableAlias(name: "x")).order(a)) == [4, 1, 2, 3])
      #expect(try ids(t.select(id, b.forKey("a")).order(a)) == [2, 4, 3, 1])
      // A selected value with the name of the key.
      let key = t.select((b * 0).forKey("ID"), a)
      #expect(try pages(of: key.order(b), limit: 1, db).map { $0["a"] } == [10, nil, 20, 10])
      // The first value counts, also one of `*`.
      #expect(try ids(t.annotated(with: (-b).forKey("a")).order(a)) == [4, 1, 2, 3])
      let number = t.annotated(with: (b + 1).forKey("n"))
      #expect(try ids(number.order(Column("n").detached)) == [2, 4, 3, 1])
      #expect(
        try number.order(Column("n").detached).page(limit: 1).request(db).sql(db)
          == #"SELECT *, "b" + 1 AS "n", "b" + 1 AS "page key 1", "id" AS "page key 2" "#
          + #"FROM "t" ORDER BY "b" + 1, "id" LIMIT 2"#)
      // Names in raw SQL are unknown: a column is the column.
      #expect(try ids(t.select(sql: "id, -b AS a").order(a)) == [4, 1, 2, 3])
      #expect(
        errorText {
          try t.annotated(with: .random.forKey("r")).order(Column("r").detached)
            .page(limit: 1).fetch(db)
        }?.hasPrefix("Pages can't have a random order") == true)
      #expect(
        errorText { try t.order(Column("nope").detached).page(limit: 1).fetch(db) }?
          .contains(SQLiteBuild.noSuchColumn("nope")) == true)
    }
  }

  @Test func `a filter stays`() throws {
    try withBookshop { db throws in
      let request = Book.filter(year > 1970 || year < 1970).order(year).selectID()
      #expect(try pages(of: request, limit: 1, db) == [2, 1, 3])
    }
  }

  @Test func `keys of several columns, and of no column, order rows`() throws {
    try withBookshop { db throws in
      let shelves = Shelf.order(Column("num").desc).select(Column("label"), as: String?.self)
      #expect(try pages(of: shelves, limit: 1, db) == [nil, "Maps", "Poetry"])
      let notes = Note.select(Column("text"), as: String?.self)
      #expect(try pages(of: notes, limit: 1, db) == ["call back", nil])
      #expect(
        try notes.page(limit: 1).request(db).sql(db)
          == #"SELECT "text", "rowid" AS "page key 1" FROM "note" ORDER BY "rowid" LIMIT 2"#)
    }
  }

  @Test func `a key that may be null is replaced by the rowid`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "code" ("code" TEXT PRIMARY KEY, "rank" INTEGER);
          INSERT INTO "code" VALUES (NULL, 1), (NULL, 1), ('a', 1), (NULL, 1);
          """)
      let request = Table<Row>("code").order(Column("rank")).select(
        Column("code"), as: String?.self)
      #expect(try pages(of: request, limit: 1, db) == [nil, nil, "a", nil])
    }
  }

  @Test func `a key that two rows share by the collation of its column is replaced too`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "tag" (
            "name" TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY ("name" COLLATE BINARY));
          INSERT INTO "tag" VALUES ('a'), ('A'), ('b');
          """)
      let tags = Table<Row>("tag").select(name, as: String.self)
      #expect(try pages(of: tags, limit: 1, db) == ["a", "A", "b"])
      #expect(try pages(of: tags.order(name.desc), limit: 1, db) == ["b", "A", "a"])
    }
  }

  private struct ViewKeys: DatabaseSchemaSource {
    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) -> [String]? {
      ["id"]
    }
  }

  @Test func `a view with a declared key has pages`() throws {
    var configuration = Configuration()
    configuration.schemaSource = ViewKeys()
    try withBookshop(configuration: configuration) { db throws in
      let titles = Table("bestseller").order(year).select(Column("title"), as: String.self)
      #expect(try pages(of: titles, limit: 1, db) == ["Invisible Towns"])
    }
  }

  /// Comparisons would convert 12 to a text, and the order has it before all texts.
  @Test func `values of a view are compared as they are ordered`() throws {
    var configuration = Configuration()
    configuration.schemaSource = ViewKeys()
    try withBookshop(configuration: configuration) { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "text" ("id" INTEGER PRIMARY KEY, "a" TEXT);
          CREATE TABLE "number" ("id" INTEGER PRIMARY KEY, "a" INTEGER);
          INSERT INTO "text" VALUES (1, '10');
          INSERT INTO "number" VALUES (1, 9), (2, 12);
          CREATE VIEW "mixed" AS
            SELECT "id", "a" FROM "text" UNION ALL SELECT "id" + 100, "a" FROM "number";
          """)
      let ids = Table<Row>("mixed").order(Column("a")).select(Column("id"), as: Int.self)
      #expect(try pages(of: ids, limit: 1, db) == [101, 102, 1])
      let first = try ids.page(limit: 1).fetch(db)
      #expect(
        try ids.page(after: first.next, limit: 1).request(db).sql(db)
          == #"SELECT "id", "a" AS "page key 1", "id" AS "page key 2" FROM "mixed" "#
          + #"WHERE (+("a"), +("id")) > (9, 101) ORDER BY "a", "id" LIMIT 2"#)
    }
  }

  @Test func `an observed page follows its rows`() async throws {
    let database = try makeBookshopDatabase()
    let request = Book.order(year).select(Column("title"), as: String.self)
    let observation = ValueObservation.tracking { db in try request.page(limit: 2).fetch(db) }
    var pages = observation.values(in: database).makeAsyncIterator()
    #expect(try await pages.next()?.records == ["Anonymous", "Left Hand"])
    try await database.write { db in
      try db.execute(sql: "INSERT INTO book (title, year) VALUES ('Hymns', 1790)")
    }
    #expect(try await pages.next()?.records == ["Anonymous", "Hymns"])
  }
}

/// All records, page by page, forward; the pages are the same backward.
private func pages<T: DatabaseValueConvertible & Equatable>(
  of request: QueryInterfaceRequest<T>, limit: Int, _ db: Database
) throws -> [T] {
  try walk {
    try request.page(after: $0, limit: limit).fetch(db)
  } backward: {
    try request.page(before: $0, limit: limit).fetch(db)
  }
}

private func pages(
  of request: QueryInterfaceRequest<Row>, limit: Int, _ db: Database
) throws -> [Row] {
  try walk {
    try request.page(after: $0, limit: limit).fetch(db)
  } backward: {
    try request.page(before: $0, limit: limit).fetch(db)
  }
}

/// All records, page by page, forward; they are the same backward.
func walk<T: Equatable>(
  forward: (PageCursor?) throws -> Page<T>, backward: (PageCursor?) throws -> Page<T>
) throws -> [T] {
  var records: [T] = []
  var page = try forward(nil)
  records += page.records
  while let next = page.next {
    page = try forward(next)
    #expect(!page.records.isEmpty)
    #expect(page.previous != nil)
    records += page.records
  }
  var reversed: [T] = []
  page = try backward(nil)
  reversed = page.records
  while let previous = page.previous {
    page = try backward(previous)
    #expect(!page.records.isEmpty)
    reversed = page.records + reversed
  }
  #expect(records == reversed)
  return records
}
