import Quarry
import QuarryTestSupport
import Testing

/// 'The Structure of a Joined Request': the tree of association keys.
struct TheStructureOfAJoinedRequest {
  typealias Crate = Depot.Crate
  typealias Warehouse = Depot.Warehouse

  @Test func `rows have the tree of the association keys of the request`() throws {
    struct CrateInfo: FetchableRecord, Decodable, Equatable {
      var crate: Crate
      var warehouse: Warehouse
      var city: Depot.City?
      var seal: Depot.Seal?
    }
    try Depot.make().read { db in
      let request =
        Crate
        .including(
          required: Crate.warehouse
            .including(optional: Warehouse.city)
        )
        .including(optional: Crate.seal)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "crate".*, "warehouse".*, "city".*, "seal".* FROM "crate" \
          JOIN "warehouse" ON "warehouse"."id" = "crate"."warehouseId" \
          LEFT JOIN "city" ON "city"."code" = "warehouse"."cityCode" \
          LEFT JOIN "seal" ON "seal"."crateId" = "crate"."id"
          """)
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row.scopes.names.sorted() == ["seal", "warehouse"])
      #expect(row.scopes["warehouse"]?.scopes.names == ["city"])
      #expect(Set(row.scopesTree.names) == ["warehouse", "city", "seal"])

      let crateInfos: [CrateInfo] = try CrateInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        crateInfos == [
          CrateInfo(
            crate: Depot.maps, warehouse: Depot.harbor, city: Depot.lisbon,
            seal: nil),
          CrateInfo(
            crate: Depot.novels, warehouse: Depot.attic, city: nil,
            seal: Depot.seal),
          CrateInfo(
            crate: Depot.poems, warehouse: Depot.harbor, city: Depot.lisbon,
            seal: nil),
        ])
    }
  }

  @Test func `default keys are the singular or the plural of the table`() throws {
    try Depot.make().read { db in
      let warehouses = Warehouse.including(all: Warehouse.crates)  // association key "crates"
      try #expect(Row.fetchOne(db, warehouses)?.prefetchedRows.keys == ["crates"])
      let crates = Crate.including(required: Crate.warehouse)  // association key "warehouse"
      try #expect(Row.fetchOne(db, crates)?.scopes.names == ["warehouse"])
    }
  }

  @Test func `a definition has the key that it is given`() throws {
    typealias Subject = SelfJoins.Subject
    try SelfJoins.makeThesaurus().read { db in
      let request = Subject.including(optional: Subject.broader)  // association key "broader"
      try #expect(Row.fetchOne(db, request)?.scopes.names == ["broader"])
    }
  }

  @Test func `forKey changes the key of a prefetch`() throws {
    let early = Warehouse.crates
      .filter(Column("label") < "Poems")
      .forKey("earlyCrates")
    try Depot.make().read { db in
      // association key "earlyCrates"
      let request = Warehouse.including(all: early).order(Column("id"))
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0.prefetchedRows.keys } == [["earlyCrates"], ["earlyCrates"]])
      let labels = rows.map { $0.prefetchedRows["earlyCrates"]?.map { $0["label"] as String } }
      #expect(labels == [["Novels"], ["Maps"]])
    }
  }
}
