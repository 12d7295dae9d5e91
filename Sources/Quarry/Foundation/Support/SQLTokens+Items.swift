/// The words, names and separators of SQL text, with unquoted names.
package enum SQLItem: Equatable {
  /// A keyword, a name without quotes, or a number.
  case word(String)
  /// A name or a text in quotes.
  case quoted(String)
  case symbol(UInt8)

  /// The text of a word or a name.
  package var name: String? {
    switch self {
    case .word(let text), .quoted(let text): text
    case .symbol: nil
    }
  }

  package func isKeyword(_ keyword: String) -> Bool {
    guard case .word(let text) = self else { return false }
    return text.isSameIdentifier(as: keyword)
  }

  package static var open: SQLItem { .symbol(UInt8(ascii: "(")) }
  package static var close: SQLItem { .symbol(UInt8(ascii: ")")) }
  static var equal: SQLItem { .symbol(UInt8(ascii: "=")) }
  package static var comma: SQLItem { .symbol(UInt8(ascii: ",")) }
}

extension SQLTokens {
  /// Items, each with its bytes.
  typealias Items = ArraySlice<(item: SQLItem, bytes: Range<Int>)>

  /// The items between the commas of a list in parentheses, up to its end.
  static func elements(_ items: Items) -> [Items] {
    var elements: [Items] = []
    var depth = 0
    var start = items.startIndex
    for (index, item) in zip(items.indices, items.lazy.map(\.item)) {
      if item == .open { depth += 1 }
      let isEnd = item == .close && depth == 0
      if isEnd || item == .comma && depth == 0 {
        elements.append(items[start..<index])
        start = index + 1
      }
      if isEnd { break }
      if item == .close { depth -= 1 }
    }
    return elements
  }

  /// The items of SQL text, without comments.
  package static func items(_ sql: String) -> [SQLItem] { placedItems(sql).map(\.item) }

  /// The items of SQL text, without comments, each with its bytes.
  package static func placedItems(_ sql: String) -> [(item: SQLItem, bytes: Range<Int>)] {
    let tokens = SQLTokens(sql)
    var items: [(item: SQLItem, bytes: Range<Int>)] = []
    var end: Int?
    for token in tokens {
      switch token {
      case .comment: break
      case .word(let range): items.append((SQLItem.word(tokens.text(range)), range))
      case .symbol(let byte, let index): items.append((SQLItem.symbol(byte), index..<index + 1))
      case .quoted(let range):
        let text = tokens.text(range)
        // The last quote may be missing.
        let bytes = range.lowerBound - 1..<Swift.min(range.upperBound + 1, tokens.bytes.count)
        // A doubled quote stands for a quote. Those of `"book"[b]` are two names.
        if let end, range.lowerBound == end + 2, tokens.bytes[end] == tokens.bytes[end + 1],
          let last = items.last, case .quoted(let start) = last.item
        {
          items[items.count - 1] = (
            SQLItem.quoted(start + tokens.text(end..<end + 1) + text),
            last.bytes.lowerBound..<bytes.upperBound
          )
        } else {
          items.append((SQLItem.quoted(text), bytes))
        }
        end = range.upperBound
        continue
      }
      end = nil
    }
    return items
  }
}
