import Quarry
import QuarryTestSupport
import Testing

/// 'Aggregate Operations': the operators.
struct AggregateOperations {
  typealias Member = Desk.Member

  static let group = #"GROUP BY "member"."id""#
  static let loans = #"COUNT(DISTINCT "loan"."id")"#
  static let reservations = #"COUNT(DISTINCT "reservation"."id")"#

  @Test func `aggregates are combined by logical operators`() throws {
    try Desk.make().read { db in
      let condition = Member.loans.isEmpty && Member.reservations.isEmpty
      let request = Member.having(condition)
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "member".* FROM "member" \(Desk.joinLoan) \(Desk.joinReservation) \
          \(Self.group) HAVING (\(Self.loans) = 0) AND (\(Self.reservations) = 0)
          """)
      try #expect(request.fetchAll(db) == [Desk.di])
      let either = Member.having(Member.loans.isEmpty || Member.reservations.isEmpty)
      try #expect(either.fetchAll(db) == [Desk.ada, Desk.cy, Desk.di])
      let not = Member.having(!(Member.loans.isEmpty || Member.reservations.isEmpty))
      try #expect(not.fetchAll(db) == [Desk.bo])
    }
  }

  @Test func `aggregates are compared with values`() throws {
    try Desk.make().read { db in
      let request = Member.having(Member.loans.max(Column("year")) >= 2010)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "member".* FROM "member" \(Desk.joinLoan) \
            \(Self.group) HAVING MAX("loan"."year") >= ?
            """, [2010]))
      try #expect(request.fetchAll(db) == [Desk.ada])
      let count = Member.loans.count
      let expected: [(AssociationAggregate<Member>, [String])] = [
        (count < 1, ["Cy", "Di"]), (count <= 1, ["Bo", "Cy", "Di"]),
        (count == 1, ["Bo"]), (count != 1, ["Ada", "Cy", "Di"]),
        (count >= 1, ["Ada", "Bo"]), (count > 1, ["Ada"]),
      ]
      for (condition, names) in expected {
        try #expect(Member.having(condition).fetchAll(db).map(\.name) == names)
      }
    }
  }

  @Test func `aggregates are added, subtracted, multiplied and divided`() throws {
    try Desk.make().read { db in
      let total = Member.loans.count + Member.reservations.count
      let request = Member.annotated(with: total.forKey("total"))
      try #expect(
        sql(of: request, in: db).sql == """
          SELECT "member".*, \(Self.loans) + \(Self.reservations) AS "total" FROM "member" \
          \(Desk.joinLoan) \(Desk.joinReservation) \(Self.group)
          """)
      try #expect(Row.fetchAll(db, request).map { $0["total"] } == [3, 3, 1, 0])
      let count = Member.loans.count
      let expected: [(AssociationAggregate<Member>, [Int])] = [
        (count - Member.reservations.count, [3, -1, -1, 0]), (count * 2, [6, 2, 0, 0]),
        (count / 2, [1, 0, 0, 0]), (10 - count, [7, 9, 10, 10]),
      ]
      for (aggregate, values) in expected {
        let request = Member.annotated(with: aggregate.forKey("value"))
        try #expect(Row.fetchAll(db, request).map { $0["value"] } == values)
      }
    }
  }

  struct Warehouse: Codable, FetchableRecord, TableRecord {
    static let crates = hasMany(Crate.self)

    var id: Int64
  }

  struct Crate: Codable, FetchableRecord, TableRecord {
    var id: Int64
    var weight: Int
  }

  @Test func `the nil-coalescing operator replaces a null aggregate`() throws {
    struct WarehouseInfo: Decodable, Equatable, FetchableRecord {
      var id: Int64
      var minCrateWeight: Int
    }
    let dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE warehouse (id INTEGER PRIMARY KEY);
        CREATE TABLE crate (
          id INTEGER PRIMARY KEY, warehouseId INTEGER NOT NULL REFERENCES warehouse(id),
          weight INTEGER NOT NULL);
        INSERT INTO warehouse VALUES (1), (2);
        INSERT INTO crate VALUES (1, 1, 500), (2, 1, 300);
        """)
    try dbQueue.read { db in
      let request = Warehouse.annotated(with: Warehouse.crates.min(Column("weight")) ?? 0)
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            SELECT "warehouse".*, IFNULL(MIN("crate"."weight"), ?) AS "minCrateWeight" \
            FROM "warehouse" LEFT JOIN "crate" ON "crate"."warehouseId" = "warehouse"."id" GROUP BY "warehouse"."id"
            """, [0]))
      try #expect(
        WarehouseInfo.fetchAll(db, request) == [
          WarehouseInfo(id: 1, minCrateWeight: 300), WarehouseInfo(id: 2, minCrateWeight: 0),
        ])
    }
  }
}
