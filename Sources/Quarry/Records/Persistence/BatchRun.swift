/// Records of one type with the same columns.
///
/// Records are encoded where the statement will find their values. That is only safe while no other
/// container has these values: see `separateRow`.
final class BatchRun {
  var cache: RecordTypeCache
  private(set) var columnSet: ColumnSet
  /// The position of the first record.
  private(set) var start = 0
  private(set) var count = 0
  /// The columns of all records, one record after the other.
  private var rows: PackedRows
  /// The container of the next record, whose values come after the rows. Nil while no record is
  /// encoded there.
  private var container: PersistenceContainer?
  /// The column that is an alias of the rowid, and where the records have it.
  private var rowIDColumn: String?
  private var rowIDIndex: Int?
  /// The rowids of records that don't have the column.
  private var rowIDs: [Int64] = []

  init(_ cache: RecordTypeCache, _ columnSet: ColumnSet, expectedCount: Int) {
    self.cache = cache
    self.columnSet = columnSet
    rows = PackedRows(capacity: expectedCount * columnSet.names.count)
  }

  /// Begins again, without records.
  func restart(_ cache: RecordTypeCache, _ columnSet: ColumnSet, start: Int) {
    self.cache = cache
    self.columnSet = columnSet
    self.start = start
    container = nil
    if isKnownUniquelyReferenced(&rows) {
      rows.values.removeAll()
    } else {
      // A callback has kept a container that shows one of the rows.
      rows = PackedRows(capacity: count * columnCount)
    }
    count = 0
    rowIDs.removeAll(keepingCapacity: true)
  }

  private var columnCount: Int { columnSet.names.count }

  /// Adds the columns of the next records, and returns how many they are: all, or those before a
  /// record that `separateRow` has to look at.
  func append<Record: EncodableRecord>(
    _ records: UnsafePointer<Record>, count recordCount: Int
  ) throws -> Int {
    var container =
      self.container.take()
      ?? PersistenceContainer(storage: ContainerStorage(expecting: columnSet, after: rows))
    defer { self.container = container }
    return try cache.encoders.filling(ObjectIdentifier(container.storage)) {
      try unsafe encode(records, count: recordCount, into: &container)
    }
  }

  private func encode<Record: EncodableRecord>(
    _ records: UnsafePointer<Record>, count recordCount: Int,
    into container: inout PersistenceContainer
  ) throws -> Int {
    let rows = ObjectIdentifier(rows)
    return try unsafe InPlace.withValues(records, count: recordCount) {
      for index in 0..<recordCount {
        try unsafe $0[index].encode(to: &container)
        guard container.endRow(of: rows) else {
          count += index
          return index
        }
      }
      count += recordCount
      return recordCount
    }
  }

  /// The columns of the record that could not be added as it was: they are not those of the run,
  /// some value can't be stored, or the record has kept the container.
  func separateRow(of recordType: Any.Type) throws -> PersistenceContainer {
    var row = container.take() ?? .placeholder
    row.storage = ContainerStorage(copying: row.storage)
    row.forgetExpectedColumns()
    if isKnownUniquelyReferenced(&rows) {
      rows.values.removeAll(after: count * columnCount)
    } else {
      // The record has kept a container with these rows.
      rows = PackedRows(copying: rows, count: count * columnCount)
    }
    try cache.finish(&row, of: recordType)
    return row
  }

  /// Adds the columns of the next record.
  func append(_ row: PersistenceContainer) {
    rows.values.append(row.range, of: row.rows.values)
    count += 1
    container = nil
  }

  /// Inserts the rows.
  func insert(_ conflict: Database.ConflictResolution, _ db: Database) throws {
    let key = try cache.keyOfInsertion(db)
    guard !key.hidesReturnedRows else {
      throw DatabaseError(
        message: "\(cache.table) is no longer a table: it was replaced while records were inserted")
    }
    rowIDColumn = key.rowIDColumn
    rowIDIndex = key.rowIDColumn.flatMap { columnSet.names.index(ofColumn: $0) }
    container = nil
    var rest = 0..<count
    while !rest.isEmpty {
      // A rowid without name is only known as the last one.
      let size = BatchInsert.size(
        rows: key.hasNamelessRowID ? 1 : rest.count, columns: columnCount,
        arguments: db.maximumStatementArgumentCount)
      try insertRows(rest.prefix(size), conflict, key, db)
      rest = rest.dropFirst(size)
    }
  }

  /// Inserts rows with one statement.
  private func insertRows(
    _ range: Range<Int>, _ conflict: Database.ConflictResolution, _ key: TableKey,
    _ db: Database
  ) throws {
    let isKnown = hasRowIDs(range)
    let rowIDName = isKnown ? nil : key.rowIDColumn ?? key.rowIDName
    let insert = try cache.insertStatement(
      columnSet, conflict, rowCount: range.count, returning: rowIDName, db)
    try insert.withStatement(db) { statement in
      let ids: [Int64] = try statement.run(cells(of: range), of: rows.values) { statement in
        if rowIDName != nil { return try Int64.fetchAll(statement) }
        try statement.run()
        if db.changesCount != range.count { throw DatabaseError.skippedRow(statement.sql) }
        return isKnown ? [] : range.map { _ in db.lastInsertedRowID }
      }
      if !isKnown { try setRowIDs(ids, of: range, sql: statement.sql) }
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
    guard ids.count == range.count else { throw DatabaseError.skippedRow(sql) }
    guard let rowIDIndex else { return rowIDs += ids }
    for (row, id) in zip(range, ids) {
      rows.values.replaceValue(at: row * columnCount + rowIDIndex, with: id)
    }
  }
}

// The results of the insertions. One container shows row after row: callbacks that keep it, or
// change it, have a copy that nobody else has.
extension BatchRun {
  func firstSuccess() -> InsertionSuccess {
    InsertionSuccess(
      rowID: 0, rowIDColumn: rowIDColumn,
      persistenceContainer: PersistenceContainer(
        storage: ContainerStorage(reading: rows, columnSet)))
  }

  func show(_ row: Int, in success: inout InsertionSuccess) {
    let start = row * columnCount
    success.persistenceContainer.showRow(at: start)
    success.rowID =
      if let rowIDIndex {
        Int64(bitPattern: rows.values.cell(at: start + rowIDIndex).bits)
      } else {
        rowIDs[row]
      }
  }
}

extension InPlace where Value: EncodableRecord {
  @inline(__always) fileprivate func encode(to container: inout PersistenceContainer) throws {
    try value.encode(to: &container)
  }
}

extension DatabaseError {
  /// Which of the rows is missing is unknown.
  fileprivate static func skippedRow(_ sql: String) -> DatabaseError {
    DatabaseError(message: "Insertion failed", sql: sql)
      .detailed("a trigger or a constraint skipped a row: insert the records one by one")
  }
}
