import Foundation
import QuarryMacros
import Testing

// This target isolates to the main actor by default. Records are used on the threads of connections
// all the same.

@Embeddable struct Place: Equatable {
  var city: String
}

@Record struct Player: Equatable {
  @PrimaryKey var id: Int64?
  var name: String
  @JSON var tags: [String]
  @Column(as: UnixSeconds.self) var joined: Date
  @Embedded var place: Place?
  @Ignored var isSelected = false
}

@Record nonisolated final class Counter {
  @PrimaryKey var id: Int64?
  var count: Int

  init(count: Int) {
    self.count = count
  }
}

@Suite("Records in a module that is isolated to the main actor")
struct IsolationTests {
  @Test func `records are inserted and fetched off the main actor`() async throws {
    let database = try DatabaseQueue()
    try await database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE player (
            id INTEGER PRIMARY KEY, name TEXT, tags TEXT, joined REAL, place_city TEXT);
          CREATE TABLE counter (id INTEGER PRIMARY KEY, count INTEGER)
          """)
    }
    let player = Player(
      name: "Anna", tags: ["x"], joined: Date(timeIntervalSince1970: 1), place: Place(city: "Rome"))
    let inserted = try await database.write { db in
      var inserted = player
      try inserted.insert(db)
      try Counter(count: 3).insert(db)
      return inserted
    }
    #expect(inserted.id == 1)
    let fetched = try await database.read { db in
      try Player.filter { $0.name == "Anna" && $0.place.city == "Rome" }.fetchAll(db)
    }
    #expect(fetched == [inserted])
    let counts = try await database.read { db in
      try Counter.fetchAll(db).map(\.count)
    }
    #expect(counts == [3])
  }
}
