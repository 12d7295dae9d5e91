public import Quarry

extension Changeset {
  /// Applies the changes to the main database of a connection: all of them, or none.
  ///
  /// ```swift
  /// try dbQueue.write { db in
  ///   try changeset.apply(to: db) { conflict in
  ///     // The last writer wins.
  ///     switch conflict.kind {
  ///     case .data, .conflict: .replace
  ///     case .notFound: .omit
  ///     case .constraint, .foreignKey: .abort
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Before anything is changed, the tables are compared with those of the database: each must exist,
  /// have the same primary key, and no fewer columns. Additional columns get their default values.
  ///
  /// A changeset has the changes of triggers and foreign key actions, which therefore don't run again.
  /// Foreign keys are checked after the last change. Triggers that fill virtual tables only, such as
  /// those of full-text tables, do run. With `runsTriggers`, all of them and the actions run, for
  /// changesets that don't have their changes.
  ///
  /// Nothing is applied where a conflict could end the transaction after a part of the changes, by
  /// `ON CONFLICT ROLLBACK` or `RAISE(ROLLBACK)`, and where a temporary trigger would have to be turned
  /// off, which SQLite can't.
  ///
  /// Observers are notified of the changes, as of those of a statement.
  ///
  /// See <https://www.sqlite.org/session/sqlite3changeset_apply.html>.
  ///
  /// - parameter db: A connection that writes.
  /// - parameter runsTriggers: Whether triggers and foreign key actions run.
  /// - parameter onConflict: What happens with a change that can't be applied as it is. By default,
  ///   nothing is applied, and the conflict is thrown. It must not change the database.
  /// - throws: ``ChangesetError`` for other tables, for triggers as above, for a conflict that aborts, and where SQLite has no
  ///   sessions; the error of the closure; `DatabaseError`.
  public func apply(
    to db: Database, runsTriggers: Bool = false,
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution = { _ in .abort }
  ) throws {
    _ = try applyNotingConflicts(to: db, runsTriggers: runsTriggers, onConflict: onConflict)
  }

  /// Applies the changes, and returns how conflicts were resolved, for ``rebased(on:)``.
  ///
  /// - throws: See ``apply(to:runsTriggers:onConflict:)``.
  public func applyNotingConflicts(
    to db: Database, runsTriggers: Bool = false,
    onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
  ) throws -> ChangesetRebase {
    try Session.checkAvailability()
    let targets = try targets(in: db)
    if isEmpty { return ChangesetRebase(bytes: []) }
    var rebase = ChangesetRebase(bytes: [])
    try db.inSavepoint {
      let mode = try TriggerMode(db, targets, runsTriggers: runsTriggers)
      rebase = try mode.applying(db, onConflict) {
        try unsafe withBytes { count, bytes in
          try unsafe db.apply(count, bytes, onConflict) {
            try targets.flatMap { try $0.announcements(db) }
          }
        }
      }
      return .commit
    }
    return rebase
  }

  /// The tables that are changed, which are those of the database.
  private func targets(in db: Database) throws -> [ChangedTable] {
    var targets: [ChangedTable] = []
    read { table, change in
      if targets.last?.table.header != table.header { targets.append(ChangedTable(table)) }
      targets[targets.count - 1].add(change)
    }
    for target in targets { try target.table.check(db) }
    return targets
  }
}

/// A table, and what a changeset does with it.
struct ChangedTable {
  let table: ChangesetTable
  private(set) var isInsertedInto = false
  private(set) var isDeletedFrom = false
  private(set) var updatedColumns: Set<Int> = []

  init(_ table: ChangesetTable) {
    self.table = table
  }

  mutating func add(_ change: ChangesetReader.RawChange) {
    switch change.kind {
    case .insert: isInsertedInto = true
    case .delete: isDeletedFrom = true
    case .update:
      for (index, value) in (change.new ?? []).enumerated() where value != nil {
        updatedColumns.insert(index)
      }
    }
  }

  /// Statements that change what the changeset changes, to be compiled only.
  func announcements(_ db: Database) throws -> [Statement] {
    let name = "main.\(table.name.quotedDatabaseIdentifier)"
    var statements: [String] = []
    if isInsertedInto { statements.append("INSERT INTO \(name) DEFAULT VALUES") }
    // A conflict may be resolved by a deletion and an insertion.
    statements.append("DELETE FROM \(name) WHERE ?")
    if !updatedColumns.isEmpty {
      let columns = try db.plainColumns(of: table.name).map(\.name)
      let assignments = updatedColumns.sorted().filter(columns.indices.contains).map { index in
        let column = columns[index].quotedDatabaseIdentifier
        return "\(column) = \(column)"
      }
      statements.append("UPDATE \(name) SET \(assignments.joined(separator: ", ")) WHERE ?")
    }
    return try statements.map { try db.makeStatement(sql: $0) }
  }
}

extension Database {
  /// The columns that sessions know: all but the generated and hidden ones, with their positions in
  /// the primary key, or 0.
  func plainColumns(of table: String) throws -> [(name: String, key: Int)] {
    try Row.fetchAll(
      self, sql: "SELECT name, pk FROM pragma_table_info(?, 'main')", arguments: [table]
    ).map { ($0["name"], $0["pk"]) }
  }
}

extension ChangesetTable {
  /// Throws where the main database has no such table.
  func check(_ db: Database) throws {
    func fail(_ reason: String, column: String? = nil) -> ChangesetError {
      ChangesetError(
        .schema,
        "the changeset can't be applied to table \(name): \(reason). Migrate both databases to the "
          + "same schema, or leave the table out with `filtered`",
        table: name, column: column)
    }
    guard try db.tableExists(name, in: "main") else {
      throw fail("the main database has no such table")
    }
    if try db.virtualTables(in: "main").contains(name.lowercasedASCII) {
      throw fail("it is a virtual table")
    }
    let columns = try db.plainColumns(of: name)
    guard columns.count >= columnCount else {
      throw fail(
        "it has \(columns.count) columns, the last of which is \(columns.last?.name ?? "none"), and "
          + "the changeset has \(columnCount)", column: columns.last?.name)
    }
    for (index, column) in columns.enumerated() {
      let key = index < columnCount ? Int(keyPositions[index]) : 0
      guard key != column.key else { continue }
      let own = column.key == 0 ? "no column" : "column \(column.key)"
      let other = key == 0 ? "no column" : "column \(key)"
      throw fail(
        "its column \(column.name) is \(own) of the primary key, and \(other) of that of the "
          + "changeset", column: column.name)
    }
  }
}
