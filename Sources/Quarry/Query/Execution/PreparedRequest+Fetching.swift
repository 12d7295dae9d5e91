// Fetching with a prepared request, with or without prefetched associations.
//
// Without prefetch, rows are decoded while the statement steps. With it, rows are first copied into
// one batch, the associations of the whole batch are fetched, and rows are decoded from the batch.

extension PreparedRequest {
  @usableFromInline func fetchCursor<Decoder: _RowDecoding>(
    _ decoder: Decoder.Type
  ) throws -> StatementCursor<Decoder> {
    guard !hasPrefetch else {
      statement.release()
      throw InvalidRequest(
        "A cursor can't fetch the associations of including(all:): use fetchAll instead",
        request: statement.sql)
    }
    return try statement.fetchCursor(decoder, arguments: nil, adapter: sharedAdapter)
  }

  /// The values of the first column.
  @inlinable func fetchAll<Decoder: _RowDecoding>(_ decoder: Decoder.Type) throws -> [Decoder
    .Element]
  {
    try statement.fetchAll(decoder, arguments: nil, adapter: sharedAdapter)
  }

  @inlinable func fetchOne<Decoder: _RowDecoding>(_ decoder: Decoder.Type) throws -> Decoder
    .Element?
  {
    try statement.fetchOne(decoder, arguments: nil, adapter: sharedAdapter)
  }

  @usableFromInline package func fetchRows(_ db: Database) throws -> [Row] {
    guard hasPrefetch else {
      return try statement.fetchRows(arguments: nil, adapter: sharedAdapter)
    }
    let batch = try fetchBatch(db)
    return (0..<batch.rowCount).map { Row(batch: batch, index: $0, layout: batch.layout) }
  }

  @usableFromInline func fetchRow(_ db: Database) throws -> Row? {
    guard hasPrefetch else { return try statement.fetchRow(arguments: nil, adapter: sharedAdapter) }
    let batch = try fetchBatch(db, limit: 1)
    return batch.rowCount == 0 ? nil : Row(batch: batch, index: 0, layout: batch.layout)
  }

  /// Copies the rows, and fetches their associations.
  func fetchBatch(_ db: Database, limit: Int = .max) throws -> RowBatch {
    let batch = try statement.fetchBatch(adapter: sharedAdapter, limit: limit)
    if batch.rowCount > 0 { try prefetch?.execute(db, parents: batch) }
    return batch
  }

  /// Calls `body` with one row that moves over the rows of the request.
  @usableFromInline func forEachPrefetchedRow(
    _ db: Database, limit: Int = .max, _ body: (Row) throws -> Void
  ) throws {
    let batch = try fetchBatch(db, limit: limit)
    guard batch.rowCount > 0 else { return }
    var row = statement.rowInMemory(batch)
    row.isDecodingRecord = true
    for index in 0..<batch.rowCount {
      Row.unshare(&row)
      row.move(to: index)
      try row.throwingFailures(body)
    }
    statement.keepInMemory(&row)
  }
}
