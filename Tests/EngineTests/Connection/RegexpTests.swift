import QuarryTestSupport
import Testing

@testable import Quarry

private let t = Column("title")

struct RegexpTests {
  private func fetch(_ condition: SQLExpression) throws -> [Int64] {
    var configuration = Configuration()
    configuration.prepareDatabase { $0.add(function: .regexp) }
    return try makeBookshopDatabase(configuration: configuration).read {
      try Book.filter(condition).orderByPrimaryKey().fetchAll($0).map(\.id)
    }
  }

  @Test func stringsMatchPatterns() throws {
    #expect(try fetch(t.regexp("^[DI]")) == [1, 3])
    #expect(try fetch(!t.regexp("^[DI]")) == [2, 4])
    #expect(try fetch(t.regexp("hand$")) == [])
    #expect(try fetch(t.regexp("(?i)hand$")) == [2])
    #expect(try fetch(t.regexp("o(u|w)n?s$")) == [3, 4])
    #expect(try fetch(t.regexp("\\bT")) == [3])
    #expect(try fetch(t.regexp("^.{9}$")) == [2, 4])
    #expect(try fetch(t.regexp("")) == [1, 2, 3, 4])
  }

  @Test func numbersAreTextAndNullIsNull() throws {
    #expect(try fetch(Column("year").regexp("^19")) == [1, 2])
    #expect(try fetch(Column("price").regexp("^15[.]0$")) == [3])
    #expect(try fetch(!Column("year").regexp("^19")) == [3])
    #expect(try fetch(t.regexp(Column("year"))) == [])
    #expect(try fetch(("x\u{301}é🎉".databaseValue).regexp("é🎉$")) == [1, 2, 3, 4])
  }

  @Test func patternsOfColumnsAreCachedUpToALimit() throws {
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      db.add(function: .regexp)
      try db.execute(
        sql: """
          CREATE TABLE pattern (id INTEGER PRIMARY KEY, text TEXT);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
          INSERT INTO pattern SELECT i, '^' || i || '$' FROM n;
          """)
      let matching = Table("pattern").filter("42".databaseValue.regexp(Column("text")))
      #expect(try matching.select(Column("id"), as: Int.self).fetchAll(db) == [42])
      #expect(try matching.fetchCount(db) == 1)
    }
  }

  @Test func wrongPatternsAreErrors() throws {
    let error = databaseError { try fetch(t.regexp("a(")) }
    #expect(error?.message == "Invalid regular expression: a(")
    #expect(error?.sql == #"SELECT * FROM "book" WHERE "title" REGEXP ? ORDER BY "id""#)
  }

  @Test func connectionsWithoutTheFunctionRefuseTheOperator() throws {
    try makeBookshopDatabase().read { db throws in
      let request = Book.filter(t.regexp("a"))
      #expect(databaseError { try request.fetchAll(db) }?.message == "no such function: REGEXP")
    }
  }
}
