struct Team: Codable, FetchableRecord, PersistableRecord {
  static let roles = hasMany(PlayerRole.self)
  static let players = hasMany(Player.self, through: roles, using: PlayerRole.player)
  var id: Int64
}
struct PlayerRole: Codable, FetchableRecord, PersistableRecord {
  static let player = belongsTo(Player.self)
  var teamId: Int64
  var playerId: Int64
}
let team = Team(id: 1)
let captain = player
let keeper = player
