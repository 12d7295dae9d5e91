import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry
@testable import QuarryTables

@Suite("Constraints of virtual tables")
struct VirtualTablePlanTests {
  /// The scans of a query over four books, and its titles.
  private func scans(
    _ sql: String, arguments: StatementArguments = [],
    planning: @escaping @Sendable (inout VirtualTableQuery) throws -> Void = LoggedTable.useAll
  ) throws -> (scans: [String], titles: [String]) {
    var books = makeBooks()
    books.planning = planning
    return try withTable(books) { db throws in
      let titles = try String.fetchAll(
        db, sql: "SELECT title FROM book \(sql)", arguments: arguments)
      return (books.log.elements, titles)
    }
  }

  @Test(arguments: [
    ("isbn = '222'", "0 equal \"222\"", ["Dracula"]),
    ("'222' = isbn", "0 equal \"222\"", ["Dracula"]),
    ("year = 1897.0", "2 equal 1897.0", ["Dracula"]),
    ("year = '1897'", "2 equal \"1897\"", ["Dracula"]),
    ("isbn = 222", "0 equal 222", ["Dracula"]),
    ("year > 1897", "2 greaterThan 1897", ["Ulysses"]),
    ("year >= 1897", "2 greaterThanOrEqual 1897", ["Dracula", "Ulysses"]),
    ("year < 1897", "2 lessThan 1897", ["Emma"]),
    ("year <= 1897", "2 lessThanOrEqual 1897", ["Emma", "Dracula"]),
    (
      "year BETWEEN 1816 AND 1900", "2 greaterThanOrEqual 1816, 2 lessThanOrEqual 1900",
      ["Dracula"]
    ),
    ("year IS NULL", "2 isNull NULL", ["Anonymous"]),
    ("year IS NOT NULL AND title > 'F'", "1 greaterThan \"F\", 2 isNotNull NULL", ["Ulysses"]),
    ("year <> 1815", "2 notEqual 1815", ["Dracula", "Ulysses"]),
    ("year IS NOT 1815", "2 isNot 1815", ["Dracula", "Ulysses", "Anonymous"]),
    ("year IS 1815", "2 is 1815", ["Emma"]),
    ("title LIKE 'd%'", "1 like \"d%\"", ["Dracula"]),
    ("title GLOB '*s'", "1 glob \"*s\"", ["Ulysses", "Anonymous"]),
    ("rowid = 3", "-1 equal 3", ["Ulysses"]),
    ("rowid > 3", "-1 greaterThan 3", ["Anonymous"]),
    ("isbn = NULL", "0 equal NULL", []),
  ])
  func `constraints reach the table`(condition: String, scan: String, titles: [String]) throws {
    let result = try scans("WHERE \(condition)")
    #expect(result.scans == [scan])
    #expect(result.titles == titles)
  }

  @Test func `arguments reach the table`() throws {
    let result = try scans("WHERE isbn = ? AND year > ?", arguments: ["222", 1000])
    #expect(result.scans == ["0 equal \"222\", 2 greaterThan 1000"])
    #expect(result.titles == ["Dracula"])
  }

  @Test(.needs(.virtualTableLists))
  func `a list reaches the table as a whole`() throws {
    let result = try scans("WHERE isbn IN ('333', '111', '999')")
    #expect(result.scans == ["0 equal \"111\" \"333\" \"999\""])
    #expect(result.titles == ["Emma", "Ulysses"])
    let subquery = try scans(
      "WHERE year IN (SELECT column1 FROM (VALUES (1815), (NULL), (1922)))")
    #expect(subquery.scans == ["2 equal 1815 1922 NULL"])
    #expect(subquery.titles == ["Emma", "Ulysses"])
  }

  @Test func `otherwise there is a scan for each value of a list`() throws {
    let result = try scans("WHERE isbn IN ('333', '111', '999')") { query in
      for constraint in query.constraints { query.use(constraint) }
    }
    #expect(
      Set(result.scans) == ["0 equal \"111\"", "0 equal \"333\"", "0 equal \"999\""])
    #expect(Set(result.titles) == ["Emma", "Ulysses"])
  }

  @Test func `a joined table receives the values of the other one`() throws {
    var books = makeBooks()
    books.planning = { query in
      LoggedTable.useAll(&query)
      query.estimatedRowCount = query.constraints.isEmpty ? 1_000_000 : 1
    }
    try withTable(books) { db throws in
      try db.execute(
        sql: "CREATE TABLE loan (isbn TEXT); INSERT INTO loan VALUES ('333'), ('111')")
      let titles = try String.fetchAll(
        db, sql: "SELECT title FROM book JOIN loan USING (isbn) ORDER BY title")
      #expect(titles == ["Emma", "Ulysses"])
      #expect(books.log.elements == ["0 equal \"333\"", "0 equal \"111\""])
    }
  }

  @Test func `terms joined by OR are scanned one by one, and no row is found twice`() throws {
    let result = try scans("WHERE isbn = '111' OR year = 1815 OR title = 'Ulysses'") { query in
      LoggedTable.useAll(&query)
      query.estimatedRowCount = query.constraints.isEmpty ? 1_000_000 : 1
    }
    #expect(Set(result.titles) == ["Emma", "Ulysses"])
    #expect(result.titles.count == 2)
  }

  /// See <https://www.sqlite.org/optoverview.html#or_optimizations>: the terms become a list, which
  /// has one collation.
  @Test func `collations in terms of OR are lost by SQLite, in ordinary tables as well`() throws {
    let rows: [[DatabaseValue]] = [
      ["5".databaseValue], ["abc".databaseValue], ["ABC".databaseValue],
    ]
    let table = LoggedTable(
      columns: [VirtualTableColumn("a", .text)], rows: rows, planning: LoggedTable.useAll)
    try withTable(table, named: "virtual") { db throws in
      try db.execute(
        sql: """
          CREATE TABLE plain (a TEXT);
          CREATE INDEX plainByA ON plain(a);
          INSERT INTO plain VALUES ('5'), ('abc'), ('ABC');
          """)
      func found(_ name: String, _ condition: String) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT a FROM \(name) WHERE \(condition) ORDER BY a")
      }
      let conditions = ["a = '5' OR a = 'abc' COLLATE NOCASE", "a = 'abc' COLLATE NOCASE"]
      for condition in conditions {
        #expect(try found("virtual", condition) == found("plain", condition))
      }
      #expect(try found("virtual", "+a = '5' OR a = 'abc' COLLATE NOCASE") == ["5", "ABC", "abc"])
    }
  }

  @Test func `an order that the table takes care of is not sorted again`() throws {
    var books = makeBooks()
    books.planning = { query in
      query.isOrdered = query.orderings == [.init(column: nil, isDescending: true)]
    }
    try withTable(books) { db throws in
      let sql = "SELECT title FROM book ORDER BY rowid DESC"
      #expect(
        try String.fetchAll(db, sql: sql) == ["Anonymous", "Ulysses", "Dracula", "Emma"])
      #expect(books.log.elements == ["order -1 desc"])
      let plan = try String.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(sql)", adapter: SuffixRowAdapter(fromIndex: 3))
      #expect(plan == ["SCAN book VIRTUAL TABLE INDEX 0:;;-1 DESC;2"])
      let other = try String.fetchAll(db, sql: "SELECT title FROM book ORDER BY title")
      #expect(other == ["Anonymous", "Dracula", "Emma", "Ulysses"])
    }
  }

  @Test(.needs(.virtualTableLimits))
  func `limits reach the table when it leaves nothing to do`() throws {
    let planning: @Sendable (inout VirtualTableQuery) -> Void = { query in
      LoggedTable.useAll(&query)
      query.handlesLimit = true
    }
    let plain = try scans("LIMIT 2 OFFSET 1", planning: planning)
    #expect(plain.scans == ["limit 2, offset 1"])
    #expect(plain.titles == ["Dracula", "Ulysses"])
    let exact = try scans("WHERE isbn = '333' LIMIT 1") { query in
      for constraint in query.constraints { query.use(constraint, isExact: true) }
      query.handlesLimit = true
    }
    #expect(exact.scans == ["0 equal \"333\", limit 1"])
    #expect(exact.titles == ["Ulysses"])
    let negative = try scans("LIMIT -1 OFFSET 3", planning: planning)
    #expect(negative.scans == ["offset 3"])
    #expect(negative.titles == ["Anonymous"])
    let text = try scans("LIMIT '2' OFFSET '1'", planning: planning)
    #expect(text.titles == ["Dracula", "Ulysses"])
  }

  @Test(arguments: ["WHERE year > 1000 LIMIT 1 OFFSET 1", "ORDER BY title DESC LIMIT 1 OFFSET 1"])
  func `limits don't reach a table that leaves something to do`(sql: String) throws {
    let result = try scans(sql) { query in
      LoggedTable.useAll(&query)
      query.handlesLimit = true
    }
    #expect(result.scans.allSatisfy { !$0.contains("limit") && !$0.contains("offset") })
    #expect(result.titles == [sql.contains("title") ? "Emma" : "Dracula"])
  }

  @Test func `limits leave conditions on two columns alone`() throws {
    let table = LoggedTable(
      columns: [VirtualTableColumn("a"), VirtualTableColumn("b")],
      rows: [
        [1.databaseValue, 3.databaseValue], [5.databaseValue, 2.databaseValue],
        [7.databaseValue, 6.databaseValue],
      ],
      planning: { $0.handlesLimit = true })
    try withTable(table, named: "t") { db throws in
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t WHERE a > b LIMIT 1") == [5])
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t WHERE a > b LIMIT 1 OFFSET 1") == [7])
    }
  }

  @Test func `a strategy reaches the scan`() throws {
    let result = try scans("WHERE rowid = 1") { $0.strategy = -7 }
    #expect(result.scans == ["strategy -7"])
  }

  @Test func `MATCH is the work of the table`() throws {
    let result = try scans("WHERE title MATCH 'whatever'")
    #expect(result.scans == ["1 match \"whatever\""])
    #expect(result.titles.count == 4)
    let error = databaseError { try scans("WHERE title MATCH 'x'") { _ in } }
    #expect(error?.message == "unable to use function MATCH in the requested context")
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, -1, 0, .greatestFiniteMagnitude])
  func `nonsensical estimates do no harm`(cost: Double) throws {
    let result = try scans("WHERE year > 1900 ORDER BY isbn") { query in
      query.estimatedCost = cost
      query.estimatedRowCount = cost > 0 ? .max : .min
    }
    #expect(result.titles == ["Ulysses"])
  }

  @Test func `a constraint that is used twice is used once`() throws {
    let result = try scans("WHERE year > 1900") { query in
      for constraint in query.constraints + query.constraints { query.use(constraint) }
    }
    #expect(result.scans == ["2 greaterThan 1900"])
  }

  @Test func `a constraint of another question does no harm`() throws {
    let old = Locked<VirtualTableQuery.Constraint?>(nil)
    _ = try scans("WHERE isbn <> 'x' AND year > 1900 AND title > 'A'") { query in
      old.withLock { $0 = query.constraints.last }
    }
    let result = databaseError {
      try scans("WHERE year > 1900") { query in
        if let constraint = old.withLock({ $0 }) { query.use(constraint) }
      }
    }
    #expect(result?.message == "book: the constraint is not one of the query")
  }

  @Test func `only the columns that are needed are asked for`() throws {
    let needed = Log<[Bool]>()
    _ = try scans("WHERE year > 1900") { query in
      needed.append((0..<3).map { query.needsColumn($0) })
    }
    #expect(needed.elements == [[false, true, true]])
  }

  @Test(arguments: [
    ScanPlan(),
    ScanPlan(
      uses: [
        .init(column: nil, operator: .equal), .init(column: 12, operator: .isNot),
        .init(column: 3, operator: .equal, takesList: true),
        .init(column: 4, operator: .equal, isArgument: true),
      ], hasLimit: true, hasOffset: true,
      orderings: [.init(column: nil, isDescending: true), .init(column: 5, isDescending: false)],
      columnMask: 5),
    ScanPlan(missingColumn: 3),
  ])
  func `a plan survives as a text`(plan: ScanPlan) {
    #expect(ScanPlan(text: plan.text) == plan)
    for use in VirtualTableOperator.allCases {
      let plan = ScanPlan(uses: [.init(column: 1, operator: use)])
      #expect(ScanPlan(text: plan.text) == plan)
    }
  }

  @Test(arguments: ["", ";;;", "x=;;;0", "1?;;;0", "1=;;z;0", "1=;;;xyz", "?", "?x"])
  func `another text is no plan`(text: String) {
    #expect(ScanPlan(text: text) == nil)
  }
}
