import Foundation
import Quarry
import QuarryTestSupport
import Testing

enum ExactShelf: Int, Codable, DatabaseValueConvertible { case poetry, drama }

/// A type of an application, which converts as the type that it is made of.
struct ExactCelsius: DatabaseValueConvertible, Equatable {
  var degrees: Double

  var databaseValue: DatabaseValue { degrees.databaseValue }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> ExactCelsius? {
    Double.fromDatabaseValue(dbValue).map(ExactCelsius.init)
  }
}

struct ExactWhole: DatabaseValueConvertible, Equatable {
  var number: Int

  var databaseValue: DatabaseValue { number.databaseValue }

  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> ExactWhole? {
    Int.fromDatabaseValue(dbValue).map(ExactWhole.init)
  }
}

/// What exact conversions read and refuse: the table of the manual.
@Suite("Exact conversions")
struct ExactConversionTests {
  private static var exact: Configuration {
    var configuration = Configuration()
    configuration.conversions = .exact
    return configuration
  }

  /// Values by the SQL that they are read from, and those that are refused, but read by default.
  private struct Rule<Value: DatabaseValueConvertible & Equatable> {
    var read: [String: Value]
    var refused: [String]
  }

  private func check<Value>(_ rule: Rule<Value>) throws {
    try DatabaseQueue(configuration: Self.exact).inDatabase { db throws in
      for (sql, value) in rule.read {
        #expect(try Value.fetchAll(db, sql: "SELECT \(sql)") == [value], "\(sql)")
      }
      for sql in rule.refused {
        let text = errorText { try Value.fetchAll(db, sql: "SELECT \(sql) AS v") } ?? "no error"
        #expect(
          text.contains("could not decode \(Value.self) from database value"), "\(sql): \(text)")
        #expect(text.contains("`Configuration.conversions` is `.exact`"), "\(sql): \(text)")
      }
    }
    try DatabaseQueue().inDatabase { db throws in
      for sql in rule.refused {
        #expect(try Value.fetchAll(db, sql: "SELECT \(sql)").count == 1, "\(sql)")
      }
    }
  }

  @Test func `integers are read from integers`() throws {
    try check(
      Rule<Int>(read: ["120": 120, "-1": -1], refused: ["'120'", "120.0", "' 1 '", "1e3"]))
    try check(Rule<UInt8>(read: ["255": 255], refused: ["'255'", "1.0"]))
    try check(Rule<ExactShelf>(read: ["1": .drama], refused: ["'1'", "1.0"]))
    try check(
      Rule<Bool>(read: ["0": false, "1": true], refused: ["2", "-1", "'1'", "1.0", "0.0"]))
  }

  @Test func `numbers are read from numbers that they hold`() throws {
    // A column with the affinity NUMERIC stores 1.0 as an integer.
    try check(Rule<Double>(read: ["1.5": 1.5, "1": 1], refused: ["'1.5'", "'1'"]))
    try check(Rule<Float>(read: ["1.5": 1.5, "1": 1], refused: ["'1.5'", "0.1", "16777217"]))
    try check(Rule<CGFloat>(read: ["1.5": 1.5], refused: ["'1.5'"]))
    try check(
      Rule<Decimal>(read: ["'1.5'": 1.5, "12": 12, "'7'": 7], refused: ["1.5", "0.1"]))
    try check(Rule<NSNumber>(read: ["12": 12, "1.5": 1.5], refused: ["'12'"]))
  }

  @Test func `texts and bytes are not each other`() throws {
    try check(Rule<String>(read: ["'a'": "a", "''": ""], refused: ["1", "1.5", "x'61'"]))
    try check(Rule<Substring>(read: ["'a'": "a"], refused: ["1", "x'61'"]))
    try check(Rule<Character>(read: ["'a'": "a"], refused: ["1", "x'61'"]))
    try check(Rule<Data>(read: ["x'61'": Data([0x61])], refused: ["'a'"]))
    let url = try #require(URL(string: "https://example.com"))
    try check(
      Rule<URL>(
        read: ["'https://example.com'": url], refused: ["x'68747470733A2F2F6578616D706C652E636F6D'"]
      ))
    let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    // Strategies of records store both.
    try check(
      Rule<UUID>(
        read: [
          "x'e621e1f8c36c495a93fc0c247a3e6e5f'": uuid,
          "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'": uuid,
        ], refused: []))
  }

  @Test func `dates are texts of days that exist`() throws {
    let day = Date(timeIntervalSince1970: 1_709_164_800)
    try check(
      Rule<Date>(
        read: [
          "'2024-02-29'": day, "'2024-02-29 00:00'": day, "'2024-02-29T01:00:00.000+01:00'": day,
        ],
        refused: [
          "0", "1.5", "'2024-02-30'", "'2023-02-29'", "'2024-13-01'", "'2024-02-29 24:00'",
          "'2024-02-29 10:60'", "x'323032342D30322D3239'",
        ]))
  }

  @Test func `types of applications follow the types that they are made of`() throws {
    try check(
      Rule<ExactCelsius>(read: ["1.5": ExactCelsius(degrees: 1.5)], refused: ["9007199254740993"]))
    try check(Rule<ExactWhole>(read: ["2": ExactWhole(number: 2)], refused: ["1.5"]))
  }

  @Test func `NULL is nil, and no value`() throws {
    try DatabaseQueue(configuration: Self.exact).inDatabase { db throws in
      #expect(try Int?.fetchAll(db, sql: "SELECT NULL") == [nil])
      #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: "SELECT NULL") }
      // No other conversion reads it either.
      let text = errorText { try Int.fetchAll(db, sql: "SELECT 'Chai'") } ?? "no error"
      #expect(!text.contains(".exact"), "\(text)")
    }
  }

  @Test func `the error names the column, the storage class, the type and the statement`() throws {
    try DatabaseQueue(configuration: Self.exact).inDatabase { db throws in
      let text = errorText {
        try Row.fetchAll(db, sql: "SELECT '120' AS price")[0].decode(Int.self, forColumn: "price")
      }
      #expect(
        text == """
          could not decode Int from database value "120"
          `Configuration.conversions` is `.exact`: TEXT "120" is no stored form of Int; `.lossless` converts it
          - column: "price", column index: 0, row: [price:"120"], sql: `SELECT '120' AS price`
          """)
    }
  }
}

/// The ways from a row to a value that `ReadingTests` does not compare.
@Suite("Exact conversions everywhere")
struct ExactRouteTests {
  private struct Point: Codable, Equatable { var x: Int }

  private struct Product: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "product"
    var id: Int
    var price: Int
    var shape: Point

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      .timeIntervalSince1970
    }
  }

  /// A value by itself that is stored as JSON.
  private struct Shape: Codable, Equatable, DatabaseValueConvertible { var x: Int }

  private struct Visit: Codable, FetchableRecord {
    var entered: Date

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      .timeIntervalSince1970
    }
  }

  private static let schema = """
    CREATE TABLE product (id INTEGER PRIMARY KEY, price, shape);
    INSERT INTO product VALUES (1, '120', '{"x":1}')
    """

  private static var exact: Configuration {
    var configuration = Configuration()
    configuration.conversions = .exact
    return configuration
  }

  private func refused<T>(_ body: () throws -> T) -> Bool {
    errorText(body)?.contains("`Configuration.conversions` is `.exact`") == true
  }

  @Test func `records, by key, by request, and returned`() throws {
    let queue = try DatabaseQueue(configuration: Self.exact)
    try queue.write { db in
      try db.execute(sql: Self.schema)
      #expect(refused { try Product.fetchOne(db, key: 1) })
      #expect(refused { try Product.find(db, key: 1) })
      #expect(refused { try Product.filter { _ in Column("id") == 1 }.fetchAll(db) })
      #expect(refused { try Product.fetchCursor(db).next() })
      #expect(refused { try Product.select(Column("price"), as: Int.self).fetchOne(db) })
      #expect(refused { try Product.select(Column("price"), as: Int.self).fetchSet(db) })
      #expect(
        refused { try Int.fetchOne(db, sql: "UPDATE product SET price = '7' RETURNING price") })
      try db.execute(sql: "UPDATE product SET price = 120")
      #expect(try Product.fetchOne(db, key: 1)?.price == 120)
    }
  }

  @Test func `generated records read by position`() throws {
    try DatabaseQueue(configuration: Self.exact).write { db in
      try db.execute(sql: Self.schema)
      let cursor = try Row.fetchCursor(db, sql: "SELECT price FROM product")
      let row = try #require(try cursor.next())
      for isInOrder in [true, false] {
        #expect(refused { try row._decode(at: 0, or: "price", inOrder: isInOrder) as Int })
        #expect(refused { try row._decode(at: 0, or: "price", inOrder: isInOrder) as Int? })
        #expect(try row._decode(at: 0, or: "price", inOrder: isInOrder) == "120")
      }
    }
  }

  @Test func `rows keep the conversions of their connection`() throws {
    let queue = try DatabaseQueue(configuration: Self.exact)
    try queue.write { db in try db.execute(sql: Self.schema) }
    let rows = try queue.read { db in try Row.fetchAll(db, sql: "SELECT price FROM product") }
    #expect(refused { try rows[0].decode(Int.self, atIndex: 0) })
    #expect(refused { try rows[0].copy().decode(Int.self, forColumn: "price") })
    let value: DatabaseValue = rows[0]["price"]
    #expect(Int.fromDatabaseValue(value) == nil)
    #expect(value == "120".databaseValue)
    // An application that makes a row of the value does so without a connection.
    let row: Row = ["price": value]
    #expect(try row.decode(Int.self, atIndex: 0) == 120)
  }

  @Test func `all connections of a pool, and its snapshots`() throws {
    try withTemporaryDirectory { directory in
      let pool = try DatabasePool(path: directory + "/a.sqlite", configuration: Self.exact)
      try pool.write { db in try db.execute(sql: Self.schema) }
      let sql = "SELECT price FROM product"
      #expect(refused { try pool.read { db in try Int.fetchOne(db, sql: sql) } })
      #expect(refused { try pool.write { db in try Int.fetchOne(db, sql: sql) } })
      let snapshot = try pool.makeSnapshot()
      #expect(refused { try snapshot.read { db in try Int.fetchOne(db, sql: sql) } })
    }
  }

  @Test func `JSON is a text or a blob`() throws {
    try DatabaseQueue(configuration: Self.exact).write { db in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "UPDATE product SET price = 120")
      #expect(try Product.fetchOne(db, key: 1)?.shape == Point(x: 1))
      #expect(try Shape.fetchOne(db, sql: "SELECT shape FROM product") == Shape(x: 1))
      #expect(try Shape.fetchOne(db, sql: "SELECT CAST(shape AS BLOB) FROM product") == Shape(x: 1))
    }
  }

  @Test func `strategies of dates expect their numbers`() throws {
    try DatabaseQueue(configuration: Self.exact).write { db throws in
      let date = Date(timeIntervalSince1970: 1)
      #expect(try Visit.fetchOne(db, sql: "SELECT 1 AS entered")?.entered == date)
      #expect(try Visit.fetchOne(db, sql: "SELECT 1.0 AS entered")?.entered == date)
      let text = errorText { try Visit.fetchOne(db, sql: "SELECT '1' AS entered") }
      #expect(text?.contains("expects seconds since 1970") == true, "\(text ?? "")")
    }
  }

  @Test func `what the library stores is read back`() throws {
    struct All: Codable, Equatable, FetchableRecord, PersistableRecord {
      var id: Int64
      var flag: Bool
      var double: Double
      var float: Float
      var text: String
      var data: Data
      var date: Date
      var uuid: UUID
      var decimal: Decimal
      var url: URL?
      var list: [Int]
    }
    try DatabaseQueue(configuration: Self.exact).write { db in
      try db.execute(
        sql: """
          CREATE TABLE "all" (id INTEGER PRIMARY KEY, flag BOOLEAN, double DOUBLE, float REAL, text TEXT,
          data BLOB, date DATETIME, uuid BLOB, decimal TEXT, url TEXT, list TEXT)
          """)
      let run = RandomRun("what the library stores")
      var random = run.generator
      for id in 0..<100 {
        let record = All(
          id: Int64(id), flag: random.chance(2), double: Double(random.int64()) / 8,
          float: Float(random.below(1000)) / 3, text: random.text(), data: Data(random.bytes(9)),
          date: Date(timeIntervalSince1970: Double(random.below(2_000_000_000))), uuid: UUID(),
          decimal: Decimal(random.int64()), url: URL(string: "https://example.com/\(id)"),
          list: [id])
        try record.insert(db)
        #expect(try All.fetchOne(db, key: id) == record, "seed \(run.seed)")
      }
    }
  }
}
