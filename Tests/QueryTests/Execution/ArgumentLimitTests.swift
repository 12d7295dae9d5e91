import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Requests with more arguments than SQLite allows, which is 999, 32,766 or 250,000 in usual
/// builds.
@Suite(.onQueueAndPool)
struct ArgumentLimitTests {
  private let id = Column("id")

  /// Calls `body` while statements have a few arguments at most.
  private func withLimit<T>(_ limit: Int, _ db: Database, _ body: () throws -> T) rethrows -> T {
    let former = db.setLimit(.statementArgumentCount, to: limit)
    defer { db.setLimit(.statementArgumentCount, to: former) }
    return try body()
  }

  private static let requests: [(any FetchRequest & Sendable, String)] = [
    (
      Book.filter([1, 2, 3].contains(Column("id"))),
      #"SELECT * FROM "book" WHERE "id" IN (?, ?, ?) [1, 2, 3]"#
    ),
    (
      Book.filter([1, 2, 3, 4].contains(Column("id"))),
      #"SELECT * FROM "book" WHERE "id" IN (SELECT +"value" FROM json_each(?)) ["[1,2,3,4]"]"#
    ),
    (
      Book.filter(!["a", "b", "c", "d"].contains(Column("title"))).limit(2),
      #"SELECT * FROM "book" WHERE "title" NOT IN (SELECT +"value" FROM json_each(?)) "#
        + #"LIMIT 2 ["[\"a\",\"b\",\"c\",\"d\"]"]"#
    ),
    (
      Book.filter(([1, 9.5, 2, .nan, .infinity] as [Double]).contains(Column("price"))),
      #"SELECT * FROM "book" WHERE "price" IN (SELECT "# + oneDivision
        + #" FROM json_each(?)) ["[1.0,[19,1],2.0,null,9.0e+999]"]"#
    ),
    (
      Book.filter(([1e20, 1e-20, 0.5, 3] as [Double]).contains(Column("price"))),
      #"SELECT * FROM "book" WHERE "price" IN (SELECT CASE "type" WHEN 'array' THEN "#
        + #"CAST("value" ->> 0 AS REAL) * 1048576"#
        + #" / (1 << COALESCE("value" ->> 1, 0)) / (1 << COALESCE("value" ->> 2, 0))"#
        + #" / (1 << COALESCE("value" ->> 3, 0)) ELSE "value" END FROM json_each(?)) "#
        + #"["[[95367431640625],[6646139978924579,62,62,15],[1,21],3.0]"]"#
    ),
    (
      Book.filter(mixedNumbers.contains(Column("price"))),
      #"SELECT * FROM "book" WHERE "price" IN ((CAST(3 AS REAL) / 2), 2, 3, X'07') []"#
    ),
    (
      Book.filter(keys: (0...100).map { Double($0) + 0.5 }),
      #"SELECT * FROM "book" WHERE "id" IN (SELECT \#(oneDivision) FROM json_each(?)) ["[\#(halves)]"]"#
    ),
    (Book.filter(keys: [1, 2, 3, 4]), #"SELECT * FROM "book" WHERE "id" IN (1, 2, 3, 4) []"#),
    (
      Book.filter(Column("id") > 7).filter(
        (1...3).map { Column("id") == $0 }.joined(operator: .or)),
      #"SELECT * FROM "book" WHERE ("id" > ?) AND (("id" = 1) OR ("id" = 2) OR ("id" = 3)) [7]"#
    ),
    (
      SQLRequest<Row>("SELECT * FROM book WHERE title IN \(mixed)"),
      "SELECT * FROM book WHERE title IN ('a',1,X'07',('x' || char(0) || 'y')) []"
    ),
    (
      SQLRequest<Row>("SELECT * FROM book WHERE price not  in\n\([2, 3, 2, 9.5]) AND id > \(7)"),
      "SELECT * FROM book WHERE price not  in\n(SELECT \(oneDivision) FROM json_each(?)) "
        + #"AND id > ? ["[2,3,2,[19,1]]", 7]"#
    ),
    (
      SQLRequest<Row>("SELECT max\([1.5, 2, 3, 4]) AS within"),
      "SELECT max((CAST(3 AS REAL) / 2),2,3,4) AS within []"
    ),
  ]

  private static let oneDivision =
    #"CASE "type" WHEN 'array' THEN CAST("value" ->> 0 AS REAL)"#
    + #" / (1 << COALESCE("value" ->> 1, 0)) ELSE "value" END"#

  private static let halves = (0...100).map { "[\(2 * $0 + 1),1]" }.joined(separator: ",")

  private static let mixedNumbers: [DatabaseValue] = [
    (1.5).databaseValue, 2.databaseValue, 3.databaseValue, Data([7]).databaseValue,
  ]

  private static let mixed: [DatabaseValue] = [
    "a".databaseValue, 1.databaseValue, Data([7]).databaseValue, "x\0y".databaseValue,
  ]

  @Test(arguments: requests.indices)
  func `lists above the limit are one argument, or literals`(index: Int) throws {
    let (request, text) = Self.requests[index]
    try makeBookshopDatabase().read { db throws in
      let statement = try withLimit(3, db) {
        try request.makePreparedRequest(db, forSingleResult: false).statement
      }
      #expect("\(statement.sql) \(statement.arguments)" == text)
    }
  }

  /// Values that comparisons convert: each in columns of each affinity.
  private static let values: [DatabaseValue] = {
    let integers: [Int64] = [1, 2, 9_007_199_254_740_992, 9_007_199_254_740_993, .max]
    let doubles: [Double] = [
      0.1 + 0.2, 1, 9_007_199_254_740_992, 2.5e-9, 1e300, -0.1, .leastNonzeroMagnitude, 0x1p63,
      -.infinity, -0.0,
    ]
    let texts = [
      "1", "1.0", " 1", "01", "a", "A", "é", "e\u{301}", "", "1e0", "9007199254740993",
      "9007199254740992.0", "x\0y", "0x1", "2 ", "0.0", "-0.0", "-Inf", "0.3",
    ]
    let blobs = [Data(), Data("1".utf8), Data([0, 255])]
    return integers.map(\.databaseValue) + doubles.map(\.databaseValue)
      + texts.map(\.databaseValue) + blobs.map(\.databaseValue) + [.null]
  }()

  private func withValues(_ body: (Database) throws -> Void) throws {
    try makeEmptyDatabase().write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE item (
            id INTEGER PRIMARY KEY, i INTEGER, r REAL, t TEXT, n NUMERIC, b BLOB,
            c TEXT COLLATE NOCASE)
          """)
      for value in Self.values {
        try db.execute(
          sql: "INSERT INTO item VALUES (NULL, ?, ?, ?, ?, ?, ?)",
          arguments: StatementArguments(Array(repeating: value, count: 6)))
      }
      try db.execute(sql: "CREATE INDEX ofI ON item(i); CREATE INDEX ofR ON item(r)")
      try db.execute(sql: "CREATE INDEX ofT ON item(t); CREATE INDEX ofB ON item(b)")
      try body(db)
    }
  }

  @Test(arguments: RandomRun.seeds)
  func `lists find the same rows above the limit as below`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    try withValues { db throws in
      let columns = ["i", "r", "t", "n", "b", "c"].map { Column($0).sqlExpression }
      let operands: [SQLExpression] =
        columns + [
          Column("t").collating(.nocase), (Column("r") + 0).sqlExpression,
          (Column("i") ?? "x").sqlExpression,
        ]
      for _ in 0..<80 {
        let isJSON = Bool.random(using: &generator)
        let candidates =
          isJSON ? Self.values.filter { $0.storage.isJSON } : Self.values
        let list = (0..<Int.random(in: 4...9, using: &generator)).map { _ in
          candidates.randomElement(using: &generator) ?? .null
        }
        for operand in operands {
          for condition in [list.contains(operand), !list.contains(operand)] {
            let request = Table("item").filter(condition).select(id, as: Int64.self).order(id)
            let expected = try request.fetchAll(db)
            let found = try withLimit(3, db) { try request.fetchAll(db) }
            #expect(found == expected, "seed \(seed): \(list) \(operand)")
          }
        }
      }
    }
  }

  @Test func `keys of texts find numbers, below 100 and above`() throws {
    try makeEmptyDatabase().write { db throws in
      try db.execute(
        sql: """
          CREATE TABLE code (text TEXT PRIMARY KEY, n);
          INSERT INTO code VALUES ('7', 1), ('x', 2), ('8', 3)
          """)
      for count in [3, 100, 101, 40_000] {
        let request = Table("code").filter(keys: Array(8..<(8 + count)))
        #expect(try request.select(Column("n"), as: Int.self).fetchAll(db) == [3])
      }
    }
  }

  @Test(arguments: [1000, 40_000])
  func `values of all types are found in lists of any length`(count: Int) throws {
    try makeEmptyDatabase().write { db throws in
      try db.execute(sql: "CREATE TABLE item (id INTEGER PRIMARY KEY, value)")
      let kinds: [(Int) -> DatabaseValue] = [
        { $0.databaseValue }, { (Double($0) + 0.1).databaseValue }, { "text \($0)".databaseValue },
        { Data("blob \($0)".utf8).databaseValue },
      ]
      for kind in kinds {
        try db.execute(sql: "DELETE FROM item")
        let found = [3, count / 2, count - 1].map(kind)
        for value in found + [kind(count + 7)] {
          try db.execute(sql: "INSERT INTO item VALUES (NULL, ?)", arguments: [value])
        }
        let list = (0..<count).map(kind)
        let request = Table("item").filter(list.contains(Column("value")))
        #expect(try request.select(Column("value"), as: DatabaseValue.self).fetchAll(db) == found)
        let twice = list.contains(Column("value")) && list.contains(Column("value"))
        #expect(try Table("item").filter(twice).fetchCount(db) == 3)
        let sql: SQL = "SELECT COUNT(*) FROM item WHERE value IN \(list)"
        #expect(try SQLRequest<Int>(literal: sql).fetchOne(db) == 3)
        #expect(try request.updateAll(db, Column("value").set(to: nil)) == 3)
        #expect(try Table("item").filter(!list.contains(Column("value"))).fetchCount(db) == 1)
      }
    }
  }

  @Test func `a request with few values is remembered, and one with too many is not`() throws {
    try makeBookshopDatabase().read { db throws in
      for limit in [100, 4, 3, 2, 1, 100] {
        for first in [1, 2, 3, 1] {
          let request = Book.filter([first, first + 1, 7, 8].contains(id)).select(id, as: Int.self)
          let expected = [first, first + 1].filter { $0 <= 4 }
          #expect(try withLimit(limit, db) { try request.fetchAll(db) } == expected)
        }
      }
    }
  }

  @Test func `row values and compound keys above the limit are literals`() throws {
    try makeBookshopDatabase().read { db throws in
      let (shop, isbn) = (Column("shop"), Column("isbn"))
      let rows = [SQLRowValue("north", "a"), SQLRowValue("south", "a"), SQLRowValue("south", "z")]
      let keys: [[String: (any DatabaseValueConvertible)?]] = [
        ["shop": "north", "isbn": "b"], ["shop": "south", "isbn": "a"],
      ]
      try withLimit(2, db) {
        #expect(try Stock.filter(rows.contains(SQLRowValue(shop, isbn))).fetchCount(db) == 2)
        #expect(try Stock.filter(keys: keys).fetchCount(db) == 2)
        let request = Author.including(all: Author.books).filter([1, 2, 3].contains(id))
        let counts = try Row.fetchAll(db, request).map { $0.prefetchedRows["books"]?.count }
        #expect(counts == [2, 1, 0])
      }
    }
  }

  @Test func `arguments of raw SQL are limited by SQLite`() throws {
    try makeBookshopDatabase().read { db throws in
      let error = withLimit(2, db) {
        databaseError { try Int.fetchOne(db, sql: "SELECT ? + ? + ?", arguments: [1, 2, 3]) }
      }
      #expect(error?.message == "too many SQL variables")
    }
  }
}

extension DatabaseValue.Storage {
  /// Whether lists of the value are one argument.
  fileprivate var isJSON: Bool {
    switch self {
    case .int64(let integer): integer <= 1 << 53
    case .string(let text): !text.contains("\0")
    case .null, .double: true
    case .blob: false
    }
  }
}
