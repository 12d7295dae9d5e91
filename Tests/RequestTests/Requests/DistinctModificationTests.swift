import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let id = Column("id")

@Suite(.onQueueAndPool)
struct DistinctModificationTests {
  private let birthYear = Column("birthYear")
  private let writers = Author.joining(required: Author.books).distinct().order(id)

  @Test func `the limit counts distinct rows`() throws {
    #expect(
      try updateSQL(of: writers.limit(2), [birthYear.set(to: 1)]).sql == """
        UPDATE "author" SET "birthYear" = ? WHERE "id" IN (SELECT DISTINCT "author"."id" \
        FROM "author" JOIN "book" ON "book"."authorId" = "author"."id" \
        ORDER BY "author"."id" LIMIT 2)
        """)
    let deletion = """
      DELETE FROM "author" WHERE "id" IN (SELECT DISTINCT "author"."id" \
      FROM "author" JOIN "book" ON "book"."authorId" = "author"."id" \
      ORDER BY "author"."id" LIMIT 1)
      """
    for request in [
      writers.select(id, Column("name")), writers.select(.allColumns(excluding: ["name"])),
    ] {
      #expect(try deleteSQL(of: request.limit(1)).sql == deletion)
    }
    #expect(try deleteSQL(of: writers.selectPrimaryKey(as: Int64.self).limit(1)).sql == deletion)
    try makeBookshopDatabase().write { db throws in
      #expect(try writers.limit(2).fetchAll(db).map(\.id) == [1, 2])
      #expect(try writers.limit(2).updateAll(db, birthYear.set(to: 1)) == 2)
      #expect(try Author.order(id).fetchAll(db).map(\.birthYear) == [1, 1, 1951])
    }
  }

  @Test func `joins to one row repeat nothing`() throws {
    let request = Book.including(required: Book.author).distinct().limit(1)
    #expect(
      try updateSQL(of: request, [y.set(to: 1)]).sql == """
        UPDATE "book" SET "year" = ? WHERE "id" IN (SELECT "book"."id" FROM "book" \
        JOIN "author" ON "author"."id" = "book"."authorId" LIMIT 1)
        """)
  }

  @Test func `rows of several tables are refused`() throws {
    let book = TableAlias<Book>()
    let requests: [QueryInterfaceRequest<Author>] = [
      Author.including(required: Author.books).distinct().limit(2),
      Author.annotated(withRequired: Author.books).distinct().limit(2),
      Author.joining(required: Author.books.aliased(book))
        .annotated(with: book[t].forKey("bookTitle")).distinct().limit(2),
      writers.select(Column("name")).limit(2), writers.select(sql: "author.id").limit(2),
    ]
    for request in requests {
      let message = try invalidity(of: updateSQL(of: request, [birthYear.set(to: 1)]))
      #expect(
        message?.hasPrefix("Can't update a limited number of distinct rows") == true,
        "\(message ?? "")")
    }
    let author = TableAlias<Author>()
    let titles = Book.joining(required: Book.author.aliased(author)).select(t).distinct()
    #expect(
      try invalidity(of: updateSQL(of: titles.limit(1), [y.set(to: author[birthYear])]))?
        .hasPrefix("Can't update a limited number of distinct rows") == true)
  }
}
