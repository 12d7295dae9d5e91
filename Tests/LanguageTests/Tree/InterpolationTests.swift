import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")

/// What is interpolated, with its SQL, and with the rows of the bookshop that it finds.
@Suite("Interpolated SQL and its rows", .onQueueAndPool)
struct InterpolationTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var literal: SQL
    var expected: RenderedSQL
    /// The values of each row.
    var rows: [StatementArguments]

    init(
      _ literal: SQL, _ sql: String, _ arguments: StatementArguments, rows: [StatementArguments]
    ) {
      self.literal = literal
      expected = RenderedSQL(sql, arguments)
      self.rows = rows
    }

    var testDescription: String { expected.description }
  }

  private static let recent = CommonTableExpression<Void>(
    named: "recent", columns: ["id", "year"],
    literal: "SELECT id, year FROM book WHERE year > \(1970)")

  private static let noIDs: [Int] = []

  private static let values = [
    Example(
      "SELECT \(1), \(1.5), \("x")", "SELECT ?, ?, ?", [1, 1.5, "x"], rows: [[1, 1.5, "x"]]),
    Example("SELECT \(true), \(Int8(3))", "SELECT ?, ?", [true, 3], rows: [[1, 3]]),
    Example("SELECT \("é\0".prefix(1))", "SELECT ?", ["é"], rows: [["é"]]),
    Example(
      "SELECT \(Character("c")), \(URL(string: "http://a.b"))", "SELECT ?, ?", ["c", "http://a.b"],
      rows: [["c", "http://a.b"]]),
    Example(
      "SELECT \(Date(timeIntervalSince1970: 0))", "SELECT ?", ["1970-01-01 00:00:00.000"],
      rows: [["1970-01-01 00:00:00.000"]]),
    Example(
      "SELECT \(Decimal(5)), \(Genre.novel)", "SELECT ?, ?", ["5", "n"], rows: [["5", "n"]]),
    Example(
      "SELECT \(Data([1])), \(Data([1, 2]).databaseValue)", "SELECT ?, ?",
      [Data([1]), Data([1, 2])], rows: [[Data([1]), Data([1, 2])]]),
    Example(
      "SELECT \(DatabaseValue.null), \(Int?.none), \(String?.some("s"))", "SELECT NULL, NULL, ?",
      ["s"], rows: [[nil, nil, "s"]]),
    Example("SELECT \(Genre?.none), \(URL?.none)", "SELECT NULL, NULL", [], rows: [[nil, nil]]),
  ]

  private static let clauses = [
    Example(
      "SELECT \(t) FROM book WHERE \(y) > \(2000)", #"SELECT "title" FROM book WHERE "year" > ?"#,
      [2000], rows: [["Invisible Towns"]]),
    Example(
      "SELECT \(max(y)), \((y - 1).forKey("k")) FROM book",
      #"SELECT MAX("year"), "year" - ? AS "k" FROM book"#,
      [1], rows: [[2002, 2001]]),
    Example(
      "SELECT id FROM book WHERE \(y > 1970 && t != nil) ORDER BY \(y.desc), \(Column.rowID)",
      #"SELECT id FROM book WHERE ("year" > ?) AND ("title" IS NOT NULL) ORDER BY "year" DESC, "rowid""#,
      [1970], rows: [[3], [1]]),
    Example(
      "SELECT id FROM book ORDER BY \(y.descNullsFirst) LIMIT \(1)",
      #"SELECT id FROM book ORDER BY "year" DESC NULLS FIRST LIMIT ?"#, [1], rows: [[4]]),
    Example(
      "SELECT \(AllColumns()) FROM \(Country.self) ORDER BY \(Column("code"))",
      #"SELECT * FROM "country" ORDER BY "code""#, [], rows: [["FR", "France"], ["IT", "Italy"]]),
    Example(
      "SELECT \(columnsOf: Country.self, tableAlias: "c") FROM \(Table("country")) c WHERE c.code = \("FR")",
      #"SELECT "c".* FROM "country" c WHERE c.code = ?"#, ["FR"], rows: [["FR", "France"]]),
    Example(
      "SELECT \(columnsOf: CountryCode.self) FROM \(tableOf: CountryCode(code: "")) WHERE code = \("FR")",
      #"SELECT "country"."code" FROM "country" WHERE code = ?"#, ["FR"], rows: [["FR"]]),
    Example(
      "SELECT \(identifier: "a b") FROM (SELECT \(7) AS \(identifier: "a b"))",
      #"SELECT "a b" FROM (SELECT ? AS "a b")"#, [7], rows: [[7]]),
    Example(
      "SELECT \(CodingKeys.title) FROM book WHERE \(ColumnKeys.year) = \(1969)",
      #"SELECT "title" FROM book WHERE "year" = ?"#, [1969], rows: [["Left Hand"]]),
    Example(
      "SELECT name FROM author ORDER BY name COLLATE \(.nocase) DESC LIMIT 1",
      "SELECT name FROM author ORDER BY name COLLATE NOCASE DESC LIMIT 1", [],
      rows: [["Ursula Vernet"]]),
    Example(
      "SELECT id FROM author ORDER BY name COLLATE \(DatabaseCollation.localizedCompare) LIMIT 1",
      "SELECT id FROM author ORDER BY name COLLATE \(DatabaseCollation.localizedCompare.name) LIMIT 1",
      [], rows: [[3]]),
  ]

  private static let sequences = [
    Example(
      "SELECT id FROM book WHERE id IN \([1, 3])", "SELECT id FROM book WHERE id IN (?,?)", [1, 3],
      rows: [[1], [3]]),
    Example(
      "SELECT id FROM book WHERE id IN \(noIDs)",
      "SELECT id FROM book WHERE id IN (SELECT NULL WHERE NULL)", [], rows: []),
    Example(
      "SELECT id FROM book WHERE id IN \([1, nil] as [Int?])",
      "SELECT id FROM book WHERE id IN (?,NULL)", [1], rows: [[1]]),
    Example(
      "SELECT id FROM book WHERE id IN \((1...2).lazy.map { $0 + 1 })",
      "SELECT id FROM book WHERE id IN (?,?)", [2, 3], rows: [[2], [3]]),
    Example(
      "SELECT id FROM book WHERE title IN \(Set(["Left Hand"])) OR 1969 IN \([y, Column("id")])",
      #"SELECT id FROM book WHERE title IN (?) OR 1969 IN ("year","id")"#, ["Left Hand"],
      rows: [[2]]),
    Example(
      "SELECT id FROM book WHERE 1975 IN \([y + 1, 3] as [any SQLExpressible])",
      #"SELECT id FROM book WHERE 1975 IN ("year" + ?,?)"#, [1, 3], rows: [[1]]),
    Example(
      "SELECT id FROM author WHERE name IN \(["Ana Neves"].filter { _ in true })",
      "SELECT id FROM author WHERE name IN (?)", ["Ana Neves"], rows: [[3]]),
  ]

  private static let requests = [
    Example(
      "SELECT name FROM author WHERE id IN (\(Book.select(Column("authorId")).filter(y > 2000)))",
      #"SELECT name FROM author WHERE id IN (SELECT "authorId" FROM "book" WHERE "year" > ?)"#,
      [2000], rows: [["Italo Bassi"]]),
    Example(
      "\(SQLRequest<Int>("SELECT id FROM book WHERE id < \(2)")) UNION ALL SELECT \(9)",
      "SELECT id FROM book WHERE id < ? UNION ALL SELECT ?", [2, 9], rows: [[1], [9]]),
    Example(
      "SELECT COUNT(*) FROM (\(AnyFetchRequest(Book.filter(y > 1970))))",
      #"SELECT COUNT(*) FROM (SELECT * FROM "book" WHERE "year" > ?)"#, [1970], rows: [[2]]),
    Example(
      "SELECT COUNT(*) FROM (\(Book.all().adapted { _ in EmptyRowAdapter() }))",
      #"SELECT COUNT(*) FROM (SELECT * FROM "book")"#, [], rows: [[4]]),
    Example(
      "WITH \(definitionFor: recent) SELECT id FROM \(recent) WHERE year > \(2000)",
      #"WITH "recent"("id", "year") AS (SELECT id, year FROM book WHERE year > ?) SELECT id FROM "recent" WHERE year > ?"#,
      [1970, 2000], rows: [[3]]),
    Example(
      "SELECT \(Book.select(count(Column("id"))).exists())",
      #"SELECT EXISTS (SELECT COUNT("id") FROM "book")"#, [], rows: [[1]]),
  ]

  private static let nested: [Example] = {
    let deepest: SQL = "\(y) > \(1960)"
    let deeper: SQL = "(\(deepest) OR \(literal: "title = \("z")"))"
    let deep: SQL = "\(deeper) AND \(sql: "id <> ? AND id <> :id", arguments: [2] + ["id": 9])"
    return [
      Example(
        "SELECT \(1), id FROM book WHERE \(deep) AND \(y) < \(2000) LIMIT \(3)",
        #"SELECT ?, id FROM book WHERE ("year" > ? OR title = ?) AND id <> ? AND id <> :id AND "year" < ? LIMIT ?"#,
        ["id": 9] + [1, 1960, "z", 2, 2000, 3], rows: [[1, 1]]),
      Example(
        "SELECT \(SQL("id + \(1)").sqlExpression * 2) FROM book WHERE \(SQL(Column("id") == 3))",
        #"SELECT (id + ?) * ? FROM book WHERE "id" = ?"#, [1, 2, 3], rows: [[8]]),
      Example(
        "SELECT \((["id", "\(y)", "\(5)"] as [SQL]).joined(separator: ", ")) FROM book WHERE \(sql: "id = 1")",
        #"SELECT id, "year", ? FROM book WHERE id = 1"#, [5], rows: [[1, 1974, 5]]),
      Example(
        "SELECT \(SQL("1").sqlSelection), \(SQL("2").sqlExpression) ORDER BY \(SQL("1").sqlOrdering)",
        "SELECT 1, 2 ORDER BY 1", [], rows: [[1, 2]]),
    ]
  }()

  @Test(arguments: values + clauses + sequences + requests + nested)
  func `interpolation`(example: Example) throws {
    #expect(try sql(of: SQLRequest<Row>(literal: example.literal)) == example.expected)
    try makeBookshopDatabase().write { db throws in
      db.add(collation: .localizedCompare)
      let (text, arguments) = try example.literal.build(db)
      #expect(RenderedSQL(text, arguments) == example.expected)
      let rows = { (rows: [Row]) in rows.map { StatementArguments($0.databaseValues) } }
      #expect(rows(try SQLRequest<Row>(literal: example.literal).fetchAll(db)) == example.rows)
      #expect(rows(try Row.fetchAll(db.makeStatement(literal: example.literal))) == example.rows)
      #expect(rows(try Row.fetchAll(db.cachedStatement(literal: example.literal))) == example.rows)
      let statement = try #require(try db.allStatements(literal: example.literal).next())
      #expect(rows(try Row.fetchAll(statement)) == example.rows)
      try db.execute(literal: example.literal)
      let count = try SQLRequest<Row>(literal: example.literal).fetchCount(db)
      #expect(count == example.rows.count)
    }
  }

  private enum NameKey: CodingKey { case name }

  @Test func `existential values are interpolated like what they contain`() throws {
    let record: any TableRecord = Author(id: 1)
    let expression: any SQLExpressible = y + 1
    let string: any SQLExpressible = "x"
    let value: any DatabaseValueConvertible = 2
    let noValue: (any DatabaseValueConvertible)? = nil
    let specific: any SQLSpecificExpressible = y
    let column: any ColumnExpression = t
    let selectable: any SQLSelectable = AllColumns()
    let noSelectable: (any SQLSelectable)? = nil
    let ordering: any SQLOrderingTerm = y.asc
    let type: any TableRecord.Type = Author.self
    let key: any CodingKey = NameKey.name
    let literal: SQL = """
      \(tableOf: record) \(expression) \(string) \(value) \(noValue) \(specific) \(column) \
      \(selectable) \(noSelectable) \(ordering) \(type) \(key)
      """
    #expect(
      try sql(of: SQLRequest<Row>(literal: literal))
        == RenderedSQL(
          #""author" "year" + ? ? ? NULL "year" "title" * NULL "year" ASC "author" "name""#,
          [1, "x", 2]))
  }

  private struct Title: TableRecord {
    static let databaseTableName = "book"
    static var databaseSelection: [any SQLSelectable] {
      [.allColumns(excluding: ["year", "price", "authorId", "publisherId"])]
    }
  }

  @Test func `the columns of a record type are those of the schema`() throws {
    let request: SQLRequest<Row> = "SELECT \(columnsOf: Title.self) FROM book ORDER BY id"
    try makeBookshopDatabase().read { db throws in
      // From the second time on, the query is remembered.
      for _ in 1...3 {
        let rows = try request.fetchAll(db)
        #expect(rows.first == ["id": 1, "title": "Dispossession"])
      }
    }
  }

  @Test func `pieces are joined, and made of expressions and of single characters`() throws {
    let columns: [SQL] = ["title", SQL(y + 1)]
    let star: SQL = "*"
    let request: SQLRequest<Row> = """
      SELECT \(columns.joined(separator: ", ")), \(star) FROM book\([SQL]().joined())
      """
    #expect(
      try sql(of: request) == RenderedSQL(#"SELECT title, "year" + ?, * FROM book"#, [1]))
    #expect(try sql(of: ";" as SQLRequest<Row>) == RenderedSQL(";", []))
  }

  @Test func `a fragment of several statements takes its arguments in order`() throws {
    try makeBookshopDatabase().write { db throws in
      let literal: SQL = """
        UPDATE book SET year = \(1) WHERE id = \(1);
        UPDATE book SET year = \(2) WHERE title = \("Left Hand");
        """
      try db.execute(literal: literal)
      #expect(
        try Int.fetchAll(db, Book.select(y).filter(keys: [1, 2]).order(Column("id"))) == [1, 2])
      #expect(
        databaseError { try db.makeStatement(literal: literal) }?.resultCode == .SQLITE_MISUSE)
    }
  }

  @Test func `a name has one value in all fragments of a statement`() throws {
    let one = SQL(sql: "SELECT :a", arguments: ["a": 1])
    try DatabaseQueue().read { db throws in
      let same = one + SQL(sql: ", :a, :b", arguments: ["a": 1, "b": 2])
      let row = try #require(try SQLRequest(literal: same).fetchOne(db))
      #expect(StatementArguments(row.databaseValues) == [1, 1, 2])
      let other = one + SQL(sql: ", :a", arguments: ["a": 2])
      #expect(
        errorText { try other.build(db) }
          == "The argument a has several values - in request SELECT :a, :a")
      #expect(throws: InvalidRequest.self) { try SQLRequest<Row>(literal: other).fetchAll(db) }
      #expect(throws: InvalidRequest.self) { try db.execute(literal: other) }
    }
  }

  /// As a list of values, it never ended.
  @Test func `a range without end is no list of values`() throws {
    let literal: SQL = "SELECT id FROM book WHERE year IN \(1000...)"
    try DatabaseQueue().read { db throws in
      let text = errorText { try literal.build(db) }
      #expect(text?.hasPrefix("A range without end is no list of values: 1000... ") == true)
    }
  }

  @Test func `interpolated requests that can't become SQL are errors`() throws {
    struct Orphan: TableRecord {
      static let author = belongsTo(Author.self)
      static let databaseTableName = "note"
    }
    let literal: SQL = "SELECT * FROM (\(Orphan.joining(required: Orphan.author)))"
    try makeBookshopDatabase().read { db in
      #expect(throws: InvalidRequest.self) { try literal.build(db) }
      #expect(throws: InvalidRequest.self) { try SQLRequest<Row>(literal: literal).fetchAll(db) }
    }
  }

  enum CodingKeys: String, CodingKey { case title }
  enum ColumnKeys: String, CodingKey, ColumnExpression { case year }
  enum Genre: String, DatabaseValueConvertible { case novel = "n" }

  struct CountryCode: TableRecord {
    static let databaseTableName = "country"
    static var databaseSelection: [any SQLSelectable] { [Column("code")] }
    var code: String
  }
}
