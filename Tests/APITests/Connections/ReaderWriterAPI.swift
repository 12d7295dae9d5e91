import Quarry

func databaseReader(_ reader: any DatabaseReader, _ writer: any DatabaseWriter) throws {
  let _: Configuration = reader.configuration
  let _: String = reader.path
  let _: Int = try reader.read { db in try Player.fetchCount(db) }
  reader.asyncRead { result in _ = try? result.get().changesCount }
  let _: Int = try reader.unsafeRead { db in db.changesCount }
  reader.asyncUnsafeRead { result in _ = try? result.get().changesCount }
  let _: Int = try reader.unsafeReentrantRead { db in db.changesCount }
  try reader.backup(to: writer)
  try reader.backup(to: writer, pagesPerStep: 10)
  try reader.backup(to: writer, pagesPerStep: 10) { progress in
    let _: Bool = progress.isCompleted
  }
  try reader.backup(to: writer, progress: { progress in backupProgress(progress) })
  reader.interrupt()
  try reader.close()
}

func databaseWriter(_ writer: any DatabaseWriter) throws {
  let _: Int = writer.writeWithoutTransaction { db in db.changesCount }
  let _: Int = try writer.writeWithoutTransaction { db in try Player.deleteAll(db) }
  let _: Int = try writer.barrierWriteWithoutTransaction { db in db.changesCount }
  writer.asyncBarrierWriteWithoutTransaction { result in _ = try? result.get().changesCount }
  writer.asyncWriteWithoutTransaction { db in db.clearSchemaCache() }
  try writer.unsafeReentrantWrite { db in try db.execute(sql: "VACUUM") }
  let _: Int = writer.unsafeReentrantWrite { db in db.changesCount }
  writer.spawnConcurrentRead { result in _ = try? result.get().changesCount }
  try writer.write { db in try db.execute(sql: "DELETE FROM player") }
  let _: Int = try writer.write { db in try Player.deleteAll(db) }
  writer.asyncWrite({ db in try Player.deleteAll(db) }, completion: { _, result in print(result) })
  try writer.erase()
  try writer.vacuum()
  try writer.vacuum(into: "/tmp/copy.sqlite")
}

func genericReader<Reader: DatabaseReader>(_ reader: Reader) throws -> Int {
  try reader.read { db in try Player.fetchCount(db) }
}

func genericWriter<Writer: DatabaseWriter>(_ writer: Writer) throws -> Int {
  try writer.write { db in try Player.deleteAll(db) }
}

func readersAndWriters(_ dbQueue: DatabaseQueue) throws {
  _ = try genericReader(dbQueue)
  _ = try genericWriter(dbQueue)
  let reader: any DatabaseReader = dbQueue
  let writer: any DatabaseWriter = dbQueue
  _ = try genericReader(reader)
  _ = try genericWriter(writer)
}

func anyDatabaseReader(_ dbQueue: DatabaseQueue) throws {
  let reader = AnyDatabaseReader(dbQueue)
  try databaseReader(reader, AnyDatabaseWriter(dbQueue))
  let _: Int = try reader.read { db in try Player.fetchCount(db) }
  let _: Int = try reader.unsafeRead { db in db.changesCount }
  let _: Int = try reader.unsafeReentrantRead { db in db.changesCount }
}

func anyDatabaseWriter(_ dbQueue: DatabaseQueue) throws {
  let writer = AnyDatabaseWriter(dbQueue)
  try databaseWriter(writer)
  let _: Int = try writer.read { db in try Player.fetchCount(db) }
  let _: Int = try writer.write { db in try Player.deleteAll(db) }
  let _: Int = writer.writeWithoutTransaction { db in db.changesCount }
  let _: Int = try writer.unsafeReentrantWrite { db in try Player.deleteAll(db) }
  let _: Int = writer.unsafeReentrantWrite { db in db.changesCount }
}

func anyDatabases(_ dbQueue: DatabaseQueue) async throws {
  try await asyncReader(AnyDatabaseReader(dbQueue))
  try await asyncWriter(AnyDatabaseWriter(dbQueue))
  try await asyncGenericWriter(AnyDatabaseWriter(dbQueue))
}
