extension DerivableRequest {
  /// See ``SelectionRequest``.
  public consuming func _select(_ selection: [SQLSelection]) -> Self {
    mapRelation { $0.selection = $0.selection.replaced(by: .items(selection)) }
  }

  /// See ``SelectionRequest``.
  public consuming func _annotate(with selection: [SQLSelection]) -> Self {
    mapRelation { $0.selection.append(.items(selection)) }
  }

  /// See ``FilteredRequest``.
  public consuming func _filter(_ predicate: SQLExpression) -> Self {
    mapRelation { $0.filters.append(.expression(predicate)) }
  }

  /// See ``AggregatingRequest``.
  public consuming func _group(by expressions: [SQLExpression]) -> Self {
    mapRelation { $0.grouping = expressions.isEmpty ? nil : .expressions(expressions) }
  }

  /// See ``AggregatingRequest``.
  public consuming func _having(_ predicate: SQLExpression) -> Self {
    mapRelation { $0.havings.append(.expression(predicate)) }
  }

  /// See ``OrderedRequest``.
  public consuming func _order(by orderings: [SQLOrdering]) -> Self {
    mapRelation { $0.order(by: orderings.map { .ordering($0) }) }
  }

  /// Reverses the ordering.
  public consuming func reversed() -> Self { mapRelation { $0.ordering.isReversed.toggle() } }

  /// Removes the ordering, associations included.
  public consuming func unordered() -> Self {
    mapRelation {
      $0.removeOrdering()
      $0.replacesOrder = false
    }
  }

  /// Appends the primary key to the ordering.
  public consuming func withStableOrder() -> Self { mapRelation { $0.ordering.isStable = true } }

  /// Removes duplicate rows.
  public consuming func distinct() -> Self { mapRelation { $0.isDistinct = true } }

  /// Defines a common table expression for the request. See ``DerivableRequest/with(_:)``.
  public consuming func with<T>(_ cte: CommonTableExpression<T>) -> Self {
    mapRelation { $0.tableExpressions = $0.tableExpressions.merged(with: [cte.definition]) }
  }
}
