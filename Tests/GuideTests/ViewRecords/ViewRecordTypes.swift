import Quarry

/// The records of the guide 'View records'. They are in one file, since extensions in other files
/// can't make records encodable.
enum ViewRecords {
  struct Team: Codable, Identifiable, Equatable, FetchableRecord, PersistableRecord {
    var id: String
    var name: String
  }

  struct Player: Codable, Identifiable, Equatable, FetchableRecord, PersistableRecord {
    var id: String
    var name: String
    var teamId: String?
    var isCaptain: Bool
  }

  struct Captain: Decodable, Identifiable, Equatable, FetchableRecord {
    var id: String
    var name: String
    var teamId: String
  }

  struct GameSchemaSource: DatabaseSchemaSource {
    /// Returns the names of the columns for the primary key in the
    /// provided database view.
    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
      ["id"]
    }
  }
}

extension ViewRecords.Captain {
  // Time to define some columns
  enum Columns {
    static let teamId = Column(CodingKeys.teamId)
  }

  // The captain view has a foreign key to teams,
  // from the teamId column to the team primary key.
  // SQLite does not know about it, so we declare it explicitly:
  static let teamForeignKey = ForeignKey([Columns.teamId])

  // A captain belongs to a team.
  static let team = belongsTo(ViewRecords.Team.self, using: teamForeignKey)
}

extension ViewRecords.Team {
  // A team has a captain.
  static let captain = hasOne(
    ViewRecords.Captain.self, using: ViewRecords.Captain.teamForeignKey)
}

extension ViewRecords.Captain: Encodable, PersistableRecord {}
