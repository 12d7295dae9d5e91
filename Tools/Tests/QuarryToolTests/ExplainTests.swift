import Testing

struct ExplainTests {
  private func explain(_ sql: String) throws -> Run {
    var result = Run(output: "", errors: "", code: -1)
    try withScratch { scratch in
      result = try Tool.quarry("explain", scratch.database("shop.sqlite", Schemas.shop), sql)
    }
    return result
  }

  @Test func `a search by key has no warning`() throws {
    try #expect(
      explain("SELECT * FROM book WHERE id = ?").output == """
        QUERY PLAN
        └─ SEARCH book USING INTEGER PRIMARY KEY (rowid=?)

        """)
  }

  @Test func `scans and temporary sorts are warned of`() throws {
    let run = try explain("SELECT * FROM book JOIN author ON author.id = authorId ORDER BY title")
    #expect(
      run.output == """
        QUERY PLAN
        ├─ SCAN book
        ├─ SEARCH author USING INTEGER PRIMARY KEY (rowid=?)
        └─ USE TEMP B-TREE FOR ORDER BY
        warning: all rows of book are read
        warning: ORDER BY sorts in a temporary tree: no index has this order

        """)
  }

  @Test func `steps inside others are below them`() throws {
    let run = try explain(
      "SELECT (SELECT COUNT(*) FROM book WHERE authorId = author.id) FROM author")
    #expect(
      run.lines == [
        "QUERY PLAN", "├─ SCAN author", "└─ CORRELATED SCALAR SUBQUERY 1",
        "   └─ SEARCH book USING COVERING INDEX book_author (authorId=?)",
        "warning: all rows of author are read",
      ])
  }

  @Test func `a write is explained, and not done`() throws {
    let run = try explain("DELETE FROM book WHERE id = :id")
    #expect(run.lines.first == "QUERY PLAN")
    #expect(run.code == 0)
  }

  @Test func `a mistake is shown in its line`() throws {
    let run = try explain("SELECT *\nFORM book")
    #expect(run.errors.hasSuffix(": near \"FORM\": syntax error\n  FORM book\n  ^\n"))
    #expect(run.code == 2)
  }
}
