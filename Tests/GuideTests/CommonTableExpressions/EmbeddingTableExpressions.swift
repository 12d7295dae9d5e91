import Quarry
import QuarryTestSupport
import Testing

private typealias Patron = TableExpressionRows.Member

/// 'Embed Common Table Expressions in Requests': definitions, subqueries, SQL, updates and
/// deletions.
struct EmbeddingTableExpressions {
  private let borrowerCTE: CommonTableExpression<Row>
  private let dbQueue: DatabaseQueue

  private let with = #"WITH "borrower" AS (SELECT ?) "#

  init() throws {
    let name = "D'Arcy"
    borrowerCTE = CommonTableExpression(
      named: "borrower",
      literal: "SELECT \(name)")
    dbQueue = try Patron.makeDatabase()
  }

  @Test func `with puts the definition before the request`() throws {
    let request = Patron.with(borrowerCTE)
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(with + #"SELECT * FROM "member""#, ["D'Arcy"]))
      try #expect(request.fetchCount(db) == 3)
    }
  }

  @Test func `a table expression is a subquery in a filter`() throws {
    let request =
      Patron
      .with(borrowerCTE)
      .filter(Column("name") == borrowerCTE.all())
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            with + #"SELECT * FROM "member" WHERE "name" = (SELECT * FROM "borrower")"#,
            ["D'Arcy"]))
      try #expect(request.fetchAll(db) == [.darcy])
    }
  }

  @Test func `definitions may come after the filters of a request`() throws {
    let otherCTE = CommonTableExpression(named: "other", sql: "SELECT 2")
    let request = Patron.with(borrowerCTE)
      .filter(Column("name") != borrowerCTE.all())
      .with(otherCTE)
      .filter(Column("id") == otherCTE.all())
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db).sql == """
          WITH "borrower" AS (SELECT ?), "other" AS (SELECT 2) SELECT * FROM "member" \
          WHERE ("name" <> (SELECT * FROM "borrower")) AND ("id" = (SELECT * FROM "other"))
          """)
      try #expect(request.fetchAll(db) == [.neves])
    }
  }

  @Test func `a definition replaces that of the same name`() throws {
    let nevesCTE = CommonTableExpression(named: "Borrower", sql: "SELECT 'Neves'")
    let request =
      Patron
      .with(borrowerCTE).with(borrowerCTE)
      .filter(Column("name") == borrowerCTE.all())
    try dbQueue.read { db in
      try #expect(request.fetchAll(db) == [.darcy])
      try #expect(request.with(nevesCTE).fetchAll(db) == [.neves])
      try #expect(
        sql(of: Patron.with(borrowerCTE).with(nevesCTE), in: db).sql
          == #"WITH "Borrower" AS (SELECT 'Neves') SELECT * FROM "member""#)
    }
  }

  @Test func `the content of a table expression is filtered, grouped and ordered`() throws {
    let cte = CommonTableExpression(
      named: "fined", columns: ["name", "fine"],
      sql: "VALUES ('D''Arcy', 10), ('Neves', 20), ('D''Arcy', 30), ('Bassi', 5)")
    let request = cte.all().select(Column("name"), sum(Column("fine")).forKey("total"))
      .filter(Column("fine") > 5)
      .group(Column("name"))
      .order(Column("name"))
      .with(cte)
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db).sql.hasSuffix(
          #"SELECT "name", SUM("fine") AS "total" FROM "fined" WHERE "fine" > ? "#
            + #"GROUP BY "name" ORDER BY "name""#))
      try #expect(
        request.fetchAll(db)
          == [["name": "D'Arcy", "total": 40], ["name": "Neves", "total": 20]])
    }
  }

  @Test func `an SQLRequest embeds the definition and the name`() throws {
    let request: SQLRequest<Patron> = """
      WITH \(definitionFor: borrowerCTE)
      SELECT id, name FROM member
      WHERE name IN \(borrowerCTE)
      """
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            WITH "borrower" AS (SELECT ?)
            SELECT id, name FROM member
            WHERE name IN "borrower"
            """, ["D'Arcy"]))
      try #expect(request.fetchAll(db) == [.darcy])
    }
  }

  @Test func `an SQLRequest embeds a request of the table expression`() throws {
    let request: SQLRequest<Patron> = """
      WITH \(definitionFor: borrowerCTE)
      SELECT * FROM member WHERE name <> (\(borrowerCTE.all()))
      ORDER BY name
      """
    try dbQueue.read { db in
      try #expect(
        sql(of: request, in: db)
          == RenderedSQL(
            """
            WITH "borrower" AS (SELECT ?)
            SELECT * FROM member WHERE name <> (SELECT * FROM "borrower")
            ORDER BY name
            """, ["D'Arcy"]))
      try #expect(request.fetchAll(db) == [.bassi, .neves])
    }
  }

  @Test func `an update reads a table expression`() throws {
    let recorder = SQLRecorder()
    let dbQueue = try Patron.makeDatabase(configuration: recorder.recording())
    try dbQueue.write { db in
      _ = recorder.take()
      try Patron
        .with(borrowerCTE)
        .updateAll(db, Column("name").set(to: borrowerCTE.all()))
      // The schema is read before: SQL written by hand may name the updated table.
      #expect(
        recorder.take().last
          == with + #"UPDATE "member" SET "name" = (SELECT * FROM "borrower")"#)
      try #expect(
        Patron.order(Column("id")).fetchAll(db).map(\.name)
          == ["D'Arcy", "D'Arcy", "D'Arcy"])
    }
  }

  @Test func `a deletion reads a table expression`() throws {
    let recorder = SQLRecorder()
    let dbQueue = try Patron.makeDatabase(configuration: recorder.recording())
    try dbQueue.write { db in
      _ = recorder.take()
      try Patron
        .with(borrowerCTE)
        .filter(Column("name") == borrowerCTE.all())
        .deleteAll(db)
      #expect(
        recorder.take().last
          == with + #"DELETE FROM "member" WHERE "name" = (SELECT * FROM "borrower")"#)
      try #expect(Patron.order(Column("id")).fetchAll(db) == [.neves, .bassi])
    }
  }
}
