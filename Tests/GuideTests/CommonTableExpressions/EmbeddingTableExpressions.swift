import Quarry
import QuarryTestSupport
import Testing

private typealias Player = TableExpressionGuide.Player

/// 'Embed Common Table Expressions in Requests': definitions, subqueries, SQL, updates and deletions.
struct EmbeddingTableExpressions {
  private let playerNameCTE: CommonTableExpression<Row>
  private let dbQueue: DatabaseQueue

  private let with = #"WITH "playerName" AS (SELECT ?) "#

  init() throws {
    let name = "O'Brien"
    playerNameCTE = CommonTableExpression(
      named: "playerName",
      literal: "SELECT \(name)")
    dbQueue = try Player.makeDatabase()
  }

  @Test func definition() throws {
    // WITH playerName AS (SELECT 'O''Brien')
    // SELECT * FROM player ...
    let request = Player.with(playerNameCTE)
    try dbQueue.read { db throws in
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(with + #"SELECT * FROM "player""#, ["O'Brien"]))
      #expect(try request.fetchCount(db) == 3)
    }
  }

  @Test func subquery() throws {
    // WITH playerName AS (SELECT 'O''Brien')
    // SELECT * FROM player
    // WHERE name = (SELECT * FROM playerName)
    let request =
      Player
      .with(playerNameCTE)
      .filter(Column("name") == playerNameCTE.all())
    try dbQueue.read { db throws in
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            with + #"SELECT * FROM "player" WHERE "name" = (SELECT * FROM "playerName")"#,
            ["O'Brien"]))
      #expect(try request.fetchAll(db) == [.obrien])
    }
  }

  @Test func definitionsStandAnywhere() throws {
    let otherCTE = CommonTableExpression(named: "other", sql: "SELECT 2")
    let request = Player.with(playerNameCTE)
      .filter(Column("name") != playerNameCTE.all())
      .with(otherCTE)
      .filter(Column("id") == otherCTE.all())
    try dbQueue.read { db throws in
      #expect(
        try sql(of: request, in: db).sql == """
          WITH "playerName" AS (SELECT ?), "other" AS (SELECT 2) SELECT * FROM "player" \
          WHERE ("name" <> (SELECT * FROM "playerName")) AND ("id" = (SELECT * FROM "other"))
          """)
      #expect(try request.fetchAll(db) == [.smith])
    }
  }

  @Test func definitionsReplaceThoseOfTheSameName() throws {
    let smithCTE = CommonTableExpression(named: "PlayerName", sql: "SELECT 'Smith'")
    let request =
      Player
      .with(playerNameCTE).with(playerNameCTE)
      .filter(Column("name") == playerNameCTE.all())
    try dbQueue.read { db throws in
      #expect(try request.fetchAll(db) == [.obrien])
      #expect(try request.with(smithCTE).fetchAll(db) == [.smith])
      #expect(
        try sql(of: Player.with(playerNameCTE).with(smithCTE), in: db).sql
          == #"WITH "PlayerName" AS (SELECT 'Smith') SELECT * FROM "player""#)
    }
  }

  @Test func contentsAreRequests() throws {
    let cte = CommonTableExpression(
      named: "scored", columns: ["name", "score"],
      sql: "VALUES ('O''Brien', 10), ('Smith', 20), ('O''Brien', 30), ('Jones', 5)")
    let request = cte.all().select(Column("name"), sum(Column("score")).forKey("total"))
      .filter(Column("score") > 5)
      .group(Column("name"))
      .order(Column("name"))
      .with(cte)
    try dbQueue.read { db throws in
      #expect(
        try sql(of: request, in: db).sql.hasSuffix(
          #"SELECT "name", SUM("score") AS "total" FROM "scored" WHERE "score" > ? "#
            + #"GROUP BY "name" ORDER BY "name""#))
      #expect(
        try request.fetchAll(db)
          == [["name": "O'Brien", "total": 40], ["name": "Smith", "total": 20]])
    }
  }

  @Test func sqlRequestWithNames() throws {
    // WITH playerName AS (SELECT 'O''Brien')
    // SELECT * FROM player
    // WHERE name = (SELECT * FROM playerName)
    let request: SQLRequest<Player> = """
      WITH \(definitionFor: playerNameCTE)
      SELECT * FROM player
      WHERE name = (SELECT * FROM \(playerNameCTE))
      """
    try dbQueue.read { db throws in
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            WITH "playerName" AS (SELECT ?)
            SELECT * FROM player
            WHERE name = (SELECT * FROM "playerName")
            """, ["O'Brien"]))
      #expect(try request.fetchAll(db) == [.obrien])
    }
  }

  @Test func sqlRequestWithSubqueries() throws {
    // WITH playerName AS (SELECT 'O''Brien')
    // SELECT * FROM player
    // WHERE name = (SELECT * FROM playerName)
    let request: SQLRequest<Player> = """
      WITH \(definitionFor: playerNameCTE)
      SELECT * FROM player
      WHERE name = (\(playerNameCTE.all()))
      """
    try dbQueue.read { db throws in
      #expect(
        try sql(of: request, in: db)
          == RenderedSQL(
            """
            WITH "playerName" AS (SELECT ?)
            SELECT * FROM player
            WHERE name = (SELECT * FROM "playerName")
            """, ["O'Brien"]))
      #expect(try request.fetchAll(db) == [.obrien])
    }
  }

  @Test func updates() throws {
    let recorder = SQLRecorder()
    let dbQueue = try Player.makeDatabase(configuration: recorder.recording())
    try dbQueue.write { db throws in
      _ = recorder.take()
      // WITH playerName AS (SELECT 'O''Brien')
      // UPDATE player SET name = (SELECT * FROM playerName)
      try Player
        .with(playerNameCTE)
        .updateAll(db, Column("name").set(to: playerNameCTE.all()))
      #expect(
        recorder.take()
          == [with + #"UPDATE "player" SET "name" = (SELECT * FROM "playerName")"#])
      #expect(
        try Player.order(Column("id")).fetchAll(db).map(\.name)
          == ["O'Brien", "O'Brien", "O'Brien"])
    }
  }

  @Test func deletions() throws {
    let recorder = SQLRecorder()
    let dbQueue = try Player.makeDatabase(configuration: recorder.recording())
    try dbQueue.write { db throws in
      _ = recorder.take()
      // WITH playerName AS (SELECT 'O''Brien')
      // DELETE FROM player WHERE name = (SELECT * FROM playerName)
      try Player
        .with(playerNameCTE)
        .filter(Column("name") == playerNameCTE.all())
        .deleteAll(db)
      #expect(
        recorder.take()
          == [with + #"DELETE FROM "player" WHERE "name" = (SELECT * FROM "playerName")"#])
      #expect(try Player.order(Column("id")).fetchAll(db) == [.smith, .jones])
    }
  }
}
