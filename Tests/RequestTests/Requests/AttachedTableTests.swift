import QuarryTestSupport
import Testing

@testable import Quarry

private struct Team: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "archive.team"
  static let players = hasMany(Player.self, key: "players")

  var id: Int64
  var name: String
}

private struct Player: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "archive.player"
  static let team = belongsTo(Team.self, key: "team")

  var id: Int64
  var teamId: Int64?
  var name: String
}

private struct PlayerInfo: Decodable, Equatable, FetchableRecord {
  var player: Player
  var team: Team?

  init(row: Row) throws {
    player = try Player(row: row)
    team = row["team"]
  }
}

@Suite("Tables of attached databases")
struct AttachedTableTests {
  /// The main database has a table `player`, too, with another key.
  private func inDatabase(_ body: (Database, SQLRecorder) throws -> Void) throws {
    let recorder = SQLRecorder()
    try DatabaseQueue(configuration: recorder.recording()).inDatabase { db in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE player (code TEXT PRIMARY KEY, name TEXT);
          INSERT INTO player VALUES ('A', 'main');
          CREATE TABLE archive.team (id INTEGER PRIMARY KEY, name TEXT);
          CREATE TABLE archive.player (
            id INTEGER PRIMARY KEY, teamId INTEGER REFERENCES team(id), name TEXT UNIQUE);
          INSERT INTO archive.team VALUES (1, 'red');
          INSERT INTO archive.player VALUES (1, 1, 'old'), (2, NULL, 'older')
          """)
      _ = recorder.take()
      try body(db, recorder)
    }
  }

  private func sql(_ db: Database, _ request: some FetchRequest) throws -> String {
    try request.makePreparedRequest(db, forSingleResult: false).statement.sql
  }

  @Test func `a table with the name of its schema`() throws {
    try inDatabase { db, _ throws in
      let table = Table("archive.player")
      #expect(try sql(db, table.all()) == #"SELECT * FROM "archive"."player""#)
      #expect(try table.fetchCount(db) == 2)
      #expect(try table.filter(key: 2).fetchOne(db)?["name"] == "older")
      #expect(
        try sql(db, table.filter(key: 2)) == #"SELECT * FROM "archive"."player" WHERE "id" = ?"#)
      #expect(try Table("main.player").filter(key: "A").fetchOne(db)?["name"] == "main")
      #expect(try Table("player").filter(key: "A").fetchOne(db)?["name"] == "main")
      #expect(try Table("ARCHIVE.Team").fetchOne(db) == ["id": 1, "name": "red"])
    }
  }

  @Test func `records are stored in the attached database`() throws {
    try inDatabase { db, recorder throws in
      try Player(id: 3, teamId: nil, name: "new").insert(db)
      try Player(id: 3, teamId: 1, name: "newer").update(db)
      try Player(id: 3, teamId: nil, name: "newest").upsert(db)
      #expect(try Player(id: 3, teamId: nil, name: "").exists(db))
      #expect(try Player.fetchOne(db, key: 3)?.name == "newest")
      #expect(try Player(id: 2, teamId: nil, name: "").delete(db))
      #expect(try Player(id: 4, teamId: nil, name: "x").insertAndFetch(db).id == 4)
      let statements = recorder.take().filter { !$0.hasPrefix("PRAGMA") && !$0.contains("master") }
      #expect(
        statements == [
          #"INSERT INTO "archive"."player" ("id", "teamId", "name") VALUES (?,?,?)"#,
          #"UPDATE "archive"."player" SET "teamId"=?, "name"=? WHERE "id"=?"#,
          #"INSERT INTO "archive"."player" ("id", "teamId", "name") VALUES (?,?,?) "#
            + #"ON CONFLICT DO UPDATE SET "teamId" = "excluded"."teamId", "name" = "excluded"."name" RETURNING "rowid""#,
          #"SELECT EXISTS (SELECT 1 FROM "archive"."player" WHERE "id"=?)"#,
          #"SELECT * FROM "archive"."player" WHERE "id" = ?"#,
          #"DELETE FROM "archive"."player" WHERE "id"=?"#,
          #"INSERT INTO "archive"."player" ("id", "teamId", "name") VALUES (?,?,?) RETURNING *"#,
        ])
      #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM main.player") == 1)
    }
  }

  @Test func `rows are updated and deleted by requests`() throws {
    try inDatabase { db, recorder throws in
      #expect(try Player.filter(Column("id") == 1).updateAll(db, Column("name").set(to: "n")) == 1)
      #expect(try Player.filter(Column("id") == 2).deleteAll(db) == 1)
      let statements = recorder.take().filter { !$0.hasPrefix("PRAGMA") && !$0.contains("master") }
      #expect(
        statements == [
          #"UPDATE "archive"."player" SET "name" = ? WHERE "id" = ?"#,
          #"DELETE FROM "archive"."player" WHERE "id" = ?"#,
        ])
      #expect(try Player.fetchAll(db) == [Player(id: 1, teamId: 1, name: "n")])
    }
  }

  @Test(arguments: ["archive.player", "main.player"])
  func `SQL in a value names the updated table by its name`(table: String) throws {
    try inDatabase { db, _ throws in
      try db.execute(sql: "INSERT INTO player VALUES ('B', 'other')")
      let (players, name) = (Table<Row>(table), Column("name"))
      let value = SQL(sql: "(SELECT MAX(name) || player.rowid FROM \(table) x)").sqlExpression
      let all = players.filter(sql: "player.rowid > 0")
      #expect(try all.updateAll(db, name.set(to: value)) == 2)
      let last = table == "main.player" ? "other" : "older"
      #expect(try String.fetchAll(db, players.select(name)) == ["\(last)1", "\(last)2"])
      let text = "\(table).rowid || (SELECT COUNT(*) FROM \(table))"
      let first = all.order(Column.rowID).limit(1)
      #expect(try first.updateAll(db, name.set(to: SQL(sql: text).sqlExpression)) == 1)
      #expect(try String.fetchAll(db, players.select(name)) == ["12", "\(last)2"])
    }
  }

  @Test func `subqueries refer to the modified view of a schema`() throws {
    try inDatabase { db, recorder throws in
      try db.execute(
        sql: """
          INSERT INTO player VALUES ('B', 'old');
          CREATE VIEW fan AS SELECT * FROM player;
          CREATE VIEW archive.fan AS SELECT * FROM player;
          CREATE TRIGGER archive.change INSTEAD OF UPDATE ON fan
          BEGIN UPDATE player SET teamId = NEW.teamId WHERE id = NEW.id; END;
          CREATE TRIGGER archive.leave INSTEAD OF DELETE ON fan
          BEGIN DELETE FROM player WHERE id = OLD.id; END
          """)
      let (fan, fans, id) = (TableAlias<Row>(), Table<Row>("archive.fan"), Column("id"))
      _ = recorder.take()
      let namesakes = Table<Row>("fan").filter(Column("name") == fan["name"])
      let others = fans.all().aliased(fan).filter(!namesakes.exists())
      let first = fans.select(min(id))
      #expect(try others.updateAll(db, Column("teamId").set(to: first)) == 1)
      let teams = fans.filter(Column("teamId") == 1).order(id).select(id)
      #expect(try Int.fetchAll(db, teams) == [1, 2])
      let earlier = Table<Row>("archive.team").filter(id < fan["id"])
      #expect(try fans.all().aliased(fan).filter(earlier.exists()).deleteAll(db) == 1)
      #expect(try Int.fetchAll(db, fans.select(id)) == [1])
      let changes = recorder.take().filter {
        $0.contains(#" "archive"."fan" "#) && !$0.hasPrefix("SELECT")
      }
      #expect(
        changes == [
          """
          UPDATE "archive"."fan" SET "teamId" = (SELECT MIN("id") FROM "archive"."fan") \
          FROM (SELECT 1 AS "grdb_row") WHERE NOT EXISTS (SELECT "fan1".* FROM "fan" "fan1" \
          WHERE "fan1"."name" = "fan"."name")
          """,
          """
          DELETE FROM "archive"."fan" \
          WHERE EXISTS (SELECT * FROM "archive"."team" WHERE "id" < "fan"."id")
          """,
        ])
    }
  }

  /// In an `UPDATE … FROM` several sources, SQLite finds no name with a dot.
  @Test func `an update from joined tables of a schema`() throws {
    try inDatabase { db, recorder throws in
      let (team, player, name) = (TableAlias<Team>(), TableAlias<Row>(name: "a.b"), Column("name"))
      let main = Player.association(to: Table("player")) { $0["name"] != $1["name"] }
      let value = team[name] + player[name]
      let request = Player.joining(required: Player.team.aliased(team))
      let both = request.joining(required: main.aliased(player))
      #expect(try both.updateAll(db, name.set(to: value)) == 1)
      #expect(try request.updateAll(db, name.set(to: team[name])) == 1)
      #expect(try Player.fetchAll(db).map(\.name) == ["red", "older"])
      #expect(
        recorder.take().filter { $0.hasPrefix("UPDATE") } == [
          """
          UPDATE "archive"."player" AS "archive.player" \
          SET "name" = "archive_team1"."name" + "a_b1"."name" \
          FROM "archive"."team" "archive_team1" JOIN "player" "a_b1" \
          WHERE ("archive_team1"."id" = "archive.player"."teamId") \
          AND ("archive.player"."name" <> "a_b1"."name")
          """,
          """
          UPDATE "archive"."player" AS "archive.player" SET "name" = "archive.team"."name" \
          FROM "archive"."team" AS "archive.team" \
          WHERE "archive.team"."id" = "archive.player"."teamId"
          """,
        ])
    }
  }

  @Test func `subqueries of RETURNING know the table without its schema`() throws {
    try inDatabase { db, _ throws in
      let player = TableAlias<Player>()
      let mates = Player.filter(Column("teamId") == player[Column("teamId")])
        .select(count(Column("id")))
      let statement = try Player.aliased(player).updateAndFetchStatement(
        db, [Column("name").set(to: Column("name"))],
        selection: [player[Column("id")], mates.sqlExpression])
      let rows = try Row.fetchAll(statement).map { [$0[0] as Int, $0[1] as Int] }
      #expect(Set(rows) == [[1, 1], [2, 0]])
    }
  }

  @Test func `associations find the foreign keys of the attached database`() throws {
    try inDatabase { db, _ throws in
      let request = Player.including(optional: Player.team).order(Column("id"))
      #expect(
        try sql(db, request)
          == #"SELECT "archive.player".*, "archive.team".* "#
          + #"FROM "archive"."player" AS "archive.player" "#
          + #"LEFT JOIN "archive"."team" AS "archive.team" "#
          + #"ON "archive.team"."id" = "archive.player"."teamId" ORDER BY "archive.player"."id""#)
      let rows = try request.asRequest(of: PlayerInfo.self).fetchAll(db)
      #expect(rows.map(\.team?.name) == ["red", nil])
      let teams = try Team.including(all: Team.players).asRequest(of: Row.self).fetchAll(db)
      let players: [Player] = try #require(teams.first)["players"]
      #expect(players.map(\.name) == ["old"])
      let team = try #require(try Team.fetchOne(db, key: 1))
      #expect(try team.request(for: Team.players).fetchCount(db) == 1)
      #expect(
        try Team.annotated(with: Team.players.count).asRequest(of: Row.self).fetchOne(db)?[2] == 1)
    }
  }

  @Test func `tables with the same name in two databases are joined`() throws {
    try inDatabase { db, _ throws in
      let main = Table("player")
      let archived = main.association(
        to: Table("archive.player"), on: { main, old in main["name"] != old["name"] })
      let request = main.joining(required: archived)
      #expect(
        try sql(db, request)
          == #"SELECT "player".* FROM "player" "#
          + #"JOIN "archive"."player" AS "archive.player" ON "player"."name" <> "archive.player"."name""#
      )
      #expect(try request.fetchAll(db).count == 2)
    }
  }

  @Test func `aliases name the tables of attached databases`() throws {
    try inDatabase { db, _ throws in
      let old = TableAlias<Row>(name: "old")
      let request = Table("archive.player").aliased(old).filter(old["id"] == 1)
      #expect(
        try sql(db, request)
          == #"SELECT "old".* FROM "archive"."player" "old" WHERE "old"."id" = ?"#)
      let unnamed = TableAlias<Row>()
      let outer = Table("archive.team").aliased(unnamed)
        .filter(Table("archive.player").filter(Column("teamId") == unnamed["id"]).exists())
      #expect(
        try sql(db, outer)
          == #"SELECT * FROM "archive"."team" AS "archive.team" WHERE EXISTS "#
          + #"(SELECT * FROM "archive"."player" WHERE "teamId" = "archive.team"."id")"#)
      #expect(try outer.fetchCount(db) == 1)
    }
  }

  @Test func `a subquery refers to a table of the same name in another schema`() throws {
    try inDatabase { db, _ throws in
      try db.execute(sql: "INSERT INTO player VALUES ('B', 'old'), ('C', 'older')")
      let (player, name, id) = (TableAlias<Row>(), Column("name"), Column("id"))
      let old = Table("archive.player")
      let namesakes = old.filter(name == player[name])
      let both = Table("player").aliased(player).order(name)
      #expect(
        try sql(db, both.filter(namesakes.exists())) == """
          SELECT * FROM "player" WHERE EXISTS (SELECT "archive.player".* \
          FROM "archive"."player" AS "archive.player" \
          WHERE "archive.player"."name" = "player"."name") ORDER BY "name"
          """)
      #expect(try both.filter(namesakes.exists()).fetchAll(db).map { $0["code"] } == ["B", "C"])
      let ids = both.annotated(with: namesakes.select(id).forKey("id"))
      #expect(try ids.fetchAll(db).map { $0["id"] as Int? } == [nil, 1, 2])
      let twice = namesakes.filter(Table("archive.team").filter(name != player[name]).exists())
      #expect(try both.filter(twice.exists()).fetchCount(db) == 2)
      let either = namesakes.union(old.filter(name > player[name]).filter(id == 2))
      #expect(try both.filter(either.exists()).fetchAll(db).map { $0["code"] } == ["A", "B", "C"])
      let named = TableAlias<Row>(name: "Player")
      let teams = Table("archive.team").aliased(named)
        .filter(old.filter(Column("teamId") == named["id"]).exists())
      #expect(try teams.fetchCount(db) == 1)
      let text = both.filter(namesakes.filter(sql: "player.id = 1").exists())
      #expect(errorText { try text.fetchAll(db) }?.contains("ambiguous alias: player") == true)
      let assignment = Column("code").set(to: namesakes.select(id))
      #expect(try both.filter(namesakes.exists()).updateAll(db, assignment) == 2)
      #expect(try both.fetchAll(db).map { $0["code"] } == ["A", "1", "2"])
      #expect(try both.filter(namesakes.exists()).deleteAll(db) == 2)
    }
  }

  @Test func `SQL in a subquery names its table where that has no column of the enclosing one`()
    throws
  {
    try inDatabase { db, _ throws in
      try db.execute(
        sql: """
          INSERT INTO player VALUES ('old', 'older'), ('older', 'x');
          ALTER TABLE archive.player ADD COLUMN player DEFAULT 1;
          """)
      let (player, name, code) = (TableAlias<Row>(), Column("name"), Column("code"))
      let both = Table("player").aliased(player).order(code)
      func codes(_ column: Column, _ text: String) throws -> [String] {
        let namesakes = Table("archive.player").filter(sql: text).filter(name == player[column])
        return try both.filter(namesakes.exists()).fetchAll(db).map { $0["code"] }
      }
      #expect(try codes(code, "player.teamId = 1") == ["old"])
      #expect(try codes(code, #"archive."Player".teamId = 1"#) == ["old"])
      #expect(try codes(code, "name <> 'player'") == ["old", "older"])
      #expect(try codes(code, "player = 1") == ["old", "older"])
      #expect(try codes(name, "name <> 'player' AND player = 1") == ["old"])
      for text in ["player.id = 1", "archive.player.id = 1", "player /* . */ . id = 1"] {
        #expect(errorText { try codes(name, text) }?.contains("ambiguous alias: player") == true)
      }
      #expect(
        errorText { try codes(.rowID, "player.id = 1") }?.contains("ambiguous alias") == true)
    }
  }

  @Test func `names of tables in raw SQL have their schema`() throws {
    try inDatabase { db, _ throws in
      let request: SQLRequest<Player> = "SELECT * FROM \(Player.self) WHERE id = \(1)"
      #expect(try sql(db, request) == #"SELECT * FROM "archive"."player" WHERE id = ?"#)
      #expect(try request.fetchOne(db)?.name == "old")
      let table: SQLRequest<Row> = "SELECT * FROM \(Table("archive.team"))"
      #expect(try table.fetchCount(db) == 1)
    }
  }

  @Test func `a table whose very name has a dot goes first`() throws {
    try inDatabase { db, _ throws in
      try db.execute(
        sql: #"CREATE TABLE "archive.player" (a); INSERT INTO "archive.player" VALUES (7)"#)
      #expect(try sql(db, Table("archive.player").all()) == #"SELECT * FROM "archive.player""#)
      #expect(try Table("archive.player").fetchOne(db) == ["a": 7])
      try db.execute(sql: #"ATTACH ':memory:' AS "a.b"; CREATE TABLE "a.b"."c.d" (x)"#)
      #expect(try sql(db, Table("a.b.c.d").all()) == #"SELECT * FROM "a.b"."c.d""#)
    }
  }

  @Test func `the schema names the tables of attached databases by their name`() throws {
    try inDatabase { db, _ throws in
      #expect(try db.columns(in: "archive.player").map(\.name) == ["id", "teamId", "name"])
      #expect(try db.columns(in: "player", in: "archive").map(\.name) == ["id", "teamId", "name"])
      #expect(try db.columns(in: "player").map(\.name) == ["code", "name"])
      #expect(try db.primaryKey("archive.player").rowIDColumn == "id")
      #expect(try db.foreignKeys(on: "archive.player").map(\.destinationTable) == ["team"])
      #expect(try db.indexes(on: "archive.player").map(\.columns) == [["name"]])
      #expect(try db.table("archive.player", hasUniqueKey: ["name"]))
    }
  }

  @Test(arguments: ["archive.nope", "nope.player", "."])
  func `unknown tables and schemas are reported`(name: String) throws {
    try inDatabase { db, _ in
      let error = databaseError { try Table(name).filter(key: 1).fetchOne(db) }
      #expect(error?.message == "no such table: \(name)")
    }
  }

  @Test func `a detached database is forgotten`() throws {
    try inDatabase { db, _ throws in
      #expect(try Table("archive.team").fetchCount(db) == 1)
      try db.execute(sql: "DETACH archive; ATTACH ':memory:' AS archive")
      let error = databaseError { try Table("archive.team").fetchCount(db) }
      #expect(error?.message == "no such table: archive.team")
    }
  }
}
