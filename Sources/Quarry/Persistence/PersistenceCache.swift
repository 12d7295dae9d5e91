/// What a connection keeps from a persisted record to the next one of the same type.
///
/// Forgotten when the schema changes, and with the statements of the connection.
final class PersistenceCache {
  @safe @exclusivity(unchecked) private var plans: [ObjectIdentifier: PersistencePlan] = [:]
  @safe @exclusivity(unchecked) private var last: PersistencePlan?
  /// The storage of an earlier container, for the next one.
  @safe @exclusivity(unchecked) private var idleStorage: ContainerStorage?
  /// How often the plans were forgotten.
  @safe @exclusivity(unchecked) fileprivate var generation = 0

  /// The last plan is good as long as the schema needs not be verified.
  fileprivate func plan<Record: MutablePersistableRecord>(
    for record: Record, _ db: Database
  ) throws -> PersistencePlan {
    // The type at run time: subclasses may have another table.
    let type = dynamicType(of: record)
    let id = ObjectIdentifier(type)
    let table = type.databaseTableName
    if let last, last.recordType == id, last.table == table { return last }
    try db.schema.verifyOnce()
    let plan = plans[id].flatMap { $0.table == table ? $0 : nil }
    let found = plan ?? PersistencePlan(recordType: id, table: table, cache: self)
    plans[id] = found
    last = db.schema.isVerified ? found : nil
    return found
  }

  func clear() {
    plans = [:]
    last = nil
    generation &+= 1
  }

  func forgetLast() {
    last = nil
  }

  /// Takes the storage of a container that is no longer used, unless somebody has a copy of the container.
  func recycle(_ container: inout PersistenceContainer) {
    if idleStorage == nil { idleStorage = container.takeStorage() }
  }

  fileprivate func storage(expecting layout: ColumnLayout) -> ContainerStorage {
    guard let storage = idleStorage else { return ContainerStorage(expecting: layout) }
    idleStorage = nil
    storage.restart(expecting: layout)
    return storage
  }
}

/// What is kept for a type of records in a table.
///
/// Records of a type nearly always encode the same columns, or some few sets of columns: these are layouts, and what is
/// made for a layout (the SQL, the statement, where the key is) serves all records that have it.
final class PersistencePlan {
  let recordType: ObjectIdentifier
  let table: String
  /// The cache owns its plans.
  private unowned(unsafe) let cache: PersistenceCache
  private let generation: Int
  let encoders = RecordEncoders()
  /// The columns of the last record.
  @safe @exclusivity(unchecked) private var columns = ColumnPlan(ColumnLayout(names: []))
  /// The sets of columns that are kept, the oldest first.
  @safe @exclusivity(unchecked) private var knownColumns: [ColumnPlan] = []
  @safe @exclusivity(unchecked) private var key: PersistenceKey?
  @safe @exclusivity(unchecked) private var knownDeletion: KeptStatement?
  @safe @exclusivity(unchecked) private var knownExistence: KeptStatement?
  /// Whether the type is known to have no callbacks around insertions.
  @safe @exclusivity(unchecked) var hasDefaultAroundCallbacks = false

  init(recordType: ObjectIdentifier, table: String, cache: PersistenceCache) {
    self.recordType = recordType
    self.table = table
    unsafe self.cache = cache
    generation = cache.generation
  }

  /// False once the schema has changed.
  var isCurrent: Bool { unsafe generation == cache.generation }

  /// How many sets of columns are kept: each has statements.
  private static var knownColumnsLimit: Int { 16 }

  /// The columns of a record.
  ///
  /// - Throws: the error of the record, or the one of a record without columns, or with a value that SQLite can't
  ///   store.
  func encode(_ record: some EncodableRecord) throws -> PersistenceContainer {
    var container = container()
    try fill(&container, from: record)
    return container
  }

  /// An empty container that expects the columns of a layout, and has its values after those of others.
  func container(_ layout: ColumnLayout, after rows: PackedRows) -> PersistenceContainer {
    PersistenceContainer(storage: ContainerStorage(expecting: layout, after: rows))
  }

  /// An empty container that expects the columns of the record before.
  func container() -> PersistenceContainer {
    unsafe PersistenceContainer(storage: cache.storage(expecting: columns.layout))
  }

  private func fill<Record: EncodableRecord>(
    _ container: inout PersistenceContainer, from record: Record
  ) throws {
    try EncodingPass.run(ObjectIdentifier(container.storage), encoders) {
      try container.fill(from: record)
    }
    try finish(&container, of: dynamicType(of: record))
  }

  /// Checks the columns of a record, and gives them a layout.
  ///
  /// See ``encode(_:)``.
  func finish(
    _ container: inout PersistenceContainer, of recordType: @autoclosure () -> Any.Type
  ) throws {
    guard !container.isEmpty else {
      throw InvalidRequest("\(recordType()): invalid empty persistence container")
    }
    try container.checkValues(of: recordType())
    if container.layout == nil {
      columns = columnPlan(container.columns)
      container.adopt(columns.layout)
    }
  }

  private func columnPlan(_ names: ArraySlice<String>) -> ColumnPlan {
    if let known = knownColumns.first(where: { $0.layout.names[...] == names }) { return known }
    if knownColumns.count == Self.knownColumnsLimit { knownColumns.removeFirst() }
    let new = ColumnPlan(ColumnLayout(names: Array(names)))
    knownColumns.append(new)
    return new
  }

  /// What is kept for a layout. Nothing is kept for a container whose columns have changed since it was encoded.
  @inline(__always) private func columnPlan(_ layout: ColumnLayout?) -> ColumnPlan {
    columns.layout === layout ? columns : knownColumnPlan(layout)
  }

  private func knownColumnPlan(_ layout: ColumnLayout?) -> ColumnPlan {
    knownColumns.first { $0.layout === layout } ?? ColumnPlan(layout ?? ColumnLayout(names: []))
  }

  /// The primary key of the table.
  ///
  /// - Throws: ``DatabaseError`` for a view whose key is unknown.
  func key(_ db: Database) throws -> PersistenceKey {
    if let key = try keyIfKnown(db) { return key }
    throw DatabaseError.viewWithoutPrimaryKey(table)
  }

  /// The primary key of the table, or nil for a view whose key is unknown.
  func keyIfKnown(_ db: Database) throws -> PersistenceKey? {
    if let key { return key }
    key = try PersistenceKey(table: table, schema: db.schema)
    return key
  }

  /// The deletion of the row with a key.
  func deletion(_ db: Database) throws -> KeptStatement {
    if let deletion = knownDeletion { return deletion }
    let deletion = try KeptStatement(
      sql: RecordWriter.delete(table: table, keyColumns: key(db).columns, schema: db.schema))
    knownDeletion = deletion
    return deletion
  }

  /// The query that returns whether there is a row with a key.
  func existence(_ db: Database) throws -> KeptStatement {
    if let existence = knownExistence { return existence }
    let existence = try KeptStatement(
      sql: RecordWriter.exists(table: table, keyColumns: key(db).columns, schema: db.schema))
    knownExistence = existence
    return existence
  }

  /// Where a container has the columns of the key.
  func keyIndexes(_ container: PersistenceContainer, _ db: Database) throws -> [Int?] {
    let columns = columnPlan(container.layout)
    if let indexes = columns.keyIndexes { return indexes }
    let indexes = try key(db).columns.map { container.index(ofColumn: $0) }
    columns.keyIndexes = indexes
    return indexes
  }

  /// The insertion of the columns of a container.
  func insertion(
    _ container: PersistenceContainer, _ conflict: Database.ConflictResolution, _ db: Database
  ) throws -> RecordInsertion {
    let columns = columnPlan(container.layout)
    if let insertion = columns.insertion, insertion.conflict == conflict { return insertion }
    let insertion = try RecordInsertion(
      columns: Array(container.columns), conflict, table: table, db)
    columns.insertion = insertion
    return insertion
  }

  /// The insertion of several rows with the columns of a layout.
  func insertion(
    _ layout: ColumnLayout, _ conflict: Database.ConflictResolution, rowCount: Int,
    returning rowIDName: String?, _ db: Database
  ) throws -> RecordInsertion {
    let columns = columnPlan(layout)
    for insertion in columns.insertions
    where insertion.rowCount == rowCount && insertion.conflict == conflict
      && insertion.rowIDName == rowIDName
    {
      return insertion
    }
    let insertion = try RecordInsertion(
      columns: layout.names, conflict, rowCount: rowCount, returning: rowIDName, table: table, db)
    columns.insertions.append(insertion)
    return insertion
  }

  /// The update of all columns.
  func fullUpdate(
    _ container: PersistenceContainer, _ conflict: Database.ConflictResolution, _ db: Database
  ) throws -> RecordUpdate {
    let columns = columnPlan(container.layout)
    if let update = columns.update, update.conflict == conflict { return update }
    let update = try RecordUpdate(container, columns: nil, conflict, plan: self, db)
    columns.update = update
    return update
  }
}

extension Database.ConflictResolution {
  /// What follows `OR`. `ABORT` is the default of SQLite.
  var keyword: String? { self == .abort ? nil : rawValue }
}

extension Database {
  /// What is kept for the type of a record.
  func persistencePlan<Record: MutablePersistableRecord>(
    for record: Record
  ) throws -> PersistencePlan {
    try persistenceCache.plan(for: record, self)
  }

  /// The columns of a record, and what is kept for its type. The record may change the schema while it is encoded.
  func encode<Record: MutablePersistableRecord>(
    _ record: Record
  ) throws -> (PersistencePlan, PersistenceContainer) {
    let plan = try persistencePlan(for: record)
    let container = try plan.encode(record)
    return (plan.isCurrent ? plan : try persistencePlan(for: record), container)
  }

  /// Takes the storage of a container that is no longer used.
  @usableFromInline func recycle(_ container: inout PersistenceContainer) {
    persistenceCache.recycle(&container)
  }
}
