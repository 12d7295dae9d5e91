import ByHand
import Harness
import WithGRDB

#if QUARRY
  import WithQuarry
#endif

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
    var all = [Contestant(name: .byHand, contender: try ByHand(path: path))]
    #if QUARRY
      all.append(Contestant(name: .quarry, contender: try WithQuarry.Toolkit(path: path)))
    #endif
    all.append(Contestant(name: .peer, contender: try WithGRDB.Toolkit(path: path)))
    return all
  }
}
