import Foundation
import Quarry

// The records of the inventory: as an application would declare them.

struct Team: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
  enum Columns {
    static let id = Column(CodingKeys.id)
    static let name = Column(CodingKeys.name)
    static let color = Column("color")
  }

  static let players = hasMany(Player.self)
  static let captain = hasOne(Player.self, key: "captain")
  static let awards = hasMany(Award.self, through: players, using: Player.awards)

  var id: Int64
  var name: String
  var color: Color?
}

struct Player: Codable, Hashable, Identifiable, FetchableRecord, MutablePersistableRecord {
  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let score = Column("score")
    static let teamId = Column("teamId")
  }

  static let team = belongsTo(Team.self)
  static let awards = hasMany(Award.self)
  static let passport = hasOne(Passport.self)

  var id: Int64?
  var name: String
  var score: Int
  var teamId: Int64?

  mutating func didInsert(_ inserted: InsertionSuccess) {
    id = inserted.rowID
  }
}

struct Award: Codable, FetchableRecord, PersistableRecord {
  static let player = belongsTo(Player.self)
  static let team = hasOne(Team.self, through: player, using: Player.team)

  var title: String
  var playerId: Int64
}

struct Passport: Codable, FetchableRecord, PersistableRecord {
  static let player = belongsTo(Player.self)

  var number: String
  var playerId: Int64
}

/// Written by hand, with a key that is no identifier.
struct Citizenship: FetchableRecord, PersistableRecord, Hashable {
  static let databaseTableName = "citizenship"

  static var databaseSelection: [any SQLSelectable] { [.allColumns, .rowID] }

  var citizenId: Int64
  var countryCode: String

  init(row: Row) throws {
    citizenId = row["citizenId"]
    countryCode = try row.decode(forColumn: "countryCode")
  }

  func encode(to container: inout PersistenceContainer) throws {
    container["citizenId"] = citizenId
    container[Column("countryCode")] = countryCode
  }
}

/// What a request selects.
struct PlayerInfo: Codable, Hashable, FetchableRecord, TableRecord {
  static let databaseTableName = "player"

  var name: String
  var awardCount: Int?
}

enum Color: String, Codable, DatabaseValueConvertible {
  case red, green
}

/// Read straight from statements.
enum Level: Int, Codable, DatabaseValueConvertible, StatementColumnConvertible {
  case low, high
}

/// Stored as JSON.
struct Address: Codable, Hashable, DatabaseValueConvertible {
  var street: String
  var city: String
}

/// The columns of a table, as an enumeration.
enum Columns: String, ColumnExpression {
  case id, name, score
}

extension DatabaseCollation {
  static let french = DatabaseCollation("french") { lhs, rhs in
    lhs.compare(rhs)
  }
}
