/// A line of the table: one piece of work, done by every contender.
public enum Line: String, CaseIterable, Sendable {
  case index
  case name
  case codable
  case rows
  case strings
  case integers
  case key
  case filter
  case prepare
  case pairs
  case children
  case insertStatement = "insert-statement"
  case insertEncode = "insert-encode"
  case insertCodable = "insert-codable"
  case insertMany = "insert-many"

  public var title: String {
    switch self {
    case .index: "fetch 200,000 records by index"
    case .name: "fetch 200,000 records by column name"
    case .codable: "fetch 200,000 Codable records"
    case .rows: "Row.fetchAll of 200,000"
    case .strings: "fetch 200,000 strings"
    case .integers: "fetch 200,000 integers"
    case .key: "fetch by primary key, Codable"
    case .filter: "filter and fetch one, Codable"
    case .prepare: "build and prepare a joined request"
    case .pairs: "joined fetch of 20,000 Codable pairs"
    case .children: "including(all:) 2,000 with 20,000"
    case .insertStatement: "insert 50,000 by statement"
    case .insertEncode: "insert 50,000 by encode(to:)"
    case .insertCodable: "insert 50,000 Codable records"
    case .insertMany: "insert(contentsOf:) 50,000 by encode(to:)"
    }
  }

  /// How many calls one pass makes, where the time of a call says more than that of the pass.
  public var calls: Int? {
    switch self {
    case .key, .filter: Dataset.lookupCount
    case .prepare: Dataset.preparationCount
    default: nil
    }
  }

  /// What Quarry may cost.
  public var budget: Budget {
    switch self {
    case .index: .timesByHand(1.2)
    case .name: .timesByHand(1.5)
    case .codable: .timesByHand(2)
    case .rows: .timesByHand(1.6)
    case .strings, .integers: .timesByHand(1.15)
    case .key: .timesByHand(5)
    case .filter: .timesByHand(6)
    case .prepare: .timesPeer(0.1)
    case .pairs, .children: .timesByHand(3)
    case .insertStatement: .timesByHand(1.2)
    case .insertEncode: .timesByHand(1.8)
    case .insertCodable: .timesByHand(2.2)
    // By hand, too, it is the loop of single rows.
    case .insertMany: .timesByHand(0.6)
    }
  }
}

/// The most that Quarry may cost on a line.
public enum Budget: Sendable {
  case timesByHand(Double)
  case timesPeer(Double)
}
