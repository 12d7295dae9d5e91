// From a query plan to SQL text and its arguments, in one pass over one buffer.
//
// The writer always knows the source that the clause in hand belongs to: `current`. A column is
// written with the name of this source where the query is qualified. An expression of another
// source (`alias[x]`) moves `current` while it is written. A subquery has names of its own: those
// of the enclosing queries stay on a stack, for the aliases of correlated subqueries. Plans are
// closed: nothing is asked here, neither of a schema nor of a connection.

/// Writes statements.
package struct SQLWriter: ~Copyable {
  var buffer = SQLBuffer()
  var arguments: [DatabaseValue] = []
  /// Arguments of raw SQL that have names.
  var namedArguments: StatementArguments?
  /// The names of the query in hand.
  var scope = QueryScope()
  /// Those of enclosing queries, outermost first.
  var outerScopes: [QueryScope] = []
  var current = CurrentSource.planned(depth: 0, source: 0)
  let mode: Mode
  /// The version that SQL is written for.
  let sqliteVersion: SQLiteVersion
  /// The first feature that the version of SQLite lacks.
  var unmetRequirement: String?

  package enum Mode {
    /// Values become arguments.
    case arguments
    /// Values that may be many become SQL literals, or one argument: there would be too many.
    case fewArguments
    /// Values become SQL literals: definitions have no arguments.
    case literals
  }

  /// The source that columns belong to.
  enum CurrentSource {
    /// A source of the query at a depth: 0 is the outermost one.
    case planned(depth: Int, source: Int)
    /// A name that is no source of the query: `excluded`.
    case named(String)
  }

  /// - parameter version: nil for that of the library.
  init(for version: SQLiteVersion? = nil, mode: Mode = .arguments) {
    self.mode = mode
    sqliteVersion = version ?? .linked
  }

  var text: SQLText {
    let values = StatementArguments(values: arguments)
    return SQLText(
      sql: buffer.string, arguments: namedArguments.map { values &+ $0 } ?? values,
      containsValues: mode == .fewArguments)
  }
}

// The parts of all statements.
extension SQLWriter {
  /// The text and its arguments.
  ///
  /// - Throws: `InvalidRequest` for SQL that needs a later version of SQLite.
  consuming func finish() throws -> SQLText {
    let text = text
    guard let unmetRequirement else { return text }
    throw InvalidRequest(unmetRequirement, request: text.sql)
  }

  /// Notes that a feature needs a version of SQLite. Writing goes on, so that the error shows the
  /// whole SQL.
  mutating func require(_ version: SQLiteVersion, for feature: String) {
    guard sqliteVersion < version, unmetRequirement == nil else { return }
    unmetRequirement =
      "\(feature) needs SQLite \(version) or later: the library is SQLite \(sqliteVersion)"
  }

  /// Writes elements one after the other, with a separator between them.
  @inline(__always) mutating func writeList<Elements: Sequence>(
    _ elements: Elements, separator: StaticString = ", ",
    _ write: (inout SQLWriter, Elements.Element) throws -> Void
  ) rethrows {
    var isFirst = true
    for element in elements {
      if !isFirst { buffer.append(separator) }
      isFirst = false
      try write(&self, element)
    }
  }

  /// Writes in parentheses, where they are needed.
  @inline(__always) mutating func writeInParentheses(
    if areNeeded: Bool = true, _ write: (inout SQLWriter) throws -> Void
  ) rethrows {
    if areNeeded { buffer.append("(") }
    try write(&self)
    if areNeeded { buffer.append(")") }
  }

  mutating func write(value: DatabaseValue) {
    if value.isNull {
      buffer.append("NULL")
      return
    }
    switch mode {
    case .arguments, .fewArguments:
      buffer.append("?")
      arguments.append(value)
    case .literals: write(literal: value.sqlLiteral)
    }
  }

  /// The literal of a value. Behind a minus, a negative one would be a comment.
  mutating func write(literal: String) {
    let minus = UInt8(ascii: "-")
    if buffer.last == minus, literal.utf8.first == minus { buffer.append(" ") }
    buffer.append(text: literal)
  }

  /// Text, as it is.
  mutating func write(raw sql: String, arguments rawArguments: StatementArguments) throws {
    buffer.append(text: sql)
    guard !rawArguments.isEmpty else { return }
    guard mode != .literals else {
      throw InvalidRequest(
        "SQL with arguments can't be part of a definition, which has no parameters: interpolate the "
          + "values in an SQL literal instead")
    }
    arguments += rawArguments.values
    if rawArguments.hasNames {
      var named = namedArguments ?? StatementArguments()
      let replaced = named.replace(
        by: StatementArguments(rawArguments.namedValues.map { ($0.name.text, $0.value) }))
      namedArguments = named
      try checkUnchanged(replaced)
    }
  }

  /// All parameters of one name have the same value in a statement, whichever fragment they stand
  /// in.
  private func checkUnchanged(_ replaced: [StatementArguments.NamedValue]) throws {
    let changed = replaced.filter { argument in
      namedArguments?.value(named: argument.name.text)?.storage != argument.value.storage
    }
    guard let name = changed.map(\.name.text).min() else { return }
    throw InvalidRequest("The argument \(name) has several values", request: buffer.string)
  }

  /// A column of the current source.
  mutating func write(column name: String) {
    if let qualifier { writeQualifier(qualifier) }
    buffer.append(identifier: name)
  }

  mutating func writeQualifier(_ name: String) {
    buffer.append(identifier: name)
    buffer.append(".")
  }

  /// The qualifier of columns of the current source; nil in an unqualified query.
  var qualifier: String? {
    if case .planned(depth: outerScopes.count, _) = current, !scope.isQualified { return nil }
    return currentName
  }

  /// The name of the current source; nil in a query without names.
  var currentName: String? {
    switch current {
    case .named(let name): return name
    case .planned(let depth, let source):
      let names = depth == outerScopes.count ? scope.names : outerScopes[depth].names
      return names.isEmpty ? nil : names[source]
    }
  }

  /// The source that an alias designates, in this query or in the nearest enclosing one.
  func source(of alias: TableAliasBase) throws -> CurrentSource {
    if let source = scope.source(of: alias) {
      return .planned(depth: outerScopes.count, source: source)
    }
    for depth in outerScopes.indices.reversed() {
      if let source = outerScopes[depth].source(of: alias) {
        return .planned(depth: depth, source: source)
      }
    }
    guard let name = alias.name else { throw InvalidRequest.undefinedAlias(alias) }
    return .named(name)
  }

  /// A query inside another one, without parentheses.
  mutating func write(_ query: SQLSubquery) throws {
    guard case .planned(let query) = query.node else { throw InvalidRequest.notPlanned }
    let plan = try query.plan
    // As a value, and in `EXISTS`, SQLite 3.40 takes the first of its rows, whatever the offset.
    var isWrapped = false
    if case .select(let select) = plan {
      isWrapped = select.isDistinct && select.limit?.offset != nil
    }
    if isWrapped { buffer.append("SELECT * FROM (") }
    try write(nested: plan)
    if isWrapped { buffer.append(")") }
  }

  /// A query inside another one, without parentheses.
  mutating func write(nested query: QueryPlan) throws {
    switch query {
    case .select(let plan): try withScope(plan.scope) { try $0.write(plan) }
    case .compound(let plan): try withScope(QueryScope()) { try $0.write(plan) }
    case .literal(let sql):
      // It stands in no query of ours: its columns belong to none of our sources.
      try withScope(QueryScope()) { try $0.write(sql) }
    }
  }

  /// Writes what has names of its own.
  mutating func withScope(_ inner: QueryScope, _ body: (inout SQLWriter) throws -> Void) throws {
    let saved = current
    outerScopes.append(scope)
    scope = inner
    current = .planned(depth: outerScopes.count, source: 0)
    try body(&self)
    scope = outerScopes.removeLast()
    current = saved
  }
}
