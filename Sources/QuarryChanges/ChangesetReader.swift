import Foundation
import Quarry

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
// Insertions have a new record only, deletions an old one. Updates in a patchset have one record:
// the key, and the new values. Deletions in a patchset have the columns of the key only.
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

  private enum Record { case full, key, partial, unchecked }

  private var bytes: ChangesetBytes
  private(set) var table: ChangesetTable?
  private let isRebase: Bool

  /// - parameter isRebase: Whether the bytes come from a rebase, or from SQLite's rebaser. The one
  ///   has updates as insertions of the key and the new values, the other has updates with the key
  ///   in both records.
  init(_ bytes: [UInt8], isRebase: Bool = false) {
    self.bytes = ChangesetBytes(bytes)
    self.isRebase = isRebase
  }

  /// - parameter pieceSize: How many bytes are kept after they were read.
  init(byteCount: Int, pieceSize: Int, readPiece: @escaping () throws -> Data) {
    bytes = ChangesetBytes(byteCount: byteCount, pieceSize: pieceSize, readPiece: readPiece)
    isRebase = false
  }

  var isPatchset: Bool { table?.isPatchset ?? false }

  /// The number of bytes that are kept.
  var keptCount: Int { bytes.kept.count }

  /// Is equal for equal pieces.
  var digest: Int { bytes.digest }

  /// The next change, nil at the end. Its ranges are those of the bytes that are kept.
  mutating func next() throws -> RawChange? {
    bytes.beginNext()
    while try bytes.has(1), bytes.next == UInt8(ascii: "T") || bytes.next == UInt8(ascii: "P") {
      // A table without changes is left out.
      bytes.beginNext()
      try readTable()
    }
    guard try bytes.has(1) else { return nil }
    guard let table else { throw bytes.error("a table is expected", at: 0) }
    return try readChange(of: table)
  }

  /// The tables of the changes that come next.
  mutating func tables() throws -> [ChangesetTable] {
    var tables: [ChangesetTable] = []
    while try next() != nil, let table {
      if tables.last?.header != table.header { tables.append(table) }
    }
    return tables
  }

  /// Checked bytes that come next, none at the end: those of a change, or, where all are checked
  /// already, all.
  mutating func nextBytes() throws -> ArraySlice<UInt8> {
    if bytes.areInMemory { bytes.takeRest() } else { _ = try next() }
    return bytes.current
  }

  /// The bytes of the change that was read last, without those of its table.
  func bytes(of change: RawChange) -> ArraySlice<UInt8> { bytes.kept[change.range] }

  /// A change that was read last, with its values.
  func decoded(_ change: RawChange, of table: ChangesetTable) -> Change {
    Change(table, change, bytes.kept)
  }

  /// The values of some columns of a change that was read last, before it if there are any. Nil
  /// where one is not defined.
  func values(_ columns: [Int], of change: RawChange) -> [DatabaseValue]? {
    let ranges = columns.compactMap { (change.old ?? change.new)?[$0] }
    guard ranges.count == columns.count else { return nil }
    return ranges.map { DatabaseValue($0, in: bytes.kept) }
  }

  private mutating func readTable() throws {
    let start = bytes.position
    let isPatchset = bytes.next == UInt8(ascii: "P")
    if let table, table.isPatchset != isPatchset {
      throw bytes.error("changeset and patchset are mixed", at: start)
    }
    bytes.skip(1)
    let count = try bytes.readCount()
    guard 1...32_767 ~= count, try bytes.has(count + 1) else {
      throw bytes.error("\(count) columns are impossible", at: start + 1)
    }
    let positions = Array(bytes.kept[bytes.position..<bytes.position + count])
    let keys = positions.filter { $0 != 0 }
    guard !keys.isEmpty else {
      throw bytes.error("the table has no primary key", at: bytes.position)
    }
    bytes.skip(count)
    let name = try readName()
    table = ChangesetTable(
      name: name, keyPositions: positions, isPatchset: isPatchset,
      header: bytes.wholeRange(from: start))
  }

  private mutating func readName() throws -> String {
    let start = bytes.position
    // What is longer is no name: a file without any zero is not read as a whole.
    while try bytes.has(1), bytes.next != 0, bytes.position - start < 1_000_000 { bytes.skip(1) }
    guard try bytes.has(1), bytes.next == 0, bytes.position > start,
      let name = String(validating: bytes.kept[start..<bytes.position], as: UTF8.self)
    else { throw bytes.error("the table has no name", at: start) }
    bytes.skip(1)
    return name
  }

  private mutating func readChange(of table: ChangesetTable) throws -> RawChange {
    let start = bytes.position
    guard let kind = Change.Kind(rawValue: CInt(bytes.kept[start])) else {
      throw bytes.error("\(bytes.kept[start]) is no operation", at: start)
    }
    guard try bytes.has(2), bytes.kept[start + 1] <= 1 else {
      throw bytes.error("the operation lacks its second byte", at: start)
    }
    bytes.skip(2)
    var old: [Range<Int>?]?
    var new: [Range<Int>?]?
    switch kind {
    case .insert: new = try readRecord(isRebase ? .partial : .full, table)
    case .delete: old = try readRecord(isRebase ? .partial : table.isPatchset ? .key : .full, table)
    case .update:
      let record = try readRecord(.partial, table)
      if table.isPatchset {
        old = record.indices.map { table.keyPositions[$0] == 0 ? nil : record[$0] }
        new = record.indices.map { table.keyPositions[$0] == 0 ? record[$0] : nil }
      } else {
        old = record
        new = try readRecord(isRebase ? .unchecked : nil, table)
      }
    }
    return RawChange(
      kind: kind, isIndirect: bytes.kept[start + 1] == 1, range: start..<bytes.position, old: old,
      new: new)
  }

  /// - parameter record: The columns that must be defined: all, those of the key, or at least
  ///   those. For the new record of an update, those of the key must not be.
  private mutating func readRecord(
    _ record: Record?, _ table: ChangesetTable
  ) throws -> [Range<Int>?] {
    try table.keyPositions.map { key in
      if record == .key, key == 0 { return nil }
      let start = bytes.position
      let value = try readValue()
      let isRight =
        switch record {
        case .full, .key: value != nil
        case .partial: key == 0 || value != nil
        case .unchecked: true
        case nil: key == 0 || value == nil
        }
      guard isRight else {
        throw bytes.error("a value of the key of \(table.name) is wrong", at: start)
      }
      return value
    }
  }

  /// The range of a value with its type, nil if it is not defined.
  private mutating func readValue() throws -> Range<Int>? {
    let start = bytes.position
    guard try bytes.has(1) else { throw bytes.error("the last change is cut off", at: start) }
    bytes.skip(1)
    switch bytes.kept[start] {
    case 0: return nil
    case 1, 2: try bytes.skip(8, ofValueAt: start)
    case 3, 4: try bytes.skip(bytes.readCount(), ofValueAt: start)
    case 5: break
    default: throw bytes.error("\(bytes.kept[start]) is no type of a value", at: start)
    }
    return start..<bytes.position
  }
}
