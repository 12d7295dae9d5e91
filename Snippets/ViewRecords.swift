// Records on views: each view has a key, and triggers that do what it means to change it.

import Quarry

// snippet.records
struct EnrolledPlayer: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var id: String
  var name: String
  var teamId: String
  var isCaptain: Bool
}

struct TeamWithCaptainId: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var id: String
  var name: String
  var captainId: String
}

// A team has a single captain: the team is the key of the captain.
struct Captain: Codable, Identifiable, FetchableRecord, PersistableRecord {
  var teamId: String
  var name: String

  var id: String { teamId }
}
// snippet.end

// snippet.keys
struct GameSchemaSource: DatabaseSchemaSource {
  func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]? {
    switch view.name {
    case "enrolledPlayer", "teamWithCaptainId": ["id"]
    case "captain": ["teamId"]
    default: nil
    }
  }
}
// snippet.end

var migrator = DatabaseMigrator()

migrator.registerMigration("Teams and players") { db in
  try db.create(table: "team") { t in
    t.primaryKey("id", .text)
    t.column("name", .text).notNull()
  }
  try db.create(table: "player") { t in
    t.primaryKey("id", .text)
    t.column("name", .text).notNull()
    t.belongsTo("team", onDelete: .setNull)
    t.column("isCaptain", .boolean).notNull()
  }
  try db.create(
    indexOn: "player", columns: ["teamId"], options: .unique, condition: Column("isCaptain"))
}

// snippet.enrolled
migrator.registerMigration("Enrolled players") { db in
  try db.execute(
    sql: """
      CREATE VIEW enrolledPlayer AS
      SELECT id, name, teamId, isCaptain FROM player WHERE teamId IS NOT NULL;

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

      CREATE TRIGGER enrolledPlayer_delete INSTEAD OF DELETE ON enrolledPlayer
      BEGIN
        UPDATE player SET teamId = NULL, isCaptain = 0 WHERE id = OLD.id;
      END;
      """)
}
// snippet.end

// snippet.teams
migrator.registerMigration("Teams with the identifier of their captain") { db in
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
// snippet.end

// snippet.captains
migrator.registerMigration("Captains of teams") { db in
  try db.execute(
    sql: """
      CREATE VIEW captain AS
      SELECT teamId, name FROM player WHERE isCaptain AND teamId IS NOT NULL;

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

      CREATE TRIGGER captain_delete INSTEAD OF DELETE ON captain
      BEGIN
        UPDATE player SET isCaptain = 0 WHERE teamId = OLD.teamId AND isCaptain;
      END;
      """)
}
// snippet.end

// snippet.configuration
var configuration = Configuration()
configuration.schemaSource = GameSchemaSource()
let queue = try DatabaseQueue(configuration: configuration)
try migrator.migrate(queue)
// snippet.end

// snippet.use
try queue.write { db in
  try db.execute(sql: "INSERT INTO team VALUES ('red', 'Red')")
  try EnrolledPlayer(id: "alice", name: "Alice", teamId: "red", isCaptain: true).insert(db)
  try EnrolledPlayer(id: "bob", name: "Bob", teamId: "red", isCaptain: false).insert(db)

  // Bob becomes the captain of a new team.
  try TeamWithCaptainId(id: "blue", name: "Blue", captainId: "bob").insert(db)

  var captain = try Captain.find(db, id: "blue")
  try captain.updateChanges(db) { $0.name = "Bobby" }
  print(try EnrolledPlayer.orderByPrimaryKey().fetchAll(db))
}
// snippet.end
