import Quarry

/// Writes changes in the format that ``ChangesetReader`` describes.
struct ChangesetWriter {
  private(set) var bytes: [UInt8] = []
  private var table: (name: String, keyPositions: [UInt8])?

  /// Adds a change. Values that are nil are not defined.
  mutating func append(
    _ kind: Change.Kind, of table: String, _ keyPositions: [UInt8], isIndirect: Bool = false,
    old: [DatabaseValue?]? = nil, new: [DatabaseValue?]? = nil
  ) {
    if self.table?.name != table || self.table?.keyPositions != keyPositions {
      self.table = (table, keyPositions)
      bytes += Self.header(table, keyPositions)
    }
    bytes += [UInt8(kind.rawValue), isIndirect ? 1 : 0]
    for record in [old, new] { record?.forEach { bytes += Self.value($0) } }
  }

  /// The change of a row from some values, or none, to others, or none: an update has all of them.
  mutating func append(
    of table: String, _ keyPositions: [UInt8], isIndirect: Bool = false,
    from old: [DatabaseValue]?, to new: [DatabaseValue]?
  ) {
    switch (old, new) {
    case (nil, let new?): append(.insert, of: table, keyPositions, isIndirect: isIndirect, new: new)
    case (let old?, nil): append(.delete, of: table, keyPositions, isIndirect: isIndirect, old: old)
    case (let old?, let new?):
      append(
        .update, of: table, keyPositions, isIndirect: isIndirect, old: old,
        new: new.indices.map { keyPositions[$0] == 0 ? new[$0] : nil })
    case (nil, nil): break
    }
  }

  /// The bytes of the table that stand before its changes.
  static func header(
    _ table: String, _ keyPositions: [UInt8], isPatchset: Bool = false
  ) -> [UInt8] {
    let kind = isPatchset ? UInt8(ascii: "P") : UInt8(ascii: "T")
    return [kind] + count(keyPositions.count) + keyPositions + Array(table.utf8) + [0]
  }

  /// The bytes of values, as those of a record.
  static func record(_ values: [DatabaseValue]) -> [UInt8] { values.flatMap(value) }

  private static func value(_ value: DatabaseValue?) -> [UInt8] {
    switch value?.storage {
    case nil: [0]
    case .null: [5]
    case .int64(let number): [1] + word(UInt64(bitPattern: number))
    case .double(let number): [2] + word(number.bitPattern)
    case .string(let text): [3] + count(text.utf8.count) + Array(text.utf8)
    case .blob(let data): [4] + count(data.count) + Array(data)
    }
  }

  private static func word(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
  }

  /// A number in groups of seven bits, the highest ones first.
  private static func count(_ count: Int) -> [UInt8] {
    var groups = [UInt8(count & 0x7f)]
    var rest = count >> 7
    while rest > 0 {
      groups.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
      rest >>= 7
    }
    return groups
  }
}
