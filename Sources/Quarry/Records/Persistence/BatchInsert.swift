// How many records are inserted together.
//
//     insert(contentsOf:)   one savepoint, chunks of records, the callbacks of each record
//     BatchInsert           the rows of a chunk
//     BatchRun              records with the same columns: their values, and a statement for as many rows as fit
//
// A statement of n rows costs SQLite less than n statements; and each number of rows is another
// statement to prepare and to keep. So runs are cut into powers of two: nine statements at most per
// type of records.
//
// Callbacks that surround the insertion of one record have no place around such a statement. Types
// declare them, since Swift can't say whether a type has its own implementation of a requirement. A
// type that forgets to is found by calling them once: the default implementations leave a note. It
// gets an error, and no callback is left out in silence.

extension PersistenceEngine {
  /// Inserts records in statements of several rows: all of them, or none when one fails.
  ///
  /// Conflict resolutions that treat rows one by one, views, whose triggers do, virtual tables,
  /// which don't return rowids, and types with callbacks around insertions get a statement per row.
  ///
  /// Inlinable: where the type of the records is known, callbacks that do nothing cost nothing.
  @inlinable
  package static func insert(
    contentsOf records: inout [Record], _ db: Database, into table: String? = nil,
    onConflict conflict: Database.ConflictResolution?
  ) throws {
    try insertTogether(db, into: table, onConflict: conflict) {
      records
    } willInsert: { index in
      try records[index].willSave(db)
      try records[index].willInsert(db)
    } didInsert: { index, success in
      records[index].didInsert(success)
      records[index].didSave(PersistenceSuccess(success))
    } separately: { index in
      try insert(&records[index], db, into: table, InsertRule(conflict: conflict))
    }
  }

  /// - parameter records: returns the records as they are now.
  /// - parameter willInsert: calls the callbacks of a record before the insertion of its row.
  /// - parameter didInsert: calls those after it.
  /// - parameter insert: inserts one record with all of its callbacks.
  @inlinable @inline(__always)
  static func insertTogether(
    _ db: Database, into table: String?, onConflict conflict: Database.ConflictResolution?,
    _ records: () -> [Record],
    willInsert: (_ index: Int) throws -> Void,
    didInsert: (_ index: Int, InsertionSuccess) -> Void,
    separately insert: (_ index: Int) throws -> Void
  ) throws {
    let indices = records().indices
    if indices.isEmpty { return }
    try db.inSavepoint {
      guard let conflict = try jointConflict(records(), db, table, conflict) else {
        for index in indices { try insert(index) }
        return .commit
      }
      let batch = BatchInsert(db, table, conflict)
      for start in stride(from: 0, to: indices.count, by: BatchInsert.chunkSize) {
        let chunk = indices[start...].prefix(BatchInsert.chunkSize)
        for index in chunk { try willInsert(index) }
        try batch.insertRows(records(), chunk)
        batch.forEachSuccess(didInsert)
      }
      return .commit
    }
  }

  /// The conflict resolution of all records, or nil where they can't share statements.
  ///
  /// - Throws: ``DatabaseError`` for a type that does not declare its callbacks around insertions.
  @usableFromInline
  static func jointConflict(
    _ records: [Record], _ db: Database, _ table: String?,
    _ conflict: Database.ConflictResolution?
  ) throws -> Database.ConflictResolution? {
    var joint: Database.ConflictResolution?
    // Only subclasses have tables, policies and callbacks of their own.
    for record in Record.self is AnyClass ? records[...] : records.prefix(1) {
      let type = dynamicType(of: record)
      let cache = try db.recordTypeCache(for: record, in: table)
      let own = conflict ?? type.persistenceConflictPolicy.conflictResolutionForInsert
      guard own == .abort || own == .replace, joint == nil || joint == own,
        !type.hasAroundCallbacks, try cache.keyIfKnown(db)?.hidesReturnedRows == false
      else { return nil }
      joint = own
      if !cache.hasDefaultAroundCallbacks {
        try requireDefaultAroundCallbacks(record, db)
        cache.hasDefaultAroundCallbacks = true
      }
    }
    return joint
  }

  private static func requireDefaultAroundCallbacks(_ record: Record, _ db: Database) throws {
    try requireDefault("aroundSave", \.aroundSave, of: record, db) { action in
      try record.aroundSave(db) {
        try action()
        return PersistenceSuccess(persistenceContainer: .placeholder)
      }
    }
    try requireDefault("aroundInsert", \.aroundInsert, of: record, db) { action in
      try record.aroundInsert(db) {
        try action()
        return InsertionSuccess(
          rowID: 0, rowIDColumn: nil, persistenceContainer: .placeholder)
      }
    }
  }

  /// - parameter call: calls the callback, whose default implementation leaves a note right before
  ///   it calls the action.
  private static func requireDefault(
    _ callback: String, _ note: WritableKeyPath<DefaultCallbacks, ObjectIdentifier?>,
    of record: Record, _ db: Database,
    _ call: (_ action: () throws -> Void) throws -> Void
  ) throws {
    let type = dynamicType(of: record)
    let error = DatabaseError.misuse(
      """
      \(type) has an `\(callback)` persistence callback, which insert(_:contentsOf:) can't call \
      around a statement that inserts many records: declare \
      `static var hasAroundCallbacks: Bool { true }` in \(type), so that they are inserted one \
      by one
      """)
    var isDefault = false
    db.defaultCallbacks[keyPath: note] = nil
    try call {
      guard db.defaultCallbacks[keyPath: note] == ObjectIdentifier(type) else { throw error }
      isDefault = true
    }
    guard isDefault else { throw error }
  }
}

extension PersistenceEngine where Record: PersistableRecord {
  /// Inserts records that don't change: neither they nor their array, which the caller has as well,
  /// are copied.
  @inlinable
  package static func insert(
    contentsOf records: [Record], _ db: Database, into table: String? = nil,
    onConflict conflict: Database.ConflictResolution?
  ) throws {
    try insertTogether(db, into: table, onConflict: conflict) {
      records
    } willInsert: { index in
      try records[index].willSave(db)
      try records[index].willInsert(db)
    } didInsert: { index, success in
      records[index].didInsert(success)
      records[index].didSave(PersistenceSuccess(success))
    } separately: { index in
      var record = records[index]
      try insert(&record, db, into: table, InsertRule(conflict: conflict))
    }
  }
}

/// The rows of records that are inserted together, chunk after chunk: as many runs as their columns
/// change.
@usableFromInline final class BatchInsert {
  /// The most rows of a statement.
  @usableFromInline static var chunkSize: Int { 256 }

  /// The rows of a statement: the largest power of two within the remaining rows and SQLite's limit
  /// of parameters.
  static func size(rows: Int, columns: Int, arguments: Int) -> Int {
    let most = min(rows, chunkSize, max(1, arguments / max(1, columns)))
    return 1 << (Int.bitWidth - 1 - most.leadingZeroBitCount)
  }

  private let db: Database
  /// The table, if it is not that of the records.
  private let table: String?
  private let conflict: Database.ConflictResolution
  private var runs: [BatchRun] = []
  /// Runs whose memory is used again.
  private var idleRuns: [BatchRun] = []

  @usableFromInline init(
    _ db: Database, _ table: String?, _ conflict: Database.ConflictResolution
  ) {
    self.db = db
    self.table = table
    self.conflict = conflict
  }

  /// Encodes the records at the positions of a range, and inserts their rows.
  @usableFromInline func insertRows<Record: MutablePersistableRecord>(
    _ records: [Record], _ range: Range<Int>
  ) throws {
    idleRuns += runs.reversed()
    runs.removeAll(keepingCapacity: true)
    try unsafe records.withUnsafeBufferPointer { records in
      // The records of a class may be of several types.
      for part in Record.self is AnyClass ? range.map({ $0..<$0 + 1 }) : [range] {
        let cache = try unsafe db.recordTypeCache(for: records[part.lowerBound], in: table)
        try unsafe append(records, part, cache)
      }
    }
    for run in runs {
      run.cache = try db.current(run.cache, of: records[run.start])
      do {
        try run.insert(conflict, db)
      } catch {
        let rows = records[run.start..<run.start + run.count]
        throw PersistenceEngine<Record>.explained(error, rows, db, in: table)
      }
    }
  }

  /// Adds the columns of the records at the positions of a range.
  private func append<Record: MutablePersistableRecord>(
    _ records: UnsafeBufferPointer<Record>, _ range: Range<Int>, _ cache: RecordTypeCache
  ) throws {
    guard let first = records.baseAddress else { return }
    var position = range.lowerBound
    while position < range.upperBound {
      // Most runs go on to the end.
      if let last = runs.last, last.cache === cache {
        unsafe position += try last.append(first + position, count: range.upperBound - position)
        if position == range.upperBound { return }
        let row = try unsafe last.separateRow(of: type(of: first[position]))
        add(row, cache, at: position, expectedCount: 8)
      } else {
        let row = try unsafe cache.encode(first[position], db.persistenceCache)
        add(row, cache, at: position, expectedCount: range.upperBound - position)
      }
      position += 1
    }
  }

  /// Adds a row to the last run, or to one of its own.
  private func add(
    _ row: PersistenceContainer, _ cache: RecordTypeCache, at position: Int, expectedCount: Int
  ) {
    if let last = runs.last, last.cache === cache, last.columnSet === row.columnSet {
      return last.append(row)
    }
    let columnSet = row.columnSet ?? ColumnSet(names: Array(row.columns))
    let run = idleRuns.popLast() ?? BatchRun(cache, columnSet, expectedCount: expectedCount)
    run.restart(cache, columnSet, start: position)
    run.append(row)
    runs.append(run)
  }

  /// Calls `body` with the position of each record, and the result of its insertion.
  @usableFromInline func forEachSuccess(_ body: (_ index: Int, InsertionSuccess) -> Void) {
    for run in runs {
      var success = run.firstSuccess()
      for row in 0..<run.count {
        run.show(row, in: &success)
        body(run.start + row, success)
      }
    }
  }
}
