import Quarry

func commonTableExpression(_ db: Database) throws {
  let cte = CommonTableExpression(named: "best", request: Player.filter(Column("score") > 10))
  let _: CommonTableExpression<Row> = cte
  let _: [CommonTableExpression<Row>] = [
    CommonTableExpression(recursive: true, named: "n", columns: ["a"], request: Player.all()),
    CommonTableExpression(named: "n", sql: "SELECT 1"),
    CommonTableExpression(
      recursive: true, named: "n", columns: ["a"], sql: "SELECT ?", arguments: [1]),
    CommonTableExpression(named: "n", literal: "SELECT \(1)"),
    CommonTableExpression(recursive: true, named: "n", columns: ["a"], literal: "SELECT \(1)"),
  ]
  let players: [CommonTableExpression<Player>] = [
    CommonTableExpression<Player>(named: "best", request: Player.all()),
    CommonTableExpression<Player>(
      recursive: false, named: "best", columns: nil, request: SQLRequest<Row>(sql: "SELECT 1")),
    CommonTableExpression<Player>(named: "best", sql: "SELECT 1"),
    CommonTableExpression<Player>(
      recursive: true, named: "n", columns: ["a"], sql: "SELECT ?", arguments: [1]),
    CommonTableExpression<Player>(named: "best", literal: "SELECT \(1)"),
    CommonTableExpression<Player>(
      recursive: true, named: "n", columns: ["a"], literal: "SELECT \(1)"),
  ]
  let best = players[0]
  let _: String = best.tableName
  let request: QueryInterfaceRequest<Player> = best.all()
  let _: SQLExpression = best.contains(Column("id"))
  let _: SQLExpression = best.contains(1)
  let _: [Player] = try request.with(best).fetchAll(db)
  _ = Player.with(best).filter(best.contains(Column("id")))
}

func tableExpressionAssociations(
  _ best: CommonTableExpression<Player>, _ cte: CommonTableExpression<Row>
) {
  let _: JoinAssociation<Player, Row> = best.association(to: cte)
  let _: JoinAssociation<Player, Row> = best.association(to: cte) { left, right in
    left[Column("id")] == right[Column("id")]
  }
  let _: JoinAssociation<Player, Row> = best.association(
    to: cte, on: { left, right in left.id == right["id"] })
  let _: JoinAssociation<Player, Team> = best.association(to: Team.self)
  let _: JoinAssociation<Player, Team> = best.association(to: Team.self) { player, team in
    player.teamId == team.id
  }
  let _: JoinAssociation<Player, Row> = best.association(to: Table("team"))
  let _: JoinAssociation<Player, Team> = best.association(to: Table<Team>("team")) { _, _ in true }
  let _: JoinAssociation<Player, Row> = Player.association(to: cte)
  let _: JoinAssociation<Player, Row> = Player.association(to: cte) { player, row in
    player.id == row["id"]
  }
  _ = Player.with(cte).including(required: Player.association(to: cte))
}
