/// What a parameter in SQL text is called.
enum SQLParameterName: Equatable {
  /// `?`: the number after the largest one before it.
  case next
  /// `?1`
  case number(Int)
  /// `:name`, `@name` or `$name`, without the prefix.
  case name(String)
}

extension SQLTokens {
  /// The parameters of SQL text, each with its bytes.
  ///
  /// See <https://www.sqlite.org/lang_expr.html#parameters>.
  static func parameters(_ sql: String) -> [(name: SQLParameterName, bytes: Range<Int>)] {
    let tokens = SQLTokens(sql)
    var parameters: [(name: SQLParameterName, bytes: Range<Int>)] = []
    var end = 0
    for token in tokens {
      guard let start = tokens.parameterStart(token), start >= end else { continue }
      end = tokens.parameterEnd(from: start)
      parameters.append((tokens.parameterName(start..<end), start..<end))
    }
    return parameters
  }

  private func parameterStart(_ token: Token) -> Int? {
    switch token {
    case .symbol(UInt8(ascii: "?"), let index), .symbol(UInt8(ascii: ":"), let index),
      .symbol(UInt8(ascii: "@"), let index):
      index
    case .word(let range) where bytes[range.lowerBound] == UInt8(ascii: "$"): range.lowerBound
    default: nil
    }
  }

  /// A name may have parts, and a suffix in parentheses: `$a::b(c)`.
  private func parameterEnd(from start: Int) -> Int {
    var end = start + 1
    if bytes[start] == UInt8(ascii: "?") {
      return bytes[end...].firstIndex { !$0.isASCIIDigit } ?? bytes.count
    }
    while end < bytes.count {
      if Self.isWord(bytes[end]) {
        end += 1
      } else if bytes[end...].starts(with: "::".utf8) {
        end += 2
      } else {
        break
      }
    }
    guard end > start + 1, end < bytes.count, bytes[end] == UInt8(ascii: "("),
      let close = bytes[end...].firstIndex(of: UInt8(ascii: ")"))
    else { return end }
    return close + 1
  }

  private func parameterName(_ range: Range<Int>) -> SQLParameterName {
    let name = text(range.lowerBound + 1..<range.upperBound)
    guard bytes[range.lowerBound] == UInt8(ascii: "?") else { return .name(name) }
    return Int(name).map { .number($0) } ?? .next
  }
}
