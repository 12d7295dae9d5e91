import Foundation
import QuarryMacros

enum Level: String, DatabaseValueConvertible, CaseIterable {
  case low, high
}

@Record struct Team: Equatable {
  @PrimaryKey var id: Int64?
  var city: String
  var budget: Double?

  static let players = hasMany(Player.self)
}

@Record struct Player: Equatable {
  @PrimaryKey var id: Int64?
  var teamId: Int64?
  var name: String
  var nickname: String?
  @Column("best_score") var score: Int
  var bonus: Int?
  var ratio: Double
  var isActive: Bool
  var isGuest: Bool?
  var level: Level
  @Column(as: UnixMilliseconds.self) var joined: Date
  @Column(as: UnixMilliseconds.self) var left: Date?
  @Column(as: LowercaseText.self) var badge: UUID
  @JSON var tags: [String]

  static let team = belongsTo(Team.self)
}

/// The start of 2024, and the days after it.
func day(_ number: Int) -> Date {
  Date(timeIntervalSince1970: 1_704_067_200 + 86_400 * Double(number))
}

func badge(_ number: UInt8) -> UUID {
  UUID(uuid: (0xAB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
}

let anna = Player(
  id: 1, teamId: 1, name: "Anna", nickname: nil, score: 10, bonus: 5, ratio: 0.5, isActive: true,
  isGuest: nil, level: .low, joined: day(0), left: nil, badge: badge(1), tags: ["x"])
let bob = Player(
  id: 2, teamId: 2, name: "Bob", nickname: "Bobby", score: 20, bonus: nil, ratio: 1.5,
  isActive: false, isGuest: true, level: .high, joined: day(10), left: day(20), badge: badge(2),
  tags: [])
let cleo = Player(
  id: 3, teamId: nil, name: "Cleo", nickname: "C", score: 30, bonus: 30, ratio: 2.5,
  isActive: true, isGuest: false, level: .low, joined: day(20), left: day(20), badge: badge(3),
  tags: ["x", "y"])

/// A database with two teams and three players.
func withPlayers<T>(_ body: (Database) throws -> T) throws -> T {
  let database = try DatabaseQueue()
  return try database.write { db in
    try db.execute(
      sql: """
        CREATE TABLE team (id INTEGER PRIMARY KEY, city TEXT NOT NULL, budget REAL);
        CREATE TABLE player (
          id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team(id), name TEXT NOT NULL,
          nickname TEXT, best_score INTEGER NOT NULL, bonus INTEGER, ratio REAL NOT NULL,
          isActive BOOLEAN NOT NULL, isGuest BOOLEAN, level TEXT NOT NULL, joined INTEGER NOT NULL,
          left INTEGER, badge TEXT NOT NULL, tags TEXT NOT NULL)
        """)
    for var team in [Team(city: "Paris", budget: 10), Team(city: "Rome", budget: nil)] {
      try team.insert(db)
    }
    for var player in [anna, bob, cleo] { try player.insert(db) }
    return try body(db)
  }
}

extension FetchRequest {
  /// The SQL of the request.
  func sql(_ db: Database) throws -> String {
    try makePreparedRequest(db, forSingleResult: false).statement.sql
  }
}
