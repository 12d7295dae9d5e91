// Facts about the text of SQL written by hand, without a parser: keywords outside of parentheses, strings,
// identifiers and comments. See <https://www.sqlite.org/lang_keywords.html>.

extension SQL {
  /// True if the SQL is one SELECT or VALUES, with neither ordering nor limit: it can be a member of a compound.
  /// False if it may be anything else.
  var isOneSelect: Bool {
    guard let words = topLevelWords else { return false }
    guard let first = words.first, first == "SELECT" || first == "VALUES" else { return false }
    return words.dropFirst().allSatisfy { !Self.wordsOfMoreThanOneSelect.contains($0) }
  }

  /// True if the SQL is certainly no compound.
  var isNoCompound: Bool {
    guard let words = topLevelWords else { return false }
    return !words.contains { Self.compoundOperators.contains($0) }
  }

  private static let compoundOperators: Set = ["UNION", "INTERSECT", "EXCEPT"]
  private static let wordsOfMoreThanOneSelect = compoundOperators.union(["ORDER", "LIMIT"])

  /// The words outside of parentheses, in upper case. Nil where a comment, or a query that is interpolated without
  /// parentheses, would have to be looked at.
  private var topLevelWords: [String]? {
    var scanner = WordScanner()
    scanner.scan(self)
    return scanner.isUncertain ? nil : scanner.words
  }
}

private struct WordScanner {
  var words: [String] = []
  var isUncertain = false
  private var depth = 0

  mutating func scan(_ sql: SQL) {
    for element in sql.elements {
      switch element {
      case .raw(let text, _): scan(text)
      case .subquery, .definition: if depth == 0 { isUncertain = true }
      case .expression(let expression):
        if case .literal(let sql) = expression.node { scan(sql) }
      case .selection(let selection):
        if case .literal(let sql) = selection.node { scan(sql) }
      case .ordering(let ordering):
        if case .literal(let sql) = ordering.node { scan(sql) }
      case .identifier, .table, .list, .columns: break
      }
    }
  }

  private mutating func scan(_ text: String) {
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        index = end(of: byte, in: bytes, from: index + 1)
      case UInt8(ascii: "["):
        index = end(of: UInt8(ascii: "]"), in: bytes, from: index + 1)
      case UInt8(ascii: "-") where next == byte,
        UInt8(ascii: "/") where next == UInt8(ascii: "*"), UInt8(ascii: ";"):
        isUncertain = true
      case _ where Self.isWord(byte):
        let start = index
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
        if depth == 0 {
          words.append(String(decoding: bytes[start..<index], as: UTF8.self).uppercased())
        }
        continue
      default: break
      }
      index += 1
    }
  }

  /// The index of the closing quote. A doubled quote ends the text, and begins the next one.
  private func end(of quote: UInt8, in bytes: [UInt8], from start: Int) -> Int {
    bytes[start...].firstIndex(of: quote) ?? bytes.count
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "_") || byte >= 0x80 || byte == UInt8(ascii: "$")
  }
}
