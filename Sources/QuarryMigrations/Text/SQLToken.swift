import Quarry

/// A token of SQL. White space and comments are between tokens.
///
/// See <https://www.sqlite.org/lang.html>.
struct SQLToken {
  enum Kind {
    /// A keyword, or a name without quotes.
    case word
    /// A name between `"`, `` ` `` or brackets.
    case quotedName
    /// A text between single quotes.
    case text
    case number
    /// A single character.
    case symbol
  }

  let kind: Kind
  /// The token as it is written.
  let text: String
  /// The line, from 1.
  let line: Int
  /// The bytes of the token in its text.
  let range: Range<Int>

  /// The name without its quotes.
  var name: String { kind == .word ? text : text.unquoted }

  /// The same for tokens that mean the same: names in lower case, and without quotes where they
  /// need none.
  var key: String {
    switch kind {
    case .word, .number: text.asciiLowercased
    case .quotedName where needsQuotes: name.asciiLowercased.quotedDatabaseIdentifier
    case .quotedName: name.asciiLowercased
    case .text, .symbol: text
    }
  }

  /// The same for tokens that mean the same between others: in `book "left" JOIN`, the name in
  /// quotes is the alias of a table.
  fileprivate func key(after previous: SQLToken?, before next: SQLToken?) -> String {
    guard kind == .quotedName, Self.joins.contains(name.asciiUppercased),
      previous?.mayHaveAlias == true, next?.isOne(of: Self.joins) == true
    else { return key }
    return name.asciiLowercased.quotedDatabaseIdentifier
  }

  /// Whether an alias may follow without `AS`: after a name, or a subquery.
  private var mayHaveAlias: Bool {
    switch kind {
    case .word: !isReserved
    case .quotedName, .text: true
    case .symbol: text == ")"
    case .number: false
    }
  }

  /// Whether a name means something else without quotes: `"2020"`, `"null"`, `"a b"`.
  private var needsQuotes: Bool {
    let bytes = name.utf8
    guard let first = bytes.first, first != UInt8(ascii: "$"), !(48...57 ~= first) else {
      return true
    }
    return isReserved || !bytes.allSatisfy(\.isWordPart)
  }

  /// Whether the word is none of the keywords that are names where no keyword can stand, as `key`
  /// is.
  var isReserved: Bool { Self.reserved.contains(name.asciiUppercased) }

  /// Keywords that are names everywhere but in a join.
  ///
  /// See `JOIN_KW` in <https://www.sqlite.org/src/file/src/parse.y>.
  private static let joins = [
    "CROSS", "FULL", "INNER", "JOIN", "LEFT", "NATURAL", "OUTER", "RIGHT",
  ]

  /// Keywords that are no names without quotes, or only in some places; literals that are none.
  ///
  /// See `fallback` in <https://www.sqlite.org/src/file/src/parse.y>.
  private static let reserved: Set = [
    "ADD", "ALL", "ALTER", "AND", "AS", "AUTOINCREMENT", "BETWEEN", "CASE", "CAST", "CHECK",
    "COLLATE", "COMMIT", "CONSTRAINT", "CREATE", "CURRENT_DATE", "CURRENT_TIME",
    "CURRENT_TIMESTAMP", "DEFAULT", "DEFERRABLE", "DELETE", "DISTINCT", "DROP", "ELSE", "ESCAPE",
    "EXCEPT", "EXISTS", "FALSE", "FOREIGN", "FROM", "GROUP", "HAVING", "IN", "INDEX", "INSERT",
    "INTERSECT", "INTO", "IS", "ISNULL", "JOIN", "LIMIT", "NOT", "NOTHING", "NOTNULL", "NULL", "ON",
    "OR", "ORDER", "PRIMARY", "RAISE", "REFERENCES", "RETURNING", "SELECT", "SET", "TABLE", "THEN",
    "TO", "TRANSACTION", "TRUE", "UNION", "UNIQUE", "UPDATE", "USING", "VALUES", "WHEN", "WHERE",
  ]

  /// Whether the token is one of these keywords or symbols.
  func isOne(of words: String...) -> Bool {
    (kind == .word || kind == .symbol) && words.contains(text.asciiUppercased)
  }

  func names(_ name: String) -> Bool {
    (kind == .word || kind == .quotedName) && self.name.isSameIdentifier(as: name)
  }
}

extension String {
  var asciiLowercased: String {
    String(decoding: utf8.map { 65...90 ~= $0 ? $0 | 32 : $0 }, as: UTF8.self)
  }

  var asciiUppercased: String {
    String(decoding: utf8.map { 97...122 ~= $0 ? $0 & 0xDF : $0 }, as: UTF8.self)
  }
}

extension Sequence<SQLToken> {
  /// The tokens as one text, the same for texts that mean the same.
  var key: String {
    let tokens = Array(self)
    return tokens.enumerated().map { index, token in
      token.key(after: tokens[..<index].last, before: tokens.dropFirst(index + 1).first)
    }.joined(separator: " ")
  }
}

/// A literal or name without its end.
struct UnterminatedToken: Error {
  let line: Int
  let start: String
}

/// Reads the tokens of SQL.
struct SQLLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  private init(_ sql: String) { bytes = Array(sql.utf8) }

  /// - throws: ``UnterminatedToken``.
  static func tokens(_ sql: String) throws -> [SQLToken] {
    var lexer = SQLLexer(sql)
    var tokens: [SQLToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  /// The tokens of a statement that SQLite has accepted.
  static func tokens(ofSchema sql: String) -> [SQLToken] { (try? tokens(sql)) ?? [] }

  private mutating func next() throws -> SQLToken? {
    skipBlank()
    guard position < bytes.count else { return nil }
    let start = position
    let startLine = line
    let kind = try readKind()
    return SQLToken(
      kind: kind, text: text(start..<position), line: startLine, range: start..<position)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func readKind() throws -> SQLToken.Kind {
    switch bytes[position] {
    case UInt8(ascii: "'"):
      try readQuoted(UInt8(ascii: "'"))
      return .text
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      try readQuoted(bytes[position])
      return .quotedName
    case UInt8(ascii: "["):
      try readQuoted(UInt8(ascii: "]"))
      return .quotedName
    case 48...57:
      readNumber()
      return .number
    case let byte where byte.isWordPart:
      while position < bytes.count, bytes[position].isWordPart { position += 1 }
      return .word
    default:
      position += 1
      return .symbol
    }
  }

  private mutating func readNumber() {
    while position < bytes.count {
      let byte = bytes[position]
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      let isExponent = isSign && bytes[position - 1] | 32 == UInt8(ascii: "e") && !isHexadecimal
      guard byte.isWordPart || byte == UInt8(ascii: ".") || isExponent else { return }
      position += 1
    }
  }

  private var isHexadecimal: Bool {
    var start = position
    while start > 0, bytes[start - 1].isWordPart { start -= 1 }
    return start + 1 < position && bytes[start] == 48 && bytes[start + 1] | 32 == UInt8(ascii: "x")
  }

  private mutating func readQuoted(_ end: UInt8) throws {
    let (start, startLine) = (position, line)
    position += 1
    while position < bytes.count {
      advance()
      guard bytes[position - 1] == end else { continue }
      let isDoubled = end != UInt8(ascii: "]") && position < bytes.count && bytes[position] == end
      guard isDoubled else { return }
      position += 1
    }
    let shown = bytes[start...].prefix { $0 != 10 }.prefix(30)
    throw UnterminatedToken(line: startLine, start: String(decoding: shown, as: UTF8.self))
  }

  private mutating func advance() {
    if bytes[position] == 10 { line += 1 }
    position += 1
  }

  private mutating func skipBlank() {
    while position < bytes.count {
      switch bytes[position] {
      case 9...13, 32: advance()
      case 0xEF where starts("\u{FEFF}"):
        // A byte order mark, as from files that were joined: white space to SQLite.
        position += 3
      case UInt8(ascii: "-") where starts("--"):
        while position < bytes.count, bytes[position] != 10 { position += 1 }
      case UInt8(ascii: "/") where starts("/*"):
        position += 2
        while position < bytes.count, !starts("*/") { advance() }
        position = min(position + 2, bytes.count)
      default: return
      }
    }
  }

  private func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }
}

extension UInt8 {
  /// Letters, digits, `_`, `$`, and all bytes that are not ASCII.
  fileprivate var isWordPart: Bool {
    self >= 128 || 48...57 ~= self || 65...90 ~= self || 97...122 ~= self || self == 95
      || self == 36
  }
}
