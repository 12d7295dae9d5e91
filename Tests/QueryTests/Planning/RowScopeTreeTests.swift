import QuarryTestSupport
import Testing

@testable import Quarry

private let n = Column("name")

/// The layout of the rows of joined requests.
struct RowScopeTreeTests {
  private func tree(
    _ request: QueryInterfaceRequest<some Any>, columnCount: Int = 0
  ) throws -> RowScopeTree? {
    let counter = Counter(columnCount)
    let context = PlanningContext(
      schema: LiteralSchemaReader.bookshop, connection: counter)
    return try Planner.plan(request.relation, in: context).rowScopes(in: context)
  }

  /// Counts the columns of all queries that are written by hand alike.
  private final class Counter: ConnectionFacts {
    private let count: Int

    init(_ count: Int) {
      self.count = count
    }

    func columnNames(of query: any PlannedQuery) throws -> [String] {
      Array(repeating: "c", count: count)
    }

    func checkUpdate(of rows: Relation, _ assignments: [ColumnAssignment]) {}

    func isAggregate(function name: String, argumentCount: Int) throws -> Bool? { nil }

    var maximumStatementArgumentCount: Int { SQLWriter.defaultArgumentLimit }
  }

  @Test func `included associations are scopes`() throws {
    let tree = try tree(
      Review.including(
        required: Review.book.including(required: Book.author).including(optional: Book.publisher)
      ).including(required: Review.author.forKey("writer")))
    #expect(
      tree
        == RowScopeTree(
          range: 0..<4,
          scopes: [
            .init(
              name: "book",
              tree: RowScopeTree(
                range: 4..<10,
                scopes: [
                  .init(name: "author", tree: RowScopeTree(range: 10..<14)),
                  .init(name: "publisher", tree: RowScopeTree(range: 14..<17)),
                  .init(name: "writer", tree: RowScopeTree(range: 17..<21)),
                ]))
          ]))
  }

  @Test func `empty scopes lead to their children`() throws {
    #expect(
      try tree(Review.including(optional: Review.author))
        == RowScopeTree(
          range: 0..<4,
          scopes: [
            .init(
              name: "book",
              tree: RowScopeTree(
                range: 4..<4, scopes: [.init(name: "author", tree: RowScopeTree(range: 4..<8))]))
          ]))
  }

  @Test func `joined associations are no scopes`() throws {
    #expect(try tree(Book.all()) == nil)
    #expect(try tree(Book.joining(required: Book.author)) == nil)
    #expect(try tree(Author.annotated(with: Author.books.count)) == nil)
    #expect(
      try tree(Book.joining(required: Book.author).including(optional: Book.publisher))
        == RowScopeTree(
          range: 0..<6, scopes: [.init(name: "publisher", tree: RowScopeTree(range: 6..<9))]))
  }

  @Test func `selections are counted`() throws {
    let request = Book.select(Column("id"), (Column("year") + 1).forKey("next"))
      .including(required: Book.author.select(.allColumns(excluding: ["NAME"]), .rowID))
    #expect(
      try tree(request)
        == RowScopeTree(
          range: 0..<2, scopes: [.init(name: "author", tree: RowScopeTree(range: 2..<6))]))
  }

  @Test func `annotations belong to the main row`() throws {
    let request = Book.annotated(withRequired: Book.author).including(optional: Book.publisher)
    #expect(
      try tree(request)
        == RowScopeTree(
          range: 0..<10, scopes: [.init(name: "publisher", tree: RowScopeTree(range: 10..<13))]))
  }

  @Test func `common table expressions are counted`() throws {
    let named = CommonTableExpression<Void>(named: "c", columns: ["a", "b"], sql: "SELECT 1, 2")
    #expect(
      try tree(Author.including(required: Author.association(to: named)))
        == RowScopeTree(
          range: 0..<4, scopes: [.init(name: "c", tree: RowScopeTree(range: 4..<6))]))
    let unnamed = CommonTableExpression<Void>(named: "c", sql: "SELECT 1, 2, 3")
    #expect(
      try tree(Author.including(required: Author.association(to: unnamed)), columnCount: 3)
        == RowScopeTree(
          range: 0..<4, scopes: [.init(name: "c", tree: RowScopeTree(range: 4..<7))]))
  }

  @Test(arguments: [
    Book.select(sql: "id").joining(required: Book.author),
    Book.including(required: Book.author.select(sql: "id")),
    Book.select(SQL("id")).including(optional: Book.author),
  ])
  func `raw selections cannot be counted`(_ request: QueryInterfaceRequest<Book>) throws {
    #expect(
      try invalidity(of: tree(request)) == """
        Selection literals don't known how many columns they contain. \
        To resolve this error, select one or several expressions instead.
        """)
  }

  @Test func `raw expressions are one column`() throws {
    let request = Book.select(SQL("id").sqlExpression).including(required: Book.author)
    #expect(
      try tree(request)
        == RowScopeTree(
          range: 0..<1, scopes: [.init(name: "author", tree: RowScopeTree(range: 1..<5))]))
  }

  @Test func `columns of common table expressions are excluded where they are listed`() throws {
    let cte = CommonTableExpression<Void>(
      named: "c", columns: ["a", "b", "c"], sql: "SELECT 1, 2, 3")
    let association = Author.association(to: cte).select(.allColumns(excluding: ["A"]))
    #expect(
      try tree(Author.including(required: association))
        == RowScopeTree(
          range: 0..<4, scopes: [.init(name: "c", tree: RowScopeTree(range: 4..<6))]))
    #expect(
      try sql(of: Author.with(cte).including(required: association)).sql == """
        WITH "c"("a", "b", "c") AS (SELECT 1, 2, 3) \
        SELECT "author".*, "c"."b", "c"."c" FROM "author" JOIN "c"
        """)
  }

  @Test func `columns of common table expressions that list none cannot be excluded`() throws {
    let cte = CommonTableExpression<Void>(named: "c", sql: "SELECT 1")
    let association = Author.association(to: cte).select(.allColumns(excluding: ["a"]))
    #expect(
      try invalidity(of: sql(of: Author.including(required: association))) == """
        Can't leave out columns of common table expression "c": their names are known to SQLite \
        only. To fix this error, list them in CommonTableExpression(named:columns:request:).
        """)
  }
}
