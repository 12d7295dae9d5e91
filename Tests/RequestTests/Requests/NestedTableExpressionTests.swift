import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let authorId = Column("authorId")
private let year = Column("year")

/// Table expressions inside table expressions: the work grows with their number.
struct NestedTableExpressionTests {
  private typealias Expression = CommonTableExpression<Book>

  /// Each level selects from the one below, which it defines.
  private func chain(
    _ levels: Int, of base: QueryInterfaceRequest<Book> = Book.filter(year > 1000),
    _ select: (Expression, Int) -> QueryInterfaceRequest<Book> = { below, level in
      below.all().with(below).filter(year > 1000 + level)
    }
  ) -> Expression {
    var top = Expression(named: "level0", request: base)
    for level in 1..<levels {
      top = Expression(named: "level\(level)", request: select(top, level))
    }
    return top
  }

  private func twice(_ below: Expression, _ level: Int) -> QueryInterfaceRequest<Book> {
    below.all().with(below)
      .joining(required: below.association(to: below) { $0[id] == $1[id] }.forKey("other"))
      .filter(year > 1000 + level)
  }

  /// The size of the key, and the number of values in it.
  private func size(_ request: QueryInterfaceRequest<Book>) -> (bytes: Int, values: Int) {
    let key = TreeKey(request.relation)
    let count = key.structure.count
    return (count, key.values.count)
  }

  @Test(arguments: [false, true])
  func `the key of a request grows linearly`(refersTwice: Bool) {
    func measure(_ levels: Int) -> (bytes: Int, values: Int) {
      let top = refersTwice ? chain(levels, twice) : chain(levels)
      return size(top.all().with(top))
    }
    let (short, middle, long) = (measure(3), measure(6), measure(9))
    #expect(long.bytes - middle.bytes == middle.bytes - short.bytes)
    #expect(long.values == 9)
    #expect(measure(18).values == 18)
  }

  @Test func `values have one slot each`() {
    let top = chain(12)
    let request = top.all().with(top).relation
    let slots = ValueTransform.Slots()
    let numbered = ValueTransform(change: .numbering(slots)).map(request)
    #expect(slots.count == 12)
    #expect(TreeKey(numbered).values.map(\.slot) == (1...12).map { UInt8($0) })
  }

  @Test(arguments: [false, true])
  func `each definition is planned once`(refersTwice: Bool) throws {
    let calls = Log<Int>()
    // SQLite may merge the tables of all levels into one FROM clause, of 200 tables at most.
    let levels = refersTwice ? 6 : 10
    let base = Book.all().filterWhenConnected { _ in
      calls.append(0)
      return year > 1000
    }
    let top = chain(levels, of: base) { below, level in
      let request = refersTwice ? twice(below, level) : below.all().with(below)
      return request.filterWhenConnected { _ in
        calls.append(level)
        return year > 1000
      }
    }
    // The columns of the table expression are counted, since others follow.
    let association = top.association(to: Author.self) { $0[authorId] == $1[id] }
    let request = top.all().with(top).including(required: association)
    try makeBookshopDatabase().read { db throws in
      let books = try Row.fetchAll(db, request)
      #expect(books.count == 3)
      #expect(books.allSatisfy { $0.count == 6 && $0.scopes["author"] != nil })
    }
    #expect(calls.elements.sorted() == Array(0..<levels))
  }

  @Test func `a remembered request has the values of each`() throws {
    func request(after first: Int) -> QueryInterfaceRequest<Book> {
      let top = chain(10, of: Book.filter(year > first)) { below, level in
        below.all().with(below).filter(year > 1000 + level)
      }
      let association = top.association(to: Author.self) { $0[authorId] == $1[id] }
      return top.all().with(top).including(optional: association).order(id)
    }
    try makeBookshopDatabase().read { db throws in
      for first in [1900, 1975, 1900, 2000, 1975, 3000] {
        #expect(
          try request(after: first).fetchAll(db).map(\.id)
            == Book.filter(year > first).order(id).fetchAll(db).map(\.id))
      }
      #expect(db.compiledQueries.count > 0)
    }
  }

  @Test func `requests that define other rows under one name differ`() {
    let (old, new) = (chain(3), chain(3, of: Book.filter(year > 2000)))
    #expect(old.all().with(old).relation != new.all().with(new).relation)
    #expect(old.all().relation != new.all().relation)
    #expect(old.all().with(old).relation != old.all().with(new).relation)
    #expect(chain(3).all().with(old).relation == old.all().with(chain(3)).relation)
  }

  @Test func `a definition hides one of the same name`() throws {
    let narrow = CommonTableExpression<Row>(named: "t", request: Book.select(id))
    let wide = CommonTableExpression<Row>(
      named: "t", request: narrow.all().with(narrow).annotated(with: SQL("1").forKey("one")))
    try makeBookshopDatabase().read { db throws in
      let association = wide.association(to: Author.self) { $0[id] == $1[id] }
      let row = try #require(
        try wide.all().with(wide).including(required: association).fetchOne(db))
      #expect(Array(row.columnNames) == ["id", "one"])
      #expect(row.scopes["author"]?.columnNames.first == "id")
    }
  }

  @Test func `a definition that selects from itself is SQLite's error`() throws {
    let inner = CommonTableExpression<Row>(named: "t", request: Book.select(id))
    let outer = CommonTableExpression<Row>(named: "t", request: inner.all())
    try makeBookshopDatabase().read { db throws in
      let association = outer.association(to: Author.self) { $0[id] == $1[id] }
      let error = #expect(throws: DatabaseError.self) {
        try outer.all().with(outer).including(required: association).fetchAll(db)
      }
      #expect(error?.message?.contains("circular reference: t") == true)
    }
  }
}
