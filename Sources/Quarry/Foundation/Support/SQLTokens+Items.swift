/// The words, names and separators of SQL text, with unquoted names.
enum SQLItem: Equatable {
  /// A keyword, a name without quotes, or a number.
  case word(String)
  /// A name or a text in quotes.
  case quoted(String)
  case symbol(UInt8)

  /// The text of a word or a name.
  var name: String? {
    switch self {
    case .word(let text), .quoted(let text): text
    case .symbol: nil
    }
  }

  func isKeyword(_ keyword: String) -> Bool {
    guard case .word(let text) = self else { return false }
    return text.isSameIdentifier(as: keyword)
  }

  static var open: SQLItem { .symbol(UInt8(ascii: "(")) }
  static var close: SQLItem { .symbol(UInt8(ascii: ")")) }
  static var comma: SQLItem { .symbol(UInt8(ascii: ",")) }
}

extension SQLTokens {
  /// The items of SQL text, without comments.
  static func items(_ sql: String) -> [SQLItem] {
    let tokens = SQLTokens(sql)
    var items: [SQLItem] = []
    var end: Int?
    for token in tokens {
      switch token {
      case .comment: break
      case .word(let range): items.append(.word(tokens.text(range)))
      case .symbol(let byte, _): items.append(.symbol(byte))
      case .quoted(let range):
        let text = tokens.text(range)
        // A doubled quote stands for a quote.
        if let end, range.lowerBound == end + 2, case .quoted(let start) = items.last {
          items[items.count - 1] = .quoted(start + tokens.text(end..<end + 1) + text)
        } else {
          items.append(.quoted(text))
        }
        end = range.upperBound
        continue
      }
      end = nil
    }
    return items
  }
}
