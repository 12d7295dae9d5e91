import Quarry

/// The records that have the records of a level.
struct GraphOwner {
  /// The columns of the foreign key.
  let columns: [String]
  /// The key that each record refers to.
  let keys: [[DatabaseValue]]
  /// Checks the rows that were found, and treats those that are missing. Returns whether any row
  /// has changed.
  let admit: ([StoredRow?]) throws -> Bool
}

/// Records of one type and one step of a graph, which are saved together.
///
///     find       the rows of the records: one query
///     admit      the owner checks them, and treats the rows that are missing
///     update     those that differ, one by one
///     insert     the others, in batches
struct GraphLevel<Record: MutablePersistableRecord> {
  private(set) var records: [Record]
  private let paths: [String]
  private let session: GraphSession
  private let owner: GraphOwner?
  private let table: GraphTable
  private let columns: [PersistenceContainer]
  private var found: [StoredRow?] = []

  init(
    _ records: [Record], at paths: [String], _ session: GraphSession, _ owner: GraphOwner?
  ) throws {
    (self.records, self.paths, self.session, self.owner) = (records, paths, session, owner)
    table = try GraphTable(
      Record.databaseTableName, deletionColumn: Record._deletionColumn, session.db)
    columns = try zip(records, paths).map { record, path in
      try GraphSaveError.placing(path, Record.databaseTableName) {
        try Record.checkGraph(record)
        return try PersistenceContainer(record)
      }
    }
  }

  private var db: Database { session.db }
  private var name: String { Record.databaseTableName }

  mutating func save() throws {
    let keys = try columns.indices.map { try key(of: columns[$0], at: paths[$0]) }
    try find(keys)
    if let owner {
      // Another foreign key of the record may share a column.
      for index in records.indices {
        try columns[index].check(
          owner.columns, are: owner.keys[index], of: Record.self, at: paths[index])
      }
    }
    let isSaved = try savedBefore(keys)
    let updated = records.indices.filter { index in
      !isSaved[index] && found[index]?.differs(from: columns[index]) ?? false
    }
    try update(updated)
    let inserted = records.indices.filter { !isSaved[$0] && found[$0] == nil }
    // Those that get their key from SQLite come last: they would take one that another record has.
    try insert(inserted.filter { keys[$0] != nil } + inserted.filter { keys[$0] == nil })
    for index in records.indices where !isSaved[index] {
      try finish(index, isInserted: found[index] == nil)
    }
  }

  /// Notes a record that has its row.
  private func finish(_ index: Int, isInserted: Bool) throws {
    var saved = columns[index]
    var key = found[index]?.key
    if isInserted {
      saved = try PersistenceContainer(records[index])
      key = try self.key(of: saved, at: paths[index])
      if let owner {
        try saved.check(owner.columns, are: owner.keys[index], of: Record.self, at: paths[index])
      }
    }
    guard let key else { throw withoutKey(paths[index]) }
    session.noteSaved(
      SavedRow(path: paths[index], columns: saved, record: records[index]), key, in: table)
  }

  /// The key of a record, as its row has it.
  private func key(of columns: PersistenceContainer, at path: String) throws -> [DatabaseValue]? {
    try columns.key(table.key, of: Record.self, at: path).map { try table.stored($0, db) }
  }

  private func withoutKey(_ path: String) -> GraphSaveError {
    GraphSaveError(
      .key, at: path, name,
      "\(Record.self) has no key after its insertion: set \(table.key.quotedDatabaseIdentifiers) in "
        + "`didInsert(_:)` of a MutablePersistableRecord, or before the insertion")
  }
}

// The rows of the records.
extension GraphLevel {
  /// Finds the rows of the records, and lets the owner admit them.
  private mutating func find(_ keys: [[DatabaseValue]?]) throws {
    found = try rows(keys)
    try checkDuplicates(keys)
    for index in found.indices { try checkMark(index) }
    guard let owner, try owner.admit(found) else { return }
    let remaining = try rows(keys)
    for index in found.indices where found[index] != nil && remaining[index] == nil {
      throw removed(paths[index], by: "the removal of rows that the value does not contain")
    }
    found = remaining
  }

  private func rows(_ keys: [[DatabaseValue]?]) throws -> [StoredRow?] {
    let known = keys.indices.filter { keys[$0] != nil }
    var rows = [StoredRow?](repeating: nil, count: keys.count)
    for row in try table.rows(where: table.comparedKey, equal: known.compactMap { keys[$0] }, db) {
      rows[known[row.index]] = row
    }
    return rows
  }

  private func checkDuplicates(_ keys: [[DatabaseValue]?]) throws {
    var places: [[DatabaseValue]: Int] = [:]
    var objects: [ObjectIdentifier: Int] = [:]
    for index in records.indices {
      var other: Int?
      if let key = found[index]?.key ?? keys[index] {
        other = places.updateValue(index, forKey: key)
      }
      if Record.self is AnyClass {
        let object = ObjectIdentifier(records[index] as AnyObject)
        other = objects.updateValue(index, forKey: object) ?? other
      }
      guard let other else { continue }
      throw GraphSaveError(
        .duplicate, at: paths[index], name, "the value has the same record at \(paths[other])")
    }
  }

  private func checkMark(_ index: Int) throws {
    guard let row = found[index], table.isMarked(row), let column = table.deletionColumn,
      columns[index].encoded(column) == nil
    else { return }
    throw GraphSaveError(
      .deletedRow, at: paths[index], name,
      "the row is marked as deleted: call `restore` first, or leave the record out")
  }

  private func removed(_ path: String, by reason: String) -> GraphSaveError {
    GraphSaveError(
      .removedRow, at: path, name,
      "the row was removed by \(reason): move the record in a save of its own, before")
  }

  /// Whether another part of the value has saved a record already, with the same columns.
  private mutating func savedBefore(_ keys: [[DatabaseValue]?]) throws -> [Bool] {
    try records.indices.map { index in
      guard let key = found[index]?.key ?? keys[index] else { return false }
      if found[index] == nil, let path = session.removal(of: key, from: table) {
        throw removed(paths[index], by: "what is missing at \(path)")
      }
      var isSaved = false
      for saved in session.saved(key, in: table) {
        try checkConflict(saved, index)
        guard let record = saved.record as? Record, saved.has(columns[index]) else { continue }
        records[index] = record
        isSaved = true
      }
      return isSaved
    }
  }

  private func checkConflict(_ saved: SavedRow, _ index: Int) throws {
    guard let column = saved.conflict(with: columns[index]) else { return }
    throw GraphSaveError(
      .duplicate, at: "\(paths[index]).\(column)", name,
      "the value has another record for the same row at \(saved.path), with another value in column "
        + "\(column.quotedDatabaseIdentifier): change both, or leave one out of the graph")
  }
}

// The writes.
extension GraphLevel {
  /// Updates records. One whose unique columns another record still has is updated after that one:
  /// in a list that moves by one place, each waits for the next.
  private mutating func update(_ indices: [Int]) throws {
    if indices.isEmpty { return }
    let handling = try table.conflictHandling(db)
    var waiting = indices
    while !waiting.isEmpty {
      var failed: [(index: Int, error: any Error)] = []
      for index in waiting {
        do {
          try update(index, handling)
        } catch let error as DatabaseError
          where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE && db.isInsideTransaction
        {
          failed.append((index, error))
        } catch {
          throw GraphSaveError.placing(error, at: paths[index], name)
        }
      }
      if failed.count == waiting.count, let first = failed.min(by: { $0.index < $1.index }) {
        throw GraphSaveError.placing(first.error, at: paths[first.index], name)
      }
      waiting = failed.reversed().map(\.index)
    }
  }

  /// Updates a record. By `FAIL`, a failure leaves what triggers have changed: a savepoint undoes
  /// it.
  private mutating func update(_ index: Int, _ handling: ConflictHandling) throws {
    if handling == .failing {
      try records[index].update(db, onConflict: handling.resolution)
    } else {
      try db.inSavepoint {
        try records[index].update(db, onConflict: handling.resolution)
        return .commit
      }
    }
    records[index]._didRaiseVersion(db)
  }

  private mutating func insert(_ indices: [Int]) throws {
    if indices.isEmpty { return }
    let handling = try table.conflictHandling(db)
    // A statement that fails by `FAIL` leaves its first rows.
    if indices.count > 1, handling == .failing, try insertTogether(indices) { return }
    for index in indices {
      try GraphSaveError.placing(paths[index], name) {
        try records[index].insert(db, onConflict: handling.resolution)
        if handling == .resolving { try checkInsertion(index) }
      }
    }
  }

  /// - Throws: `DatabaseError` for a record without row. `finish` finds one without key.
  private func checkInsertion(_ index: Int) throws {
    let columns = try PersistenceContainer(records[index])
    guard let key = try self.key(of: columns, at: paths[index]) else { return }
    if try table.rows(where: table.comparedKey, equal: [key], db).isEmpty {
      throw table.ignoredRow("insertion")
    }
  }

  /// Returns false if one of the records can't be inserted. It is found one by one.
  private mutating func insertTogether(_ indices: [Int]) throws -> Bool {
    var batch = indices.map { records[$0] }
    do {
      try Record.insert(db, contentsOf: &batch, onConflict: .abort)
    } catch {
      let isMisuse = (error as? DatabaseError)?.resultCode == .SQLITE_MISUSE
      guard GraphSaveError.hasPlace(error), !isMisuse, db.isInsideTransaction else {
        throw GraphSaveError.placing(error, at: paths[indices[0]], name)
      }
      return false
    }
    for (index, record) in zip(indices, batch) { records[index] = record }
    return true
  }
}

extension MutablePersistableRecord {
  /// - Throws: `DatabaseError` for a type whose writes a graph can't do.
  static func checkGraph(_ record: Self) throws {
    try (type(of: record) as? any _CheckedRecord.Type)?._checkConformance()
    let table = type(of: record).databaseTableName
    guard !table.hasSameBytes(as: databaseTableName) else { return }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "\(type(of: record)) is a subclass with a table of its own, \(table): a graph of "
        + "\(Self.self) saves records of table \(databaseTableName)")
  }
}
