import Quarry
import QuarryTestSupport
import Testing

/// 'Debugging Request Decoding': the debug description of rows.
struct DebuggingRequestDecoding {
  typealias Crate = Depot.Crate
  typealias Warehouse = Depot.Warehouse

  static let request =
    Crate
    .including(
      required: Crate.warehouse
        .including(optional: Warehouse.city)
    )
    .including(optional: Crate.seal)
    .including(all: Crate.repairs)

  @Test func `the debug description of a row is the tree of its scopes`() throws {
    try Depot.make().read { db in
      let rows = try Row.fetchAll(db, Self.request.orderByPrimaryKey())
      let maps = #"[id:1 warehouseId:2 label:"Maps"]"#
      let harbor = #"id:2 name:"Harbor" cityCode:"LX""#
      let lisbon = #"code:"LX" name:"Lisbon""#
      #expect(
        rows[0].debugDescription == """
          ▿ \(maps)
            unadapted: [id:1 warehouseId:2 label:"Maps" \(harbor) \(lisbon) \
          id:NULL crateId:NULL number:NULL]
            - seal: [id:NULL crateId:NULL number:NULL]
            - warehouse: [\(harbor)]
              - city: [\(lisbon)]
            + repairs: 3 rows
          """)
      #expect(rows[1].debugDescription.hasSuffix("\n  + repairs: 0 row"))
      #expect(rows[2].debugDescription.hasSuffix("\n  + repairs: 1 row"))
    }
  }

  /// Null rows are decoded into Swift optionals.
  @Test func `scopes that are all null are decoded as nil`() throws {
    struct CrateInfo: FetchableRecord, Decodable {
      var crate: Crate
      var warehouse: Warehouse  // .including(required: Crate.warehouse)
      var city: Depot.City?  // .including(optional: Warehouse.city)
      var seal: Depot.Seal?  // .including(optional: Crate.seal)
      var repairs: [Depot.Repair]  // .including(all: Crate.repairs)
    }
    try Depot.make().read { db in
      let infos = try CrateInfo.fetchAll(db, Self.request.orderByPrimaryKey())
      #expect(infos.map(\.warehouse.name) == ["Harbor", "Attic", "Harbor"])
      #expect(infos.map(\.city) == [Depot.lisbon, nil, Depot.lisbon])
      #expect(infos.map(\.seal) == [nil, Depot.seal, nil])
      #expect(infos.map { $0.repairs.map(\.id).sorted() } == [[1, 2, 3], [], [4]])
    }
  }

  @Test func `the tree shows the key given by forKey`() throws {
    try Depot.make().read { db in
      let request =
        Crate
        .including(optional: Crate.warehouse.forKey("origin"))  // customized association key
      let rows = try Row.fetchAll(db, request.orderByPrimaryKey())
      let harbor = #"id:2 name:"Harbor" cityCode:"LX""#
      #expect(
        rows[0].debugDescription == """
          ▿ [id:1 warehouseId:2 label:"Maps"]
            unadapted: [id:1 warehouseId:2 label:"Maps" \(harbor)]
            - origin: [\(harbor)]
          """)
    }
  }
}
