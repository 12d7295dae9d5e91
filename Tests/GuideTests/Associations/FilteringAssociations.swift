import Quarry
import QuarryTestSupport
import Testing

/// 'Filtering Associations'.
struct FilteringAssociations {
  typealias Edition = Catalog.Edition
  typealias Company = Catalog.Company

  @Test func `the filter of an association stands in the ON clause`() throws {
    try Catalog.make().read { db in
      let localPublisher = Edition.publisher.filter(Column("cityCode") == "AN")
      let request = Edition.joining(required: localPublisher)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "edition".* FROM "edition" JOIN "company" \
            ON ("company"."id" = "edition"."publisherId") AND ("company"."cityCode" = ?)
            """, ["AN"]))
      // This request feeds the Edition record:
      let editions: [Edition] = try request.fetchAll(db)
      #expect(editions == [Catalog.ports])
    }
  }

  @Test func `associations are filtered by primary key`() throws {
    try Catalog.make().read { db in
      let one = Edition.joining(required: Edition.publisher.filter(key: 4))
      try #expect(
        sql(of: one, in: db)
          == RenderedSQL(
            """
            SELECT "edition".* FROM "edition" JOIN "company" \
            ON ("company"."id" = "edition"."publisherId") AND ("company"."id" = ?)
            """, [4]))
      try #expect(one.fetchAll(db) == [Catalog.lakes])
      let several = Edition.joining(required: Edition.publisher.filter(keys: [2, 4]))
      try #expect(
        sql(of: several, in: db)
          == RenderedSQL(
            """
            SELECT "edition".* FROM "edition" JOIN "company" \
            ON ("company"."id" = "edition"."publisherId") AND ("company"."id" IN (?, ?))
            """, [2, 4]))
      try #expect(several.fetchSet(db) == [Catalog.ports, Catalog.lakes])
    }
  }

  @Test func `prefetches with different keys have filters of their own`() throws {
    struct PublisherInfo: FetchableRecord, Decodable, Equatable {
      var publisher: Company
      var cloths: [Edition]
      var paper: [Edition]
    }
    try Catalog.make().read { db in
      let request =
        Company
        .including(
          all: Company.editions
            .filter(Column("binding") == "cloth")
            .forKey("cloths")
        )
        .including(
          all: Company.editions
            .filter(Column("binding") == "paper")
            .forKey("paper"))
      let publisherInfos: [PublisherInfo] = try PublisherInfo.fetchAll(
        db, request.orderByPrimaryKey())
      #expect(
        publisherInfos == [
          PublisherInfo(
            publisher: Catalog.meridian, cloths: [Catalog.maps], paper: [Catalog.towns]),
          PublisherInfo(publisher: Catalog.quayside, cloths: [Catalog.ports], paper: []),
          PublisherInfo(publisher: Catalog.folio, cloths: [], paper: []),
          PublisherInfo(publisher: Catalog.atlas, cloths: [Catalog.lakes], paper: []),
        ])
    }
  }

  /// Conditions on several tables, and in the `WHERE` clause: with aliases.
  @Test func `an alias filters in the WHERE clause, and compares columns of two tables`() throws {
    try Catalog.make().read { db in
      let alias = TableAlias()
      let inWhere = Edition.joining(optional: Edition.publisher.aliased(alias))
        .filter(alias[Column("cityCode")] == nil)
      try #expect(
        sql(of: inWhere, in: db).sql == """
          SELECT "edition".* FROM "edition" \
          LEFT JOIN "company" ON "company"."id" = "edition"."publisherId" \
          WHERE "company"."cityCode" IS NULL
          """)
      try #expect(inWhere.fetchSet(db) == [Catalog.birds, Catalog.lakes])
      // The same condition in the ON clause filters no edition.
      let inOn = Edition.joining(optional: Edition.publisher.filter(Column("cityCode") == nil))
      try #expect(inOn.fetchCount(db) == 5)
      let editionAlias = TableAlias()
      let several = Edition.aliased(editionAlias).joining(
        required: Edition.publisher.filter(Column("closingYear") == editionAlias[Column("year")]))
      try #expect(
        sql(of: several, in: db).sql == """
          SELECT "edition".* FROM "edition" \
          JOIN "company" ON ("company"."id" = "edition"."publisherId") \
          AND ("company"."closingYear" = "edition"."year")
          """)
      try #expect(several.fetchAll(db) == [Catalog.towns])
    }
  }
}
