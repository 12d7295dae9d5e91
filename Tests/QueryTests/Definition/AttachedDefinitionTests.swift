import QuarryMigrations
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite("Definitions in attached databases")
struct AttachedDefinitionTests {
  /// The main database has a table `player`, too.
  private func inDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { db in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS archive;
          CREATE TABLE player (code TEXT PRIMARY KEY, name TEXT)
          """)
      try body(db)
    }
  }

  private func createTables(_ db: Database) throws {
    try db.create(table: "archive.team") { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text)
    }
    try db.create(table: "archive.player", options: .ifNotExists) { t in
      t.autoIncrementedPrimaryKey("id")
      t.column("name", .text).indexed()
      t.belongsTo("team", onDelete: .cascade)
      t.belongsTo("captain", inTable: "archive.player")
    }
  }

  /// What a statement of the library creates, drops or changes: savepoints are left out.
  private func definitions(_ db: Database, _ body: () throws -> Void) rethrows -> [String] {
    try db.statements(during: body).filter { sql in
      ["CREATE", "DROP", "ALTER"].contains { sql.hasPrefix($0) }
    }
  }

  private func names(_ db: Database, in schema: String) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM \(schema).sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name
        """)
  }

  @Test
  func `a table is created in its schema, with its indexes, and its foreign keys to tables there`()
    throws
  {
    try inDatabase { db throws in
      let statements = try definitions(db) { try createTables(db) }
      #expect(
        statements == [
          #"CREATE TABLE "archive"."team" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT)"#,
          #"CREATE TABLE IF NOT EXISTS "archive"."player" ("#
            + #""id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT, "#
            + #""teamId" INTEGER REFERENCES "team"("id") ON DELETE CASCADE, "#
            + #""captainId" INTEGER REFERENCES "player"("id"))"#,
          #"CREATE INDEX IF NOT EXISTS "archive"."player_on_name" ON "player"("name")"#,
          #"CREATE INDEX IF NOT EXISTS "archive"."player_on_teamId" ON "player"("teamId")"#,
          #"CREATE INDEX IF NOT EXISTS "archive"."player_on_captainId" ON "player"("captainId")"#,
        ])
      #expect(try names(db, in: "main") == ["player"])
      #expect(try db.columns(in: "player").map(\.name) == ["code", "name"])
      #expect(
        try db.columns(in: "archive.player").map(\.name) == ["id", "name", "teamId", "captainId"])
      #expect(try db.tableExists("archive.team"))
      #expect(try db.tableExists("ARCHIVE.Team"))
      #expect(try !db.tableExists("team", in: "main"))
      #expect(try !db.tableExists("archive.nope"))
      #expect(try !db.viewExists("archive.team"))
    }
  }

  @Test func `a compound key is referenced in the schema of the table`() throws {
    try inDatabase { db throws in
      try db.execute(sql: "CREATE TABLE stock (id INTEGER PRIMARY KEY)")
      try db.create(table: "archive.stock") { t in
        t.primaryKey(["shop", "isbn"])
        t.column("shop", .text)
        t.column("isbn", .text)
      }
      let statements = try definitions(db) {
        try db.create(table: "archive.sale") { t in t.belongsTo("stock") }
      }
      #expect(
        statements == [
          #"CREATE TABLE "archive"."sale" ("stockShop" TEXT, "stockIsbn" TEXT, "#
            + #"FOREIGN KEY ("stockShop", "stockIsbn") REFERENCES "stock"("shop", "isbn"))"#,
          #"CREATE INDEX "archive"."index_sale_on_stockShop_stockIsbn" "#
            + #"ON "sale"("stockShop", "stockIsbn")"#,
        ])
    }
  }

  @Test func `a foreign key can't leave its schema`() throws {
    try inDatabase { db throws in
      try createTables(db)
      #expect {
        try db.create(table: "prize") { t in
          t.column("teamId", .integer).references("archive.team")
        }
      } throws: { error in
        "\(error)".contains(
          #"a foreign key of table "prize" can't reference archive.team, which is in another schema"#
        )
      }
      #expect(throws: DatabaseError.self) {
        try db.create(table: "archive.prize") { t in t.belongsTo("sponsor") }
      }
      #expect {
        try db.create(table: "archive.prize") { t in t.belongsTo("winner", inTable: "main.player") }
      } throws: { error in "\(error)".contains("can't reference main.player") }
      #expect(try !db.tableExists("archive.prize"))
      #expect(try !db.tableExists("prize"))
    }
  }

  @Test func `a foreign key leads to no table that another schema has only`() throws {
    try inDatabase { db throws in
      try db.create(table: "archive.team") { t in t.primaryKey("code", .text) }
      let references: [(TableDefinition) -> Void] = [
        { t in t.belongsTo("team") },
        { t in t.belongsTo("winner", inTable: "team") },
        { t in t.column("team").references("team") },
      ]
      for define in references {
        let error = databaseError { try db.create(table: "prize", body: define) }
        #expect(error?.message == "no such table: main.team")
      }
      let temporary = databaseError {
        try db.create(table: "prize", options: .temporary) { t in t.belongsTo("player") }
      }
      #expect(temporary?.message == "no such table: temp.player")
      #expect(throws: InvalidRequest.self) {
        try db.create(table: "prize", options: .temporary) { t in
          t.belongsTo("winner", inTable: "main.player")
        }
      }
      #expect(try !db.tableExists("prize"))
    }
  }

  @Test func `a foreign key leads to the table of its schema, also if another one hides it`()
    throws
  {
    try inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE archive.team (code TEXT PRIMARY KEY);
          CREATE TABLE archive.squad (id INTEGER PRIMARY KEY);
          CREATE TABLE teams (id INTEGER PRIMARY KEY);
          CREATE TEMPORARY TABLE player (id INTEGER PRIMARY KEY);
          """)
      let statements = try definitions(db) {
        try db.create(table: "prize") { t in
          t.belongsTo("team", indexed: false)
          t.belongsTo("player", indexed: false)
        }
        try db.create(table: "draft", options: .temporary) { t in
          t.belongsTo("player", indexed: false)
        }
        try db.execute(sql: "CREATE TABLE team (id INTEGER PRIMARY KEY)")
        try db.alter(table: "squad") { t in t.add(column: "teamCode", .text).references("team") }
      }
      #expect(
        statements == [
          #"CREATE TABLE "prize" ("teamId" INTEGER REFERENCES "teams"("id"), "#
            + #""playerCode" TEXT REFERENCES "player"("code"))"#,
          #"CREATE TEMPORARY TABLE "draft" ("playerId" INTEGER REFERENCES "player"("id"))"#,
          "CREATE TABLE team (id INTEGER PRIMARY KEY)",
          #"ALTER TABLE "squad" ADD COLUMN "teamCode" TEXT REFERENCES "team"("code")"#,
        ])
    }
  }

  @Test func `a table is changed, renamed and dropped in its schema`() throws {
    try inDatabase { db throws in
      try createTables(db)
      let statements = try definitions(db) {
        try db.alter(table: "archive.player") { t in
          t.add(column: "score", .integer).indexed()
          t.add(column: "rivalId", .integer).references("player")
          t.add(column: "oldTeamId", .integer).references("archive.team")
          t.rename(column: "name", to: "nick")
        }
        try db.rename(table: "archive.team", to: "club")
        try db.rename(table: "archive.club", to: "archive.squad")
        try db.drop(table: "archive.player")
      }
      #expect(
        statements == [
          #"ALTER TABLE "archive"."player" ADD COLUMN "score" INTEGER"#,
          #"CREATE INDEX "archive"."player_on_score" ON "player"("score")"#,
          #"ALTER TABLE "archive"."player" ADD COLUMN "rivalId" INTEGER REFERENCES "player"("id")"#,
          #"ALTER TABLE "archive"."player" ADD COLUMN "oldTeamId" INTEGER REFERENCES "team"("id")"#,
          #"ALTER TABLE "archive"."player" RENAME COLUMN "name" TO "nick""#,
          #"ALTER TABLE "archive"."team" RENAME TO "club""#,
          #"ALTER TABLE "archive"."club" RENAME TO "squad""#,
          #"DROP TABLE "archive"."player""#,
        ])
      #expect(try names(db, in: "archive") == ["squad"])
      #expect(try names(db, in: "main") == ["player"])
    }
  }

  @Test func `a table can't be renamed into another schema`() throws {
    try inDatabase { db throws in
      try createTables(db)
      for (name, newName) in [("player", "archive.user"), ("archive.team", "main.team")] {
        #expect(throws: InvalidRequest.self) { try db.rename(table: name, to: newName) }
      }
      #expect(try names(db, in: "main") == ["player"])
      #expect(try db.tableExists("archive.team"))
    }
  }

  @Test func `an index is created in the schema of its table, and dropped there`() throws {
    try inDatabase { db throws in
      try createTables(db)
      try db.create(index: "byName", on: "player", columns: ["name"])
      let statements = try definitions(db) {
        try db.create(index: "byName", on: "archive.player", columns: ["name", "id"])
        try db.create(index: "archive.byTeam", on: "archive.player", columns: ["teamId", "id"])
        try db.create(
          index: "archive.byLength", on: "player", expressions: [length(Column("name"))],
          options: .unique, condition: Column("teamId") != nil)
        try db.create(indexOn: "archive.team", columns: ["name"])
        try db.drop(index: "archive.byTeam")
        try db.drop(indexOn: "archive.player", columns: ["name", "id"])
        try db.drop(indexOn: "archive.team", columns: ["name"])
      }
      #expect(
        statements == [
          #"CREATE INDEX "archive"."byName" ON "player"("name", "id")"#,
          #"CREATE INDEX "archive"."byTeam" ON "player"("teamId", "id")"#,
          #"CREATE UNIQUE INDEX "archive"."byLength" ON "player"(LENGTH("name")) WHERE "teamId" IS NOT NULL"#,
          #"CREATE INDEX "archive"."index_team_on_name" ON "team"("name")"#,
          #"DROP INDEX "archive"."byTeam""#,
          #"DROP INDEX "archive"."byName""#,
          #"DROP INDEX "archive"."index_team_on_name""#,
        ])
      #expect(try names(db, in: "main") == ["byName", "player"])
      #expect(throws: InvalidRequest.self) {
        try db.create(index: "main.i", on: "archive.player", columns: ["name"])
      }
    }
  }

  @Test func `the index of a table is dropped, not the one of the same name in the main database`()
    throws
  {
    try inDatabase { db throws in
      try createTables(db)
      try db.create(index: "byName", on: "player", columns: ["name"])
      try db.create(index: "byName", on: "archive.team", columns: ["name"])
      try db.drop(indexOn: "team", columns: ["name"])
      #expect(try names(db, in: "main") == ["byName", "player"])
      #expect(try db.indexes(on: "archive.team").isEmpty)
    }
  }

  @Test func `a view is created in its schema, and dropped there`() throws {
    try inDatabase { db throws in
      try createTables(db)
      try db.execute(sql: "INSERT INTO archive.team (name) VALUES ('red'), ('blue')")
      let statements = try definitions(db) {
        try db.create(
          view: "archive.reds", as: Table("archive.team").filter(Column("name") == "red"))
        try db.create(
          view: "archive.teamName", options: .ifNotExists, columns: ["n"],
          asLiteral: "SELECT name FROM team")
      }
      #expect(
        statements == [
          #"CREATE VIEW "archive"."reds" AS SELECT * FROM "archive"."team" WHERE "name" = 'red'"#,
          #"CREATE VIEW IF NOT EXISTS "archive"."teamName" ("n") AS SELECT name FROM team"#,
        ])
      #expect(try Table("archive.reds").fetchCount(db) == 1)
      #expect(try Table("archive.teamName").order(Column("n")).fetchOne(db) == ["n": "blue"])
      #expect(try db.viewExists("archive.reds"))
      let drops = try definitions(db) { try db.drop(view: "archive.reds") }
      #expect(drops == [#"DROP VIEW "archive"."reds""#])
      #expect(try !db.viewExists("archive.reds"))
      #expect {
        try db.create(view: "teams", as: Table("archive.team").all())
      } throws: { error in
        "\(error)".contains("view \"teams\" cannot reference objects in database archive")
      }
    }
  }

  @Test func `a trigger is created in the schema of its table, and dropped there`() throws {
    try inDatabase { db throws in
      try createTables(db)
      for name in ["first", "archive.second"] {
        let statements = try definitions(db) {
          try db.create(trigger: name, .after, .update(of: ["name"]), on: "archive.team") { t in
            t.insert(into: "player", [Column("name").set(to: t.new["name"])])
          }
        }
        let created = name.hasSuffix("first") ? "first" : "second"
        #expect(
          statements == [
            #"CREATE TRIGGER "archive"."\#(created)" AFTER UPDATE OF "name" ON "team" BEGIN"#
              + "\n    " + #"INSERT INTO "player" ("name") VALUES ("NEW"."name");"# + "\nEND"
          ])
      }
      #expect(try db.triggerExists("archive.first"))
      try db.execute(sql: "INSERT INTO archive.team (name) VALUES ('red')")
      try db.execute(sql: "UPDATE archive.team SET name = 'blue'")
      #expect(try Table("archive.player").fetchCount(db) == 2)
      #expect(try Table("main.player").fetchCount(db) == 0)
      let drops = try definitions(db) {
        try db.drop(trigger: "archive.first")
        try db.drop(trigger: "archive.second")
      }
      #expect(drops == [#"DROP TRIGGER "archive"."first""#, #"DROP TRIGGER "archive"."second""#])
      #expect(throws: InvalidRequest.self) {
        try db.create(trigger: "main.t", .after, .delete, on: "archive.team") { t in
          t.delete(Table("player").all())
        }
      }
    }
  }

  @Test func `a trigger named with the schema of its table looks for the table there`() throws {
    try inDatabase { db throws in
      try createTables(db)
      try db.create(trigger: "archive.noTeam", .before, .update(of: ["teamId"]), on: "player") {
        t in t.raise(.abort, "no")
      }
      try db.execute(sql: "INSERT INTO archive.player (name) VALUES ('Alice')")
      #expect {
        try db.execute(sql: "UPDATE archive.player SET teamId = NULL")
      } throws: { error in DatabaseError.SQLITE_CONSTRAINT_TRIGGER ~= error }
    }
  }

  @Test(arguments: [true, false])
  func `a temporary trigger is on a table of any schema`(hasOption: Bool) throws {
    try inDatabase { db throws in
      try createTables(db)
      let statements = try definitions(db) {
        try db.create(
          trigger: hasOption ? "t" : "temp.t", .after, .delete, on: "archive.team",
          options: hasOption ? .temporary : []
        ) { t in t.delete(Table("player").all()) }
      }
      let name = hasOption ? #"TEMPORARY TRIGGER "t""# : #"TRIGGER "temp"."t""#
      #expect(
        statements == [
          #"CREATE \#(name) AFTER DELETE ON "archive"."team" BEGIN"#
            + "\n    " + #"DELETE FROM "player";"# + "\nEND"
        ])
      #expect(try db.triggerExists("t", in: "temp"))
    }
  }

  @Test func `SQLite reports that the statements of a trigger name no schema`() throws {
    try inDatabase { db throws in
      try createTables(db)
      #expect {
        try db.create(trigger: "t", .after, .delete, on: "archive.team") { t in
          t.delete(Table("archive.player").all())
        }
      } throws: { error in
        "\(error)".contains(
          "qualified table names are not allowed on INSERT, UPDATE, and DELETE statements")
      }
    }
  }

  @Test(.needs(.rTree)) func `a virtual table is created in its schema`() throws {
    try inDatabase { db throws in
      let statements = try definitions(db) {
        try db.create(virtualTable: "archive.place", using: "rtree(id, minX, maxX)")
      }
      #expect(
        statements.first == #"CREATE VIRTUAL TABLE "archive"."place" USING rtree(id, minX, maxX)"#)
      #expect(try db.tableExists("place", in: "archive"))
      #expect(throws: InvalidRequest.self) {
        try db.create(
          virtualTable: "archive.other", options: .temporary, using: "rtree(id, minX, maxX)")
      }
    }
  }

  @Test func `the main and the temporary schema have names, too`() throws {
    try inDatabase { db throws in
      let statements = try definitions(db) {
        try db.create(table: "main.a") { t in t.column("x", .integer).indexed() }
        try db.create(table: "temp.a") { t in t.column("y", .integer).indexed() }
        try db.drop(table: "main.a")
      }
      #expect(
        statements == [
          #"CREATE TABLE "main"."a" ("x" INTEGER)"#,
          #"CREATE INDEX "main"."a_on_x" ON "a"("x")"#,
          #"CREATE TABLE "temp"."a" ("y" INTEGER)"#,
          #"CREATE INDEX "temp"."a_on_y" ON "a"("y")"#,
          #"DROP TABLE "main"."a""#,
        ])
      #expect(try db.columns(in: "a").map(\.name) == ["y"])
    }
  }

  @Test func `a dot is a character as any other where there is no schema of that name`() throws {
    try inDatabase { db throws in
      let statements = try definitions(db) {
        try db.create(table: "v1.player") { t in t.column("name", .text).indexed() }
        try db.alter(table: "v1.player") { t in t.add(column: "score", .integer) }
        try db.create(indexOn: "v1.player", columns: ["score"])
        try db.rename(table: "v1.player", to: "v2.player")
        try db.drop(table: "v2.player")
      }
      #expect(
        statements == [
          #"CREATE TABLE "v1.player" ("name" TEXT)"#,
          #"CREATE INDEX "v1.player_on_name" ON "v1.player"("name")"#,
          #"ALTER TABLE "v1.player" ADD COLUMN "score" INTEGER"#,
          #"CREATE INDEX "index_v1.player_on_score" ON "v1.player"("score")"#,
          #"ALTER TABLE "v1.player" RENAME TO "v2.player""#,
          #"DROP TABLE "v2.player""#,
        ])
    }
  }

  @Test func `an object with this very name goes first`() throws {
    try inDatabase { db throws in
      try createTables(db)
      try db.execute(sql: #"CREATE TABLE "archive.team" (exact INTEGER)"#)
      #expect(try db.columns(in: "archive.team").map(\.name) == ["exact"])
      let statements = try definitions(db) {
        try db.create(table: "archive.team", options: .ifNotExists) { t in t.column("x") }
        try db.alter(table: "archive.team") { t in t.add(column: "y", .integer) }
        try db.drop(table: "archive.team")
        try db.drop(table: "archive.player")
      }
      #expect(
        statements == [
          #"CREATE TABLE IF NOT EXISTS "archive.team" ("x")"#,
          #"ALTER TABLE "archive.team" ADD COLUMN "y" INTEGER"#,
          #"DROP TABLE "archive.team""#,
          #"DROP TABLE "archive"."player""#,
        ])
      #expect(try names(db, in: "archive") == ["team"])
    }
  }

  @Test func `schemas may have dots in their names`() throws {
    try inDatabase { db throws in
      try db.execute(sql: #"ATTACH ':memory:' AS "old.archive"; ATTACH ':memory:' AS old"#)
      try db.execute(sql: #"CREATE TABLE "old.archive".team (a); CREATE TABLE old.player (b)"#)
      try db.drop(table: "old.archive.team")
      #expect(try names(db, in: #""old.archive""#) == [])
      try db.drop(table: "old.player")
      #expect(try names(db, in: "old") == [])
      #expect {
        try db.drop(table: "old.nope")
      } throws: { error in "\(error)".contains("no such table: old.nope") }
    }
  }
}
