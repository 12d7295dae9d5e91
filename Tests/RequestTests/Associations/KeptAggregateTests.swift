import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let name = Column("name")

/// `select` after `annotated` with aggregates of associations.
@Suite(.onQueueAndPool)
struct KeptAggregateTests {
  private let counted = Author.annotated(with: Author.books.count)
  private let joinedBooks = """
    LEFT JOIN "book" ON "book"."authorId" = "author"."id" GROUP BY "author"."id"
    """

  @Test func `a selection keeps the aggregates, after its own columns`() throws {
    let expected = """
      SELECT "author"."name", COUNT(DISTINCT "book"."id") AS "bookCount" FROM "author" \(joinedBooks)
      """
    #expect(try sql(of: counted.select(name)).sql == expected)
    #expect(try sql(of: counted.select(id).select { $0.name }).sql == expected)
    #expect(try sql(of: counted.annotated(with: id).select([name], as: Row.self)).sql == expected)
    try makeBookshopDatabase().read { db throws in
      let rows = try counted.select(name).order(id).asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["bookCount"] as Int } == [2, 1, 0])
      #expect(rows.map(\.count) == [2, 2, 2])
      let names = try counted.selectWhenConnected { _ in [name] }.order(id)
        .asRequest(of: String.self).fetchAll(db)
      #expect(names == ["Ursula Vernet", "Italo Bassi", "Ana Neves"])
    }
  }

  @Test func `keys, and values that are compared, are selected alone`() throws {
    let prefix = #"SELECT "author"."id" FROM "author" "#
    #expect(try sql(of: counted.selectPrimaryKey(as: Int64.self)).sql == prefix + joinedBooks)
    #expect(try sql(of: counted.selectID()).sql == prefix + joinedBooks)
    try makeBookshopDatabase().read { db throws in
      let ids = counted.having(Author.books.count > 1).select(id)
      let books = Book.filter(ids.contains(Column("authorId"))).order(id)
      #expect(try books.fetchAll(db).map(\.id) == [1, 2])
      #expect(
        try Book.filter(Column("authorId") == ids).order(id).fetchAll(db).map(\.id) == [1, 2])
    }
  }

  /// By the column `birthYear`, author 2 is the first one.
  @Test func `names of aggregates keep their meaning where values are compared`() throws {
    let fewest = Author.annotated(with: Author.books.count.forKey("birthYear"))
      .order(Column("birthYear").detached).limit(1).select(id)
    let frequent = counted.having(Column("bookCount").detached > 1)
      .order(Column("bookCount").detached).select(id)
    let prefix = #"SELECT * FROM "author" WHERE "id" IN (SELECT "author"."id" FROM "author" "#
    #expect(
      try sql(of: Author.filter(fewest.contains(id))).sql
        == prefix + joinedBooks + #" ORDER BY COUNT(DISTINCT "book"."id") LIMIT 1)"#)
    #expect(
      try sql(of: Author.filter(frequent.contains(id)))
        == RenderedSQL(
          prefix + joinedBooks
            + #" HAVING COUNT(DISTINCT "book"."id") > ? ORDER BY COUNT(DISTINCT "book"."id"))"#,
          [1]))
    try makeBookshopDatabase().read { db throws in
      for (ids, expected) in [(fewest, Int64(3)), (frequent, Int64(1))] {
        let first = try ids.asRequest(of: Int64.self).fetchOne(db)
        #expect(first == expected)
        #expect(try Author.filter(ids.contains(id)).fetchAll(db).map(\.id) == [expected])
        #expect(try Author.filter(id == ids).fetchAll(db).map(\.id) == [expected])
      }
    }
  }
}
