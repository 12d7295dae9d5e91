import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let n = Column("name")
private let t = Column("title")
private let y = Column("year")
private let score = Column("score")

extension Author {
  fileprivate static let latestBook = books.order(y.desc).first()
}

/// The first or last record of a to-many association, as an association to one.
@Suite(.onQueueAndPool)
struct FirstAssociationTests {
  @Test func `joins`() throws {
    #expect(
      try sql(of: Author.including(optional: Author.latestBook)).sql == """
        SELECT "author".*, "book".* FROM "author" LEFT JOIN "book" ON "book"."id" = (\
        SELECT "id" FROM "book" WHERE "authorId" = "author"."id" ORDER BY "year" DESC LIMIT 1)
        """)
  }

  @Test func `conditions after apply to the first record`() throws {
    #expect(
      try sql(
        of: Author.joining(
          required: Author.books.filter(y > 1900).order(y.desc).first().filter(t != "x")))
        == RenderedSQL(
          """
          SELECT "author".* FROM "author" JOIN "book" ON ("book"."id" = (\
          SELECT "id" FROM "book" WHERE ("year" > ?) AND ("authorId" = "author"."id") \
          ORDER BY "year" DESC LIMIT 1)) AND ("book"."title" <> ?)
          """, [1900, "x"]))
  }

  @Test func `without order the primary key orders`() throws {
    #expect(
      try sql(of: Author.joining(required: Author.books.first())).sql == """
        SELECT "author".* FROM "author" JOIN "book" ON "book"."id" = (SELECT "id" FROM "book" \
        WHERE "authorId" = "author"."id" ORDER BY "id" LIMIT 1)
        """)
    #expect(
      try sql(of: Author.joining(required: Author.books.last())).sql == """
        SELECT "author".* FROM "author" JOIN "book" ON "book"."id" = (SELECT "id" FROM "book" \
        WHERE "authorId" = "author"."id" ORDER BY "id" DESC LIMIT 1)
        """)
    #expect(
      try sql(of: Author.joining(required: Author.books.order(y.desc).last())).sql == """
        SELECT "author".* FROM "author" JOIN "book" ON "book"."id" = (SELECT "id" FROM "book" \
        WHERE "authorId" = "author"."id" ORDER BY "year" ASC LIMIT 1)
        """)
  }

  @Test func `the first record behind a first record`() throws {
    // The earliest book of author 1 has no review, that of author 2 has one.
    let reviews = Author.hasMany(
      Review.self, through: Author.books.order(y).first(), using: Book.reviews.order(score))
    try makeBookshopDatabase().read { db throws in
      let rows = try Author.including(optional: reviews.first()).order(Column("id"))
        .asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.scopes["review"]?["id"] as Int? } == [nil, 3, nil])
    }
  }

  @Test func `the first record behind a condition, or behind all records`() throws {
    let ofAll = Author.hasMany(
      Review.self, through: Author.association(to: Book.self), using: Book.reviews)
    let later = Author.association(to: Book.self) { author, book in book["authorId"] > author[id] }
    let ofLater = Author.hasMany(Review.self, through: later, using: Book.reviews)
    try makeBookshopDatabase().read { db throws in
      func firstIDs(_ association: HasManyThroughAssociation<Author, Review>) throws -> [Int?] {
        try Author.including(optional: association.order(id).first()).order(id)
          .asRequest(of: Row.self).fetchAll(db).map { $0.scopes["review"]?["id"] }
      }
      #expect(try firstIDs(ofAll) == [1, 1, 1])
      #expect(try firstIDs(ofLater) == [3, nil, nil])
      let author = try #require(try Author.fetchOne(db, key: 1))
      #expect(
        errorText { try author.request(for: ofLater.order(id).first()).fetchOne(db) }?
          .hasPrefix("The request for the associated records of a record needs a foreign key")
          == true)
    }
  }

  @Test func `indirect associations`() throws {
    #expect(
      try sql(of: Author.including(optional: Author.reviews.order(score.desc).first())).sql == """
        SELECT "author".*, "review".* FROM "author" LEFT JOIN "review" ON "review"."id" = (\
        SELECT "review"."id" FROM "review" JOIN "book" ON ("book"."id" = "review"."bookId") \
        AND ("book"."authorId" = "author"."id") ORDER BY "review"."score" DESC LIMIT 1)
        """)
    let reviews = Author.hasMany(
      Review.self, through: Author.books.order(y.desc), using: Book.reviews.order(score))
    #expect(
      try sql(of: Author.joining(optional: reviews.last())).sql == """
        SELECT "author".* FROM "author" LEFT JOIN "review" ON "review"."id" = (\
        SELECT "review"."id" FROM "review" JOIN "book" ON ("book"."id" = "review"."bookId") \
        AND ("book"."authorId" = "author"."id") \
        ORDER BY "review"."score" DESC, "book"."year" ASC LIMIT 1)
        """)
  }

  /// The source inside does not hide the one outside that it is compared with.
  @Test func `self joins`() throws {
    let boss = TableAlias<Employee>(name: "employee")
    let request = Employee.aliased(boss).including(
      optional: Employee.subordinates.order(n).first())
    #expect(
      try sql(of: request).sql == """
        SELECT "employee".*, "employee1".* FROM "employee" LEFT JOIN "employee" "employee1" \
        ON "employee1"."id" = (SELECT "employee1"."id" FROM "employee" "employee1" \
        WHERE "employee1"."managerId" = "employee"."id" ORDER BY "employee1"."name" LIMIT 1)
        """)
    let database = try makeBookshopDatabase()
    let rows = try database.read { db throws in
      try Employee.including(optional: Employee.subordinates.order(n.desc).first())
        .order(id).asRequest(of: Row.self).fetchAll(db)
    }
    #expect(rows.map { $0.scopes["subordinate"]?["name"] as String? } == ["Cy", "Di", nil, nil])
  }

  @Test func `aliases of the association and of the origin are known inside`() throws {
    let author = TableAlias<Author>()
    let book = TableAlias<Book>()
    let first = Author.books.aliased(book)
      .filter(book[y] > author[Column("birthYear")] + 44).order(y).first()
    let request = Author.aliased(author).joining(required: first).filter(book[t] != "x")
    #expect(
      try sql(of: request)
        == RenderedSQL(
          """
          SELECT "author".* FROM "author" JOIN "book" ON "book"."id" = (SELECT "id" FROM "book" \
          WHERE ("year" > ("author"."birthYear" + ?)) AND ("authorId" = "author"."id") \
          ORDER BY "year" LIMIT 1) WHERE "book"."title" <> ?
          """, [44, "x"]))
    let database = try makeBookshopDatabase()
    #expect(try database.read { db in try request.fetchAll(db).map(\.id) } == [1, 2])
  }

  @Test func `a column that the table lacks is none of the parent`() throws {
    let birthYear = Column("birthYear")
    let book = TableAlias<Book>()
    let young = Author.books.filter(birthYear > 1900).first()
    #expect(
      try sql(of: Author.including(optional: young)).sql == """
        SELECT "author".*, "book".* FROM "author" LEFT JOIN "book" ON "book"."id" = (\
        SELECT "book"."id" FROM "book" WHERE ("book"."birthYear" > ?) \
        AND ("book"."authorId" = "author"."id") ORDER BY "book"."id" LIMIT 1)
        """)
    let database = try makeBookshopDatabase()
    for association in [
      young, Author.books.order(birthYear).first(),
      Author.books.filter(literal: "\(birthYear) > 1900").first(),
      Author.books.aliased(book).filter(book[birthYear] > 1900).first(),
    ] {
      let error = try database.read { db in
        errorText { try Author.joining(required: association).fetchAll(db) }
      }
      #expect(error?.contains("no such column: book.birthYear") == true)
    }
    #expect(
      try sql(of: Author.joining(required: Author.books.order(Column.rowID).first())).sql == """
        SELECT "author".* FROM "author" JOIN "book" ON "book"."id" = (SELECT "id" FROM "book" \
        WHERE "authorId" = "author"."id" ORDER BY "rowid" LIMIT 1)
        """)
  }

  @Test func `compound primary keys`() throws {
    let countries = Table<Country>("country")
    let shelves = countries.hasMany(
      Table("shelf"), key: "shelves", using: ForeignKey(["room"], to: ["code"]))
    #expect(
      try sql(of: countries.including(optional: shelves.order(Column("label")).first())).sql == """
        SELECT "country".*, "shelf".* FROM "country" LEFT JOIN "shelf" \
        ON ("shelf"."room", "shelf"."num") = (SELECT "room", "num" FROM "shelf" \
        WHERE "room" = "country"."code" ORDER BY "label" LIMIT 1)
        """)
  }

  @Test func `annotations`() throws {
    let database = try makeBookshopDatabase()
    let latestTitle = Author.latestBook.select(t.forKey("latestTitle"))
    let rows = try database.read { db throws in
      try Author.annotated(withOptional: latestTitle).order(id).asRequest(of: Row.self).fetchAll(db)
    }
    #expect(
      rows.map { $0["latestTitle"] as String? } == ["Dispossession", "Invisible Towns", nil])
  }

  @Test func `behind and before other associations`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      let request = Book.order(id).including(
        optional: Book.author.including(
          optional: Author.latestBook.forKey("latest").including(optional: Book.publisher)))
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.scopesTree["latest"]?["id"] as Int? } == [1, 1, 3, nil])
      #expect(rows.map { $0.scopesTree["publisher"]?["id"] as Int? } == [1, 1, 1, nil])
      let publisher = Author.hasOne(
        Publisher.self, through: Author.latestBook, using: Book.publisher)
      let authors = Author.joining(required: publisher.filter(n == "Meridian")).order(id)
      #expect(try authors.fetchAll(db).map(\.id) == [1, 2])
      let oldest = Author.hasOne(
        Publisher.self, through: Author.books.order(y).first(), using: Book.publisher)
      let none = Author.joining(required: oldest.filter(n == "Meridian")).order(id)
      #expect(try none.fetchAll(db).map(\.id) == [2])
    }
  }

  @Test func `a required first behind an optional association`() throws {
    let database = try makeBookshopDatabase()
    let old = Author.latestBook.filter(y < 2000)
    let rows = try database.read { db throws in
      try Book.order(id).including(optional: Book.author.including(required: old.forKey("latest")))
        .asRequest(of: Row.self).fetchAll(db)
    }
    #expect(rows.map { $0.scopes["author"]?["id"] as Int? } == [1, 1, nil, nil])
    #expect(rows.map { $0.scopesTree["latest"]?["id"] as Int? } == [1, 1, nil, nil])
  }

  @Test func `prefetches behind it`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      let rows = try Author.order(id)
        .including(optional: Author.latestBook.including(all: Book.reviews.order(id)))
        .asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows.map { $0.prefetchedRows["reviews"]?.map { $0["id"] as Int } } == [[1, 2], [3], []])
      let behind = try Book.order(id).joining(
        optional: Book.author.joining(
          optional: Author.latestBook.including(all: Book.reviews.order(id)))
      ).asRequest(of: Row.self).fetchAll(db)
      #expect(
        behind.map { $0.prefetchedRows["reviews"]?.map { $0["id"] as Int } }
          == [[1, 2], [1, 2], [3], []])
    }
  }

  @Test func `requests for a record`() throws {
    let request = Author(id: 1).request(for: Author.latestBook)
    #expect(
      try sql(of: request)
        == RenderedSQL(
          """
          SELECT * FROM "book" WHERE "id" = (\
          SELECT "id" FROM "book" WHERE "authorId" = ? ORDER BY "year" DESC LIMIT 1)
          """, [1]))
    let database = try makeBookshopDatabase()
    try database.read { db throws in
      #expect(try request.fetchOne(db)?.id == 1)
      #expect(try Author(id: 3).request(for: Author.latestBook).fetchOne(db) == nil)
      #expect(
        try Author(id: 1).request(for: Author.latestBook.filter(y < 1970)).fetchOne(db) == nil)
      #expect(
        try Author(id: 1).request(for: Author.reviews.order(score).first()).fetchOne(db)?.id == 2)
      #expect(try Author(id: 1).request(for: Author.books.order(y).last()).fetchOne(db)?.id == 1)
    }
  }

  @Test func `the same first is merged`() throws {
    let request = Author.including(optional: Author.latestBook).joining(
      required: Author.books.order(t).first())
    #expect(
      try sql(of: request).sql == """
        SELECT "author".*, "book".* FROM "author" JOIN "book" ON "book"."id" = (\
        SELECT "id" FROM "book" WHERE "authorId" = "author"."id" ORDER BY "title" LIMIT 1)
        """)
    #expect(
      try invalidity(
        of: sql(of: Author.joining(required: Author.books).joining(required: Author.latestBook)))
          == """
          The association key "book" is ambiguous. \
          Use the Association.forKey(_:) method in order to disambiguate. One is joined along the \
          foreign key of the schema, from its destination, the other one to its first rows.
          """)
  }

  @Test func `what has no key is refused`() throws {
    let views = Author.hasMany(
      Table("bestseller"), key: "sellers", using: ForeignKey(["authorId"], to: ["id"]))
    #expect(throws: DatabaseError.self) {
      try sql(of: Author.including(optional: views.first()))
    }
    let cte = CommonTableExpression<Void>(named: "c", sql: "SELECT 1 AS a")
    let rows = Author.hasMany(cte, key: "rows", using: ForeignKey(["a"]))
    #expect(
      try invalidity(of: sql(of: Author.with(cte).including(optional: rows.first())))
        == #"The common table expression "c" has no primary key"#)
  }

  @Test func `groups are refused`() throws {
    let counted = Author.books.annotated(with: Book.reviews.count)
    #expect(
      try invalidity(of: sql(of: Author.including(optional: counted.first())))
        == "An association with a GROUP BY clause can't be joined: join a common table expression "
        + "instead")
  }
}
