import Quarry
import QuarryTestSupport
import Testing

/// 'Table Aliases': conditions and orders that involve several records.
struct TableAliases {
  typealias Edition = Catalog.Edition
  typealias Company = Catalog.Company

  @Test func `a column without alias belongs to the base record`() throws {
    try Catalog.make().read { db in
      // A wrong request:
      let request =
        Edition
        .joining(required: Edition.publisher)
        .filter(Column("year") >= Column("closingYear"))
      let error = try #require(databaseError { try request.fetchAll(db) })
      #expect(error.resultCode == .SQLITE_ERROR)
      #expect(error.message == "no such column: edition.closingYear")
      #expect(
        error.sql == """
          SELECT "edition".* FROM "edition" \
          JOIN "company" ON "company"."id" = "edition"."publisherId" \
          WHERE "edition"."year" >= "edition"."closingYear"
          """)
    }
  }

  @Test func `an alias writes conditions on an associated table`() throws {
    try Catalog.make().read { db in
      let publisherAlias = TableAlias()
      let request =
        Edition
        .joining(required: Edition.publisher.aliased(publisherAlias))
        .filter(Column("year") >= publisherAlias[Column("closingYear")])
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".* FROM "edition" \
          JOIN "company" ON "company"."id" = "edition"."publisherId" \
          WHERE "edition"."year" >= "company"."closingYear"
          """)
      try #expect(request.fetchSet(db) == [Catalog.towns, Catalog.ports])
    }
  }

  @Test func `an alias writes orders on an associated table`() throws {
    try Catalog.make().read { db in
      let publisherAlias = TableAlias()
      let request =
        Edition
        .joining(required: Edition.publisher.aliased(publisherAlias))
        .order(publisherAlias[Column("name")], Column("year"))
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "edition".* FROM "edition" \
          JOIN "company" ON "company"."id" = "edition"."publisherId" \
          ORDER BY "company"."name", "edition"."year"
          """)
      try #expect(
        request.fetchAll(db) == [
          Catalog.lakes, Catalog.maps, Catalog.towns, Catalog.ports,
        ])
    }
  }

  @Test func `an alias may have the name that SQL text uses`() throws {
    try Catalog.make().read { db in
      let editionAlias = TableAlias(name: "b")
      let publisherAlias = TableAlias(name: "a")
      let request = Edition.aliased(editionAlias)
        .joining(
          required: Edition.publisher.aliased(publisherAlias)
            .filter(sql: "a.cityCode = ?", arguments: ["AN"])
        )
        .filter(sql: "b.year >= a.closingYear")
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "b".* FROM "edition" "b" JOIN "company" "a" \
            ON ("a"."id" = "b"."publisherId") AND (a.cityCode = ?) \
            WHERE b.year >= a.closingYear
            """, ["AN"]))
      try #expect(request.fetchAll(db) == [Catalog.ports])
    }
  }

  /// In two requests, an alias is two aliases. In one request, it is a mistake, and throws.
  @Test func `an alias on two tables of a request throws`() throws {
    try Catalog.make().read { db in
      let alias = TableAlias()
      let editions = Edition.aliased(alias).filter(alias[Column("id")] == 1)
      let companies = Company.aliased(alias).filter(alias[Column("id")] == 2)
      try #expect(editions.fetchAll(db) == [Catalog.maps])
      try #expect(companies.fetchAll(db) == [Catalog.quayside])
      let both = Edition.aliased(alias).joining(required: Edition.publisher.aliased(alias))
      let error = errorText { try both.fetchAll(db) }
      #expect(
        error?.contains("A TableAlias must not be used to refer to multiple tables") == true)
    }
  }
}
