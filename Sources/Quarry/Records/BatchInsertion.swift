// How many records are inserted together.
//
//     insert(contentsOf:)   one savepoint, chunks of records
//     BatchInsertion        the callbacks of a chunk, around its statements
//     write                 a statement per run of records with the same columns, or a few when the run is no power of two
//
// A statement of n rows costs SQLite less than n statements, up to some ten rows; and each number of rows is another
// statement to prepare and to keep. So runs are cut into powers of two: seven statements at most per type of records.

/// How many rows a statement inserts.
enum BatchInsertionLimits {
  static let rows = 64

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
    for start in stride(from: 0, to: records.count, by: BatchInsertionLimits.rows) {
      let range = start..<min(start + BatchInsertionLimits.rows, records.count)
      let batch = BatchInsertion(Array(records[range]), db, conflict)
      try batch.insert()
      if keepingChanges { records.replaceSubrange(range, with: batch.records) }
    }
  }

  /// The conflict resolution of all records, or nil where they can't share statements.
  private static func jointConflict(
    _ records: [Record], _ db: Database, _ conflict: Database.ConflictResolution?
  ) throws -> Database.ConflictResolution? {
    var joint: Database.ConflictResolution?
    // Only subclasses have tables and policies of their own.
    for record in Record.self is AnyClass ? records[...] : records.prefix(1) {
      let own = conflict ?? type(of: record).persistenceConflictPolicy.conflictResolutionForInsert
      guard own == .abort || own == .replace, joint == nil || joint == own,
        try db.persistencePlan(for: record).keyIfKnown(db)?.hidesReturnedRows == false
      else { return nil }
      joint = own
    }
    return joint
  }
}

/// The insertion of a chunk of records.
///
/// Each record has its callbacks in the order of a single insertion. Those that surround the statements are nested: the
/// first record's are the outermost.
final class BatchInsertion<Record: MutablePersistableRecord> {
  @exclusivity(unchecked) private(set) var records: [Record]
  private let db: Database
  private let conflict: Database.ConflictResolution
  @exclusivity(unchecked) private var successes: [InsertionSuccess] = []
  @exclusivity(unchecked) private var plans: [PersistencePlan] = []
  @exclusivity(unchecked) private var containers: [PersistenceContainer] = []
  private let noContainer = PersistenceContainer()

  init(_ records: [Record], _ db: Database, _ conflict: Database.ConflictResolution) {
    self.records = records
    self.db = db
    self.conflict = conflict
  }

  /// - Throws: the first error of a record, of a callback, or of SQLite.
  func insert() throws {
    for record in records { try record.willSave(db) }
    try aroundSave(0)
    for index in records.indices {
      records[index].didSave(PersistenceSuccess(successes[index]))
    }
    for index in successes.indices { db.recycle(&successes[index].persistenceContainer) }
  }

  private func aroundSave(_ index: Int) throws {
    guard index < records.count else { return try insertInSave() }
    let record = records[index]
    var wasCalled = false
    try record.aroundSave(db) {
      try aroundSave(index + 1)
      wasCalled = true
      return PersistenceSuccess(successes[index])
    }
    if !wasCalled { throw PersistenceEngine.actionWasNotCalled("aroundSave", record) }
  }

  private func insertInSave() throws {
    for index in records.indices { try records[index].willInsert(db) }
    try aroundInsert(0)
    for index in records.indices { records[index].didInsert(successes[index]) }
  }

  private func aroundInsert(_ index: Int) throws {
    guard index < records.count else { return try write() }
    let record = records[index]
    var wasCalled = false
    try record.aroundInsert(db) {
      try aroundInsert(index + 1)
      wasCalled = true
      return successes[index]
    }
    if !wasCalled { throw PersistenceEngine.actionWasNotCalled("aroundInsert", record) }
  }
}

extension BatchInsertion {
  /// Inserts the rows of all records.
  private func write() throws {
    for record in records {
      let plan = try db.persistencePlan(for: record)
      plans.append(plan)
      containers.append(try plan.encode(record))
    }
    var start = 0
    while start < containers.count {
      let end = endOfRun(from: start)
      try write(start..<end)
      start = end
    }
  }

  /// The end of the records that go into the same table with the same columns.
  private func endOfRun(from start: Int) -> Int {
    let layout = containers[start].layout
    return containers.indices[start...].first {
      plans[$0] !== plans[start] || containers[$0].layout !== layout
    } ?? containers.endIndex
  }

  /// Inserts rows of one table with the same columns.
  private func write(_ range: Range<Int>) throws {
    let columnCount = containers[range.lowerBound].count
    var rest = range
    while !rest.isEmpty {
      let size = BatchInsertionLimits.size(
        rows: rest.count, columns: columnCount, arguments: db.maximumStatementArgumentCount)
      try insertRows(rest.prefix(size), plans[range.lowerBound])
      rest = rest.dropFirst(size)
    }
  }

  /// Inserts rows with one statement.
  private func insertRows(_ range: Range<Int>, _ plan: PersistencePlan) throws {
    let rowIDs = try knownRowIDs(range, plan)
    let rowIDName = rowIDs == nil ? try plan.key(db).returnedRowIDName : nil
    let insertion = try plan.insertion(
      containers[range.lowerBound], conflict, rowCount: range.count, returning: rowIDName, db)
    let statement = try insertion.idleStatement(db)
    defer { statement.release() }
    let inserted = try statement.run(containers[range]) { statement in
      if rowIDName != nil { return try Int64.fetchAll(statement) }
      try statement.run()
      return rowIDs ?? range.map { _ in db.lastInsertedRowID }
    }
    guard inserted.count == range.count else {
      throw DatabaseError(message: "Insertion failed", sql: statement.sql)
    }
    for (index, rowID) in zip(range, inserted) {
      // A container that nobody else has takes the rowid without a copy.
      var container = noContainer
      swap(&container, &containers[index])
      successes.append(
        try insertion.success(consume container, rowID: rowID, plan: plan, db))
    }
  }

  /// The rowids of the rows, when the records have them.
  private func knownRowIDs(_ range: Range<Int>, _ plan: PersistencePlan) throws -> [Int64]? {
    guard let column = try plan.key(db).rowIDColumn,
      let index = containers[range.lowerBound].index(ofColumn: column)
    else { return nil }
    var rowIDs: [Int64] = []
    rowIDs.reserveCapacity(range.count)
    for container in containers[range] {
      guard case .int64(let rowID) = container.value(at: index).storage else { return nil }
      rowIDs.append(rowID)
    }
    return rowIDs
  }
}

extension PersistenceKey {
  /// The name of the rowid, or nil for tables without rowid.
  fileprivate var returnedRowIDName: String? { rowIDColumn ?? rowIDName }
}
