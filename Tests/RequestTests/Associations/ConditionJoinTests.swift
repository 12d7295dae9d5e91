import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let title = Column("title")
private let year = Column("year")
private let bookId = Column("bookId")
private let score = Column("score")
private let birthYear = Column("birthYear")

private let praise = Book.association(to: Review.self) { book, review in
  review[bookId] == book[id] && review[score] > 3
}
private let ratings = Review.select(bookId, average(score).forKey("score")).group(bookId)
private let rating = Book.association(to: ratings, named: "rating") { book, rating in
  rating[bookId] == book[id]
}
private let tag = Book.association(to: TagName.self)
private let turin = Book.publisher.filter(Column("city") == "Turin")
private let lisbon = Book.publisher.filter(Column("city") == "Lisbon")
private let recentAuthor = Review.hasOne(
  Author.self, through: Review.book.filter(year > 1980), using: Book.author)

/// Joins along any condition, with tables, subqueries and table expressions.
@Suite(.onQueueAndPool)
struct ConditionJoinTests {
  @Test(arguments: [
    RequestCase(
      Book.including(required: praise),
      #"SELECT "book".*, "review".* FROM "book" "#
        + #"JOIN "review" ON ("review"."bookId" = "book"."id") AND ("review"."score" > ?)"#, [3]),
    RequestCase(
      Book.including(optional: praise.filter(Column("body") == "x").order(score.desc)).filter(
        year > 1),
      #"SELECT "book".*, "review".* FROM "book" "#
        + #"LEFT JOIN "review" ON ("review"."bookId" = "book"."id") AND ("review"."score" > ?) "#
        + #"AND ("review"."body" = ?) WHERE "book"."year" > ? ORDER BY "review"."score" DESC"#,
      [3, "x", 1]),
    RequestCase(
      Table("book").joining(
        required: Table("book").association(to: Table("review")) { $1[score] > $0[year] }),
      #"SELECT "book".* FROM "book" JOIN "review" ON "review"."score" > "book"."year""#),
    RequestCase(
      Book.including(
        required: Book.association(to: Table<Review>("review")) { $0.id == $1[bookId] }
          .forKey("r").select(score)),
      #"SELECT "book".*, "review"."score" FROM "book" JOIN "review" "#
        + #"ON "book"."id" = "review"."bookId""#),
    RequestCase(
      Book.including(optional: rating),
      #"SELECT "book".*, "rating".* FROM "book" LEFT JOIN (SELECT "bookId", AVG("score") AS "score" "#
        + #"FROM "review" GROUP BY "bookId") "rating" ON "rating"."bookId" = "book"."id""#),
    RequestCase(
      Book.filter(year > 1).including(
        required: Book.association(
          to: "SELECT \(2) AS n" as SQLRequest<Row>, named: "n"
        ) { $1["n"] < $0[id] }),
      #"SELECT "book".*, "n".* FROM "book" JOIN (SELECT ? AS n) "n" ON "n"."n" < "book"."id" "#
        + #"WHERE "book"."year" > ?"#, [2, 1]),
    RequestCase(
      Table("book").joining(
        required: Table("book").association(
          to: Book.select(id).union(Author.select(id)), named: "ids"
        ) { $0[id] == $1[id] }),
      #"SELECT "book".* FROM "book" JOIN (SELECT "id" FROM "book" UNION SELECT "id" FROM "author") "#
        + #""ids" ON "book"."id" = "ids"."id""#),
    RequestCase(
      Employee.including(
        required: Employee.association(to: Employee.self) { $0[id] < $1[id] }.forKey("other")),
      #"SELECT "employee1".*, "employee2".* FROM "employee" "employee1" "#
        + #"JOIN "employee" "employee2" ON "employee1"."id" < "employee2"."id""#),
    RequestCase(
      Book.joining(optional: rating).joining(optional: rating.forKey("other")),
      #"SELECT "book".* FROM "book" "#
        + #"LEFT JOIN (SELECT "bookId", AVG("score") AS "score" FROM "review" GROUP BY "bookId") "#
        + #""rating1" ON "rating1"."bookId" = "book"."id" "#
        + #"LEFT JOIN (SELECT "bookId", AVG("score") AS "score" FROM "review" GROUP BY "bookId") "#
        + #""rating2" ON "rating2"."bookId" = "book"."id""#),
  ])
  func `conditions and sources`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `aliases on both sides`() throws {
    let book = TableAlias<Book>(name: "b")
    let review = TableAlias<Review>()
    let request = Book.aliased(book)
      .including(required: praise.aliased(review))
      .filter(book[year] > review[score])
      .order(review[score].desc, book[title])
    #expect(
      try sql(of: request).sql
        == #"SELECT "b".*, "review".* FROM "book" "b" JOIN "review" "#
        + #"ON ("review"."bookId" = "b"."id") AND ("review"."score" > ?) "#
        + #"WHERE "b"."year" > "review"."score" ORDER BY "review"."score" DESC, "b"."title""#)
  }

  @Test func `nested joins`() throws {
    let contemporary = Author.association(to: Book.self) { author, book in
      book[year] > author[birthYear]
    }
    let request = Author.including(
      optional: contemporary.including(required: praise).including(optional: rating))
    #expect(
      try sql(of: request).sql
        == #"SELECT "author".*, "book".*, "review".*, "rating".* FROM "author" "#
        + #"LEFT JOIN "book" ON ("book"."year" > "author"."birthYear") AND "#
        + #"(EXISTS (SELECT 1 FROM "review" WHERE ("book"."id" IS NOT NULL) AND "#
        + #"("review"."bookId" = "book"."id") AND ("review"."score" > ?))) "#
        + #"LEFT JOIN "review" ON ("book"."id" IS NOT NULL) AND ("review"."bookId" = "book"."id") "#
        + #"AND ("review"."score" > ?) "#
        + #"LEFT JOIN (SELECT "bookId", AVG("score") AS "score" FROM "review" GROUP BY "bookId") "#
        + #""rating" ON "rating"."bookId" = "book"."id""#)
  }

  struct BookInfo: Decodable, FetchableRecord {
    struct Rating: Decodable {
      var score: Double
    }

    var book: Book
    var review: Review?
    var rating: Rating?
  }

  @Test func `rows are decoded by scope`() throws {
    let request = Book.including(optional: praise).including(optional: rating).order(id)
      .asRequest(of: BookInfo.self)
    try makeBookshopDatabase().read { db throws in
      let infos = try request.fetchAll(db)
      #expect(infos.map(\.book.id) == [1, 2, 3, 4])
      #expect(infos.map(\.review?.body) == ["Splendid", nil, "Dreamy", nil])
      #expect(infos.map(\.rating?.score) == [4, nil, 4, nil])
      let raw = SQLRequest<Row>("SELECT 7 AS x, 8 AS y")
      let row = try Book.including(required: Book.association(to: raw, named: "points"))
        .asRequest(of: Row.self).fetchOne(db)
      #expect(row?.scopes["point"] == ["x": 7, "y": 8])
      #expect(try Book.joining(required: praise).fetchCount(db) == 2)
    }
  }

  @Test func `updates and deletes`() throws {
    try makeBookshopDatabase().write { db throws in
      #expect(try Book.joining(required: praise).updateAll(db, year.set(to: 1)) == 2)
      #expect(try Book.filter(year == 1).fetchSet(db).map(\.id).sorted() == [1, 3])
      try Review.deleteAll(db)
      #expect(try Book.joining(required: tag).deleteAll(db) == 4)
    }
  }

  @Test func `conditions can't be prefetched`() throws {
    let through = Author.hasMany(Review.self, through: Author.books, using: praise)
    #expect(try invalidity(of: sql(of: Author.including(required: through))) == nil)
  }
}

/// Right, full and cross joins.
@Suite(.onQueueAndPool)
struct JoinKindTests {
  @Test(arguments: [
    RequestCase(
      Book.including(right: Book.publisher),
      #"SELECT "book".*, "publisher".* FROM "book" "#
        + #"RIGHT JOIN "publisher" ON "publisher"."id" = "book"."publisherId""#),
    RequestCase(
      Book.joining(full: Book.publisher),
      #"SELECT "book".* FROM "book" FULL JOIN "publisher" ON "publisher"."id" = "book"."publisherId""#
    ),
    RequestCase(
      Book.including(cross: tag),
      #"SELECT "book".*, "tagName".* FROM "book" CROSS JOIN "tagName""#),
    RequestCase(
      Table("book").joining(cross: Table("book").association(to: Table("note")))
        .joining(right: Table("book").association(to: Table("note")).forKey("other")),
      #"SELECT "book".* FROM "book" CROSS JOIN "note" "note1" RIGHT JOIN "note" "note2""#),
    RequestCase(
      Book.joining(right: Book.author.joining(required: Author.books)),
      #"SELECT "book1".* FROM "book" "book1" RIGHT JOIN "author" ON "author"."id" = "book1"."authorId" "#
        + #"JOIN "book" "book2" ON "book2"."authorId" = "author"."id""#),
    RequestCase(
      Review.joining(full: Review.book.joining(optional: Book.author)),
      #"SELECT "review".* FROM "review" FULL JOIN "book" ON "book"."id" = "review"."bookId" "#
        + #"LEFT JOIN "author" ON "author"."id" = "book"."authorId""#),
    RequestCase(
      Review.joining(optional: Review.book.joining(cross: Book.author)),
      #"SELECT "review".* FROM "review" LEFT JOIN "book" ON ("book"."id" = "review"."bookId") "#
        + #"AND (EXISTS (SELECT 1 FROM "author" WHERE "author"."id" = "book"."authorId")) "#
        + #"LEFT JOIN "author" ON "author"."id" = "book"."authorId""#),
    RequestCase(
      Review.joining(right: Review.author),
      #"SELECT "review".* FROM "review" RIGHT JOIN "book" ON "book"."id" = "review"."bookId" "#
        + #"RIGHT JOIN "author" ON "author"."id" = "book"."authorId""#),
  ])
  func `keywords`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test(arguments: [
    ([JoinKind.left, .left], "LEFT"), ([.left, .full], "LEFT"), ([.full, .right], "RIGHT"),
    ([.right, .left], "INNER"), ([.full, .inner], "INNER"), ([.right, .cross], "INNER"),
    ([.cross, .cross], "CROSS"), ([.cross, .left], "INNER"), ([.right, .right], "RIGHT"),
  ])
  func `merged kinds`(kinds: [JoinKind], expected: String) {
    let merged = kinds.dropFirst().reduce(kinds[0]) { $0.merged(with: $1) }
    #expect("\(merged)".uppercased() == expected)
  }

  struct Pair: Decodable, FetchableRecord {
    var book: Book?
    var publisher: Publisher?
  }

  private let city = Book.association(to: Publisher.self) { book, publisher in
    publisher[id] == book[Column("publisherId")] && publisher[Column("city")] == "Turin"
  }

  @Test func `rows of both sides`() throws {
    try makeBookshopDatabase().read { db throws in
      let right = try Book.including(right: city).order(id).asRequest(of: Pair.self).fetchAll(db)
      #expect(right.map(\.book?.title) == [nil, "Left Hand"])
      #expect(right.map(\.publisher?.name) == ["Meridian", "Quayside"])
      let full = try Book.including(full: city).order(id).asRequest(of: Pair.self).fetchAll(db)
      #expect(full.map(\.book?.id) == [nil, 1, 2, 3, 4])
      #expect(full.map(\.publisher?.id) == [1, nil, 2, nil, nil])
      let row = try Book.including(full: city).order(id).asRequest(of: Row.self).fetchOne(db)
      #expect(row?.scopes["book"]?.containsNonNullValue == false)
      #expect(row?.scopes["publisher"]?["name"] == "Meridian")
      #expect(try Book.including(full: city).fetchCount(db) == 5)
      #expect(try Book.including(cross: tag).fetchCount(db) == 8)
      #expect(try Book.joining(right: city).fetchCount(db) == 2)
    }
  }

  @Test(arguments: [
    RequestCase(
      Book.including(right: turin),
      #"SELECT "book".*, "publisher".* FROM "book" RIGHT JOIN "publisher" "#
        + #"ON ("publisher"."id" = "book"."publisherId") AND ("publisher"."city" = ?) "#
        + #"WHERE "publisher"."city" = ?"#, ["Turin", "Turin"]),
    RequestCase(
      Book.filter(year > 1).joining(full: turin.filter(id > 0)),
      #"SELECT "book".* FROM "book" FULL JOIN "publisher" "#
        + #"ON ("publisher"."id" = "book"."publisherId") AND ("publisher"."city" = ?) "#
        + #"AND ("publisher"."id" > ?) WHERE ("book"."year" > ?) AND "#
        + #"(("publisher"."id" IS NULL) OR (("publisher"."city" = ?) AND ("publisher"."id" > ?)))"#,
      ["Turin", 0, 1, "Turin", 0]),
    RequestCase(
      Book.joining(right: turin).joining(right: Book.author),
      #"SELECT "book".* FROM "book" RIGHT JOIN "publisher" "#
        + #"ON ("publisher"."id" = "book"."publisherId") AND ("publisher"."city" = ?) "#
        + #"RIGHT JOIN "author" ON "author"."id" = "book"."authorId" "#
        + #"WHERE ("publisher"."id" IS NULL) OR ("publisher"."city" = ?)"#, ["Turin", "Turin"]),
    RequestCase(
      Review.joining(right: recentAuthor),
      """
      SELECT "review".* FROM "review" \
      RIGHT JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."year" > ?) \
      RIGHT JOIN "author" ON ("author"."id" = "book"."authorId") \
      AND (("book"."id" IS NULL) OR ("book"."year" > ?)) \
      WHERE ("book"."id" IS NULL) OR ("book"."year" > ?)
      """, [1980, 1980, 1980]),
    RequestCase(
      Book.joining(right: lisbon).joining(right: Book.association(to: Note.self)),
      """
      SELECT "book".* FROM "book" RIGHT JOIN "publisher" \
      ON ("publisher"."id" = "book"."publisherId") AND ("publisher"."city" = ?) \
      RIGHT JOIN "note" ON ("publisher"."id" IS NULL) OR ("publisher"."city" = ?) \
      WHERE ("publisher"."id" IS NULL) OR ("publisher"."city" = ?)
      """, ["Lisbon", "Lisbon", "Lisbon"]),
  ])
  func `filters leave out rows that the join keeps`(_ test: RequestCase) throws {
    try test.check()
  }

  @Test func `rows that a filtered join keeps`() throws {
    try makeBookshopDatabase().read { db throws in
      let right = try Book.including(right: turin).asRequest(of: Pair.self).fetchAll(db)
      #expect(right.map(\.book?.title) == ["Left Hand"])
      #expect(right.map(\.publisher?.name) == ["Quayside"])
      let paris = Book.publisher.filter(Column("city") == "Paris" && id < 1)
      #expect(try Book.including(right: paris).fetchCount(db) == 0)
      let full = Book.including(full: turin).order(id)
      let pairs = try full.asRequest(of: Pair.self).fetchAll(db)
      #expect(pairs.map(\.book?.id) == [1, 2, 3, 4])
      #expect(pairs.map(\.publisher?.id) == [nil, 2, nil, nil])
      #expect(try full.fetchCount(db) == 4)
      // Ana Neves has no book.
      let young = try Row.fetchAll(
        db,
        Book.select(title).including(right: Book.author.filter(birthYear > 1925).select(id))
          .order(id))
      #expect(young.map { $0["title"] as String? } == [nil, "Dispossession", "Left Hand"])
      #expect(young.map { $0.scopes["author"]?["id"] as Int? } == [3, 1, 1])
    }
  }

  /// Books 1 and 2 are older, and are those of author 1. Author 3 has none.
  @Test func `filtered pivots hide no records`() throws {
    try makeBookshopDatabase().read { db throws in
      let right = try Row.fetchAll(db, Review.including(right: recentAuthor.order(id)))
      #expect(right.map { $0["id"] as Int? } == [nil, 3, nil])
      #expect(right.map { $0.scopesTree["author"]?["id"] as Int? } == [1, 2, 3])
      let full = try Row.fetchAll(db, Review.including(full: recentAuthor.order(id)))
      #expect(full.compactMap { $0["id"] as Int? }.sorted() == [1, 2, 3])
      #expect(full.map { $0.scopesTree["author"]?["id"] as Int? } == [nil, nil, 1, 2, 3])
      let book = Review.book.filter(year > 1980).joining(right: Book.author)
      #expect(try Review.joining(right: book).fetchCount(db) == 3)
      let note = Book.association(to: Note.self)
      #expect(try Book.joining(right: lisbon).joining(right: note).fetchCount(db) == 2)
    }
  }

  @Test func `filters that refer to the other side choose pairs`() throws {
    let book = TableAlias<Book>()
    let author = Book.author.filter(id < book[id] && birthYear > 1925).order(id)
    let request = Book.aliased(book).including(right: author)
    try RequestCase(
      request,
      """
      SELECT "book".*, "author".* FROM "book" RIGHT JOIN "author" \
      ON ("author"."id" = "book"."authorId") AND ("author"."id" < "book"."id") \
      AND ("author"."birthYear" > ?) WHERE "author"."birthYear" > ? ORDER BY "author"."id"
      """, [1925, 1925]
    ).check()
    let rows = try makeBookshopDatabase().read { db in try Row.fetchAll(db, request) }
    #expect(rows.map { $0["id"] as Int? } == [2, nil])
    #expect(rows.map { $0.scopes["author"]?["id"] as Int? } == [1, 3])
  }

  @Test func `limited associations keep no rows`() throws {
    let newest = Author.books.order(year.desc).first()
    for request in [Author.including(right: newest), Author.joining(full: newest)] {
      #expect(
        errorText { try sql(of: request) } == """
          The association "book" can't be limited in a right or full join: which rows are \
          the first ones depends on the other side. To fix this error, use a required or optional \
          association. - in request SELECT … FROM "author" …
          """)
    }
  }

  @Test func `filters need columns`() throws {
    let number = Book.association(to: "SELECT 1 AS n" as SQLRequest<Row>, named: "number")
      .filter(Column("n") > 0)
    let message = try invalidity(of: sql(of: Book.joining(full: number)))
    #expect(message?.hasPrefix(#"The association "number" can't be filtered"#) == true)
    #expect(try invalidity(of: sql(of: Book.joining(right: number))) == nil)
  }

  /// The key would be one of a book that is not there.
  @Test func `nothing is prefetched behind right and full joins`() throws {
    let author = Book.author.including(all: Author.books)
    let oneBook = Author.oneBook.including(all: Book.reviews)
    let requests: [QueryInterfaceRequest<Book>] = [
      Book.including(right: author), Book.including(full: author), Book.joining(right: author),
      Book.including(right: Book.author.including(optional: oneBook)),
    ]
    for request in requests {
      let message = try invalidity(of: sql(of: request))
      #expect(
        message == """
          including(all:) can't follow the right or full join of "author": a record that is \
          associated with none of the request has no key there. To fix this error, begin the \
          request with the associated table.
          """)
    }
    let reviewed = Book.including(right: Book.author).including(all: Book.reviews.order(id))
    let rows = try makeBookshopDatabase().read { db in
      try reviewed.order(id).asRequest(of: Row.self).fetchAll(db)
    }
    #expect(rows.map { $0["id"] as Int? } == [nil, 1, 2, 3])
    #expect(
      rows.map { $0.prefetchedRows["reviews"]?.map { $0["id"] as Int } }
        == [[], [1, 2], [], [3]])
  }

  @Test func `missing records are errors`() throws {
    try makeBookshopDatabase().read { db throws in
      let error = errorText { try Book.including(right: city).fetchAll(db) }
      #expect(error?.contains(#"column: "id""#) == true)
    }
  }

  @Test func `the root of a self join is the main row`() throws {
    let manager = Employee.association(to: Employee.self) { $0[Column("managerId")] == $1[id] }
    try makeBookshopDatabase().read { db throws in
      let rows = try Employee.including(full: manager).order(id).asRequest(of: Row.self).fetchAll(
        db)
      #expect(rows.map { $0["name"] as String? } == [nil, nil, "Ada", "Bo", "Cy", "Di"])
      #expect(rows.last?.scopes["employee"]?["name"] == "Bo")
    }
  }

  @Test func `old libraries lack some kinds`() throws {
    #expect(
      try invalidity(
        of: sql(of: Book.joining(right: Book.author), sqliteVersion: SQLiteVersion(3, 38, 5)))
        == "RIGHT JOIN needs SQLite 3.39 or later: the library is SQLite 3.38.5")
    #expect(
      try invalidity(
        of: sql(of: Book.joining(full: Book.author), sqliteVersion: SQLiteVersion(3, 35)))
        == "FULL JOIN needs SQLite 3.39 or later: the library is SQLite 3.35")
    #expect(
      try invalidity(
        of: sql(of: Book.joining(cross: Book.author), sqliteVersion: SQLiteVersion(3, 35))) == nil
    )
  }

  @Test func `required behind full`() throws {
    #expect(
      errorText { try sql(of: Review.joining(full: Review.book.joining(required: Book.author))) }
        == #"The required association "author" can't follow a full join. "#
        + #"To resolve this error, make it optional. - in request SELECT … FROM "review" …"#)
  }
}
