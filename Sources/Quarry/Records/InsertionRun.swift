/// Records that are inserted together: as many runs as their columns change.
final class InsertionRuns {
  @exclusivity(unchecked) private var runs: [InsertionRun] = []
  /// Runs whose memory is used again.
  @exclusivity(unchecked) private var idleRuns: [InsertionRun] = []

  func removeAll() {
    idleRuns += runs.reversed()
    runs.removeAll(keepingCapacity: true)
  }

  /// Adds the columns of the records at the positions of a range.
  func append<Record: MutablePersistableRecord>(
    _ records: UnsafeBufferPointer<Record>, _ range: Range<Int>, _ plan: PersistencePlan
  ) throws {
    guard let first = records.baseAddress else { return }
    var position = range.lowerBound
    while position < range.upperBound {
      // Most runs go on to the end.
      if let last = runs.last, last.plan === plan {
        position += try last.append(first + position, count: range.upperBound - position)
        if position == range.upperBound { return }
        let row = try last.takeRow(of: type(of: first[position]))
        add(row, plan, at: position, expectedCount: 8)
      } else {
        let row = try plan.encode(first[position])
        add(row, plan, at: position, expectedCount: range.upperBound - position)
      }
      position += 1
    }
  }

  /// Adds a row to the last run, or to one of its own.
  private func add(
    _ row: PersistenceContainer, _ plan: PersistencePlan, at position: Int, expectedCount: Int
  ) {
    if let last = runs.last, last.accepts(plan, row.layout) { return last.append(row) }
    let layout = row.layout ?? ColumnLayout(names: Array(row.columns))
    let run = idleRuns.popLast() ?? InsertionRun(plan, layout, expectedCount: expectedCount)
    run.restart(plan, layout, start: position)
    run.append(row)
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

/// A record that is encoded where it stands in memory: a copy would count its properties.
private struct RecordInPlace<Record: EncodableRecord>: ~Copyable {
  private let record: Record

  @inline(__always) func encode(to container: inout PersistenceContainer) throws {
    try record.encode(to: &container)
  }
}

/// Records of one type with the same columns.
///
/// Records are encoded where the statement will find their values. That is only safe while nobody else has a container
/// with these values: see `takeRow`.
final class InsertionRun {
  @exclusivity(unchecked) private(set) var plan: PersistencePlan
  @exclusivity(unchecked) private var layout: ColumnLayout
  /// The position of the first record.
  @exclusivity(unchecked) private(set) var start = 0
  @exclusivity(unchecked) private var count = 0
  /// The columns of all records, one record after the other.
  @exclusivity(unchecked) private var rows: PackedRows
  /// What the next record is encoded into, if it goes after the rows.
  @exclusivity(unchecked) private var container = PersistenceContainer.placeholder
  @exclusivity(unchecked) private var isContinued = false
  /// Where the records have their rowid.
  @exclusivity(unchecked) private var rowIDIndex: Int?
  /// The rowids that SQLite has chosen.
  @exclusivity(unchecked) private var rowIDs: [Int64] = []
  @exclusivity(unchecked) private var insertion: RecordInsertion?

  init(_ plan: PersistencePlan, _ layout: ColumnLayout, expectedCount: Int) {
    self.plan = plan
    self.layout = layout
    let capacity = expectedCount * layout.names.count
    rows = PackedRows(capacity: capacity, byteCapacity: 24 * capacity)
  }

  /// Begins again, without records.
  func restart(_ plan: PersistencePlan, _ layout: ColumnLayout, start: Int) {
    self.plan = plan
    self.layout = layout
    self.start = start
    count = 0
    leaveRows()
    rows.values.removeAll()
    rowIDs.removeAll(keepingCapacity: true)
    insertion = nil
  }

  private var columnCount: Int { layout.names.count }

  func accepts(_ plan: PersistencePlan, _ layout: ColumnLayout?) -> Bool {
    self.layout === layout && self.plan === plan
  }

  /// Adds the columns of the next records, and returns how many they are: all, or those before a record that `takeRow`
  /// has to look at.
  func append<Record: EncodableRecord>(
    _ records: UnsafePointer<Record>, count recordCount: Int
  ) throws -> Int {
    if !isContinued { continueRows() }
    let rows = ObjectIdentifier(rows)
    return try records.withMemoryRebound(to: RecordInPlace<Record>.self, capacity: recordCount) {
      for index in 0..<recordCount {
        try $0[index].encode(to: &container)
        guard container.endRow(of: rows) else { return index }
        count &+= 1
      }
      return recordCount
    }
  }

  /// The columns of the record that could not be added as it was: they are not those of the run, some value can't be
  /// stored, or the record has kept the container.
  func takeRow(of recordType: Any.Type) throws -> PersistenceContainer {
    var row = container.takeRow()
    leaveRows()
    if isKnownUniquelyReferenced(&rows) {
      rows.values.removeAll(after: count * columnCount)
    } else {
      // Who has kept the container has these rows.
      rows = PackedRows(copying: rows, count: count * columnCount)
    }
    try plan.finish(&row, of: recordType)
    return row
  }

  /// Adds the columns of the next record.
  func append(_ row: PersistenceContainer) {
    rows.values.append(row.range, of: row.rows.values)
    count += 1
    leaveRows()
  }

  private func continueRows() {
    container = plan.container(layout, after: rows)
    isContinued = true
  }

  private func leaveRows() {
    container = .placeholder
    isContinued = false
  }

  /// Inserts the rows.
  func insert(_ conflict: Database.ConflictResolution, _ db: Database) throws {
    rowIDIndex = try plan.rowIDIndex(in: layout, db)
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
    _ range: Range<Int>, _ conflict: Database.ConflictResolution, _ db: Database
  ) throws {
    let isKnown = hasRowIDs(range)
    let rowIDName = isKnown ? nil : try plan.key(db).returnedRowIDName
    let insertion = try plan.insertion(
      layout, conflict, rowCount: range.count, returning: rowIDName, db)
    self.insertion = insertion
    let statement = try insertion.idleStatement(db)
    try statement.run(cells(of: range), of: rows.values) { statement in
      if rowIDName != nil {
        try setRowIDs(Int64.fetchAll(statement), of: range, sql: statement.sql)
      } else {
        try statement.run()
        if !isKnown {
          try setRowIDs(range.map { _ in db.lastInsertedRowID }, of: range, sql: statement.sql)
        }
      }
    }
  }

  private func cells(of range: Range<Int>) -> Range<Int> {
    range.lowerBound * columnCount..<range.upperBound * columnCount
  }

  /// Whether all records of a range have their rowid.
  private func hasRowIDs(_ range: Range<Int>) -> Bool {
    guard let rowIDIndex else { return false }
    let cells = cells(of: range)
    return rows.values.areIntegers(
      cells.lowerBound + rowIDIndex..<cells.upperBound, every: columnCount)
  }

  private func setRowIDs(_ ids: [Int64], of range: Range<Int>, sql: String) throws {
    guard ids.count == range.count else {
      throw DatabaseError(message: "Insertion failed", sql: sql)
    }
    // Nobody asks for the rowids of rows that have their own.
    rowIDs += repeatElement(0, count: range.lowerBound - rowIDs.count)
    rowIDs += ids
  }

  private func rowID(_ row: Int) -> Int64 {
    if let rowIDIndex {
      let cell = rows.values.cell(at: row * columnCount + rowIDIndex)
      if cell.kind == .integer { return Int64(bitPattern: cell.bits) }
    }
    return rowIDs[row]
  }

  /// What the insertion of a record did.
  ///
  /// - parameter position: the position of the record, `start` for the first one of the run.
  /// - Returns: nil before the insertion.
  func success(at position: Int, _ db: Database) throws -> InsertionSuccess? {
    guard let insertion else { return nil }
    let row = position - start
    let container = plan.container(layout, cells(of: row..<row + 1), of: rows.values)
    var success = try insertion.success(consume container, rowID: rowID(row), plan: plan, db)
    success.isObserved = db.isObservingCallbacks
    return success
  }
}

extension PersistenceKey {
  /// The name of the rowid, or nil for tables without rowid.
  fileprivate var returnedRowIDName: String? { rowIDColumn ?? rowIDName }
}
