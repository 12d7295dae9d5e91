/// The references of the clauses of a request: aliases, tables by name, and raw SQL, which may
/// refer to anything.
///
/// Planning asks for it where a request depends on another one: a prefetch on its main request, a
/// subquery on the enclosing query. Deferred clauses are asked for their value.
package struct References {
  private(set) var aliases: Set<TableAliasBase> = []
  /// The columns of aliases, nil for other references to them.
  private(set) var aliasedColumns: [(name: String?, alias: TableAliasBase)] = []
  private(set) var tables: Set<BinaryText> = []
  /// The aggregates of associations.
  private(set) var aggregates: [(call: SQLExpression, alias: TableAliasBase)] = []
  /// Whether there are other calls of aggregate functions.
  private(set) var hasAggregateCalls = false
  /// The columns without an alias, and those of aliases.
  private var columns: [String] = []
  private var texts: [String] = []
  private var hasQueries = false
  private let context: PlanningContext
  /// Aggregates that are not looked into.
  private let ignoredAggregates: Set<TableAliasBase>

  package init(_ context: PlanningContext, ignoring aggregates: Set<TableAliasBase> = []) {
    self.context = context
    ignoredAggregates = aggregates
  }

  /// The references of what `visit` visits.
  init(_ context: PlanningContext, _ visit: (inout References) throws -> Void) rethrows {
    self.init(context)
    try visit(&self)
  }

  /// True if the column is referred to, by an identifier or raw SQL perhaps.
  func contains(column name: String) -> Bool {
    columns.contains(where: name.isSameIdentifier) || contains(table: name)
  }

  /// Whether there is SQL written by hand.
  var hasText: Bool { !texts.isEmpty }

  /// Whether there are subqueries, in SQL written by hand perhaps: `id IN task` has no `SELECT`.
  var hasSubqueries: Bool { hasQueries || mentions("select") || mentions("in") }

  /// True if the alias is referred to, by raw SQL perhaps.
  func contains(_ alias: TableAliasBase) -> Bool {
    aliases.contains(alias) || alias.name.map(mentions) ?? false
  }

  /// True if the table is referred to, by raw SQL perhaps.
  func contains(table name: String) -> Bool {
    tables.contains(name.identifierKey) || mentions(name)
  }

  /// The tables that are referred to, and those that SQL written by hand may refer to.
  var possibleTables: [String] {
    tables.map(\.text)
      + texts.flatMap { Self.names(in: $0).lazy.filter { !$0.isQualifier }.map(\.name) }
  }

  /// True if SQL written by hand may have the name before that of a column: `player.id`.
  func qualifies(_ name: String) -> Bool {
    texts.contains { text in
      Self.names(in: text).contains { $0.isQualifier && $0.name.isSameIdentifier(as: name) }
        || tables.contains(name.identifierKey) && text.drop(while: \.isWhitespace).first == "."
    }
  }

  /// Words and quoted names.
  private static func names(in text: String) -> [(name: String, isQualifier: Bool)] {
    let tokens = SQLTokens(text)
    var names: [(name: String, isQualifier: Bool)] = []
    var isAfterName = false
    for token in tokens {
      switch token {
      case .word(let range), .quoted(let range):
        names.append((name: tokens.text(range), isQualifier: false))
        isAfterName = true
      case .symbol(let symbol, _):
        if isAfterName, symbol == UInt8(ascii: ".") { names[names.count - 1].isQualifier = true }
        isAfterName = false
      case .comment: break
      }
    }
    return names
  }

  /// True if a text has the name as a word, which may be in another case, or in another Unicode
  /// normalization: a reference too many does no harm.
  package func mentions(_ name: String) -> Bool {
    if texts.isEmpty { return false }
    let name = name.lowercased()
    func isLetter(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
    return texts.contains { text in
      let text = text.lowercased()
      guard name.allSatisfy(isLetter) else { return text.contains(name) }
      return text.split { !isLetter($0) }.contains { $0 == name }
    }
  }
}

// Relations.
extension References {
  mutating func visit(_ steps: [AssociationStep]) throws {
    for step in steps {
      try visit(step.relation)
      try visit(step.condition)
    }
  }

  mutating func visit(_ relation: Relation) throws {
    try context.checkStack()
    try visit(relation.source)
    try visit(context.resolve(relation.selection))
    try visit(context.resolve(relation.filters, of: relation.source))
    try visit(context.resolve(relation.ordering))
    for join in relation.joins {
      try visit(join.relation)
      try visit(join.condition)
    }
    if let clauses = relation.rareClauses { try visit(clauses, of: relation.source) }
  }

  private mutating func visit(_ clauses: RareClauses, of source: Source) throws {
    for prefetch in clauses.prefetches { try visit(prefetch.steps) }
    var clauses = clauses
    clauses.havings = try context.resolve(clauses.havings, of: source)
    if case .deferred(let expressions)? = clauses.grouping {
      clauses.grouping = .expressions(try expressions(context))
    }
    try visitChildren(of: clauses)
  }

  /// Visits the orders of the relation, and of those that are joined to it.
  mutating func visitOrderings(of relation: Relation) throws {
    try visit(context.resolve(relation.ordering))
    for join in relation.joins { try visitOrderings(of: join.relation) }
  }

  private mutating func visit(_ condition: JoinCondition) throws {
    switch condition {
    case .foreignKey, .expression(nil): break
    case .expression(let makeExpression?): try visit(makeExpression().expression)
    case .limited(let rows): try visit(rows.steps)
    }
  }

  mutating func visit(_ source: Source) throws {
    switch source {
    case .subquery(let query, _): return try visit(query)
    case .function(_, let arguments): try visit(arguments)
    case .table, .tableExpression: break
    }
    tables.insert(source.name.identifierKey)
  }

  mutating func visit(_ expressions: [TableExpression]) throws {
    for expression in expressions { if let body = expression.body { try visit(body) } }
  }

  private mutating func visit(_ compound: Compound) throws {
    try visit(compound.first)
    for member in compound.others { try visit(member.query) }
    try visit(context.resolve(compound.ordering))
    try visit(compound.tableExpressions)
  }

  mutating func visit(_ filters: [FilterClause]) throws {
    for case .expression(let expression) in filters { try visit(expression) }
  }

  mutating func visit(_ ordering: OrderingClause) throws {
    for case .ordering(let term) in ordering.terms { try visitChildren(of: term) }
  }

  mutating func visit(_ query: SQLSubquery) throws {
    hasQueries = true
    switch query.node {
    case .relation(let relation): try visit(relation)
    case .compound(let compound): try visit(compound)
    case .literal(let sql): try visit(sql)
    case .planned: break
    }
  }
}

// Expressions, and what is made of them.
extension References {
  mutating func visit(_ expressions: [SQLExpression]) throws {
    for expression in expressions { try visit(expression) }
  }

  mutating func visit(_ expression: SQLExpression) throws {
    try expression.checkStack()
    switch expression.node {
    case .associated(let call, let alias):
      aggregates.append((call: call, alias: alias))
      guard !ignoredAggregates.contains(alias) else { return }
      insert(alias)
      if case .function(let call) = call.node { try visit(call.arguments) }
      return
    case .function(let call): if call.isAggregate { hasAggregateCalls = true }
    case .qualified(let inner, let alias):
      if case .column(let name) = inner.node { insert(alias, column: name) } else { insert(alias) }
    case .aliasExists(let alias, _): insert(alias)
    case .membership(_, .table(let name), _):
      hasQueries = true
      tables.insert(name.identifierKey)
    case .column(let name): columns.append(name)
    default: break
    }
    try visitChildren(of: expression.node)
  }

  private mutating func insert(_ alias: TableAliasBase, column: String? = nil) {
    aliases.insert(alias)
    aliasedColumns.append((name: column, alias: alias))
  }

  mutating func visitChildren(of part: some TreeParent) throws {
    try part.forEachChild {
      try visit($0)
    } query: {
      try visit($0)
    } sql: {
      try visit($0)
    }
  }

  package mutating func visit(_ selections: [SQLSelection]) throws {
    for selection in selections { try visit(selection) }
  }

  private mutating func visit(_ selection: SQLSelection) throws {
    if case .qualified(let inner, let alias) = selection.node {
      insert(alias)
      return try visit(inner)
    }
    try visitChildren(of: selection)
  }

  mutating func visit(_ sql: SQL) throws { for element in sql.elements { try visit(element) } }

  private mutating func visit(_ element: SQL.Element) throws {
    switch element {
    case .raw(let text, _): texts.append(text)
    case .identifier(let name), .table(let name, _): tables.insert(name.identifierKey)
    case .selection(let selection): try visit(selection)
    case .columns(let selections, _, _): try visit(selections)
    case .expression, .ordering, .subquery, .list, .definition: try visitChildren(of: element)
    }
  }
}
