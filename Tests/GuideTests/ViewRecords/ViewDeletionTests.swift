import Quarry
import Testing

extension ViewRecords {
  /// 'Deleting rows from a view'.
  struct ViewDeletionTests {
    @Test("A trigger deletes what is deleted from a view")
    func deletion() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertPlayers(db)
        try Team(id: "green", name: "Green").insert(db)
        try Captain(id: "diane", name: "Diane", teamId: "green").insert(db)

        // Delete Alice
        try Captain.deleteOne(db, id: "alice")
        try #expect(Captain.fetchCount(db) == 2)

        // Delete Bob
        let bob = try Captain.find(db, id: "bob")
        try bob.delete(db)
        try #expect(Captain.fetchAll(db).map(\.id) == ["diane"])

        // Delete all captains
        try Captain.deleteAll(db)
        try #expect(lines(db, "player") == ["craig|Craig|blue|0"])
      }
    }

    @Test("Deletions tell whether there was a row")
    func missing() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertPlayers(db)
        try #expect(!Captain.deleteOne(db, id: "craig"))
        try #expect(!Captain(id: "craig", name: "", teamId: "").delete(db))
        try #expect(Captain.deleteOne(db, id: "bob"))
      }
    }

    @Test("The deleted rows are fetched as the view showed them")
    func fetching() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertPlayers(db)
        let deleted = try Captain.filter(id: "bob").deleteAndFetchAll(db)
        #expect(deleted == [Captain(id: "bob", name: "Bob", teamId: "blue")])
        try #expect(Captain.all().deleteAndFetchIds(db) == ["alice"])
        try #expect(lines(db, "player") == ["craig|Craig|blue|0"])
        try #expect(Captain.all().deleteAndFetchAll(db).isEmpty)
      }
    }
  }
}
