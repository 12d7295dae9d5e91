import Foundation
import QuarryMacros

enum Level: String, DatabaseValueConvertible {
  case low, high
}

@Record struct Team {
  @PrimaryKey var id: Int64?
  var city: String
}

@Record struct Player {
  @PrimaryKey var id: Int64?
  var teamId: Int64?
  var name: String
  var nickname: String?
  var score: Int
  var bonus: Int?
  var isActive: Bool
  var level: Level
  @Column(as: UnixSeconds.self) var joined: Date

  static let team = belongsTo(Team.self)
}
