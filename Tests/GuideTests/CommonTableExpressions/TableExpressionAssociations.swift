import Quarry
import QuarryTestSupport
import Testing

/// 'Associations to Common Table Expressions': the joining methods, and chains of typed expressions.
struct TableExpressionAssociations {
  struct LeftRecord: Codable, Equatable, FetchableRecord, TableRecord {
    static let databaseTableName = "leftRecord"

    var id: Int64
    var x: Int
  }

  private let dbQueue: DatabaseQueue

  init() throws {
    dbQueue = try makeDatabase(
      sql: """
        CREATE TABLE leftRecord (id INTEGER PRIMARY KEY, x INTEGER NOT NULL);
        INSERT INTO leftRecord VALUES (1, 10), (2, 20), (3, 30);
        CREATE TABLE base (id INTEGER PRIMARY KEY, x INTEGER NOT NULL);
        INSERT INTO base VALUES (1, 10), (2, 20);
        CREATE TABLE far (id INTEGER PRIMARY KEY, label TEXT NOT NULL);
        INSERT INTO far VALUES (12, 'twelve'), (22, 'twenty-two');
        """)
  }

  private let rightCTE = CommonTableExpression(
    named: "rightCTE", columns: ["y", "label"], sql: "VALUES (10, 'ten'), (30, 'thirty')")

  private var association: JoinAssociation<LeftRecord, Row> {
    // An association from LeftRecord to rightCTE
    LeftRecord.association(
      to: rightCTE,
      on: { left, right in
        left[Column("x")] == right[Column("y")]
      })
  }

  private let definition = """
    WITH "rightCTE"("y", "label") AS (VALUES (10, 'ten'), (30, 'thirty')) 
    """

  @Test func includingRequired() throws {
    // WITH rightCTE AS (...)
    // SELECT leftRecord.*, rightCTE.*
    // FROM leftRecord
    // JOIN rightCTE ON leftRecord.x = rightCTE.y
    let request =
      LeftRecord
      .with(rightCTE)
      .including(required: association)
      .order(Column("id"))
    try dbQueue.read { db throws in
      #expect(
        try sql(of: request, in: db).sql
          == definition + """
            SELECT "leftRecord".*, "rightCTE".* FROM "leftRecord" \
            JOIN "rightCTE" ON "leftRecord"."x" = "rightCTE"."y" ORDER BY "leftRecord"."id"
            """)
      let rows = try request.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0["id"] as Int } == [1, 3])
      #expect(rows.map { $0.scopes["rightCTE"]?["label"] as String? } == ["ten", "thirty"])
    }
  }

  @Test func otherJoiningMethods() throws {
    let parents = LeftRecord.with(rightCTE).order(Column("id"))
    let order = #" ON "leftRecord"."x" = "rightCTE"."y" ORDER BY "leftRecord"."id""#
    try dbQueue.read { db throws in
      // SELECT parent.* FROM parent LEFT JOIN child ON ...
      let joiningOptional = parents.joining(optional: association)
      #expect(
        try sql(of: joiningOptional, in: db).sql
          == definition + #"SELECT "leftRecord".* FROM "leftRecord" LEFT JOIN "rightCTE""# + order)
      #expect(try joiningOptional.fetchAll(db).map(\.id) == [1, 2, 3])
      // SELECT parent.* FROM parent JOIN child ON ...
      let joiningRequired = parents.joining(required: association)
      #expect(
        try sql(of: joiningRequired, in: db).sql
          == definition + #"SELECT "leftRecord".* FROM "leftRecord" JOIN "rightCTE""# + order)
      #expect(try joiningRequired.fetchAll(db).map(\.id) == [1, 3])
      // SELECT parent.*, child.* FROM parent LEFT JOIN child ON ...
      let includingOptional = parents.including(optional: association)
      #expect(
        try sql(of: includingOptional, in: db).sql
          == definition
          + #"SELECT "leftRecord".*, "rightCTE".* FROM "leftRecord" LEFT JOIN "rightCTE""# + order)
      let rows = try includingOptional.asRequest(of: Row.self).fetchAll(db)
      #expect(rows.map { $0.scopes["rightCTE"]?["label"] as String? } == ["ten", nil, "thirty"])
    }
  }

  enum CTE1 {}
  enum CTE2 {}

  struct BaseRecord: Codable, Equatable, FetchableRecord, TableRecord {
    static let databaseTableName = "base"

    var id: Int64
    var x: Int
  }

  struct FarRecord: Codable, Equatable, FetchableRecord, TableRecord {
    static let databaseTableName = "far"

    var id: Int64
    var label: String
  }

  @Test func chainsOfTypedTableExpressions() throws {
    let cte1 = CommonTableExpression<CTE1>(
      named: "cte1", request: SQLRequest<Row>("SELECT 10 AS a"))
    let cte2 = CommonTableExpression<CTE2>(
      named: "cte2", columns: ["b", "farId"], sql: "VALUES (11, 12), (21, 22)")
    // from BaseRecord to CTE1
    let assoc1 = BaseRecord.association(to: cte1) { $0[Column("x")] == $1[Column("a")] }
    // from CTE1 to CTE2
    let assoc2 = cte1.association(to: cte2) { $0[Column("a")] + 1 == $1[Column("b")] }
    // from CTE2 to FarRecord
    let assoc3 = cte2.association(to: FarRecord.self) { $0[Column("farId")] == $1[Column("id")] }

    // WITH ...
    // SELECT base.* FROM base
    // JOIN cte1 ON ...
    // JOIN cte2 ON ...
    // JOIN far ON ...
    let request =
      BaseRecord
      .with(cte1).with(cte2)
      .joining(
        required:
          assoc1
          .joining(
            required:
              assoc2
              .joining(required: assoc3)))
    try dbQueue.read { db throws in
      #expect(
        try sql(of: request, in: db).sql == """
          WITH "cte1" AS (SELECT 10 AS a), "cte2"("b", "farId") AS (VALUES (11, 12), (21, 22)) \
          SELECT "base".* FROM "base" JOIN "cte1" ON "base"."x" = "cte1"."a" \
          JOIN "cte2" ON ("cte1"."a" + ?) = "cte2"."b" JOIN "far" ON "cte2"."farId" = "far"."id"
          """)
      #expect(try request.fetchAll(db) == [BaseRecord(id: 1, x: 10)])
    }
  }
}
