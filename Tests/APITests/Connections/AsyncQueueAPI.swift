import Quarry

func asyncQueueReads(_ dbQueue: DatabaseQueue) async throws {
  let count = try await dbQueue.read { db in try Player.fetchCount(db) }
  let _: Int = count
  let _: Int = try await dbQueue.read { _ in 1 }
  let _: Player? = try await dbQueue.read { db in
    let players = try Player.fetchAll(db)
    return players.first
  }
  try await dbQueue.read { db in _ = try Player.fetchCount(db) }
  try await dbQueue.read { _ = try Player.fetchCount($0) }
  let _: Int = try await dbQueue.unsafeRead { db in try Player.fetchCount(db) }
  let _: Int = try await dbQueue.unsafeRead { _ in 1 }
  let _: Int = try await dbQueue.unsafeRead { db in db.changesCount }
  async let players = dbQueue.read { db in try Player.fetchAll(db) }
  async let teams = dbQueue.read(Team.fetchAll)
  _ = try await (players, teams)
}

func asyncQueueWrites(_ dbQueue: DatabaseQueue) async throws {
  try await dbQueue.write { db in _ = try Player.deleteAll(db) }
  let _: Int = try await dbQueue.write { db in try Player.deleteAll(db) }
  try await dbQueue.write { db in try db.execute(sql: "DELETE FROM player") }
  try await dbQueue.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  let _: Int = try await dbQueue.writeWithoutTransaction { db in db.changesCount }
  try await dbQueue.barrierWriteWithoutTransaction { db in try db.execute(sql: "VACUUM") }
  let _: Int = try await dbQueue.barrierWriteWithoutTransaction { db in db.changesCount }
  try await dbQueue.erase()
  try await dbQueue.vacuum()
  try await dbQueue.vacuum(into: "/tmp/copy.sqlite")
  let team = Team(id: 1, name: "Red", color: .red)
  try await dbQueue.write { db in try team.insert(db) }
  let player = Player(id: nil, name: "Ann", score: 1, teamId: nil)
  let _: Player = try await dbQueue.write { db in
    var player = player
    try player.insert(db)
    return player
  }
  let _: Player = try await dbQueue.write { [player] db in try player.inserted(db) }
}

/// The methods of requests as accesses.
func asyncAccessesByMethods(_ dbQueue: DatabaseQueue) async throws {
  let _: Player? = try await dbQueue.read(Player.all().fetchOne)
  let _: Int = try await dbQueue.write(Player.filter { $0.score > 10 }.deleteAll)
}

func asyncReader(_ reader: any DatabaseReader) async throws {
  let _: Int = try await reader.read { db in try Player.fetchCount(db) }
  let _: Int = try await reader.unsafeRead { db in db.changesCount }
}

func asyncWriter(_ writer: any DatabaseWriter) async throws {
  let _: Int = try await writer.write { db in try Player.deleteAll(db) }
  let _: Int = try await writer.writeWithoutTransaction { db in db.changesCount }
  let _: Int = try await writer.barrierWriteWithoutTransaction { db in db.changesCount }
  try await writer.write { db in try db.execute(sql: "DELETE FROM player") }
  try await writer.erase()
  try await writer.vacuum()
  try await writer.vacuum(into: "/tmp/copy.sqlite")
}

func asyncGenericWriter(_ writer: some DatabaseWriter) async throws {
  let _: Int = try await writer.write { db in try Player.deleteAll(db) }
  let _: Int = try await writer.read { db in try Player.fetchCount(db) }
}

// A synchronous function reached from tasks and actors: the synchronous methods are there.
actor Store {
  let dbQueue: DatabaseQueue

  init(_ dbQueue: DatabaseQueue) { self.dbQueue = dbQueue }

  func count() throws -> Int { try dbQueue.read { db in try Player.fetchCount(db) } }

  func asyncCount() async throws -> Int {
    try await dbQueue.read { db in try Player.fetchCount(db) }
  }

  @MainActor func remember() async throws {
    let names = try await dbQueue.read { db in try String.fetchAll(db, sql: "SELECT name") }
    print(names)
  }
}
