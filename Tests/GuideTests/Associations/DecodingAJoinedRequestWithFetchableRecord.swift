import Quarry
import QuarryTestSupport
import Testing

/// 'Decoding a Joined Request with FetchableRecord': `init(row:)` and the tree of association keys.
struct DecodingAJoinedRequestWithFetchableRecord {
  typealias Crate = Depot.Crate
  typealias Warehouse = Depot.Warehouse
  typealias City = Depot.City
  typealias Seal = Depot.Seal

  struct CrateInfo: FetchableRecord {
    var warehouse: Warehouse
    var city: City?
    var crate: Crate
    var seal: Seal?

    // The columns of the crate are those of the row itself, the others are in its scopes.
    init(row: Row) throws {
      seal = row["seal"]
      warehouse = row["warehouse"]
      city = row["city"]
      crate = try Crate(row: row)
    }
  }

  @Test func `init from a row reads records by association key`() throws {
    try Depot.make().read { db in
      let request =
        Crate
        .including(
          required: Crate.warehouse
            .including(optional: Warehouse.city)
        )
        .including(optional: Crate.seal)
      let crateInfos: [CrateInfo] = try CrateInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        crateInfos.map(\.crate) == [Depot.maps, Depot.novels, Depot.poems])
      #expect(
        crateInfos.map(\.warehouse) == [Depot.harbor, Depot.attic, Depot.harbor])
      #expect(crateInfos.map(\.city) == [Depot.lisbon, nil, Depot.lisbon])
      #expect(crateInfos.map(\.seal) == [nil, Depot.seal, nil])
    }
  }

  @Test func `a row is read by column and by association key`() throws {
    try Depot.make().read { db in
      let request = Crate.filter(key: 2)
        .including(required: Crate.warehouse.including(optional: Warehouse.city))
      let row = try #require(try Row.fetchOne(db, request))
      let label: String = row["label"]
      #expect(label == "Novels")
      let warehouse: Warehouse = row["warehouse"]
      #expect(warehouse == Depot.attic)
      // Columns that are all NULL, and a key that is not there.
      let city: City? = row["city"]
      #expect(city == nil)
      let seal: Seal? = row["seal"]
      #expect(seal == nil)
      // Navigation in the tree
      #expect(row.scopes["warehouse"]?.scopes["city"]?.containsNonNullValue == false)
      #expect(row.scopes["warehouse"]?["name"] == "Attic")
    }
  }

  /// The fetch throws for a missing record.
  @Test func `a missing or null scope throws an error that names its key`() throws {
    try Depot.make().read { db in
      let withoutWarehouse = errorText { try CrateInfo.fetchAll(db, Crate.all()) }
      #expect(withoutWarehouse?.contains(#"scope not found: "warehouse""#) == true)
      let nullWarehouse = Crate.including(optional: Crate.warehouse.none())
      let error = errorText { try CrateInfo.fetchAll(db, nullWarehouse) }
      #expect(error?.contains(#"scope "warehouse" only contains null values"#) == true)
    }
  }

  struct WarehouseInfo: FetchableRecord {
    var warehouse: Warehouse
    var crates: [Crate]

    init(row: Row) throws {
      warehouse = try Warehouse(row: row)
      crates = row["crates"]
    }
  }

  struct WarehouseInfoWithSet: FetchableRecord {
    var crates: Set<Crate>

    init(row: Row) {
      crates = row["crates"]
    }
  }

  @Test func `prefetched rows are read as arrays and sets`() throws {
    try Depot.make().read { db in
      let request = Warehouse.including(all: Warehouse.crates).orderByPrimaryKey()
      let warehouseInfos: [WarehouseInfo] = try WarehouseInfo.fetchAll(db, request)
      #expect(warehouseInfos.map(\.warehouse) == [Depot.attic, Depot.harbor])
      #expect(
        warehouseInfos.map(\.crates)
          == [[Depot.novels], [Depot.maps, Depot.poems]])
      let sets = try WarehouseInfoWithSet.fetchAll(db, request)
      #expect(
        sets.map(\.crates) == [[Depot.novels], [Depot.poems, Depot.maps]])
    }
  }
}
