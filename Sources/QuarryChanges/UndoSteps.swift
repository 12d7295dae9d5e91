import Quarry

/// The table of the steps of an ``UndoStack``.
///
/// Steps that are undone follow those that can be undone: a new step replaces them.
final class UndoSteps: Sendable {
  struct Step {
    let id: Int64
    let name: String
    let changes: Changeset
    /// Nil for a step of an earlier version.
    let columns: RecordedColumns?
  }

  let tableName: String
  private let schema: String
  private let table: String
  private let limit: UndoLimit
  /// The connections with a recording.
  private let recordings = Locked<Set<ObjectIdentifier>>([])

  init(_ storage: UndoStorage, _ limit: UndoLimit) {
    self.limit = limit
    switch storage {
    case .memory:
      // Each stack has its own.
      tableName = "quarry_undo_\(UInt64.random(in: .min ... .max))"
      schema = "temp"
    case .table(let name):
      tableName = name
      schema = "main"
    }
    table = "\(schema).\(tableName.quotedDatabaseIdentifier)"
  }

  func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS \(table) (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, changes BLOB NOT NULL,
          isUndone INTEGER NOT NULL, columns TEXT)
        """)
    try db.addRecordedColumns(to: tableName, in: schema)
  }

  func state(_ db: Database) throws -> UndoState {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT
          (SELECT name FROM \(table) WHERE NOT isUndone ORDER BY id DESC LIMIT 1) AS undo,
          (SELECT name FROM \(table) WHERE isUndone ORDER BY id LIMIT 1) AS redo,
          (SELECT count(*) FROM \(table) WHERE NOT isUndone) AS undoCount,
          (SELECT count(*) FROM \(table) WHERE isUndone) AS redoCount
        """)
    return UndoState(
      undoName: row?["undo"], redoName: row?["redo"], undoCount: row?["undoCount"] ?? 0,
      redoCount: row?["redoCount"] ?? 0)
  }

  func lastDone(_ db: Database) throws -> Step? {
    try step("WHERE NOT isUndone ORDER BY id DESC LIMIT 1", db)
  }

  func firstUndone(_ db: Database) throws -> Step? {
    try step("WHERE isUndone ORDER BY id LIMIT 1", db)
  }

  private func step(_ clauses: String, _ db: Database) throws -> Step? {
    let row = try Row.fetchOne(
      db, sql: "SELECT id, name, changes, columns FROM \(table) \(clauses)")
    // The bytes are checked: anybody may write to the table.
    return try row.map {
      try Step(
        id: $0["id"], name: $0["name"], changes: Changeset(data: $0["changes"]),
        columns: RecordedColumns(json: $0["columns"]))
    }
  }

  /// The step that a recording with a name may extend: the last one, if its rows are as it has left
  /// them.
  func extensibleStep(_ name: String, _ db: Database) throws -> Step? {
    guard try !db.exists("SELECT 1 FROM \(table) WHERE isUndone"), let last = try lastDone(db),
      last.name.hasSameBytes(as: name), try last.isUnchanged(db)
    else { return nil }
    return last
  }

  /// - parameter last: The step that the changes extend, if they concern the same tables.
  func push(_ name: String, _ changes: Changeset, extending last: Step?, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM \(table) WHERE isUndone")
    let columns = try db.recordedColumns(of: changes.tables)
    if let last, last.fits(columns), changes.hasKeys(of: last.changes) {
      try extend(last, changes, columns, db)
    } else {
      try db.execute(
        sql: "INSERT INTO \(table) (name, changes, columns, isUndone) VALUES (?, ?, ?, 0)",
        arguments: [name, changes, String(json: columns)])
    }
    try removeExcess(db)
  }

  private func extend(
    _ step: Step, _ changes: Changeset, _ columns: RecordedColumns, _ db: Database
  ) throws {
    let changes = try step.changes.combined(with: changes)
    guard !changes.isEmpty else {
      return try db.execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [step.id])
    }
    try setChanges(of: step, changes, step.columns?.merging(columns) { $1 }, db)
  }

  private func setChanges(
    of step: Step, _ changes: Changeset, _ columns: RecordedColumns?, _ db: Database
  ) throws {
    let columns = try columns.map { try String(json: $0) }
    try db.execute(
      sql: "UPDATE \(table) SET changes = ?, columns = ? WHERE id = ?",
      arguments: [changes, columns, step.id])
  }

  private func removeExcess(_ db: Database) throws {
    if let steps = limit.steps {
      try db.execute(
        sql: """
          DELETE FROM \(table)
          WHERE id NOT IN (SELECT id FROM \(table) ORDER BY id DESC LIMIT ?)
          """, arguments: [steps])
    }
    if let bytes = limit.bytes {
      try db.execute(
        sql: """
          DELETE FROM \(table) WHERE id IN (
            SELECT id FROM (
              SELECT id, sum(length(changes)) OVER (ORDER BY id DESC) AS size FROM \(table))
            WHERE size > ?)
          """, arguments: [bytes])
    }
  }

  /// - parameter changes: What was changed, nil where it is what the step says.
  func move(_ step: Step, isUndone: Bool, _ changes: Changeset?, _ db: Database) throws {
    try db.execute(
      sql: "UPDATE \(table) SET isUndone = ? WHERE id = ?", arguments: [isUndone, step.id])
    guard let changes else { return }
    try setChanges(of: step, changes, db.recordedColumns(of: changes.tables), db)
  }

  func removeAll(_ db: Database) throws { try db.execute(sql: "DELETE FROM \(table)") }

  func isRecording(_ db: Database) -> Bool {
    recordings.withLock { $0.contains(ObjectIdentifier(db)) }
  }

  func recording<T>(_ db: Database, _ body: () throws -> T) rethrows -> T {
    _ = recordings.withLock { $0.insert(ObjectIdentifier(db)) }
    defer { _ = recordings.withLock { $0.remove(ObjectIdentifier(db)) } }
    return try body()
  }
}

extension UndoSteps.Step {
  /// Whether the tables of the step have the same columns.
  fileprivate func fits(_ others: RecordedColumns) -> Bool {
    others.allSatisfy { table, names in (columns?[table] ?? names) == names }
  }

  /// Whether nothing has changed the rows and tables of the step since.
  fileprivate func isUnchanged(_ db: Database) throws -> Bool {
    do {
      for table in changes.readTables() { try table.check(db, recorded: columns?[table.name]) }
    } catch is ChangesetError {
      return false
    }
    return try changes.areLast(in: db)
  }
}

extension Database {
  fileprivate func exists(_ sql: String) throws -> Bool { try Row.fetchOne(self, sql: sql) != nil }
}

extension Changeset {
  /// Whether tables have the same primary keys as in another changeset.
  fileprivate func hasKeys(of other: Changeset) -> Bool {
    var keys: [String: [UInt8]] = [:]
    for table in other.readTables() { keys[table.name.lowercasedASCII] = table.keyPositions }
    return readTables().allSatisfy { table in
      keys[table.name.lowercasedASCII].map { $0 == table.keyPositions } ?? true
    }
  }

  /// Whether the rows of a database are as the changes have left them.
  fileprivate func areLast(in db: Database) throws -> Bool {
    var statements: [String: Statement] = [:]
    var areLast = true
    try forEach { change in
      guard areLast else { return }
      let statement =
        try statements[change.table]
        ?? db.rowStatement(for: change, columns: db.plainColumns(of: change.table).map(\.name))
      statements[change.table] = statement
      areLast = try isLast(change, statement.row(of: change))
    }
    return areLast
  }

  /// Whether a row is as a change has left it.
  private func isLast(_ change: Change, _ row: [DatabaseValue]?) -> Bool {
    guard let row else { return change.newValues == nil }
    if let values = change.newValues {
      return zip(values, row).allSatisfy { value, current in value.map { $0 == current } ?? true }
    }
    // A key that SQLite takes for equal may have replaced the one that is deleted.
    let key = change.keyColumns.map { row[$0] }
    return key != change.key
      && changes.contains { $0.kind == .insert && $0.table == change.table && $0.key == key }
  }
}
