import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let p = Column("price")

@Suite(.onQueueAndPool)
struct CaseTests {
  @Test(arguments: [
    ExpressionCase(
      SQLCase().when(y > 2000, then: "new").when(y > 1970, then: t).else("old"),
      #"CASE WHEN "year" > ? THEN ? WHEN "year" > ? THEN "title" ELSE ? END"#,
      [2000, "new", 1970, "old"]),
    ExpressionCase(
      SQLCase(y).when(1974, then: 1).when(p + 1, then: nil),
      #"CASE "year" WHEN ? THEN ? WHEN "price" + ? THEN NULL END"#, [1974, 1, 1]),
    ExpressionCase(
      SQLCase(y + 1).when(1, then: 2).else(nil), #"CASE "year" + ? WHEN ? THEN ? ELSE NULL END"#,
      [1, 1, 2]),
    ExpressionCase(SQLCase().when(y, then: 1) + 1, #"CASE WHEN "year" THEN ? END + ?"#, [1, 1]),
    ExpressionCase(!SQLCase().when(y, then: 1), #"NOT CASE WHEN "year" THEN ? END"#, [1]),
    ExpressionCase(
      SQLCase().when(y, then: SQLCase().when(t, then: 1)),
      #"CASE WHEN "year" THEN CASE WHEN "title" THEN ? END END"#, [1]),
    ExpressionCase(iif(y > 1, "a", t), #"IIF("year" > ?, ?, "title")"#, [1, "a"]),
    ExpressionCase(iif(y > 1, nil, 2), #"IIF("year" > ?, NULL, ?)"#, [1, 2]),
    ExpressionCase(
      sum(SQLCase().when(y > 1, then: p).else(0)),
      #"SUM(CASE WHEN "year" > ? THEN "price" ELSE ? END)"#, [1, 0]),
  ])
  func `branches`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test func `the last else wins`() throws {
    let expression = SQLCase().when(y, then: 1).else(2).when(t, then: 3).else(4)
    #expect(
      try sql(expression: expression)
        == RenderedSQL(#"CASE WHEN "year" THEN ? WHEN "title" THEN ? ELSE ? END"#, [1, 3, 4]))
  }

  @Test func `columns of branches are qualified`() throws {
    let request = Book.joining(required: Book.author)
      .select(SQLCase(y).when(p, then: t).else(Column("id")))
    #expect(
      try sql(of: request).sql.hasPrefix(
        #"SELECT CASE "book"."year" WHEN "book"."price" THEN "book"."title" ELSE "book"."id" END"#))
  }

  @Test func `a case without branch is invalid`() {
    #expect(
      errorText { try sql(of: Book.filter(SQLCase().else(1) == 2)) }
        == #"A CASE expression needs at least one WHEN - in request SELECT … FROM "book" …"#)
  }

  @Test func `cases compute`() throws {
    try makeBookshopDatabase().read { db throws in
      let age = SQLCase().when(y == nil, then: "unknown").when(y < 2000, then: "old").else("new")
      let request = Book.orderByPrimaryKey().select(age, as: String.self)
      #expect(try request.fetchAll(db) == ["old", "old", "new", "unknown"])
      let custom = SQLCase(Column("authorId")).when(2, then: 0).when(1, then: 1)
      #expect(try Book.filter(custom == 0).fetchAll(db).map(\.id) == [3])
      #expect(
        try Book.order(custom.sqlExpression.descNullsFirst, y).fetchAll(db).map(\.id) == [
          4, 2, 1, 3,
        ])
    }
  }
}
