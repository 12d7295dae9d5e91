import Quarry
import Testing

extension ViewRecords {
  /// 'Updating rows in a view'.
  struct ViewUpdateTests {
    @Test("A trigger updates what is updated in a view")
    func update() throws {
      let dbQueue = try makeDatabase(upTo: "Captain update")
      try dbQueue.write { db in
        try Team(id: "red", name: "Red").insert(db)
        try Team(id: "blue", name: "Blue").insert(db)
        try Captain(id: "alice", name: "Alice", teamId: "red").insert(db)

        // Bob is the Blue captain.
        var bob = Captain(id: "bob", name: "Bob", teamId: "blue")
        try bob.insert(db)

        // Bob is now Bobby, the Red captain.
        // Alice is no longer the Red captain.
        try bob.updateChanges(db) {
          $0.name = "Bobby"
          $0.teamId = "red"
        }

        // Prints:
        // team        player              captain
        // blue|Blue   alice|Alice|red|0   bob|Bobby|red
        // red|Red     bob|Bobby|red|1
        let output = Output()
        try db.dumpTables(["team", "player", "captain"], stableOrder: true, to: output)
        #expect(
          output.text == """
            team
            blue|Blue
            red|Red

            player
            alice|Alice|red|0
            bob|Bobby|red|1

            captain
            bob|Bobby|red

            """)
      }
    }

    @Test("The updated row is fetched as the view shows it")
    func fetching() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertPlayers(db)
        var bob = try Captain.find(db, id: "bob")
        bob.name = "Bobby"
        try #expect(bob.updateAndFetch(db) == bob)
        let updated = try bob.updateChangesAndFetch(db) { $0.teamId = "red" }
        #expect(updated == Captain(id: "bob", name: "Bobby", teamId: "red"))
        try #expect(bob.saveAndFetch(db) == bob)
        let new = Captain(id: "eve", name: "Eve", teamId: "blue")
        try #expect(new.saveAndFetch(db) == new)
      }
    }

    @Test("A captain who is not in the view is not found")
    func missing() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertPlayers(db)
        let craig = Captain(id: "craig", name: "Craig", teamId: "blue")
        #expect(throws: RecordError.self) { try craig.update(db) }
        #expect(throws: RecordError.self) { _ = try craig.updateAndFetch(db) }
      }
    }
  }
}
