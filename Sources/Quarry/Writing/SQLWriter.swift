// From a query plan to SQL text and its arguments, in one pass over one buffer.
//
// The writer always knows the source that the clause in hand belongs to: `current`. A column is written with the
// name of this source where the query is qualified. An expression of another source (`alias[x]`) moves
// `current` while it is written. A subquery has its own plan: those of the enclosing queries stay on a stack, for the
// aliases of correlated subqueries. Subqueries are planned when they are met; nothing is run.

/// Writes statements.
struct SQLWriter: ~Copyable {
  var buffer = SQLBuffer()
  var arguments: [DatabaseValue] = []
  /// Arguments of raw SQL that have names.
  var namedArguments: StatementArguments?
  var plan: QueryPlan
  /// The plans of enclosing queries, outermost first.
  var outerPlans: [QueryPlan] = []
  var current = CurrentSource.planned(depth: 0, source: 0)
  let mode: Mode
  /// The first thing that the version of SQLite lacks.
  var unmetRequirement: String?

  enum Mode {
    /// Values become arguments.
    case arguments
    /// Values become SQL literals: definitions have no arguments.
    case literals
  }

  /// The source that columns belong to.
  enum CurrentSource {
    /// A source of the plan at a depth: 0 is the outermost query.
    case planned(depth: Int, source: Int)
    /// A name that is no source of the query: `excluded`.
    case named(String)
  }

  init(_ plan: QueryPlan, mode: Mode = .arguments) {
    self.plan = plan
    self.mode = mode
  }

  var text: SQLText {
    let values = StatementArguments(values: arguments)
    guard let namedArguments else { return SQLText(sql: buffer.string, arguments: values) }
    return SQLText(sql: buffer.string, arguments: values &+ namedArguments)
  }
}

// What all statements are made of.
extension SQLWriter {
  /// The text and its arguments.
  ///
  /// - Throws: `InvalidRequest` for SQL that needs a later version of SQLite.
  consuming func finish() throws -> SQLText {
    let text = text
    guard let unmetRequirement else { return text }
    throw InvalidRequest(unmetRequirement, request: text.sql)
  }

  /// The version that SQL is written for.
  var sqliteVersion: SQLiteVersion { plan.context.sqliteVersion ?? .linked }

  /// Notes that a feature needs a version of SQLite. Writing goes on, so that the error shows the whole SQL.
  mutating func require(_ version: SQLiteVersion, for feature: String) {
    guard sqliteVersion < version, unmetRequirement == nil else { return }
    unmetRequirement =
      "\(feature) needs SQLite \(version) or later: the library is SQLite \(sqliteVersion)"
  }

  mutating func write(value: DatabaseValue) {
    if value.isNull {
      buffer.append("NULL")
      return
    }
    switch mode {
    case .arguments:
      buffer.append("?")
      arguments.append(value)
    case .literals:
      buffer.append(text: value.sqlLiteral)
    }
  }

  /// Text, as it is.
  mutating func write(raw sql: String, arguments rawArguments: StatementArguments) throws {
    buffer.append(text: sql)
    guard !rawArguments.isEmpty else { return }
    guard mode == .arguments else {
      throw InvalidRequest("Not implemented: turning an SQL parameter into an SQL literal value")
    }
    arguments += rawArguments.values
    if rawArguments.hasNames {
      var named = namedArguments ?? StatementArguments()
      let replaced = named.append(contentsOf: rawArguments.named)
      namedArguments = named
      try checkUnchanged(replaced)
    }
  }

  /// All parameters of one name have the same value in a statement, whichever fragment they stand in.
  private func checkUnchanged(_ replaced: [String: DatabaseValue]) throws {
    let changed = replaced.filter { name, value in
      namedArguments?.value(named: name)?.storage != value.storage
    }
    guard let name = changed.keys.min() else { return }
    throw InvalidRequest("The argument \(name) has several values", request: buffer.string)
  }

  /// A column of the current source.
  mutating func write(column name: String) {
    switch current {
    case .planned(depth: outerPlans.count, let source):
      if plan.isQualified { writeQualifier(plan.name(of: source)) }
    case .planned(let depth, let source):
      writeQualifier(outerPlans[depth].name(of: source))
    case .named(let name):
      writeQualifier(name)
    }
    buffer.append(identifier: name)
  }

  private mutating func writeQualifier(_ name: String) {
    buffer.append(identifier: name)
    buffer.append(".")
  }

  /// The name of the current source.
  var currentName: String {
    switch current {
    case .planned(depth: outerPlans.count, let source): plan.name(of: source)
    case .planned(let depth, let source): outerPlans[depth].name(of: source)
    case .named(let name): name
    }
  }

  /// Columns of the current source are written with its name.
  var isCurrentQualified: Bool {
    if case .planned(depth: outerPlans.count, _) = current { plan.isQualified } else { true }
  }

  /// The current source, to ask the schema about it.
  func currentSource() throws -> Source {
    switch current {
    case .planned(depth: outerPlans.count, let source): plan.source(source)
    case .planned(let depth, let source): outerPlans[depth].source(source)
    case .named(let name): throw InvalidRequest("The alias \"\(name)\" designates no table")
    }
  }

  /// The source that an alias designates, in this query or in the nearest enclosing one.
  func source(of alias: TableAliasBase) throws -> CurrentSource {
    if let source = plan.source(of: alias) {
      return .planned(depth: outerPlans.count, source: source)
    }
    for depth in outerPlans.indices.reversed() {
      if let source = outerPlans[depth].source(of: alias) {
        return .planned(depth: depth, source: source)
      }
    }
    guard let name = alias.name else {
      throw InvalidRequest("Undefined alias has no table name")
    }
    return .named(name)
  }

  /// The names of the sources of enclosing queries that a relation refers to.
  private func names(in relation: Relation) throws -> [String] {
    var references = References(plan.context)
    try references.visit(relation)
    return references.aliases.subtracting(relation.allAliases).compactMap { alias in
      for enclosing in [plan] + outerPlans.reversed() {
        if let source = enclosing.source(of: alias) { return enclosing.name(of: source) }
      }
      return nil
    }
  }

  /// A query whose values are compared, without parentheses.
  mutating func write(values query: SQLSubquery) throws {
    try write(nested: query.withoutKeptAggregates)
  }

  /// A query inside another one, without parentheses.
  mutating func write(nested query: SQLSubquery) throws {
    var planned = try Planner.plan(query, in: plan.context)
    if case .relation(let relation) = query.node, relation.isCorrelated,
      case .plan(var nested) = planned
    {
      try nested.rename(avoiding: names(in: relation))
      for index in nested.aliases.indices { nested.aliases[index].isShared = true }
      planned = .plan(nested)
    }
    try write(planned)
  }

  /// A query inside another one, without parentheses.
  mutating func write(_ query: PlannedQuery) throws {
    switch query {
    case .literal(let sql):
      // It stands in no query of ours: its columns belong to none of our sources.
      let saved = current
      outerPlans.append(plan)
      plan = .withoutSource(plan.context)
      current = .planned(depth: outerPlans.count, source: 0)
      try write(sql)
      plan = outerPlans.removeLast()
      current = saved
    case .plan(let nested):
      try checkAliases(of: nested)
      let saved = current
      outerPlans.append(plan)
      plan = nested
      current = .planned(depth: outerPlans.count, source: 0)
      do {
        try writeSelect()
      } catch {
        throw nested.naming(error)
      }
      plan = outerPlans.removeLast()
      current = saved
    }
  }

  /// An alias can't designate a table of this query and one of an enclosing query.
  private func checkAliases(of nested: QueryPlan) throws {
    for binding in nested.aliases where !binding.isShared {
      for enclosing in [plan] + outerPlans where enclosing.claims(binding.alias) {
        let other = enclosing.source(of: binding.alias).map(enclosing.source)
        let source = nested.source(binding.source)
        throw nested.naming(InvalidRequest.sharedAlias(other ?? source, source))
      }
    }
  }
}

extension StatementArguments {
  /// The arguments that have names.
  fileprivate var named: StatementArguments {
    StatementArguments(namedValues.map { ($0.name, $0.value) })
  }
}
