import Quarry

final class APIObserver: TransactionObserver {
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    switch eventKind {
    case .insert(let tableName): tableName == "player"
    case .delete(let tableName): tableName == "player"
    case .update(let tableName, let columnNames):
      tableName == "player" && columnNames.contains("score")
    }
  }

  func databaseDidChange(with event: DatabaseEvent) {
    let _: (DatabaseEvent.Kind, String, String, Int64) = (
      event.kind, event.databaseName, event.tableName, event.rowID
    )
    let _: DatabaseEvent = event.copy()
    stopObservingDatabaseChangesUntilNextTransaction()
  }

  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}

final class CompleteAPIObserver: TransactionObserver {
  let observesAllDatabaseChanges = true
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
    eventKind.tableName == "player"
  }
  func databaseDidChange() { stopObservingDatabaseChangesUntilNextTransaction() }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseWillCommit() throws { throw CancellationError() }
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}

  func databaseWillChange(with event: DatabasePreUpdateEvent) {
    let _: DatabasePreUpdateEvent.Kind = event.kind
    let _: (String, String, Int, Int) = (
      event.databaseName, event.tableName, event.count, event.depth
    )
    let _: (Int64?, Int64?) = (event.initialRowID, event.finalRowID)
    let _: ([DatabaseValue]?, [DatabaseValue]?) = (
      event.initialDatabaseValues, event.finalDatabaseValues
    )
    let _: (DatabaseValue?, DatabaseValue?) = (
      event.initialDatabaseValue(atIndex: 0), event.finalDatabaseValue(atIndex: 0)
    )
    let _: DatabasePreUpdateEvent = event.copy()
  }
}

func transactionObservers(_ writer: any DatabaseWriter, _ db: Database) {
  let observer = APIObserver()
  writer.add(transactionObserver: observer)
  writer.add(transactionObserver: observer, extent: .observerLifetime)
  writer.remove(transactionObserver: observer)
  db.add(transactionObserver: observer)
  db.add(transactionObserver: CompleteAPIObserver(), extent: .nextTransaction)
  let extent: Database.TransactionObservationExtent = .databaseLifetime
  db.add(transactionObserver: observer, extent: extent)
  db.remove(transactionObserver: observer)
}

func databaseEvents() -> [Any] {
  let kinds: [DatabaseEventKind] = [
    .insert(tableName: "player"), .delete(tableName: "player"),
    .update(tableName: "player", columnNames: ["score"]),
  ]
  let eventKinds: [DatabaseEvent.Kind?] = [
    .insert, .delete, .update, DatabaseEvent.Kind(rawValue: 18),
  ]
  return [kinds.map(\.tableName), eventKinds]
}

func databaseRegions(_ db: Database, _ event: DatabaseEvent) throws {
  var region = DatabaseRegion()
  let full: DatabaseRegion = .fullDatabase
  region.formUnion(full)
  region = region.union(full)
  let _: (Bool, Bool, Bool) = (region.isEmpty, region.isFullDatabase, region == full)
  let _: String = region.description
  let _: Bool = region.isModified(by: event)
  let _: Bool = region.isModified(byEventsOfKind: .insert(tableName: "player"))
  let _: DatabaseRegion = try region.databaseRegion(db)
  let regions: [any DatabaseRegionConvertible] = [
    region, Table("player"), Player.all(), SQLRequest<Int>(sql: "SELECT 1"),
    AnyFetchRequest(Player.all()), AnyDatabaseRegionConvertible(Table("player")),
    AnyDatabaseRegionConvertible { db in try Player.all().databaseRegion(db) },
  ]
  _ = try regions.map { try $0.databaseRegion(db) }
  let _: DatabaseRegion = try db.makeStatement(sql: "SELECT 1").databaseRegion
  let _: DatabaseRegion = try Player.fetchCursor(db).databaseRegion
  let _: DatabaseRegion = try Player.all().databaseRegion(db)
  let _: DatabaseRegion = try Table("player").databaseRegion(db)
  try db.registerAccess(to: Table("player"))
  try db.registerAccess(to: .fullDatabase)
  try db.notifyChanges(in: Player.all())
  try db.notifyChanges(in: .fullDatabase)
}

func regionObservations(_ writer: any DatabaseWriter) async throws {
  let observation = DatabaseRegionObservation(tracking: Player.all(), Table("team"))
  let full = DatabaseRegionObservation(tracking: .fullDatabase)
  let several = DatabaseRegionObservation(tracking: [Player.all(), Table("team")])
  for observation in [observation, full, several] {
    let cancellable: AnyDatabaseCancellable = observation.start(
      in: writer, onError: { (_: any Error) in }, onChange: { (_: Database) in })
    cancellable.cancel()
  }
  for try await _ in observation.changes(in: writer) { break }
}
