import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let country = Column("country")
private let y = Column("year")

private let recent = CommonTableExpression<Void>(
  named: "recent", columns: ["aId"], sql: "SELECT 1")
private let recentOfAuthor = Author.association(to: recent) { author, recent in
  recent[Column("aId")] == author[id]
}
private let parisian = recent.association(to: Publisher.self) { _, publisher in
  publisher[Column("city")] == "Paris"
}

/// A required child of an optional join.
@Suite(.onQueueAndPool)
struct RequiredBehindOptionalTests {
  @Test func `the parent tests that the child exists`() throws {
    let request = Review.including(optional: Review.book.including(required: Book.author))
    #expect(
      try sql(of: request).sql == """
        SELECT "review".*, "book".*, "author".* FROM "review" \
        LEFT JOIN "book" ON ("book"."id" = "review"."bookId") AND (EXISTS (\
        SELECT 1 FROM "author" WHERE "author"."id" = "book"."authorId")) \
        LEFT JOIN "author" ON "author"."id" = "book"."authorId"
        """)
  }

  @Test func `filters stand in both places`() throws {
    let author = TableAlias<Author>()
    let request = Review.joining(
      optional: Review.book.filter(y > 1900).joining(
        required: Book.author.aliased(author).filter(country == "FR")
          .filter(author[Column("birthYear")] > 1920)))
    #expect(
      try sql(of: request)
        == RenderedSQL(
          """
          SELECT "review".* FROM "review" \
          LEFT JOIN "book" ON ("book"."id" = "review"."bookId") AND ("book"."year" > ?) AND (EXISTS (\
          SELECT 1 FROM "author" WHERE ("author"."id" = "book"."authorId") \
          AND ("author"."country" = ?) AND ("author"."birthYear" > ?))) \
          LEFT JOIN "author" ON ("author"."id" = "book"."authorId") \
          AND ("author"."country" = ?) AND ("author"."birthYear" > ?)
          """, [1900, "FR", 1920, "FR", 1920]))
  }

  @Test func `the test is nested`() throws {
    let manager = Employee.manager.joining(required: Employee.manager)
    let request = Employee.joining(optional: Employee.manager.joining(required: manager))
    #expect(
      try sql(of: request).sql == """
        SELECT "employee1".* FROM "employee" "employee1" \
        LEFT JOIN "employee" "employee2" ON ("employee2"."id" = "employee1"."managerId") AND (EXISTS (\
        SELECT 1 FROM "employee" "employee3" WHERE ("employee3"."id" = "employee2"."managerId") \
        AND (EXISTS (SELECT 1 FROM "employee" "employee4" \
        WHERE "employee4"."id" = "employee3"."managerId")))) \
        LEFT JOIN "employee" "employee3" ON ("employee3"."id" = "employee2"."managerId") \
        AND (EXISTS (SELECT 1 FROM "employee" "employee4" \
        WHERE "employee4"."id" = "employee3"."managerId")) \
        LEFT JOIN "employee" "employee4" ON "employee4"."id" = "employee3"."managerId"
        """)
  }

  @Test func `an optional child needs no test`() throws {
    let request = Review.joining(optional: Review.book.joining(optional: Book.author))
    #expect(try !sql(of: request).sql.contains("EXISTS"))
  }

  @Test func `a condition without foreign key is guarded`() throws {
    let cte = CommonTableExpression<Void>(named: "c", columns: ["a"], sql: "SELECT 1")
    let anything = Book.association(to: cte)
    let request = Review.with(cte).including(optional: Review.book.including(required: anything))
    #expect(
      try sql(of: request).sql == """
        WITH "c"("a") AS (SELECT 1) SELECT "review".*, "book".*, "c".* FROM "review" \
        LEFT JOIN "book" ON ("book"."id" = "review"."bookId") AND (EXISTS (\
        SELECT 1 FROM "c" WHERE "book"."id" IS NOT NULL)) \
        LEFT JOIN "c" ON "book"."id" IS NOT NULL
        """)
  }

  /// The column that the parent is joined by says whether it is there.
  @Test func `a table expression is guarded by its own condition`() throws {
    let request = Author.with(recent)
      .including(optional: recentOfAuthor.including(required: parisian)).order(id)
    #expect(
      try sql(of: request)
        == RenderedSQL(
          """
          WITH "recent"("aId") AS (SELECT 1) \
          SELECT "author".*, "recent".*, "publisher".* FROM "author" \
          LEFT JOIN "recent" ON ("recent"."aId" = "author"."id") AND (EXISTS (\
          SELECT 1 FROM "publisher" WHERE ("recent"."aId" IS NOT NULL) \
          AND ("publisher"."city" = ?))) \
          LEFT JOIN "publisher" ON ("recent"."aId" IS NOT NULL) AND ("publisher"."city" = ?) \
          ORDER BY "author"."id"
          """, ["Paris", "Paris"]))
    try makeBookshopDatabase().read { db in
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.scopesTree["publisher"]?["id"] as Int64? } == [1, nil, nil])
    }
  }

  @Test func `a condition that a missing parent meets is guarded`() throws {
    let first = recent.association(to: Publisher.self) { recent, _ in recent[Column("aId")] == nil }
    let request = Author.with(recent)
      .joining(optional: recentOfAuthor.joining(required: first))
    #expect(
      try sql(of: request).sql.hasSuffix(
        #"ON ("recent"."aId" IS NOT NULL) AND ("recent"."aId" IS NULL)"#))
  }

  @Test func `a comparison with the parent needs no guard`() throws {
    let later = recent.association(to: Publisher.self) { $0[Column("aId")] < $1[id] }
    let request = Author.with(recent)
      .joining(optional: recentOfAuthor.joining(required: later))
    #expect(try !sql(of: request).sql.contains("NOT NULL"))
  }

  @Test func `conditions that no null meets need no guard`() throws {
    let aId = Column("aId")
    let conditions: [JoinAssociation<Void, Publisher>.Condition] = [
      { recent, publisher in publisher[id].between(recent[aId], and: 9) },
      { recent, _ in recent[aId].collating(.nocase) == "1" },
      { recent, _ in [1, 2].contains(recent[aId]) },
      { recent, _ in recent[aId].like("1%") },
    ]
    for condition in conditions {
      let other = recent.association(to: Publisher.self, on: condition)
      let request = Author.with(recent)
        .joining(optional: Author.association(to: recent).joining(required: other))
      #expect(try !sql(of: request).sql.contains("NOT NULL"))
    }
  }

  @Test func `a parent without a column to test is refused`() throws {
    let anything = Author.association(to: recent)
    let request = Author.with(recent)
      .joining(optional: anything.joining(required: parisian))
    #expect(
      try invalidity(of: sql(of: request)) == #"Can't test the existence of a row of "recent""#)
  }

  @Test func `a table function is guarded`() throws {
    let list = TableFunction<Row>("json_each", "[1]")
    let parisian = list.association(to: Publisher.self) { _, publisher in
      publisher[Column("city")] == "Paris"
    }
    let request = Author.including(
      optional: Author.association(to: list).filter(Column("value") == 2)
        .including(required: parisian))
    try makeBookshopDatabase().read { db in
      let rows = try request.order(id).asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.scopesTree["publisher"]?["id"] as Int64? } == [nil, nil, nil])
    }
  }

  /// Compares the rows with those of the parenthesised join.
  @Test func `the rows are those of an inner join behind a left join`() throws {
    let database = try makeBookshopDatabase()
    try database.write { db in
      try db.execute(sql: "INSERT INTO review VALUES (4, 4, 1, NULL), (5, NULL, 2, NULL)")
    }
    let french = Book.author.filter(country == "FR")
    let request = Review.select(id)
      .including(
        optional: Review.book.select(id).including(required: french.select(id))
          .including(optional: Book.publisher.select(id))
      )
      .order(id)
    try database.read { db in
      let expected = try Row.fetchAll(
        db,
        sql: """
          SELECT review.id, book.id, author.id, publisher.id FROM review
          LEFT JOIN (book JOIN author ON author.id = book.authorId AND author.country = 'FR'
            LEFT JOIN publisher ON publisher.id = book.publisherId)
          ON book.id = review.bookId
          ORDER BY review.id
          """)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows.map { Array($0.unadapted.databaseValues) } == expected.map { Array($0.databaseValues) }
      )
      #expect(rows.count == 5)
      #expect(rows[0].scopesTree["author"]?["id"] as Int64? == 1)
      #expect(rows[2].scopesTree["author"]?.containsNonNullValue == false)
    }
  }

  @Test func `nothing is materialised`() throws {
    let database = try makeBookshopDatabase()
    let request = Review.filter(key: 1)
      .including(optional: Review.book.including(required: Book.author))
    try database.read { db in
      let text = try sql(of: request)
      let plan = try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(text.sql)", arguments: text.arguments)
      let steps = plan.map { $0["detail"] as String }
      #expect(!steps.contains { $0.contains("MATERIALIZE") || $0.hasPrefix("SCAN") }, "\(steps)")
    }
  }
}
