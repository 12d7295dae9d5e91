/// A request that is ready to be written: its sources are numbered, and its deferred clauses are known.
///
/// The root is source 0. The other sources follow, depth first, in the order of the `JOIN` clauses. A clause is
/// never rewritten for its source: the writer knows which source it writes a clause of.
struct QueryPlan {
  let context: PlanningContext
  var root: PlannedSource
  /// Source `n` is `joins[n - 1]`.
  var joins: [PlannedSource] = []
  var aliases: [AliasBinding] = []
  /// Columns are written with the name of their source.
  var isQualified = false
  var isDistinct = false
  /// Empty for no `GROUP BY`.
  var grouping: [SQLExpression] = []
  var havings: [FilterClause] = []
  var limit: Limit?
  /// The aggregates that are written as subqueries, by the alias of their association.
  var isolatedAggregates: [TableAliasBase: IsolatedAggregate] = [:]
  var tableExpressions: [TableExpression] = []
  /// The members of a compound query, which has no source of its own.
  var members: [PlannedMember] = []
  /// The members are written in a subquery, whose columns the ordering refers to.
  var isWrappedForOrdering = false
  var windows: [PlannedWindow] = []
  /// The query is written in `SELECT COUNT(*) FROM (…)`.
  var isWrappedInCount = false
  var prefetchPlan: PrefetchPlan?

  var sourceCount: Int { joins.count + 1 }

  func source(_ number: Int) -> Source {
    number == 0 ? root.source : joins[number - 1].source
  }

  /// The name that qualifies the columns of a source.
  func name(of source: Int) -> String {
    source == 0 ? root.name : joins[source - 1].name
  }

  /// The source that an alias designates, in this query.
  func source(of alias: TableAliasBase) -> Int? {
    for binding in aliases where binding.alias === alias { return binding.source }
    return nil
  }

  /// True if no subquery may have the alias.
  func claims(_ alias: TableAliasBase) -> Bool {
    aliases.contains { $0.alias === alias && !$0.isShared }
  }
}

/// A user's alias, and the source that it designates.
struct AliasBinding {
  let alias: TableAliasBase
  let source: Int
  /// A subquery may have the alias too.
  var isShared = false
}

/// A source of a query, with the clauses that belong to it.
struct PlannedSource {
  var source: Source
  /// The name in the query: that of the table, of the user, or a numbered one.
  var name: String
  /// The key of the association, empty for the root.
  var key = ""
  /// The number of the source that this one is joined to.
  var parent = 0
  var kind = JoinKind.inner
  /// Required behind an optional source: the `ON` clause of the parent tests that this one exists.
  var isTestedByParent = false
  /// Tested together with the sources beside it: see `planJointTests()`.
  var isTestedJointly = false
  /// What the `ON` clause tests in one go: the required sources behind, and what their conditions refer to.
  var jointSources: [Int] = []
  var condition = PlannedCondition.none
  /// The condition admits one row at most.
  var isFirstRow = false
  /// Isolated aggregates join the source, and nothing else needs it.
  var isDropped = false
  var selection: [SQLSelection]
  /// Without deferred clauses.
  var filters: [FilterClause]
  /// Without deferred terms.
  var ordering: OrderingClause

  /// The table, for a source that is no common table expression.
  var table: String? {
    if case .table(let name) = source { name } else { nil }
  }
}

/// A named window, whose columns belong to a source.
struct PlannedWindow {
  let name: String
  let window: SQLWindow
  let source: Int
}

/// The condition that joins a source to its parent.
enum PlannedCondition {
  case none
  /// Pairs of columns of a foreign key; its origin is the parent, or the joined source.
  case foreignKey([(origin: String, destination: String)], parentIsOrigin: Bool)
  case expression(SQLExpression)
}
