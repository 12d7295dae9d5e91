// The calls of aggregate and window functions in SQL written by hand, found without a parser. Those
// of SQLite and its extensions are known: <https://www.sqlite.org/lang_aggfunc.html>,
// <https://www.sqlite.org/percentile.html>, <https://www.sqlite.org/geopoly.html>. The connection
// knows those that were added to it.

/// What expressions and SQL written by hand compute from several rows, subqueries excluded. Windows
/// are those in SQL.
struct RawCalls {
  private(set) var hasAggregate = false
  private(set) var hasWindow = false
  /// The names of windows that are defined elsewhere.
  private(set) var windowNames: Set<String> = []

  /// Answers which functions of the application are aggregates.
  private let connection: (any ConnectionFacts)?
  /// The open parentheses.
  private var frames: [Frame] = []
  private var lastWord: String?
  /// Whether the last token has ended a call, or what filters it.
  private var isAfterCall = false
  /// `OVER` was read, and maybe the parenthesis behind it.
  private var isAfterOver = false
  /// Whether an aggregate function was called, unless `OVER` follows.
  private var isPending = false
  private var isFiltered = false

  private struct Frame {
    /// The word before it: the name of a function.
    var name: String?
    var commaCount = 0
    var isSubquery = false
    /// `OVER` stands before it.
    var isWindow = false
  }

  private static let aggregates: Set = [
    "AVG", "COUNT", "GEOPOLY_GROUP_BBOX", "GROUP_CONCAT", "JSON_GROUP_ARRAY", "JSON_GROUP_OBJECT",
    "JSONB_GROUP_ARRAY", "JSONB_GROUP_OBJECT", "MEDIAN", "PERCENTILE", "PERCENTILE_CONT",
    "PERCENTILE_DISC", "STRING_AGG", "SUM", "TOTAL",
  ]

  init(_ connection: (any ConnectionFacts)?) { self.connection = connection }

  mutating func visit(_ part: some TreeParent) throws {
    try part.forEachChild {
      try visit($0)
    } query: { _ in
    } sql: {
      try visit($0)
    }
  }

  mutating func visit(_ expression: SQLExpression) throws {
    guard expression.fitsStack else { return }
    switch expression.node {
    case .window(let call, over: let window):
      // A function in SQL, which is no aggregate here.
      if case .literal = call.node {} else { try visit(call.node) }
      return try visit(window)
    case .function(let call) where call.isAggregate: hasAggregate = true
    default: break
    }
    try visit(expression.node)
  }

  private mutating func visit(_ sql: SQL) throws {
    try scan(sql)
    settle()
    (frames, lastWord, isFiltered, isAfterCall, isAfterOver) = ([], nil, false, false, false)
  }
}

extension RawCalls {
  private mutating func scan(_ sql: SQL) throws {
    for element in sql.elements {
      switch element {
      case .raw(let text, _): try scan(text)
      case .identifier(let name): read(name: name)
      case .table, .subquery, .definition: settle()
      case .expression, .selection, .ordering, .list, .columns:
        try element.forEachChild {
          try scan($0)
        } query: { _ in
        } sql: {
          try scan($0)
        }
      }
    }
  }

  private mutating func scan(_ expression: SQLExpression) throws {
    guard expression.fitsStack else { return }
    if case .literal(let sql) = expression.node { return try scan(sql) }
    if case .json(let inner) = expression.node { return try scan(inner) }
    read(name: nil)
    // `OVER` may follow.
    isAfterCall = true
    guard !isInSubquery else { return }
    var inner = RawCalls(connection)
    isPending = expression.isAggregate
    if isPending { try inner.visit(expression.node) } else { try inner.visit(expression) }
    hasAggregate = hasAggregate || inner.hasAggregate
    hasWindow = hasWindow || expression.hasWindow || inner.hasWindow
  }

  private mutating func scan(_ text: String) throws {
    let tokens = SQLTokens(text)
    for token in tokens {
      switch token {
      case .comment: continue
      case .word(let range): read(word: tokens.text(range))
      case .quoted(let range):
        let isText = tokens.bytes[range.lowerBound - 1] == UInt8(ascii: "'")
        read(name: isText ? nil : tokens.text(range))
      case .symbol(let symbol, _): try read(symbol)
      }
    }
  }

  private mutating func read(word: String) {
    switch word.uppercased() {
    case "OVER" where isAfterCall: (isAfterCall, isAfterOver) = (false, true)
    case "FILTER" where isPending:
      (isPending, isFiltered, isAfterCall) = (false, true, false)
      lastWord = "FILTER"
    case "PARTITION" where isAfterOver, "ORDER" where isAfterOver, "ROWS" where isAfterOver,
      "RANGE" where isAfterOver, "GROUPS" where isAfterOver:
      addWindow(named: nil)
    case "SELECT", "VALUES":
      if !frames.isEmpty { frames[frames.count - 1].isSubquery = true }
      read(name: nil)
    default: read(name: word)
    }
  }

  /// Reads a name, which may be that of a function, or a text.
  private mutating func read(name: String?) {
    if isAfterOver { return addWindow(named: name) }
    settle()
    lastWord = name
  }

  private mutating func read(_ symbol: UInt8) throws {
    switch symbol {
    case UInt8(ascii: "("):
      if isAfterOver {
        isPending = false
        return frames.append(Frame(isWindow: true))
      }
      let name = lastWord
      settle()
      frames.append(Frame(name: name))
    case UInt8(ascii: ")"):
      if isAfterOver, frames.last?.isWindow == true { addWindow(named: nil) }
      isAfterOver = false
      try close()
    case UInt8(ascii: ","):
      isAfterOver = false
      settle()
      if !frames.isEmpty { frames[frames.count - 1].commaCount += 1 }
    default: settle()
    }
  }

  private mutating func addWindow(named name: String?) {
    (isPending, isAfterOver) = (false, false)
    if isInSubquery { return }
    if let name { windowNames.insert(name) } else { hasWindow = true }
  }

  /// Reads a closing parenthesis.
  private mutating func close() throws {
    settle()
    isAfterCall = true
    guard let frame = frames.popLast() else { return }
    if isFiltered, frame.name == "FILTER" {
      (isPending, isFiltered) = (true, false)
    } else if let name = frame.name, !isInSubquery {
      isPending = try isAggregate(name, commaCount: frame.commaCount)
    }
  }

  /// `max(a, b)` computes from one row.
  private func isAggregate(_ name: String, commaCount: Int) throws -> Bool {
    let added = try connection?.isAggregate(function: name, argumentCount: commaCount + 1)
    if let added { return added }
    let name = name.uppercased()
    return Self.aggregates.contains(name) || commaCount == 0 && ["MAX", "MIN"].contains(name)
  }

  private var isInSubquery: Bool { frames.contains { $0.isSubquery } }

  /// The call before has no `OVER`, and no name stands before a parenthesis.
  private mutating func settle() {
    if isPending { hasAggregate = true }
    (isPending, isAfterCall, lastWord) = (false, false, nil)
  }
}
