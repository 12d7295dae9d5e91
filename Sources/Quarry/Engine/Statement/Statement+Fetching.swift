// The loops that all fetching methods share.

extension Statement {
  @usableFromInline func fetchCursor<Decoder: _RowDecoding>(
    _ decoder: Decoder.Type, arguments: StatementArguments?, adapter: SharedRowAdapter?
  ) throws -> StatementCursor<Decoder> {
    try checkIsAllowed()
    try prepareFetch(arguments)
    return StatementCursor(statement: self, adapter: adapter)
  }

  @inlinable func fetchAll<Decoder: _RowDecoding>(
    _ decoder: Decoder.Type, arguments: StatementArguments?, adapter: SharedRowAdapter?
  ) throws -> [Decoder.Element] {
    try prepareFetch(arguments)
    var run = _StatementRun<Decoder>(statement: self, adapter: adapter)
    defer { run.finish() }
    var elements: [Decoder.Element] = []
    guard try run.start() else { return elements }
    repeat { elements.append(try run.element()) } while try run.advance()
    return elements
  }

  @inlinable func fetchOne<Decoder: _RowDecoding>(
    _ decoder: Decoder.Type, arguments: StatementArguments?, adapter: SharedRowAdapter?
  ) throws -> Decoder.Element? {
    try prepareFetch(arguments)
    var run = _StatementRun<Decoder>(statement: self, adapter: adapter)
    defer { run.finish() }
    guard try run.start() else { return nil }
    let element = try run.element()
    // The changes of a statement count when it is done.
    if !isReadonly { while try run.advance() {} }
    return element
  }

  /// Sets the arguments, and releases the statement when they don't fit.
  @usableFromInline func prepareFetch(_ arguments: StatementArguments?) throws {
    try prepareExecution()
    if let arguments { try releasingOnError { try $0.setArguments(arguments) } }
  }

  /// Calls `body`, which executes the statement, and releases it.
  func fetch<T>(_ arguments: StatementArguments? = nil, _ body: () throws -> T) throws -> T {
    try prepareFetch(arguments)
    return try use { _ in try body() }
  }
}

extension Statement {
  /// Copies rows into batches of this many rows: who keeps a row keeps its batch.
  private static var batchSize: Int { 512 }

  /// Copies all rows.
  func fetchRows(arguments: StatementArguments?, adapter: SharedRowAdapter?) throws -> [Row] {
    try fetch(arguments) {
      var rows: [Row] = []
      guard try start() else { return rows }
      let rowLayout = try columns.layout(adapter)
      var batch = makeBatch(rowLayout, rowCapacity: 4)
      repeat {
        if batch.rowCount == Self.batchSize {
          batch = makeBatch(rowLayout, rowCapacity: Self.batchSize)
        }
        unsafe batch.append(sqliteStatement)
        rows.append(Row(batch: batch, index: batch.rowCount - 1, layout: rowLayout))
      } while try step()
      return rows
    }
  }

  /// Copies the first row.
  func fetchRow(arguments: StatementArguments?, adapter: SharedRowAdapter?) throws -> Row? {
    try fetch(arguments) {
      guard try start() else { return nil }
      let rowLayout = try columns.layout(adapter)
      let batch = makeBatch(rowLayout, rowCapacity: 1)
      unsafe batch.append(sqliteStatement)
      if !isReadonly { while try step() {} }
      return Row(batch: batch, index: 0, layout: rowLayout)
    }
  }

  /// Copies all rows into one batch: what prefetching needs.
  func fetchBatch(adapter: SharedRowAdapter?, limit: Int = .max) throws -> RowBatch {
    try fetch {
      var count = 0
      var hasRow = try start()
      let rowLayout = try columns.layout(adapter)
      let batch = makeBatch(rowLayout, rowCapacity: 16)
      batch.arguments = arguments
      while hasRow {
        unsafe batch.append(sqliteStatement)
        count += 1
        hasRow = count < limit ? try step() : false
      }
      return batch
    }
  }

  private func makeBatch(_ layout: RowLayout, rowCapacity: Int) -> RowBatch {
    let batch = RowBatch(layout: layout, columnCount: columnCount, rowCapacity: rowCapacity)
    batch.sql = sql
    batch.isExact = isExact
    return batch
  }
}
