/// The rows that a request has, of a record type whose deletions mark rows.
///
/// The condition is planned like all others; deletions of the request find here what they set.
package struct DeletionScope: Equatable, Sendable {
  package enum Rows: UInt8 {
    case kept, deleted, all
  }

  /// The column that is not null in deleted rows.
  package let column: String
  let recordType: any _RecordSelection.Type
  package var rows = Rows.kept
  /// Those of the rows that a modification changes, where the limit of the request counts the
  /// others, too. Nil for all of them.
  var modified: Rows?
  /// The rows are some that have been selected before: they are not others any more.
  var isSelected = false

  /// Nil for all rows.
  package var condition: SQLExpression? {
    let column = SQLExpression(.column(column))
    return switch rows {
    case .kept: SQLExpression(.comparison(.identical, column, .null))
    case .deleted: SQLExpression(.comparison(.notIdentical, column, .null))
    case .all: nil
    }
  }

  package static func == (lhs: DeletionScope, rhs: DeletionScope) -> Bool {
    lhs.recordType == rhs.recordType && lhs.rows == rhs.rows
      && lhs.column.hasSameBytes(as: rhs.column)
  }
}

extension Relation {
  /// Nil for records whose deletions remove rows.
  package var deletionScope: DeletionScope? { filters.lazy.compactMap(\.scope).first }

  /// Several where associations with the same key have been merged. Those of the rows of a limited
  /// association are in its condition.
  func deletionScopes(joinedAlong condition: JoinCondition) -> [DeletionScope] {
    let scopes = filters.compactMap(\.scope)
    guard scopes.isEmpty, case .limited(let rows) = condition else { return scopes }
    return rows.steps.deletionScopes
  }

  /// Shows other rows than those that are kept.
  package mutating func show(_ rows: DeletionScope.Rows) {
    guard let scope = deletionScope, !scope.isSelected || scope.rows == rows else {
      return fail(.noDeletionScope(source))
    }
    select(rows)
  }

  /// Selects among the rows, for a modification: a limit counts the same rows as before.
  package mutating func selectModified(_ rows: DeletionScope.Rows) {
    guard deletionScope?.rows == .all else { return show(rows) }
    if limit == nil { return select(rows) }
    changeScope { $0.modified = rows }
  }

  /// Selects among the rows.
  mutating func select(_ rows: DeletionScope.Rows) { changeScope { $0.rows = rows } }

  private mutating func changeScope(_ change: (inout DeletionScope) -> Void) {
    filters = ClauseList(
      filters.map { clause in
        guard case .scope(var scope) = clause else { return clause }
        change(&scope)
        return .scope(scope)
      })
  }

  /// The scope of rows that an association has selected before.
  mutating func addScope(of steps: [AssociationStep]) {
    guard case .limited(let rows) = steps.last?.condition,
      var scope = rows.steps.deletionScopes.first
    else { return }
    scope.isSelected = true
    filters.append(.scope(scope))
  }
}

extension [AssociationStep] {
  /// The scopes of the destination.
  var deletionScopes: [DeletionScope] {
    last.map { $0.relation.deletionScopes(joinedAlong: $0.condition) } ?? []
  }
}

extension FilterClause {
  var scope: DeletionScope? { if case .scope(let scope) = self { scope } else { nil } }
}

extension RangeReplaceableCollection<FilterClause> {
  /// Two associations of one key begin with the same scope.
  func withoutScopes(of older: Self) -> Self {
    let scopes = older.compactMap(\.scope)
    if scopes.isEmpty { return self }
    return filter { clause in clause.scope.map { !scopes.contains($0) } ?? true }
  }
}

extension InvalidRequest {
  fileprivate static func noDeletionScope(_ source: Source) -> InvalidRequest {
    InvalidRequest(
      "The deleted rows of \(source.description) can't be shown: the request has no such scope, or "
        + "has been limited before. To fix this error, call `withDeleted()` or `onlyDeleted()` "
        + "before `forceDelete`, `first()`, `last()` and `limit`.")
  }
}
