import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryPlans

private let year = Column("year")

@Suite(.onQueueAndPool)
struct ExplainedPlanTests {
  private func withIndexes(_ body: (Database) throws -> Void) throws {
    try withBookshop { db throws in
      try db.create(index: "bookYear", on: "book", columns: ["year"])
      try body(db)
    }
  }

  @Test func `searches and scans have their index`() throws {
    try withIndexes { db throws in
      #expect(try Book.all().explain(db).steps.map(\.kind) == [.scan(table: "book", index: nil)])
      #expect(
        try Book.filter(year == 1974).explain(db).steps.map(\.kind)
          == [.search(table: "book", index: .named("bookYear", isCovering: false))])
      #expect(
        try Book.filter(year == 1974).select(year).explain(db).steps.map(\.kind)
          == [.search(table: "book", index: .named("bookYear", isCovering: true))])
      #expect(
        try Book.filter(key: 1).explain(db).steps.map(\.kind)
          == [.search(table: "book", index: .rowID)])
      #expect(
        try Shelf.filter(Column("room") == "attic").explain(db).steps.map(\.kind)
          == [.search(table: "shelf", index: .primaryKey)])
      #expect(
        try Book.order(year).select(year).explain(db).steps.map(\.kind)
          == [.scan(table: "book", index: .named("bookYear", isCovering: true))])
    }
  }

  @Test func `a plan is printed as a tree`() throws {
    try withIndexes { db throws in
      let plan = try Book.filter(year > 1970)
        .filter(Author.select(Column("id")).contains(Column("authorId")))
        .order(Column("title")).explain(db)
      #expect(plan.temporaryTrees == ["ORDER BY"])
      #expect(plan.indexNames == ["bookYear"])
      #expect(
        plan.description.hasPrefix("QUERY PLAN\n|--SEARCH book USING INDEX bookYear (year>?)\n"))
      #expect(plan.description.hasSuffix("\n`--USE TEMP B-TREE FOR ORDER BY"))
      #expect(plan.sql.hasSuffix(#"ORDER BY "title""#))
    }
  }

  @Test func `subqueries are steps with steps`() throws {
    try withIndexes { db throws in
      let plan = try db.explain(
        sql: "SELECT *, (SELECT max(year) FROM book b WHERE b.authorId = a.id) FROM author a")
      let subquery = try #require(plan.steps.last)
      guard case .subquery = subquery.kind else {
        Issue.record("\(plan)")
        return
      }
      #expect(subquery.detail.hasPrefix("CORRELATED SCALAR SUBQUERY"))
      #expect(!subquery.steps.isEmpty)
      #expect(plan.scans.first == "a")
    }
  }

  @Test func `the rows of a subquery are no table`() throws {
    try withIndexes { db throws in
      let plan = try db.explain(
        sql: "WITH r AS MATERIALIZED (SELECT * FROM book WHERE year > 1970) SELECT * FROM r")
      #expect(plan.scans == [])
      #expect(plan.searches == ["book"])
      #expect(try db.explain(sql: "VALUES (1), (2)").scans == [])
      #expect(try db.explain(sql: "SELECT * FROM json_each('[1]')").scans == [])
    }
  }

  @Test func `a table is scanned inside of a subquery with its name`() throws {
    try withIndexes { db throws in
      for sql in [
        "SELECT * FROM (SELECT title, count(*) AS n FROM book GROUP BY title) AS book",
        """
        WITH book AS (SELECT title, count(*) AS n FROM main.book AS book GROUP BY title)
        SELECT * FROM book
        """,
      ] {
        #expect(try db.explain(sql: sql).scans == ["book"])
      }
      #expect(
        try db.explain(
          sql: """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
            SELECT * FROM n
            """
        ).scans == [])
    }
    let nested = ExplainedPlan(
      sql: "",
      rows: [
        (id: 1, parent: 0, detail: "CO-ROUTINE x"), (id: 2, parent: 1, detail: "CO-ROUTINE x"),
        (id: 3, parent: 2, detail: "SCAN x"), (id: 4, parent: 1, detail: "SCAN x"),
        (id: 5, parent: 0, detail: "SCAN x"),
      ])
    #expect(nested.scans == ["x"])
  }

  @Test(arguments: [
    "PRAGMA foreign_keys = OFF", "; /* off */ pragma foreign_keys = 0",
    "EXPLAIN PRAGMA foreign_keys = OFF",
  ])
  func `a pragma is not explained, since its compilation may apply it`(sql: String) throws {
    try DatabaseQueue().writeWithoutTransaction { db in
      let error = #expect(throws: DatabaseError.self) { try db.explain(sql: sql) }
      #expect(
        error?.message?.hasSuffix(
          "has no plan: SQLite applies some pragmas when they are compiled") == true)
      try #expect(Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }
  }

  @Test func `an automatic index is made by a join`() throws {
    try inEmptyDatabase { db throws in
      try db.execute(sql: "CREATE TABLE a (x); CREATE TABLE b (x, y)")
      let plan = try db.explain(sql: "SELECT * FROM a JOIN b ON a.x = b.x")
      #expect(plan.automaticIndexes.count == 1)
    }
  }

  @Test func `compound queries, raw requests and statements are explained`() throws {
    try withIndexes { db throws in
      let compound = try Book.filter(year == 1).union(Book.filter(year == 2)).explain(db)
      // SQLite 3.53 merges sorted rows, earlier versions look for equal rows in a temporary tree.
      let isMerged = SQLiteBuild.version >= 3_053_000
      let kind = ExplainedPlan.Kind.compound(isMerged ? "MERGE (UNION)" : "COMPOUND QUERY")
      #expect(compound.allSteps.contains { $0.kind == kind })
      #expect(compound.temporaryTrees == (isMerged ? [] : ["UNION"]))
      #expect(compound.searches == ["book", "book"])
      let raw: SQLRequest<Book> = "SELECT * FROM book WHERE year = \(1974)"
      #expect(try raw.explain(db).indexNames == ["bookYear"])
      #expect(try db.explain(sql: "DELETE FROM book WHERE year = ?").indexNames == ["bookYear"])
      let or = try db.explain(sql: "SELECT * FROM book WHERE year = 1 OR id = 2")
      #expect(or.allSteps.contains { $0.kind == .alternatives })
      #expect(or.indexNames == ["bookYear"])
    }
  }

  @Test func `a mistake is reported as it is`() throws {
    try withBookshop { db throws in
      let text = errorText { try db.explain(sql: "SELECT * FROM nope") }
      #expect(text?.contains("no such table: nope") == true)
      #expect(text?.contains("EXPLAIN") == false)
      #expect(errorText { try db.explain(sql: "") } != nil)
      #expect(errorText { try db.explain(sql: "SELECT 1; SELECT 2") } != nil)
      #expect(try db.explain(sql: "SELECT * FROM book WHERE id = ?").searches == ["book"])
    }
  }

  private struct Text: CustomTestStringConvertible, Sendable {
    let detail: String
    let kind: ExplainedPlan.Kind

    init(_ detail: String, _ kind: ExplainedPlan.Kind) {
      self.detail = detail
      self.kind = kind
    }

    var testDescription: String { detail }
  }

  /// From SQLite 3.40 to 3.53.
  @Test(arguments: [
    Text("SCAN t", .scan(table: "t", index: nil)),
    Text("SCAN my table", .scan(table: "my table", index: nil)),
    Text("SCAN t LEFT-JOIN", .scan(table: "t", index: nil)),
    Text("SCAN t EXISTS", .scan(table: "t", index: nil)),
    Text("SCAN t USING INDEX i", .scan(table: "t", index: .named("i", isCovering: false))),
    Text(
      "SCAN t USING COVERING INDEX my index",
      .scan(table: "t", index: .named("my index", isCovering: true))),
    Text("SCAN t VIRTUAL TABLE INDEX 1:a b", .scan(table: "t", index: .virtualTable("1:a b"))),
    Text("SCAN CONSTANT ROW", .other), Text("SCAN 2 CONSTANT ROWS", .other),
    Text("SCAN 3-ROW VALUES CLAUSE", .other),
    Text("SEARCH t", .search(table: "t", index: nil)),
    Text("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", .search(table: "t", index: .rowID)),
    Text("SEARCH t USING PRIMARY KEY (a=? AND b>?)", .search(table: "t", index: .primaryKey)),
    Text(
      "SEARCH t USING INDEX i (ANY(a) AND b=?)",
      .search(table: "t", index: .named("i", isCovering: false))),
    Text(
      "SEARCH t USING COVERING INDEX sqlite_autoindex_t_1 (a=?) LEFT-JOIN",
      .search(table: "t", index: .named("sqlite_autoindex_t_1", isCovering: true))),
    Text(
      "SEARCH t EXISTS USING INDEX i (a=?)",
      .search(table: "t", index: .named("i", isCovering: false))),
    Text("SEARCH t USING AUTOMATIC COVERING INDEX (a=?)", .search(table: "t", index: .automatic)),
    Text(
      "SEARCH t USING AUTOMATIC PARTIAL COVERING INDEX (a=?)",
      .search(table: "t", index: .automatic)),
    Text("USE TEMP B-TREE FOR ORDER BY", .temporaryTree("ORDER BY")),
    Text("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", .temporaryTree("RIGHT PART OF ORDER BY")),
    Text(
      "USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY", .temporaryTree("LAST 2 TERMS OF ORDER BY")),
    Text("USE TEMP B-TREE FOR count(DISTINCT)", .temporaryTree("count(DISTINCT)")),
    Text("UNION USING TEMP B-TREE", .temporaryTree("UNION")),
    Text("COMPOUND QUERY", .compound("COMPOUND QUERY")), Text("UNION ALL", .compound("UNION ALL")),
    Text("MERGE (EXCEPT)", .compound("MERGE (EXCEPT)")), Text("LEFT", .compound("LEFT")),
    Text("LEFT-MOST SUBQUERY", .compound("LEFT-MOST SUBQUERY")),
    Text("CO-ROUTINE r", .subquery("CO-ROUTINE r")),
    Text("SCALAR SUBQUERY 1", .subquery("SCALAR SUBQUERY 1")),
    Text("REUSE LIST SUBQUERY 1", .subquery("REUSE LIST SUBQUERY 1")),
    Text("MULTI-INDEX OR", .alternatives), Text("INDEX 1", .other),
    Text("BLOOM FILTER ON t (a=?)", .other), Text("RIGHT-JOIN t", .other),
    Text("SOMETHING NEW OF t", .other), Text("", .other),
  ])
  private func `texts of SQLite`(_ text: Text) {
    #expect(ExplainedPlan.Kind(text.detail) == text.kind)
    let plan = ExplainedPlan(sql: "", rows: [(id: 2, parent: 0, detail: text.detail)])
    #expect(plan.description == "QUERY PLAN\n`--\(text.detail)")
  }

  @Test func `steps that are inside of themselves end`() {
    let plan = ExplainedPlan(
      sql: "", rows: [(id: 1, parent: 0, detail: "a"), (id: 1, parent: 1, detail: "b")])
    #expect(plan.allSteps.map(\.detail).first == "a")
  }
}
