import Quarry
import QuarryPages
import QuarryRecords
import QuarryTestSupport
import Testing

private struct Writer: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let novels = hasMany(Novel.self).order(Column("year"))
  var id: Int64
  var name: String
}

private struct Novel: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let writer = belongsTo(Writer.self)
  static let reviews = hasMany(Table<Row>("review"))
  var id: Int64
  var writerId: Int64?
  var year: Int?
}

/// Pages of requests with joins, where several rows, or none, belong to a record.
@Suite(.onQueueAndPool)
struct JoinedPageTests {
  private func inLibrary(_ body: (Database) throws -> Void) throws {
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "writer" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL);
          CREATE TABLE "novel" (
            "id" INTEGER PRIMARY KEY, "writerId" INTEGER REFERENCES "writer", "year" INTEGER);
          CREATE TABLE "review" (
            "id" INTEGER PRIMARY KEY, "novelId" INTEGER NOT NULL REFERENCES "novel");
          INSERT INTO "writer" VALUES (1, 'Austen'), (2, 'Austen'), (3, 'Bronte'), (4, 'Austen');
          INSERT INTO "novel" VALUES
            (1, 1, 1811), (2, 1, 1813), (3, 1, 1815), (4, 2, 1797), (5, 2, 1797), (6, 3, 1847),
            (7, NULL, 1800);
          INSERT INTO "review" VALUES (1, 1), (2, 1);
          """)
      try body(db)
    }
  }

  private func pages<T: FetchableRecord & Equatable>(
    of request: QueryInterfaceRequest<T>, limit: Int, _ db: Database
  ) throws -> [T] {
    try walk {
      try request.page(after: $0, limit: limit).fetch(db)
    } backward: {
      try request.page(before: $0, limit: limit).fetch(db)
    }
  }

  @Test func `an order by many associated records does not divide groups`() throws {
    struct Shelf: Decodable, Equatable, FetchableRecord {
      var id: Int64
      var novelCount: Int
    }
    try inLibrary { db throws in
      let request = Writer.annotated(with: Writer.novels.count).order(Column("name"))
        .asRequest(of: Shelf.self)
      let shelves = [
        Shelf(id: 4, novelCount: 0), Shelf(id: 2, novelCount: 2), Shelf(id: 1, novelCount: 3),
        Shelf(id: 3, novelCount: 1),
      ]
      #expect(try request.fetchAll(db) == shelves)
      for limit in 1...4 {
        let records = try pages(of: request, limit: limit, db)
        #expect(records == shelves)
      }
      let first = try request.page(limit: 2).fetch(db)
      #expect(
        try request.page(after: first.next, limit: 2).request(db).sql(db) == """
          SELECT "writer".*, COUNT(DISTINCT "novel"."id") AS "novelCount", \
          "writer"."name" AS "page key 1", "novel"."year" AS "page key 2", \
          "writer"."id" AS "page key 3" \
          FROM "writer" LEFT JOIN "novel" ON "novel"."writerId" = "writer"."id" \
          GROUP BY "writer"."id" \
          HAVING ("writer"."name", "novel"."year", "writer"."id") > ('Austen', 1797, 2) \
          ORDER BY "writer"."name", "novel"."year", "writer"."id" LIMIT 3
          """)
    }
  }

  @Test func `an order by one associated record finds rows before they are grouped`() throws {
    try inLibrary { db throws in
      let request = Novel.joining(optional: Novel.writer.order(Column("name")))
        .annotated(with: Novel.reviews.count)
      for limit in 1...3 {
        let records = try pages(of: request, limit: limit, db)
        #expect(records.map(\.id) == [7, 1, 2, 3, 4, 5, 6])
      }
      let first = try request.page(limit: 2).fetch(db)
      let sql = try request.page(after: first.next, limit: 2).request(db).sql(db)
      let condition = #"WHERE ("writer"."name", "novel"."id") > ('Austen', 1) "#
      #expect(sql.contains(condition + #"GROUP BY "novel"."id""#))
    }
  }

  @Test func `records that an outer join has not found are missing in pages`() throws {
    struct Pair: Decodable, Equatable, FetchableRecord {
      var novel: Novel?
      var writer: Writer?
    }
    struct Dated: Decodable {
      var year: Int?
    }
    struct DatedPair: Decodable, FetchableRecord {
      var novel: Dated?
      var writer: Writer?
    }
    try inLibrary { db throws in
      let pairs = Novel.all().including(full: Novel.writer)
      for limit in [1, 3, 10] {
        let records = try pages(of: pairs.asRequest(of: Pair.self), limit: limit, db)
        let ids = records.map { "\($0.novel?.id ?? 0)-\($0.writer?.id ?? 0)" }
        #expect(ids == ["0-4", "1-1", "2-1", "3-1", "4-2", "5-2", "6-3", "7-0"])
      }
      let page = try pairs.asRequest(of: DatedPair.self).page(limit: 2).fetch(db)
      let years = page.records.map { $0.novel?.year }
      #expect(years == [nil, 1811])
      #expect(page.records.first?.novel == nil)
      let rows = try Novel.all().including(right: Novel.writer).asRequest(of: Row.self)
        .page(limit: 1).fetch(db).records
      #expect(rows.first?.scopes["novel"] == ["id": nil, "writerId": nil, "year": nil])
    }
  }
}
