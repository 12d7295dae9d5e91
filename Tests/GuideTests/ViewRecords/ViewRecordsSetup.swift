import Quarry

/// The migrations of the guide 'View records': see the tests beside this file, one for each chapter.
extension ViewRecords {
  /// A migrator without the migrations after `last`.
  static func migrator(upTo last: String = "Captain delete") -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    let migrations: [(name: String, register: (inout DatabaseMigrator) -> Void)] = [
      ("Teams and players", registerTeamsAndPlayers),
      ("Read-only captains", registerReadOnlyCaptains),
      ("Captain insert", registerCaptainInsert),
      ("Captain update", registerCaptainUpdate),
      ("Captain delete", registerCaptainDelete),
    ]
    for (name, register) in migrations {
      register(&migrator)
      if name == last { break }
    }
    return migrator
  }

  /// A database whose views have the key that the schema source tells.
  static func makeDatabase(
    upTo last: String = "Captain delete", source: (any DatabaseSchemaSource)? = GameSchemaSource()
  ) throws -> DatabaseQueue {
    var config = Configuration()
    config.schemaSource = source
    let dbQueue = try DatabaseQueue(configuration: config)
    try migrator(upTo: last).migrate(dbQueue)
    return dbQueue
  }

  /// Two teams, their captains, and another player.
  static func insertPlayers(_ db: Database) throws {
    try Team(id: "red", name: "Red").insert(db)
    try Team(id: "blue", name: "Blue").insert(db)
    try Player(id: "alice", name: "Alice", teamId: "red", isCaptain: true).insert(db)
    try Player(id: "bob", name: "Bob", teamId: "blue", isCaptain: true).insert(db)
    try Player(id: "craig", name: "Craig", teamId: "blue", isCaptain: false).insert(db)
  }

  /// What is printed.
  final class Output: TextOutputStream {
    private(set) var text = ""

    func write(_ string: String) {
      text += string
    }
  }

  /// The rows of a table or view as the guide prints them: `eugene|Eugene|green`.
  static func lines(_ db: Database, _ table: String) throws -> [String] {
    try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1").map { row in
      row.databaseValues.map { $0.isNull ? "" : "\($0.storage.value ?? "")" }
        .joined(separator: "|")
    }
  }
}

extension ViewRecords {
  private static func registerTeamsAndPlayers(_ migrator: inout DatabaseMigrator) {
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

      // One unique captain per team
      try db.create(
        indexOn: "player", columns: ["teamId"],
        options: .unique,
        condition: Column("isCaptain"))
    }
  }

  private static func registerReadOnlyCaptains(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("Read-only captains") { db in
      try db.execute(
        sql: """
          CREATE VIEW captain AS
          SELECT id, name, teamId
          FROM player
          WHERE isCaptain AND teamId IS NOT NULL;
          """)
    }
  }

  private static func registerCaptainInsert(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("Captain insert") { db in
      try db.execute(
        sql: """
          -- Insert trigger
          CREATE TRIGGER captain_insert
          INSTEAD OF INSERT ON captain
          BEGIN
              -- Remove previous captain
              UPDATE player SET isCaptain = 0
              WHERE teamId = NEW.teamId AND isCaptain;

              -- Insert new captain
              INSERT INTO player(id, name, teamId, isCaptain)
              VALUES (NEW.id, NEW.name, NEW.teamId, 1);
          END;
          """)
    }
  }

  private static func registerCaptainUpdate(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("Captain update") { db in
      try db.execute(
        sql: """
          -- Update trigger
          CREATE TRIGGER captain_update
          INSTEAD OF UPDATE ON captain
          BEGIN
              -- Remove previous captain
              UPDATE player SET isCaptain = 0
              WHERE teamId = NEW.teamId AND isCaptain AND id <> NEW.id;

              -- Update captain
              UPDATE player SET name = NEW.name, teamId = NEW.teamId, isCaptain = 1
              WHERE id = NEW.id;
          END;
          """)
    }
  }

  private static func registerCaptainDelete(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("Captain delete") { db in
      try db.execute(
        sql: """
          -- Delete trigger
          CREATE TRIGGER captain_delete
          INSTEAD OF DELETE ON captain
          BEGIN
              DELETE FROM player WHERE id = OLD.id;
          END;
          """)
    }
  }
}
