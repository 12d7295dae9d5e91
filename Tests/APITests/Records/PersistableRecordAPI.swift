import Quarry

/// The callbacks of a mutable record, each calling nothing: the defaults are there for each of
/// them.
struct Logged: Codable, FetchableRecord, MutablePersistableRecord {
  static let persistenceConflictPolicy = PersistenceConflictPolicy(
    insert: .replace, update: .ignore)
  static var hasAroundCallbacks: Bool { true }

  var id: Int64?

  mutating func willInsert(_ db: Database) throws {}
  func aroundInsert(_ db: Database, insert: () throws -> InsertionSuccess) throws {
    let inserted: InsertionSuccess = try insert()
    let _: Int64 = inserted.rowID
    let _: String? = inserted.rowIDColumn
    let _: PersistenceContainer = inserted.persistenceContainer
  }
  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
  func willUpdate(_ db: Database, columns: Set<String>) throws {}
  func aroundUpdate(
    _ db: Database, columns: Set<String>, update: () throws -> PersistenceSuccess
  ) throws {
    let updated: PersistenceSuccess = try update()
    let _: PersistenceContainer = updated.persistenceContainer
  }
  func didUpdate(_ updated: PersistenceSuccess) {}
  func willSave(_ db: Database) throws {}
  func aroundSave(_ db: Database, save: () throws -> PersistenceSuccess) throws { _ = try save() }
  func didSave(_ saved: PersistenceSuccess) {}
  func willDelete(_ db: Database) throws {}
  func aroundDelete(_ db: Database, delete: () throws -> Bool) throws { _ = try delete() }
  func didDelete(deleted: Bool) {}
}

/// The callbacks of an immutable record.
struct Immutable: Codable, FetchableRecord, PersistableRecord {
  var id: Int64

  func willInsert(_ db: Database) throws {}
  func didInsert(_ inserted: InsertionSuccess) {}
}

func defaultCallbacks<Record: MutablePersistableRecord>(
  _ record: Record, _ inserted: InsertionSuccess, _ db: Database
) throws {
  var record = record
  try record.willDelete(db)
  try record.aroundDelete(db) { true }
  record.didDelete(deleted: true)
  try record.willInsert(db)
  try record.aroundInsert(db) { inserted }
  record.didInsert(inserted)
  try record.willSave(db)
  try record.willUpdate(db, columns: ["id"])
  let _: PersistenceConflictPolicy = Record.persistenceConflictPolicy
  let _: Bool = Record.hasAroundCallbacks
}

func defaultSuccessCallbacks(
  _ record: some MutablePersistableRecord, _ success: PersistenceSuccess, _ db: Database
) throws {
  try record.aroundSave(db) { success }
  record.didSave(success)
  try record.aroundUpdate(db, columns: ["id"]) { success }
  record.didUpdate(success)
  var copy = success
  copy.persistenceContainer = success.persistenceContainer
}

func conflictPolicies() {
  let policy = PersistenceConflictPolicy()
  _ = PersistenceConflictPolicy(insert: .ignore)
  let _: Database.ConflictResolution = policy.conflictResolutionForInsert
  let _: Database.ConflictResolution = policy.conflictResolutionForUpdate
}

func mutableInserts(_ record: Player, _ db: Database) throws {
  var player = record
  try player.insert(db)
  try player.insert(db, onConflict: .ignore)
  let _: Player = try player.inserted(db)
  let _: Player = try record.inserted(db, onConflict: .replace)
  let _: Player = try player.insertAndFetch(db)
  let _: Player = try record.insertAndFetch(db, onConflict: .replace)
  let _: PlayerInfo = try player.insertAndFetch(db, as: PlayerInfo.self)
  let _: PlayerInfo = try player.insertAndFetch(db, onConflict: .replace, as: PlayerInfo.self)
  let _: Int? = try player.insertAndFetch(db, selection: [Column("id")]) { statement in
    try Int.fetchOne(statement)
  }
  let _: Int? = try player.insertAndFetch(
    db, onConflict: .replace, selection: [Column("id")], fetch: { try Int.fetchOne($0) })
  let _: Int? = try player.insertAndFetch(db) {
    try Int.fetchOne($0)
  } select: {
    [$0.score]
  }
  let _: Int? = try player.insertAndFetch(
    db, onConflict: .replace, fetch: { try Int.fetchOne($0) }, select: { [$0.id] })
}

func mutableSaves(_ record: Player, _ db: Database) throws {
  var player = record
  try player.save(db)
  try player.save(db, onConflict: .replace)
  let _: Player = try record.saved(db)
  let _: Player = try record.saved(db, onConflict: .replace)
  let _: Player = try player.saveAndFetch(db)
  let _: Player = try record.saveAndFetch(db, onConflict: .replace)
  let _: PlayerInfo = try player.saveAndFetch(db, as: PlayerInfo.self)
  let _: PlayerInfo = try player.saveAndFetch(db, onConflict: .replace, as: PlayerInfo.self)
  let _: Int? = try player.saveAndFetch(db, selection: [Column("id")]) { try Int.fetchOne($0) }
  let _: Int? = try player.saveAndFetch(
    db, onConflict: .replace, selection: [Column("id")], fetch: { try Int.fetchOne($0) })
}

func updates(_ record: Player, _ db: Database) throws {
  try record.update(db)
  try record.update(db, onConflict: .replace)
  try record.update(db, columns: ["score"])
  try record.update(db, columns: Set(["score"]))
  try record.update(db, columns: [Column("score")])
  try record.update(db, onConflict: .replace, columns: [Player.Columns.score])
  try record.update(db, onConflict: .replace, columns: [Columns.score])
  try record.updateChanges(db, from: record)
  let _: Bool = try record.updateChanges(db, onConflict: .ignore, from: record)
  var player = record
  try player.updateChanges(db) { $0.score += 1 }
  let _: Bool = try player.updateChanges(db, onConflict: .ignore) { $0.score = 0 }
  try player.updateChanges(db, modify: { $0.score = 0 })
  try player.delete(db)
  let _: Bool = try player.delete(db)
  let _: Bool = try player.exists(db)
}

func updatesAndFetches(_ record: Player, _ db: Database) throws {
  let _: Player = try record.updateAndFetch(db)
  let _: Player = try record.updateAndFetch(db, onConflict: .replace)
  let _: PlayerInfo = try record.updateAndFetch(db, as: PlayerInfo.self)
  let _: PlayerInfo = try record.updateAndFetch(db, onConflict: .replace, as: PlayerInfo.self)
  var player = record
  let _: Player? = try player.updateChangesAndFetch(db) { $0.score += 1 }
  let _: Player? = try player.updateChangesAndFetch(db, onConflict: .ignore) { $0.score += 1 }
  let _: PlayerInfo? = try player.updateChangesAndFetch(db, as: PlayerInfo.self) { $0.score += 1 }
  let _: PlayerInfo? = try player.updateChangesAndFetch(
    db, onConflict: .ignore, as: PlayerInfo.self, modify: { $0.score += 1 })
  let _: Int? = try record.updateAndFetch(
    db, onConflict: .ignore, columns: ["score"], selection: [Column("id")],
    fetch: { try Int.fetchOne($0) })
  let _: Int? = try record.updateAndFetch(db, columns: ["score"], selection: [Column("id")]) {
    try Int.fetchOne($0)
  }
  let _: Int? = try record.updateAndFetch(
    db, columns: [Player.Columns.score], selection: [Column("id")], fetch: { try Int.fetchOne($0) })
  let _: Int? = try record.updateAndFetch(
    db, onConflict: .ignore, selection: [Column("id")], fetch: { try Int.fetchOne($0) })
  let _: Int?? = try player.updateChangesAndFetch(
    db, onConflict: .ignore, selection: [Column("id")], fetch: { try Int.fetchOne($0) },
    modify: { $0.score += 1 })
  let _: Int?? = try player.updateChangesAndFetch(db, selection: [Column("id")]) {
    try Int.fetchOne($0)
  } modify: {
    $0.score += 1
  }
}
