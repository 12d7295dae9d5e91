// The format of changesets and patchsets. SQLite trusts bytes that come from others more than it
// should: versions before 3.44 read beyond the end of some. So bytes are checked here first.
//
// | part | bytes |
// | --- | --- |
// | table | `T`, or `P` in a patchset; number of columns; for each, its position in the primary key; name; 0 |
// | change | operation; 1 if it is indirect; the old record; the new record |
// | record | for each column a type, and its value |
// | value | 0 undefined, 1 integer (8 bytes), 2 double (8 bytes), 3 text, 4 blob (count, bytes), 5 null |
//
// Insertions have a new record only, deletions an old one. Updates in a patchset have one record: the
// key, and the new values. Deletions in a patchset have the columns of the key only.
//
// See <https://www.sqlite.org/session/c_changeset_abort.html>.

/// The table of the changes that follow it.
struct ChangesetTable: Equatable {
  let name: String
  /// For each column its position in the primary key, from 1, or 0.
  let keyPositions: [UInt8]
  let isPatchset: Bool
  let header: Range<Int>

  var columnCount: Int { keyPositions.count }
  var keyColumns: [Int] { keyPositions.indices.filter { keyPositions[$0] != 0 } }
}

/// Reads and checks changes.
struct ChangesetReader {
  struct RawChange {
    let kind: Change.Kind
    let isIndirect: Bool
    let range: Range<Int>
    /// Where the values of the records are: nil where a value is not defined.
    var old: [Range<Int>?]?
    var new: [Range<Int>?]?
  }

  private enum Record { case full, key, partial }

  private let bytes: [UInt8]
  private var position = 0
  private(set) var table: ChangesetTable?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isPatchset: Bool { table?.isPatchset ?? false }

  /// The next change, nil at the end.
  mutating func next() throws -> RawChange? {
    while position < bytes.count,
      bytes[position] == UInt8(ascii: "T") || bytes[position] == UInt8(ascii: "P")
    {
      try readTable()
    }
    guard position < bytes.count else { return nil }
    guard let table else { throw error("a table is expected", at: 0) }
    return try readChange(of: table)
  }

  private mutating func readTable() throws {
    let start = position
    let isPatchset = bytes[position] == UInt8(ascii: "P")
    if let table, table.isPatchset != isPatchset {
      throw error("changeset and patchset are mixed", at: start)
    }
    position += 1
    let count = try readCount()
    guard 1...32_767 ~= count, count < bytes.count - position else {
      throw error("\(count) columns are impossible", at: start + 1)
    }
    let positions = Array(bytes[position..<position + count])
    let keys = positions.filter { $0 != 0 }
    guard !keys.isEmpty else { throw error("the table has no primary key", at: position) }
    position += count
    guard let end = bytes[position...].firstIndex(of: 0), end > position,
      let name = String(validating: bytes[position..<end], as: UTF8.self)
    else { throw error("the table has no name", at: position) }
    position = end + 1
    table = ChangesetTable(
      name: name, keyPositions: positions, isPatchset: isPatchset, header: start..<position)
  }

  private mutating func readChange(of table: ChangesetTable) throws -> RawChange {
    let start = position
    guard let kind = Change.Kind(rawValue: CInt(bytes[start])) else {
      throw error("\(bytes[start]) is no operation", at: start)
    }
    guard start + 1 < bytes.count, bytes[start + 1] <= 1 else {
      throw error("the operation lacks its second byte", at: start)
    }
    position += 2
    var old: [Range<Int>?]?
    var new: [Range<Int>?]?
    switch kind {
    case .insert:
      new = try readRecord(.full, table)
    case .delete:
      old = try readRecord(table.isPatchset ? .key : .full, table)
    case .update:
      let record = try readRecord(.partial, table)
      if table.isPatchset {
        old = record.indices.map { table.keyPositions[$0] == 0 ? nil : record[$0] }
        new = record.indices.map { table.keyPositions[$0] == 0 ? record[$0] : nil }
      } else {
        old = record
        new = try readRecord(nil, table)
      }
    }
    return RawChange(
      kind: kind, isIndirect: bytes[start + 1] == 1, range: start..<position, old: old, new: new)
  }

  /// - parameter record: The columns that must be defined: all, those of the key, or at least those.
  ///   For the new record of an update, those of the key must not be.
  private mutating func readRecord(
    _ record: Record?, _ table: ChangesetTable
  ) throws -> [Range<Int>?] {
    try table.keyPositions.map { key in
      if record == .key, key == 0 { return nil }
      let start = position
      let value = try readValue()
      let isRight =
        switch record {
        case .full, .key: value != nil
        case .partial: key == 0 || value != nil
        case nil: key == 0 || value == nil
        }
      guard isRight else { throw error("a value of the key of \(table.name) is wrong", at: start) }
      return value
    }
  }

  /// The range of a value with its type, nil if it is not defined.
  private mutating func readValue() throws -> Range<Int>? {
    let start = position
    guard start < bytes.count else { throw error("the last change is cut off", at: start) }
    position += 1
    switch bytes[start] {
    case 0: return nil
    case 1, 2: try skip(8, from: start)
    case 3, 4: try skip(readCount(), from: start)
    case 5: break
    default: throw error("\(bytes[start]) is no type of a value", at: start)
    }
    return start..<position
  }

  private mutating func skip(_ count: Int, from start: Int) throws {
    guard count <= bytes.count - position else { throw error("a value is cut off", at: start) }
    position += count
  }

  /// A number of columns or bytes, in seven bits of up to five bytes each.
  private mutating func readCount() throws -> Int {
    let start = position
    guard let (count, length) = Self.count(in: bytes, at: start) else {
      throw error("a number is cut off or too large", at: start)
    }
    position += length
    return count
  }

  private static func count(in bytes: [UInt8], at start: Int) -> (Int, length: Int)? {
    var count = 0
    for index in 0..<5 where start + index < bytes.count {
      let byte = bytes[start + index]
      count = count << 7 | Int(byte & 0x7f)
      if byte & 0x80 == 0 { return count <= Int(Int32.max) ? (count, index + 1) : nil }
    }
    return nil
  }

  /// The content of a text or blob.
  static func content(_ range: Range<Int>, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let (_, length) = count(in: bytes, at: range.lowerBound + 1) else { return [] }
    return bytes[range.lowerBound + 1 + length..<range.upperBound]
  }

  private func error(_ reason: String, at position: Int) -> ChangesetError {
    ChangesetError(
      .malformed,
      "no changeset: \(reason), at byte \(position) of \(bytes.count). The bytes are damaged, or "
        + "come from something else")
  }
}
