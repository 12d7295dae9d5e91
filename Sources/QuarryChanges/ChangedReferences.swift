import Quarry

// SQLite counts the rows that violate deferred foreign keys. A row that has violated one before
// lowers the count of others when it is deleted, or gets its parent: they would not be noticed. So
// rows are looked up that the changes may have left without parents, where the count may have been
// raised before it was lowered.

/// The foreign keys that changes concern, while SQLite enforces them.
struct ChangedReferences {
  private let references: [Reference]
  /// The place of the first changed table that may raise the count.
  private var firstRise = Int.max
  /// The place of the last changed table that may lower it.
  private var lastFall = -1
  /// The changes that were left out.
  private var omitted: Set<Change> = []
  private var isReported = false

  /// - parameter children: The tables with the foreign keys.
  init(_ db: Database, _ targets: [ChangedTable], from children: Set<String>) throws {
    references = try children.sorted().flatMap { child in
      let keys = try db.foreignKeys(on: child, in: "main")
      let hasRows = try !keys.isEmpty && db.hasRows(child)
      return keys.map { Reference(child: child, hasRows: hasRows, key: $0) }
    }
    for (index, target) in targets.enumerated() { try note(target, at: index, db) }
  }

  private mutating func note(_ target: ChangedTable, at index: Int, _ db: Database) throws {
    let name = target.table.name
    let references = references.filter {
      [$0.child, $0.key.destinationTable].sharesIdentifier(with: [name])
    }
    if references.isEmpty { return }
    let columns = try target.updatedColumns.isEmpty ? [] : db.plainColumns(of: name).map(\.name)
    let updated = target.updatedColumns.filter(columns.indices.contains).map { columns[$0] }
    for reference in references {
      let key = reference.key
      if reference.child.isSameIdentifier(as: name) {
        let moves = key.originColumns.sharesIdentifier(with: updated)
        if target.isInsertedInto || moves { firstRise = min(firstRise, index) }
        if reference.hasRows, target.isDeletedFrom || moves { lastFall = index }
      }
      if key.destinationTable.isSameIdentifier(as: name) {
        let moves = key.destinationColumns.sharesIdentifier(with: updated)
        if target.isDeletedFrom || moves { firstRise = min(firstRise, index) }
        if reference.hasRows, target.isInsertedInto || moves { lastFall = index }
      }
    }
  }

  /// Notes how a conflict is resolved: an insertion that replaces a row deletes it.
  mutating func note(_ conflict: ChangesetConflict, _ resolution: ChangesetConflict.Resolution) {
    if conflict.kind == .foreignKey { isReported = true }
    guard firstRise < .max, let change = conflict.change else { return }
    if resolution == .omit { omitted.insert(change) }
    if conflict.kind == .conflict, resolution == .replace,
      references.contains(where: { $0.child.isSameIdentifier(as: change.table) })
    {
      lastFall = .max
    }
  }

  /// The number of rows that the changes have left without parents, where SQLite may have missed
  /// them.
  func missedOrphanCount(_ read: () throws -> ChangesetReader, _ db: Database) throws -> Int {
    guard !isReported, firstRise <= lastFall else { return 0 }
    var lookups: [String: [OrphanLookup]] = [:]
    var orphans: Set<[DatabaseValue]> = []
    var reader = try read()
    while let change = try reader.next(), let table = reader.table {
      if lookups[table.name] == nil { lookups[table.name] = try makeLookups(table, db) }
      for lookup in lookups[table.name, default: []] where lookup.concerns(change) {
        let keys = try lookup.orphans(of: reader.values(lookup.columns, of: change))
        if keys.isEmpty || omitted.contains(reader.decoded(change, of: table)) { continue }
        for key in keys { orphans.insert([lookup.child.databaseValue] + key) }
      }
    }
    return orphans.count
  }

  private func makeLookups(_ table: ChangesetTable, _ db: Database) throws -> [OrphanLookup] {
    let columns = try db.plainColumns(of: table.name).map(\.name).prefix(table.columnCount)
    func place(_ name: String) -> Int? { columns.firstIndex { $0.isSameIdentifier(as: name) } }
    var lookups: [OrphanLookup] = []
    for reference in references {
      if reference.child.isSameIdentifier(as: table.name) {
        let condition = table.keyColumns.map { "\(childColumn(columns[$0])) = ?" }
        try lookups.append(
          OrphanLookup(
            child: reference.child, kind: .insert,
            watched: reference.key.originColumns.compactMap(place), columns: table.keyColumns,
            reference.statement(condition, db)))
      }
      if reference.key.destinationTable.isSameIdentifier(as: table.name) {
        let places = reference.key.destinationColumns.compactMap(place)
        guard places.count == reference.key.destinationColumns.count else { continue }
        try lookups.append(
          OrphanLookup(
            child: reference.child, kind: .delete, watched: places, columns: places,
            reference.statement(reference.conditionOfParent(db), db)))
      }
    }
    return lookups
  }
}

/// A foreign key of a table.
private struct Reference {
  let child: String
  /// Whether there are any before the changes, which may be without parents.
  let hasRows: Bool
  let key: ForeignKeyInfo

  /// Selects the keys of the children with some conditions that have no parent.
  func statement(_ conditions: [String], _ db: Database) throws -> Statement {
    let keyColumns = try db.primaryKey(child, in: "main").columns.map(childColumn)
    let references = key.originColumns.map { "\(childColumn($0)) IS NOT NULL" }
    var orphan = references
    if try !key.mapping.isEmpty && db.tableExists(key.destinationTable, in: "main") {
      let equalities = key.mapping.map {
        "parent.\($0.destination.quotedDatabaseIdentifier) = \(childColumn($0.origin))"
      }
      let parent = key.destinationTable.quotedDatabaseIdentifier
      orphan.append(
        "NOT EXISTS (SELECT 1 FROM main.\(parent) AS parent WHERE "
          + "\(equalities.joined(separator: " AND ")))")
    }
    return try db.makeStatement(
      sql: "SELECT \(keyColumns.joined(separator: ", ")) "
        + "FROM main.\(child.quotedDatabaseIdentifier) AS child "
        + "WHERE \((conditions + orphan).joined(separator: " AND "))")
  }

  /// Compares as SQLite does: by the collations of the parent.
  func conditionOfParent(_ db: Database) throws -> [String] {
    let id = DatabaseObjectID(name: key.destinationTable, schemaID: .main)
    return try key.mapping.map { origin, destination in
      let collation = try db.collation(ofColumn: destination, in: id) ?? "BINARY"
      return "\(childColumn(origin)) = ? COLLATE \(collation.quotedDatabaseIdentifier)"
    }
  }
}

/// Finds the children that a change may have left without a parent.
private struct OrphanLookup {
  let child: String
  let kind: Change.Kind
  /// The columns whose updates count as well.
  let watched: [Int]
  /// Those whose values are the arguments, before the change if there are any.
  let columns: [Int]
  private let statement: Statement

  init(child: String, kind: Change.Kind, watched: [Int], columns: [Int], _ statement: Statement) {
    (self.child, self.kind, self.watched, self.columns) = (child, kind, watched, columns)
    self.statement = statement
  }

  func concerns(_ change: ChangesetReader.RawChange) -> Bool {
    change.kind == kind || change.kind == .update && watched.contains { change.new?[$0] != nil }
  }

  /// The keys of the children. None where a patchset lacks the values.
  func orphans(of values: [DatabaseValue]?) throws -> [[DatabaseValue]] {
    guard let values else { return [] }
    return try Row.fetchAll(statement, arguments: StatementArguments(values)).map {
      Array($0.databaseValues)
    }
  }
}

extension Database {
  fileprivate func hasRows(_ table: String) throws -> Bool {
    let sql = "SELECT 1 FROM main.\(table.quotedDatabaseIdentifier) LIMIT 1"
    return try Row.fetchOne(self, sql: sql) != nil
  }
}

private func childColumn(_ column: String) -> String { "child.\(column.quotedDatabaseIdentifier)" }

extension [String] {
  fileprivate func sharesIdentifier(with others: [String]) -> Bool {
    contains { name in others.contains { $0.isSameIdentifier(as: name) } }
  }
}
