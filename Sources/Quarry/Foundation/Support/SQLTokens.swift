/// The tokens of SQL text, as far as quotes, comments, parentheses and words go: enough to find
/// keywords, without a parser.
///
/// See <https://www.sqlite.org/lang_keywords.html>.
package struct SQLTokens: Sequence, IteratorProtocol {
  package enum Token: Equatable {
    /// A keyword, a name without quotes, or a number.
    case word(Range<Int>)
    /// A text or a name in quotes. A doubled quote ends one of them and begins the next one.
    case quoted(Range<Int>)
    case comment
    case symbol(UInt8, at: Int)
  }

  let bytes: [UInt8]
  private var index = 0

  package init(_ sql: String) { bytes = Array(sql.utf8) }

  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  package mutating func next() -> Token? {
    while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    guard index < bytes.count else { return nil }
    let start = index
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
      return .quoted(skip(from: start + 1, past: [byte]))
    case UInt8(ascii: "["): return .quoted(skip(from: start + 1, past: [UInt8(ascii: "]")]))
    case UInt8(ascii: "-") where nextByte == byte:
      _ = skip(from: start + 2, past: [UInt8(ascii: "\n")])
      return .comment
    case UInt8(ascii: "/") where nextByte == UInt8(ascii: "*"):
      _ = skip(from: start + 2, past: [UInt8(ascii: "*"), UInt8(ascii: "/")])
      return .comment
    case _ where Self.isWord(byte):
      while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
      return .word(start..<index)
    default:
      index += 1
      return .symbol(byte, at: start)
    }
  }

  private var nextByte: UInt8 { index + 1 < bytes.count ? bytes[index + 1] : 0 }

  /// Goes on after the next `end`. Returns what is before it.
  private mutating func skip(from start: Int, past end: [UInt8]) -> Range<Int> {
    var position = Swift.min(start, bytes.count)
    while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    index = Swift.min(position + end.count, bytes.count)
    return Swift.min(start, position)..<position
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") || byte >= 0x80
      || byte == UInt8(ascii: "$")
  }
}
