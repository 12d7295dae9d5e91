import Quarry
import QuarryRecords

func associationsAlongConditions(_ best: CommonTableExpression<Player>) {
  let teams = Table<Team>("team")
  let request: SQLRequest<Team> = "SELECT * FROM team"
  let _: [JoinAssociation<Player, Team>] = [
    Player.association(to: Team.self),
    Player.association(to: Team.self) { player, team in player.teamId == team.id },
    Player.association(to: teams),
    Player.association(to: teams) { player, team in player.teamId == team.id },
    Player.association(to: request, named: "t"),
    Player.association(to: Team.all(), named: "t") { player, team in player.teamId == team.id },
    Table<Player>("player").association(to: Team.self),
    Table<Player>("player").association(to: Team.self) { player, team in player.id == team.id },
    Table<Player>("player").association(to: teams),
    Table<Player>("player").association(to: teams) { player, team in player.id == team.id },
    Table<Player>("player").association(to: request, named: "t"),
    Table<Player>("player").association(to: request, named: "t") { $0.id == $1.id },
    best.association(to: request, named: "t"),
    best.association(to: request, named: "t") { $0.id == $1.id },
  ]
}

func joinKinds() {
  let team = Player.association(to: Team.self)
  let _: [QueryInterfaceRequest<Player>] = [
    Player.including(right: team), Player.including(full: team), Player.including(cross: team),
    Player.joining(right: team), Player.joining(full: team), Player.joining(cross: team),
    Player.all().including(right: team).including(full: team).including(cross: team),
    Player.all().joining(right: team).joining(full: team).joining(cross: team),
  ]
  let players = Table<Player>("player")
  let _: [QueryInterfaceRequest<Player>] = [
    players.including(right: team), players.including(full: team), players.including(cross: team),
    players.joining(right: team), players.joining(full: team), players.joining(cross: team),
  ]
}
