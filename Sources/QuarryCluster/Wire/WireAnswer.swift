/// An answer of a node.
struct WireAnswer {
  enum Kind: UInt8 {
    case failure = 0
    case server = 1
    case welcome = 2
    case servers = 3
    case database = 4
    case statement = 5
    case result = 6
    case rows = 7
    case empty = 8
    case files = 9
    case metadata = 10
  }

  let kind: Kind
  /// The form of the body.
  let schema: UInt8
  var body: WireReader
}

/// The first word of a message.
struct WireHeader {
  static let size = 8

  let kind: WireAnswer.Kind
  let schema: UInt8
  /// The length of the body in bytes.
  let count: Int

  init(_ bytes: [UInt8]) throws(WireError) {
    var reader = WireReader(bytes)
    let word = try reader.word()
    let type = UInt8(truncatingIfNeeded: word >> 32)
    guard let kind = WireAnswer.Kind(rawValue: type) else {
      throw WireError(reason: "its type \(type) is unknown")
    }
    self.kind = kind
    schema = UInt8(truncatingIfNeeded: word >> 40)
    count = Int(UInt32(truncatingIfNeeded: word)) * 8
  }
}

/// An error that a node reports.
struct NodeFailure: Error, Equatable {
  /// An extended result code of SQLite, or one of the node's own.
  let code: Int
  let message: String

  /// The node does not lead the cluster, or does not any more.
  var isLeadershipFailure: Bool { code == Self.notLeader || code == Self.leadershipLost }

  static let notLeader = 10 | 40 << 8
  static let leadershipLost = 10 | 41 << 8
}

extension NodeFailure {
  /// Reads a failure from its end.
  ///
  /// An error in the middle of a result comes after the rows that the node has encoded so far: the
  /// message is the last text of the body, and the code is in the word before it. No word of a text
  /// but its last one has a zero byte, and each code has some.
  init(_ body: WireReader) throws(WireError) {
    let bytes = body.bytes
    var position = bytes.count - 8
    while position >= 8, !bytes.word(at: position - 8).hasZeroByte { position -= 8 }
    guard position >= 8 else { throw WireError(reason: "a failure has no code") }
    var reader = body
    try reader.skip(position - 8)
    code = Int(Int64(bitPattern: try reader.word()))
    message = try reader.text()
  }
}

extension UInt64 {
  fileprivate var hasZeroByte: Bool { (0..<8).contains { self >> ($0 * 8) & 0xFF == 0 } }
}
