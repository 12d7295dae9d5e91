import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let year = Column("year")
private let price = Column("price")
private let amount = Column("amount")
private let copies = Column("copies")

private struct Writer: Codable, FetchableRecord, PersistableRecord, Identifiable {
  static let novels = hasMany(Novel.self)
  static let prizes = hasMany(Prize.self)
  static let editions = hasMany(Edition.self, through: novels, using: Novel.editions)
  static let agency = belongsTo(Agency.self)
  var id: Int64
  var country: String
  var agencyId: Int64?
}

private struct Novel: TableRecord {
  static let editions = hasMany(Edition.self)
}

private struct Prize: TableRecord {}
private struct Edition: TableRecord {}
private struct Agency: TableRecord {
  static let writers = hasMany(Writer.self)
}

/// Writer 1 has two novels with three editions, and three prizes; writer 2 has one novel; writer 3
/// has one prize.
private func makeLibrary() throws -> DatabaseQueue {
  try makeDatabase(
    sql: """
      CREATE TABLE agency (id INTEGER PRIMARY KEY, fee INTEGER);
      CREATE TABLE writer (
        id INTEGER PRIMARY KEY, country TEXT, agencyId INTEGER REFERENCES agency(id));
      CREATE TABLE novel (
        id INTEGER PRIMARY KEY, writerId INTEGER REFERENCES writer(id), price INTEGER, year INTEGER);
      CREATE TABLE prize (
        id INTEGER PRIMARY KEY, writerId INTEGER REFERENCES writer(id), amount INTEGER);
      CREATE TABLE edition (
        id INTEGER PRIMARY KEY, novelId INTEGER REFERENCES novel(id), copies INTEGER);
      INSERT INTO agency VALUES (1, 3);
      INSERT INTO writer VALUES (1, 'FR', 1), (2, 'FR', NULL), (3, 'IT', 1);
      INSERT INTO novel VALUES (1, 1, 10, 1990), (2, 1, 20, 2000), (3, 2, 30, 2010);
      INSERT INTO prize VALUES (1, 1, 100), (2, 1, 50), (3, 1, 25), (4, 3, 7);
      INSERT INTO edition VALUES (1, 1, 1000), (2, 1, 500), (3, 2, 300);
      """)
}

private let priceSum = """
  (SELECT SUM("novel"."price") FROM "novel" WHERE "novel"."writerId" = "writer"."id")
  """
private let joinedPrizes = #"LEFT JOIN "prize" ON "prize"."writerId" = "writer"."id""#
private let joinedNovels = #"LEFT JOIN "novel" ON "novel"."writerId" = "writer"."id""#

/// Sums, averages and totals are computed in subqueries where other joins would multiply them.
struct IsolatedAggregateTests {
  /// The values of the added columns, by row.
  private func values(
    _ request: QueryInterfaceRequest<Writer>, _ db: Database
  ) throws -> [[DatabaseValue]] {
    try request.order(id).asRequest(of: Row.self).fetchAll(db)
      .map { Array($0.databaseValues.dropFirst(3)) }
  }

  private func check(
    _ request: QueryInterfaceRequest<Writer>, _ expected: [[(any DatabaseValueConvertible)?]],
    sql text: String? = nil, _ arguments: StatementArguments = []
  ) throws {
    try makeLibrary().read { db throws in
      if let text {
        let rendered = try sql(of: request, in: db)
        #expect(rendered == RenderedSQL(text, arguments))
      }
      let rows = try values(request, db)
      #expect(rows == expected.map { row in row.map { $0?.databaseValue ?? .null } })
    }
  }

  @Test func `a sum beside a count is computed in a subquery`() throws {
    try check(
      Writer.annotated(with: Writer.novels.sum(price), Writer.prizes.count),
      [[30, 3], [30, 0], [nil, 1]],
      sql: """
        SELECT "writer".*, \(priceSum) AS "novelPriceSum", \
        COUNT(DISTINCT "prize"."id") AS "prizeCount" FROM "writer" \(joinedPrizes) \
        GROUP BY "writer"."id"
        """)
  }

  @Test func `sums beside each other need no join`() throws {
    try check(
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
    try check(
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
    try check(
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
    try check(
      Writer.annotated(with: fortune.forKey("x")), [[-145], [30], [nil]])
    try check(
      Writer.having(Writer.novels.sum(price) > 25 && Writer.prizes.isEmpty), [[]],
      sql: """
        SELECT "writer".* FROM "writer" \(joinedPrizes) GROUP BY "writer"."id" \
        HAVING (\(priceSum) > ?) AND (COUNT(DISTINCT "prize"."id") = 0)
        """, [25])
    try check(
      Writer.having(Writer.novels.sum(price) < Writer.prizes.sum(amount)), [[]],
      sql: """
        SELECT "writer".* FROM "writer" WHERE \(priceSum) < \
        (SELECT SUM("prize"."amount") FROM "prize" WHERE "prize"."writerId" = "writer"."id")
        """)
  }

  @Test func `an ordering by an aggregate`() throws {
    try makeLibrary().read { db throws in
      let request = Writer.annotated(with: Writer.novels.sum(price), Writer.prizes.count)
        .order(Column("novelPriceSum").detached.desc, id)
      #expect(try request.fetchAll(db).map(\.id) == [1, 2, 3])
      #expect(try request.fetchCount(db) == 3)
      #expect(try request.fetchOne(db)?.id == 1)
    }
  }

  @Test func `the order of a joined record stays`() throws {
    try makeLibrary().read { db throws in
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
    try check(
      Writer.joining(required: Writer.prizes).annotated(with: Writer.novels.sum(price)),
      [[30], [nil]],
      sql: """
        SELECT "writer".*, \(priceSum) AS "novelPriceSum" FROM "writer" \
        JOIN "prize" ON "prize"."writerId" = "writer"."id" GROUP BY "writer"."id"
        """)
  }

  @Test func `an association of the aggregated records multiplies too`() throws {
    try check(
      Writer.joining(optional: Writer.novels.joining(optional: Novel.editions))
        .annotated(with: Writer.novels.average(price)),
      [[15.0], [30.0], [nil]])
    try check(
      Writer.joining(optional: Writer.novels.joining(required: Novel.editions.filter(copies > 400)))
        .annotated(with: Writer.novels.average(price)),
      [[10.0], [nil], [nil]],
      sql: """
        SELECT "writer".*, (SELECT AVG("novel"."price") FROM "novel" \
        WHERE ("novel"."writerId" = "writer"."id") AND (EXISTS (SELECT 1 FROM "edition" \
        WHERE ("edition"."novelId" = "novel"."id") AND ("edition"."copies" > ?)))) \
        AS "averageNovelPrice" FROM "writer"
        """, [400])
    try check(
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
    try check(
      Writer.annotated(
        with: Writer.editions.sum(copies), Writer.novels.sum(price), Writer.prizes.count),
      [[1800, 30, 3], [nil, 30, 0], [nil, nil, 1]])
    try check(
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
    try check(
      Writer.joining(required: Writer.novels.joining(required: large))
        .annotated(with: Writer.editions.sum(copies)),
      [[1500]])
  }

  @Test func `filters of associations, and keys of one table`() throws {
    let old = Writer.novels.filter(year < 1995).forKey("oldNovels")
    let new = Writer.novels.filter(year > 1995).forKey("newNovels")
    try check(
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

  @Test func `conditions of the request on the aggregated records`() throws {
    let novel = TableAlias()
    let aggregates = [Writer.novels.sum(price), Writer.prizes.count]
    let joined = Writer.joining(required: Writer.novels.aliased(novel))
    let expected: [[(any DatabaseValueConvertible)?]] = [[20, 3], [30, 0]]
    try check(joined.filter(novel["year"] > 1995).annotated(with: aggregates), expected)
    try check(joined.filter(sql: "novel.year > 1995").annotated(with: aggregates), expected)
    try check(joined.filter(sql: "price > 15").annotated(with: aggregates), expected)
    try check(
      Writer.joining(optional: Writer.prizes).filter(sql: "amount > 30")
        .annotated(with: Writer.novels.sum(price)), [[30]])
    // A condition on the prizes does not choose among the novels.
    try check(
      Writer.joining(required: Writer.prizes).filter(sql: "amount > 30")
        .annotated(with: aggregates), [[30, 2]])
  }

  @Test func `conditions between associations`() throws {
    let novel = TableAlias()
    try check(
      Writer.joining(required: Writer.novels.aliased(novel))
        .joining(required: Writer.prizes.filter(novel["price"] * 5 == amount))
        .annotated(with: Writer.novels.sum(price)),
      [[30]])
    try check(
      Writer.joining(required: Writer.novels.aliased(novel))
        .joining(required: Writer.prizes.filter(novel["price"] * 5 < amount))
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
  }

  @Test func `a condition on an optional record chooses among the aggregated ones`() throws {
    let (prize, novel) = (TableAlias(), TableAlias())
    // Of the prizes of writer 1, that of 100 is more than nine times the price of novel 1.
    try check(
      Writer.joining(optional: Writer.prizes.aliased(prize))
        .joining(required: Writer.novels.aliased(novel))
        .filter(prize["amount"] > novel["price"] * 9).annotated(with: Writer.novels.sum(price)),
      [[10]],
      sql: """
        SELECT "writer".*, (SELECT SUM("grdb_value") FROM (SELECT DISTINCT "novel"."id", \
        "novel"."price" AS "grdb_value" FROM (SELECT 1) \
        LEFT JOIN "prize" ON "prize"."writerId" = "writer"."id" \
        JOIN "novel" ON "novel"."writerId" = "writer"."id" \
        WHERE "prize"."amount" > ("novel"."price" * ?))) AS "novelPriceSum" FROM "writer" \
        \(joinedPrizes) JOIN "novel" ON "novel"."writerId" = "writer"."id" \
        WHERE "prize"."amount" > ("novel"."price" * ?) GROUP BY "writer"."id"
        """, [9, 9])
  }

  @Test func `an aggregated record stays joined for the condition of another association`() throws {
    let novel = TableAlias()
    try check(
      Writer.joining(optional: Writer.novels.aliased(novel))
        .joining(required: Writer.prizes.filter(novel["price"] * 5 < amount))
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
    let earned = Writer.association(to: Prize.self) { writer, prize in
      prize["writerId"] == writer["id"] && novel["price"] * 5 < prize["amount"]
    }
    try check(
      Writer.joining(optional: Writer.novels.aliased(novel)).joining(required: earned)
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
    let dear = Prize.select(id).filter(amount > novel["price"] * 5)
    for large in [dear.union(Prize.none().select(id)), Prize.none().select(id).union(dear)] {
      try check(
        Writer.joining(optional: Writer.novels.aliased(novel))
          .joining(required: Writer.prizes.filter(large.contains(id)))
          .annotated(with: Writer.novels.sum(price)),
        [[10]])
    }
  }

  @Test func `conditions by hand between associations`() throws {
    try check(
      Writer.joining(required: Writer.novels)
        .joining(required: Writer.prizes.filter(sql: "amount > price * 5"))
        .annotated(with: Writer.novels.sum(price)),
      [[10]])
    try check(
      Writer.joining(required: Writer.prizes).joining(required: Writer.novels)
        .filter(sql: "price * 5 = amount").annotated(with: Writer.novels.sum(price)),
      [[30]])
  }

  @Test func `a condition on a record behind another association brings its whole path`() throws {
    let edition = TableAlias<Edition>()
    // 50 and 25 are less than a tenth of the 1000 copies of an edition.
    try check(
      Writer
        .joining(required: Writer.novels.joining(required: Novel.editions.aliased(edition)))
        .annotated(with: Writer.prizes.filter(amount * 10 < edition[copies]).sum(amount)),
      [[75]])
  }

  @Test func `a count keeps the join that the condition of another one refers to`() throws {
    let agency = TableAlias<Agency>()
    // Each writer with an agency, and each novel.
    let dearer = Writer.association(to: Novel.self) { _, novel in
      novel[price] > agency[Column("fee")]
    }
    let request = Writer.joining(optional: Writer.agency.aliased(agency))
      .joining(required: dearer).annotated(with: Writer.prizes.count)
    try makeLibrary().read { db throws in
      #expect(try request.fetchCount(db) == 2)
      let rows = try values(request, db)
      #expect(rows == [[3.databaseValue], [1.databaseValue]])
    }
  }

  @Test func `aggregated expressions`() throws {
    let writer = TableAlias()
    let agency = TableAlias()
    let double = DatabaseFunction("double", argumentCount: 1) { values in
      Int.fromDatabaseValue(values[0]).map { $0 * 2 }
    }
    let database = try makeLibrary()
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
    let database = try makeLibrary()
    try database.write { db throws in
      try db.execute(sql: "CREATE UNIQUE INDEX big ON prize(writerId) WHERE amount > 60")
      let request = Writer.annotated(with: Writer.novels.sum(price), Writer.prizes.max(amount))
      #expect(try values(request, db).map { $0[0] } == [30.databaseValue, 30.databaseValue, .null])
    }
  }

  @Test func `groups of several records are refused`() throws {
    try makeLibrary().read { db throws in
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
        try values(request.group(id), db).map { $0[0] } == [
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

  @Test func `updates and deletions`() throws {
    try makeLibrary().write { db throws in
      let request = Writer.having(Writer.novels.sum(price) > 25 && Writer.prizes.isEmpty)
      #expect(try request.updateAll(db, Column("country").set(to: "ES")) == 1)
      #expect(try Writer.filter(Column("country") == "ES").fetchAll(db).map(\.id) == [2])
    }
  }

  @Test func `prefetched records`() throws {
    try makeLibrary().read { db throws in
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

/// All aggregates of a request in subqueries: `withAggregatesInSubqueries()`.
struct AggregatesInSubqueriesTests {
  @Test func `counts, minima and conditions`() throws {
    try makeLibrary().read { db throws in
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
    try makeLibrary().read { db throws in
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
    try makeLibrary().read { db throws in
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
