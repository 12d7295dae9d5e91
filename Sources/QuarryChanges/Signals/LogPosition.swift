/// The end of a commit in the write-ahead log.
///
/// The salts are other ones each time the log begins again. The checksum is that of all frames up
/// to this one: positions that are equal have the same frames, and so the same commits, before
/// them.
///
/// See <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
package struct LogPosition: Hashable, Sendable {
  let salts: UInt64
  let checksum: UInt64
  /// The number of the frame, from 1 on. 0 before the first one.
  let frame: UInt32

  package init(salts: UInt64, checksum: UInt64, frame: UInt32) {
    (self.salts, self.checksum, self.frame) = (salts, checksum, frame)
  }
}

/// A message of a process about one of its commits: which tables have changed between two positions
/// of the log, and no commit lies between them.
package struct CommitMessage: Hashable, Sendable {
  package let start: LogPosition
  package let end: LogPosition
  /// The connection that has committed.
  package let author: UInt64
  /// The keys of the tables. Nil for any tables.
  package let tables: Set<String>?

  package init(start: LogPosition, end: LogPosition, author: UInt64, tables: Set<String>?) {
    (self.start, self.end, self.author, self.tables) = (start, end, author, tables)
  }
}

extension CommitMessage {
  /// The greatest number of bytes.
  package static let capacity = 512

  /// The bytes: a checksum of those that follow, their number, whether there are names, the
  /// positions, the author, and each name after its length. Where names have no place, there are
  /// none.
  package var bytes: [UInt8] {
    guard let tables else { return encoded(names: []) }
    let names = tables.sorted().map { Array($0.utf8) }
    let count = names.reduce(Self.minimum) { $0 + 1 + $1.count }
    if count > Self.capacity || names.contains(where: { $0.count > 255 }) {
      return CommitMessage(start: start, end: end, author: author, tables: nil).bytes
    }
    return encoded(names: names)
  }

  private static let minimum = 60

  private func encoded(names: [[UInt8]]) -> [UInt8] {
    var body = UInt16(names.reduce(Self.minimum) { $0 + 1 + $1.count }).littleEndianBytes
    body += UInt16(tables == nil ? 0 : 1).littleEndianBytes
    body += start.bytes + end.bytes + author.littleEndianBytes
    for name in names { body += [UInt8(name.count)] + name }
    return body.signalChecksum.littleEndianBytes + body
  }

  /// Reads the bytes of a message, after which there may be others. Nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.minimum else { return nil }
    var reader = ByteReader(bytes: bytes[...])
    let checksum = reader.number(UInt64.self)
    let count = Int(reader.number(UInt16.self))
    guard (Self.minimum...min(Self.capacity, bytes.count)).contains(count),
      bytes[8..<count].signalChecksum == checksum
    else { return nil }
    reader.bytes = bytes[10..<count]
    let hasNames = reader.number(UInt16.self) == 1
    (start, end) = (reader.position(), reader.position())
    author = reader.number(UInt64.self)
    guard let names = reader.names() else { return nil }
    tables = hasNames ? names : nil
  }
}

extension LogPosition {
  /// The bytes, with a checksum of their own.
  package var signedBytes: [UInt8] { bytes.signalChecksum.littleEndianBytes + bytes }

  /// Reads what `signedBytes` has written. Nil for anything else.
  package init?(signedBytes: [UInt8]) {
    guard signedBytes.count == 28 else { return nil }
    var reader = ByteReader(bytes: signedBytes[...])
    guard reader.number(UInt64.self) == signedBytes[8...].signalChecksum else { return nil }
    self = reader.position()
  }

  fileprivate var bytes: [UInt8] {
    salts.littleEndianBytes + checksum.littleEndianBytes + frame.littleEndianBytes
  }
}

/// Reads numbers from bytes that are there.
private struct ByteReader {
  var bytes: ArraySlice<UInt8>

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    let size = Number.bitWidth / 8
    defer { bytes = bytes.dropFirst(size) }
    return bytes.prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  mutating func position() -> LogPosition {
    LogPosition(
      salts: number(UInt64.self), checksum: number(UInt64.self), frame: number(UInt32.self))
  }

  mutating func names() -> Set<String>? {
    var names: Set<String> = []
    while let count = bytes.popFirst() {
      guard bytes.count >= count else { return nil }
      names.insert(String(decoding: bytes.prefix(Int(count)), as: UTF8.self))
      bytes = bytes.dropFirst(Int(count))
    }
    return names
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
  }
}

extension Sequence<UInt8> {
  /// The checksum FNV-1a.
  fileprivate var signalChecksum: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
