import Quarry
import QuarryTestSupport
import Testing

/// 'Associations to Common Table Expressions': the joining methods, and chains of typed
/// expressions.
struct TableExpressionAssociations {
  struct Crate: Codable, Equatable, FetchableRecord, TableRecord {
    static let databaseTableName = "crate"

    var id: Int64
    var width: Int
  }

  private let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE crate (id INTEGER PRIMARY KEY, width INTEGER NOT NULL);
        INSERT INTO crate VALUES (1, 10), (2, 20), (3, 30);
        CREATE TABLE pallet (id INTEGER PRIMARY KEY, width INTEGER NOT NULL);
        INSERT INTO pallet VALUES (1, 10), (2, 20);
        CREATE TABLE place (id INTEGER PRIMARY KEY, label TEXT NOT NULL);
        INSERT INTO place VALUES (12, 'twelve'), (22, 'twenty-two');
        """)
  }

  private let size = CommonTableExpression(
    named: "size", columns: ["cm", "label"], sql: "VALUES (10, 'ten'), (30, 'thirty')")

  private var association: JoinAssociation<Crate, Row> {
    Crate.association(to: size) { crate, size in crate[Column("width")] == size[Column("cm")] }
  }

  private let definition = """
    WITH "size"("cm", "label") AS (VALUES (10, 'ten'), (30, 'thirty')) 
    """

  @Test func `an association to a table expression joins on its condition`() throws {
    let request =
      Crate
      .with(size)
      .including(required: association)
      .order(Column("id"))
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db).sql
          == definition + """
            SELECT "crate".*, "size".* FROM "crate" \
            JOIN "size" ON "crate"."width" = "size"."cm" ORDER BY "crate"."id"
            """)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["id"] as Int } == [1, 3])
      #expect(rows.map { $0.scopes["size"]?["label"] as String? } == ["ten", "thirty"])
    }
  }

  @Test func `all joining methods take an association to a table expression`() throws {
    let parents = Crate.with(size).order(Column("id"))
    let order = #" ON "crate"."width" = "size"."cm" ORDER BY "crate"."id""#
    try dbQueue.read { db in
      let joiningOptional = parents.joining(optional: association)
      try #expect(
        sql(of: joiningOptional, in: db).sql
          == definition + #"SELECT "crate".* FROM "crate" LEFT JOIN "size""# + order)
      try #expect(joiningOptional.fetchAll(db).map(\.id) == [1, 2, 3])
      let joiningRequired = parents.joining(required: association)
      try #expect(
        sql(of: joiningRequired, in: db).sql
          == definition + #"SELECT "crate".* FROM "crate" JOIN "size""# + order)
      try #expect(joiningRequired.fetchAll(db).map(\.id) == [1, 3])
      let includingOptional = parents.including(optional: association)
      try #expect(
        sql(of: includingOptional, in: db).sql
          == definition
          + #"SELECT "crate".*, "size".* FROM "crate" LEFT JOIN "size""# + order)
      let rows = try includingOptional.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.scopes["size"]?["label"] as String? } == ["ten", nil, "thirty"])
    }
  }

  enum Court {}
  enum Aisle {}

  struct Pallet: Codable, Equatable, FetchableRecord, TableRecord {
    static let databaseTableName = "pallet"

    var id: Int64
    var width: Int
  }

  struct Place: Codable, Equatable, FetchableRecord, TableRecord {
    static let databaseTableName = "place"

    var id: Int64
    var label: String
  }

  @Test func `associations of typed table expressions are chained`() throws {
    let courts = CommonTableExpression<Court>(
      named: "court", request: SQLRequest<Row>("SELECT 10 AS span"))
    let aisles = CommonTableExpression<Aisle>(
      named: "aisle", columns: ["number", "placeId"], sql: "VALUES (11, 12), (21, 22)")
    let toCourt = Pallet.association(to: courts) { $0[Column("width")] == $1[Column("span")] }
    let toAisle = courts.association(to: aisles) { $0[Column("span")] + 1 == $1[Column("number")] }
    let toPlace = aisles.association(to: Place.self) { $0[Column("placeId")] == $1[Column("id")] }

    let path = toCourt.joining(required: toAisle.joining(required: toPlace))
    let request = Pallet.joining(required: path).with(courts).with(aisles)
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db).sql == """
          WITH "court" AS (SELECT 10 AS span), \
          "aisle"("number", "placeId") AS (VALUES (11, 12), (21, 22)) \
          SELECT "pallet".* FROM "pallet" JOIN "court" ON "pallet"."width" = "court"."span" \
          JOIN "aisle" ON ("court"."span" + ?) = "aisle"."number" \
          JOIN "place" ON "aisle"."placeId" = "place"."id"
          """)
      try #expect(request.fetchAll(db) == [Pallet(id: 1, width: 10)])
    }
  }
}
