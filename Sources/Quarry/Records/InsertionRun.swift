/// Records that are inserted together: as many runs as their columns change.
final class InsertionRuns {
  @exclusivity(unchecked) private var runs: [InsertionRun] = []
  /// A run whose memory is used again.
  @exclusivity(unchecked) private var idleRun: InsertionRun?

  func removeAll() {
    idleRun = runs.first
    runs.removeAll(keepingCapacity: true)
  }

  /// Adds the columns of the record at a position.
  func append(
    _ container: PersistenceContainer, _ plan: PersistencePlan, at position: Int,
    expectedCount: Int
  ) {
    if let last = runs.last, last.accepts(plan, container.layout) {
      return last.append(container)
    }
    let layout = container.layout ?? ColumnLayout(names: Array(container.columns))
    let run = idleRun ?? InsertionRun(plan, layout, expectedCount: expectedCount)
    idleRun = nil
    run.restart(plan, layout, start: position)
    run.append(container)
    runs.append(run)
  }

  /// Inserts the rows of all records.
  func insert(_ conflict: Database.ConflictResolution, _ db: Database) throws {
    for run in runs { try run.insert(conflict, db) }
  }

  /// What the insertion of the record at a position did.
  func success(at position: Int, _ db: Database) throws -> InsertionSuccess {
    guard let run = runs.last(where: { $0.start <= position }),
      let success = try run.success(at: position, db)
    else { throw DatabaseError(message: "Insertion failed") }
    return success
  }
}

/// Records of one type with the same columns.
final class InsertionRun {
  @exclusivity(unchecked) private var plan: PersistencePlan
  @exclusivity(unchecked) private var layout: ColumnLayout
  /// The position of the first record.
  @exclusivity(unchecked) private(set) var start = 0
  @exclusivity(unchecked) private var count = 0
  /// The columns of all records, one record after the other.
  @exclusivity(unchecked) private var values: PackedValues
  @exclusivity(unchecked) private var rowIDs: [Int64] = []
  @exclusivity(unchecked) private var insertion: RecordInsertion?

  init(_ plan: PersistencePlan, _ layout: ColumnLayout, expectedCount: Int) {
    self.plan = plan
    self.layout = layout
    let capacity = expectedCount * layout.names.count
    values = PackedValues(capacity: capacity, byteCapacity: 24 * capacity)
  }

  /// Begins again, without records.
  func restart(_ plan: PersistencePlan, _ layout: ColumnLayout, start: Int) {
    self.plan = plan
    self.layout = layout
    self.start = start
    count = 0
    values.removeAll()
    rowIDs.removeAll(keepingCapacity: true)
    insertion = nil
  }

  private var columnCount: Int { layout.names.count }

  func accepts(_ plan: PersistencePlan, _ layout: ColumnLayout?) -> Bool {
    self.layout === layout && self.plan === plan
  }

  /// Adds the columns of the next record.
  func append(_ container: PersistenceContainer) {
    container.append(to: &values)
    count += 1
  }

  /// Inserts the rows.
  func insert(_ conflict: Database.ConflictResolution, _ db: Database) throws {
    rowIDs.reserveCapacity(count)
    var rest = 0..<count
    while !rest.isEmpty {
      let size = BatchInsertionLimits.size(
        rows: rest.count, columns: columnCount, arguments: db.maximumStatementArgumentCount)
      try insertRows(rest.prefix(size), conflict, db)
      rest = rest.dropFirst(size)
    }
  }

  /// Inserts rows with one statement.
  private func insertRows(
    _ rows: Range<Int>, _ conflict: Database.ConflictResolution, _ db: Database
  ) throws {
    let isKnown = try appendKnownRowIDs(rows, db)
    let rowIDName = isKnown ? nil : try plan.key(db).returnedRowIDName
    let insertion = try plan.insertion(
      layout, conflict, rowCount: rows.count, returning: rowIDName, db)
    self.insertion = insertion
    let statement = try insertion.idleStatement(db)
    try statement.run(cells(of: rows), of: values) { statement in
      if rowIDName != nil {
        rowIDs += try Int64.fetchAll(statement)
      } else {
        try statement.run()
        if !isKnown { rowIDs += rows.map { _ in db.lastInsertedRowID } }
      }
    }
    guard rowIDs.count == rows.upperBound else {
      throw DatabaseError(message: "Insertion failed", sql: statement.sql)
    }
  }

  private func cells(of rows: Range<Int>) -> Range<Int> {
    rows.lowerBound * columnCount..<rows.upperBound * columnCount
  }

  /// Takes the rowids from the records, when all have them.
  private func appendKnownRowIDs(_ rows: Range<Int>, _ db: Database) throws -> Bool {
    guard let index = try plan.rowIDIndex(in: layout, db) else { return false }
    for row in rows {
      let cell = values.cell(at: row * columnCount + index)
      guard cell.kind == .integer else {
        rowIDs.removeSubrange(rows.lowerBound...)
        return false
      }
      rowIDs.append(Int64(bitPattern: cell.bits))
    }
    return true
  }

  /// What the insertion of a record did.
  ///
  /// - parameter position: the position of the record, `start` for the first one of the run.
  /// - Returns: nil before the insertion.
  func success(at position: Int, _ db: Database) throws -> InsertionSuccess? {
    guard let insertion else { return nil }
    let row = position - start
    let container = plan.container(layout, cells(of: row..<row + 1), of: values)
    var success = try insertion.success(consume container, rowID: rowIDs[row], plan: plan, db)
    success.isObserved = db.isObservingCallbacks
    return success
  }
}

extension PersistenceKey {
  /// The name of the rowid, or nil for tables without rowid.
  fileprivate var returnedRowIDName: String? { rowIDColumn ?? rowIDName }
}
