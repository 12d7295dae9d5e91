import ByHand
import Harness
import WithGRDB
import WithQuarry

/// A contender with the name it has in the report.
struct Contestant {
  enum Name: String, Encodable {
    case byHand = "C"
    case quarry = "Quarry"
    case peer = "GRDB"
    /// By hand, with coders that check nothing.
    case unchecked

    /// Those of the table.
    static let compared: [Name] = [.byHand, .quarry, .peer]
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

  /// Those of the table of Codable records.
  static func codable(path: String) throws -> [Contestant] {
    [
      Contestant(name: .byHand, contender: try ByHand(path: path)),
      Contestant(name: .unchecked, contender: try UncheckedCoding(path: path)),
      Contestant(name: .quarry, contender: try WithQuarry.Toolkit(path: path)),
    ]
  }
}
