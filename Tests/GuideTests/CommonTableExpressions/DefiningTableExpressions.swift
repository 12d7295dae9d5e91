import Quarry
import QuarryTestSupport
import Testing

private typealias Player = TableExpressionGuide.Player

/// 'Define Common Table Expressions': from requests, from SQL, with column names, recursive.
struct DefiningTableExpressions {
  private let name = "O'Brien"

  @Test func fromAQueryInterfaceRequest() throws {
    // WITH playerName AS (SELECT name FROM player) ...
    let playerNameCTE = CommonTableExpression(
      named: "playerName",
      request: Player.select(Column("name")))
    try Player.makeDatabase().read { db throws in
      let request = playerNameCTE.all().with(playerNameCTE).order(Column("name"))
      #expect(
        try sql(of: request, in: db).sql
          == #"WITH "playerName" AS (SELECT "name" FROM "player") SELECT * FROM "playerName" ORDER BY "name""#
      )
      #expect(
        try request.fetchAll(db) == [["name": "Jones"], ["name": "O'Brien"], ["name": "Smith"]])
    }
  }

  @Test func fromSQL() throws {
    // WITH playerName AS (SELECT 'O''Brien') ...
    let playerNameCTE = CommonTableExpression(
      named: "playerName",
      sql: "SELECT ?", arguments: [name])
    try expectName(playerNameCTE)
  }

  @Test func fromSQLInterpolation() throws {
    // WITH playerName AS (SELECT 'O''Brien') ...
    let playerNameCTE = CommonTableExpression(
      named: "playerName",
      literal: "SELECT \(name)")
    try expectName(playerNameCTE)
  }

  @Test func fromAnSQLRequest() throws {
    // WITH playerName AS (SELECT 'O''Brien') ...
    let request = SQLRequest<Row>("SELECT \(name)")
    let playerNameCTE = CommonTableExpression(
      named: "playerName",
      request: request)
    try expectName(playerNameCTE)
  }

  private func expectName(_ cte: CommonTableExpression<Row>) throws {
    try Player.makeDatabase().read { db throws in
      let request = cte.all().with(cte)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            #"WITH "playerName" AS (SELECT ?) SELECT * FROM "playerName""#, ["O'Brien"]))
      #expect(try request.asRequest(of: String.self).fetchAll(db) == ["O'Brien"])
    }
  }

  @Test func withColumnNames() throws {
    // WITH pair(a, b) AS (SELECT 1, 2) ...
    let pairCTE = CommonTableExpression(
      named: "pair",
      columns: ["a", "b"],
      sql: "SELECT 1, 2")
    try Player.makeDatabase().read { db throws in
      let request = pairCTE.all().with(pairCTE)
      #expect(
        try sql(of: request, in: db).sql
          == #"WITH "pair"("a", "b") AS (SELECT 1, 2) SELECT * FROM "pair""#)
      #expect(try request.fetchAll(db) == [["a": 1, "b": 2]])
    }
  }

  @Test func recursive() throws {
    // WITH RECURSIVE counter(x) AS
    //   (VALUES(1) UNION ALL SELECT x+1 FROM counter WHERE x<1000)
    let counterCTE = CommonTableExpression(
      recursive: true,
      named: "counter",
      columns: ["x"],
      sql: """
        VALUES(1)
        UNION ALL
        SELECT x+1 FROM counter WHERE x<1000
        """)
    try Player.makeDatabase().read { db throws in
      let request = counterCTE.all().with(counterCTE)
      #expect(
        try sql(of: request, in: db).sql == """
          WITH RECURSIVE "counter"("x") AS (VALUES(1)
          UNION ALL
          SELECT x+1 FROM counter WHERE x<1000) SELECT * FROM "counter"
          """)
      #expect(try request.asRequest(of: Int.self).fetchAll(db) == Array(1...1000))
    }
  }

  /// The guide says that the query interface has no support for `UNION ALL`: it has.
  @Test func recursiveWithoutSQL() throws {
    let x = Column("x")
    let counterCTE = CommonTableExpression(named: "counter", columns: ["x"]) { counter in
      SQLRequest<Row>("VALUES(1)").unionAll(counter.all().select(x + 1).filter(x < 1000))
    }
    try Player.makeDatabase().read { db throws in
      let request = counterCTE.all().with(counterCTE)
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            #"WITH RECURSIVE "counter"("x") AS (VALUES(1) UNION ALL "#
              + #"SELECT "x" + ? FROM "counter" WHERE "x" < ?) SELECT * FROM "counter""#,
            [1, 1000]))
      #expect(try request.asRequest(of: Int.self).fetchAll(db) == Array(1...1000))
    }
  }
}
