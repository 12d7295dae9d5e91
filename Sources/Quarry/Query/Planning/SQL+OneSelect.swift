// Facts about the text of SQL written by hand, without a parser: keywords outside of parentheses,
// strings, identifiers and comments. See <https://www.sqlite.org/lang_keywords.html>.

extension SQL {
  /// True if the SQL is one SELECT or VALUES, with neither ordering nor limit: it can be a member
  /// of a compound. False if it may be anything else.
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

  /// The words outside of parentheses, in upper case. Nil where a comment, or a query that is
  /// interpolated without parentheses, would have to be looked at.
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
      case .expression(let expression): if case .literal(let sql) = expression.node { scan(sql) }
      case .selection(let selection): if case .literal(let sql) = selection.node { scan(sql) }
      case .ordering(let ordering): if case .literal(let sql) = ordering.node { scan(sql) }
      case .identifier, .table, .list, .columns: break
      }
    }
  }

  private mutating func scan(_ text: String) {
    let tokens = SQLTokens(text)
    for token in tokens {
      switch token {
      case .symbol(UInt8(ascii: "("), _): depth += 1
      case .symbol(UInt8(ascii: ")"), _): depth -= 1
      case .symbol(UInt8(ascii: ";"), _), .comment: isUncertain = true
      case .word(let range) where depth == 0: words.append(tokens.text(range).uppercased())
      case .word, .quoted, .symbol: break
      }
    }
  }
}
