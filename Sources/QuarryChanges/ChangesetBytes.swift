import Foundation

/// The bytes of a changeset, in memory or read piece by piece, and how far they are read.
///
/// Of a file, only the pieces of the current change are kept.
struct ChangesetBytes {
  /// Those that are here.
  private(set) var kept: [UInt8]
  private(set) var position = 0
  /// The beginning of the current change, or of its table, if that is another one.
  private var start = 0
  /// The number of bytes that were dropped, before those that are here.
  private var dropped = 0
  private let byteCount: Int
  private let pieceSize: Int
  /// Returns the bytes that come next, none at the end. Nil where all are here.
  private let readPiece: (() throws -> Data)?
  private var hasher = Hasher()

  init(_ bytes: [UInt8]) {
    kept = bytes
    byteCount = bytes.count
    pieceSize = 0
    readPiece = nil
  }

  /// - parameter pieceSize: How many bytes are kept after they were read.
  init(byteCount: Int, pieceSize: Int, readPiece: @escaping () throws -> Data) {
    kept = []
    self.byteCount = byteCount
    self.pieceSize = pieceSize
    self.readPiece = readPiece
  }

  var areInMemory: Bool { readPiece == nil }

  /// The byte at the position, which is here.
  var next: UInt8 { kept[position] }

  /// Those since the beginning of the current change.
  var current: ArraySlice<UInt8> { kept[start..<position] }

  /// Is equal for equal pieces.
  var digest: Int {
    let hasher = hasher
    return hasher.finalize()
  }

  mutating func beginNext() {
    if readPiece != nil, position >= pieceSize {
      kept.removeFirst(position)
      dropped += position
      position = 0
    }
    start = position
  }

  /// Makes all bytes that are here the current ones.
  mutating func takeRest() { (start, position) = (position, kept.count) }

  /// Whether there are so many bytes, which are here then.
  mutating func has(_ count: Int) throws -> Bool {
    if count <= kept.count - position { return true }
    // A count that is wrong reads nothing.
    guard let readPiece, count <= byteCount - dropped - position else { return false }
    while kept.count - position < count {
      let piece = try readPiece()
      if piece.isEmpty { return false }
      unsafe piece.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      kept += piece
    }
    return true
  }

  /// Goes on after bytes that are here.
  mutating func skip(_ count: Int) { position += count }

  /// The range in the whole of the bytes from a position on.
  func wholeRange(from start: Int) -> Range<Int> { dropped + start..<dropped + position }

  func error(_ reason: String, at position: Int) -> ChangesetError {
    ChangesetError(
      .malformed,
      "no changeset: \(reason), at byte \(dropped + position) of \(byteCount). The bytes are damaged, or "
        + "come from something else")
  }
}

extension ChangesetBytes {
  /// Goes on after the bytes of a value that begins at `start`.
  mutating func skip(_ count: Int, ofValueAt start: Int) throws {
    guard try has(count) else { throw error("a value is cut off", at: start) }
    skip(count)
  }

  /// A number of columns or bytes, in seven bits of up to five bytes each.
  mutating func readCount() throws -> Int {
    let start = position
    for length in 1...5 {
      guard try has(length), kept[start + length - 1] & 0x80 != 0 else { break }
    }
    guard let (count, length) = Self.count(in: kept, at: start) else {
      throw error("a number is cut off or too large", at: start)
    }
    skip(length)
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
}
