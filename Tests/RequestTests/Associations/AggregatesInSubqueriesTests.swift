import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let year = Column("year")
private let amount = Column("amount")

private typealias Writer = WriterLibrary.Writer

/// All aggregates of a request in subqueries: `withAggregatesInSubqueries()`.
struct AggregatesInSubqueriesTests {
  @Test func `counts, minima and conditions`() throws {
    try WriterLibrary.make().read { db throws in
      let request = Writer.annotated(
        with: Writer.novels.count, Writer.prizes.count, Writer.editions.count,
        Writer.novels.min(year)
      ).having(!Writer.novels.isEmpty).withAggregatesInSubqueries()
      let ofNovels = #"FROM "novel" WHERE "novel"."writerId" = "writer"."id""#
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "writer".*, (SELECT COUNT(*) \(ofNovels)) AS "novelCount", \
          (SELECT COUNT(*) FROM "prize" WHERE "prize"."writerId" = "writer"."id") AS "prizeCount", \
          (SELECT COUNT(DISTINCT "edition"."id") FROM "novel" \
          JOIN "edition" ON "edition"."novelId" = "novel"."id" \
          WHERE "novel"."writerId" = "writer"."id") AS "editionCount", \
          (SELECT MIN("novel"."year") \(ofNovels)) AS "minNovelYear" FROM "writer" \
          WHERE (SELECT COUNT(*) \(ofNovels)) > 0
          """)
      let rows = try request.order(id).asRequest(of: Row.self).fetchAll(db)
      let names = ["novelCount", "prizeCount", "editionCount", "minNovelYear"]
      #expect(
        rows.map { row in names.map { row[$0] as Int } } == [[2, 3, 3, 1990], [1, 0, 0, 2010]])
    }
  }

  @Test func `joins that select or filter stay`() throws {
    try WriterLibrary.make().read { db throws in
      let request = Writer.including(required: Writer.agency)
        .joining(required: Writer.novels.filter(year < 1995))
        .annotated(with: Writer.novels.count, Writer.prizes.count)
        .withAggregatesInSubqueries()
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "writer".*, (SELECT COUNT(*) FROM "novel" \
          WHERE ("novel"."writerId" = "writer"."id") AND ("novel"."year" < ?)) AS "novelCount", \
          (SELECT COUNT(*) FROM "prize" WHERE "prize"."writerId" = "writer"."id") AS "prizeCount", \
          "agency".* FROM "writer" JOIN "agency" ON "agency"."id" = "writer"."agencyId" \
          JOIN "novel" ON ("novel"."writerId" = "writer"."id") AND ("novel"."year" < ?) \
          GROUP BY "writer"."id"
          """)
      let row = try #require(try Row.fetchOne(db, request))
      #expect(row["novelCount"] as Int == 1)
      #expect(row["prizeCount"] as Int == 3)
      #expect(row.scopes["agency"]?["fee"] as Int? == 3)
    }
  }

  @Test func `other aggregates keep their joins`() throws {
    try WriterLibrary.make().read { db throws in
      let request = Writer.joining(optional: Writer.novels)
        .annotated(with: SQLExpression.countAll.forKey("n"))
        .annotated(with: Writer.prizes.sum(amount))
        .withAggregatesInSubqueries().order(id)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      // Rows of writer, novel and prize, as without subqueries.
      #expect(rows.map { $0["n"] as Int } == [6, 1, 1])
      #expect(rows.map { $0["prizeAmountSum"] as Int? } == [175, nil, 7])
    }
  }
}
