import Quarry

/// Whether triggers and foreign key actions run while a changeset is applied, which has their
/// changes.
///
/// Those that fill virtual tables must: a changeset does not have the content of virtual tables.
/// Where triggers do both, they don't run, and full-text tables are rebuilt from the tables that
/// they index. Triggers that only refuse changes or call functions don't run either, where all can
/// be turned off.
struct TriggerMode {
  /// Whether a row may be in the way of another one that is written, and is deleted. Triggers and
  /// foreign key actions that run need the order of the changes.
  let deletesFirst: Bool
  private let targets: [ChangedTable]
  private let resolvingTables: ResolvingTables
  private var disablesTriggers = false
  private var disablesForeignKeys = false
  private var rebuiltTables: [String] = []
  /// The changed tables whose triggers run, in lowercase.
  private var triggeredTables: Set<String> = []
  private let references: ChangedReferences

  init(_ db: Database, _ targets: [ChangedTable], runsTriggers: Bool) throws {
    try db.checkDeferredForeignKeys()
    self.targets = targets
    resolvingTables = try ResolvingTables(db, targets)
    let tables = targets.map(\.table.name)
    let names = Set(tables.map(\.lowercasedASCII))
    let triggers = try db.triggers()
    let triggered = targets.filter { target in
      triggers.contains { $0.table == target.table.name.lowercasedASCII }
    }
    let keys = try db.enforcedForeignKeys(concerning: names)
    references = try ChangedReferences(db, targets, from: Set(keys.map(\.child)))
    let hasActions = keys.contains(where: \.hasAction)
    let needsOrder = runsTriggers && (hasActions || !triggered.isEmpty)
    deletesFirst =
      try !needsOrder
      && (!resolvingTables.isEmpty || tables.contains { try db.hasLooseKey($0, in: "main") })
    if !runsTriggers, !triggered.isEmpty {
      try findTriggers(db, triggered, triggers.filter { names.contains($0.table) })
    }
    if !disablesTriggers { triggeredTables = Set(triggered.map(\.table.name.lowercasedASCII)) }
    let running = disablesTriggers ? [] : runsTriggers ? targets : triggered
    let written = try running.flatMap { try $0.announcements(db) }
      .flatMap { try db.announcedKinds(of: $0).dropFirst() }.map(\.tableName.lowercasedASCII)
    try db.checkRollbacks(names.union(written), disablesTriggers ? [] : triggers)
    guard !runsTriggers else {
      try checkAreCounted(db, Set(written), triggers)
      return
    }
    disablesForeignKeys = hasActions
  }

  /// Throws where triggers or foreign key actions change a table that resolves conflicts.
  ///
  /// - parameter written: The other tables that they change.
  private func checkAreCounted(
    _ db: Database, _ written: Set<String>, _ triggers: [TriggerFacts]
  ) throws {
    if resolvingTables.isEmpty { return }
    var events = Dictionary(
      targets.map { ($0.table.name.lowercasedASCII, $0.events) }, uniquingKeysWith: { $0.union($1) }
    )
    for table in written { events[table] = TriggerFacts.allEvents }
    // Changes of a statement's own table are not announced apart.
    let own = triggers.filter { !$0.events.isDisjoint(with: events[$0.table] ?? []) }
      .flatMap(\.writtenTables)
    let children = try db.enforcedForeignKeys(concerning: Set(events.keys)).filter(\.hasAction)
      .map(\.child.lowercasedASCII)
    try resolvingTables.checkAreCounted(besides: written.union(own).union(children))
  }

  private mutating func findTriggers(
    _ db: Database, _ targets: [ChangedTable], _ triggers: [TriggerFacts]
  ) throws {
    let virtualTables = try db.virtualTables(in: "main")
    // At its first use, a connection declares a virtual table, and announces that with the changes.
    if !virtualTables.isEmpty { for target in targets { _ = try target.announcements(db) } }
    var filled: Set<String> = []
    // Those of the statement's own table are not announced apart.
    var writesOthers = triggers.contains(where: \.writesToItsTable)
    for target in targets {
      for statement in try target.announcements(db) {
        // The first one is that of the statement, the others are those of its triggers, and of the
        // actions of foreign keys.
        for change in try db.announcedKinds(of: statement).dropFirst() {
          let name = change.tableName.lowercasedASCII
          if virtualTables.contains(name) { filled.insert(name) } else { writesOthers = true }
        }
      }
    }
    if filled.isEmpty { writesOthers = true }
    guard writesOthers || triggers.contains(where: \.actsUnannounced) else { return }
    let isConditional =
      try !writesOthers
      && triggers.contains { try $0.fillsConditionally(filled, keys: db.rowKeys(of: $0.table)) }
    if isConditional { return }
    do {
      try db.checkCanTurnOff(triggers, filling: filled)
    } catch let error as ChangesetError {
      if writesOthers { throw error }
      return
    }
    disablesTriggers = true
    rebuiltTables = filled.sorted()
  }

  /// Applies changes in this mode.
  ///
  /// - throws: ``ChangesetError`` for violated foreign keys, if the closure does not accept them,
  ///   and for conflicts that a table has resolved by itself.
  func apply(
    _ input: ChangesetInput, to db: Database, _ read: () throws -> ChangesetReader,
    _ onConflict: (ChangesetConflict) throws -> ChangesetConflict.Resolution
  ) throws -> ChangesetRebase {
    var resolvingTables = resolvingTables
    var references = references
    try references.lookAtRows(db, areEnforced: !disablesForeignKeys)
    let result = try db.without(triggers: disablesTriggers, foreignKeys: disablesForeignKeys) {
      try db.apply(input) { conflict in
        let resolution = try onConflict(conflict)
        try resolvingTables.note(conflict, resolution)
        try references.note(conflict, resolution, db)
        return resolution
      } announcedBy: {
        try targets.flatMap { try $0.announcements(db) }
      }
    }
    try resolvingTables.check(db, triggeredTables)
    for table in rebuiltTables {
      let name = table.quotedDatabaseIdentifier
      try db.execute(sql: "INSERT INTO main.\(name)(\(name)) VALUES ('rebuild')")
    }
    let count = try references.missedOrphanCount(read, db)
    guard count > 0 else { return result }
    let conflict = ChangesetConflict(
      kind: .foreignKey, change: nil, currentValues: nil, violationCount: count)
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
  /// Whether changes of the tables concerned change the child.
  let hasAction: Bool
}

extension Database {
  /// The triggers of the main schema, and the temporary ones of its tables.
  fileprivate func triggers() throws -> [TriggerFacts] {
    // One that is older than a temporary table with the name of its table is not on that.
    try Row.fetchAll(
      self,
      sql: """
        SELECT name, tbl_name, sql, 0 AS temporary, 0 AS isOnTemporary
        FROM main.sqlite_master WHERE type = 'trigger'
        UNION ALL
        SELECT name, tbl_name, sql, 1, EXISTS (
          SELECT 1 FROM temp.sqlite_master AS own
          WHERE own.type IN ('table', 'view') AND own.name = made.tbl_name COLLATE NOCASE
          AND own.rowid < made.rowid)
        FROM temp.sqlite_master AS made WHERE type = 'trigger'
        """
    ).compactMap { row -> TriggerFacts? in
      let table: String = row["tbl_name"]
      let trigger = TriggerFacts(
        name: row["name"], table: table.lowercasedASCII, sql: row["sql"],
        isTemporary: row["temporary"])
      let isOnOther = trigger.tableSchema.map { $0 != "main" } ?? (row["isOnTemporary"] as Bool)
      return trigger.isTemporary && isOnOther ? nil : trigger
    }
  }

  /// Throws where a conflict may roll the transaction back, in which changes are applied: SQLite
  /// would go on without one.
  ///
  /// - parameter tables: The tables that may change, in lowercase.
  /// - parameter triggers: The triggers that run.
  fileprivate func checkRollbacks(_ tables: Set<String>, _ triggers: [TriggerFacts]) throws {
    if let trigger = triggers.first(where: {
      tables.contains($0.table) && $0.sql.resolvesConflicts(by: "ROLLBACK")
    }) {
      throw ChangesetError(
        .trigger,
        "the changeset can't be applied: the trigger \(trigger.name) of \(trigger.table) uses "
          + "ROLLBACK, which would end the transaction after a part of the changes. Use ABORT in it, "
          + "such as RAISE(ABORT, …), or leave the table out with `filtered`", table: trigger.table)
    }
    let declarations = try Row.fetchAll(
      self,
      sql: """
        SELECT name, sql FROM main.sqlite_master
        WHERE type = 'table' AND instr(upper(sql), 'ROLLBACK')
        """)
    for declaration in declarations {
      let (name, sql): (String, String) = (declaration["name"], declaration["sql"])
      guard tables.contains(name.lowercasedASCII), sql.resolvesConflicts(by: "ROLLBACK") else {
        continue
      }
      throw ChangesetError(
        .schema,
        "the changeset can't be applied to table \(name): it is declared with ON CONFLICT ROLLBACK, "
          + "which would end the transaction after a part of the changes. Declare ON CONFLICT ABORT, "
          + "or leave the table out with `filtered`", table: name)
    }
  }

  /// The foreign keys from tables, and to them, where they are enforced.
  ///
  /// - parameter tables: Their names in lowercase.
  fileprivate func enforcedForeignKeys(concerning tables: Set<String>) throws -> [ForeignKeyFacts] {
    guard try Bool.fetchOne(self, sql: "PRAGMA foreign_keys") == true else { return [] }
    return try Row.fetchAll(
      self,
      sql: """
        SELECT child.name AS child, "table" AS parent, on_delete, on_update
        FROM main.sqlite_master AS child, pragma_foreign_key_list(child.name, 'main')
        WHERE child.type = 'table' AND instr(upper(child.sql), 'REFERENCES')
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

  /// Throws for a temporary trigger, and for a virtual table that triggers fill, and nothing else.
  fileprivate func checkCanTurnOff(_ triggers: [TriggerFacts], filling filled: Set<String>) throws {
    if let trigger = triggers.first(where: \.isTemporary) {
      throw ChangesetError(
        .trigger,
        "the changeset can't be applied: SQLite can't turn off the temporary trigger "
          + "\(trigger.name) of \(trigger.table), whose changes the changeset may have. Drop the "
          + "trigger before, or use `runsTriggers: true`", table: trigger.table)
    }
    for table in filled.sorted() { try checkIsRebuildable(table) }
  }

  /// Throws for a virtual table whose content can't be made again from a table.
  private func checkIsRebuildable(_ table: String) throws {
    let sql = try String.fetchOne(
      self, sql: "SELECT sql FROM main.sqlite_master WHERE name = ? COLLATE NOCASE",
      arguments: [table])
    let text = (sql ?? "").lowercased()
    let hasContent = text.contains(/content *= *(['"]?)[^'",) ]/)
    guard text.contains("using fts"), hasContent, try hasColumns(ofFullText: sql ?? "") else {
      throw ChangesetError(
        .trigger,
        "the changeset can't be applied: triggers fill the virtual table \(table), and others change "
          + "tables. Its content would be lost or doubled: use a full-text table with `content` that "
          + "has the columns of that table, or `runsTriggers: true`", table: table)
    }
  }

  /// Whether the content table of a full-text table has its columns: a rebuild reads them there.
  private func hasColumns(ofFullText sql: String) throws -> Bool {
    guard let module = ModuleArguments(sql: sql) else { return false }
    let columns = try String.fetchAll(
      self, sql: "SELECT name FROM pragma_table_xinfo(?, 'main')",
      arguments: [module.content ?? ""])
    return module.contentColumns.allSatisfy { name in
      columns.contains { $0.isSameIdentifier(as: name) }
    }
  }
}
