/// Some rows of a result. A result that is longer than a page of SQLite comes in several batches.
struct RowBatch {
  let columnNames: [String]
  /// Whether another batch follows.
  let isFollowed: Bool
  private var reader: WireReader

  private static let isLast: UInt64 = 0xFFFF_FFFF_FFFF_FFFF
  private static let isFollowedByAnother: UInt64 = 0xEEEE_EEEE_EEEE_EEEE

  init(_ body: WireReader) throws(WireError) {
    var reader = body
    // A name has a word at least.
    let count = try reader.count(ofItemsWithBytes: 8)
    var names: [String] = []
    for _ in 0..<count { names.append(try reader.text()) }
    columnNames = names
    isFollowed = try Self.end(reader)
    self.reader = reader
  }

  /// The last word.
  private static func end(_ reader: WireReader) throws(WireError) -> Bool {
    guard reader.rest >= 8 else { throw WireError(reason: "rows have no end") }
    switch reader.bytes.word(at: reader.bytes.count - 8) {
    case isLast: return false
    case isFollowedByAnother: return true
    default: throw WireError(reason: "rows have no end")
    }
  }

  /// Whether a row is left.
  var hasRows: Bool { reader.rest > 8 }

  /// The bytes to which the ranges of values belong.
  var bytes: [UInt8] { reader.bytes }

  /// Reads the next row. Returns false at the end of the batch.
  mutating func next(_ row: inout [WireValue]) throws(WireError) -> Bool {
    guard reader.rest > 8 else { return false }
    let start = reader.position
    // Types of four bits each, filled up to words. A result without columns has no rows.
    try reader.skip((columnNames.count + 1) / 2)
    guard reader.position > start else { throw WireError(reason: "rows have no columns") }
    row.removeAll(keepingCapacity: true)
    for column in columnNames.indices {
      // Two types share a byte, the lower half comes first.
      let code = reader.bytes[start + column / 2] >> (column.isMultiple(of: 2) ? 0 : 4) & 15
      guard let type = WireValue.TypeCode(rawValue: code) else {
        throw WireError(reason: "a value has the unknown type \(code)")
      }
      row.append(try WireValue(type, &reader))
    }
    guard reader.rest >= 8 else { throw WireError(reason: "a row has no end") }
    return true
  }
}
