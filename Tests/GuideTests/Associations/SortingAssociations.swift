import Quarry
import QuarryTestSupport
import Testing

/// 'Sorting Associations'.
struct SortingAssociations {
  typealias Edition = Catalog.Edition

  @Test func `the order of an association sorts the request`() throws {
    try Catalog.make().read { db in
      let sortedPublisher = Edition.publisher.order(Column("name"))
      let request = Edition.including(required: sortedPublisher)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "company".* FROM "edition" \
          JOIN "company" ON "company"."id" = "edition"."publisherId" ORDER BY "company"."name"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(
        rows.map { $0.scopes["publisher"]?["name"] } == [
          "Atlas", "Meridian", "Meridian", "Quayside",
        ])
    }
  }

  @Test func `the order of the request comes before that of its associations`() throws {
    try Catalog.make().write { db in
      try db.execute(sql: "UPDATE edition SET year = 1851 WHERE id IN (2, 5)")
      let sortedPublisher = Edition.publisher.order(Column("name"))
      let request =
        Edition
        .including(required: sortedPublisher)
        .order(Column("year").desc)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".*, "company".* FROM "edition" \
          JOIN "company" ON "company"."id" = "edition"."publisherId" \
          ORDER BY "edition"."year" DESC, "company"."name"
          """)
      let rows = try Row.fetchAll(db, request)
      #expect(rows.map { $0["year"] } == [1994, 1851, 1851, 1851])
      #expect(
        rows.map { $0.scopes["publisher"]?["name"] } == [
          "Quayside", "Atlas", "Meridian", "Meridian",
        ])
    }
  }

  /// The order of the terms changes with aliases, and terms may involve several tables.
  @Test func `an alias sorts by a column of another table`() throws {
    try Catalog.make().read { db in
      let alias = TableAlias()
      let edition = TableAlias()
      let request = Edition.aliased(edition)
        .joining(required: Edition.publisher.aliased(alias))
        .order(
          (edition[Column("year")] - alias[Column("closingYear")]).desc, alias[Column("name")],
          Column("id"))
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".* FROM "edition" \
          JOIN "company" ON "company"."id" = "edition"."publisherId" \
          ORDER BY "edition"."year" - "company"."closingYear" DESC, "company"."name", "edition"."id"
          """)
      // 89, 0, -40, and NULL last.
      try #expect(request.fetchAll(db).map(\.id) == [3, 2, 1, 5])
    }
  }
}
