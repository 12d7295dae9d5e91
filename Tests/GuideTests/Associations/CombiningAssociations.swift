import Quarry
import QuarryTestSupport
import Testing

/// 'Combining Associations': in parallel, chained, with intermediates skipped.
struct CombiningAssociations {
  typealias Edition = Catalog.Edition
  typealias Company = Catalog.Company
  typealias City = Catalog.City

  @Test func `two associations of one table are joined in parallel`() throws {
    struct EditionInfo: FetchableRecord, Decodable, Equatable {
      var edition: Edition
      var publisher: Company
      var printer: Company?
    }
    try Catalog.make().read { db in
      let request =
        Edition
        .including(required: Edition.publisher)
        .including(optional: Edition.printer)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "company1".*, "company2".* FROM "edition" \
          JOIN "company" "company1" ON "company1"."id" = "edition"."publisherId" \
          LEFT JOIN "company" "company2" ON "company2"."id" = "edition"."printerId"
          """)
      let editionInfos: [EditionInfo] = try EditionInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        editionInfos == [
          EditionInfo(edition: Catalog.maps, publisher: Catalog.meridian, printer: Catalog.folio),
          EditionInfo(edition: Catalog.towns, publisher: Catalog.meridian, printer: nil),
          EditionInfo(edition: Catalog.ports, publisher: Catalog.quayside, printer: nil),
          EditionInfo(edition: Catalog.lakes, publisher: Catalog.atlas, printer: nil),
        ])
    }
  }

  @Test func `an association of an association is joined in a chain`() throws {
    struct EditionInfo: FetchableRecord, Decodable, Equatable {
      var edition: Edition
      var publisher: Company
      var city: City?
    }
    try Catalog.make().read { db in
      let request =
        Edition
        .including(
          required: Edition.publisher
            .including(optional: Company.city))
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "company".*, "city".* FROM "edition" \
          JOIN "company" ON "company"."id" = "edition"."publisherId" \
          LEFT JOIN "city" ON "city"."code" = "company"."cityCode"
          """)
      let editionInfos: [EditionInfo] = try EditionInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(
        editionInfos == [
          EditionInfo(edition: Catalog.maps, publisher: Catalog.meridian, city: Catalog.lisbon),
          EditionInfo(edition: Catalog.towns, publisher: Catalog.meridian, city: Catalog.lisbon),
          EditionInfo(edition: Catalog.ports, publisher: Catalog.quayside, city: Catalog.antwerp),
          EditionInfo(edition: Catalog.lakes, publisher: Catalog.atlas, city: nil),
        ])
    }
  }

  struct EditionInfo: FetchableRecord, Decodable, Equatable {
    var edition: Edition
    var city: City?
  }

  static let editionInfos = [
    EditionInfo(edition: Catalog.maps, city: Catalog.lisbon),
    EditionInfo(edition: Catalog.towns, city: Catalog.lisbon),
    EditionInfo(edition: Catalog.ports, city: Catalog.antwerp),
    EditionInfo(edition: Catalog.birds, city: nil),
    EditionInfo(edition: Catalog.lakes, city: nil),
  ]

  static let citySQL = """
    SELECT "edition".*, "city".* FROM "edition" \
    LEFT JOIN "company" ON "company"."id" = "edition"."publisherId" \
    LEFT JOIN "city" ON "city"."code" = "company"."cityCode"
    """

  @Test func `joining skips the records in the middle of a chain`() throws {
    try Catalog.make().read { db in
      let request =
        Edition
        .joining(
          optional: Edition.publisher
            .including(optional: Company.city))
      try #expect(sql(of: request, in: db).sql == Self.citySQL)
      let editionInfos: [EditionInfo] = try EditionInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(editionInfos == Self.editionInfos)
    }
  }

  @Test func `a has-one-through is a shortcut for the chain`() throws {
    try Catalog.make().read { db in
      let request = Edition.including(optional: Edition.city)
      try #expect(sql(of: request, in: db).sql == Self.citySQL)
      let editionInfos: [EditionInfo] = try EditionInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(editionInfos == Self.editionInfos)
    }
  }

  /// The publisher is there when its city is.
  @Test func `a publisher is there where its required city is`() throws {
    try Catalog.make().read { db in
      let request =
        Edition
        .joining(
          optional: Edition.publisher
            .including(required: Company.city))
      let editionInfos: [EditionInfo] = try EditionInfo.fetchAll(db, request.orderByPrimaryKey())
      #expect(editionInfos == Self.editionInfos)
      // With the publisher: not that of Lakes, who has no city.
      let rows = try Row.fetchAll(
        db,
        Edition.including(optional: Edition.publisher.including(required: Company.city))
          .orderByPrimaryKey())
      #expect(
        rows.map { $0.scopes["publisher"]?["name"] }
          == ["Meridian", "Meridian", "Quayside", nil, nil])
    }
  }
}
