import Quarry
import QuarryTestSupport
import Testing

private typealias Patron = TableExpressionRows.Member

/// 'Define Common Table Expressions': from requests, from SQL, with column names, recursive.
struct DefiningTableExpressions {
  private let name = "D'Arcy"

  @Test func `a request defines a table expression`() throws {
    let borrowerCTE = CommonTableExpression(
      named: "borrower",
      request: Patron.select(Column("name")))
    try Patron.makeDatabase().read { db in
      let request = borrowerCTE.all().with(borrowerCTE).order(Column("name"))
      try #expect(
        sql(of: request, in: db).sql
          == """
          WITH "borrower" AS (SELECT "name" FROM "member") \
          SELECT * FROM "borrower" ORDER BY "name"
          """)
      try #expect(
        request.fetchAll(db) == [["name": "Bassi"], ["name": "D'Arcy"], ["name": "Neves"]])
    }
  }

  @Test func `SQL with arguments defines a table expression`() throws {
    let borrowerCTE = CommonTableExpression(
      named: "borrower",
      sql: "SELECT ?", arguments: [name])
    try expectName(borrowerCTE)
  }

  @Test func `interpolated SQL defines a table expression`() throws {
    let borrowerCTE = CommonTableExpression(
      named: "borrower",
      literal: "SELECT \(name)")
    try expectName(borrowerCTE)
  }

  @Test func `an SQLRequest defines a table expression`() throws {
    let request = SQLRequest<Row>("SELECT \(name)")
    let borrowerCTE = CommonTableExpression(
      named: "borrower",
      request: request)
    try expectName(borrowerCTE)
  }

  private func expectName(_ cte: CommonTableExpression<Row>) throws {
    try Patron.makeDatabase().read { db in
      let request = cte.all().with(cte)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            #"WITH "borrower" AS (SELECT ?) SELECT * FROM "borrower""#, ["D'Arcy"]))
      try #expect(request.asRequest(of: String.self).fetchAll(db) == ["D'Arcy"])
    }
  }

  @Test func `a table expression names its columns`() throws {
    let placeCTE = CommonTableExpression(
      named: "place", columns: ["room", "shelf"], sql: "SELECT 'attic', 2")
    try Patron.makeDatabase().read { db in
      let request = placeCTE.all().with(placeCTE)
      try #expect(
        sql(of: request, in: db).sql
          == """
          WITH "place"("room", "shelf") AS (SELECT 'attic', 2) SELECT * FROM "place"
          """)
      try #expect(request.fetchAll(db) == [["room": "attic", "shelf": 2]])
    }
  }

  @Test func `a recursive table expression refers to itself`() throws {
    let numbersCTE = CommonTableExpression(
      recursive: true, named: "shelfNumber", columns: ["number"],
      sql: "VALUES (100) UNION ALL SELECT number + 5 FROM shelfNumber WHERE number < 120")
    try Patron.makeDatabase().read { db in
      let request = numbersCTE.all().with(numbersCTE)
      try #expect(
        sql(of: request, in: db).sql == """
          WITH RECURSIVE "shelfNumber"("number") AS (VALUES (100) \
          UNION ALL SELECT number + 5 FROM shelfNumber WHERE number < 120) \
          SELECT * FROM "shelfNumber"
          """)
      try #expect(request.asRequest(of: Int.self).fetchAll(db) == [100, 105, 110, 115, 120])
    }
  }

  /// The guide says that the query interface has no support for `UNION ALL`: it has.
  @Test func `a closure defines a recursive table expression without SQL`() throws {
    let x = Column("x")
    let numbersCTE = CommonTableExpression(named: "shelfNumber", columns: ["x"]) { shelfNumber in
      SQLRequest<Row>("VALUES(1)").unionAll(shelfNumber.all().select(x + 1).filter(x < 1000))
    }
    try Patron.makeDatabase().read { db in
      let request = numbersCTE.all().with(numbersCTE)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            #"WITH RECURSIVE "shelfNumber"("x") AS (VALUES(1) UNION ALL "#
              + #"SELECT "x" + ? FROM "shelfNumber" WHERE "x" < ?) SELECT * FROM "shelfNumber""#,
            [1, 1000]))
      try #expect(request.asRequest(of: Int.self).fetchAll(db) == Array(1...1000))
    }
  }
}
