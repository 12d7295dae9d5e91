/// One `SELECT`: its sources are numbered, and its deferred clauses are known.
///
/// The root is source 0. The other sources follow, depth first, in the order of the `JOIN` clauses.
/// A clause is never rewritten for its source: the writer knows which source it writes a clause of.
struct SelectPlan: Sendable {
  /// Values are large: code reads what it needs of them in place.
  var sources: [PlannedSource]
  var scope = QueryScope()
  var isDistinct = false
  /// Whether it stands for the table of a `RETURNING` clause, whose name there is its own: see
  /// `returned`.
  var isReturned = false
  /// Empty for no `GROUP BY`.
  var grouping: [SQLExpression] = []
  var havings: [FilterClause] = []
  var limit: Limit?
  var tableExpressions: [TableExpression] = []
  var windows: [PlannedWindow] = []
  /// The associations to fetch for the rows of the request. Nil for a query inside another one.
  var prefetchPlan: PrefetchPlan?

  init(root: PlannedSource) { sources = [root] }

  var root: PlannedSource {
    get { sources[0] }
    _modify { yield &sources[0] }
  }

  /// See `[PlannedSource].joins`.
  var joins: ArraySlice<PlannedSource> { sources.joins }

  func source(_ number: Int) -> Source { sources[number].source }

  /// The name that qualifies the columns of a source.
  func name(of source: Int) -> String {
    scope.names.isEmpty ? self.source(source).name : scope.names[source]
  }

  /// The source that an alias designates, in this query.
  func source(of alias: TableAliasBase) -> Int? { scope.source(of: alias) }

  /// True if no subquery may have the alias.
  func claims(_ alias: TableAliasBase) -> Bool {
    scope.aliases.contains { $0.alias === alias && !$0.isShared }
  }
}

/// The names of the sources of a query: for its own clauses, and for those of the queries inside.
struct QueryScope: Sendable {
  /// Empty where columns are never written with a name.
  var names: [String] = []
  var aliases: [AliasBinding] = []
  /// Columns are written with the name of their source.
  var isQualified = false
  /// The aggregates that are written as subqueries, by the alias of their association.
  var aggregates: [TableAliasBase: AggregatePlan] = [:]

  /// The source that an alias designates.
  func source(of alias: TableAliasBase) -> Int? { aliases.first { $0.alias === alias }?.source }
}

/// A user's alias, and the source that it designates.
struct AliasBinding: Sendable {
  let alias: TableAliasBase
  let source: Int
  /// A subquery may have the alias too.
  var isShared = false
}

/// A named window, whose columns belong to a source.
struct PlannedWindow: Sendable {
  let name: String
  var window: SQLWindow
  let source: Int
}
