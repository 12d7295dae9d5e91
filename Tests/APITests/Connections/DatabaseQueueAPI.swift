import Quarry

func databaseQueue(path: String) throws {
  let dbQueue = try DatabaseQueue(path: path)
  _ = try DatabaseQueue(path: path, configuration: Configuration())
  _ = try DatabaseQueue()
  _ = try DatabaseQueue(named: "players")
  _ = try DatabaseQueue(named: nil, configuration: Configuration())
  _ = try DatabaseQueue(configuration: Configuration())
  let _: DatabaseQueue = try .inMemoryCopy(fromPath: path)
  let _: DatabaseQueue = try .inMemoryCopy(fromPath: path, configuration: Configuration())
  let _: DatabaseQueue = try DatabaseQueue.temporaryCopy(fromPath: path)
  _ = try DatabaseQueue.temporaryCopy(fromPath: path, configuration: Configuration())
  let _: Configuration = dbQueue.configuration
  let _: String = dbQueue.path
  dbQueue.releaseMemory()
  dbQueue.interrupt()
  try dbQueue.close()
}

func databaseQueueReads(_ dbQueue: DatabaseQueue) throws {
  let count = try dbQueue.read { db in try Player.fetchCount(db) }
  let _: Int = count
  try dbQueue.read { _ = try Player.fetchCount($0) }
  let _: Int = try dbQueue.read { _ in 1 }
  let _: [Player] = try dbQueue.read(Player.fetchAll)
  let _: NotSendable = try dbQueue.read { _ in NotSendable() }
  let _: Player? = try dbQueue.read { db in
    let players = try Player.fetchAll(db)
    return players.first
  }
  dbQueue.asyncRead { result in
    do {
      let db: Database = try result.get()
      _ = try Player.fetchCount(db)
    } catch {}
  }
  let _: Int = try dbQueue.unsafeRead { db in try Player.fetchCount(db) }
  let _: Int = dbQueue.unsafeRead { db in db.changesCount }
  dbQueue.asyncUnsafeRead { result in _ = try? result.get().changesCount }
  let _: Int = try dbQueue.unsafeReentrantRead { db in try Player.fetchCount(db) }
  let _: Int = dbQueue.unsafeReentrantRead { db in db.changesCount }
  dbQueue.spawnConcurrentRead { result in _ = try? result.get().changesCount }
}

func databaseQueueWrites(_ dbQueue: DatabaseQueue) throws {
  try dbQueue.write { db in
    _ = try Player.deleteAll(db)
  }
  try dbQueue.write { db in try db.execute(sql: "DELETE FROM player") }
  let _: Int = try dbQueue.write { db in try Player.deleteAll(db) }
  let _: Int = try dbQueue.write(Player.filter { $0.score > 10 }.deleteAll)
  let _: NotSendable = try dbQueue.write { _ in NotSendable() }
  try dbQueue.inTransaction { db in
    try db.execute(sql: "DELETE FROM player")
    return .commit
  }
  try dbQueue.inTransaction(.exclusive) { _ in .rollback }
  dbQueue.writeWithoutTransaction { db in db.clearSchemaCache() }
  let _: Int = dbQueue.writeWithoutTransaction { db in db.changesCount }
  try dbQueue.writeWithoutTransaction { db in
    try db.inTransaction { .commit }
  }
  let _: Int = try dbQueue.barrierWriteWithoutTransaction { db in db.changesCount }
  try dbQueue.barrierWriteWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  dbQueue.asyncBarrierWriteWithoutTransaction { result in _ = try? result.get().changesCount }
  dbQueue.asyncWriteWithoutTransaction { db in db.clearSchemaCache() }
  try dbQueue.unsafeReentrantWrite { db in try db.execute(sql: "VACUUM") }
  let _: Int = dbQueue.unsafeReentrantWrite { db in db.changesCount }
  dbQueue.asyncWrite({ db in try Player.deleteAll(db) }) { db, result in
    let _: Result<Int, any Error> = result
    db.clearSchemaCache()
  }
  try dbQueue.erase()
  try dbQueue.vacuum()
  try dbQueue.vacuum(into: "/tmp/copy.sqlite")
}

func databaseQueueInDatabase(_ dbQueue: DatabaseQueue) throws {
  dbQueue.inDatabase { db in db.clearSchemaCache() }
  let _: Int = dbQueue.inDatabase { db in db.changesCount }
  let _: Int = dbQueue.inDatabase { db in
    let count = db.changesCount
    return count + 1
  }
  try dbQueue.inDatabase { db in try db.execute(sql: "VACUUM") }
  let count = try dbQueue.inDatabase { db in
    try db.execute(sql: "VACUUM")
    return try Player.fetchCount(db)
  }
  let _: Int = count
  let throwing: (Database) throws -> Int = { db in try Player.fetchCount(db) }
  let nonThrowing: (Database) -> Int = { db in db.changesCount }
  let _: Int = try dbQueue.inDatabase(throwing)
  let _: Int = dbQueue.inDatabase(nonThrowing)
  let _: Int = try dbQueue.writeWithoutTransaction(throwing)
  let _: Int = dbQueue.writeWithoutTransaction(nonThrowing)
}

final class NotSendable {}
