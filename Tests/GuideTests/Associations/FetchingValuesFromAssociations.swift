import Quarry
import QuarryTestSupport
import Testing

/// 'Fetching Values from Associations': what each joining method feeds.
struct FetchingValuesFromAssociations {
  typealias Crate = Depot.Crate
  typealias Warehouse = Depot.Warehouse

  @Test func `including optional feeds an optional property`() throws {
    typealias Subject = SelfJoins.Subject
    struct SubjectInfo: FetchableRecord, Decodable, Equatable {
      var subject: Subject
      var broader: Subject?  // the optional associated broader
    }
    try SelfJoins.makeThesaurus().read { db in
      let request = Subject.including(optional: Subject.broader)
      let subjectInfos: [SubjectInfo] =
        try SubjectInfo
        .fetchAll(db, request.orderByPrimaryKey())
      #expect(
        subjectInfos == [
          SubjectInfo(subject: SelfJoins.science, broader: nil),
          SubjectInfo(subject: SelfJoins.botany, broader: SelfJoins.science),
          SubjectInfo(subject: SelfJoins.physics, broader: SelfJoins.science),
        ])
    }
  }

  @Test func `including required feeds a property`() throws {
    struct CrateInfo: FetchableRecord, Decodable, Equatable {
      var crate: Crate
      var warehouse: Warehouse  // the required associated warehouse
    }
    try Depot.make().read { db in
      let request = Crate.including(required: Crate.warehouse)
      let crateInfos: [CrateInfo] = try CrateInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        crateInfos == [
          CrateInfo(crate: Depot.maps, warehouse: Depot.harbor),
          CrateInfo(crate: Depot.novels, warehouse: Depot.attic),
          CrateInfo(crate: Depot.poems, warehouse: Depot.harbor),
        ])
    }
  }

  @Test func `including all feeds an array`() throws {
    struct WarehouseInfo: FetchableRecord, Decodable, Equatable {
      var warehouse: Warehouse
      var crates: [Crate]  // all associated crates
    }
    try Depot.make().read { db in
      let request = Warehouse.including(all: Warehouse.crates)
      let warehouseInfos: [WarehouseInfo] = try WarehouseInfo.fetchAll(
        db, request.orderByPrimaryKey())
      #expect(
        warehouseInfos == [
          WarehouseInfo(warehouse: Depot.attic, crates: [Depot.novels]),
          WarehouseInfo(warehouse: Depot.harbor, crates: [Depot.maps, Depot.poems]),
        ])
    }
  }

  @Test func `including all feeds a set`() throws {
    struct WarehouseInfo: FetchableRecord, Decodable, Equatable {
      var warehouse: Warehouse
      var crates: Set<Crate>
    }
    try Depot.make().read { db in
      let request = Warehouse.including(all: Warehouse.crates)
      let warehouseInfos: [WarehouseInfo] = try WarehouseInfo.fetchAll(
        db, request.orderByPrimaryKey())
      #expect(
        warehouseInfos == [
          WarehouseInfo(warehouse: Depot.attic, crates: [Depot.novels]),
          WarehouseInfo(warehouse: Depot.harbor, crates: [Depot.poems, Depot.maps]),
        ])
    }
  }
}
