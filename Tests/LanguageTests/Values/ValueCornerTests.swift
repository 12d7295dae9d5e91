public import Foundation
import QuarryTestSupport
import Testing

@testable public import Quarry

/// The corners of conversions that fetches rarely come to.
struct ValueCornerTests {
  /// Binds values by themselves, as statements of raw SQLite would.
  @Test func `a value type may bind itself`() throws {
    let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let values: [(any StatementBinding, DatabaseValue.Storage)] = [
      (true, .int64(1)), (12 as Int, .int64(12)), (Int64.min, .int64(.min)), (UInt8(3), .int64(3)),
      (1.5, .double(1.5)), (Float(0.5), .double(0.5)), ("é", .string("é")), ("", .string("")),
      (Data([1, 2]), .blob(Data([1, 2]))), (Data(), .blob(Data())),
      (Data([0, 1, 2])[1...], .blob(Data([1, 2]))),
      (Date(timeIntervalSince1970: 0), .string("1970-01-01 00:00:00.000")),
      (uuid, uuid.databaseValue.storage), (Decimal(5), .string("5")), (Raw.one, .int64(1)),
      (BoundRaw(rawValue: 7), .int64(7)), (String?.none, .null), (Int?.some(3), .int64(3)),
      (1.databaseValue, .int64(1)), (DatabaseValue.null, .null),
      (Substring("sub"), .string("sub")),
    ]
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      for (value, storage) in values {
        statement.setUncheckedArguments([])
        #expect(value.bind(to: statement.sqliteStatement, at: 1) == 0)
        #expect(try DatabaseValue.fetchOne(statement)?.storage == storage, "\(value)")
      }
      let bridged = NSString(string: String(repeating: "é", count: 3)) as String
      #expect(bridged.bind(to: statement.sqliteStatement, at: 1) == 0)
      for invalid: any StatementBinding in [
        UInt64.max, Date.distantFuture.addingTimeInterval(.infinity),
      ] {
        let code = invalid.bind(to: statement.sqliteStatement, at: 1)
        #expect(ResultCode(rawValue: code) == .SQLITE_MISMATCH)
      }
    }
  }

  private enum Raw: Int, DatabaseValueConvertible, StatementColumnConvertible { case one = 1 }

  private struct BoundRaw: RawRepresentable, StatementBinding { var rawValue: Int }

  @Test func `a value type may read itself`() throws {
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT 1, 0.5, 'x', NULL, 7, 300")
      let cursor = try Row.fetchCursor(statement)
      _ = try cursor.next()
      let row = statement.sqliteStatement
      #expect(Bool(sqliteStatement: row, index: 0))
      #expect(Int64(sqliteStatement: row, index: 0) == 1)
      #expect(Int8(sqliteStatement: row, index: 0) == 1)
      #expect(Int8(sqliteStatement: row, index: 5) == nil)
      #expect(Double(sqliteStatement: row, index: 1) == 0.5)
      #expect(Float(sqliteStatement: row, index: 1) == 0.5)
      #expect(String(sqliteStatement: row, index: 2) == "x")
      #expect(String(sqliteStatement: row, index: 3) == "")
      #expect(Data(sqliteStatement: row, index: 3) == Data())
      #expect(Date(sqliteStatement: row, index: 3) == nil)
      #expect(UUID(sqliteStatement: row, index: 0) == nil)
      #expect(Decimal(sqliteStatement: row, index: 3) == nil)
      #expect(DatabaseDateComponents(sqliteStatement: row, index: 3) == nil)
      #expect(Raw(sqliteStatement: row, index: 0) == .one)
      #expect(Raw(sqliteStatement: row, index: 4) == nil)
      #expect(Raw(sqliteStatement: row, index: 1) == nil)
      #expect(Int?(sqliteStatement: row, index: 0) == .some(1))
      #expect(Int8?(sqliteStatement: row, index: 5) == nil)
      #expect(Float.fromStatement(row, atUncheckedIndex: 3) == nil)
      #expect(Bool.fromStatement(row, atUncheckedIndex: 3) == nil)
    }
  }

  @Test func `values of basic types are the conversions of SQLite, where they are optional, too`()
    throws
  {
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT 'tea', 2.5, NULL")
      let cursor = try Row.fetchCursor(statement)
      _ = try cursor.next()
      let row = statement.sqliteStatement
      let numbers: [Double?] = [Double(sqliteStatement: row, index: 0)]
      let flags: [Bool?] = [Bool(sqliteStatement: row, index: 0)]
      let blobs: [Data?] = [Data(sqliteStatement: row, index: 1)]
      let texts: [String?] = [String(sqliteStatement: row, index: 2)]
      #expect(numbers == [0])
      #expect(flags == [false])
      #expect(blobs == [Data("2.5".utf8)])
      #expect(texts == [""])
    }
  }

  /// A type that is bridged to a class.
  private func convert<T: DatabaseValueConvertible & Equatable>(_ value: T) -> T? {
    T.fromDatabaseValue(value.databaseValue)
  }

  @Test func `bridged types convert as their class`() throws {
    let index = IndexPath(indexes: [1, 2])
    #expect(index.databaseValue == "1.2".databaseValue)
    #expect(convert(index) == index)
    #expect(IndexPath.fromDatabaseValue(.null) == nil)
  }

  @Test func `dates of texts without contiguous bytes`() {
    let bridged = NSString(string: "2024-02-29 13:05:59.123+02:00") as String
    #expect(
      Date.fromDatabaseValue(bridged.databaseValue)
        == Date(timeIntervalSinceReferenceDate: 730_897_559.123))
    #expect(Date.fromDatabaseValue((NSString(string: "é") as String).databaseValue) == nil)
    #expect(Date.fromDatabaseValue("2024-02-29 13".databaseValue) == nil)
    #expect(Date.fromDatabaseValue("13:".databaseValue) == nil)
  }

  @Test(arguments: [(0, "-4713-11-24 12:00:00.000"), (2_440_587.5, "1970-01-01 00:00:00.000")])
  func `julian days become dates`(day: Double, text: String) throws {
    let date = try #require(Date(julianDay: day))
    #expect(abs(date.timeIntervalSince1970 - (day - 2_440_587.5) * 86400) < 0.001, "\(text)")
    #expect(Date(julianDay: -1) == nil)
    #expect(Date(julianDay: 5_373_484.5) == nil)
    #expect(Date(julianDay: .nan) == nil)
  }

  @Test func `converted values are fetched in all ways`() throws {
    try DatabaseQueue().inDatabase { db in
      let sql = "SELECT 'https://a.b' UNION ALL SELECT ?"
      let url = try #require(URL(string: "https://a.b"))
      let other = try #require(URL(string: "https://c.d"))
      let statement = try db.makeStatement(sql: sql)
      let arguments: StatementArguments = [other]
      #expect(try URL.fetchAll(statement, arguments: arguments) == [url, other])
      #expect(try URL.fetchSet(statement, arguments: arguments) == [url, other])
      #expect(try URL.fetchOne(statement, arguments: arguments) == url)
      #expect(try Array(URL.fetchCursor(statement, arguments: arguments)) == [url, other])
      #expect(try URL.fetchAll(db, sql: sql, arguments: arguments) == [url, other])
      #expect(try URL.fetchSet(db, sql: sql, arguments: arguments) == [url, other])
      #expect(try URL.fetchOne(db, sql: sql, arguments: arguments) == url)
      #expect(try Array(URL.fetchCursor(db, sql: sql, arguments: arguments)) == [url, other])
      let request = SQLRequest<URL>(sql: sql, arguments: arguments)
      #expect(try URL.fetchAll(db, request) == [url, other])
      #expect(try URL.fetchSet(db, request) == [url, other])
      #expect(try URL.fetchOne(db, request) == url)
      #expect(try Array(URL.fetchCursor(db, request)) == [url, other])
      #expect(try Int.fetchAll(db, SQLRequest<Int>(sql: "SELECT 1")) == [1])
      #expect(try Int.fetchSet(db, SQLRequest<Int>(sql: "SELECT 1")) == [1])
      #expect(try Int.fetchOne(db, SQLRequest<Int>(sql: "SELECT 1")) == 1)
      #expect(try Array(Int.fetchCursor(db, SQLRequest<Int>(sql: "SELECT 1"))) == [1])
    }
  }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension IndexPath: DatabaseValueConvertible {}

// swift-format-ignore: AvoidRetroactiveConformances
extension NSIndexPath: DatabaseValueConvertible {
  public var databaseValue: DatabaseValue {
    (0..<length).map { "\(index(atPosition: $0))" }.joined(separator: ".").databaseValue
  }

  public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
    guard let text = String.fromDatabaseValue(dbValue) else { return nil }
    let indexes = text.split(separator: ".").compactMap { Int($0) }
    return indexes.withUnsafeBufferPointer {
      NSIndexPath(indexes: $0.baseAddress, length: $0.count) as? Self
    }
  }
}
