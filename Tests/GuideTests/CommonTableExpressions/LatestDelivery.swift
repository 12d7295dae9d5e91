import Quarry
import QuarryTestSupport
import Testing

/// 'CTE Association Example': the latest delivery of each warehouse.
struct LatestDelivery {
  struct Warehouse: Codable, Hashable, FetchableRecord, PersistableRecord {
    var id: Int64
    var city: String
  }

  struct Delivery: Codable, Hashable, FetchableRecord, PersistableRecord {
    var crates: Int
    var day: String
    var warehouseId: Int64
  }

  struct Arrival: Decodable, Hashable, FetchableRecord {
    var warehouse: Warehouse
    /// Nil for a warehouse that got nothing so far.
    var latest: Delivery?
  }

  private let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE warehouse (id INTEGER PRIMARY KEY, city TEXT NOT NULL);
        CREATE TABLE delivery (
          warehouseId INTEGER NOT NULL, day TEXT NOT NULL, crates INTEGER NOT NULL);
        INSERT INTO warehouse VALUES (1, 'Lisbon'), (2, 'Turin'), (3, 'Antwerp');
        INSERT INTO delivery VALUES
          (1, '2024-05-01', 12), (1, '2024-05-03', 7), (2, '2024-05-04', 31),
          (1, '2024-05-02', 4), (2, '2024-05-02', 2);
        """)
  }

  /// SQLite takes the other columns of a group from the row of its maximum.
  private let latestRows = Delivery.all().group(Column("warehouseId"))
    .annotated(with: max(Column("day")))

  private var request: QueryInterfaceRequest<Arrival> {
    let latest = CommonTableExpression(named: "latest", request: latestRows)
    let delivery = Warehouse.association(to: latest) { warehouse, delivery in
      delivery[Column("warehouseId")] == warehouse[Column("id")]
    }
    return Warehouse.including(optional: delivery.order(Column("day").desc))
      .with(latest)
      .asRequest(of: Arrival.self)
  }

  @Test func `the columns of a group are those of the row with its maximum`() throws {
    try dbQueue.read { db in
      try #expect(
        sql(of: latestRows, in: db).sql
          == #"SELECT *, MAX("day") FROM "delivery" GROUP BY "warehouseId""#)
      try #expect(latestRows.order(Column("warehouseId")).fetchAll(db).map(\.crates) == [7, 31])
    }
  }

  @Test func `an association leads to the row with the maximum of each group`() throws {
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db).sql == """
          WITH "latest" AS (SELECT *, MAX("day") FROM "delivery" GROUP BY "warehouseId") \
          SELECT "warehouse".*, "latest".* FROM "warehouse" \
          LEFT JOIN "latest" ON "latest"."warehouseId" = "warehouse"."id" \
          ORDER BY "latest"."day" DESC
          """)
      try #expect(
        request.fetchAll(db) == [
          Arrival(
            warehouse: Warehouse(id: 2, city: "Turin"),
            latest: Delivery(crates: 31, day: "2024-05-04", warehouseId: 2)),
          Arrival(
            warehouse: Warehouse(id: 1, city: "Lisbon"),
            latest: Delivery(crates: 7, day: "2024-05-03", warehouseId: 1)),
          Arrival(warehouse: Warehouse(id: 3, city: "Antwerp"), latest: nil),
        ])
    }
  }
}
