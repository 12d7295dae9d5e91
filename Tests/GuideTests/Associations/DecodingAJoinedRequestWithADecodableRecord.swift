import Quarry
import QuarryTestSupport
import Testing

/// 'Decoding a Joined Request with a Decodable Record': flat, and hierarchical.
struct DecodingAJoinedRequestWithADecodableRecord {
  @Test func `a flat record has a property for each key of the tree`() throws {
    typealias Crate = Depot.Crate
    struct CrateInfo: FetchableRecord, Decodable, Equatable {
      var warehouse: Depot.Warehouse
      var crate: Crate
      var seal: Depot.Seal?
      var city: Depot.City?
    }
    try Depot.make().read { db in
      let request = Crate.order(Column("label"))
        .including(required: Crate.warehouse.including(optional: Depot.Warehouse.city))
        .including(optional: Crate.seal)
      try #expect(
        CrateInfo.fetchAll(db, request) == [
          CrateInfo(warehouse: Depot.harbor, crate: Depot.maps, seal: nil, city: Depot.lisbon),
          CrateInfo(warehouse: Depot.attic, crate: Depot.novels, seal: Depot.seal, city: nil),
          CrateInfo(warehouse: Depot.harbor, crate: Depot.poems, seal: nil, city: Depot.lisbon),
        ])
    }
  }

  typealias Edition = Catalog.Edition
  typealias Company = Catalog.Company
  typealias City = Catalog.City

  struct EditionInfo: FetchableRecord, Decodable, Equatable {
    struct CompanyInfo: Decodable, Equatable {
      var city: City?
      var company: Company
    }

    var edition: Edition
    var jacket: Jacket?
    var printerInfo: CompanyInfo?
    var publisherInfo: CompanyInfo

    static func all() -> QueryInterfaceRequest<EditionInfo> {
      Edition.including(optional: EditionInfo.jacketAssociation)
        .including(
          required: Edition.publisher
            .forKey(CodingKeys.publisherInfo)
            .including(optional: Company.city)
        )
        .including(
          optional: Edition.printer
            .forKey(CodingKeys.printerInfo)
            .including(optional: Company.city)
        )
        .asRequest(of: EditionInfo.self)
    }

    static let jacketAssociation = Edition.hasOne(Jacket.self)
  }

  struct Jacket: Codable, Equatable, FetchableRecord, TableRecord {
    var editionId: Int64
    var path: String
  }

  @Test func `nested records follow the tree of keys`() throws {
    let dbQueue = try Catalog.make()
    try dbQueue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE jacket (editionId INTEGER REFERENCES edition(id), path TEXT);
          INSERT INTO jacket VALUES (3, 'ports.png');
          """)
    }
    try dbQueue.read { db in
      let editionInfos = try EditionInfo.all().order(Column("id")).fetchAll(db)
      let inLisbon = EditionInfo.CompanyInfo(city: Catalog.lisbon, company: Catalog.meridian)
      #expect(
        editionInfos == [
          EditionInfo(
            edition: Catalog.maps,
            printerInfo: .init(city: Catalog.antwerp, company: Catalog.folio),
            publisherInfo: inLisbon),
          EditionInfo(edition: Catalog.towns, publisherInfo: inLisbon),
          EditionInfo(
            edition: Catalog.ports, jacket: Jacket(editionId: 3, path: "ports.png"),
            publisherInfo: .init(city: Catalog.antwerp, company: Catalog.quayside)),
          EditionInfo(
            edition: Catalog.lakes, publisherInfo: .init(city: nil, company: Catalog.atlas)),
        ])
      try #expect(
        sql(of: EditionInfo.all(), in: db).sql == """
          SELECT "edition".*, "jacket".*, "company1".*, "city1".*, "company2".*, "city2".* \
          FROM "edition" LEFT JOIN "jacket" ON "jacket"."editionId" = "edition"."id" \
          JOIN "company" "company1" ON "company1"."id" = "edition"."publisherId" \
          LEFT JOIN "city" "city1" ON "city1"."code" = "company1"."cityCode" \
          LEFT JOIN "company" "company2" ON "company2"."id" = "edition"."printerId" \
          LEFT JOIN "city" "city2" ON "city2"."code" = "company2"."cityCode"
          """)
    }
  }

  /// Prefetched rows feed arrays and sets of nested records too.
  @Test func `prefetched rows feed sets of nested records`() throws {
    struct CompanyInfo: FetchableRecord, Decodable, Equatable {
      struct EditionInfo: Decodable, Hashable {
        var edition: Edition
        var printer: Company?
      }
      var company: Company
      var editions: Set<EditionInfo>
    }
    try Catalog.make().read { db in
      let request = Company.including(
        all: Company.editions.including(optional: Edition.printer))
      let info = try CompanyInfo.fetchOne(db, request.filter(key: 1))
      #expect(
        info
          == CompanyInfo(
            company: Catalog.meridian,
            editions: [
              .init(edition: Catalog.maps, printer: Catalog.folio),
              .init(edition: Catalog.towns, printer: nil),
            ]))
    }
  }
}
