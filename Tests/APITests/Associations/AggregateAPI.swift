import Quarry

func aggregateLogic(_ a: AssociationAggregate<Team>, _ b: AssociationAggregate<Team>) {
  let _: [AssociationAggregate<Team>] = [
    a.forKey("key"), a.forKey(PlayerKeys.score), !a, a && b, a && true, a && Column("id"),
    true && a, Column("id") && a, a || b, a || false, false || a, a || Column("id"),
    abs(a), cast(a, as: .real), length(a), -a, a ?? 1, a ?? Column("id"),
  ]
}

func aggregateEquality(
  _ a: AssociationAggregate<Team>, _ b: AssociationAggregate<Team>,
  _ anything: (any SQLExpressible)?
) {
  let _: [AssociationAggregate<Team>] = [
    a == b, a == 1, a == nil, a == anything, 1 == a, nil == a, anything == a, a == true, true == a,
    a == Column("id"),
    a != b, a != 1, a != nil, a != anything, 1 != a, nil != a, anything != a, a != true, true != a,
    a === b, a === 1, a === nil, a === anything, 1 === a, anything === a,
    a !== b, a !== 1, a !== nil, a !== anything, 1 !== a, anything !== a,
  ]
}

func aggregateComparison(_ a: AssociationAggregate<Team>, _ b: AssociationAggregate<Team>) {
  let _: [AssociationAggregate<Team>] = [
    a <= b, a <= 1, 1 <= a, a < b, a < 1, 1 < a, a > b, a > 1, 1 > a, a >= b, a >= 1, 1 >= a,
    a > Column("id"), Column("id") > a,
  ]
}

func aggregateArithmetic(_ a: AssociationAggregate<Team>, _ b: AssociationAggregate<Team>) {
  let _: [AssociationAggregate<Team>] = [
    a + b, a + 1, 1 + a, a - b, a - 1, 1 - a, a * b, a * 2, 2 * a, a / b, a / 2, 2 / a,
    a + Column("id"), Column("id") + a,
  ]
}

func aggregates(_ db: Database) throws {
  let _: [QueryInterfaceRequest<Team>] = [
    Team.annotated(with: Team.players.count),
    Team.annotated(with: Team.players.count, Team.players.max(Column("score"))),
    Team.annotated(with: [Team.players.average(Column("score"))]),
    Team.having(Team.players.isEmpty), Team.having(Team.players.isEmpty == false),
    Team.having(!Team.players.isEmpty && Team.players.count > 3),
    Team.having(Team.players.count > Team.awards.count),
    Team.annotated(with: (Team.players.sum(Column("score")) ?? 0).forKey("total")),
    Team.all().annotated(with: Team.players.count).having(Team.players.count >= 1),
  ]
  _ = Player.including(required: Player.team.annotated(with: Team.players.count))
}
