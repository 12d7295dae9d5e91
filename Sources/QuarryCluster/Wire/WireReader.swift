/// A message does not have the form that the protocol gives it.
struct WireError: Error, Equatable {
  let reason: String
}

/// Reads the body of a message: see ``WireWriter``.
struct WireReader {
  let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes that are left.
  var rest: Int { bytes.count - position }

  mutating func word() throws(WireError) -> UInt64 {
    guard rest >= 8 else { throw WireError(reason: "it ends too early") }
    defer { position += 8 }
    return bytes.word(at: position)
  }

  /// Two numbers that share a word.
  mutating func halves() throws(WireError) -> (UInt32, UInt32) {
    let word = try word()
    return (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word >> 32))
  }

  mutating func text() throws(WireError) -> String {
    let range = try textRange()
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw WireError(reason: "a text is not UTF-8")
    }
    return text
  }

  /// The bytes of a text, without its end.
  mutating func textRange() throws(WireError) -> Range<Int> {
    guard let end = bytes[position...].firstIndex(of: 0) else {
      throw WireError(reason: "a text has no end")
    }
    let range = position..<end
    try skip(range.count + 1)
    return range
  }

  mutating func blobRange() throws(WireError) -> Range<Int> {
    let count = try count(ofItemsWithBytes: 1)
    let range = position..<position + count
    try skip(count)
    return range
  }

  /// A number of items, of which each has that many bytes at least.
  mutating func count(ofItemsWithBytes size: Int) throws(WireError) -> Int {
    let count = try word()
    guard count <= UInt64(rest / size) else { throw WireError(reason: "it ends too early") }
    return Int(count)
  }

  /// Passes over bytes, and over those that fill the last word.
  mutating func skip(_ count: Int) throws(WireError) {
    let words = (count + 7) & ~7
    guard words <= rest else { throw WireError(reason: "it ends too early") }
    position += words
  }
}

extension [UInt8] {
  func word(at position: Int) -> UInt64 {
    precondition(position >= 0 && count - position >= 8)
    return unsafe withUnsafeBytes { buffer in
      unsafe UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
  }
}
