import Quarry
import Testing

/// 'Going further': the three exercises of the guide, solved.
enum MoreViewRecords {
  /// A player who belongs to a team.
  struct EnrolledPlayer: Codable, Identifiable, Equatable, FetchableRecord, PersistableRecord {
    var id: String
    var name: String
    var teamId: String
    var isCaptain: Bool
  }

  /// A team that has a captain.
  struct TeamWithCaptainId: Codable, Identifiable, Equatable, FetchableRecord, PersistableRecord {
    var id: String
    var name: String
    var captainId: String
  }

  /// A captain, identified by the team.
  struct Captain: Codable, Identifiable, Equatable, FetchableRecord, PersistableRecord {
    var teamId: String
    var name: String

    var id: String { teamId }
  }

  struct GameSchemaSource: DatabaseSchemaSource {
    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
      switch view.name {
      case "enrolledPlayer", "teamWithCaptainId": ["id"]
      case "captain": ["teamId"]
      default: nil
      }
    }
  }

  static func makeDatabase() throws -> DatabaseQueue {
    var migrator = ViewRecords.migrator(upTo: "Teams and players")
    migrator.registerMigration("Views") { db in
      try createEnrolledPlayer(db)
      try createTeamWithCaptainId(db)
      try createCaptain(db)
    }
    var config = Configuration()
    config.schemaSource = GameSchemaSource()
    let dbQueue = try DatabaseQueue(configuration: config)
    try migrator.migrate(dbQueue)
    try dbQueue.write(ViewRecords.insertPlayers)
    return dbQueue
  }

  private static func createEnrolledPlayer(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIEW enrolledPlayer AS
        SELECT id, name, teamId, isCaptain
        FROM player
        WHERE teamId IS NOT NULL;

        CREATE TRIGGER enrolledPlayer_insert INSTEAD OF INSERT ON enrolledPlayer
        BEGIN
          UPDATE player SET isCaptain = 0
          WHERE NEW.isCaptain AND teamId = NEW.teamId AND isCaptain;
          INSERT INTO player (id, name, teamId, isCaptain)
          VALUES (NEW.id, NEW.name, NEW.teamId, NEW.isCaptain);
        END;

        CREATE TRIGGER enrolledPlayer_update INSTEAD OF UPDATE ON enrolledPlayer
        BEGIN
          UPDATE player SET isCaptain = 0
          WHERE NEW.isCaptain AND teamId = NEW.teamId AND isCaptain AND id <> NEW.id;
          UPDATE player SET name = NEW.name, teamId = NEW.teamId, isCaptain = NEW.isCaptain
          WHERE id = NEW.id;
        END;

        -- A player who is no longer enrolled is a player without team.
        CREATE TRIGGER enrolledPlayer_delete INSTEAD OF DELETE ON enrolledPlayer
        BEGIN
          UPDATE player SET teamId = NULL, isCaptain = 0 WHERE id = OLD.id;
        END;
        """)
  }

  private static func createTeamWithCaptainId(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIEW teamWithCaptainId AS
        SELECT team.id, team.name, player.id AS captainId
        FROM team
        JOIN player ON player.teamId = team.id AND player.isCaptain;

        CREATE TRIGGER teamWithCaptainId_insert INSTEAD OF INSERT ON teamWithCaptainId
        BEGIN
          INSERT INTO team (id, name) VALUES (NEW.id, NEW.name);
          UPDATE player SET teamId = NEW.id, isCaptain = 1 WHERE id = NEW.captainId;
        END;

        CREATE TRIGGER teamWithCaptainId_update INSTEAD OF UPDATE ON teamWithCaptainId
        BEGIN
          UPDATE team SET name = NEW.name WHERE id = NEW.id;
          UPDATE player SET isCaptain = 0
          WHERE teamId = NEW.id AND isCaptain AND id <> NEW.captainId;
          UPDATE player SET teamId = NEW.id, isCaptain = 1 WHERE id = NEW.captainId;
        END;

        CREATE TRIGGER teamWithCaptainId_delete INSTEAD OF DELETE ON teamWithCaptainId
        BEGIN
          UPDATE player SET isCaptain = 0 WHERE teamId = OLD.id;
          DELETE FROM team WHERE id = OLD.id;
        END;
        """)
  }

  private static func createCaptain(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIEW captain AS
        SELECT teamId, name
        FROM player
        WHERE isCaptain AND teamId IS NOT NULL;

        CREATE TRIGGER captain_insert INSTEAD OF INSERT ON captain
        BEGIN
          UPDATE player SET isCaptain = 0 WHERE teamId = NEW.teamId AND isCaptain;
          INSERT INTO player (id, name, teamId, isCaptain)
          VALUES (lower(hex(randomblob(8))), NEW.name, NEW.teamId, 1);
        END;

        CREATE TRIGGER captain_update INSTEAD OF UPDATE ON captain
        BEGIN
          UPDATE player SET name = NEW.name WHERE teamId = OLD.teamId AND isCaptain;
        END;

        -- The captain remains a player of the team.
        CREATE TRIGGER captain_delete INSTEAD OF DELETE ON captain
        BEGIN
          UPDATE player SET isCaptain = 0 WHERE teamId = OLD.teamId AND isCaptain;
        END;
        """)
  }
}

extension MoreViewRecords {
  struct GoingFurtherTests {
    @Test("Enrolled players are inserted, updated, and leave their team")
    func enrolledPlayers() throws {
      try makeDatabase().write { db in
        var dan = EnrolledPlayer(id: "dan", name: "Dan", teamId: "red", isCaptain: true)
        try dan.insert(db)
        try #expect(EnrolledPlayer.find(db, id: "alice").isCaptain == false)

        try dan.updateChanges(db) { $0.teamId = "blue" }
        try #expect(EnrolledPlayer.find(db, id: "bob").isCaptain == false)
        try #expect(EnrolledPlayer.fetchCount(db) == 4)

        try #expect(dan.delete(db))
        try #expect(
          ViewRecords.lines(db, "player") == [
            "alice|Alice|red|0", "bob|Bob|blue|0", "craig|Craig|blue|0", "dan|Dan||0",
          ])
        try #expect(!dan.exists(db))
      }
    }

    @Test("A team is inserted with its captain, changes captain, and goes")
    func teamsWithCaptain() throws {
      try makeDatabase().write { db in
        var green = TeamWithCaptainId(id: "green", name: "Green", captainId: "craig")
        try #expect(green.insertAndFetch(db) == green)
        green.captainId = "bob"
        try #expect(green.updateAndFetch(db) == green)
        try #expect(
          ViewRecords.lines(db, "teamWithCaptainId") == ["green|Green|bob", "red|Red|alice"])

        try TeamWithCaptainId.deleteOne(db, id: "green")
        try #expect(
          ViewRecords.lines(db, "player") == [
            "alice|Alice|red|1", "bob|Bob||0", "craig|Craig||0",
          ])
      }
    }

    @Test("Two views are associated by an explicit foreign key")
    func associations() throws {
      let team = EnrolledPlayer.belongsTo(
        TeamWithCaptainId.self, using: ForeignKey(["teamId"], to: ["id"]))
      try makeDatabase().read { db in
        let rows = try EnrolledPlayer.orderByPrimaryKey().including(required: team)
          .asRequest(of: Row.self).fetchAll(db)
        #expect(
          rows.map { row in row.scopes["teamWithCaptainId"]?["captainId"] }
            == ["alice", "bob", "bob"])
      }
    }

    @Test("A captain has the key of the team")
    func captainsByTeam() throws {
      try makeDatabase().write { db in
        let alice = try Captain.find(db, id: "red")
        #expect(alice.name == "Alice")

        try Captain(teamId: "red", name: "Dan").insert(db)
        try #expect(Captain.find(db, id: "red").name == "Dan")

        var bob = try Captain.find(db, id: "blue")
        bob.name = "Bobby"
        try #expect(bob.saveAndFetch(db) == Captain(teamId: "blue", name: "Bobby"))

        try bob.delete(db)
        try #expect(Captain.orderByPrimaryKey().fetchAll(db).map(\.teamId) == ["red"])
        try #expect(Table("player").fetchCount(db) == 4)
      }
    }
  }
}
