// Records of several tables in one request.

import Quarry

// snippet.records
struct Team: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String

  enum Columns {
    static let name = Column(CodingKeys.name)
  }
  static let players = hasMany(Player.self)
}

struct Player: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var teamId: Int64?
  var name: String
  var score: Int

  enum Columns {
    static let name = Column(CodingKeys.name)
    static let score = Column(CodingKeys.score)
  }
  static let team = belongsTo(Team.self)
}
// snippet.end

let queue = try DatabaseQueue()

try queue.write { db in
  try db.create(table: "team") { t in
    t.primaryKey("id", .integer)
    t.column("name", .text).notNull()
  }
  try db.create(table: "player") { t in
    t.primaryKey("id", .integer)
    t.belongsTo("team")
    t.column("name", .text).notNull()
    t.column("score", .integer).notNull()
  }
  try Team(id: 1, name: "Reds").insert(db)
  try Team(id: 2, name: "Blues").insert(db)
  try Player(id: 1, teamId: 1, name: "Arthur", score: 100).insert(db)
  try Player(id: 2, teamId: 1, name: "Barbara", score: 1000).insert(db)
  try Player(id: 3, teamId: nil, name: "Craig", score: 200).insert(db)
}

// snippet.results
struct PlayerWithTeam: Decodable, FetchableRecord {
  var player: Player
  var team: Team?
}

struct TeamWithPlayers: Decodable, FetchableRecord {
  var team: Team
  var players: [Player]
}

struct TeamSize: Decodable, FetchableRecord {
  var team: Team
  var playerCount: Int
}
// snippet.end

// snippet.requests
try queue.read { db in
  // One query: SELECT "player".*, "team".* FROM "player" LEFT JOIN "team" ON ...
  let players = try PlayerWithTeam.fetchAll(
    db, Player.including(optional: Player.team).order { $0.name })
  print(players.map { "\($0.player.name): \($0.team?.name ?? "no team")" })

  // Two queries, however many teams there are.
  let teams = try TeamWithPlayers.fetchAll(
    db, Team.including(all: Team.players.order { $0.score.desc }))
  print(teams.map { "\($0.team.name): \($0.players.map(\.name))" })

  // A condition on the other table, through an alias of it.
  let team = TableAlias<Team>()
  let reds = Player.joining(required: Player.team.aliased(team))
    .filter { $0.score > 500 && team.name == "Reds" }
  print(try reds.fetchAll(db).map(\.name))

  // SELECT "team".*, COUNT(DISTINCT "player"."id") AS "playerCount" ... GROUP BY "team"."id"
  let sizes = try TeamSize.fetchAll(db, Team.annotated(with: Team.players.count))
  print(sizes.map { "\($0.team.name): \($0.playerCount)" })

  // What belongs to one record: SELECT * FROM "player" WHERE "teamId" = 1
  let first = try Team.find(db, key: 1)
  print(try first.request(for: Team.players).fetchCount(db))
}
// snippet.end

// snippet.first
extension Team {
  static let best = players.order { $0.score.desc }.first().forKey("best")
}

try queue.read { db in
  // ... LEFT JOIN "player" ON "player"."id" = (SELECT "id" FROM "player"
  // WHERE "teamId" = "team"."id" ORDER BY "score" DESC LIMIT 1)
  let rows = try Row.fetchAll(db, Team.including(optional: Team.best))
  print(rows.map { $0.scopes["best"]?["name"] as String? ?? "nobody" })

  // The two best players of each team.
  let best = Team.players.order { $0.score.desc }.limit(2)
  let teams = try TeamWithPlayers.fetchAll(db, Team.including(all: best))
  print(teams.map { "\($0.team.name): \($0.players.map(\.name))" })
}
// snippet.end
