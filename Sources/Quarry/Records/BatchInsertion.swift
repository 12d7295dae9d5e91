// How many records are inserted together.
//
//     insert(contentsOf:)   one savepoint, chunks of records
//     BatchInsertion        the callbacks of a chunk, around its statements
//     InsertionRun          records with the same columns: their values, and a statement for as many rows as fit
//
// A statement of n rows costs SQLite less than n statements; and each number of rows is another statement to prepare and
// to keep. So runs are cut into powers of two: nine statements at most per type of records.

/// How many rows a statement inserts.
enum BatchInsertionLimits {
  static let rows = 256
  /// How deep the callbacks that surround the statements are nested.
  static let nestedRecords = 64

  /// The largest power of two that neither passes the rows, nor the number of arguments of a statement.
  static func size(rows: Int, columns: Int, arguments: Int) -> Int {
    let most = min(rows, Self.rows, max(1, arguments / max(1, columns)))
    return 1 << (Int.bitWidth - 1 - most.leadingZeroBitCount)
  }
}

extension PersistenceEngine {
  /// Inserts records in statements of several rows: all of them, or none when one fails.
  ///
  /// Conflict resolutions that treat rows one by one, views, whose triggers do, and virtual tables, which don't return
  /// rowids, get a statement per row.
  ///
  /// - parameter keepingChanges: whether callbacks may change the records.
  static func insert(
    contentsOf records: inout [Record], _ db: Database,
    onConflict conflict: Database.ConflictResolution?, keepingChanges: Bool
  ) throws {
    if records.isEmpty { return }
    try db.inSavepoint {
      if let together = try jointConflict(records, db, conflict) {
        try insertTogether(&records, db, together, keepingChanges: keepingChanges)
      } else {
        for index in records.indices { try insert(&records[index], db, onConflict: conflict) }
      }
      return .commit
    }
  }

  private static func insertTogether(
    _ records: inout [Record], _ db: Database, _ conflict: Database.ConflictResolution,
    keepingChanges: Bool
  ) throws {
    let batch = BatchInsertion<Record>(db, conflict, keepingChanges: keepingChanges)
    var start = 0
    while start < records.count {
      start += try batch.insert(&records, from: start)
    }
  }

  /// The conflict resolution of all records, or nil where they can't share statements.
  private static func jointConflict(
    _ records: [Record], _ db: Database, _ conflict: Database.ConflictResolution?
  ) throws -> Database.ConflictResolution? {
    var joint: Database.ConflictResolution?
    // Only subclasses have tables and policies of their own.
    for record in Record.self is AnyClass ? records[...] : records.prefix(1) {
      let own =
        conflict
        ?? dynamicType(of: record).persistenceConflictPolicy.conflictResolutionForInsert
      guard own == .abort || own == .replace, joint == nil || joint == own,
        try db.persistencePlan(for: record).keyIfKnown(db)?.hidesReturnedRows == false
      else { return nil }
      joint = own
    }
    return joint
  }
}

/// The insertion of records, chunk after chunk.
///
/// Each record has its callbacks in the order of a single insertion. Those that surround the statements are nested: the
/// first record's are the outermost. Where they are known to be the default ones, nothing is nested.
private final class BatchInsertion<Record: MutablePersistableRecord> {
  private let db: Database
  private let conflict: Database.ConflictResolution
  private let keepingChanges: Bool
  /// The records of a class may be of several types.
  private let hasSubtypes = Record.self is AnyClass
  private let runs = InsertionRuns()
  /// The chunk of records whose callbacks are nested.
  @exclusivity(unchecked) private var nested: [Record] = []

  init(_ db: Database, _ conflict: Database.ConflictResolution, keepingChanges: Bool) {
    self.db = db
    self.conflict = conflict
    self.keepingChanges = keepingChanges
  }

  /// Inserts the next chunk of records. Returns how many they are.
  ///
  /// - Throws: the first error of a record, of a callback, or of SQLite.
  func insert(_ records: inout [Record], from start: Int) throws -> Int {
    let range = start..<min(start + BatchInsertionLimits.rows, records.count)
    let plans = try plans(records[range])
    let callbacks = plans.reduce(DefaultCallbacks.all) { $0.intersection($1.defaultCallbacks) }
    if callbacks.isSuperset(of: .around) {
      try insertUnnested(&records, range, callbacks)
      return range.count
    }
    let nestedRange = start..<min(start + BatchInsertionLimits.nestedRecords, records.count)
    let observed = plans.first { !$0.defaultCallbacks.isSuperset(of: .around) } ?? plans[0]
    nested = Array(records[nestedRange])
    try db.observingCallbacks(of: observed, insertNested)
    if keepingChanges { records.replaceSubrange(nestedRange, with: nested) }
    return nestedRange.count
  }

  /// The plans of some records, each once.
  private func plans(_ records: ArraySlice<Record>) throws -> [PersistencePlan] {
    var plans: [PersistencePlan] = []
    for record in hasSubtypes ? records : records.prefix(1) {
      let plan = try db.persistencePlan(for: record)
      if !plans.contains(where: { $0 === plan }) { plans.append(plan) }
    }
    return plans
  }

  /// Encodes records, and inserts the rows of all of them.
  private func write(_ records: [Record], _ range: Range<Int>) throws {
    runs.removeAll()
    try records.withUnsafeBufferPointer { records in
      for part in hasSubtypes ? range.map({ $0..<$0 + 1 }) : [range] {
        let plan = try db.persistencePlan(for: records[part.lowerBound])
        try runs.append(records, part, plan)
      }
    }
    try runs.insert(conflict, db)
  }
}

// Callbacks that are known to be the default ones are not called.
extension BatchInsertion {
  private func insertUnnested(
    _ records: inout [Record], _ range: Range<Int>, _ defaults: DefaultCallbacks
  ) throws {
    if !defaults.contains(.willSave) {
      for index in range { try records[index].willSave(db) }
    }
    if !defaults.contains(.willInsert) {
      try change(&records, range) { record, _ in try record.willInsert(db) }
    }
    try write(records, range)
    if !defaults.contains(.didInsert) {
      try change(&records, range) { record, index in
        var success = try runs.success(at: index, db)
        record.didInsert(success)
        db.recycle(&success.persistenceContainer)
      }
    }
    if !defaults.contains(.didSave) {
      for index in range {
        var saved = try PersistenceSuccess(runs.success(at: index, db))
        records[index].didSave(saved)
        db.recycle(&saved.persistenceContainer)
      }
    }
  }

  /// Calls callbacks that may change records.
  private func change(
    _ records: inout [Record], _ range: Range<Int>,
    _ body: (inout Record, _ index: Int) throws -> Void
  ) rethrows {
    for index in range {
      if keepingChanges {
        try body(&records[index], index)
      } else {
        // The array, which the caller has as well, is not copied.
        var record = records[index]
        try body(&record, index)
      }
    }
  }
}

extension BatchInsertion {
  private func insertNested() throws {
    for record in nested { try record.willSave(db) }
    try aroundSave(0)
    for index in nested.indices {
      nested[index].didSave(try PersistenceSuccess(runs.success(at: index, db)))
    }
  }

  private func aroundSave(_ index: Int) throws {
    guard index < nested.count else { return try insertInSave() }
    let record = nested[index]
    var wasCalled = false
    try record.aroundSave(db) {
      try aroundSave(index + 1)
      wasCalled = true
      return try PersistenceSuccess(runs.success(at: index, db))
    }
    if !wasCalled { throw PersistenceEngine.actionWasNotCalled("aroundSave", record) }
  }

  private func insertInSave() throws {
    for index in nested.indices { try nested[index].willInsert(db) }
    try aroundInsert(0)
    for index in nested.indices { nested[index].didInsert(try runs.success(at: index, db)) }
  }

  private func aroundInsert(_ index: Int) throws {
    guard index < nested.count else { return try write(nested, nested.indices) }
    let record = nested[index]
    var wasCalled = false
    try record.aroundInsert(db) {
      try aroundInsert(index + 1)
      wasCalled = true
      return try runs.success(at: index, db)
    }
    if !wasCalled { throw PersistenceEngine.actionWasNotCalled("aroundInsert", record) }
  }
}
