import Quarry
import QuarryTestSupport
import Testing

/// 'BelongsTo': each crate belongs to a warehouse.
struct BelongsTo {
  struct Warehouse: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var name: String?
  }

  struct Crate: Codable, Equatable, FetchableRecord, PersistableRecord {
    static let warehouse: BelongsToAssociation<Crate, Warehouse> = belongsTo(Warehouse.self)

    var id: Int64
    var warehouseId: Int64?
    var label: String?
  }

  struct CrateInfo: Decodable, Equatable, FetchableRecord {
    var crate: Crate
    var warehouse: Warehouse
  }

  /// A crate is in one warehouse, and goes with it.
  static func makeDepot() throws -> DatabaseQueue {
    let dbQueue = try DatabaseQueue()
    try dbQueue.write { db in
      try db.create(table: "warehouse") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).collate(.nocase)
      }
      try db.create(table: "crate") { t in
        t.column("label", .text)
        t.autoIncrementedPrimaryKey("id")
        t.belongsTo("warehouse", onDelete: .cascade).notNull()
      }
      try db.execute(
        sql: """
          INSERT INTO warehouse (name) VALUES ('Harbor'), ('Attic');
          INSERT INTO crate (warehouseId, label) VALUES (2, 'Maps'), (1, 'Novels');
          """)
    }
    return dbQueue
  }

  @Test func `including fetches crates with their warehouse`() throws {
    try Self.makeDepot().read { db in
      let request = Crate.including(required: Crate.warehouse)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "crate".*, "warehouse".* FROM "crate" \
            JOIN "warehouse" ON "warehouse"."id" = "crate"."warehouseId"
            """))
      try #expect(
        CrateInfo.fetchAll(db, request.orderByPrimaryKey()) == [
          CrateInfo(
            crate: Crate(id: 1, warehouseId: 2, label: "Maps"),
            warehouse: Warehouse(id: 2, name: "Attic")),
          CrateInfo(
            crate: Crate(id: 2, warehouseId: 1, label: "Novels"),
            warehouse: Warehouse(id: 1, name: "Harbor")),
        ])
    }
  }

  @Test func `t.belongsTo makes an indexed foreign key that is enforced`() throws {
    try Self.makeDepot().write { db in
      let foreignKeys = try db.foreignKeys(on: "crate")
      #expect(foreignKeys.count == 1)
      #expect(foreignKeys.first?.destinationTable == "warehouse")
      #expect(foreignKeys.first?.originColumns == ["warehouseId"])
      #expect(foreignKeys.first?.destinationColumns == ["id"])
      try #expect(db.indexes(on: "crate").map(\.columns) == [["warehouseId"]])
      // No crate without warehouse, and none with a missing one.
      let orphan = Crate(id: 3, warehouseId: nil, label: "Birds")
      #expect(
        databaseError { try orphan.insert(db) }?.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
      let stray = Crate(id: 3, warehouseId: 12, label: "Birds")
      #expect(
        databaseError { try stray.insert(db) }?.extendedResultCode
          == .SQLITE_CONSTRAINT_FOREIGNKEY)
      // The crates of a warehouse go with the warehouse.
      try Warehouse.deleteOne(db, key: 1)
      try #expect(Crate.fetchAll(db) == [Crate(id: 1, warehouseId: 2, label: "Maps")])
    }
  }

  enum WithoutForeignKey {
    struct Warehouse: Codable, Equatable, FetchableRecord, TableRecord {
      var id: Int64
      var name: String?
    }

    struct Crate: Codable, Equatable, FetchableRecord, TableRecord {
      static let warehouse = belongsTo(Warehouse.self, using: ForeignKey(["place"]))
      static let inferredWarehouse = belongsTo(Warehouse.self)

      var id: Int64
      var place: Int64?
    }
  }

  @Test func `a foreign key that the schema lacks is given to the association`() throws {
    typealias Crate = WithoutForeignKey.Crate
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE warehouse (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE crate (id INTEGER PRIMARY KEY, place INTEGER);
        INSERT INTO warehouse VALUES (1, 'Harbor'), (2, 'Attic');
        INSERT INTO crate VALUES (1, 2), (2, NULL), (3, 12);
        """)
    try dbQueue.read { db in
      let request = Crate.including(optional: Crate.warehouse).orderByPrimaryKey()
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "crate".*, "warehouse".* FROM "crate" \
            LEFT JOIN "warehouse" ON "warehouse"."id" = "crate"."place" ORDER BY "crate"."id"
            """))
      let rows = try Row.fetchAll(db, request)
      let names = rows.map { $0.scopes["warehouse"]?["name"] as String? }
      #expect(names == ["Attic", nil, nil])
      let error = errorText {
        try Crate.including(optional: Crate.inferredWarehouse).fetchAll(db)
      }
      #expect(
        error?.contains("Could not infer foreign key from 'crate' to 'warehouse'") == true)
    }
  }
}
