import Harness

#if PEER
  import GRDB
#else
  import Quarry
#endif

/// Encoded by hand.
struct EncodingLoan: PersistableRecord {
  static let databaseTableName = "newLoan"

  var id: Int64
  var memberId: Int64
  var shelf: String
  var days: Int

  init(_ facts: LoanFacts) {
    id = facts.id
    memberId = facts.memberId
    shelf = facts.shelf
    days = facts.days
  }

  func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["memberId"] = memberId
    container["shelf"] = shelf
    container["days"] = days
  }
}

/// Encoded by its Codable conformance.
struct CodableNewLoan: Codable, PersistableRecord {
  static let databaseTableName = "newLoan"

  var id: Int64
  var memberId: Int64
  var shelf: String
  var days: Int

  init(_ facts: LoanFacts) {
    id = facts.id
    memberId = facts.memberId
    shelf = facts.shelf
    days = facts.days
  }
}
