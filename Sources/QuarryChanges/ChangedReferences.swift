import Quarry

// SQLite counts the rows that violate deferred foreign keys. A row that has violated one before
// lowers the count of others when it is deleted, or gets its parent: they would not be noticed. So
// rows are looked up that the changes may have left without parents, where the count may have been
// raised before it was lowered.

/// The foreign keys that changes concern.
struct ChangedReferences {
  private let references: [Reference]
  private let targets: [ChangedTable]
  /// The place of the first changed table that may raise the count.
  private var firstRise = Int.max
  /// The place of the last changed table that may lower it.
  private var lastFall = -1
  /// Whether changes of parents don't say which children lose them.
  private var lacksKeys = false
  /// The rows without parents before the changes, where they are compared with those afterwards.
  private var former: Set<[DatabaseValue]>?
  /// The hashes of the changes that were left out.
  private var omitted: Set<Int> = []
  /// Those of the changes that were made to rows with other values.
  private var overwriting: Set<Int> = []
  /// The keys of the parents that were replaced.
  private var replacedKeys: [(lookup: OrphanLookup, values: [DatabaseValue])] = []
  private var lookups: [String: [OrphanLookup]] = [:]
  /// Whether SQLite's count is right, or there is an answer to it.
  private var isCounted = false

  private var children: [String] { Set(references.map(\.child)).sorted() }

  /// - parameter children: The tables with the foreign keys.
  init(_ db: Database, _ targets: [ChangedTable], from children: Set<String>) throws {
    self.targets = targets
    references = try children.sorted().flatMap { child in
      let keys = try db.foreignKeys(on: child, in: "main")
      let hasRows = try !keys.isEmpty && db.hasRows(child)
      return keys.enumerated().map { number, key in
        Reference(child: child, hasRows: hasRows, number: number, key: key)
      }
    }
    for (index, target) in targets.enumerated() { try note(target, at: index, db) }
  }

  private mutating func note(_ target: ChangedTable, at index: Int, _ db: Database) throws {
    let name = target.table.name
    let references = references.filter {
      [$0.child, $0.key.destinationTable].sharesIdentifier(with: [name])
    }
    if references.isEmpty { return }
    let columns = try db.plainColumns(of: name).prefix(target.table.columnCount)
    let updated = target.updatedColumns.map { columns[$0].name }
    for reference in references {
      let key = reference.key
      if reference.child.isSameIdentifier(as: name) {
        let moves = key.originColumns.sharesIdentifier(with: updated)
        if target.isInsertedInto || moves { firstRise = min(firstRise, index) }
        if reference.hasRows, target.isDeletedFrom || moves { lastFall = index }
      }
      if key.destinationTable.isSameIdentifier(as: name) {
        let moves = key.destinationColumns.sharesIdentifier(with: updated)
        let named = columns.filter { key.destinationColumns.sharesIdentifier(with: [$0.name]) }
        // An insertion may replace a row, whose children have other values than the key of that.
        let isUnknown =
          try named.count < key.destinationColumns.count || !reference.comparesStoredValues(db)
        if target.isDeletedFrom || moves || target.isInsertedInto && isUnknown {
          firstRise = min(firstRise, index)
          // An update has the former values of the columns that it changes, and of the primary key.
          let others = named.filter { $0.key == 0 }
          let limit = target.table.isPatchset ? 0 : moves ? 1 : Int.max
          if isUnknown || others.count > limit { lacksKeys = true }
        }
        if reference.hasRows, target.isInsertedInto || moves { lastFall = index }
      }
    }
  }

  /// Looks at the rows before they are changed: where no row is without parent, SQLite's count is
  /// right. Where there are many more rows than changes, rows are only looked up afterwards.
  ///
  /// - parameter areEnforced: Whether SQLite counts at all.
  mutating func lookAtRows(_ db: Database, areEnforced: Bool) throws {
    guard !areEnforced || firstRise <= lastFall else { return }
    do {
      guard try !areEnforced || lacksKeys || hasFewRows(db) else { return }
      former = try orphans(db)
      isCounted = areEnforced && former?.isEmpty == true
    } catch let error as DatabaseError where areEnforced && error.resultCode == .SQLITE_ERROR {
      // A foreign key does not fit its parent.
    }
  }

  /// All rows without parents.
  private func orphans(_ db: Database) throws -> Set<[DatabaseValue]> {
    // The pragma is the fastest way to find none.
    let violating = try children.filter(db.violatesForeignKeys)
    return try Set(
      references.filter { violating.contains($0.child) }.flatMap { reference in
        try reference.orphans(reference.statement([], db))
      })
  }

  private func hasFewRows(_ db: Database) throws -> Bool {
    var limit = 4 * targets.reduce(0) { $0 + $1.changeCount }
    return try children.allSatisfy { child in
      let sql =
        "SELECT count(*) FROM (SELECT 1 FROM main.\(child.quotedDatabaseIdentifier) LIMIT ?)"
      limit -= try Int.fetchOne(db, sql: sql, arguments: [limit + 1]) ?? 0
      return limit >= 0
    }
  }

  /// Notes how a conflict is resolved: an insertion that replaces a row deletes it.
  mutating func note(
    _ conflict: ChangesetConflict, _ resolution: ChangesetConflict.Resolution, _ db: Database
  ) throws {
    if conflict.kind == .foreignKey { isCounted = true }
    guard !isCounted, former == nil, let change = conflict.change else { return }
    if resolution == .omit, firstRise < .max { omitted.insert(change.hashValue) }
    guard resolution == .replace, let values = conflict.currentValues else { return }
    if conflict.kind == .conflict,
      references.contains(where: { $0.child.isSameIdentifier(as: change.table) })
    {
      lastFall = .max
    }
    try note(values, replacedBy: change, db)
  }

  /// Notes the keys of a parent that has other ones than the change expects.
  private mutating func note(
    _ values: [DatabaseValue], replacedBy change: Change, _ db: Database
  ) throws {
    guard let table = targets.first(where: { $0.table.name == change.table })?.table else { return }
    for lookup in try lookups(table, db) where lookup.kind == .delete {
      let key = lookup.columns.map { values[$0] }
      let newKey = lookup.columns.map { change.newValues?[$0] ?? values[$0] }
      if change.kind != .delete, key == newKey { continue }
      firstRise = 0
      replacedKeys.append((lookup, key))
      overwriting.insert(change.hashValue)
    }
  }

  /// The number of rows that the changes have left without parents, where SQLite may have missed
  /// them.
  mutating func missedOrphanCount(
    _ read: () throws -> ChangesetReader, _ db: Database
  ) throws -> Int {
    if isCounted { return 0 }
    if let former { return try orphans(db).subtracting(former).count }
    guard firstRise <= lastFall else { return 0 }
    var orphans: Set<[DatabaseValue]> = []
    for (lookup, values) in replacedKeys { try orphans.formUnion(lookup.orphans(of: values)) }
    var reader = try read()
    while let change = try reader.next(), let table = reader.table {
      for lookup in try lookups(table, db) where lookup.concerns(change) {
        let found = try lookup.orphans(of: reader.values(lookup.columns, of: change))
        if found.isEmpty { continue }
        let hash = reader.decoded(change, of: table).hashValue
        let isOther = lookup.kind == .delete && overwriting.contains(hash)
        if !isOther, !omitted.contains(hash) { orphans.formUnion(found) }
      }
    }
    return orphans.count
  }

  private mutating func lookups(_ table: ChangesetTable, _ db: Database) throws -> [OrphanLookup] {
    if let known = lookups[table.name] { return known }
    let made = try makeLookups(table, db)
    lookups[table.name] = made
    return made
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
            reference: reference, kind: .insert,
            watched: reference.key.originColumns.compactMap(place), columns: table.keyColumns,
            statement: reference.statement(condition, db)))
      }
      if reference.key.destinationTable.isSameIdentifier(as: table.name) {
        let places = reference.key.destinationColumns.compactMap(place)
        guard places.count == reference.key.destinationColumns.count else { continue }
        try lookups.append(
          OrphanLookup(
            reference: reference, kind: .delete, watched: places, columns: places,
            statement: reference.statement(reference.conditionOfParent(db), db)))
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
  /// The place among the foreign keys of the child.
  let number: Int
  let key: ForeignKeyInfo

  /// The rows that a statement selects: for each the foreign key, the primary key, and the values
  /// that refer to the parent.
  func orphans(
    _ statement: Statement, _ arguments: [DatabaseValue] = []
  ) throws -> [[DatabaseValue]] {
    try Row.fetchAll(statement, arguments: StatementArguments(arguments)).map {
      [child.databaseValue, number.databaseValue] + $0.databaseValues
    }
  }

  /// Selects the keys of the children with some conditions that have no parent.
  func statement(_ conditions: [String], _ db: Database) throws -> Statement {
    let columns = try db.primaryKey(child, in: "main").columns + key.originColumns
    let references = key.originColumns.map { "\(childColumn($0)) IS NOT NULL" }
    var orphan = references
    if try !key.mapping.isEmpty && db.tableExists(key.destinationTable, in: "main") {
      let equalities = key.mapping.map {
        // The affinity of the parent is applied to the child.
        "parent.\($0.destination.quotedDatabaseIdentifier) = +\(childColumn($0.origin))"
      }
      let parent = key.destinationTable.quotedDatabaseIdentifier
      orphan.append(
        "NOT EXISTS (SELECT 1 FROM main.\(parent) AS parent WHERE "
          + "\(equalities.joined(separator: " AND ")))")
    }
    return try db.makeStatement(
      sql: "SELECT \(columns.map(childColumn).joined(separator: ", ")) "
        + "FROM main.\(child.quotedDatabaseIdentifier) AS child "
        + "WHERE \((conditions + orphan).joined(separator: " AND "))")
  }

  /// Compares as SQLite does where ``comparesStoredValues(_:)``: by the collations of the parent.
  func conditionOfParent(_ db: Database) throws -> [String] {
    let id = DatabaseObjectID(name: key.destinationTable, schemaID: .main)
    return try key.mapping.enumerated().map { index, columns -> String in
      let collation = try db.collation(ofColumn: columns.destination, in: id) ?? "BINARY"
      return "\(childColumn(columns.origin)) COLLATE \(collation.quotedDatabaseIdentifier) "
        + "= ?\(index + 1)"
    }
  }

  /// Whether the values of the child are those of the parent: SQLite applies the affinity of the
  /// parent to them.
  func comparesStoredValues(_ db: Database) throws -> Bool {
    func affinity(_ column: String, of table: String) throws -> ColumnInfo.Affinity {
      try db.schema.affinity(of: column, in: "main.\(table)")
    }
    return try key.mapping.allSatisfy {
      try affinity($0.origin, of: child) == affinity($0.destination, of: key.destinationTable)
    }
  }
}

/// Finds the children that a change may have left without a parent.
private struct OrphanLookup {
  let reference: Reference
  let kind: Change.Kind
  /// The columns whose updates count as well.
  let watched: [Int]
  /// Those whose values are the arguments, before the change if there are any.
  let columns: [Int]
  let statement: Statement

  func concerns(_ change: ChangesetReader.RawChange) -> Bool {
    change.kind == kind || change.kind == .update && watched.contains { change.new?[$0] != nil }
  }

  /// None where a patchset lacks the values.
  func orphans(of values: [DatabaseValue]?) throws -> [[DatabaseValue]] {
    try values.map { try reference.orphans(statement, $0) } ?? []
  }
}

extension Database {
  fileprivate func hasRows(_ table: String) throws -> Bool {
    let sql = "SELECT 1 FROM main.\(table.quotedDatabaseIdentifier) LIMIT 1"
    return try Row.fetchOne(self, sql: sql) != nil
  }

  fileprivate func violatesForeignKeys(_ table: String) throws -> Bool {
    let sql = "SELECT 1 FROM pragma_foreign_key_check(?, 'main') LIMIT 1"
    return try Row.fetchOne(self, sql: sql, arguments: [table]) != nil
  }
}

private func childColumn(_ column: String) -> String { "child.\(column.quotedDatabaseIdentifier)" }

extension [String] {
  fileprivate func sharesIdentifier(with others: [String]) -> Bool {
    contains { name in others.contains { $0.isSameIdentifier(as: name) } }
  }
}
