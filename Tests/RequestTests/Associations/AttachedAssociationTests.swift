import QuarryMigrations
import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private struct Team: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "archive.team"
  static let roles = hasMany(Role.self, key: "roles")
  static let players = hasMany(Player.self, through: roles, using: Role.player, key: "players")

  var id: Int64
}

private struct Role: TableRecord {
  static let databaseTableName = "archive.role"
  static let player = belongsTo(Player.self, key: "player")
}

private struct Player: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "archive.player"

  var id: Int64
}

/// Inserted by a trigger of a view.
private struct Fan: Encodable, MutablePersistableRecord {
  static let databaseTableName = "archive.fan"

  var id: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// In the main database, with the foreign key of a main table `team`.
private struct Coach: TableRecord {
  static let archivedTeam = belongsTo(Team.self)
  static let mainTeam = belongsTo(Table("main.team"))
  static let chosenTeam = belongsTo(Team.self, using: ForeignKey(["teamId"]))
}

@Suite("Associations of tables of attached databases")
struct AttachedAssociationTests {
  private func inDatabase(_ body: (Database, SQLRecorder) throws -> Void) throws {
    let recorder = SQLRecorder()
    try DatabaseQueue(configuration: recorder.recording()).inDatabase { db in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE team (id INTEGER PRIMARY KEY);
          CREATE TABLE coach (id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team);
          CREATE TABLE archive.team (id INTEGER PRIMARY KEY);
          CREATE TABLE archive.player (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE archive.role (
            teamId INTEGER REFERENCES team, playerId INTEGER REFERENCES player,
            PRIMARY KEY (teamId, playerId));
          CREATE TABLE archive.log (id INTEGER PRIMARY KEY);
          INSERT INTO archive.log VALUES (700);
          CREATE VIEW archive.fan AS SELECT id, name FROM player;
          CREATE TRIGGER archive.addFan INSTEAD OF INSERT ON fan BEGIN
            INSERT INTO player (name) VALUES (NEW.name);
            INSERT INTO log VALUES (NULL);
          END;
          INSERT INTO team VALUES (5);
          INSERT INTO archive.team VALUES (1);
          INSERT INTO archive.player VALUES (1, 'a'), (2, 'b');
          INSERT INTO archive.role VALUES (1, 1);
          """)
      _ = recorder.take()
      try body(db, recorder)
    }
  }

  @Test func `links are added and removed in the attached database`() throws {
    try inDatabase { db, recorder throws in
      let team = Team(id: 1)
      #expect(try team.add(db, Player(id: 2), to: Team.players))
      #expect(
        recorder.take().contains(
          #"INSERT INTO "archive"."role" ("teamId", "playerId") VALUES (?,?)"#))
      #expect(try team.request(for: Team.players).fetchAll(db).map(\.id) == [1, 2])
      #expect(try team.remove(db, Player(id: 1), from: Team.players))
      #expect(
        recorder.take().contains(
          #"DELETE FROM "archive"."role" WHERE ("teamId" = ?) AND ("playerId" = ?)"#))
      let row = try #require(
        try Team.including(all: Team.players).asRequest(of: Row.self).fetchOne(db))
      let players: [Player] = row["players"]
      #expect(players.map(\.id) == [2])
    }
  }

  @Test func `records are inserted into a view of the attached database`() throws {
    try inDatabase { db, _ throws in
      var fan = Fan(id: nil, name: "c")
      try fan.insert(db)
      #expect(fan.id == 3)
    }
  }

  @Test func `foreign keys lead to no table of another database`() throws {
    try inDatabase { db, _ throws in
      let error = #expect(throws: (any Error).self) {
        try Coach.joining(required: Coach.archivedTeam).asRequest(of: Row.self).fetchAll(db)
      }
      #expect(
        "\(try #require(error))".contains(
          "Could not infer foreign key from 'coach' to 'archive.team': they are in different schemas, "
            + "and the foreign key leads to 'main.team'. To fix this error, use an association between "
            + #"these tables, such as Table("coach").belongsTo(Table("main.team")).forKey(…)."#))
      let teams = Table<Row>("team")
      let opposite = #expect(throws: (any Error).self) {
        try teams.including(all: teams.hasMany(Table("archive.role"))).fetchAll(db)
      }
      #expect(
        "\(try #require(opposite))".contains(
          "the foreign key leads to 'archive.team'. To fix this error, use an association between "
            + #"these tables, such as Table("archive.team").hasMany(Table("archive.role")).forKey"#)
      )
      let roles = Table<Row>("archive.role")
      let rows = try roles.including(
        required: roles.belongsTo(Table("archive.team")).forKey("team")
      ).fetchAll(db)
      #expect(rows.map { $0.scopes["team"]?["id"] as Int? } == [1])
      let main = Coach.joining(required: Coach.mainTeam).asRequest(of: Row.self)
      #expect(
        try main.makePreparedRequest(db, forSingleResult: false).statement.sql
          == #"SELECT "coach".* FROM "coach" "#
          + #"JOIN "main"."team" AS "main.team" ON "main.team"."id" = "coach"."teamId""#)
      let chosen = Coach.joining(required: Coach.chosenTeam).asRequest(of: Row.self)
      #expect(
        try chosen.makePreparedRequest(db, forSingleResult: false).statement.sql
          == #"SELECT "coach".* FROM "coach" "#
          + #"JOIN "archive"."team" AS "archive.team" ON "archive.team"."id" = "coach"."teamId""#)
    }
  }

  @Test func `declared foreign keys of attached databases are found`() throws {
    try inDatabase { db, _ throws in
      let differences = try db.schemaDifferences(
        of: [], associations: [Team.roles, Coach.chosenTeam])
      #expect(
        differences.map(\.description) == [
          "Coach: the foreign key from coach(teamId) to archive.team is not declared"
        ])
    }
  }
}
