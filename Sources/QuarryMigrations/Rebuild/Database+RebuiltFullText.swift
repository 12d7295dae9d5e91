import Quarry

extension Database {
  /// Makes the full-text indexes of a table anew, since no trigger notices what a rebuild of the
  /// table changes.
  ///
  /// - parameter changed: The columns whose values may be others than before. Nil if the rowids may
  ///   be.
  /// - parameter source: The rebuilt table, if the indexed one is a view of it.
  func rebuildFullTextIndexes(
    of table: DatabaseObjectID, changed: Set<BinaryText>?, viewOf source: DatabaseObjectID? = nil
  ) throws {
    for index in try fullTextTables(over: table) {
      let isStale = try contentColumns(of: index).contains {
        changed?.contains($0.identifierKey) != false
      }
      guard try isStale && missingContentColumn(of: index) == nil else { continue }
      try checkIndexesAllRows(index, of: source ?? table, for: "rebuilt")
      try index.execute("rebuild", in: self)
    }
  }
}
