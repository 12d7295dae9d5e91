import Quarry
import QuarryTestSupport
import Testing

/// 'HasMany': each warehouse has zero or more crates.
struct HasMany {
  struct Warehouse: Codable, Equatable, FetchableRecord, TableRecord {
    static let crates: HasManyAssociation<Warehouse, Crate> = hasMany(Crate.self)

    var id: Int64
    var name: String
  }

  struct Crate: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var warehouseId: Int64
    var label: String
  }

  @Test func `prefetches keep each warehouse once, and joins repeat it`() throws {
    struct WarehouseInfo: Decodable, Equatable, FetchableRecord {
      var warehouse: Warehouse
      var crates: [Crate]
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE warehouse (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE crate (
          id INTEGER PRIMARY KEY, warehouseId INTEGER NOT NULL REFERENCES warehouse(id),
          label TEXT NOT NULL);
        INSERT INTO warehouse VALUES (1, 'Harbor'), (2, 'Attic'), (3, 'Cellar');
        INSERT INTO crate VALUES (1, 2, 'Maps'), (2, 1, 'Novels'), (3, 2, 'Poems');
        """)
    try dbQueue.read { db in
      let request = Warehouse.orderByPrimaryKey().including(
        all: Warehouse.crates.order(Column("id")))
      try #expect(
        WarehouseInfo.fetchAll(db, request) == [
          WarehouseInfo(
            warehouse: Warehouse(id: 1, name: "Harbor"),
            crates: [Crate(id: 2, warehouseId: 1, label: "Novels")]),
          WarehouseInfo(
            warehouse: Warehouse(id: 2, name: "Attic"),
            crates: [
              Crate(id: 1, warehouseId: 2, label: "Maps"),
              Crate(id: 3, warehouseId: 2, label: "Poems"),
            ]),
          WarehouseInfo(warehouse: Warehouse(id: 3, name: "Cellar"), crates: []),
        ])
      let joined = Warehouse.including(required: Warehouse.crates)
      try #expect(
        sql(of: joined, in: db)
          == RenderedSQL(
            """
            SELECT "warehouse".*, "crate".* FROM "warehouse" \
            JOIN "crate" ON "crate"."warehouseId" = "warehouse"."id"
            """))
      // A join multiplies the warehouses.
      let names = try joined.order(sql: "crate.id").fetchAll(db).map(\.name)
      #expect(names == ["Attic", "Harbor", "Attic"])
    }
  }
}
