import QuarryRecords
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let year = Column("year")
private let price = Column("price")
private let amount = Column("amount")
private let copies = Column("copies")

private typealias Writer = WriterLibrary.Writer
private typealias Novel = WriterLibrary.Novel
private typealias Agency = WriterLibrary.Agency

private let priceSum = """
  (SELECT SUM("novel"."price") FROM "novel" WHERE "novel"."writerId" = "writer"."id")
  """
private let joinedPrizes = #"LEFT JOIN "prize" ON "prize"."writerId" = "writer"."id""#
private let joinedNovels = #"LEFT JOIN "novel" ON "novel"."writerId" = "writer"."id""#

/// Sums, averages and totals are computed in subqueries where other joins would multiply them.
struct IsolatedAggregateTests {
  @Test func `a sum beside a count is computed in a subquery`() throws {
    try WriterLibrary.check(
      Writer.annotated(with: Writer.novels.sum(price), Writer.prizes.count),
      [[30, 3], [30, 0], [nil, 1]],
      sql: """
        SELECT "writer".*, \(priceSum) AS "novelPriceSum", \
        COUNT(DISTINCT "prize"."id") AS "prizeCount" FROM "writer" \(joinedPrizes) \
        GROUP BY "writer"."id"
        """)
  }

  @Test func `sums beside each other need no join`() throws {
    try WriterLibrary.check(
      Writer.annotated(
        with: Writer.novels.sum(price), Writer.prizes.total(amount), Writer.novels.average(price)),
      [[30, 175.0, 15.0], [30, 0.0, 30.0], [nil, 7.0, nil]],
      sql: """
        SELECT "writer".*, \(priceSum) AS "novelPriceSum", \
        (SELECT TOTAL("prize"."amount") FROM "prize" WHERE "prize"."writerId" = "writer"."id") \
        AS "prizeAmountSum", \
        (SELECT AVG("novel"."price") FROM "novel" WHERE "novel"."writerId" = "writer"."id") \
        AS "averageNovelPrice" FROM "writer"
        """)
  }

  @Test func `counts, minima and maxima stay in the join`() throws {
    try WriterLibrary.check(
      Writer.annotated(
        with: Writer.novels.count, Writer.novels.max(price), Writer.prizes.min(amount)),
      [[2, 20, 25], [1, 30, nil], [0, nil, 7]],
      sql: """
        SELECT "writer".*, COUNT(DISTINCT "novel"."id") AS "novelCount", \
        MAX("novel"."price") AS "maxNovelPrice", MIN("prize"."amount") AS "minPrizeAmount" \
        FROM "writer" \(joinedNovels) \(joinedPrizes) GROUP BY "writer"."id"
        """)
  }

  @Test func `joins of one row multiply nothing`() throws {
    try WriterLibrary.check(
      Writer.joining(optional: Writer.agency).annotated(with: Writer.novels.sum(price)),
      [[30], [30], [nil]],
      sql: """
        SELECT "writer".*, SUM("novel"."price") AS "novelPriceSum" FROM "writer" \
        LEFT JOIN "agency" ON "agency"."id" = "writer"."agencyId" \(joinedNovels) \
        GROUP BY "writer"."id"
        """)
  }

  @Test func `conditions and arithmetic`() throws {
    let fortune = Writer.novels.sum(price) - (Writer.prizes.sum(amount) ?? 0)
    try WriterLibrary.check(
      Writer.annotated(with: fortune.forKey("x")), [[-145], [30], [nil]])
    try WriterLibrary.check(
      Writer.having(Writer.novels.sum(price) > 25 && Writer.prizes.isEmpty), [[]],
      sql: """
        SELECT "writer".* FROM "writer" \(joinedPrizes) GROUP BY "writer"."id" \
        HAVING (\(priceSum) > ?) AND (COUNT(DISTINCT "prize"."id") = 0)
        """, [25])
    try WriterLibrary.check(
      Writer.having(Writer.novels.sum(price) < Writer.prizes.sum(amount)), [[]],
      sql: """
        SELECT "writer".* FROM "writer" WHERE \(priceSum) < \
        (SELECT SUM("prize"."amount") FROM "prize" WHERE "prize"."writerId" = "writer"."id")
        """)
  }

  @Test func `an ordering by an aggregate`() throws {
    try WriterLibrary.make().read { db throws in
      let request = Writer.annotated(with: Writer.novels.sum(price), Writer.prizes.count)
        .order(Column("novelPriceSum").detached.desc, id)
      #expect(try request.fetchAll(db).map(\.id) == [1, 2, 3])
      #expect(try request.fetchCount(db) == 3)
      #expect(try request.fetchOne(db)?.id == 1)
    }
  }

  @Test func `the order of a joined record stays`() throws {
    try WriterLibrary.make().read { db throws in
      let request = Writer.joining(optional: Writer.agency.order(Column("fee")))
        .annotated(with: Writer.novels.sum(price), Writer.prizes.sum(amount))
      #expect(
        try sql(of: request, in: db).sql == """
          SELECT "writer".*, \(priceSum) AS "novelPriceSum", \
          (SELECT SUM("prize"."amount") FROM "prize" WHERE "prize"."writerId" = "writer"."id") \
          AS "prizeAmountSum" FROM "writer" \
          LEFT JOIN "agency" ON "agency"."id" = "writer"."agencyId" ORDER BY "agency"."fee"
          """)
      #expect(try request.fetchAll(db).first?.id == 2)
      let byPrize = Writer.joining(optional: Writer.prizes.order(amount).first().order(amount))
        .annotated(with: Writer.novels.sum(price)).withAggregatesInSubqueries()
      #expect(try byPrize.fetchAll(db).map(\.id) == [2, 3, 1])
      // The order of aggregated records is none of the request.
      let unordered = Writer.annotated(with: Writer.novels.order(year).sum(price))
        .withAggregatesInSubqueries()
      #expect(
        try sql(of: unordered, in: db).sql
          == #"SELECT "writer".*, \#(priceSum) AS "novelPriceSum" FROM "writer""#)
    }
  }

  @Test func `a joined association multiplies too`() throws {
    try WriterLibrary.check(
      Writer.joining(required: Writer.prizes).annotated(with: Writer.novels.sum(price)),
      [[30], [nil]],
      sql: """
        SELECT "writer".*, \(priceSum) AS "novelPriceSum" FROM "writer" \
        JOIN "prize" ON "prize"."writerId" = "writer"."id" GROUP BY "writer"."id"
        """)
  }

  @Test func `an association of the aggregated records multiplies too`() throws {
    try WriterLibrary.check(
      Writer.joining(optional: Writer.novels.joining(optional: Novel.editions))
        .annotated(with: Writer.novels.average(price)),
      [[15.0], [30.0], [nil]])
    try WriterLibrary.check(
      Writer.joining(optional: Writer.novels.joining(required: Novel.editions.filter(copies > 400)))
        .annotated(with: Writer.novels.average(price)),
      [[10.0], [nil], [nil]],
      sql: """
        SELECT "writer".*, (SELECT AVG("novel"."price") FROM "novel" \
        WHERE ("novel"."writerId" = "writer"."id") AND (EXISTS (SELECT 1 FROM "edition" \
        WHERE ("edition"."novelId" = "novel"."id") AND ("edition"."copies" > ?)))) \
        AS "averageNovelPrice" FROM "writer"
        """, [400])
    try WriterLibrary.check(
      Writer.joining(required: Writer.novels.joining(required: Novel.editions.filter(copies > 400)))
        .annotated(with: Writer.novels.average(price)),
      [[10.0]],
      sql: """
        SELECT "writer".*, (SELECT AVG("grdb_value") FROM (SELECT DISTINCT "novel"."id", \
        "novel"."price" AS "grdb_value" FROM "novel" JOIN "edition" \
        ON ("edition"."novelId" = "novel"."id") AND ("edition"."copies" > ?) \
        WHERE "novel"."writerId" = "writer"."id")) AS "averageNovelPrice" FROM "writer" \
        JOIN "novel" ON "novel"."writerId" = "writer"."id" \
        JOIN "edition" ON ("edition"."novelId" = "novel"."id") AND ("edition"."copies" > ?) \
        GROUP BY "writer"."id"
        """, [400, 400])
  }

  @Test func `through associations`() throws {
    try WriterLibrary.check(
      Writer.annotated(
        with: Writer.editions.sum(copies), Writer.novels.sum(price), Writer.prizes.count),
      [[1800, 30, 3], [nil, 30, 0], [nil, nil, 1]])
    try WriterLibrary.check(
      Writer.annotated(with: Writer.editions.sum(copies), Writer.novels.count),
      [[1800, 2], [nil, 1], [nil, 0]],
      sql: """
        SELECT "writer".*, SUM("edition"."copies") AS "editionCopiesSum", \
        COUNT(DISTINCT "novel"."id") AS "novelCount" FROM "writer" \(joinedNovels) \
        LEFT JOIN "edition" ON "edition"."novelId" = "novel"."id" GROUP BY "writer"."id"
        """)
  }

  @Test func `a through association whose records another one multiplies`() throws {
    // Both editions of novel 1 are large: its sum is not taken twice.
    let large = Novel.editions.filter(copies > 400).forKey("largeEditions")
    try WriterLibrary.check(
      Writer.joining(required: Writer.novels.joining(required: large))
        .annotated(with: Writer.editions.sum(copies)),
      [[1500]])
  }

  @Test func `filters of associations, and keys of one table`() throws {
    let old = Writer.novels.filter(year < 1995).forKey("oldNovels")
    let new = Writer.novels.filter(year > 1995).forKey("newNovels")
    try WriterLibrary.check(
      Writer.annotated(with: old.sum(price), new.sum(price), Writer.prizes.count),
      [[10, 20, 3], [nil, 30, 0], [nil, nil, 1]],
      sql: """
        SELECT "writer".*, (SELECT SUM("novel1"."price") FROM "novel" "novel1" \
        WHERE ("novel1"."writerId" = "writer"."id") AND ("novel1"."year" < ?)) \
        AS "oldNovelPriceSum", (SELECT SUM("novel2"."price") FROM "novel" "novel2" \
        WHERE ("novel2"."writerId" = "writer"."id") AND ("novel2"."year" > ?)) \
        AS "newNovelPriceSum", COUNT(DISTINCT "prize"."id") AS "prizeCount" FROM "writer" \
        \(joinedPrizes) GROUP BY "writer"."id"
        """, [1995, 1995])
  }

  @Test func `aggregated expressions`() throws {
    let writer = TableAlias()
    let agency = TableAlias()
    let double = DatabaseFunction("double", argumentCount: 1) { values in
      Int.fromDatabaseValue(values[0]).map { $0 * 2 }
    }
    let database = try WriterLibrary.make()
    try database.write { db throws in
      db.add(function: double)
      let request = Writer.aliased(writer).joining(optional: Writer.agency.aliased(agency))
        .annotated(
          with: Writer.novels.sum(SQL("price * 3")).forKey("a"),
          Writer.novels.sum(double(price)).forKey("b"),
          Writer.novels.sum(writer["id"] * price).forKey("c"),
          Writer.novels.sum(writer["id"]).forKey("d"),
          Writer.novels.sum(agency["fee"] * price).forKey("e"),
          Writer.prizes.count.forKey("f"))
      let expected: [[Int?]] = [
        [90, 60, 30, 2, 90, 3], [90, 60, 60, 2, nil, 0], [nil, nil, nil, nil, nil, 1],
      ]
      let rows = try request.order(id).asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows.map { row in ["a", "b", "c", "d", "e", "f"].map { row[$0] as Int? } } == expected)
    }
  }

  @Test func `a unique index of some rows does not make an association to one`() throws {
    let database = try WriterLibrary.make()
    try database.write { db throws in
      try db.execute(sql: "CREATE UNIQUE INDEX big ON prize(writerId) WHERE amount > 60")
      let request = Writer.annotated(with: Writer.novels.sum(price), Writer.prizes.max(amount))
      #expect(
        try WriterLibrary.values(of: request, db).map { $0[0] } == [
          30.databaseValue, 30.databaseValue, .null,
        ])
    }
  }

  @Test func `groups of several records are refused`() throws {
    try WriterLibrary.make().read { db throws in
      let request = Writer.annotated(with: Writer.novels.sum(price), Writer.prizes.count)
      let error = #expect(throws: InvalidRequest.self) {
        try request.group(Column("country")).asRequest(of: Row.self).fetchAll(db)
      }
      #expect(
        error?.message == """
          The aggregate of the association "novel" can't be computed together with "prize" in a \
          request that is not grouped by the primary key of table "writer". To resolve this error, \
          compute it in a request of its own.
          """)
      #expect(
        try WriterLibrary.values(of: request.group(id), db).map { $0[0] } == [
          30.databaseValue, 30.databaseValue, .null,
        ])
      #expect(
        errorText {
          try request.joining(right: Writer.agency).asRequest(of: Row.self).fetchAll(db)
        }?.contains(#"together with "prize", "agency" in a request with a right or full join"#)
          == true)
      // One key is the sum over the group.
      let sums = try Writer.select(Column("country")).annotated(with: Writer.novels.sum(price))
        .group(Column("country")).order(Column("country"))
        .asRequest(of: Row.self).fetchAll(db)
      #expect(sums.map { $0["novelPriceSum"] as Int? } == [60, nil])
    }
  }

  /// In a group of several records, the sum would be that of one of them.
  @Test func `groups of a unique key have one record, but for nulls and other collations`() throws {
    try WriterLibrary.make().write { db throws in
      try db.execute(
        sql: """
          ALTER TABLE writer ADD COLUMN name TEXT NOT NULL DEFAULT '';
          ALTER TABLE writer ADD COLUMN penName TEXT;
          UPDATE writer SET name = CASE id WHEN 1 THEN 'Ann' WHEN 2 THEN 'ann' ELSE 'Bo' END;
          CREATE UNIQUE INDEX writer_name ON writer(name);
          CREATE UNIQUE INDEX writer_penName ON writer(penName);
          """)
      let request = Writer.annotated(with: Writer.novels.sum(price), Writer.prizes.count)
      let name = Column("name")
      let rows = try request.group(name).order(id).asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["novelPriceSum"] as Int? } == [30, 30, nil])
      #expect(rows.map { $0["prizeCount"] as Int } == [3, 0, 1])
      for grouping in [Column("penName").sqlExpression, name.collating(.nocase), -name] {
        #expect(
          errorText { try request.group(grouping).asRequest(of: Row.self).fetchAll(db) }?
            .contains(#"not grouped by the primary key of table "writer""#) == true)
      }
    }
  }

  @Test func `updates and deletions`() throws {
    try WriterLibrary.make().write { db throws in
      let request = Writer.having(Writer.novels.sum(price) > 25 && Writer.prizes.isEmpty)
      #expect(try request.updateAll(db, Column("country").set(to: "ES")) == 1)
      #expect(try Writer.filter(Column("country") == "ES").fetchAll(db).map(\.id) == [2])
    }
  }

  @Test func `prefetched records`() throws {
    try WriterLibrary.make().read { db throws in
      let rows = try Row.fetchAll(
        db,
        Agency.all().asRequest(of: Agency.self)
          .including(
            all: Agency.writers.order(id)
              .annotated(with: Writer.novels.sum(price), Writer.prizes.count)))
      let writers = try #require(rows.first?.prefetchedRows["writers"])
      #expect(writers.map { $0["novelPriceSum"] as Int? } == [30, nil])
      #expect(writers.map { $0["prizeCount"] as Int } == [3, 1])
    }
  }
}
