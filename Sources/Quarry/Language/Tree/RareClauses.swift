/// The clauses of a request that few requests have: a relation without them is a third smaller, and
/// its copies count six references less.
package struct RareClauses: Sendable {
  /// Nil is no `GROUP BY`.
  var grouping: GroupingClause?
  var havings: [FilterClause] = []
  /// To-many associations fetched with `including(all:)`, by association key.
  var prefetches: [PrefetchNode] = []
  /// `WITH` definitions, in the order of their first insertion.
  var tableExpressions: [TableExpression] = []
  /// `WINDOW` definitions, in the order of their first insertion.
  var windows: [WindowDefinition] = []
  /// The joins of aggregates, as each aggregate asked for them, before they were merged.
  var aggregatedJoins: [JoinNode] = []
  /// The sources of joins with the same key, which must be the same: planning compares them.
  var mergedSources: [Source] = []
  /// The conditions of joins with the same key, which must be the same: planning compares them.
  var mergedConditions: [JoinCondition] = []
  /// The fault that makes the request impossible to prepare: the planner throws it. The first fault
  /// wins.
  var fault: InvalidRequest?

  var isEmpty: Bool {
    grouping == nil && havings.isEmpty && prefetches.isEmpty && tableExpressions.isEmpty
      && windows.isEmpty && aggregatedJoins.isEmpty && mergedSources.isEmpty
      && mergedConditions.isEmpty && fault == nil
  }
}

extension Relation {
  mutating func changeRareClauses(_ change: (inout RareClauses) -> Void) {
    var clauses = rareClauses ?? RareClauses()
    change(&clauses)
    sharedRareClauses = clauses.isEmpty ? nil : Shared(clauses)
  }

  /// See ``RareClauses``.
  package var grouping: GroupingClause? {
    get { rareClauses?.grouping }
    set { changeRareClauses { $0.grouping = newValue } }
  }

  /// See ``RareClauses``.
  package var havings: [FilterClause] {
    get { rareClauses?.havings ?? [] }
    set { changeRareClauses { $0.havings = newValue } }
  }

  /// See ``RareClauses``.
  var prefetches: [PrefetchNode] {
    get { rareClauses?.prefetches ?? [] }
    set { changeRareClauses { $0.prefetches = newValue } }
  }

  /// See ``RareClauses``.
  var tableExpressions: [TableExpression] {
    get { rareClauses?.tableExpressions ?? [] }
    set { changeRareClauses { $0.tableExpressions = newValue } }
  }

  /// See ``RareClauses``.
  package var windows: [WindowDefinition] {
    get { rareClauses?.windows ?? [] }
    set { changeRareClauses { $0.windows = newValue } }
  }

  /// See ``RareClauses``.
  var aggregatedJoins: [JoinNode] { rareClauses?.aggregatedJoins ?? [] }

  /// See ``RareClauses``.
  var mergedSources: [Source] {
    get { rareClauses?.mergedSources ?? [] }
    set { changeRareClauses { $0.mergedSources = newValue } }
  }

  /// See ``RareClauses``.
  var mergedConditions: [JoinCondition] {
    get { rareClauses?.mergedConditions ?? [] }
    set { changeRareClauses { $0.mergedConditions = newValue } }
  }

  /// See ``RareClauses``.
  package var fault: InvalidRequest? {
    get { rareClauses?.fault }
    set { changeRareClauses { $0.fault = newValue } }
  }
}

extension RareClauses? {
  func merged(with newer: RareClauses?) -> RareClauses? {
    guard let older = self, let newer else { return self ?? newer }
    return RareClauses(
      grouping: newer.grouping ?? older.grouping,
      havings: older.havings.merged(with: newer.havings),
      prefetches: older.prefetches.merged(with: newer.prefetches),
      tableExpressions: older.tableExpressions.merged(with: newer.tableExpressions),
      windows: older.windows.merged(with: newer.windows),
      aggregatedJoins: older.aggregatedJoins + newer.aggregatedJoins,
      mergedSources: older.mergedSources + newer.mergedSources,
      mergedConditions: older.mergedConditions + newer.mergedConditions,
      fault: older.fault ?? newer.fault)
  }
}
