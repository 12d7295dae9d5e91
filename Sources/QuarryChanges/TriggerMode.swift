import Quarry

/// Whether triggers and foreign key actions run while a changeset is applied, which has their changes.
///
/// Those that fill virtual tables must: a changeset does not have the content of virtual tables. Where
/// triggers do both, they don't run, and full-text tables are rebuilt from the tables that they index.
struct TriggerMode {
  private var disablesTriggers = false
  private var disablesForeignKeys = false
  private var rebuiltTables: [String] = []
  /// The tables whose rows may violate a foreign key afterwards.
  private var checkedTables: [String] = []

  init(_ db: Database, _ targets: [ChangedTable], runsTriggers: Bool) throws {
    if runsTriggers { return }
    let tables = targets.map(\.table.name)
    let triggered = try db.tablesWithTriggers(tables)
    if !triggered.isEmpty {
      try findTriggers(db, targets.filter { triggered.contains($0.table.name.lowercasedASCII) })
    }
    guard try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true else { return }
    let keys = try db.foreignKeys(concerning: tables)
    guard keys.contains(where: \.hasAction) else { return }
    disablesForeignKeys = true
    checkedTables = Array(Set(keys.map(\.child))).sorted()
    try db.checkDeferredForeignKeys()
  }

  private mutating func findTriggers(_ db: Database, _ targets: [ChangedTable]) throws {
    let virtualTables = try db.virtualTables(in: "main")
    var filled: Set<String> = []
    var writesOthers = false
    for target in targets {
      for statement in try target.announcements(db) {
        // The first one is that of the statement, the others are those of its triggers, and of the
        // actions of foreign keys.
        for change in statement.announcedChanges.dropFirst() {
          let name = change.tableName.lowercasedASCII
          if let table = virtualTables.first(where: { name == $0 || name.hasPrefix($0 + "_") }) {
            filled.insert(table)
          } else {
            writesOthers = true
          }
        }
      }
    }
    if filled.isEmpty { writesOthers = true }
    guard writesOthers else { return }
    disablesTriggers = true
    for table in filled.sorted() { try db.checkIsRebuildable(table) }
    rebuiltTables = filled.sorted()
  }

  /// Calls `apply` in this mode.
  ///
  /// - throws: ``ChangesetError`` for violated foreign keys, if the closure does not accept them.
  func applying<T>(
    _ db: Database, _ onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution,
    _ apply: () throws -> T
  ) throws -> T {
    let result = try db.without(triggers: disablesTriggers, foreignKeys: disablesForeignKeys, apply)
    for table in rebuiltTables {
      let name = table.quotedDatabaseIdentifier
      try db.execute(sql: "INSERT INTO main.\(name)(\(name)) VALUES ('rebuild')")
    }
    var violations = 0
    for table in checkedTables {
      violations +=
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM pragma_foreign_key_check(?, 'main')", arguments: [table])
        ?? 0
    }
    guard violations > 0 else { return result }
    let conflict = ChangesetConflict(
      kind: .foreignKey, change: nil, currentValues: nil, violationCount: violations)
    guard try onConflict(conflict) == .omit else { throw conflict.error }
    return result
  }
}

extension ChangesetConflict {
  var error: ChangesetError {
    ChangesetError(
      .conflict,
      "nothing of the changeset is applied: \(self). The database has been changed otherwise since: "
        + "resolve conflicts in `onConflict`",
      table: change?.table, conflict: self)
  }
}

/// A foreign key from a table to another one.
struct ForeignKeyFacts {
  let child: String
  let hasAction: Bool
}

extension Database {
  /// Those of the tables that have triggers, in lowercase.
  fileprivate func tablesWithTriggers(_ tables: [String]) throws -> Set<String> {
    let all = try String.fetchAll(
      self,
      sql: """
        SELECT tbl_name FROM main.sqlite_master WHERE type = 'trigger'
        UNION SELECT tbl_name FROM temp.sqlite_master WHERE type = 'trigger'
        """)
    return Set(all.map(\.lowercasedASCII)).intersection(tables.map(\.lowercasedASCII))
  }

  /// The foreign keys from tables, and to them.
  fileprivate func foreignKeys(concerning tables: [String]) throws -> [ForeignKeyFacts] {
    let tables = Set(tables.map(\.lowercasedASCII))
    return try Row.fetchAll(
      self,
      sql: """
        SELECT child.name AS child, "table" AS parent, on_delete, on_update
        FROM main.sqlite_master AS child, pragma_foreign_key_list(child.name, 'main')
        WHERE child.type = 'table' AND child.sql LIKE '%REFERENCES%'
        """
    ).compactMap { row in
      let child: String = row["child"]
      let parent: String = row["parent"]
      let isParent = tables.contains(parent.lowercasedASCII)
      guard isParent || tables.contains(child.lowercasedASCII) else { return nil }
      let actions: [String] = [row["on_delete"], row["on_update"]]
      return ForeignKeyFacts(
        child: child,
        hasAction: isParent && actions.contains { $0 != "NO ACTION" && $0 != "RESTRICT" })
    }
  }

  /// Throws for a virtual table whose content can't be made again from a table.
  fileprivate func checkIsRebuildable(_ table: String) throws {
    let sql = try String.fetchOne(
      self, sql: "SELECT sql FROM main.sqlite_master WHERE name = ? COLLATE NOCASE",
      arguments: [table])
    let text = (sql ?? "").lowercased()
    let hasContent = text.contains(/content *= *(['"]?)[^'",) ]/)
    guard text.contains("using fts"), hasContent else {
      throw ChangesetError(
        .trigger,
        "the changeset can't be applied: triggers fill the virtual table \(table), and others change "
          + "tables. Its content would be lost or doubled: use a full-text table with `content`, or "
          + "`runsTriggers: true`", table: table)
    }
  }
}
