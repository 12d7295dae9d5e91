// The arguments of the full-text modules in SQL.

extension String {
  /// The name of a column, quoted where it is no plain word.
  var fullTextColumn: String {
    let isWord = utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || byte.isASCIILetterOrDigit
    }
    return isWord && utf8.first?.isASCIIDigit == false ? self : quotedDatabaseIdentifier
  }
}

extension Set<Character> {
  /// The characters in ascending order.
  var sortedText: String { String(sorted()) }
}

extension Set<Int> {
  /// The lengths of prefixes in ascending order.
  func prefixList(separator: String) -> String {
    sorted().map(String.init).joined(separator: separator)
  }
}

extension UInt8 {
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isASCIIUppercaseLetter: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  var isASCIILetterOrDigit: Bool {
    isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || isASCIIUppercaseLetter
  }
}
