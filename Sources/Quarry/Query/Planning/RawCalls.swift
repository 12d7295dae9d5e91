// The calls of aggregate and window functions in SQL written by hand, found without a parser. Those
// of SQLite are known: <https://www.sqlite.org/lang_aggfunc.html>.

/// What SQL written by hand computes from several rows, subqueries excluded.
struct RawCalls {
  private(set) var hasAggregate = false
  private(set) var hasWindow = false

  /// The open parentheses.
  private var frames: [Frame] = []
  private var lastWord: String?
  /// Whether an aggregate function was called, unless `OVER` follows.
  private var isPending = false
  private var isFiltered = false

  private struct Frame {
    /// The word before it: the name of a function.
    var name: String?
    var hasCommas = false
    var isSubquery = false

    /// `max(a, b)` computes from one row.
    var isAggregate: Bool {
      guard let name else { return false }
      return RawCalls.aggregates.contains(name) || !hasCommas && ["MAX", "MIN"].contains(name)
    }
  }

  private static let aggregates: Set = [
    "AVG", "COUNT", "GROUP_CONCAT", "JSON_GROUP_ARRAY", "JSON_GROUP_OBJECT", "JSONB_GROUP_ARRAY",
    "JSONB_GROUP_OBJECT", "STRING_AGG", "SUM", "TOTAL",
  ]

  mutating func visit(_ part: some TreeParent) {
    part.forEachChild {
      if $0.fitsStack { visit($0.node) }
    } query: { _ in
    } sql: {
      visit($0)
    }
  }

  private mutating func visit(_ sql: SQL) {
    scan(sql)
    settle()
    (frames, lastWord, isFiltered) = ([], nil, false)
  }
}

extension RawCalls {
  private mutating func scan(_ sql: SQL) {
    for element in sql.elements {
      switch element {
      case .raw(let text, _): scan(text)
      case .expression(let expression): scan(expression)
      case .selection(let selection):
        if case .literal(let sql) = selection.node { scan(sql) } else { settle() }
      case .ordering, .subquery, .definition, .identifier, .table, .list, .columns: settle()
      }
    }
  }

  private mutating func scan(_ expression: SQLExpression) {
    if case .literal(let sql) = expression.node { return scan(sql) }
    settle()
    guard !isInSubquery, expression.fitsStack else { return }
    var inner = RawCalls()
    inner.visit(expression.node)
    hasAggregate = hasAggregate || expression.hasAggregate || inner.hasAggregate
    hasWindow = hasWindow || expression.hasWindow || inner.hasWindow
  }

  private mutating func scan(_ text: String) {
    let tokens = SQLTokens(text)
    for token in tokens {
      switch token {
      case .comment: continue
      case .word(let range): read(tokens.text(range).uppercased())
      case .symbol(UInt8(ascii: "("), _):
        settle()
        frames.append(Frame(name: lastWord))
        lastWord = nil
      case .symbol(UInt8(ascii: ")"), _): close()
      case .symbol(let symbol, _):
        settle()
        if symbol == UInt8(ascii: ","), !frames.isEmpty {
          frames[frames.count - 1].hasCommas = true
        }
        lastWord = nil
      case .quoted:
        settle()
        lastWord = nil
      }
    }
  }

  private mutating func read(_ word: String) {
    switch word {
    case "OVER":
      if !isInSubquery { hasWindow = true }
      isPending = false
    case "FILTER" where isPending:
      (isPending, isFiltered) = (false, true)
    case "SELECT", "VALUES":
      if !frames.isEmpty { frames[frames.count - 1].isSubquery = true }
    default:
      settle()
    }
    lastWord = word
  }

  /// Reads a closing parenthesis.
  private mutating func close() {
    settle()
    lastWord = nil
    guard let frame = frames.popLast() else { return }
    if isFiltered, frame.name == "FILTER" {
      (isPending, isFiltered) = (true, false)
    } else if frame.isAggregate, !isInSubquery {
      isPending = true
    }
  }

  private var isInSubquery: Bool { frames.contains { $0.isSubquery } }

  /// The call before has no `OVER`.
  private mutating func settle() {
    if isPending { hasAggregate = true }
    isPending = false
  }
}
