import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")

@Suite(.onQueueAndPool)
struct FetchRequestTests {
  @Test func `prepared requests have their SQL and arguments`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = Book.filter(y > 1970)
      let prepared = try request.makePreparedRequest(db)
      defer { prepared.statement.release() }
      #expect(prepared.statement.sql == #"SELECT * FROM "book" WHERE "year" > ?"#)
      #expect(prepared.statement.arguments == [1970])
      let single = try request.makePreparedRequest(db, forSingleResult: true)
      defer { single.statement.release() }
      #expect(single.statement.sql == #"SELECT * FROM "book" WHERE "year" > ? LIMIT 1"#)
      let raw = try SQLRequest<Int>("SELECT 1").makePreparedRequest(db, forSingleResult: true)
      #expect(raw.statement.sql == "SELECT 1")
      raw.statement.release()
    }
  }

  @Test func `requests can hide their type`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = AnyFetchRequest(Book.filter(y > 1970).order(y))
      #expect(try request.fetchAll(db).map(\.id) == [1, 3])
      #expect(try AnyFetchRequest(request).fetchOne(db)?.id == 1)
      #expect(try request.asRequest(of: Int.self).fetchAll(db) == [1, 3])
      #expect(try sql(of: request) == sql(of: Book.filter(y > 1970).order(y)))
    }
  }

  @Test func `adapters apply one after the other`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = Book.select(Column("id"), t, y, as: Row.self).orderByPrimaryKey()
        .adapted { _ in SuffixRowAdapter(fromIndex: 1) }
      #expect(try request.fetchOne(db) == ["title": "Dispossession", "year": 1974])
      let twice = request.adapted { _ in ColumnMapping(["label": "title"]) }
      #expect(try twice.fetchOne(db) == ["label": "Dispossession"])
      #expect(try sql(of: twice) == sql(of: request))
      let raw = SQLRequest<Row>(
        sql: "SELECT 1 AS a, 2 AS b", adapter: SuffixRowAdapter(fromIndex: 1))
      #expect(try raw.fetchOne(db) == ["b": 2])
    }
  }

  @Test func `raw requests take named arguments`() throws {
    try makeBookshopDatabase().read { db throws in
      let request = SQLRequest<String>(
        sql: "SELECT title FROM book WHERE year > :year AND id < ?", arguments: ["year": 1970] + [3]
      )
      #expect(try request.fetchAll(db) == ["Dispossession"])
      #expect(throws: DatabaseError.self) {
        try SQLRequest<Int>(sql: "SELECT ?").fetchAll(db)
      }
    }
  }

  @Test func `tables without record type are fetched`() throws {
    try makeBookshopDatabase().read { db throws in
      let notes = Table("note")
      #expect(try notes.fetchAll(db) == [["text": "call back"], ["text": nil]])
      #expect(try notes.fetchOne(db) == ["text": "call back"])
      #expect(try notes.fetchSet(db).count == 2)
      #expect(try Array(notes.fetchCursor(db).map { $0.copy() }).count == 2)
      #expect(try Table<Book>("book").fetchAll(db).count == 4)
      #expect(try Table<String>("tagName").fetchSet(db) == ["novel", "poetry"])
      #expect(try Table<Book>("book").filter(ids: [1, 2]).fetchCount(db) == 2)
      #expect(
        try notes.select(Column("text"), as: String?.self).fetchAll(db) == ["call back", nil])
    }
  }

  @Test func `building a request leaves the others alone`() throws {
    let base = Book.filter(y > 1)
    let narrow = base.filter(t == "a")
    let ordered = base.order(y)
    #expect(try sql(of: base).sql == #"SELECT * FROM "book" WHERE "year" > ?"#)
    #expect(
      try sql(of: narrow).sql == #"SELECT * FROM "book" WHERE ("year" > ?) AND ("title" = ?)"#)
    #expect(
      try sql(of: ordered).sql == #"SELECT * FROM "book" WHERE "year" > ? ORDER BY "year""#)
  }

  @Test func `request types of the application get the clauses`() {
    let request = Narrowed()
      .filter(y > 1).filter(sql: "a").none().order(y).select(t).annotated(with: y).group(y)
      .having(max(y) > 1)
    #expect(
      request.calls == [
        "filter", "filter", "filter", "order", "select", "annotate", "group", "having",
      ])
  }

  /// A type that conforms to the public requirements only.
  struct Narrowed: FilteredRequest, OrderedRequest, SelectionRequest, AggregatingRequest {
    var calls: [String] = []

    private func calling(_ name: String) -> Narrowed { Narrowed(calls: calls + [name]) }

    func filterWhenConnected(
      _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Narrowed { calling("filter") }

    func orderWhenConnected(
      _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
    ) -> Narrowed { calling("order") }

    func reversed() -> Narrowed { self }
    func unordered() -> Narrowed { self }
    func withStableOrder() -> Narrowed { self }

    func selectWhenConnected(
      _ selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
    ) -> Narrowed { calling("select") }

    func annotatedWhenConnected(
      with selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
    ) -> Narrowed { calling("annotate") }

    func groupWhenConnected(
      _ expressions: @escaping @Sendable (Database) throws -> [any SQLExpressible]
    ) -> Narrowed { calling("group") }

    func havingWhenConnected(
      _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Narrowed { calling("having") }
  }
}
