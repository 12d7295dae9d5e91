/// A source of a query, with the clauses that belong to it.
struct PlannedSource: Sendable {
  var source: Source
  /// The table and its schema, where the name has both: `archive.book`.
  var qualifiedTable: TableName?
  /// The name that the user gave it.
  var userName: String?
  /// The key of the association, empty for the root.
  var key = ""
  /// The number of the source that this one is joined to.
  var parent = 0
  var kind = JoinKind.inner
  /// The required child of an optional source: the `ON` clause of the parent has a condition
  /// `EXISTS (…)` on it.
  var hasExistenceCondition = false
  /// Its condition may match the nulls of a missing parent: it is tested that there is a row.
  var testsParent = false
  /// It shares the existence condition of its parent with siblings: see `planJointConditions(in:)`.
  var sharesExistenceCondition = false
  /// The sources of a shared existence condition: required descendants, and those that their
  /// conditions refer to.
  var jointSources: [Int] = []
  var condition = PlannedCondition.none
  /// The condition admits one row at most.
  var isFirstRow = false
  /// Isolated aggregates join the source, and nothing else needs it.
  var isDropped = false
  var selection: [SQLSelection]
  /// Without deferred clauses.
  var filters: [FilterClause]
  /// The positions of the filters that leave out rows which a right or full join keeps; of the
  /// root, that of its deletion scope.
  var keptFilterPositions: [Int] = []
  /// The column of the primary key that filters refer to.
  var keyColumn: String?
  /// The columns of which one at least is not null in a row, where the query tests that there is
  /// one.
  var existenceColumns: [String] = []
  /// Without deferred terms.
  var ordering: OrderingClause

  /// The table, for a source that is no common table expression.
  var table: String? { if case .table(let name) = source { name } else { nil } }
}

extension [PlannedSource] {
  /// The sources of a query without its root. Their indices are their numbers.
  var joins: ArraySlice<PlannedSource> { self[1...] }
}

/// The condition that joins a source to its parent.
enum PlannedCondition: Sendable {
  case none
  /// Pairs of columns of a foreign key; its origin is the parent, or the joined source. The left
  /// column compares: that of the joined source, or of the parent.
  case foreignKey(
    [(origin: String, destination: String)], parentIsOrigin: Bool, parentCompares: Bool)
  case expression(SQLExpression)
}
