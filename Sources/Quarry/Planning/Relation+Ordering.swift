extension Relation {
  /// Removes the order, that of joined and prefetched relations included.
  mutating func removeOrdering() {
    ordering = OrderingClause()
    for index in joins.indices {
      joins[index].relation.removeOrdering()
    }
    for prefetch in prefetches.indices {
      for step in prefetches[prefetch].steps.indices {
        prefetches[prefetch].steps[step].relation.removeOrdering()
      }
    }
  }
}
