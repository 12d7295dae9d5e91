import Foundation
import QuarryFunctions
import QuarryTestSupport
import Testing

@testable import Quarry

private let y = Column("year")
private let t = Column("title")
private let noNumbers: [Int] = []
private let recent = CommonTableExpression<Void>(
  named: "recent", columns: ["id"], request: Book.select(Column("id")).filter(y > 2000))

/// A name of its own for a column.
private struct NamedColumn: RawRepresentable, SQLExpressible, SQLSelectable, SQLOrderingTerm {
  let rawValue: Column
}

/// Raw SQL and interpolation.
@Suite(.onQueueAndPool)
struct SQLTests {
  @Test(arguments: [
    ExpressionCase(SQL("a + b"), "a + b"),
    ExpressionCase(SQL("a + b").sqlExpression + 1, "(a + b) + ?", [1]),
    ExpressionCase(!SQL("a OR b").sqlExpression, "NOT (a OR b)"),
    ExpressionCase(SQL("year") == 1, "(year) = ?", [1]),
    ExpressionCase(SQL(sql: "a + ?", arguments: [2]) == 1, "(a + ?) = ?", [2, 1]),
    ExpressionCase(y.detached, #""year""#),
    ExpressionCase(y.detached > 1, #"("year") > ?"#, [1]),
    ExpressionCase(SQL(y + 1), #""year" + ?"#, [1]),
    ExpressionCase([SQL("a"), SQL("\(1)")].joined(separator: " + "), "a + ?", [1]),
    ExpressionCase(abs(.random), "ABS(RANDOM())"),
    ExpressionCase(abs(.countAll), "ABS(COUNT(*))"),
    ExpressionCase(NamedColumn(rawValue: y).sqlExpression + 1, #""year" + ?"#, [1]),
  ])
  func `fragments are wrapped as operands`(_ test: ExpressionCase) throws {
    #expect(try sql(expression: test.expression) == test.expected)
  }

  @Test func `a raw value that is a column is one`() throws {
    let column = NamedColumn(rawValue: y)
    #expect(
      try sql(of: Book.select(column).order(column)).sql
        == #"SELECT "year" FROM "book" ORDER BY "year""#)
  }

  @Test(arguments: [10, 20_000])
  func `SQL in SQL, level by level, takes linear time`(levels: Int) throws {
    let seconds = try threadTime {
      try inEmptyDatabase { db throws in
        var expression = SQL("x = \(1)").sqlExpression
        var list: SQL = "1"
        for _ in 0..<levels {
          expression = SQL("(\(expression))").sqlExpression
          list = "1, \(list)"
        }
        let (sql, arguments) = try SQL(expression).build(db)
        let parentheses = [("("), (")")].map { String(repeating: $0, count: levels) }
        #expect(sql == "\(parentheses[0])x = ?\(parentheses[1])")
        #expect(arguments == [1])
        #expect(try list.build(db).0 == String(repeating: "1, ", count: levels) + "1")
        let request = SQLRequest<Int>(literal: "SELECT \(expression) FROM (SELECT 1 AS x)")
        if levels < SQLiteBuild.parserDepth {
          #expect(try request.fetchOne(db) == 1)
        } else {
          #expect(throws: DatabaseError.self) { try request.fetchOne(db) }
        }
      }
    }
    // A second in debug builds: quadratic time was more than a minute.
    #expect(seconds < 20)
  }

  static let interpolations: [(SQL, String, StatementArguments)] = [
    ("a = \("x")", "a = ?", ["x"]),
    ("a = \("xyz".prefix(2))", "a = ?", ["xy"]),
    ("a = \(1) OR a = \(1.5)", "a = ? OR a = ?", [1, 1.5]),
    ("a = \(Int?.none)", "a = NULL", []),
    ("a = \(Int?.some(1))", "a = ?", [1]),
    ("\(sql: "a = b")", "a = b", []),
    ("\(sql: "a = ?", arguments: [1]) AND b = \(2)", "a = ? AND b = ?", [1, 2]),
    ("x \(SQL("a = \(1)")) y", "x a = ? y", [1]),
    ("x \(literal: "a = \(1)") y", "x a = ? y", [1]),
    ("\(y)", #""year""#, []),
    ("\(y + 1)", #""year" + ?"#, [1]),
    ("\(y.desc)", #""year" DESC"#, []),
    ("\((y + 1).forKey("k"))", #""year" + ? AS "k""#, [1]),
    ("\(AllColumns())", "*", []),
    ("\(Book.self)", #""book""#, []),
    ("\(tableOf: Book(id: 1))", #""book""#, []),
    ("\(Table("a b"))", #""a b""#, []),
    ("\(identifier: "a b")", #""a b""#, []),
    ("\(columnsOf: Book.self)", #""book".*"#, []),
    ("\(columnsOf: Book.self, tableAlias: "b")", #""b".*"#, []),
    ("\(columnsOf: BookTitle.self)", #""book"."id", "book"."title""#, []),
    ("\(columnsOf: BookTitle.self, tableAlias: "b")", #""b"."id", "b"."title""#, []),
    ("\(Keys.title)", #""title""#, []),
    ("\(Columns.title)", #""title""#, []),
    ("(\(Book.filter(y > 1)))", #"(SELECT * FROM "book" WHERE "year" > ?)"#, [1]),
    ("\([1, 2])", "(?,?)", [1, 2]),
    ("\(Set([1]))", "(?)", [1]),
    ("\([y, t])", #"("year","title")"#, []),
    ("\([y, 1] as [any SQLExpressible])", #"("year",?)"#, [1]),
    ("\(noNumbers)", "(SELECT NULL WHERE NULL)", []),
    ("\(Data([1, 2]))", "?", [Data([1, 2])]),
    ("\(recent)", #""recent""#, []),
    (
      "\(definitionFor: recent)",
      #""recent"("id") AS (SELECT "id" FROM "book" WHERE "year" > ?)"#, [2000]
    ),
    ("a COLLATE \(Database.CollationName.nocase)", "a COLLATE NOCASE", []),
  ]

  @Test(arguments: interpolations.indices)
  func `interpolation`(index: Int) throws {
    let (literal, text, arguments) = Self.interpolations[index]
    #expect(try sql(of: SQLRequest<Row>(literal: literal)) == RenderedSQL(text, arguments))
  }

  @Test func `existentials are interpolated like their values`() throws {
    let expressible: (any SQLExpressible)? = 1
    let nothing: (any SQLExpressible)? = nil
    let selectable: (any SQLSelectable)? = y
    let ordering: any SQLOrderingTerm = y.desc
    let key: any CodingKey = Keys.title
    let type: any TableRecord.Type = Book.self
    let literal: SQL = "\(expressible) \(nothing) \(selectable) \(ordering) \(key) \(type)"
    #expect(
      try sql(of: SQLRequest<Row>(literal: literal))
        == RenderedSQL(#"? NULL "year" "year" DESC "title" "book""#, [1]))
  }

  @Test func `literals are joined`() throws {
    let pieces: [SQL] = ["a = \(1)", "b", "c = \(2)"]
    let joined = pieces.joined(separator: " AND ")
    #expect(
      try sql(of: SQLRequest<Row>(literal: joined)) == RenderedSQL("a = ? AND b AND c = ?", [1, 2]))
    #expect(try sql(of: SQLRequest<Row>(literal: pieces.lazy.joined())).sql == "a = ?bc = ?")
    let sequence = AnySequence(pieces.dropLast()).joined(separator: ", ")
    #expect(try sql(of: SQLRequest<Row>(literal: sequence)) == RenderedSQL("a = ?, b", [1]))
    #expect([SQL]().joined().isEmpty)
  }

  @Test func `an expression is SQL`() throws {
    #expect(
      try sql(of: SQLRequest<Row>(literal: SQL(Column("year") > 3)))
        == RenderedSQL(#""year" > ?"#, [3]))
    #expect(try sql(of: SQLRequest<Row>(literal: SQL(Column("year")))).sql == #""year""#)
  }

  @Test func `literals are appended`() throws {
    var literal: SQL = "SELECT \(1)"
    literal += ", \(2)"
    literal.append(literal: ", \(3)")
    literal.append(sql: ", ?", arguments: [4])
    literal = literal + ", 5"
    #expect(
      try sql(of: SQLRequest<Row>(literal: literal))
        == RenderedSQL("SELECT ?, ?, ?, ?, 5", [1, 2, 3, 4]))
    #expect(!literal.isEmpty)
    #expect(SQL("").isEmpty)
    #expect(!SQL("\(1)").isEmpty)
  }

  @Test func `literals are built and fetched`() throws {
    try makeBookshopDatabase().read { db throws in
      let literal: SQL = "SELECT title FROM book WHERE \(y) > \(2000)"
      let (text, arguments) = try literal.build(db)
      #expect(text == #"SELECT title FROM book WHERE "year" > ?"#)
      #expect(arguments == [2000])
      #expect(try SQLRequest<String>(literal: literal).fetchAll(db) == ["Invisible Towns"])
      let request: SQLRequest<Int> = "SELECT id FROM book WHERE id IN \([1, 3])"
      #expect(try request.fetchAll(db) == [1, 3])
      #expect(try request.fetchCount(db) == 2)
    }
  }

  enum Keys: String, CodingKey { case title }
  enum Columns: String, CodingKey, ColumnExpression { case title }

  struct BookTitle: TableRecord {
    static let databaseTableName = "book"
    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("title")] }
  }
}
