import Quarry
import Testing

extension ViewRecords {
  /// 'Overview' and 'Preliminary setup'.
  struct ReadOnlyViewTests {
    @Test("A record reads a view without any configuration")
    func reading() throws {
      let dbQueue = try DatabaseQueue()
      try migrator(upTo: "Read-only captains").migrate(dbQueue)
      try dbQueue.write { db in
        try insertPlayers(db)

        let captains = try Captain.fetchAll(db).sorted { $0.id < $1.id }
        #expect(
          captains == [
            Captain(id: "alice", name: "Alice", teamId: "red"),
            Captain(id: "bob", name: "Bob", teamId: "blue"),
          ])
        #expect("\(captains[0])" == #"Captain(id: "alice", name: "Alice", teamId: "red")"#)
        let captainCount = try Captain.fetchCount(db)
        #expect(captainCount == 2)
      }
    }

    @Test("A view without key can't be searched by key")
    func withoutKey() throws {
      let dbQueue = try makeDatabase(upTo: "Read-only captains", source: nil)
      try dbQueue.write { db in
        try insertPlayers(db)
        let error = #expect(throws: DatabaseError.self) { _ = try Captain.find(db, id: "bob") }
        #expect(error?.description == "SQLite error 1: database view captain has no primary key")
      }
    }

    @Test("A view without triggers can't be modified")
    func withoutTrigger() throws {
      let dbQueue = try makeDatabase(upTo: "Read-only captains")
      try dbQueue.write { db in
        try insertPlayers(db)
        var bob = try Captain.find(db, id: "bob")
        bob.name = "Bobby"
        let error = #expect(throws: DatabaseError.self) { try bob.update(db) }
        #expect(error?.message == "cannot modify captain because it is a view")
        #expect(
          error?.description.hasPrefix(
            "SQLite error 1: cannot modify captain because it is a view") == true)
        try #expect(lines(db, "captain") == ["alice|Alice|red", "bob|Bob|blue"])
      }
    }

    @Test("A team has one captain")
    func uniqueCaptain() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertPlayers(db)
        let error = #expect(throws: DatabaseError.self) {
          try Player(id: "dan", name: "Dan", teamId: "red", isCaptain: true).insert(db)
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      }
    }
  }
}
