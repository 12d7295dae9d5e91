import Quarry

/// Adds the transactions of the database itself to its log.
final class LocalChanges: @unchecked Sendable {
  private let log: LogTables
  private let names: [String]
  private let policy: ConflictPolicy
  private let clock: LogClock
  /// Used on the thread of the connection.
  private var known: (state: SchemaState, schema: LogSchema)?
  /// The schema when the hidden rows were looked at.
  private var visibleState: SchemaState?

  init(_ log: LogTables, _ names: [String], _ policy: ConflictPolicy, _ clock: LogClock) {
    self.log = log
    self.names = names
    self.policy = policy
    self.clock = clock
  }

  /// The tables as they are, which are checked when the schema has changed.
  func schema(_ db: Database) throws -> LogSchema {
    let state = try SchemaState(db)
    if let known, known.state == state { return known.schema }
    let schema = try LogSchema(db, names)
    known = (state, schema)
    return schema
  }

  /// Called after a rollback, which may have taken back the schema of a version that comes again.
  func forgetSchema() { (known, visibleState) = (nil, nil) }

  /// Called before the commit.
  func append(_ changes: Changeset, _ db: Database) throws {
    let schema = try schema(db)
    let state = try log.state(db)
    try changes.checkTexts()
    let logged = LoggedChanges(
      origin: state.identity, sequence: state.sequence + 1, time: clock.time(after: state.time),
      context: try log.received(db), changes: try changes.withWholeRows(schema, db),
      columns: schema.columns(of: changes))
    // Before anything is written: the transaction stays open where its commit is refused.
    try checkReferences(logged.changes, schema, db)
    try log.append(logged, db)
    try log.setSequence(logged.sequence, db)
    try log.setClock(logged.time, db)
    let keys = try setVersions(logged, schema, db)
    guard try log.hasHidden(db) else { return }
    let isSameSchema = known?.state == visibleState
    if isSameSchema, !logged.changes.changes.contains(where: schema.makesRoom) { return }
    var rows = VisibleRows(db, log, schema, policy)
    try rows.update(keys)
    visibleState = known?.state
  }

  /// Throws for a row that references none: SQLite lets `REPLACE` insert some in a table that
  /// references itself, and any without `PRAGMA foreign_keys`. Others would not show it.
  private func checkReferences(_ changes: Changeset, _ schema: LogSchema, _ db: Database) throws {
    guard schema.hasForeignKeys else { return }
    guard try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else {
      throw ChangesetError(
        .conflict,
        "the tables of the log \(log.name) have foreign keys, which the connection does not enforce: "
          + "set `foreignKeysEnabled` in its configuration")
    }
    try changes.forEach { change in
      guard let table = schema[change.table], let new = change.newValues else { return }
      for key in table.foreignKeys where !change.leavesColumns(key.columns) {
        let values = key.columns.compactMap { new[$0] ?? change.oldValues?[$0] }
        guard let parent = schema.tables[key.parent], !values.contains(where: \.isNull),
          try db.keys(of: parent, with: key.parentGroup, values).isEmpty
        else { continue }
        throw ChangesetError(
          .conflict,
          "the \(change) can't be logged: it references a row of \(parent.name) that does not exist",
          table: table.name, column: table.columns[key.columns[0]])
      }
    }
  }

  private func setVersions(
    _ logged: LoggedChanges, _ schema: LogSchema, _ db: Database
  ) throws -> [RowKey: [LogVersion]] {
    var versions: [RowKey: [LogVersion]] = [:]
    try logged.changes.forEach { change in
      guard let table = schema[change.table] else { return }
      let key = RowKey(table, change.key, isKey: true)
      let version = LogVersion(logged, change)
      versions[key] = [version]
      try log.setVersion(
        key, isDeleted: version.values == nil, logged.origin, logged.sequence, logged.time, db)
    }
    return versions
  }
}

extension LogVersion {
  /// The version that a change makes of its row.
  init(_ logged: LoggedChanges, _ change: Change) {
    self.init(
      origin: logged.origin, sequence: logged.sequence, time: logged.time,
      values: change.newValues.map { values in
        values.indices.map { values[$0] ?? change.oldValues?[$0] ?? .null }
      })
  }
}

extension LogSchema {
  /// Whether a change may make room for hidden rows: it frees a unique value, also that of a hidden
  /// row which it writes, or there is another row to reference.
  fileprivate func makesRoom(_ change: Change) -> Bool {
    guard let table = self[change.table] else { return false }
    let unique = Array(table.uniqueColumns)
    let referenced = foreignKeys(to: table.name.lowercasedASCII).flatMap(\.key.parentGroup.columns)
    return switch change.kind {
    case .insert: !unique.isEmpty || !referenced.isEmpty
    case .delete: !unique.isEmpty
    case .update: !change.leavesColumns(unique + referenced)
    }
  }
}

extension Change {
  /// Whether the change is an update with the same values in some columns.
  fileprivate func leavesColumns(_ columns: [Int]) -> Bool {
    guard let oldValues, let newValues else { return false }
    return columns.allSatisfy { newValues[$0] == nil || newValues[$0] == oldValues[$0] }
  }
}

extension Changeset {
  /// Throws for a text that is no Unicode: it would be another one elsewhere.
  fileprivate func checkTexts() throws {
    try read { table, change in
      for (index, range) in (change.new ?? []).enumerated() {
        guard let range, bytes[range.lowerBound] == 3,
          String(validating: ChangesetBytes.content(range, in: bytes), as: UTF8.self) == nil
        else { continue }
        throw ChangesetError(
          .unrecordable,
          "a row of \(table.name) has a text in its column \(index + 1) that is not UTF-8: store bytes as "
            + "a blob", table: table.name)
      }
    }
  }

  /// The changes, whose updates have the values of all columns.
  fileprivate func withWholeRows(_ schema: LogSchema, _ db: Database) throws -> Changeset {
    var writer = ChangesetWriter()
    try forEach { change in
      guard let table = schema[change.table] else { return }
      var (old, new) = (change.oldValues, change.newValues)
      if change.kind == .update, let row = try db.row(change.key, of: table) {
        old = row.indices.map { change.oldValues?[$0] ?? row[$0] }
        new = row.indices.map { table.keyPositions[$0] == 0 ? row[$0] : nil }
      }
      writer.append(
        change.kind, of: table.name, table.keyPositions, isIndirect: change.isIndirect, old: old,
        new: new)
    }
    return Changeset(checked: writer.bytes, isPatchset: false)
  }
}
