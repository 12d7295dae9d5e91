/// The caches of a connection for its record types, and a storage for the next container.
///
/// Forgotten when the schema changes, and with the statements of the connection.
final class PersistenceCache: ConnectionStore {
  private var types: [ObjectIdentifier: RecordTypeCache] = [:]
  private var last: RecordTypeCache?
  /// The caches for tables that the application chooses, instead of those of the types.
  private var chosen = RecentValues<ChosenTable, RecordTypeCache>(capacity: 16)
  /// The last insertion of one record into a table. Good as long as the last cache.
  private(set) var lastInsertion: InsertStatement?
  /// The storage of an earlier container, for the next one.
  private var idleStorage: ContainerStorage?
  /// How often the caches were forgotten.
  private(set) var generation = 0

  /// The last cache is good as long as the schema needs not be verified.
  fileprivate func type<Record: MutablePersistableRecord>(
    of record: Record, _ db: Database
  ) throws -> RecordTypeCache {
    // The type at run time: subclasses may have another table.
    let type = dynamicType(of: record)
    let id = ObjectIdentifier(type)
    let table = type.databaseTableName
    if let last, last.recordType == id, last.table.hasSameBytes(as: table) { return last }
    try db.schema.verifyOnce()
    let known = types[id].flatMap { $0.table.hasSameBytes(as: table) ? $0 : nil }
    let found = known ?? RecordTypeCache(type, table: table, generation: generation)
    types[id] = found
    last = db.schema.isVerified ? found : nil
    return found
  }

  /// The cache for the type of a record in a chosen table. It is never the last one.
  fileprivate func type<Record: MutablePersistableRecord>(
    of record: Record, in table: String, _ db: Database
  ) throws -> RecordTypeCache {
    try db.schema.verifyOnce()
    let key = ChosenTable(
      recordType: ObjectIdentifier(dynamicType(of: record)), name: BinaryText(table))
    return chosen.value(key) {
      RecordTypeCache(
        dynamicType(of: record), table: table, isChosen: true, generation: generation)
    }
  }

  override func empty() {
    types = [:]
    chosen.removeAll()
    doubtSchema()
    generation &+= 1
  }

  override func doubtSchema() {
    last = nil
    lastInsertion = nil
  }

  func remember(_ insertion: InsertStatement, _ cache: RecordTypeCache) {
    if last === cache { lastInsertion = insertion }
  }

  /// Takes the storage of a container that is no longer used, unless the container has been copied.
  fileprivate func recycle(_ storage: inout ContainerStorage?) {
    guard idleStorage == nil, isKnownUniquelyReferenced(&storage), storage?.isReadOnly == false
    else { return }
    storage?.removeValues()
    idleStorage = storage.take()
  }

  func storage(expecting columnSet: ColumnSet) -> ContainerStorage {
    guard let storage = idleStorage else { return ContainerStorage(expecting: columnSet) }
    idleStorage = nil
    storage.restart(expecting: columnSet)
    return storage
  }
}

private struct ChosenTable: Hashable {
  let recordType: ObjectIdentifier
  let name: BinaryText
}

extension SlotKey<PersistenceCache> {
  static var recordTypes: Self { Self(number: 1) }
}

extension Database {
  var persistenceCache: PersistenceCache { slots[.recordTypes] }

  /// The cache for the type of a record.
  ///
  /// - parameter table: the table, if it is not that of the type.
  func recordTypeCache<Record: MutablePersistableRecord>(
    for record: Record, in table: String? = nil
  ) throws -> RecordTypeCache {
    try slots.use(.recordTypes) { cache in
      guard let table else { return try cache.type(of: record, self) }
      return try cache.type(of: record, in: table, self)
    }
  }

  /// The columns of a record, and the cache for its type. The record may change the schema while it
  /// is encoded.
  func encode<Record: MutablePersistableRecord>(
    _ record: Record, in table: String? = nil
  ) throws -> (RecordTypeCache, PersistenceContainer) {
    let cache = try recordTypeCache(for: record, in: table)
    let container = try cache.encode(record, persistenceCache)
    return (try current(cache, of: record), container)
  }

  /// The cache for the type of a record, which is another one if the schema has changed since.
  func current<Record: MutablePersistableRecord>(
    _ cache: RecordTypeCache, of record: Record
  ) throws -> RecordTypeCache {
    cache.generation == slots.use(.recordTypes, { $0.generation })
      ? cache : try recordTypeCache(for: record, in: cache.isChosen ? cache.table : nil)
  }

  /// Takes the storage of a container that is no longer used.
  @usableFromInline func recycle(_ success: consuming PersistenceSuccess) {
    // Moved from one owner to the other: a copy would be counted.
    var storage: ContainerStorage? = (consume success).persistenceContainer.storage
    slots.use(.recordTypes) { $0.recycle(&storage) }
  }
}
