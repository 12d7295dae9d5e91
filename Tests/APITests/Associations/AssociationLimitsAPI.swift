import Quarry
import QuarryRecords

func firstAndLast() {
  let _: HasOneAssociation<Team, Player> = Team.players.order(Column("score")).first()
  let _: HasOneAssociation<Team, Player> = Team.players.last()
  let _: HasOneThroughAssociation<Team, Award> = Team.awards.first()
  let _: HasOneThroughAssociation<Team, Award> = Team.awards.order(Column("id")).last()
  let _: HasManyAssociation<Team, Player> = Team.players.limit(3)
  let _: HasManyThroughAssociation<Team, Award> = Team.awards.limit(3, offset: 1)
  associationToOne(Team.players.first())
  _ = Team.including(optional: Team.players.first().forKey("captain"))
    .including(all: Team.players.limit(3).forKey("best"))
    .annotated(with: Team.players.limit(3).max(Column("score")))
}

func toManyTableExpressions(
  _ players: CommonTableExpression<Player>, _ teams: CommonTableExpression<Team>,
  _ table: Table<Team>
) {
  let foreignKey = ForeignKey(["teamId"], to: ["id"])
  let _: [HasManyAssociation<Team, Player>] = [
    Team.hasMany(players, using: foreignKey), Team.hasMany(players, key: "k", using: foreignKey),
    Team.hasMany(players) { $0[Column("id")] == $1[Column("teamId")] },
    Team.hasMany(players, key: "k") { $0[Column("id")] == $1[Column("teamId")] },
    table.hasMany(players, key: "k", using: foreignKey),
    table.hasMany(players, key: "k") { $0[Column("id")] == $1[Column("teamId")] },
    teams.hasMany(players, key: "k", using: foreignKey),
    teams.hasMany(players, key: "k") { $0[Column("id")] == $1[Column("teamId")] },
    teams.hasMany(Player.self, key: "k", using: foreignKey),
    teams.hasMany(Player.self, key: "k") { $0[Column("id")] == $1[Column("teamId")] },
    teams.hasMany(Table<Player>("player"), key: "k", using: foreignKey),
    teams.hasMany(Table<Player>("player"), key: "k") { $0[Column("id")] == $1[Column("teamId")] },
  ]
}

func links(
  _ db: Database, _ team: Team, _ award: Award, _ awards: [Award],
  _ association: HasManyThroughAssociation<Team, Award>
) throws {
  let _: Bool = try team.add(db, award, to: association)
  let _: Bool = try team.add(db, award, to: association, with: ["position": 1, "note": nil])
  let _: Int = try team.add(db, awards, to: association)
  let _: Int = try team.add(db, awards, to: association, with: ["position": 1])
  let _: Bool = try team.remove(db, award, from: association)
  let _: Int = try team.remove(db, awards, from: association)
  let _: Int = try team.removeAll(db, from: association)
  let _: (added: Int, removed: Int) = try team.replaceAll(db, in: association, with: awards)
  try team.add(db, award, to: association)
  _ = try team.replaceAll(db, in: association, with: awards, columns: ["position": 1])
}

func conflictingAggregates() {
  var configuration = Configuration()
  configuration.conflictingAggregates = .allowed
  configuration.conflictingAggregates = .refused
  configuration.conflictingAggregates = .reported { print($0) }
  let _: Configuration.ConflictingAggregates = .standard
}

func replacedOrders() {
  var configuration = Configuration()
  let treatment: Configuration.RequestTreatment = .standard
  configuration.replacedOrders = treatment
  configuration.replacedOrders = .refused
}
