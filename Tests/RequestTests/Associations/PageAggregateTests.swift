import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let id = Column("id")
private let country = Column("country")
private let price = Column("price")
private let copies = Column("copies")

private struct Writer: Codable, FetchableRecord, PersistableRecord, Identifiable {
  static let novels = hasMany(Novel.self)
  static let diaries = hasMany(Diary.self)
  static let agency = belongsTo(Agency.self)
  static let editions = hasMany(Edition.self, through: novels, using: Novel.editions)
  var id: Int64
}

private struct Novel: TableRecord {
  static let editions = hasMany(Edition.self)
}

private struct Edition: TableRecord {}
private struct Agency: TableRecord {}
private struct Diary: TableRecord {}
private struct Shop: TableRecord {
  static let parcels = hasMany(Parcel.self)
}
private struct Parcel: TableRecord {}

/// Writers 1 to 9: writer n has n - 1 novels of the prices 1, 2, …, and each novel has an edition.
private func read<T>(_ body: (Database) throws -> T) throws -> T {
  try makeDatabase(
    sql: """
      CREATE TABLE agency (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE writer (
        id INTEGER PRIMARY KEY, country TEXT, agencyId INTEGER REFERENCES agency(id));
      CREATE INDEX writerCountry ON writer(country);
      CREATE TABLE novel (
        id INTEGER PRIMARY KEY, writerId INTEGER REFERENCES writer(id), price INTEGER);
      CREATE INDEX novelWriter ON novel(writerId);
      CREATE TABLE edition (
        id INTEGER PRIMARY KEY, novelId INTEGER REFERENCES novel(id), copies INTEGER);
      CREATE INDEX editionNovel ON edition(novelId);
      CREATE TABLE diary (id INTEGER PRIMARY KEY, writerId INTEGER REFERENCES writer(id));
      CREATE TABLE shop (town TEXT, street TEXT, kind TEXT, PRIMARY KEY (town, street));
      CREATE INDEX shopKind ON shop(kind);
      CREATE TABLE parcel (id INTEGER PRIMARY KEY, town TEXT, street TEXT,
        FOREIGN KEY (town, street) REFERENCES shop(town, street));
      CREATE INDEX parcelShop ON parcel(town, street);
      INSERT INTO agency VALUES (1, 'Ink'), (2, 'Pen');
      WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 9)
        INSERT INTO writer SELECT x, iif(x % 2, 'FR', 'IT'), 1 + x % 2 FROM n;
      INSERT INTO novel (writerId, price) SELECT a.id, b.id FROM writer a, writer b
        WHERE b.id < a.id ORDER BY a.id, b.id;
      INSERT INTO edition (novelId, copies) SELECT id, price * 10 FROM novel;
      INSERT INTO diary VALUES (1, 1), (2, 1);
      INSERT INTO shop VALUES ('a', 'x', '2'), ('a', 'y', '1'), ('b', 'x', '1'), ('b', 'y', '0');
      INSERT INTO parcel (town, street) SELECT town, street FROM shop;
      """
  ).read(body)
}

private let novelCount = """
  (SELECT COUNT(*) FROM "novel" WHERE "novel"."writerId" = "writer"."id") AS "novelCount"
  """

/// A request with a limit computes the aggregates of its rows only.
struct PageAggregateTests {
  private typealias Request = QueryInterfaceRequest<Writer>

  private let counted = Writer.annotated(with: Writer.novels.count)

  private func check(
    _ request: Request, _ expected: [[(any DatabaseValueConvertible)?]], sql text: String,
    dropping columns: Int = 3
  ) throws {
    try read { db throws in
      #expect(try sql(of: request, in: db).sql == text)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(
        rows.map { Array($0.databaseValues.dropFirst(columns)) }
          == expected.map { row in row.map { $0?.databaseValue ?? .null } })
      #expect(try request.fetchCount(db) == expected.count)
    }
  }

  /// What the request looks like without aggregates in subqueries.
  private func staysGrouped(_ request: Request) throws {
    try read { db throws in
      #expect(try sql(of: request, in: db).sql.contains("GROUP BY \"writer\".\"id\""))
      #expect(try request.asRequest(of: Row.self).fetchAll(db).count > 0)
    }
  }

  @Test func `a limit moves aggregates into subqueries`() throws {
    try check(
      counted.order(id.desc).limit(2, offset: 1), [[7], [6]],
      sql: """
        SELECT "writer".*, \(novelCount) FROM "writer" ORDER BY "writer"."id" DESC LIMIT 2 OFFSET 1
        """)
    try check(
      Writer.limit(3).annotated(with: Writer.novels.sum(price), Writer.editions.max(copies))
        .filter(country == "FR").order(id),
      [[nil, nil], [3, 20], [10, 40]],
      sql: """
        SELECT "writer".*, \
        (SELECT SUM("novel"."price") FROM "novel" WHERE "novel"."writerId" = "writer"."id") \
        AS "novelPriceSum", (SELECT MAX("edition"."copies") FROM "novel" JOIN "edition" \
        ON "edition"."novelId" = "novel"."id" WHERE "novel"."writerId" = "writer"."id") \
        AS "maxEditionCopies" FROM "writer" WHERE "writer"."country" = ? \
        ORDER BY "writer"."id" LIMIT 3
        """)
  }

  @Test func `associations to one stay joined`() throws {
    let agency = TableAlias()
    try check(
      counted.joining(required: Writer.agency.aliased(agency))
        .order(agency[Column("name")].desc, id).limit(2),
      [[0], [2]],
      sql: """
        SELECT "writer".*, \(novelCount) FROM "writer" \
        JOIN "agency" ON "agency"."id" = "writer"."agencyId" \
        ORDER BY "agency"."name" DESC, "writer"."id" LIMIT 2
        """)
  }

  @Test func `without a limit, and for one record, nothing changes`() throws {
    try staysGrouped(counted)
    try read { db throws in
      let prepared = try counted.makePreparedRequest(db, forSingleResult: true)
      #expect(
        prepared.statement.sql == """
          SELECT "writer".*, COUNT(DISTINCT "novel"."id") AS "novelCount" FROM "writer" \
          LEFT JOIN "novel" ON "novel"."writerId" = "writer"."id" GROUP BY "writer"."id" LIMIT 1
          """)
    }
  }

  @Test func `filters and orders by an aggregate need all groups`() throws {
    try staysGrouped(counted.having(Writer.novels.count > 3).limit(2))
    try staysGrouped(counted.order(Column("novelCount").detached.desc).limit(2))
    try staysGrouped(counted.order(sql: "novelCount DESC").limit(2))
    try staysGrouped(counted.order(sql: "4").limit(2))
    try staysGrouped(counted.limit(2).distinct())
    try staysGrouped(Writer.annotated(with: Writer.novels.order(price).count).limit(2))
  }

  @Test func `other clauses that need all groups`() throws {
    try staysGrouped(counted.joining(required: Writer.novels.forKey("others")).limit(2))
    try staysGrouped(counted.annotated(with: SQLExpression.countAll.forKey("n")).limit(2))
    try staysGrouped(
      counted.annotated(with: rowNumber().over(orderBy: id).forKey("n")).limit(2))
  }

  @Test func `a page counts joined rows as the whole request does`() throws {
    try read { db throws in
      let request = counted.joining(optional: Writer.novels.joining(required: Novel.editions))
        .order(id)
      let all = try request.asRequest(of: Row.self).fetchAll(db).map { $0["novelCount"] as Int }
      let page = try request.limit(5).asRequest(of: Row.self).fetchAll(db)
      #expect(page.map { $0["novelCount"] as Int } == Array(all.prefix(5)))
      #expect(Set(all).count > 1)
    }
  }

  @Test func `rows without index are joined`() throws {
    try staysGrouped(Writer.annotated(with: Writer.diaries.count).limit(2))
    try staysGrouped(counted.annotated(with: Writer.diaries.count).limit(2))
  }

  @Test func `remembered queries know whether there is a limit`() throws {
    try read { db throws in
      for limit in [nil, 2, nil, 3, 2, nil, 4] as [Int?] {
        let request = limit.map { counted.order(id).limit($0) } ?? counted.order(id)
        #expect(
          try request.asRequest(of: Row.self).fetchAll(db).map { $0["novelCount"] as Int }
            == Array(0..<(limit ?? 9)))
      }
    }
  }

  @Test func `prefetched records are those of the page`() throws {
    let kind = Column("kind")
    try read { db throws in
      for isExplicit in [false, true] {
        let page = Shop.annotated(with: Shop.parcels.count).filter(kind >= "0").limit(2)
          .including(all: Shop.parcels)
        let request = isExplicit ? page.withAggregatesInSubqueries() : page
        let rows = try request.asRequest(of: Row.self).fetchAll(db)
        #expect(rows.count == 2)
        for row in rows {
          #expect(row["parcelCount"] as Int == 1)
          #expect(row.prefetchedRows["parcels"]?.count == 1)
        }
      }
    }
  }
}
