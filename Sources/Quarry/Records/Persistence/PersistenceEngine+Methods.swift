// The methods of both protocols forward to these.

extension PersistenceEngine {
  @inlinable
  static func insert(
    _ record: inout Record, _ db: Database, onConflict conflict: Database.ConflictResolution?
  ) throws { try insert(&record, db) { try insertRow($0, db, conflict) } }

  /// Inserts a record by a rule.
  @usableFromInline
  package static func insert(
    _ record: inout Record, _ db: Database, into table: String? = nil, _ rule: InsertRule
  ) throws { try insert(&record, db, into: table) { try insertRow($0, db, into: table, rule) } }

  static func insertAndFetch<T>(
    _ record: inout Record, _ db: Database, into table: String? = nil, _ rule: InsertRule,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    var fetched: T?
    try insert(&record, db, into: table) {
      try insertRow($0, db, into: table, rule, selection) { fetched = try fetch($0) }
    }
    return try unwrap(fetched, record, db)
  }

  package static func insertAndFetch<T: FetchableRecord & TableRecord>(
    _ record: inout Record, _ db: Database, into table: String? = nil, _ rule: InsertRule,
    as type: T.Type
  ) throws -> T {
    try insertAndFetch(
      &record, db, into: table, rule, selection: T.databaseSelection
    ) { [record] in
      try fetchRecord(
        type, $0,
        orThrow: rule.ignoredKey == nil ? notFound(record, db, in: table) : NothingInserted())
    }
  }

  @inlinable
  package static func update(
    _ record: Record, _ db: Database, in table: String? = nil,
    onConflict conflict: Database.ConflictResolution?, columns: [String]?
  ) throws {
    let updated = try columns.map(Set.init) ?? allColumns(record, db, in: table)
    try update(record, db, in: table, columns: updated) {
      try updateRow($0, db, conflict, columns: columns, in: table)
    }
  }

  static func updateAndFetch<T>(
    _ record: Record, _ db: Database, in table: String? = nil,
    onConflict conflict: Database.ConflictResolution?, columns: [String]?,
    selection: [any SQLSelectable], fetch: (Statement) throws -> T
  ) throws -> T {
    var fetched: T?
    let updated = try columns.map(Set.init) ?? allColumns(record, db, in: table)
    try update(record, db, in: table, columns: updated) {
      try updateRow($0, db, in: table, conflict, columns: columns, selection) {
        fetched = try fetch($0)
      }
    }
    return try unwrap(fetched, record, db)
  }

  static func updateAndFetch<T: FetchableRecord & TableRecord>(
    _ record: Record, _ db: Database, in table: String? = nil,
    onConflict conflict: Database.ConflictResolution?, columns: [String]?, as type: T.Type
  ) throws -> T {
    try updateAndFetch(
      record, db, in: table, onConflict: conflict, columns: columns,
      selection: T.databaseSelection
    ) { try fetchRecord(type, $0, orThrow: notFound(record, db, in: table)) }
  }

  package static func save(
    _ record: inout Record, _ db: Database, into table: String? = nil,
    onConflict conflict: Database.ConflictResolution?
  ) throws {
    try save(&record, db, into: table, onConflict: conflict) { record, key in
      let isUpdated = try updateRow(of: key, db, conflict ?? updateConflict(record), columns: nil)
      return isUpdated ? PersistenceSuccess(persistenceContainer: key.container) : nil
    } insert: { record, key in
      try insertRow(record, db, conflict, key, into: table)
    }
  }

  static func saveAndFetch<T>(
    _ record: inout Record, _ db: Database, into table: String? = nil,
    onConflict conflict: Database.ConflictResolution?, selection: [any SQLSelectable],
    fetch: (Statement) throws -> T
  ) throws -> T {
    var fetched: T?
    try save(&record, db, into: table, onConflict: conflict) { record, _ in
      try updateRow(record, db, in: table, conflict, columns: nil, selection) {
        fetched = try fetch($0)
      }
    } insert: { record, _ in
      try insertRow(record, db, into: table, InsertRule(conflict: conflict), selection) {
        fetched = try fetch($0)
      }
    } fetchLeft: { key in
      try key.row(selecting: returned(selection), db).use { fetched = try fetch($0) }
    }
    return try unwrap(fetched, record, db)
  }

  static func saveAndFetch<T: FetchableRecord & TableRecord>(
    _ record: inout Record, _ db: Database, into table: String? = nil,
    onConflict conflict: Database.ConflictResolution?, as type: T.Type
  ) throws -> T {
    try saveAndFetch(
      &record, db, into: table, onConflict: conflict, selection: T.databaseSelection
    ) { [record] in
      try fetchRecord(type, $0, orThrow: notFound(record, db, in: table))
    }
  }

  package static func upsert(
    _ record: inout Record, _ db: Database, into table: String? = nil
  ) throws { try insert(&record, db, into: table) { try upsertRow($0, db, into: table) { _ in } } }

  static func upsertAndFetch<T: FetchableRecord & TableRecord>(
    _ record: inout Record, _ db: Database, into table: String? = nil, as type: T.Type,
    onConflict conflictTarget: [String], updating strategy: UpsertUpdateStrategy,
    doUpdate assignments: ((TableAlias<Record>) -> [ColumnAssignment])?
  ) throws -> T {
    let assignments = assignments?(TableAlias(name: "excluded", for: Record.self)) ?? []
    var fetched: T?
    try insert(&record, db, into: table) {
      try upsertRow(
        $0, db, into: table, onConflict: conflictTarget, updating: strategy, assignments,
        returning: T.databaseSelection
      ) { fetched = try T.decodeWithErrors(from: $0) }
    }
    return try unwrap(fetched, record, db)
  }

  /// The record that a statement returns.
  private static func fetchRecord<T: FetchableRecord>(
    _ type: T.Type, _ statement: Statement, orThrow error: @autoclosure () -> any Error
  ) throws -> T {
    // To the end: effects of a statement count when it is done.
    guard let fetched = try T.fetchAll(statement).first else { throw error() }
    return fetched
  }

  /// The error for a record without row.
  static func notFound(_ record: Record, _ db: Database, in table: String?) -> any Error {
    guard let table else { return record.recordNotFound(db) }
    do { return try RecordKey(record, db, in: table).recordNotFound } catch { return error }
  }

  /// The result of a write that did not throw, hence ran.
  private static func unwrap<T>(_ result: T?, _ record: Record, _ db: Database) throws -> T {
    guard let result else { throw record.recordNotFound(db) }
    return result
  }
}
