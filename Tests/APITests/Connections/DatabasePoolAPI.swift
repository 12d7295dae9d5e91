import Quarry

func databasePool(path: String) throws {
  let dbPool = try DatabasePool(path: path)
  _ = try DatabasePool(path: path, configuration: Configuration())
  _ = try DatabasePool.temporary()
  _ = try DatabasePool.temporary(configuration: Configuration())
  let _: Configuration = dbPool.configuration
  let _: String = dbPool.path
  try dbPool.openReaders()
  try dbPool.openReaders(2)
  dbPool.releaseMemory()
  dbPool.releaseMemoryEventually()
  dbPool.invalidateReadOnlyConnections()
  dbPool.interrupt()
  try dbPool.close()
  try databaseReader(dbPool, dbPool)
  try databaseWriter(dbPool)
  _ = try genericReader(dbPool)
  _ = try genericWriter(dbPool)
  _ = AnyDatabaseReader(dbPool)
  _ = AnyDatabaseWriter(dbPool)
}

func databasePoolReads(_ dbPool: DatabasePool) throws {
  let count = try dbPool.read { db in try Player.fetchCount(db) }
  let _: Int = count
  try dbPool.read { _ = try Player.fetchCount($0) }
  let _: Int = try dbPool.read { _ in 1 }
  let _: NotSendable = try dbPool.read { _ in NotSendable() }
  let _: Player? = try dbPool.read { db in
    let players = try Player.fetchAll(db)
    return players.first
  }
  dbPool.asyncRead { result in
    do {
      let db: Database = try result.get()
      _ = try Player.fetchCount(db)
    } catch {}
  }
  let _: Int = try dbPool.unsafeRead { db in try Player.fetchCount(db) }
  let _: Int = try dbPool.unsafeRead { db in db.changesCount }
  dbPool.asyncUnsafeRead { result in _ = try? result.get().changesCount }
  let _: Int = try dbPool.unsafeReentrantRead { db in try Player.fetchCount(db) }
  let _: Int = try dbPool.unsafeReentrantRead { db in db.changesCount }
  dbPool.spawnConcurrentRead { result in _ = try? result.get().changesCount }
  dbPool.asyncConcurrentRead { result in _ = try? result.get().changesCount }
}

func databasePoolWrites(_ dbPool: DatabasePool) throws {
  try dbPool.write { db in
    _ = try Player.deleteAll(db)
  }
  try dbPool.write { db in try db.execute(sql: "DELETE FROM player") }
  let _: Int = try dbPool.write { db in try Player.deleteAll(db) }
  let _: NotSendable = try dbPool.write { _ in NotSendable() }
  try dbPool.writeInTransaction { db in
    try db.execute(sql: "DELETE FROM player")
    return .commit
  }
  try dbPool.writeInTransaction(.exclusive) { _ in .rollback }
  dbPool.writeWithoutTransaction { db in db.clearSchemaCache() }
  let _: Int = dbPool.writeWithoutTransaction { db in db.changesCount }
  try dbPool.writeWithoutTransaction { db in
    try db.inTransaction { .commit }
  }
  let _: Int = try dbPool.barrierWriteWithoutTransaction { db in db.changesCount }
  try dbPool.barrierWriteWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  dbPool.asyncBarrierWriteWithoutTransaction { result in _ = try? result.get().changesCount }
  dbPool.asyncWriteWithoutTransaction { db in db.clearSchemaCache() }
  try dbPool.unsafeReentrantWrite { db in try db.execute(sql: "VACUUM") }
  let _: Int = dbPool.unsafeReentrantWrite { db in db.changesCount }
  dbPool.asyncWrite({ db in try Player.deleteAll(db) }) { db, result in
    let _: Result<Int, any Error> = result
    db.clearSchemaCache()
  }
  try dbPool.erase()
  try dbPool.vacuum()
  try dbPool.vacuum(into: "/tmp/copy.sqlite")
}

func asyncDatabasePool(_ dbPool: DatabasePool) async throws {
  let _: Int = try await dbPool.read { db in try Player.fetchCount(db) }
  let _: Int = try await dbPool.unsafeRead { db in db.changesCount }
  let _: Int = try await dbPool.write { db in try Player.deleteAll(db) }
  try await dbPool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  let _: Int = try await dbPool.barrierWriteWithoutTransaction { db in db.changesCount }
  try await dbPool.erase()
  try await dbPool.vacuum()
  try await dbPool.vacuum(into: "/tmp/copy.sqlite")
  try await asyncReader(dbPool)
  try await asyncWriter(dbPool)
  async let players = dbPool.read { db in try Player.fetchAll(db) }
  async let teams = dbPool.read(Team.fetchAll)
  _ = try await (players, teams)
}

func databaseSnapshot(_ dbPool: DatabasePool) throws {
  let snapshot: DatabaseSnapshot = try dbPool.makeSnapshot()
  let _: Configuration = snapshot.configuration
  let _: String = snapshot.path
  let _: Int = try snapshot.read { db in try Player.fetchCount(db) }
  let _: Int = snapshot.read { db in db.changesCount }
  snapshot.asyncRead { result in _ = try? result.get().changesCount }
  let _: Int = try snapshot.unsafeRead { db in try Player.fetchCount(db) }
  let _: Int = snapshot.unsafeRead { db in db.changesCount }
  snapshot.asyncUnsafeRead { result in _ = try? result.get().changesCount }
  let _: Int = try snapshot.unsafeReentrantRead { db in try Player.fetchCount(db) }
  let _: Int = try snapshot.reentrantRead { db in try Player.fetchCount(db) }
  let reader: any DatabaseSnapshotReader = snapshot
  let _: Int = try reader.reentrantRead { db in try Player.fetchCount(db) }
  try databaseReader(snapshot, dbPool)
  _ = try genericReader(snapshot)
  snapshot.interrupt()
  try snapshot.close()
}

func asyncDatabaseSnapshot(_ snapshot: DatabaseSnapshot) async throws {
  let _: Int = try await snapshot.read { db in try Player.fetchCount(db) }
  let _: Int = try await snapshot.unsafeRead { db in db.changesCount }
  try await asyncReader(snapshot)
}

func databaseSnapshotPool(_ dbPool: DatabasePool, path: String) throws {
  let _: Bool = DatabaseSnapshotPool.isSupported
  let snapshotPool: DatabaseSnapshotPool = try dbPool.makeSnapshotPool()
  _ = try DatabaseSnapshotPool(path: path)
  _ = try DatabaseSnapshotPool(path: path, configuration: Configuration())
  _ = try dbPool.read { db in try DatabaseSnapshotPool(db) }
  _ = try dbPool.read { db in try DatabaseSnapshotPool(db, configuration: Configuration()) }
  let _: Int = try snapshotPool.read { db in try Player.fetchCount(db) }
  let _: Int = try snapshotPool.unsafeRead { db in try Player.fetchCount(db) }
  let _: Int = try snapshotPool.reentrantRead { db in try Player.fetchCount(db) }
  try databaseReader(snapshotPool, dbPool)
}
