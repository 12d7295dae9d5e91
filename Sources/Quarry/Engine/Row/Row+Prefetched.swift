extension Row {
  /// The rows fetched for the to-many associations of the row: see `including(all:)`.
  ///
  /// ```swift
  /// let row = try Row.fetchOne(db, Author.including(all: Author.books))
  /// row?.prefetchedRows["books"] // [Row]
  /// ```
  public var prefetchedRows: PrefetchedRowsView { PrefetchedRowsView(row: self) }

  /// The group of rows for a key that is nearest to the row.
  func prefetchedGroup(forKey key: String) -> PrefetchedGroup? {
    prefetchedGroup { $0.hasSameBytes(as: key) }
  }

  /// The group of rows with a key that is nearest to the row.
  func prefetchedGroup(where isKey: (String) -> Bool) -> PrefetchedGroup? {
    guard let batch, !batch.prefetched.isEmpty else { return nil }
    let path = layout.path
    var nearest: PrefetchedAssociation?
    for association in batch.prefetched
    where isKey(association.key) && association.isInside(path) {
      if let nearest, nearest.scopePath.count <= association.scopePath.count { continue }
      nearest = association
    }
    if nearest != nil { noteAssociation() }
    return nearest.map { PrefetchedGroup(association: $0, parent: batchIndex, parentRow: self) }
  }

  /// The groups of rows that hang on the row itself, or on its scopes.
  var prefetchedGroups: [PrefetchedGroup] {
    guard let batch else { return [] }
    return batch.prefetched
      .filter { $0.isInside(layout.path) }
      .map { PrefetchedGroup(association: $0, parent: batchIndex, parentRow: self) }
  }

  /// The prefetched rows of a row.
  public struct PrefetchedRowsView: Equatable {
    let row: Row

    /// True if no association was prefetched.
    public var isEmpty: Bool { row.prefetchedGroups.isEmpty }

    /// The keys of the prefetched associations, those of the scopes included.
    public var keys: Set<String> { Set(row.prefetchedGroups.map(\.association.key)) }

    /// The prefetched rows of an association, or nil when it was not prefetched.
    public subscript(_ key: String) -> [Row]? { row.prefetchedGroup(forKey: key)?.rows }

    /// Returns whether both rows have equal prefetched rows.
    public static func == (lhs: PrefetchedRowsView, rhs: PrefetchedRowsView) -> Bool {
      let (groups, others) = (lhs.row.prefetchedGroups, rhs.row.prefetchedGroups)
      return Set(groups.map(\.key)) == Set(others.map(\.key))
        && groups.allSatisfy { lhs[$0.association.key] == rhs[$0.association.key] }
    }
  }
}
