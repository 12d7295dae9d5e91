import QuarryMigrations
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let title = Column("title")
private let price = Column("price")
private let year = Column("year")
private let name = Column("name")

private struct Offer: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "offer"
  var bookId: Int64
  var price: Double
}

extension Book {
  fileprivate static let offer = association(to: Offer.self) { $1["bookId"] == $0["id"] }
}

private func withOffers<T>(_ body: (Database) throws -> T) throws -> T {
  try makeBookshopDatabase().write { db throws in
    try db.execute(
      sql: """
        CREATE TABLE offer (bookId INTEGER, price DOUBLE);
        INSERT INTO offer VALUES (1, 5), (3, 7);
        """)
    return try body(db)
  }
}

/// `UPDATE … FROM`
@Suite(.onQueueAndPool)
struct UpdateFromTests {
  private let author = TableAlias<Author>()
  private let offer = TableAlias<Offer>()

  private var offered: QueryInterfaceRequest<Book> {
    Book.joining(required: Book.offer.aliased(offer))
  }

  @Test func `values of a joined source`() throws {
    #expect(
      try updateSQL(
        of: Book.joining(required: Book.author.aliased(author)).filter(year > 1970),
        [title.set(to: author[name]), price += 1])
        == RenderedSQL(
          """
          UPDATE "book" SET "title" = "author"."name", "price" = "book"."price" + ? FROM "author" \
          WHERE ("author"."id" = "book"."authorId") AND ("book"."year" > ?)
          """, [1, 1970]))
    let publisher = TableAlias<Publisher>()
    #expect(
      try updateSQL(
        of: Book.joining(required: Book.author.aliased(author).filter(id > 1))
          .joining(required: Book.publisher.aliased(publisher)),
        [title.set(to: author[name] + publisher[name])], returning: [id])
        == RenderedSQL(
          """
          UPDATE "book" SET "title" = "author"."name" + "publisher"."name" \
          FROM "author" JOIN "publisher" \
          WHERE ("author"."id" = "book"."authorId") AND ("author"."id" > ?) \
          AND ("publisher"."id" = "book"."publisherId") RETURNING "id"
          """, [1]))
  }

  /// SQLite would take them for columns of the updated table.
  @Test func `values of a joined source are not returned`() throws {
    let book = TableAlias<Book>()
    let request = Book.aliased(book).joining(required: Book.author.aliased(author))
    let assignments = [title.set(to: author[name])]
    let text: SQL = "\(author["id"]) + 1"
    let selections: [any SQLSelectable] = [author[id], author[name].forKey("author"), text]
    for selection in selections {
      let message = try invalidity(
        of: updateSQL(of: request, assignments, returning: [id, selection]))
      #expect(
        message == """
          An update can't return values of the association "author": SQLite returns those of the \
          updated table only. To fix this error, fetch the associated rows in a request of their \
          own.
          """)
    }
    #expect(
      try updateSQL(of: request, assignments, returning: [book[id]]).sql == """
        UPDATE "book" SET "title" = "author"."name" FROM "author" \
        WHERE "author"."id" = "book"."authorId" RETURNING "id"
        """)
  }

  @Test func `sources behind a joined source`() throws {
    let deep = Review.joining(required: Review.book.joining(required: Book.author.aliased(author)))
    #expect(
      try updateSQL(of: deep, [Column("body").set(to: author[name])]).sql == """
        UPDATE "review" SET "body" = "author"."name" FROM "book" JOIN "author" \
        WHERE ("book"."id" = "review"."bookId") AND ("author"."id" = "book"."authorId")
        """)
    let optional = Review.joining(
      required: Review.book.joining(optional: Book.author.aliased(author)))
    #expect(
      try updateSQL(of: optional, [Column("body").set(to: author[name])]).sql == """
        UPDATE "review" SET "body" = "author"."name" FROM "book" \
        LEFT JOIN "author" ON "author"."id" = "book"."authorId" \
        WHERE "book"."id" = "review"."bookId"
        """)
  }

  @Test func `a table that is joined to itself`() throws {
    let manager = TableAlias<Employee>()
    let request = Employee.joining(required: Employee.manager.aliased(manager))
    #expect(
      try updateSQL(of: request, [name.set(to: manager[name])]).sql == """
        UPDATE "employee" AS "employee1" SET "name" = "employee2"."name" \
        FROM "employee" "employee2" WHERE "employee2"."id" = "employee1"."managerId"
        """)
    try makeBookshopDatabase().write { db throws in
      #expect(try request.updateAll(db, [name.set(to: manager[name])]) == 3)
      #expect(
        try Employee.order(id).select(name, as: String.self).fetchAll(db)
          == ["Ada", "Ada", "Ada", "Bo"])
    }
  }

  @Test func `a table with an alias`() throws {
    let books = Book.aliased(TableAlias(name: "b")).filter(sql: "b.id < 3")
    try makeBookshopDatabase().write { db throws in
      #expect(try books.updateAll(db, [price.set(to: 1)]) == 2)
      #expect(try Review.aliased(TableAlias(name: "r")).filter(sql: "r.id < 3").deleteAll(db) == 2)
    }
  }

  @Test func `other requests keep their statement`() throws {
    let request = Book.joining(required: Book.author.aliased(author))
    #expect(
      try updateSQL(of: request, [price.set(to: 1)]).sql.contains(#"WHERE "id" IN (SELECT"#))
  }

  @Test func `rows`() throws {
    try withOffers { db throws in
      for percent in [50.0, 10, 100] {
        let count = try offered.updateAll(db, [price.set(to: offer["price"] * percent / 100)])
        #expect(count == 2)
        #expect(
          try Book.order(id).fetchAll(db).map(\.price)
            == [5 * percent / 100, 9, 7 * percent / 100, nil])
      }
      let updated = try offered.filter(id < 3).updateAndFetchAll(
        db, [price.set(to: offer["price"])])
      #expect(updated.map(\.id) == [1])
      #expect(updated.map(\.price) == [5])
    }
  }

  @Test func `a grouped request and a table function as sources`() throws {
    struct Total: Decodable, FetchableRecord {}
    try withOffers { db throws in
      let total = TableAlias<Review>()
      let scores = Review.select(Column("bookId"), sum(Column("score")).forKey("total"))
        .group(Column("bookId"))
      let association = Book.association(to: scores, named: "scores") { $0["id"] == $1["bookId"] }
      #expect(
        try Book.joining(required: association.aliased(total))
          .updateAll(db, [year.set(to: total["total"])]) == 2)
      #expect(try Book.order(id).fetchAll(db).map(\.year) == [8, 1969, 4, nil])
      let element = TableAlias<Row>()
      let json = #"{"1": 11, "4": 44}"#
      let values = Book.association(to: TableFunction("json_each", json)) {
        $0["id"].collating(.binary) == cast($1["key"], as: .integer)
      }
      #expect(
        try Book.joining(required: values.aliased(element))
          .updateAll(db, [year.set(to: element["value"])]) == 2)
      #expect(try Book.order(id).fetchAll(db).map(\.year) == [11, 1969, 4, 44])
    }
  }

  @Test func `a common table expression and a trigger`() throws {
    try withOffers { db throws in
      let half = CommonTableExpression<Offer>(
        named: "half",
        request: Offer.select(Column("bookId"), (Column("price") / 2).forKey("price")))
      let association = Book.association(to: half) { $0["id"] == $1["bookId"] }
      #expect(
        try Book.with(half).joining(required: association.aliased(offer))
          .updateAll(db, [price.set(to: offer["price"])]) == 2)
      #expect(try Book.order(id).fetchAll(db).map(\.price) == [2.5, 9, 3.5, nil])
      try db.create(trigger: "follow", .after, .insert, on: "offer") { t in
        t.update(offered.filter(id == t.new["bookId"]), [price.set(to: offer["price"])])
      }
      try Offer(bookId: 2, price: 1).insert(db)
      #expect(try Book.order(id).fetchAll(db).map(\.price) == [2.5, 1, 3.5, nil])
    }
  }

  @Test func `some rows`() throws {
    let request = Book.joining(required: Book.author.aliased(author).filter(id < 4))
      .filter(price > 2).order(author[name].desc, id).limit(2, offset: 1)
    #expect(
      try updateSQL(of: request, [title.set(to: author[name])])
        == RenderedSQL(
          """
          UPDATE "book" SET "title" = "author"."name" FROM "author" \
          WHERE ("author"."id" = "book"."authorId") AND ("author"."id" < ?) AND ("book"."price" > ?) \
          AND ("book"."id" IN (SELECT "book"."id" FROM "book" \
          JOIN "author" ON ("author"."id" = "book"."authorId") AND ("author"."id" < ?) \
          WHERE "book"."price" > ? ORDER BY "author"."name" DESC, "book"."id" LIMIT 2 OFFSET 1))
          """, [4, 2, 4, 2]))
    for context in 0...9 {
      try makeBookshopDatabase().write { db throws in
        // Rows in memory say which ones are meant.
        let rows = Book.joining(required: Book.author.aliased(author))
          .annotated(with: author[name].forKey("author")).order(author[name].desc, id)
          .limit(context % 4, offset: context / 4)
        let expected = try Row.fetchAll(db, rows).map { row -> String in
          let (id, name): (Int64, String) = (row["id"], row["author"])
          return "\(id) \(name)"
        }
        let before = try Book.order(id).fetchAll(db)
        #expect(try rows.updateAll(db, [title.set(to: author[name])]) == expected.count)
        let after = try Book.order(id).fetchAll(db)
        let changed = zip(before, after).filter { $0.title != $1.title }
        #expect(
          changed.map { "\($1.id) \($1.title ?? "")" }.sorted() == expected.sorted(), "\(context)")
      }
    }
  }

  @Test func `some rows of a table that is joined to itself, with names`() throws {
    let manager = TableAlias<Employee>(name: "boss")
    let request = Employee.aliased(TableAlias(name: "e"))
      .joining(required: Employee.manager.aliased(manager)).order(id.desc).limit(1)
    try makeBookshopDatabase().write { db throws in
      #expect(try request.updateAll(db, [name.set(to: manager[name])]) == 1)
      #expect(
        try Employee.order(id).select(name, as: String.self).fetchAll(db)
          == ["Ada", "Bo", "Cy", "Bo"])
    }
  }

  @Test func `an observation`() async throws {
    let database = try makeBookshopDatabase()
    var names = ValueObservation.tracking {
      try Book.order(id).select(title, as: String.self).fetchAll($0)
    }.values(in: database).makeAsyncIterator()
    #expect(try await names.next()?.first == "Dispossession")
    try await database.write { [author] db in
      _ = try Book.joining(required: Book.author.aliased(author)).filter(id == 1)
        .updateAll(db, [title.set(to: author[name])])
    }
    #expect(try await names.next()?.first == "Ursula Vernet")
  }

  private func text(
    _ request: QueryInterfaceRequest<Book>, _ assignments: [ColumnAssignment]
  ) throws -> String {
    try #require(errorText { try withOffers { try request.updateAll($0, assignments) } })
  }

  @Test func `requests without an update`() throws {
    let optional = Book.joining(optional: Book.offer.aliased(offer))
    let assignments = [price.set(to: offer["price"])]
    #expect(
      try text(optional, assignments).contains(
        "The values of an update can't come from the optional association \"offer\""))
    for request in [offered.limit(1), offered.groupByPrimaryKey()] {
      #expect(
        try text(request, assignments).contains(
          "if its request is grouped, or limited and joined to many rows"))
    }
    let all = Book.association(to: Offer.self)
    #expect(
      try text(Book.joining(required: all.aliased(offer)), assignments).contains(
        "The values of an update can't come from the association \"offer\", which has no condition")
    )
    // Also behind another one
    #expect(
      try text(offered.joining(required: all.forKey("any")), assignments).contains(
        "The values of an update can't come from the association \"any\", which has no condition"))
    #expect(
      try text(Book.all(), assignments).contains("TableAlias"))
    #expect(
      try text(offered, [price.set(to: offer["prize"])]).contains("no such column: offer.prize"))
  }
}
