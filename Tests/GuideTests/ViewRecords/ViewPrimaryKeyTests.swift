import Quarry
import Testing

extension ViewRecords {
  /// 'Specifying the primary key of a view'.
  struct ViewPrimaryKeyTests {
    @Test("A schema source tells the key of a view")
    func key() throws {
      var config = Configuration()
      config.schemaSource = GameSchemaSource()
      let dbQueue = try DatabaseQueue(configuration: config)
      try migrator(upTo: "Read-only captains").migrate(dbQueue)
      try dbQueue.write(insertPlayers)

      try dbQueue.read { db in
        let captains = try Captain.orderByPrimaryKey().fetchAll(db)
        let alice = try Captain.find(db, id: "alice")
        #expect(captains.map(\.id) == ["alice", "bob"])
        #expect(alice == Captain(id: "alice", name: "Alice", teamId: "red"))
      }
    }

    @Test("A row that the view does not show is not found")
    func missing() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertPlayers(db)
        let error = #expect(throws: RecordError.self) { try Captain.find(db, id: "craig") }
        #expect(error?.description == #"Key not found in table captain: [id:"craig"]"#)
      }
    }
  }
}
