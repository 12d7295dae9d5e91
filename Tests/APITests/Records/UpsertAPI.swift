import Quarry

func mutableUpserts(_ record: Player, _ db: Database) throws {
  var player = record
  try player.upsert(db)
  let _: Player = try player.upsertAndFetch(db)
  let _: Player = try player.upsertAndFetch(db, onConflict: ["name"])
  let _: Player = try player.upsertAndFetch(
    db, onConflict: ["name"], updating: .noColumnUnlessSpecified,
    doUpdate: { excluded in [Column("score") += excluded[Column("score")]] })
  let _: Player = try player.upsertAndFetch(db) { excluded in
    [Column("score").set(to: excluded.score + 1), Column("name").noOverwrite]
  }
  let _: Player = try player.upsertAndFetch(db, onConflict: ["name"], doUpdate: { _ in [] })
  let _: PlayerInfo = try player.upsertAndFetch(db, as: PlayerInfo.self)
  let _: PlayerInfo = try player.upsertAndFetch(
    db, as: PlayerInfo.self, onConflict: ["name"], updating: .allColumns, doUpdate: nil)
}

func immutableInserts(_ team: Team, _ db: Database) throws {
  try team.insert(db)
  try team.insert(db, onConflict: .ignore)
  let _: Team = try team.inserted(db)
  let _: Team = try team.insertAndFetch(db)
  let _: PlayerInfo = try team.insertAndFetch(db, as: PlayerInfo.self)
  let _: PlayerInfo = try team.insertAndFetch(db, onConflict: .replace, as: PlayerInfo.self)
  let _: Int? = try team.insertAndFetch(db, selection: [Column("id")]) { try Int.fetchOne($0) }
  let _: Int? = try team.insertAndFetch(
    db, onConflict: .replace, selection: [Column("id")], fetch: { try Int.fetchOne($0) })
  let _: Int? = try team.insertAndFetch(db, fetch: { try Int.fetchOne($0) }, select: { [$0.id] })
}

func immutableSaves(_ team: Team, _ db: Database) throws {
  try team.save(db)
  try team.save(db, onConflict: .replace)
  let _: Team = try team.saved(db)
  let _: Team = try team.saveAndFetch(db)
  let _: PlayerInfo = try team.saveAndFetch(db, as: PlayerInfo.self)
  let _: Int? = try team.saveAndFetch(db, selection: [Column("id")]) { try Int.fetchOne($0) }
  let _: Int? = try team.saveAndFetch(
    db, onConflict: .replace, selection: [Column("id")], fetch: { try Int.fetchOne($0) })
  try team.update(db)
  try team.update(db, columns: ["name"])
  try team.updateChanges(db, from: team)
  try team.delete(db)
}

func immutableUpserts(_ team: Team, _ db: Database) throws {
  try team.upsert(db)
  let _: Team = try team.upsertAndFetch(db)
  let _: Team = try team.upsertAndFetch(
    db, onConflict: ["name"], updating: .noColumnUnlessSpecified,
    doUpdate: { excluded in [Team.Columns.name.set(to: excluded.name)] })
  let _: PlayerInfo = try team.upsertAndFetch(db, as: PlayerInfo.self)
  let _: PlayerInfo = try team.upsertAndFetch(
    db, as: PlayerInfo.self, onConflict: ["name"], updating: .allColumns,
    doUpdate: { _ in [Column("color").noOverwrite] })
}

// Records of unknown types: the methods are those of the protocols.

func insertAll(_ records: [any PersistableRecord], _ db: Database) throws {
  for record in records {
    try record.insert(db)
    try record.save(db)
    try record.update(db)
    try record.upsert(db)
    try record.delete(db)
    let _: Bool = try record.exists(db)
  }
}

func insertGeneric<Record: MutablePersistableRecord>(_ record: inout Record, _ db: Database) throws
{
  try record.insert(db)
  try record.save(db)
  try record.upsert(db)
}

final class Session: Codable, FetchableRecord, PersistableRecord {
  var id: Int64?

  func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

func classRecords(_ session: Session, _ db: Database) throws {
  try session.insert(db)
  let _: Session = try session.inserted(db)
  try session.updateChanges(db, from: session)
}
