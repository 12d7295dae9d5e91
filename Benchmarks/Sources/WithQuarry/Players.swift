import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// Decoded by hand, by position.
struct IndexedPlayer: FetchableRecord, TableRecord, PlayerValues {
  static let databaseTableName = "player"

  var id: Int64
  var name: String
  var team: String
  var score: Int
  var rating: Double
  var email: String?

  init(row: Row) {
    id = row[0]
    name = row[1]
    team = row[2]
    score = row[3]
    rating = row[4]
    email = row[5]
  }
}

/// Decoded by hand, by column name.
struct NamedPlayer: FetchableRecord, TableRecord, PlayerValues {
  static let databaseTableName = "player"

  var id: Int64
  var name: String
  var team: String
  var score: Int
  var rating: Double
  var email: String?

  init(row: Row) {
    id = row["id"]
    name = row["name"]
    team = row["team"]
    score = row["score"]
    rating = row["rating"]
    email = row["email"]
  }
}

/// Decoded by its Codable conformance.
struct CodablePlayer: Codable, FetchableRecord, TableRecord, PlayerValues {
  static let databaseTableName = "player"

  var id: Int64
  var name: String
  var team: String
  var score: Int
  var rating: Double
  var email: String?
}
