/// Counts the columns of closed queries: the layout of joined rows needs the numbers, and orders by
/// all columns.
struct ColumnCounting {
  let context: PlanningContext
  /// Whether SQLite may be asked, for queries that are written by hand.
  private var compiles: Bool
  private var definitions: DefinitionsInScope

  /// - parameter tableExpressions: the definitions that the query may refer to.
  init(context: PlanningContext, compiles: Bool = true, tableExpressions: [TableExpression] = []) {
    self.context = context
    self.compiles = compiles
    definitions = DefinitionsInScope(tableExpressions, inside: nil)
  }

  /// The number of columns that a source selects.
  func count(of source: Int, in plan: SelectPlan) throws -> Int {
    try plan.sources[source].selection.reduce(0) {
      try $0 + count(of: $1, from: plan.source(source), in: plan)
    }
  }

  /// What `count` counts.
  ///
  /// - Throws: `InvalidRequest` if only SQLite knows it.
  func known(_ count: (ColumnCounting) throws -> Int) throws -> Int {
    do {
      return try count(self)
    } catch is UnknownWidth {
      throw InvalidRequest(
        "Can't order rows by all their columns: the number of columns is known to SQLite only")
    }
  }

  /// The number of columns of a query. One that is written by hand is compiled.
  func count(of query: QueryPlan) throws -> Int {
    switch query {
    case .select(let plan):
      let inner = entering(plan.tableExpressions)
      return try (plan.sources.indices).reduce(0) { try $0 + inner.count(of: $1, in: plan) }
    case .compound(let plan):
      return try entering(plan.tableExpressions).count(of: plan.members[0].query)
    case .literal:
      return try compile(
        .compound(
          CompoundPlan(
            members: [PlannedMember(op: nil, query: query, isWrapped: true)],
            ordering: OrderingClause(), tableExpressions: definitions.all)))
    }
  }

  /// For a query inside, which has definitions of its own.
  private func entering(_ tableExpressions: [TableExpression]) -> ColumnCounting {
    if tableExpressions.isEmpty { return self }
    var inner = self
    inner.definitions = DefinitionsInScope(tableExpressions, inside: definitions)
    return inner
  }

  private func count(
    of selection: SQLSelection, from source: Source, in plan: SelectPlan
  ) throws -> Int {
    switch selection.node {
    case .allColumns: return try count(of: source)
    case .columns(let columns): return columns.count
    case .expression, .aliased: return 1
    case .qualified(let inner, let alias):
      guard let number = plan.source(of: alias) else { throw InvalidRequest.undefinedAlias(alias) }
      return try count(of: inner, from: plan.source(number), in: plan)
    case .invalid(let fault): throw fault
    case .literal:
      throw InvalidRequest(
        "Selection literals don't known how many columns they contain. "
          + "To resolve this error, select one or several expressions instead.")
    case .allColumnsExcluding, .primaryKey: throw InvalidRequest.notPlanned
    }
  }

  private func count(of source: Source) throws -> Int {
    switch source {
    case .table(let table), .function(let table, _):
      return try context.schema.columns(of: table).count
    case .tableExpression(let expression):
      if let columns = expression.columns, !columns.isEmpty { return columns.count }
      return try count(of: expression)
    case .subquery(let query, _):
      guard case .planned(let query) = query.node else { throw InvalidRequest.notPlanned }
      return try count(of: query.plan)
    }
  }

  private func compile(_ query: QueryPlan) throws -> Int {
    guard compiles, let connection = context.connection else { throw UnknownWidth() }
    return try connection.columnNames(of: query).count
  }
}

/// The number of columns is known to SQLite only.
private struct UnknownWidth: Error {}

/// The definitions of table expressions that a query may refer to, and how many columns they have:
/// each one is counted once, however often it is referred to.
private final class DefinitionsInScope {
  private let own: [TableExpression]
  private let outer: DefinitionsInScope?
  /// Table expressions that no query defines, in the outermost scope.
  private var undefined: [TableExpression] = []
  /// By the numbers of the definitions.
  var widths: [Int: Int] = [:]
  /// The definitions that are being counted, or that only SQLite can count, unless in `widths`.
  var begun: Set<Int> = []

  init(_ definitions: [TableExpression], inside outer: DefinitionsInScope?) {
    own = definitions
    self.outer = outer
  }

  /// The definitions of all scopes, but those that are hidden.
  var all: [TableExpression] { outer.map { $0.all.merged(with: own) } ?? own }

  /// The scope that defines a table expression, and its number there.
  func definition(of expression: TableExpression) -> (scope: DefinitionsInScope, number: Int) {
    func isSame(_ other: TableExpression) -> Bool {
      other.name.isSameIdentifier(as: expression.name)
    }
    if let number = own.firstIndex(where: isSame) { return (self, number) }
    if let outer { return outer.definition(of: expression) }
    if let number = undefined.firstIndex(where: isSame) { return (self, own.count + number) }
    undefined.append(expression)
    return (self, own.count + undefined.count - 1)
  }

  subscript(number: Int) -> TableExpression {
    number < own.count ? own[number] : undefined[number - own.count]
  }
}

// Common table expressions.
extension ColumnCounting {
  private func count(of expression: TableExpression) throws -> Int {
    let (scope, number) = definitions.definition(of: expression)
    if let count = scope.widths[number] { return count }
    let isFirst = scope.begun.insert(number).inserted
    let known = try isFirst ? knownCount(of: scope[number], in: scope) : nil
    let count = try known ?? compile(scope[number], in: scope)
    scope.widths[number] = count
    return count
  }

  /// Nil when SQLite must be asked: the query is written by hand, or refers to itself.
  private func knownCount(
    of definition: TableExpression, in scope: DefinitionsInScope
  ) throws -> Int? {
    guard !definition.isRecursive, let body = definition.body else { return nil }
    let plan = try ClausePlanner(context: context, plans: []).plan(body)
    if case .literal = plan { return nil }
    do {
      var counting = self
      counting.compiles = false
      counting.definitions = scope
      return try counting.count(of: plan)
    } catch is UnknownWidth, is InvalidRequest {
      return nil
    }
  }

  private func compile(_ definition: TableExpression, in scope: DefinitionsInScope) throws -> Int {
    guard compiles else { throw UnknownWidth() }
    var relation = Relation(
      source: .tableExpression(definition), selection: [.items([SQLSelection(.allColumns)])])
    relation.tableExpressions = scope.all.merged(with: [definition])
    let query: SelectPlan = try Planner.plan(relation, in: context)
    do {
      return try compile(.select(query))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      let message = error.message ?? error.resultCode.description
      throw DatabaseError(
        resultCode: .SQLITE_ERROR,
        message: "Can't compute the number of columns in the "
          + "\(definition.name.quotedDatabaseIdentifier) common table expression: \(message). "
          + "Check the syntax of the SQL definition, or provide the explicit list of selected "
          + "columns with the `columns` parameter in the CommonTableExpression initializer.",
        sql: error.sql)
    }
  }
}
