import Quarry
import QuarryTestSupport
import Testing

private typealias Player = TableExpressionGuide.Player

/// 'Fetch Values From Common Table Expressions': rows, and typed requests.
struct FetchingFromTableExpressions {
  private let statement = """
    WITH "late" AS (SELECT * FROM "player" WHERE "id" > ?) SELECT * FROM "late"
    """

  @Test func rows() throws {
    let cte = CommonTableExpression(named: "late", request: Player.filter(Column("id") > 1))
    let request = cte.all().with(cte)
    try Player.makeDatabase().read { db throws in
      let rows = try request.fetchAll(db)  // [Row]
      #expect(try sql(of: request, in: db) == RenderedSQL(statement, [1]))
      #expect(rows == [["id": 2, "name": "Smith"], ["id": 3, "name": "Jones"]])
    }
  }

  @Test func requestsOfAnotherType() throws {
    let cte = CommonTableExpression(named: "late", request: Player.filter(Column("id") > 1))
    let request = cte.all().with(cte).asRequest(of: Player.self)
    //                               ~~~~~~~~~~~~~~~~~~~~~~~~~~~
    try Player.makeDatabase().read { db throws in
      let players = try request.fetchAll(db)  // [Player]
      #expect(try sql(of: request, in: db) == RenderedSQL(statement, [1]))
      #expect(players == [.smith, .jones])
    }
  }

  @Test func typedTableExpressions() throws {
    let cte = CommonTableExpression<Player>(named: "late", request: Player.filter(Column("id") > 1))
    //                             ~~~~~~~~
    let request = cte.all().with(cte)
    try Player.makeDatabase().read { db throws in
      let players = try request.fetchAll(db)  // [Player]
      #expect(try sql(of: request, in: db) == RenderedSQL(statement, [1]))
      #expect(players == [.smith, .jones])
      let names = CommonTableExpression<String>(
        named: "name", request: Player.select(Column("name")))
      #expect(
        try names.all().with(names).order(Column("name")).fetchAll(db)
          == ["Jones", "O'Brien", "Smith"])
    }
  }
}
