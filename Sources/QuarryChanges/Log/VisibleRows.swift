import Quarry

// Databases that have the same versions of rows must show the same rows. Two rows that were written
// in different places may have the same unique values, or reference a row that was deleted
// elsewhere. So the rows that a database shows are a function of the versions alone, however they
// came:
//
// - Among the rows with equal values in a unique index, the newest version is shown.
// - A row is shown if the rows that it references are.
//
// The others are *hidden*: their content is kept with their versions, and they are shown again when
// a later change makes room for them. A row that is hidden by its unique values hides others all
// the same: else the result would depend on the order in which rows are tried.
//
// A migration that drops columns drops them from hidden rows, too. Those from before one that
// replaces, renames or moves columns take no part: their values would get into other columns. They
// stay hidden until a row with their key is written.
//
// The function is computed for the rows that a change may concern: those that are changed or
// hidden, those in the tables that have the same unique values, and those that reference a row that
// goes. It ends when no other row is concerned.

/// Computes which rows are shown, and changes the tables accordingly.
struct VisibleRows {
  private struct Candidate {
    let key: RowKey
    let table: LogTable
    /// The newest one last.
    let versions: [LogVersion]
    /// What the row is, nil where it is deleted.
    let values: [DatabaseValue]?
    /// What the table has.
    let current: [DatabaseValue]?
    var isShown = true

    var target: [DatabaseValue]? { isShown ? values : nil }
    var newest: LogVersion? { versions.last }

    /// Whether the row with some columns is gone, or has other values in them.
    func leaves(_ group: LogTable.Group) -> Bool {
      guard let old = current.flatMap({ group.bytes($0) }) else { return false }
      return target.flatMap { group.bytes($0) } != old
    }
  }

  private struct Place: Hashable {
    let table: String
    let group: LogTable.Group
    let bytes: [UInt8]
  }

  /// Where rows are that others reference.
  private struct Places {
    /// How many rows are shown there.
    var shown: [Place: Int] = [:]
    /// The rows that reference those there.
    var children: [Place: [RowKey]] = [:]
    /// Whether a table has a row there that is not concerned.
    var inTables: [Place: Bool] = [:]
  }

  private struct Reference: Hashable {
    let parent: RowKey
    let child: String
    let key: LogTable.ForeignKey
  }

  private let db: Database
  private let log: LogTables
  private let schema: LogSchema
  private let policy: ConflictPolicy
  /// Those that reference a table.
  private let foreignKeys: [String: [(child: LogTable, key: LogTable.ForeignKey)]]
  private var candidates: [RowKey: Candidate] = [:]
  private var order: [RowKey] = []
  /// Those whose children are candidates.
  private var followed: Set<Reference> = []

  init(_ db: Database, _ log: LogTables, _ schema: LogSchema, _ policy: ConflictPolicy) {
    self.db = db
    self.log = log
    self.schema = schema
    self.policy = policy
    foreignKeys = Dictionary(
      uniqueKeysWithValues: schema.tables.keys.map { ($0, schema.foreignKeys(to: $0)) })
  }

  /// Shows and hides rows after versions have changed.
  ///
  /// - parameter changed: The versions of rows, which are stored.
  mutating func update(_ changed: [RowKey: [LogVersion]]) throws {
    for key in try log.hiddenKeys(db) where changed[key] == nil { try add(key, nil) }
    for (key, versions) in changed { try add(key, versions) }
    var checked = 0
    repeat {
      while checked < order.count {
        try addRivals(of: order[checked])
        checked += 1
      }
      hideRivals()
      try hideOrphans()
    } while checked < order.count
    try change()
    try store(Set(changed.keys))
  }

  /// Adds a row, whose versions are stored or given.
  private mutating func add(_ key: RowKey, _ given: [LogVersion]?) throws {
    guard candidates[key] == nil, let table = schema.tables[key.table] else { return }
    let current = try db.row(key.values(table), of: table)
    var versions = try (given ?? log.fullVersions(key, current, db))
      .map(table.withoutDroppedColumns)
    // Before values are compared, or a policy gets them.
    for version in policy.relevant(versions) {
      guard let misfit = table.misfit(version, of: key) else { continue }
      // The last writer's one is stored already. A policy has a new version beside it.
      if current == nil, given == nil || policy.resolve == nil { return }
      throw misfit
    }
    // A row without version was there before the log.
    if versions.isEmpty, current != nil { versions = [.before(current)] }
    let values = try policy.row(versions, of: table)
    candidates[key] = Candidate(
      key: key, table: table, versions: versions, values: values, current: current)
    order.append(key)
  }

  /// Adds the rows in the table that have the unique values of a row.
  private mutating func addRivals(of key: RowKey) throws {
    guard let row = candidates[key], let values = row.values else { return }
    for group in row.table.uniqueGroups where group.bytes(values) != nil {
      for rival in try db.keys(of: row.table, with: group, group.columns.map { values[$0] }) {
        try add(rival, nil)
      }
    }
  }

  /// Hides all but the newest ones of the rows with equal unique values.
  private mutating func hideRivals() {
    let places = order.flatMap { key in uniquePlaces(of: key).map { (key: key, place: $0) } }
    var newest: [Place: RowKey] = [:]
    for (key, place) in places {
      if let other = newest[place], !isNewer(key, than: other) { continue }
      newest[place] = key
    }
    for key in order {
      let exists = candidates[key]?.values != nil
      candidates[key]?.isShown = exists
    }
    for (key, place) in places where newest[place] != key { candidates[key]?.isShown = false }
  }

  /// The unique values of a row.
  private func uniquePlaces(of key: RowKey) -> [Place] {
    guard let row = candidates[key], let values = row.values else { return [] }
    return row.table.uniqueGroups.compactMap { group in
      group.bytes(values).map { Place(table: key.table, group: group, bytes: $0) }
    }
  }

  private func isNewer(_ key: RowKey, than other: RowKey) -> Bool {
    switch (candidates[key]?.newest, candidates[other]?.newest) {
    case (let version?, let otherVersion?):
      if version.isNewer(than: otherVersion) { return true }
      if otherVersion.isNewer(than: version) { return false }
      // Rows of one transaction, or of versions that several rows share.
      return other.bytes.lexicographicallyPrecedes(key.bytes)
    default: return false
    }
  }

  /// Hides the rows that reference rows that are not shown, and adds the rows in the tables that
  /// reference a row that goes, until there are none.
  private mutating func hideOrphans() throws {
    var places = Places()
    for key in order { note(key, in: &places) }
    var waiting = order
    var position = 0
    while position < waiting.count {
      let key = waiting[position]
      position += 1
      if try isOrphan(key, &places) {
        candidates[key]?.isShown = false
        for place in referencedPlaces(of: key, candidates[key]?.values) {
          places.shown[place, default: 0] -= 1
          if places.shown[place] == 0 { waiting += places.children[place] ?? [] }
        }
      }
      let count = order.count
      try addChildren(of: key)
      for child in order[count...] { note(child, in: &places) }
      waiting += order[count...]
    }
  }

  /// Notes the values of a row that others reference, and those that it references.
  private func note(_ key: RowKey, in places: inout Places) {
    guard let row = candidates[key] else { return }
    // What was found in the table may have been this row.
    for place in referencedPlaces(of: key, row.current) { places.inTables[place] = nil }
    for place in referencedPlaces(of: key, row.target) { places.shown[place, default: 0] += 1 }
    guard let values = row.values else { return }
    for foreignKey in row.table.foreignKeys {
      guard let place = place(foreignKey, values) else { continue }
      places.children[place, default: []].append(key)
    }
  }

  /// Whether a row that is shown references one that is not.
  private func isOrphan(_ key: RowKey, _ places: inout Places) throws -> Bool {
    guard let row = candidates[key], row.isShown, let values = row.values else { return false }
    return try row.table.foreignKeys.contains { foreignKey in
      guard let place = place(foreignKey, values), places.shown[place, default: 0] == 0 else {
        return false
      }
      let isInTable = try places.inTables[place] ?? tableHas(foreignKey, values)
      places.inTables[place] = isInTable
      return !isInTable
    }
  }

  /// The values that a row references. Nil where one of them is null.
  private func place(_ key: LogTable.ForeignKey, _ values: [DatabaseValue]) -> Place? {
    key.parentGroup.bytes(values, key.columns).map { bytes in
      Place(table: key.parent, group: key.parentGroup, bytes: bytes)
    }
  }

  /// The values of a row, or none, in the columns that others reference.
  private func referencedPlaces(of key: RowKey, _ values: [DatabaseValue]?) -> Set<Place> {
    guard let values else { return [] }
    let groups = foreignKeys[key.table, default: []].map(\.key.parentGroup)
    return Set(
      groups.compactMap { group in
        group.bytes(values).map { Place(table: key.table, group: group, bytes: $0) }
      })
  }

  /// Whether a table has a row that is referenced, which is not concerned.
  private func tableHas(_ key: LogTable.ForeignKey, _ values: [DatabaseValue]) throws -> Bool {
    guard let parent = schema.tables[key.parent] else { return false }
    let found = try db.keys(of: parent, with: key.parentGroup, key.columns.map { values[$0] })
    return found.contains { candidates[$0] == nil }
  }

  /// Adds the rows in the tables that reference a row, if that goes: once.
  private mutating func addChildren(of key: RowKey) throws {
    guard let row = candidates[key], let current = row.current else { return }
    for (child, foreignKey) in foreignKeys[key.table, default: []]
    where row.leaves(foreignKey.parentGroup) {
      let reference = Reference(parent: key, child: child.name, key: foreignKey)
      guard followed.insert(reference).inserted else { continue }
      let group = LogTable.Group(
        columns: foreignKey.columns, collations: foreignKey.parentGroup.collations)
      let values = foreignKey.parentGroup.columns.map { current[$0] }
      for key in try db.keys(of: child, with: group, values) { try add(key, nil) }
    }
  }

  /// Changes the tables. Rows whose unique values change are deleted and inserted, since another
  /// row may have the value meanwhile, and so are those whose key changes to an equal one.
  private func change() throws {
    var deletions = ChangesetWriter()
    var others = ChangesetWriter()
    for key in order.sorted(by: { $0.table < $1.table }) {
      guard let row = candidates[key] else { continue }
      let positions = row.table.keyPositions
      guard let old = row.current, let new = row.target else {
        guard let old = row.current ?? row.target else { continue }
        if row.current != nil {
          deletions.append(of: row.table.name, positions, from: old, to: nil)
        } else {
          others.append(of: row.table.name, positions, from: nil, to: old)
        }
        continue
      }
      guard !zip(old, new).allSatisfy({ $0.isIdentical(to: $1) }) else { continue }
      let fixedColumns = row.table.uniqueColumns.union(row.table.keyColumns)
      if fixedColumns.allSatisfy({ old[$0].isIdentical(to: new[$0]) }) {
        others.append(of: row.table.name, positions, from: old, to: new)
      } else {
        deletions.append(of: row.table.name, positions, from: old, to: nil)
        others.append(of: row.table.name, positions, from: nil, to: new)
      }
    }
    let bytes = deletions.bytes + others.bytes
    try Changeset(checked: bytes, isPatchset: false).apply(to: db)
  }

  /// Stores the versions that have changed, and whether rows are hidden.
  private func store(_ changed: Set<RowKey>) throws {
    for key in order {
      guard let row = candidates[key] else { continue }
      let isHidden = row.values != nil && !row.isShown
      let wasHidden = row.current == nil && row.values != nil
      guard changed.contains(key) || isHidden != wasHidden else { continue }
      try log.setVersions(
        key, row.versions, of: row.table, isHidden: isHidden,
        isInTable: !isHidden && row.versions.count <= 1, db)
    }
  }
}

extension LogTable {
  /// The version without the columns that a migration has dropped, as the rows in the table are.
  /// The same one where the table has other columns in their place, which may be renamed ones.
  fileprivate func withoutDroppedColumns(_ version: LogVersion) -> LogVersion {
    guard let values = version.values, let recorded = version.columns,
      recorded.count == values.count, ColumnMisfit(recorded, values.count, in: columns) != nil
    else { return version }
    var rest = recorded.indices
    var kept: [DatabaseValue] = []
    for column in columns {
      guard let index = rest.first(where: { recorded[$0].isSameIdentifier(as: column) }) else {
        return version
      }
      kept.append(values[index])
      rest = (index + 1)..<recorded.count
    }
    return LogVersion(
      origin: version.origin, sequence: version.sequence, time: version.time, values: kept)
  }

  /// The error for a version that the log has from before a migration which has replaced, renamed
  /// or moved columns. Nil for others.
  fileprivate func misfit(_ version: LogVersion, of key: RowKey) -> ChangesetError? {
    guard let values = version.values,
      let misfit = ColumnMisfit(version.columns, values.count, in: columns)
    else { return nil }
    let row = key.values(self).map(\.description).joined(separator: ", ")
    return ChangesetError(
      .schema,
      "table \(name) can't show the row [\(row)], which the log has from before a migration: "
        + "\(misfit.reason). Write a row with this key, which replaces it",
      table: name, column: misfit.column)
  }
}

extension DatabaseValue {
  /// Whether both are stored alike: `==` takes 1 and 1.0 for equal.
  fileprivate func isIdentical(to other: DatabaseValue) -> Bool {
    ChangesetWriter.record([self]) == ChangesetWriter.record([other])
  }
}
