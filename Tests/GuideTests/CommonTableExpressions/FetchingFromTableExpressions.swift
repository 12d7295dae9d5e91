import Quarry
import QuarryTestSupport
import Testing

private typealias Patron = TableExpressionRows.Member

/// 'Fetch Values From Common Table Expressions': rows, and typed requests.
struct FetchingFromTableExpressions {
  private let statement = """
    WITH "late" AS (SELECT * FROM "member" WHERE "id" > ?) SELECT * FROM "late"
    """

  @Test func `a table expression fetches rows`() throws {
    let cte = CommonTableExpression(named: "late", request: Patron.filter(Column("id") > 1))
    let request = cte.all().with(cte)
    try Patron.makeDatabase().read { db in
      let rows = try request.fetchAll(db)  // [Row]
      try #expect(sql(of: request, in: db) == RenderedSQL(statement, [1]))
      #expect(rows == [["id": 2, "name": "Neves"], ["id": 3, "name": "Bassi"]])
    }
  }

  @Test func `asRequest decodes another type from a table expression`() throws {
    let cte = CommonTableExpression(named: "late", request: Patron.filter(Column("id") > 1))
    let request = cte.all().with(cte).asRequest(of: Patron.self)
    //                               ~~~~~~~~~~~~~~~~~~~~~~~~~~~
    try Patron.makeDatabase().read { db in
      let members = try request.fetchAll(db)  // [Patron]
      try #expect(sql(of: request, in: db) == RenderedSQL(statement, [1]))
      #expect(members == [.neves, .bassi])
    }
  }

  @Test func `a typed table expression fetches its type`() throws {
    let cte = CommonTableExpression<Patron>(named: "late", request: Patron.filter(Column("id") > 1))
    //                             ~~~~~~~~
    let request = cte.all().with(cte)
    try Patron.makeDatabase().read { db in
      let members = try request.fetchAll(db)  // [Patron]
      try #expect(sql(of: request, in: db) == RenderedSQL(statement, [1]))
      #expect(members == [.neves, .bassi])
      let names = CommonTableExpression<String>(
        named: "name", request: Patron.select(Column("name")))
      try #expect(
        names.all().with(names).order(Column("name")).fetchAll(db)
          == ["Bassi", "D'Arcy", "Neves"])
    }
  }
}
