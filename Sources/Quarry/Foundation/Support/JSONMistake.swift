/// The first mistake of a text that should be JSON: Foundation does not report where it is, on
/// Linux.
///
/// The text is looked at after it was refused, never before. See
/// <https://www.rfc-editor.org/rfc/rfc8259>.
struct JSONMistake: CustomStringConvertible {
  /// The line, from 1.
  let line: Int
  /// The position in the line, from 1: the number of Unicode scalars up to it.
  let character: Int
  let expectation: String

  /// Nil for a text that is JSON.
  init?(in text: some Collection<UInt8>) {
    var scanner = JSONScanner(bytes: Array(text))
    guard let expectation = scanner.scan() else { return nil }
    self.expectation = expectation
    let before = scanner.bytes[..<scanner.position]
    line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Without the bytes that continue a scalar.
    character = before[start...].count { $0 & 0xC0 != 0x80 } + 1
  }

  var description: String {
    "malformed JSON at line \(line), character \(character): \(expectation) is expected"
  }
}

/// Keeps the containers that are open in a list: a text may have any number of levels.
private struct JSONScanner {
  enum Expected {
    case value, valueOrEnd, keyOrEnd, commaOrEnd, end
  }

  let bytes: [UInt8]
  var position = 0
  /// The bytes that close the containers.
  var open: [UInt8] = []
  var expected = Expected.value

  /// Stops at the first mistake, and returns what is expected there.
  mutating func scan() -> String? {
    while true {
      skipSpaces()
      guard let byte = current else { return expected == .end ? nil : expectation }
      switch (expected, byte) {
      case (.valueOrEnd, open.last), (.keyOrEnd, open.last), (.commaOrEnd, open.last):
        position += 1
        open.removeLast()
        valueDidEnd()
      case (.commaOrEnd, UInt8(ascii: ",")):
        position += 1
        // Foundation accepts a comma in front of the end.
        expected = open.last == UInt8(ascii: "}") ? .keyOrEnd : .valueOrEnd
      case (.keyOrEnd, UInt8(ascii: "\"")): if let expectation = scanKey() { return expectation }
      case (.value, _), (.valueOrEnd, _):
        if let expectation = scanValue(byte) { return expectation }
      case (.keyOrEnd, _), (.commaOrEnd, _), (.end, _): return expectation
      }
    }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private var expectation: String {
    let end = open.last.map { $0 == UInt8(ascii: "}") ? "\"}\"" : "\"]\"" } ?? ""
    return switch expected {
    case .value: "a value"
    case .valueOrEnd: "a value or \(end)"
    case .keyOrEnd: "a key in double quotes or \(end)"
    case .commaOrEnd: "\",\" or \(end)"
    case .end: "the end of the text"
    }
  }

  private mutating func skipSpaces() { while skip(" \t\n\r") {} }

  private mutating func valueDidEnd() { expected = open.isEmpty ? .end : .commaOrEnd }

  private mutating func scanKey() -> String? {
    if let expectation = scanString() { return expectation }
    skipSpaces()
    guard skip(":") else { return "\":\"" }
    expected = .value
    return nil
  }

  private mutating func scanValue(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      position += 1
      open.append(byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      expected = byte == UInt8(ascii: "{") ? .keyOrEnd : .valueOrEnd
      return nil
    case UInt8(ascii: "\""): if let expectation = scanString() { return expectation }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let expectation = scanNumber() { return expectation }
    default:
      let words = ["true", "false", "null"]
      guard let word = words.first(where: { bytes[position...].starts(with: $0.utf8) }) else {
        return expectation
      }
      position += word.utf8.count
    }
    valueDidEnd()
    return nil
  }

  private mutating func scanString() -> String? {
    position += 1
    while let byte = current, byte != UInt8(ascii: "\"") {
      if byte < 0x20 { return "an escaped control character" }
      position += 1
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let escaped = current, skip("\"\\/bfnrtu") else { return "an escape sequence" }
      guard escaped == UInt8(ascii: "u") else { continue }
      for _ in 0..<4 { guard skip("0123456789abcdefABCDEF") else { return "a hexadecimal digit" } }
    }
    return skip("\"") ? nil : "a double quote"
  }

  private mutating func scanNumber() -> String? {
    _ = skip("-")
    if !skip("0"), !skipDigits() { return "a digit" }
    if skip("."), !skipDigits() { return "a digit" }
    guard skip("eE") else { return nil }
    _ = skip("+-")
    return skipDigits() ? nil : "a digit"
  }

  private mutating func skipDigits() -> Bool {
    let start = position
    while skip("0123456789") {}
    return position > start
  }

  /// Skips one byte, if it is one of some.
  private mutating func skip(_ bytes: String) -> Bool {
    guard let current, bytes.utf8.contains(current) else { return false }
    position += 1
    return true
  }
}
