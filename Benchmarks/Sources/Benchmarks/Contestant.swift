import ByHand
import Harness
import WithGRDB
import WithQuarry

/// A contender with the name it has in the report.
struct Contestant {
  enum Name: String, CaseIterable, Encodable {
    case byHand = "C"
    case quarry = "Quarry"
    case peer = "GRDB"
  }

  let name: Name
  let contender: any Contender

  static func all(path: String) throws -> [Contestant] {
    [
      Contestant(name: .byHand, contender: try ByHand(path: path)),
      Contestant(name: .quarry, contender: try WithQuarry.Toolkit(path: path)),
      Contestant(name: .peer, contender: try WithGRDB.Toolkit(path: path)),
    ]
  }
}
