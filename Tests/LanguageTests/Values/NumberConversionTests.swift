import Foundation
import Testing

@testable import Quarry

struct NumberConversionTests {
  static let text = "12".databaseValue
  static let blob = Data("12".utf8).databaseValue

  @Test func `numbers are stored as integers and doubles`() {
    #expect(true.databaseValue.storage == .int64(1))
    #expect(false.databaseValue.storage == .int64(0))
    #expect(Int8(-8).databaseValue.storage == .int64(-8))
    #expect(UInt8.max.databaseValue.storage == .int64(255))
    #expect(Int16.min.databaseValue.storage == .int64(-32768))
    #expect(UInt16.max.databaseValue.storage == .int64(65535))
    #expect(Int32.max.databaseValue.storage == .int64(2_147_483_647))
    #expect(UInt32.max.databaseValue.storage == .int64(4_294_967_295))
    #expect(Int.min.databaseValue.storage == .int64(.min))
    #expect(UInt(12).databaseValue.storage == .int64(12))
    #expect(UInt64(Int64.max).databaseValue.storage == .int64(.max))
    #expect(Float(0.1).databaseValue.storage == .double(0.10000000149011612))
    #expect(0.1.databaseValue.storage == .double(0.1))
    #expect(CGFloat(0.5).databaseValue.storage == .double(0.5))
  }

  @Test func `integers above int64 max are invalid values`() {
    let reason =
      "could not convert 9223372036854775808 to an Int64 that can be stored in the database"
    #expect((UInt64(Int64.max) + 1).databaseValue.invalidReason == reason)
    #expect((UInt(Int64.max) + 1).databaseValue.invalidReason == reason)
    #expect(NSNumber(value: UInt64(Int64.max) + 1).databaseValue.invalidReason == reason)
  }

  @Test(
    arguments: [
      (1.databaseValue, true), (0.databaseValue, false), ((-1).databaseValue, true),
      (0.5.databaseValue, true),
      (0.0.databaseValue, false), (text, nil), (blob, nil), (.null, nil),
    ] as [(DatabaseValue, Bool?)])
  func `bool is any number but zero`(value: DatabaseValue, bool: Bool?) {
    #expect(Bool.fromDatabaseValue(value) == bool)
  }

  @Test(
    arguments: [
      (12.databaseValue, 12), (1.9.databaseValue, 1), ((-1.9).databaseValue, -1),
      ((-0x1p63).databaseValue, .min), (0x1p63.databaseValue, nil), (1e30.databaseValue, nil),
      (Double.nan.databaseValue, nil), (Double.infinity.databaseValue, nil), (text, nil),
      (blob, nil), (.null, nil),
    ] as [(DatabaseValue, Int64?)])
  func `int64 is an integer or a truncated double`(value: DatabaseValue, int64: Int64?) {
    #expect(Int64.fromDatabaseValue(value) == int64)
    #expect(Int.fromDatabaseValue(value) == int64.map { Int($0) })
  }

  @Test func `integers must fit their type`() {
    #expect(Int8.fromDatabaseValue(127.databaseValue) == 127)
    #expect(Int8.fromDatabaseValue(128.databaseValue) == nil)
    #expect(Int8.fromDatabaseValue(127.9.databaseValue) == 127)
    #expect(UInt8.fromDatabaseValue((-1).databaseValue) == nil)
    #expect(UInt8.fromDatabaseValue(255.databaseValue) == 255)
    #expect(Int16.fromDatabaseValue(32768.databaseValue) == nil)
    #expect(UInt16.fromDatabaseValue(65536.databaseValue) == nil)
    #expect(Int32.fromDatabaseValue(2_147_483_648.databaseValue) == nil)
    #expect(UInt32.fromDatabaseValue(4_294_967_296.databaseValue) == nil)
    #expect(UInt.fromDatabaseValue((-1).databaseValue) == nil)
    #expect(UInt64.fromDatabaseValue((-1).databaseValue) == nil)
    #expect(UInt64.fromDatabaseValue(Int64.max.databaseValue) == UInt64(Int64.max))
  }

  @Test(
    arguments: [
      (12.databaseValue, 12), (1.5.databaseValue, 1.5), (text, nil), (blob, nil), (.null, nil),
    ] as [(DatabaseValue, Double?)])
  func `floating point numbers come from numbers`(value: DatabaseValue, double: Double?) {
    #expect(Double.fromDatabaseValue(value) == double)
    #expect(Float.fromDatabaseValue(value) == double.map { Float($0) })
    #expect(CGFloat.fromDatabaseValue(value) == double.map { CGFloat($0) })
  }

  @Test(arguments: ["1.1", "5", "-0.001", "123456789012345678901234567890.5"])
  func `decimals are stored as text`(text: String) throws {
    let decimal = try #require(Decimal(string: text))
    #expect(decimal.databaseValue.storage == .string(text))
    #expect(Decimal.fromDatabaseValue(text.databaseValue) == decimal)
  }

  @Test func `decimals come from numbers and texts`() {
    #expect(Decimal.fromDatabaseValue(12.databaseValue) == 12)
    #expect(Decimal.fromDatabaseValue(1.5.databaseValue) == Decimal(string: "1.5"))
    for text in [
      "foo", "-e", "-0e", "-00E", "12,50", "3 apples", "1.234.567", "--5", "0x10", "1e",
      // Too many digits.
      "340282366920938463463374607431768211456",
    ] {
      #expect(Decimal.fromDatabaseValue(text.databaseValue) == nil)
      #expect(NSDecimalNumber.fromDatabaseValue(text.databaseValue) == nil)
    }
    #expect(Decimal.fromDatabaseValue(" 12 ".databaseValue) == 12)
    #expect(Decimal.fromDatabaseValue("-0e1".databaseValue) == 0)
    #expect(Decimal.fromDatabaseValue(Self.blob) == nil)
    #expect(Decimal.fromDatabaseValue(.null) == nil)
  }

  @Test func `decimals with many zeros come back`() throws {
    let sum = try #require(Decimal(string: "9e127")) + #require(Decimal(string: "1e127"))
    let text = "1" + String(repeating: "0", count: 128)
    #expect(sum.databaseValue.storage == .string(text))
    #expect(Decimal.fromDatabaseValue(text.databaseValue) == sum)
    let largest = try #require(Decimal.fromDatabaseValue("3e165".databaseValue))
    #expect(
      largest.databaseValue.storage == .string("3" + String(repeating: "0", count: 165)))
    #expect(Decimal.fromDatabaseValue("-1e128".databaseValue) == -sum)
    #expect(Decimal.fromDatabaseValue("1e166".databaseValue) == nil)
  }

  @Test func `a decimal number that is none is an invalid value`() {
    #expect(
      Decimal.nan.databaseValue.invalidReason == "could not store the decimal number NaN")
    #expect(Decimal.zero.databaseValue.storage == .string("0"))
  }

  @Test(arguments: [Double.infinity, -Double.infinity, .nan, 1e300, 1e-200])
  func `doubles out of the range of decimals are no decimals`(double: Double) {
    #expect(Decimal.fromDatabaseValue(double.databaseValue) == nil)
  }

  @Test func `number objects are stored by their type`() {
    #expect(NSNumber(value: true).databaseValue.storage == .int64(1))
    #expect(NSNumber(value: 12).databaseValue.storage == .int64(12))
    #expect(NSNumber(value: UInt64(12)).databaseValue.storage == .int64(12))
    #expect(NSNumber(value: 1.5).databaseValue.storage == .double(1.5))
    #expect(NSNumber(value: Float(0.5)).databaseValue.storage == .double(0.5))
  }

  @Test(
    arguments: [
      ("12", .int64(12)), ("-12", .int64(-12)), ("1e5", .int64(100_000)), ("1.25", .double(1.25)),
      ("0.07", .double(0.07)), ("-19.99", .double(-19.99)),
      ("9223372036854775807", .int64(.max)), ("9223372036854775808", .double(0x1p63)),
    ] as [(String, DatabaseValue.Storage)])
  func `decimal objects are stored as numbers`(text: String, storage: DatabaseValue.Storage) {
    #expect(NSDecimalNumber(string: text).databaseValue.storage == storage)
  }

  @Test func `number objects come from numbers and texts`() {
    #expect(NSNumber.fromDatabaseValue(12.databaseValue) == 12)
    #expect(NSNumber.fromDatabaseValue(1.5.databaseValue) == 1.5)
    #expect(NSNumber.fromDatabaseValue("1.25".databaseValue) == NSDecimalNumber(string: "1.25"))
    #expect(NSNumber.fromDatabaseValue("1.25".databaseValue) is NSDecimalNumber)
    #expect(NSDecimalNumber.fromDatabaseValue(12.databaseValue) == NSDecimalNumber(value: 12))
    #expect(NSNumber.fromDatabaseValue("foo".databaseValue) == nil)
    #expect(NSNumber.fromDatabaseValue(Self.blob) == nil)
    #expect(NSNumber.fromDatabaseValue(.null) == nil)
  }
}
