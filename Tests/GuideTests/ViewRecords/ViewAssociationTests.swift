import Quarry
import QuarryTestSupport
import Testing

extension ViewRecords {
  /// 'Associations between views'.
  struct ViewAssociationTests {
    struct CaptainWithTeam: Decodable, FetchableRecord {
      var captain: Captain
      var team: Team
    }

    @Test("Associations of views join on an explicit foreign key")
    func associations() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.write { db in
        try insertPlayers(db)
        try Team(id: "green", name: "Green").insert(db)
      }

      try dbQueue.read { db in
        // All teams with a captain
        let teamsWithCaptain: [Team] =
          try Team
          .joining(required: Team.captain)
          .fetchAll(db)
        #expect(teamsWithCaptain.map(\.id).sorted() == ["blue", "red"])

        // All (captain, team) pairs
        let captainsWithTeam: [CaptainWithTeam] =
          try Captain
          .including(required: Captain.team)
          .asRequest(of: CaptainWithTeam.self)
          .fetchAll(db)
        #expect(captainsWithTeam.map(\.captain.name).sorted() == ["Alice", "Bob"])
        #expect(captainsWithTeam.map(\.team.name).sorted() == ["Blue", "Red"])

        let alice = try Captain.find(db, id: "alice")
        try #expect(alice.request(for: Captain.team).fetchOne(db)?.name == "Red")
      }
    }

    @Test("The SQL joins the key of the table with the column of the view")
    func rendering() throws {
      let dbQueue = try makeDatabase()
      try dbQueue.read { db in
        let teams = try Team.joining(required: Team.captain).makePreparedRequest(db)
        #expect(
          teams.statement.sql == """
            SELECT "team".* FROM "team" JOIN "captain" ON "captain"."teamId" = "team"."id"
            """)
        let captains = try Captain.including(required: Captain.team).makePreparedRequest(db)
        #expect(
          captains.statement.sql == """
            SELECT "captain".*, "team".* FROM "captain" \
            JOIN "team" ON "team"."id" = "captain"."teamId"
            """)
      }
    }
  }
}
