import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let y = Column("year")
private let authorId = Column("authorId")

private let recent = CommonTableExpression<Void>(
  named: "recent", request: Book.select(id, authorId).filter(y > 1970))

private let recentOfAuthor = Author.association(to: recent) { author, recent in
  author[id] == recent[authorId]
}

/// Associations from and to common table expressions.
@Suite(.onQueueAndPool)
struct JoinAssociationTests {
  private let definition =
    #"WITH "recent" AS (SELECT "id", "authorId" FROM "book" WHERE "year" > ?) "#

  @Test func `conditions are written as they are`() throws {
    #expect(
      try sql(of: Author.with(recent).including(required: recentOfAuthor))
        == RenderedSQL(
          definition + """
            SELECT "author".*, "recent".* FROM "author" \
            JOIN "recent" ON "author"."id" = "recent"."authorId"
            """, [1970]))
    #expect(
      try sql(of: Author.with(recent).joining(optional: recentOfAuthor.filter(id > 1)))
        == RenderedSQL(
          definition + """
            SELECT "author".* FROM "author" \
            LEFT JOIN "recent" ON ("author"."id" = "recent"."authorId") AND ("recent"."id" > ?)
            """, [1970, 1]))
  }

  @Test func `conditions are optional`() throws {
    let association = Author.association(to: recent)
    #expect(
      try sql(of: Author.joining(required: association)).sql
        == #"SELECT "author".* FROM "author" JOIN "recent""#)
    #expect(
      try sql(of: Author.joining(required: association.filter(id > 1))).sql
        == #"SELECT "author".* FROM "author" JOIN "recent" ON "recent"."id" > ?"#)
  }

  @Test func `the same expression under two keys`() throws {
    let request = Author.joining(required: recentOfAuthor)
      .joining(required: recentOfAuthor.forKey("other"))
    #expect(
      try sql(of: request).sql == """
        SELECT "author".* FROM "author" \
        JOIN "recent" "recent1" ON "author"."id" = "recent1"."authorId" \
        JOIN "recent" "recent2" ON "author"."id" = "recent2"."authorId"
        """)
  }

  @Test func `chains`() throws {
    enum CTE1 {}
    enum CTE2 {}
    let cte1 = CommonTableExpression<CTE1>(named: "cte1", sql: "SELECT 1 AS a")
    let cte2 = CommonTableExpression<CTE2>(named: "cte2", sql: "SELECT 1 AS b")
    let toCTE1 = Book.association(to: cte1) { $0[id] == $1[Column("a")] }
    let toCTE2 = cte1.association(to: cte2) { $0[Column("a")] == $1[Column("b")] }
    let toAuthor = cte2.association(to: Author.self) { $0[Column("b")] == $1[id] }
    let request = Book.with(cte1).with(cte2)
      .joining(required: toCTE1.joining(required: toCTE2.joining(required: toAuthor)))
    #expect(
      try sql(of: request).sql == """
        WITH "cte1" AS (SELECT 1 AS a), "cte2" AS (SELECT 1 AS b) SELECT "book".* FROM "book" \
        JOIN "cte1" ON "book"."id" = "cte1"."a" JOIN "cte2" ON "cte1"."a" = "cte2"."b" \
        JOIN "author" ON "cte2"."b" = "author"."id"
        """)
  }

  @Test func `definitions of associations are lifted`() throws {
    #expect(
      try sql(of: Author.joining(required: recentOfAuthor.with(recent))).sql
        == definition + """
          SELECT "author".* FROM "author" JOIN "recent" ON "author"."id" = "recent"."authorId"
          """)
  }

  @Test func `a name of joined requests has one definition`() throws {
    let old = CommonTableExpression<Void>(
      named: "RECENT", request: Book.select(id, authorId).filter(y > 1900))
    let requests = [
      Author.with(recent).joining(required: recentOfAuthor.with(old)),
      Author.joining(required: recentOfAuthor.with(recent))
        .joining(required: recentOfAuthor.with(old).forKey("old")),
    ]
    for request in requests {
      let error = try invalidity(of: sql(of: request))
      #expect(
        error == """
          Two joined requests define different table expressions named "RECENT". To fix this \
          error, give one of them another name.
          """)
    }
    #expect(
      try sql(of: Author.with(recent).joining(required: recentOfAuthor.with(recent))).sql
        == definition + """
          SELECT "author".* FROM "author" JOIN "recent" ON "author"."id" = "recent"."authorId"
          """)
  }

  @Test func `an association that is joined twice has the later definition`() throws {
    let old = CommonTableExpression<Void>(
      named: "recent", request: Book.select(id, authorId).filter(y > 1900))
    let request = Author.joining(required: recentOfAuthor.with(recent))
      .joining(required: recentOfAuthor.with(old))
    #expect(
      try sql(of: request)
        == RenderedSQL(
          definition + """
            SELECT "author".* FROM "author" JOIN "recent" ON "author"."id" = "recent"."authorId"
            """, [1900]))
  }

  @Test func `definitions are compared also where the SQL of a request is remembered`() throws {
    func since(_ year: Int) -> CommonTableExpression<Void> {
      CommonTableExpression(
        named: "recent", request: Book.select(id, authorId).filter(y > year))
    }
    try makeBookshopDatabase().read { db throws in
      for (year, count) in [(1960, 3), (1970, 2), (2000, 1), (1960, 3)] {
        let author = Author.with(since(year))
        let request = author.joining(required: recentOfAuthor.with(since(year)))
        #expect(try request.fetchCount(db) == count)
        let conflict = author.joining(required: recentOfAuthor.with(since(year + 1)))
        let error = errorText { try conflict.fetchCount(db) }
        #expect(error?.contains("define different table expressions") == true)
      }
    }
  }

  @Test func `rows`() throws {
    let database = try makeBookshopDatabase()
    try database.read { db in
      let rows = try Author.with(recent).including(optional: recentOfAuthor).order(id)
        .asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.scopes["recent"]?["id"] as Int64? } == [1, 3, nil])
      #expect(rows[0].scopes["recent"].map { Array($0.columnNames) } == ["id", "authorId"])
    }
  }

  /// Also in requests that differ by their values only, whose SQL is remembered.
  @Test func `associations with one key have one condition`() throws {
    func late(_ year: Int) -> JoinAssociation<Author, Book> {
      Author.association(to: Book.self) { $1[authorId] == $0[id] && $1[y] > year }
    }
    let copy = CommonTableExpression<Book>(named: "copy", request: Book.all())
    func books(_ year: Int) -> HasManyAssociation<Author, Book> {
      Author.hasMany(copy, key: "books") { $0[id] == $1[authorId] && $1[y] > year }
    }
    let mistake = "along different conditions"
    try makeBookshopDatabase().read { db throws in
      for (year, count) in [(1960, 3), (1970, 2), (2000, 1), (1960, 3)] {
        let request = Author.joining(required: late(year)).joining(optional: late(year))
        #expect(try request.fetchCount(db) == count)
        let conflict = Author.joining(required: late(year)).joining(optional: late(year + 1))
        let error = errorText { try conflict.fetchCount(db) }
        #expect(error?.contains(mistake) == true)
      }
      let prefetch = Author.with(copy).including(all: books(1960)).including(all: books(1970))
      let error = errorText { try prefetch.asRequest(of: Row.self).fetchAll(db) }
      #expect(error?.contains(mistake) == true)
    }
  }

  @Test func `mistakes in definitions are reported`() throws {
    let database = try makeBookshopDatabase()
    let cte = CommonTableExpression<Void>(named: "c", sql: "SELECT nope")
    let good = CommonTableExpression<Void>(named: "c", sql: "SELECT 1")
    try database.read { db in
      #expect(throws: DatabaseError.self) {
        try Author.with(cte).including(required: Author.association(to: cte)).fetchAll(db)
      }
      let row = try Author.with(good).including(required: Author.association(to: good))
        .asRequest(of: Row.self).fetchOne(db)
      #expect(row?.scopes["c"]?.count == 1)
    }
  }

}
