import Quarry
import QuarryTestSupport
import Testing

/// 'Convention for the HasMany Association': the same migration, seen from the warehouse.
struct ConventionForTheHasManyAssociation {
  struct Crate: Codable, Equatable, FetchableRecord, TableRecord {
    var id: Int64
    var label: String?
  }

  struct Warehouse: Codable, Equatable, FetchableRecord, TableRecord {
    static let crates = hasMany(Crate.self)

    var id: Int64
    var name: String?
  }

  struct WarehouseInfo: Decodable, Equatable, FetchableRecord {
    var warehouse: Warehouse
    var crates: [Crate]
  }

  static let infos = [
    WarehouseInfo(
      warehouse: Warehouse(id: 1, name: "Harbor"), crates: [Crate(id: 2, label: "Novels")]),
    WarehouseInfo(
      warehouse: Warehouse(id: 2, name: "Attic"), crates: [Crate(id: 1, label: "Maps")]),
  ]

  @Test func `the parent fetches its children through the same foreign key`() throws {
    try ConventionForTheBelongsToAssociation.makeDepot().read { db in
      let request = Warehouse.including(all: Warehouse.crates).order(Column("id"))
      try #expect(WarehouseInfo.fetchAll(db, request) == Self.infos)
    }
  }

  @Test func `a foreign key that the schema lacks is given to the association`() throws {
    let crates = Warehouse.hasMany(Crate.self, using: ForeignKey(["place"]))
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE warehouse (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE crate (id INTEGER PRIMARY KEY, place INTEGER, label TEXT);
        INSERT INTO warehouse VALUES (1, 'Harbor'), (2, 'Attic');
        INSERT INTO crate VALUES (1, 2, 'Maps'), (2, 1, 'Novels'), (3, NULL, 'Birds');
        """)
    try dbQueue.read { db in
      let request = Warehouse.including(all: crates).order(Column("id"))
      try #expect(WarehouseInfo.fetchAll(db, request) == Self.infos)
      try #expect(
        sql(of: Warehouse.joining(required: crates), in: db).sql == """
          SELECT "warehouse".* FROM "warehouse" JOIN "crate" ON "crate"."place" = "warehouse"."id"
          """)
      let error = errorText { try Warehouse.including(all: Warehouse.crates).fetchAll(db) }
      #expect(error?.contains("Could not infer foreign key from 'crate' to 'warehouse'") == true)
    }
  }
}
