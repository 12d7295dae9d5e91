// Players in teams.

import Foundation
import Quarry

struct Info: Codable {
  var score: Int
}

struct Player: Codable, Equatable, Identifiable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let id = Column(CodingKeys.id)
    static let name = Column(CodingKeys.name)
    static let score = Column(CodingKeys.score)
    static let bonus = Column("bonus")
    static let team = Column("team")
    static let info = JSONColumn("info")
  }

  static let team = belongsTo(Team.self)

  var id: Int64?
  var name: String?
  var score: Int?

  init(id: Int64? = nil, name: String?, score: Int? = nil) {
    self.id = id
    self.name = name
    self.score = score
  }
}

struct PartialPlayer: Codable, PersistableRecord {
  static let databaseTableName = "player"
  var name: String
}

struct Team: Codable, FetchableRecord, PersistableRecord {
  static let players = hasMany(Player.self)
  var id: Int64
}

var player: Player {
  get { Player(id: 1, name: "Alice") }
  set {}
}
let old = Player(id: 1, name: "Alice", score: 100)
let team = Team(id: 1)
let names = ["Alice", "Bob"]
let minimum = 1000
let bonus = 10
