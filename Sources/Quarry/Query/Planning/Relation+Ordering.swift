extension Relation {
  /// True if the relation, or one that is joined to it, is ordered.
  var hasOrdering: Bool {
    !ordering.terms.isEmpty || ordering.isStable
      || joins.indices.contains { joins[$0].relation.hasOrdering }
  }

  /// Replaces the order.
  mutating func order(by terms: [OrderingClause.Term]) {
    if !terms.isEmpty, !ordering.terms.isEmpty, !ordering.isDefault { replacesOrder = true }
    ordering = OrderingClause(terms: terms)
  }

  /// Removes the order, that of joined and prefetched relations included.
  mutating func removeOrdering() {
    ordering = OrderingClause()
    for index in joins.indices { joins[index].relation.removeOrdering() }
    for prefetch in prefetches.indices {
      for step in prefetches[prefetch].steps.indices {
        prefetches[prefetch].steps[step].relation.removeOrdering()
      }
    }
  }
}
