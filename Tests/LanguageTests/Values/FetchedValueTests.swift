import Foundation
import Testing

@testable import Quarry

/// Values decoded straight from a statement.
struct FetchedValueTests {
  private func fetch<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ type: Value.Type, _ sql: String
  ) throws -> Value? {
    try DatabaseQueue().read { db in try Value.fetchOne(db, sql: "SELECT \(sql)") }
  }

  private func fetch<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String
  ) throws -> Value? {
    try fetch(Value.self, sql)
  }

  @Test(
    arguments: [
      ("12", 12), ("'12'", 12), ("12.0", 12), ("0", 0), ("NULL", nil),
    ] as [(String, Int?)])
  func `integers come from integral numbers`(sql: String, value: Int?) throws {
    #expect(try fetch(sql) == value)
    #expect(try fetch(sql) == value.map { Int64($0) })
    #expect(try fetch(sql) == value.map { $0 != 0 })
  }

  @Test func `integers must fit their type`() throws {
    #expect(try fetch(Int8.self, "127") == 127)
    #expect(throws: RowDecodingError.self) { try fetch(Int8.self, "1000") }
    #expect(throws: RowDecodingError.self) { try fetch(UInt8.self, "-1") }
    #expect(throws: RowDecodingError.self) { try fetch(UInt64.self, "-1") }
    #expect(throws: RowDecodingError.self) { try fetch(Int32.self, "2147483648") }
  }

  @Test(
    arguments: [
      ("1.5", 1.5), ("12", 12), ("'1.5'", 1.5), ("0.0", 0), ("NULL", nil),
    ] as [(String, Double?)])
  func `doubles come from numbers`(sql: String, value: Double?) throws {
    #expect(try fetch(sql) == value)
    #expect(try fetch(sql) == value.map { Float($0) })
  }

  @Test(arguments: ["'abc'", "x'31'", "1.9", "1e30"])
  func `other values are no integers`(sql: String) {
    #expect(throws: RowDecodingError.self) { try fetch(Int.self, sql) }
    #expect(throws: RowDecodingError.self) { try fetch(Int64.self, sql) }
  }

  @Test(
    arguments: [
      ("'a'", "a"), ("''", ""), ("42", "42"), ("1e30", "1e+30"), ("x''", ""),
      ("x'61'", "a"), ("CAST(x'61FF62' AS TEXT)", "a\u{FFFD}b"), ("'a' || char(0) || 'b'", "a\0b"),
      ("NULL", nil),
    ] as [(String, String?)])
  func `strings come from texts and numbers`(sql: String, value: String?) throws {
    #expect(try fetch(sql) == value)
  }

  @Test(
    arguments: [
      ("x'0102'", Data([1, 2])), ("x''", Data()), ("''", Data()), ("'a'", Data([0x61])),
      ("NULL", nil),
    ] as [(String, Data?)])
  func `data is the bytes of the value`(sql: String, value: Data?) throws {
    #expect(try fetch(sql) == value)
  }

  @Test(
    arguments: [
      ("1.5", 1.5), ("12", 12), ("'1970-01-01 00:00:01'", 1), ("NULL", nil),
    ] as [(String, Double?)])
  func `dates come from numbers and texts`(sql: String, seconds: Double?) throws {
    #expect(try fetch(sql) == seconds.map { Date(timeIntervalSince1970: $0) })
  }

  @Test func `other values are no dates`() {
    #expect(throws: RowDecodingError.self) { try fetch(Date.self, "'abc'") }
    #expect(throws: RowDecodingError.self) { try fetch(Date.self, "x'61'") }
  }

  @Test func `UUIDs come from texts and blobs`() throws {
    let uuid = UUID()
    let text = uuid.uuidString
    #expect(try fetch("'\(text)'") == uuid)
    #expect(try fetch("'\(text.lowercased())'") == uuid)
    #expect(try fetch("x'\(text.replacingOccurrences(of: "-", with: ""))'") == uuid)
    #expect(throws: RowDecodingError.self) { try fetch(UUID.self, "x'00'") }
    #expect(throws: RowDecodingError.self) { try fetch(UUID.self, "x''") }
    #expect(throws: RowDecodingError.self) { try fetch(UUID.self, "12") }
  }

  @Test func `decimals come from numbers and texts`() throws {
    #expect(try fetch("12") == Decimal(12))
    #expect(try fetch("1.5") == Decimal(string: "1.5"))
    #expect(try fetch("'0.1'") == Decimal(string: "0.1"))
    #expect(throws: RowDecodingError.self) { try fetch(Decimal.self, "9e999") }
    #expect(throws: RowDecodingError.self) { try fetch(Decimal.self, "x'31'") }
  }

  @Test func `date components come from texts`() throws {
    #expect(try fetch(DatabaseDateComponents.self, "'12:30'")?.format == .HM)
    #expect(throws: RowDecodingError.self) { try fetch(DatabaseDateComponents.self, "12") }
  }

  @Test func `null is nil for optionals only`() throws {
    try DatabaseQueue().read { db throws in
      let sql = "SELECT NULL UNION ALL SELECT 1"
      #expect(try Int?.fetchAll(db, sql: sql) == [nil, 1])
      #expect(throws: RowDecodingError.self) { try Int.fetchAll(db, sql: sql) }
      #expect(throws: RowDecodingError.self) { try Int8?.fetchAll(db, sql: "SELECT 1000") }
    }
  }

  private enum Genre: String, DatabaseValueConvertible, StatementColumnConvertible {
    case novel, poetry
  }

  @Test func `enumerations are decoded from their raw value`() throws {
    #expect(try fetch(Genre.self, "'novel'") == .novel)
    #expect(throws: RowDecodingError.self) { try fetch(Genre.self, "'comic'") }
  }

  @Test func `types that do not read statements follow the same rule`() throws {
    try DatabaseQueue().read { db in
      #expect(throws: RowDecodingError.self) { try CGFloat.fetchOne(db, sql: "SELECT 'x'") }
      #expect(try CGFloat.fetchOne(db, sql: "SELECT '1'") == 1)
      #expect(try CGFloat.fetchOne(db, sql: "SELECT 1") == 1)
      let url = try URL.fetchOne(db, sql: "SELECT 'https://example.com'")
      #expect(url?.absoluteString == "https://example.com")
    }
  }

  @Test func `database values keep their kind`() throws {
    try DatabaseQueue().read { db in
      let row = try #require(try Row.fetchOne(db, sql: "SELECT 1, 1.0, '1', x'31', NULL, '', x''"))
      let storages = Array(row.databaseValues).map(\.storage)
      #expect(
        storages == [
          .int64(1), .double(1), .string("1"), .blob(Data([0x31])), .null, .string(""),
          .blob(Data()),
        ])
    }
  }
}
