import Foundation
import Testing

@testable import Quarry

/// Values bound to a statement.
struct StoredValueTests {
  private func stored(_ value: (any DatabaseValueConvertible)?) throws -> String? {
    try DatabaseQueue().read { db in
      try String.fetchOne(
        db, sql: "SELECT typeof(a) || ' ' || quote(a) FROM (SELECT ? AS a)", arguments: [value])
    }
  }

  @Test func `values are stored with their kind`() throws {
    #expect(try stored(nil) == "null NULL")
    #expect(try stored(true) == "integer 1")
    #expect(try stored(UInt8(12)) == "integer 12")
    #expect(try stored(Int64.min) == "integer -9223372036854775808")
    #expect(try stored(1.5) == "real 1.5")
    #expect(try stored(Float(0.5)) == "real 0.5")
    #expect(try stored(Double.nan) == "null NULL")
    #expect(try stored("O'Brien") == "text 'O''Brien'")
    #expect(try stored("") == "text ''")
    #expect(try stored(Data([1, 255])) == "blob X'01FF'")
    #expect(try stored(Data()) == "blob X''")
    #expect(try stored(Date(timeIntervalSince1970: 0)) == "text '1970-01-01 00:00:00.000'")
    #expect(try stored(URL(string: "https://example.com")) == "text 'https://example.com'")
    #expect(try stored(Decimal(12)) == "text '12'")
    #expect(try stored(NSNull()) == "null NULL")
  }

  @Test func `long texts and texts with nul are stored whole`() throws {
    try DatabaseQueue().read { db throws in
      for text in [String(repeating: "\u{e9}", count: 10_000), "a\0b"] {
        #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: [text]) == text)
        let substring = String(("x" + text).dropFirst())
        #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: [substring]) == text)
      }
    }
  }

  @Test func `slices of data are stored`() throws {
    let slice = Data([0, 1, 2, 3])[1...2]
    #expect(try stored(slice) == "blob X'0102'")
  }

  private struct Measure: Codable, DatabaseValueConvertible {
    var value: Double
  }

  @Test func `a value that can not be stored is an error of the statement`() throws {
    let values: [any DatabaseValueConvertible] = [
      UInt64.max, UInt.max, NSNumber(value: UInt64.max), Measure(value: .nan),
      Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: 1_700_000_000_000),
      Decimal.nan,
    ]
    for value in values {
      do {
        _ = try stored(value)
        Issue.record("an error is expected")
      } catch DatabaseError.SQLITE_MISMATCH {
      }
    }
  }
}
