import Quarry

/// Counts the data of the old database that a migration loses, or lacks.
struct DraftData {
  let db: Database
  let old: SchemaModel
  let new: SchemaModel
  let renames: DraftRenames
  let values: DraftValues

  func losses() throws -> [MigrationDraft.Loss] {
    let tables = try old.tables.flatMap { table -> [MigrationDraft.Loss] in
      guard let newTable = new.table(renames.newName(ofTable: table.name)) else {
        return try [loss(.table, table.name, nil, "count(*)")]
      }
      return try table.columns.filter { !$0.isGenerated }.compactMap { column in
        try loss(of: column, table, newTable)
      }
    }
    let virtualTables = old.objects("virtual table").filter { object in
      let other = new.object(object.kind, object.name)
      return other?.key != object.key && !haveSameContent(object, other)
    }
    // Its module may be missing.
    return tables
      + virtualTables.map { object in
        (try? loss(.table, object.name, nil, "count(*)"))
          ?? MigrationDraft.Loss(kind: .table, table: object.name, column: nil, count: nil)
      }
  }

  /// Whether the texts of a full-text table are in another table, and stay there.
  private func haveSameContent(_ object: SchemaModel.Object, _ other: SchemaModel.Object?) -> Bool {
    guard let content = object.contentTable, let other, let newContent = other.contentTable,
      renames.newName(ofTable: content).isSameIdentifier(as: newContent)
    else { return false }
    // A trigger may have filled columns that the content table does not have.
    return old.hasContent(of: object) && new.hasContent(of: other)
  }

  private func loss(
    of column: ColumnText, _ table: TableText, _ newTable: TableText
  ) throws -> MigrationDraft.Loss? {
    let newName = renames.newName(ofColumn: column.name, in: table.name)
    let name = column.name.quotedDatabaseIdentifier
    guard let newColumn = newTable.column(newName) else {
      return try loss(.column, table.name, column.name, "count(\(name))")
    }
    guard !newColumn.isGenerated else {
      return try loss(.column, table.name, column.name, "count(\(name))")
    }
    let (affinity, newAffinity) = (table.affinity(of: column), newTable.affinity(of: newColumn))
    guard !values.has(newName, in: newTable.name), affinity != newAffinity,
      !newAffinity.keeps(affinity)
    else { return nil }
    let type = newAffinity == .integer ? "NUMERIC" : newAffinity.rawValue
    // SQLite compares integers and doubles exactly, while a cast returns the nearest integer.
    let integer =
      newAffinity == .text ? "CAST(CAST(\(name) AS TEXT) AS INTEGER)" : "CAST(\(name) AS \(type))"
    let conversion = try loss(
      .conversion, table.name, column.name,
      """
      coalesce(sum(CASE typeof(\(name))
        WHEN 'text' THEN CAST(CAST(\(name) AS \(type)) AS TEXT) IS NOT \(name) COLLATE BINARY
        WHEN 'real' THEN CAST(CAST(\(name) AS \(type)) AS REAL) IS NOT \(name)
        WHEN 'integer' THEN \(integer) IS NOT \(name)
        ELSE 0 END), 0)
      """)
    // A column of integers may hold other numbers, but rarely does.
    let isUsual = affinity == .integer && newAffinity == .text
    return isUsual && conversion.count == 0 ? nil : conversion
  }

  private func loss(
    _ kind: MigrationDraft.Loss.Kind, _ table: String, _ column: String?, _ count: String
  ) throws -> MigrationDraft.Loss {
    let sql = "SELECT \(count) FROM main.\(table.quotedDatabaseIdentifier)"
    return try MigrationDraft.Loss(
      kind: kind, table: table, column: column, count: Int.fetchOne(db, sql: sql) ?? 0)
  }

  /// The columns that can't be NULL any more, or are new: of tables with a copy, or with rows.
  func missingValues(_ steps: [DraftStep]) throws -> [MigrationDraft.MissingValue] {
    let emptyTables = try uncopiedTables(steps).filter { try !hasRows($0) }
    return try new.tables.flatMap { table -> [MigrationDraft.MissingValue] in
      guard !emptyTables.contains(where: { $0.isSameIdentifier(as: table.name) }),
        let oldTable = old.table(renames.oldName(ofTable: table.name))
      else { return [] }
      return try table.columns.compactMap { column in
        guard table.needsValue(column), !values.has(column.name, in: table.name) else { return nil }
        let oldName = renames.oldName(ofColumn: column.name, in: oldTable.name)
        let oldColumn = oldTable.column(oldName)
        let isRowID = table.isRowID(column)
        // The rowids may be new, or those of before under another name.
        if oldColumn == nil, isRowID || column.defaultValue != nil { return nil }
        if let oldColumn, oldTable.needsValue(oldColumn) { return nil }
        let condition = oldColumn.map { "\($0.name.quotedDatabaseIdentifier) IS NULL" } ?? "1"
        let source = "main.\(oldTable.name.quotedDatabaseIdentifier)"
        let sql = "SELECT count(*) FROM \(source) WHERE \(condition)"
        let count = try Int.fetchOne(db, sql: sql) ?? 0
        // The copy fails for a NULL of another database: see `TableCopy.assignments`.
        if isRowID, count == 0 { return nil }
        return MigrationDraft.MissingValue(table: table.name, column: column.name, count: count)
      }
    }
  }

  /// Throws for rows of which nothing stays.
  func checkCopies(_ steps: [DraftStep]) throws {
    guard let table = try uncopiedTables(steps).first(where: hasRows) else { return }
    throw MigrationDraftError.invalidName(
      table,
      reason:
        "no column of the new table has a value from the old one, so that its rows can't be "
        + "copied: rename a column (renaming, --rename), or give one a value (values, --value)")
  }

  /// The new names of the tables of which nothing stays.
  private func uncopiedTables(_ steps: [DraftStep]) -> [String] {
    steps.compactMap { step in
      guard case .rebuild(let copy) = step, copy.assignments.isEmpty else { return nil }
      return copy.table
    }
  }

  private func hasRows(_ newName: String) throws -> Bool {
    let table = renames.oldName(ofTable: newName).quotedDatabaseIdentifier
    return try Row.fetchOne(db, sql: "SELECT 1 FROM main.\(table) LIMIT 1") != nil
  }
}

extension TableText {
  /// Whether a row needs a value for the column.
  func needsValue(_ column: ColumnText) -> Bool {
    if column.isGenerated { return false }
    let isKey = primaryKey.contains { $0.isSameIdentifier(as: column.name) }
    return column.isNotNull || isRowID(column) || isKey && !options.isEmpty
  }

  /// Whether the column shows the rowids.
  fileprivate func isRowID(_ column: ColumnText) -> Bool {
    rowIDAlias?.isSameIdentifier(as: column.name) == true
  }
}
