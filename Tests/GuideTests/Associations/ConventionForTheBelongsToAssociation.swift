import Quarry
import QuarryTestSupport
import Testing

/// 'Convention for the BelongsTo Association': the recommended migration, and schemas without
/// foreign keys.
struct ConventionForTheBelongsToAssociation {
  struct Warehouse: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String?
  }

  struct Crate: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let warehouse = belongsTo(Warehouse.self)

    var id: Int64
    var warehouseId: Int64?
    var label: String?
  }

  static func makeDepot() throws -> DatabaseQueue {
    let dbQueue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Depot") { db in
      try db.create(table: "warehouse") { t in
        // The key that the crates refer to.
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).unique()
      }
      try db.create(table: "crate") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("label", .text)
        // The name of the table and of its key, an index for the joins, and no crate without
        // warehouse.
        t.column("warehouseId", .integer).references("warehouse", onDelete: .cascade)
          .indexed().notNull()
      }
    }
    try migrator.migrate(dbQueue)
    try dbQueue.write { db in
      try db.execute(
        sql: """
          INSERT INTO warehouse (name) VALUES ('Harbor'), ('Attic');
          INSERT INTO crate (warehouseId, label) VALUES (2, 'Maps'), (1, 'Novels');
          """)
    }
    return dbQueue
  }

  @Test func `the recommended migration makes an indexed foreign key that is not null`() throws {
    try Self.makeDepot().write { db in
      try #expect(db.primaryKey("warehouse").columns == ["id"])
      let column = try #require(try db.columns(in: "crate").first { $0.name == "warehouseId" })
      #expect(column.isNotNull)
      #expect(column.type == "INTEGER")
      try #expect(db.indexes(on: "crate").map(\.name) == ["crate_on_warehouseId"])
      let foreignKey = try #require(try db.foreignKeys(on: "crate").first)
      #expect(foreignKey.destinationTable == "warehouse")
      #expect(foreignKey.mapping.map { [$0.origin, $0.destination] } == [["warehouseId", "id"]])
      let stray = Crate(id: 3, warehouseId: 12, label: "Birds")
      #expect(databaseError { try stray.insert(db) }?.resultCode == .SQLITE_CONSTRAINT)
      try Warehouse.deleteOne(db, key: 2)
      try #expect(Crate.fetchAll(db) == [Crate(id: 2, warehouseId: 1, label: "Novels")])
    }
  }

  @Test func `the association needs no more than the two types`() throws {
    try Self.makeDepot().read { db in
      let request = Crate.including(required: Crate.warehouse).orderByPrimaryKey()
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "crate".*, "warehouse".* FROM "crate" \
          JOIN "warehouse" ON "warehouse"."id" = "crate"."warehouseId" ORDER BY "crate"."id"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.scopes["warehouse"]?["name"] } == ["Attic", "Harbor"])
    }
  }

  enum Composite {
    struct Bin: Codable, Equatable, FetchableRecord, TableRecord {
      var aisle: Int64
      var level: String
    }

    struct Pallet: Codable, Equatable, FetchableRecord, TableRecord {
      static let bin = belongsTo(Bin.self)

      var id: Int64
    }
  }

  /// All primary keys are supported, including composite ones.
  @Test func `foreign keys of several columns join on all of them`() throws {
    typealias Pallet = Composite.Pallet
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE bin (
          aisle INTEGER NOT NULL, level TEXT NOT NULL,
          PRIMARY KEY (aisle, level));
        CREATE TABLE pallet (
          id INTEGER PRIMARY KEY, aisle INTEGER, level TEXT,
          FOREIGN KEY (aisle, level) REFERENCES bin);
        INSERT INTO bin VALUES (1, 'low'), (1, 'top');
        INSERT INTO pallet VALUES (1, 1, 'top'), (2, 1, NULL), (3, 1, 'low');
        """)
    try dbQueue.read { db in
      let request = Pallet.including(optional: Pallet.bin).order(Column("id"))
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "pallet".*, "bin".* FROM "pallet" LEFT JOIN "bin" \
          ON ("bin"."aisle" = "pallet"."aisle") \
          AND ("bin"."level" = "pallet"."level") ORDER BY "pallet"."id"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(
        rows.map { $0.scopes["bin"]?.description } == [
          #"[aisle:1 level:"top"]"#, "[aisle:NULL level:NULL]",
          #"[aisle:1 level:"low"]"#,
        ])
    }
  }
}
