// flags: -default-isolation MainActor -enable-upcoming-feature NonisolatedNonsendingByDefault
// flags: -enable-upcoming-feature InferIsolatedConformances

import Quarry

// Without `nonisolated`: see MainActor.swift.

struct Room {
  var name: String
}

extension Room: FetchableRecord {  // error: crosses into main actor-isolated code
  init(row: Row) throws { name = row["name"] }
}

struct Humidity {
  var percent: Double
}

extension Humidity: DatabaseValueConvertible {  // error: crosses into main actor-isolated code
  var databaseValue: DatabaseValue { percent.databaseValue }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Humidity? {
    Double.fromDatabaseValue(dbValue).map(Humidity.init)
  }
}

final class LoanCounter {
  var count = 0
}

extension LoanCounter: TransactionObserver {  // error: crosses into main actor-isolated code
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) { count += 1 }
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}

struct Hall: Codable {
  var name: String
}

extension Hall: FetchableRecord {}  // error: does not conform to protocol

nonisolated struct Attic: Codable {
  var name: String
}

extension Attic: FetchableRecord, PersistableRecord {
  static let shelves = hasMany(Shelf.self)
}

func isolatedMembers(_ library: DatabaseQueue) async throws {
  _ = try await library.read { db in
    try Attic.including(all: Attic.shelves).fetchCount(db)  // error: main actor-isolated static
  }
}
