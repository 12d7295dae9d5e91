import Quarry
import QuarryTestSupport
import Testing

@testable import QuarryMigrations

struct SchemaDescriptionTests {
  @Test(.needs(.rTree))
  func `a description has tables, columns, keys, indexes, views and triggers`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
          CREATE TABLE player (
            code TEXT PRIMARY KEY NOT NULL, name TEXT DEFAULT 'x', upper GENERATED ALWAYS AS (upper(name)),
            teamId INTEGER REFERENCES team ON DELETE CASCADE ON UPDATE SET NULL) WITHOUT ROWID;
          CREATE INDEX byName ON player(lower(name), code COLLATE NOCASE DESC) WHERE name <> '';
          CREATE VIEW v AS SELECT code, name FROM player;
          CREATE TRIGGER i INSTEAD OF INSERT ON v BEGIN SELECT 1; END;
          CREATE VIRTUAL TABLE place USING rtree(id, minX, maxX);
          """)
      let schema = try db.schemaDescription()
      #expect(schema.schemaID == .main)
      let names = schema.tables.map(\.name)
      #expect(names.contains("player") && names.contains("place") && names == names.sorted())
      let player = try #require(schema.tables.first { $0.name == "player" })
      #expect(player.primaryKey == ["code"])
      #expect(!player.hasRowID && !player.isVirtual)
      #expect(player.columns.map(\.name) == ["code", "name", "upper", "teamId"])
      #expect(player.columns.map(\.isGenerated) == [false, false, true, false])
      #expect(player.columns.map(\.isNotNull) == [true, false, false, false])
      #expect(player.columns[1].defaultValueSQL == "'x'")
      #expect(
        player.foreignKeys == [
          .init(
            columns: ["teamId"], destinationTable: "team", destinationColumns: ["id"],
            onDelete: "CASCADE", onUpdate: "SET NULL")
        ])
      let index = try #require(player.indexes.first { $0.name == "byName" })
      #expect(index.isPartial && !index.isUnique && index.origin == .createIndex)
      #expect(
        index.terms == [
          .init(column: nil, isDescending: false, collation: "BINARY"),
          .init(column: "code", isDescending: true, collation: "NOCASE"),
        ])
      let team = try #require(schema.tables.first { $0.name == "team" })
      #expect(team.indexes.map(\.origin) == [.uniqueConstraint])
      #expect(team.indexes[0].sql == nil)
      #expect(schema.tables.first { $0.name == "place" }?.isVirtual == true)
      #expect(schema.views.map(\.name) == ["v"])
      #expect(schema.views[0].columns.map(\.name) == ["code", "name"])
      #expect(schema.triggers.map(\.name) == ["i"])
      #expect(schema.triggers[0].table == "v")
    }
  }

  @Test func `each schema has its description`() throws {
    try DatabaseQueue().inDatabase { db throws in
      try db.execute(
        sql: """
          ATTACH DATABASE ':memory:' AS "other one";
          CREATE TABLE "other one".a (id INTEGER PRIMARY KEY);
          CREATE TEMPORARY TABLE b (id INTEGER PRIMARY KEY);
          """)
      try #expect(db.schemaDescription().tables.isEmpty)
      try #expect(db.schemaDescription(in: "temp").tables.map(\.name) == ["b"])
      try #expect(db.schemaDescription(in: "OTHER ONE").tables.map(\.name) == ["a"])
      let error = #expect(throws: DatabaseError.self) { _ = try db.schemaDescription(in: "nope") }
      #expect(error?.message == "no such schema: nope")
    }
  }

  @Test func `descriptions are equal when schemas are, and follow all changes`() throws {
    let queue = try makeBookshopDatabase()
    let before = try queue.read { try $0.schemaDescription() }
    try #expect(makeBookshopDatabase().read { try $0.schemaDescription() } == before)
    try queue.write { db in
      try db.execute(sql: "CREATE INDEX x ON book(title)")
      try #expect(db.schemaDescription() != before)
      try db.inSavepoint {
        try db.execute(sql: "DROP INDEX x")
        try #expect(db.schemaDescription() == before)
        return .rollback
      }
      try #expect(db.schemaDescription() != before)
      try db.drop(index: "x")
      try #expect(db.schemaDescription() == before)
    }
  }
}
