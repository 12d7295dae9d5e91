/// SQL written by hand, with interpolated values and expressions.
///
/// ```swift
/// // SELECT * FROM "player" WHERE name = ? OR "score" > ?
/// Player.filter(literal: "name = \(name) OR \(Column("score")) > \(1000)")
/// ```
///
/// Interpolated values become arguments of the statement: SQL built this way is safe from
/// injections. Interpolated columns are qualified like those of the query interface.
public struct SQL: Sendable {
  /// A piece of SQL.
  package enum Element: Sendable {
    /// Text, inserted as is, with the arguments of its `?` and `:name` parameters.
    case raw(String, StatementArguments)
    /// Without parentheses.
    case expression(SQLExpression)
    case selection(SQLSelection)
    case ordering(SQLOrdering)
    /// Without parentheses.
    case subquery(SQLSubquery)
    /// A quoted name.
    case identifier(String)
    /// The name of a table, and that of its schema where planning has found one in it:
    /// `archive.book`.
    case table(String, schema: String?)
    /// `(?,?)`, or `(SELECT NULL WHERE NULL)`
    case list([SQLExpression])
    /// `"name"("c1", "c2") AS (SELECT …)`
    case definition(TableExpression)
    /// `"name"."a", "name"."b"`: columns of the table, qualified by the name.
    case columns([SQLSelection], table: String, name: String)
  }

  package private(set) var elements: RunList<Element>
  /// The depth of the deepest element.
  private(set) var depth: Int
  /// Whether planning has something to find out in an element.
  private(set) var isOpen: Bool
  /// Whether a text may have begun a comment that it does not end. It may be in quotes, or be ended
  /// by another text.
  private(set) var mayEndInComment = false
}

extension SQL {
  init(elements: RunList<Element>) {
    self.init(
      elements: elements, depth: elements.reduce(0) { Swift.max($0, $1.depth) },
      isOpen: elements.contains(where: \.isOpen),
      mayEndInComment: elements.contains(where: \.mayEndInComment))
  }

  /// Creates SQL from text and the arguments of its parameters.
  ///
  /// ```swift
  /// let condition = SQL(sql: "name = ?", arguments: [name])
  /// ```
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    let text = Element.raw(sql, arguments)
    self.init(
      elements: [text], depth: 0, isOpen: false, mayEndInComment: text.mayEndInComment)
  }

  /// Creates SQL from an expression.
  public init(_ expression: some SQLSpecificExpressible) { self.init(expression.sqlExpression) }

  /// True if there is no text at all.
  public var isEmpty: Bool {
    elements.allSatisfy { element in
      if case .raw(let text, _) = element { text.isEmpty } else { false }
    }
  }
}

// SQL in SQL is one list of elements, however deep it was.
extension SQL {
  init(_ expression: SQLExpression) {
    if case .literal(let sql) = expression.node {
      self = sql
    } else {
      self.init(
        elements: [.expression(expression)], depth: Int(expression.depth),
        isOpen: expression.isOpen)
    }
  }

  mutating func append(_ expression: SQLExpression) { append(piece: SQL(expression)) }

  mutating func append(_ selection: SQLSelection) {
    if case .literal(let sql) = selection.node {
      append(piece: sql)
    } else {
      append(.selection(selection))
    }
  }

  mutating func append(_ ordering: SQLOrdering) {
    if case .literal(let sql) = ordering.node {
      append(piece: sql)
    } else {
      append(.ordering(ordering))
    }
  }

  /// Appends SQL, and the end of its comment.
  mutating func append(piece: SQL) {
    var piece = piece
    piece.endComment(behind: self)
    elements += piece.elements
    depth = Swift.max(depth, piece.depth)
    isOpen = isOpen || piece.isOpen
    mayEndInComment = mayEndInComment || piece.mayEndInComment
  }

  mutating func append(_ element: Element) {
    elements.append(element)
    depth = Swift.max(depth, element.depth)
    isOpen = isOpen || element.isOpen
    mayEndInComment = mayEndInComment || element.mayEndInComment
  }

  /// Ends the comment that the SQL ends in, if there is one: it would hide what is written next. A
  /// piece that is in a comment, or in a quoted text, as a whole, stays as it is.
  package mutating func endComment(behind previous: SQL? = nil) {
    guard mayEndInComment, let end = commentEnd else { return }
    if !end.isEmpty {
      if let previous, previous.commentEnd != "" { return }
      append(.raw(end, []))
    }
    mayEndInComment = false
  }

  mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }
}

extension SQL: SQLSpecificExpressible {
  /// The SQL as an expression of one column. As an operand, it is wrapped in parentheses.
  ///
  /// ```swift
  /// // (score + bonus) > ?
  /// SQL("score + bonus").sqlExpression > 1000
  /// ```
  public var sqlExpression: SQLExpression { SQLExpression(.literal(self)) }

  /// The SQL as a selection of an unknown number of columns.
  public var sqlSelection: SQLSelection { SQLSelection(.literal(self)) }

  /// The SQL as an ordering, which can't be reversed.
  public var sqlOrdering: SQLOrdering { SQLOrdering(.literal(self)) }
}

extension SQL {
  /// Joins two pieces of SQL. A comment ends with its piece.
  public static func + (lhs: SQL, rhs: SQL) -> SQL {
    var sql = lhs
    sql += rhs
    return sql
  }

  /// Appends SQL. A comment ends with its piece.
  public static func += (lhs: inout SQL, rhs: SQL) {
    lhs.endComment()
    lhs.append(piece: rhs)
  }

  /// Appends SQL.
  ///
  /// ```swift
  /// var query: SQL = "SELECT * FROM player"
  /// query.append(literal: " WHERE name = \(name)")
  /// ```
  public mutating func append(literal sqlLiteral: SQL) { self += sqlLiteral }

  /// Appends text and the arguments of its parameters. Comments and quoted texts go on.
  public mutating func append(sql: String, arguments: StatementArguments = StatementArguments()) {
    append(.raw(sql, arguments))
  }
}

extension Sequence where Element == SQL {
  /// Joins pieces of SQL. A comment ends with its piece.
  ///
  /// ```swift
  /// let columns: [SQL] = ["name", "score"]
  /// let query: SQL = "SELECT \(columns.joined(separator: ", ")) FROM player"
  /// ```
  public func joined(separator: String = "") -> SQL { SQL(joining: self, separator: separator) }
}

extension Collection where Element == SQL {
  /// See ``Swift/Sequence/joined(separator:)``.
  public func joined(separator: String = "") -> SQL { SQL(joining: self, separator: separator) }
}

extension SQL {
  fileprivate init(joining pieces: some Sequence<SQL>, separator: String) {
    self.init(elements: [], depth: 0, isOpen: false)
    var isFirst = true
    for piece in pieces {
      if !isFirst, !separator.isEmpty { append(.raw(separator, [])) }
      isFirst = false
      append(piece: piece)
    }
  }
}

extension SQL: ExpressibleByStringInterpolation {
  /// Creates SQL from text.
  public init(stringLiteral: String) { self.init(sql: stringLiteral) }

  /// Creates SQL from text with interpolations. See ``SQLInterpolation``.
  public init(stringInterpolation interpolation: SQLInterpolation) { self = interpolation.sql }
}
