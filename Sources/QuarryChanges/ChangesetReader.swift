import Foundation

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
// A file is read in pieces, of which only those of the current change are kept.
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

  private var bytes: [UInt8]
  private var position = 0
  /// The beginning of the current change, or of its table, if that is another one.
  private var start = 0
  /// The number of bytes that were dropped, before those that are here.
  private var dropped = 0
  private let byteCount: Int
  /// Returns the bytes that come next, none at the end. Nil where all are here.
  private let readPiece: (() throws -> Data)?
  private var hasher = Hasher()
  private(set) var table: ChangesetTable?

  private let pieceSize: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    byteCount = bytes.count
    pieceSize = 0
    readPiece = nil
  }

  /// - parameter pieceSize: How many bytes are kept after they were read.
  init(byteCount: Int, pieceSize: Int, readPiece: @escaping () throws -> Data) {
    bytes = []
    self.byteCount = byteCount
    self.pieceSize = pieceSize
    self.readPiece = readPiece
  }

  var isPatchset: Bool { table?.isPatchset ?? false }

  /// The number of bytes that are kept.
  var keptCount: Int { bytes.count }

  /// Is equal for equal pieces.
  var digest: Int {
    let hasher = hasher
    return hasher.finalize()
  }

  /// The next change, nil at the end. Its ranges are those of the bytes that are kept.
  mutating func next() throws -> RawChange? {
    beginNext()
    while try has(1),
      bytes[position] == UInt8(ascii: "T") || bytes[position] == UInt8(ascii: "P")
    {
      // A table without changes is left out.
      beginNext()
      try readTable()
    }
    guard try has(1) else { return nil }
    guard let table else { throw error("a table is expected", at: 0) }
    return try readChange(of: table)
  }

  /// Checked bytes that come next, none at the end: those of a change, or, where all are checked
  /// already, all.
  mutating func nextBytes() throws -> ArraySlice<UInt8> {
    if readPiece != nil {
      _ = try next()
    } else {
      (start, position) = (position, bytes.count)
    }
    return bytes[start..<position]
  }

  private mutating func beginNext() {
    if readPiece != nil, position >= pieceSize {
      bytes.removeFirst(position)
      dropped += position
      position = 0
    }
    start = position
  }

  /// Whether there are so many bytes, which are here then.
  private mutating func has(_ count: Int) throws -> Bool {
    if count <= bytes.count - position { return true }
    // A count that is wrong reads nothing.
    guard let readPiece, count <= byteCount - dropped - position else { return false }
    while bytes.count - position < count {
      let piece = try readPiece()
      if piece.isEmpty { return false }
      unsafe piece.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      bytes += piece
    }
    return true
  }

  private mutating func readTable() throws {
    let start = position
    let isPatchset = bytes[position] == UInt8(ascii: "P")
    if let table, table.isPatchset != isPatchset {
      throw error("changeset and patchset are mixed", at: start)
    }
    position += 1
    let count = try readCount()
    guard 1...32_767 ~= count, try has(count + 1) else {
      throw error("\(count) columns are impossible", at: start + 1)
    }
    let positions = Array(bytes[position..<position + count])
    let keys = positions.filter { $0 != 0 }
    guard !keys.isEmpty else { throw error("the table has no primary key", at: position) }
    position += count
    let name = try readName()
    table = ChangesetTable(
      name: name, keyPositions: positions, isPatchset: isPatchset,
      header: dropped + start..<dropped + position)
  }

  private mutating func readName() throws -> String {
    let start = position
    // What is longer is no name: a file without any zero is not read as a whole.
    while try has(1), bytes[position] != 0, position - start < 1_000_000 { position += 1 }
    guard try has(1), bytes[position] == 0, position > start,
      let name = String(validating: bytes[start..<position], as: UTF8.self)
    else { throw error("the table has no name", at: start) }
    position += 1
    return name
  }

  private mutating func readChange(of table: ChangesetTable) throws -> RawChange {
    let start = position
    guard let kind = Change.Kind(rawValue: CInt(bytes[start])) else {
      throw error("\(bytes[start]) is no operation", at: start)
    }
    guard try has(2), bytes[start + 1] <= 1 else {
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
    guard try has(1) else { throw error("the last change is cut off", at: start) }
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
    guard try has(count) else { throw error("a value is cut off", at: start) }
    position += count
  }

  /// A number of columns or bytes, in seven bits of up to five bytes each.
  private mutating func readCount() throws -> Int {
    let start = position
    for length in 1...5 {
      guard try has(length), bytes[start + length - 1] & 0x80 != 0 else { break }
    }
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
      "no changeset: \(reason), at byte \(dropped + position) of \(byteCount). The bytes are damaged, or "
        + "come from something else")
  }
}
