import Quarry
import Testing

extension ViewRecords {
  /// 'Inserting rows into a view'.
  struct ViewInsertionTests {
    @Test("A trigger inserts what is inserted into a view")
    func insertion() throws {
      let dbQueue = try makeDatabase(upTo: "Captain insert")
      try dbQueue.write { db in
        try Team(id: "green", name: "Green").insert(db)
        // Diane is the captain
        try Captain(id: "diane", name: "Diane", teamId: "green").insert(db)
        // Well, no: Eugene is the captain
        try Captain(id: "eugene", name: "Eugene", teamId: "green").insert(db)

        // Prints:
        // team          player                  captain
        // green|Green   diane|Diane|green|0     eugene|Eugene|green
        //               eugene|Eugene|green|1
        let output = Output()
        try db.dumpTables(["team", "player", "captain"], to: output)
        #expect(
          output.text == """
            team
            green|Green

            player
            diane|Diane|green|0
            eugene|Eugene|green|1

            captain
            eugene|Eugene|green

            """)
      }
    }

    @Test("The inserted row is fetched as the view shows it")
    func fetching() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try Team(id: "green", name: "Green").insert(db)
        let diane = Captain(id: "diane", name: "Diane", teamId: "green")
        try #expect(diane.insertAndFetch(db) == diane)
        try #expect(
          diane.insertAndFetch(
            db, onConflict: .replace, selection: [Column("name")]
          ) { try String.fetchOne($0) }
            == "Diane")
      }
    }
  }
}
