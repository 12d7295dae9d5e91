import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// Encoded by hand.
struct EncodingNewcomer: PersistableRecord {
  static let databaseTableName = "newcomer"

  var id: Int64
  var name: String
  var team: String
  var score: Int
  var rating: Double
  var email: String?

  init(_ facts: PlayerFacts) {
    id = facts.id
    name = facts.name
    team = facts.team
    score = facts.score
    rating = facts.rating
    email = facts.email
  }

  func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["name"] = name
    container["team"] = team
    container["score"] = score
    container["rating"] = rating
    container["email"] = email
  }
}

/// Encoded by its Codable conformance.
struct CodableNewcomer: Codable, PersistableRecord {
  static let databaseTableName = "newcomer"

  var id: Int64
  var name: String
  var team: String
  var score: Int
  var rating: Double
  var email: String?

  init(_ facts: PlayerFacts) {
    id = facts.id
    name = facts.name
    team = facts.team
    score = facts.score
    rating = facts.rating
    email = facts.email
  }
}
