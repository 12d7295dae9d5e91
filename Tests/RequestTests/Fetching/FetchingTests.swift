import QuarryTestSupport
import Testing

@testable import Quarry

/// A way to fetch records, and their identifiers.
private struct Fetching: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let ids: [Int64]
  let sql: String
  let fetch: @Sendable (Database) throws -> [Int64]

  init(
    _ name: String, _ ids: [Int64], _ sql: String,
    _ fetch: @escaping @Sendable (Database) throws -> [Int64]
  ) {
    testDescription = name
    self.ids = ids
    self.sql = sql
    self.fetch = fetch
  }
}

extension Collection<Review> {
  fileprivate var ids: [Int64] { map(\.id).sorted() }
}

@Suite(.onQueueAndPool)
struct FetchingTests {
  private static let all = #"SELECT * FROM "review""#
  private static let in12 = #"SELECT * FROM "review" WHERE "id" IN (?, ?)"#

  private static let ofType = [
    Fetching("fetchAll", [1, 2, 3], all) { try Review.fetchAll($0).ids },
    Fetching("fetchCursor", [1, 2, 3], all) { try Array(Review.fetchCursor($0)).ids },
    Fetching("fetchSet", [1, 2, 3], all) { try Review.fetchSet($0).ids },
    Fetching("fetchOne", [1], all + " LIMIT 1") { try [Review.fetchOne($0)].compactMap { $0 }.ids },
    Fetching("fetchAll(keys:)", [1, 2], in12) { try Review.fetchAll($0, keys: [1, 2]).ids },
    Fetching("fetchCursor(keys:)", [1, 2], in12) {
      try Array(Review.fetchCursor($0, keys: [1, 2])).ids
    },
    Fetching("fetchSet(keys:)", [1, 2], in12) { try Review.fetchSet($0, keys: [1, 2]).ids },
    Fetching("fetchAll(ids:)", [1, 2], in12) { try Review.fetchAll($0, ids: [1, 2]).ids },
    Fetching("fetchCursor(ids:)", [1, 2], in12) {
      try Array(Review.fetchCursor($0, ids: [1, 2])).ids
    },
    Fetching("fetchSet(ids:)", [1, 2], in12) { try Review.fetchSet($0, ids: [1, 2]).ids },
  ]

  private static let one = #"SELECT * FROM "review" WHERE "id" = ?"#
  private static let oneOfTwo = #"SELECT * FROM "review" WHERE ("id" = ?) AND ("score" = ?)"#
  private static let either =
    #"SELECT * FROM "review" WHERE (("id" = ?) AND ("score" = ?)) OR ("id" = ?)"#
  private static let keys: @Sendable () -> [[String: (any DatabaseValueConvertible)?]] = {
    [["id": 2, "score": 3], ["id": 3]]
  }

  private static let byKey = [
    Fetching("fetchOne(key:)", [2], one) {
      try [Review.fetchOne($0, key: 2)].compactMap { $0 }.ids
    },
    Fetching("fetchOne(id:)", [2], one) { try [Review.fetchOne($0, id: 2)].compactMap { $0 }.ids },
    Fetching("fetchOne(key:) of no row", [], one) {
      try [Review.fetchOne($0, key: 9)].compactMap { $0 }.ids
    },
    Fetching("find(key:)", [2], one) { try [Review.find($0, key: 2)].ids },
    Fetching("find(id:)", [2], one) { try [Review.find($0, id: 2)].ids },
    Fetching("find(key: columns)", [2], oneOfTwo) {
      try [Review.find($0, key: ["score": 3, "id": 2])].ids
    },
    Fetching("fetchOne(key: columns)", [2], oneOfTwo) {
      try [Review.fetchOne($0, key: ["id": 2, "score": 3])].compactMap { $0 }.ids
    },
    Fetching("fetchAll(keys: columns)", [2, 3], either) {
      try Review.fetchAll($0, keys: keys()).ids
    },
    Fetching("fetchCursor(keys: columns)", [2, 3], either) {
      try Array(Review.fetchCursor($0, keys: keys())).ids
    },
    Fetching("fetchSet(keys: columns)", [2, 3], either) {
      try Review.fetchSet($0, keys: keys()).ids
    },
  ]

  private static let raw = "SELECT 0, * FROM review WHERE id > ?"
  private static let adapter: @Sendable () -> any RowAdapter = { SuffixRowAdapter(fromIndex: 1) }

  private static let ofSQL = [
    Fetching("fetchAll(sql:)", [2, 3], raw) {
      try Review.fetchAll($0, sql: raw, arguments: [1], adapter: adapter()).ids
    },
    Fetching("fetchCursor(sql:)", [2, 3], raw) {
      try Array(Review.fetchCursor($0, sql: raw, arguments: [1], adapter: adapter())).ids
    },
    Fetching("fetchSet(sql:)", [2, 3], raw) {
      try Review.fetchSet($0, sql: raw, arguments: [1], adapter: adapter()).ids
    },
    Fetching("fetchOne(sql:)", [2], raw) {
      try [Review.fetchOne($0, sql: raw, arguments: [1], adapter: adapter())].compactMap { $0 }.ids
    },
    Fetching("fetchAll(statement)", [2, 3], raw) {
      try Review.fetchAll($0.makeStatement(sql: raw), arguments: [1], adapter: adapter()).ids
    },
    Fetching("fetchCursor(statement)", [2, 3], raw) {
      let statement = try $0.makeStatement(sql: raw)
      return try Array(Review.fetchCursor(statement, arguments: [1], adapter: adapter())).ids
    },
    Fetching("fetchSet(statement)", [2, 3], raw) {
      try Review.fetchSet($0.makeStatement(sql: raw), arguments: [1], adapter: adapter()).ids
    },
    Fetching("fetchOne(statement)", [2], raw) {
      let statement = try $0.makeStatement(sql: raw)
      return try [Review.fetchOne(statement, arguments: [1], adapter: adapter())]
        .compactMap { $0 }.ids
    },
    Fetching("fetchAll(request)", [2, 3], raw) { try Review.fetchAll($0, request()).ids },
    Fetching("fetchCursor(request)", [2, 3], raw) {
      try Array(Review.fetchCursor($0, request())).ids
    },
    Fetching("fetchSet(request)", [2, 3], raw) { try Review.fetchSet($0, request()).ids },
    Fetching("fetchOne(request)", [2], raw) {
      try [Review.fetchOne($0, request())].compactMap { $0 }.ids
    },
    Fetching("request.fetchAll", [2, 3], raw) { try request().fetchAll($0).ids },
  ]

  private static func request() -> SQLRequest<Review> {
    SQLRequest(sql: raw, arguments: [1], adapter: adapter())
  }

  @Test(arguments: ofType + byKey + ofSQL)
  private func `Records are fetched in all forms`(_ fetching: Fetching) throws {
    try inBookshop { db, recorder throws in
      #expect(try fetching.fetch(db) == fetching.ids)
      #expect(recorder.takeStatements() == [fetching.sql])
    }
  }

  @Test func `No key is no statement`() throws {
    try inBookshop { db, recorder throws in
      #expect(try Review.fetchAll(db, keys: [] as [Int]).isEmpty)
      #expect(try Review.fetchSet(db, ids: []).isEmpty)
      #expect(try Review.fetchOne(db, key: nil as Int?) == nil)
      #expect(
        try Review.fetchAll(db, keys: [] as [[String: (any DatabaseValueConvertible)?]]).isEmpty)
      #expect(recorder.takeStatements() == [])
    }
  }

  @Test func `Composite keys may come in any order, and hold NULL`() throws {
    try inBookshop { db, recorder throws in
      let stock = try Stock.find(db, key: ["isbn": "b", "shop": "north"])
      #expect(stock == Stock(shop: "north", isbn: "b", qty: 0))
      #expect(try Member.fetchOne(db, key: ["email": nil])?.nick == "cat")
      #expect(try Stock.fetchAll(db, keys: [["shop": "south", "isbn": "a"]]).map(\.qty) == [7])
      #expect(
        errorText { try Stock.find(db, key: ["isbn": "z", "shop": "north"]) }
          == #"Key not found in table stock: [isbn:"z" shop:"north"]"#)
    }
  }
}

/// What a record type selects.
@Suite(.onQueueAndPool)
struct DatabaseSelectionTests {
  private struct Brief: Codable, Hashable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "author"
    static var databaseSelection: [any SQLSelectable] {
      [.allColumns(excluding: ["country", "BIRTHYEAR"])]
    }
    var id: Int64
    var name: String?
  }

  private struct Aged: Decodable, Hashable, FetchableRecord, TableRecord {
    static let databaseTableName = "author"
    static var databaseSelection: [any SQLSelectable] {
      [Column("id"), (2000 - Column("birthYear")).forKey("age")]
    }
    var id: Int64
    var age: Int
  }

  @Test func `Columns may be left out`() throws {
    try inBookshop { db, recorder throws in
      #expect(try Brief.fetchAll(db).map(\.name) == ["Ursula Vernet", "Italo Bassi", "Ana Neves"])
      #expect(try Brief.find(db, key: 2).name == "Italo Bassi")
      #expect(try Brief.fetchCount(db) == 3)
      #expect(try Brief.numberOfSelectedColumns(db) == 2)
      #expect(
        recorder.takeStatements().prefix(3) == [
          #"SELECT "id", "name" FROM "author""#,
          #"SELECT "id", "name" FROM "author" WHERE "id" = ?"#,
          #"SELECT COUNT(*) FROM "author""#,
        ])
    }
  }

  @Test func `Writes return the selection`() throws {
    try inBookshop { db, recorder throws in
      let brief = Brief(id: 9, name: "x")
      #expect(try brief.insertAndFetch(db) == brief)
      #expect(try brief.updateAndFetch(db) == brief)
      #expect(try brief.upsertAndFetch(db) == brief)
      #expect(try Author(id: 1, birthYear: 1990).saveAndFetch(db, as: Aged.self).age == 10)
      #expect(
        recorder.takeStatements() == [
          #"INSERT INTO "author" ("id", "name") VALUES (?,?) RETURNING "id", "name""#,
          #"UPDATE "author" SET "name"=? WHERE "id"=? RETURNING "id", "name""#,
          #"INSERT INTO "author" ("id", "name") VALUES (?,?) ON CONFLICT DO UPDATE SET "#
            + #""name" = "excluded"."name" RETURNING "id", "name", "rowid""#,
          #"UPDATE "author" SET "name"=?, "country"=?, "birthYear"=? WHERE "id"=? "#
            + #"RETURNING "id", ? - "birthYear" AS "age""#,
        ])
    }
  }

  @Test func `Expressions are decoded by their names`() throws {
    try inBookshop { db, recorder throws in
      #expect(
        try Aged.order(Column("id")).fetchAll(db) == [
          Aged(id: 1, age: 71), Aged(id: 2, age: 77), Aged(id: 3, age: 49),
        ])
      #expect(
        recorder.takeStatements() == [
          #"SELECT "id", ? - "birthYear" AS "age" FROM "author" ORDER BY "id""#
        ])
      let error = errorText { try Aged.select(Column("id")).fetchAll(db) }
      #expect(error?.hasPrefix(#"column not found: "age" - row: [id:1]"#) == true)
    }
  }
}
