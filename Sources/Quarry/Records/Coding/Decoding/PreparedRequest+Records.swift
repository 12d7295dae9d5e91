// Records of a prepared request: from a batch whose associations are fetched, or decoded while the
// statement steps.

extension PreparedRequest {
  @inlinable func fetchAll<Record: FetchableRecord>(_ db: Database) throws -> [Record] {
    if hasPrefetch {
      var records: [Record] = []
      try forEachPrefetchedRow(db) { records.append(try Record.decoded(from: $0)) }
      return records
    }
    return try statement.fetchAll(
      _RecordElement<Record>.self, arguments: nil, adapter: sharedAdapter)
  }

  @inlinable func fetchOne<Record: FetchableRecord>(_ db: Database) throws -> Record? {
    if hasPrefetch {
      var record: Record?
      try forEachPrefetchedRow(db, limit: 1) { record = try Record.decoded(from: $0) }
      return record
    }
    return try statement.fetchOne(
      _RecordElement<Record>.self, arguments: nil, adapter: sharedAdapter)
  }
}
