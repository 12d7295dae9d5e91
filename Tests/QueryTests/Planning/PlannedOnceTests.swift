import QuarryTestSupport
import Testing

@testable import Quarry

/// Queries inside others are planned once for each preparation.
@Suite(.onQueueAndPool)
struct PlannedOnceTests {
  private let calls = Log<String>()

  private func recent(_ name: String) -> QueryInterfaceRequest<Book> {
    let calls = calls
    return Book.all().filterWhenConnected { _ in
      calls.append(name)
      return Column("year") > 1970
    }
  }

  private func fetchCount(_ request: some FetchRequest<Author>) throws -> Int {
    try makeBookshopDatabase().read { db throws in try Author.fetchAll(db, request).count }
  }

  @Test func `a subquery in a condition is planned once`() throws {
    let request = Author.filter(
      recent("subquery").select(Column("authorId")).contains(Column("id")))
    _ = try fetchCount(request)
    #expect(calls.elements == ["subquery"])
  }

  @Test func `a table expression whose columns are counted is planned once`() throws {
    let cte = CommonTableExpression<Void>(
      named: "recent", request: recent("definition").select(Column("authorId"), Column("title")))
    let association = Author.association(to: cte) { author, book in
      book[Column("authorId")] == author[Column("id")]
    }
    _ = try fetchCount(Author.with(cte).including(required: association))
    #expect(calls.elements == ["definition"])
  }

  @Test func `the members of a compound are planned once`() throws {
    let request = Author.filter(
      recent("first").select(Column("authorId"))
        .union(recent("second").select(Column("publisherId")).withStableOrder())
        .contains(Column("id")))
    _ = try fetchCount(request)
    #expect(calls.elements == ["first", "second"])
  }

  @Test func `a query is closed by planning`() throws {
    let context = PlanningContext(schema: LiteralSchemaReader.bookshop)
    let alias = TableAlias<Author>()
    let request = Author.aliased(alias).filter(key: 1).filter(alias.exists)
      .filter(Book.select(Column("authorId")).contains(Column("id")))
      .orderByPrimaryKey().withStableOrder()
    let plan = try Planner.plan(request.relation, in: context)
    #expect(plan.root.keyColumn == "id")
    for case .expression(let expression) in plan.root.filters { #expect(!expression.isOpen) }
    for case .ordering(let ordering) in plan.root.ordering.terms { #expect(!ordering.isOpen) }
    #expect(!plan.root.ordering.isStable)
    #expect(
      try SQLWriter.write(select: plan, in: context).sql == """
        SELECT * FROM "author" WHERE ("id" = ?) AND ("id" IS NOT NULL) \
        AND ("id" IN (SELECT "authorId" FROM "book")) ORDER BY "id", "id"
        """)
  }
}
