import Quarry

// SQLite itself decides what ALTER TABLE can do: the alterations are tried on an empty database
// with the old schema. They count if they make the new schema; else the table is made anew. The
// rules that depend on rows are checked here, since that database has none.

/// Finds the steps from one schema to another.
struct DraftPlanner {
  let old: SchemaModel
  let new: SchemaModel
  let renames: DraftRenames
  let values: DraftValues
  /// The statements that make the settings of FTS5 tables of the old database.
  let settings: [BinaryText: [String]]
  /// Compile views and triggers, and fail: ALTER TABLE does so, too.
  let failingProbes: [SchemaProbe]

  /// - parameter scratch: An empty database.
  func plan(on scratch: Database) throws -> [DraftStep] {
    try scratch.execute(sql: "PRAGMA foreign_keys = OFF")
    for table in old.tables { try scratch.execute(sql: table.sql) }
    // An index may need a collation or a function of the application.
    for index in old.objects("index") { try? scratch.execute(sql: index.sql) }
    for step in renames.steps { for sql in step.sql(new) { try scratch.execute(sql: sql) } }
    try values.check(scratch)
    let renamed = try SchemaModel(scratch)
    let droppedTables = renamed.tables.map(\.name).filter { new.table($0) == nil }
    let indexes = oldIndexes(renamed)
    let staleIndexes = indexes.filter { index in new.object("index", index.name)?.key != index.key }
    for index in staleIndexes { try? scratch.execute(sql: DraftStep.drop(index).sql(new)[0]) }
    let alterations = try alterations(renamed, indexes, on: scratch)
    let virtualTables = old.objects("virtual table").filter(isStale)
    let touched = touched(alterations)
    let dependents = dependents(
      of: touched + droppedTables + virtualTables.map(\.name), andFailing: !touched.isEmpty)

    var steps = dependents.map(DraftStep.drop) + virtualTables.map(DraftStep.drop) + renames.steps
    let droppedNames = Set(droppedTables.map(\.identifierKey))
    steps += staleIndexes.filter { !droppedNames.contains($0.table.identifierKey) }
      .map(DraftStep.drop)
    steps += new.tables.filter { renamed.table($0.name) == nil }.map { .createTable($0.name) }
    steps += alterations + droppedTables.map(DraftStep.dropTable)
    return steps + creations(indexes: indexes, dropped: dependents + virtualTables)
  }

  /// The indexes with the names that their tables have after the renaming.
  private func oldIndexes(_ renamed: SchemaModel) -> [SchemaModel.Object] {
    old.objects("index").map { renamed.object("index", $0.name) ?? $0 }
  }

  private func isStale(_ object: SchemaModel.Object) -> Bool {
    new.object(object.kind, object.name)?.key != object.key
  }

  private func creations(
    indexes: [SchemaModel.Object], dropped: [SchemaModel.Object]
  ) -> [DraftStep] {
    let indexKeys = Dictionary(
      indexes.map { ($0.name.identifierKey, $0.key) }, uniquingKeysWith: { first, _ in first })
    let isKept = { (object: SchemaModel.Object) in
      guard object.kind != "index" else {
        return indexKeys[object.name.identifierKey] == object.key
      }
      let wasDropped = dropped.contains {
        $0.kind == object.kind && $0.name.isSameIdentifier(as: object.name)
      }
      return old.object(object.kind, object.name) != nil && !wasDropped
    }
    let created = ["virtual table", "index", "view", "trigger"].flatMap { kind in
      new.objects(kind).filter { !isKept($0) }
    }
    let isOverDroppedView = { (object: SchemaModel.Object) in
      dropped.contains {
        $0.kind == "view" && object.contentTable?.isSameIdentifier(as: $0.name) == true
      }
    }
    let stale = new.objects("virtual table").filter {
      isKept($0) && isOverDroppedView($0) && new.hasContent(of: $0)
    }
    let unindexed = created.filter(mayHaveUnindexedRows) + stale
    let configured = created.filter { $0.fullText?.engine == .fts5 }.flatMap { object in
      (settings[object.name.identifierKey] ?? []).map { DraftStep.command(object.name, sql: $0) }
    }
    return created.map(DraftStep.create) + configured
      + unindexed.map { DraftStep.command($0.name, sql: $0.name.fullTextRebuild) }
  }

  /// Whether an object is a full-text table over a table that has rows before, or over a view.
  private func mayHaveUnindexedRows(_ object: SchemaModel.Object) -> Bool {
    guard let content = object.contentTable, new.hasContent(of: object) else { return false }
    return new.table(content) == nil || old.table(renames.oldName(ofTable: content)) != nil
  }

  /// The full-text tables that stay, and have their texts in a table.
  private func fullTextTables(on table: TableText) -> [SchemaModel.Object] {
    new.objects("virtual table").filter { object in
      object.contentTable?.isSameIdentifier(as: table.name) == true
        && object.hasContentColumns(table)
        && old.object(object.kind, object.name)?.key == object.key
    }
  }

  /// The names of altered tables, old and new.
  private func touched(_ alterations: [DraftStep]) -> [String] {
    let names = alterations.compactMap { step -> String? in
      switch step {
      case .rebuild(let copy): copy.table
      case .dropColumn(_, let table): table
      default: nil
      }
    }
    return names + names.map(renames.oldName(ofTable:))
      + renames.tables.flatMap { [$0.old, $0.new] }
      + renames.columns.map(\.table)
  }

  /// The views and triggers that change, or name a table that does: triggers first. Those that
  /// don't compile would make an alteration fail.
  private func dependents(
    of tables: [String], andFailing includesFailing: Bool
  ) -> [SchemaModel.Object] {
    (old.objects("trigger") + old.objects("view")).dependents(of: tables) { object in
      isStale(object) || includesFailing && failingProbes.contains { $0.compiles(object) }
    }
  }

  private func alterations(
    _ renamed: SchemaModel, _ indexes: [SchemaModel.Object], on scratch: Database
  ) throws -> [DraftStep] {
    let indexes = Dictionary(grouping: indexes, by: \.table.identifierKey)
    return try new.tables.flatMap { table -> [DraftStep] in
      guard let oldTable = renamed.table(table.name) else { return [] }
      let values = values.of(table.name)
      if values.isEmpty {
        guard renamed.key(of: oldTable) != new.key(of: table) else { return [] }
        let steps = columnSteps(oldTable, table)
        if let steps, try makesTable(steps, table, renamed, on: scratch) { return steps }
      }
      let kept = indexes[table.name.identifierKey, default: []].filter { index in
        new.object("index", index.name)?.key == index.key
      }
      return [
        .rebuild(
          TableCopy(
            table: table.name, oldSQL: oldTable.sql, newSQL: table.sql, values: values,
            indexes: kept.compactMap { new.object("index", $0.name) },
            fullTextTables: fullTextTables(on: table)))
      ]
    }
  }

  /// The columns to drop and to add. Nil where a rule of `ADD COLUMN` forbids it in tables with
  /// rows.
  private func columnSteps(_ oldTable: TableText, _ table: TableText) -> [DraftStep]? {
    let added = table.columns.filter { oldTable.column($0.name) == nil }
    guard added.allSatisfy(\.mayBeAdded) else { return nil }
    return oldTable.columns.filter { table.column($0.name) == nil }
      .map { .dropColumn($0.name, table: table.name) }
      + added.map { .addColumn($0.name, table: table.name) }
  }

  /// - parameter renamed: The schema of the database, of which the steps change this table only.
  private func makesTable(
    _ steps: [DraftStep], _ table: TableText, _ renamed: SchemaModel, on scratch: Database
  ) throws -> Bool {
    var isSame = false
    try scratch.inSavepoint {
      do {
        for sql in steps.flatMap({ $0.sql(new) }) { try scratch.execute(sql: sql) }
        let sql = try String.fetchOne(
          scratch, sql: "SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?",
          arguments: [renamed.table(table.name)?.name])
        var model = renamed
        model.setTable(table.name, sql: sql ?? "")
        isSame = model.table(table.name).map(model.key) == new.key(of: table)
      } catch is DatabaseError {
        isSame = false
      }
      return .rollback
    }
    return isSame
  }
}

extension ColumnText {
  /// What SQLite accepts for a column of an empty table only, or without foreign keys only.
  ///
  /// See <https://www.sqlite.org/lang_altertable.html#alter_table_add_column>.
  fileprivate var mayBeAdded: Bool {
    if let generation { return !generation.tokens.contains { $0.isOne(of: "STORED") } }
    let value = defaultValue
    if isNotNull, value == nil { return false }
    if clause("REFERENCES") != nil, value != nil { return false }
    guard let first = value?.first else { return true }
    return !first.isOne(of: "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP", "(")
  }
}
