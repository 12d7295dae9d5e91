import Foundation
import Testing

@testable import Quarry

struct CodableConversionTests {
  struct Address: Codable, DatabaseValueConvertible, Equatable {
    var street: String
    var city: String?
    var link: String
    var since: Date
    var photo: Data
  }

  static let address = Address(
    street: "Rue", city: nil, link: "a/b", since: Date(timeIntervalSince1970: 1.5),
    photo: Data("a/b?".utf8))
  static let json =
    #"{"link":"a\/b","photo":"YS9iPw==","since":1500,"street":"Rue"}"#

  @Test func `keyed values are stored as JSON with sorted keys`() {
    #expect(Self.address.databaseValue.storage == .string(Self.json))
  }

  @Test func `keyed values come from texts and blobs`() {
    #expect(Address.fromDatabaseValue(Self.json.databaseValue) == Self.address)
    #expect(Address.fromDatabaseValue(Data(Self.json.utf8).databaseValue) == Self.address)
  }

  @Test(arguments: [DatabaseValue.null, 12.databaseValue, "{}".databaseValue, "{".databaseValue])
  func `other values are failures`(value: DatabaseValue) {
    #expect(Address.fromDatabaseValue(value) == nil)
  }

  struct List: Codable, DatabaseValueConvertible, Equatable {
    var elements: [Int]

    init(_ elements: [Int]) { self.elements = elements }
    init(from decoder: any Decoder) throws { elements = try [Int](from: decoder) }
    func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
  }

  @Test func `unkeyed values are stored as JSON`() {
    #expect(List([1, 2]).databaseValue.storage == .string("[1,2]"))
    #expect(List([]).databaseValue.storage == .string("[]"))
    #expect(List.fromDatabaseValue("[1,2]".databaseValue) == List([1, 2]))
    #expect(List.fromDatabaseValue("{}".databaseValue) == nil)
  }

  struct Empty: Codable, DatabaseValueConvertible, Equatable {}

  @Test func `a type without properties is an empty object`() {
    #expect(Empty().databaseValue.storage == .string("{}"))
    #expect(Empty.fromDatabaseValue("{}".databaseValue) == Empty())
  }

  struct Wrapper<Value: Codable & Equatable & Sendable>: Codable, DatabaseValueConvertible,
    Equatable
  {
    var value: Value

    init(_ value: Value) { self.value = value }
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Value.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  @Test func `single values are stored as themselves`() {
    #expect(Wrapper(12).databaseValue.storage == .int64(12))
    #expect(Wrapper(UInt8(12)).databaseValue.storage == .int64(12))
    #expect(Wrapper(true).databaseValue.storage == .int64(1))
    #expect(Wrapper(1.5).databaseValue.storage == .double(1.5))
    #expect(Wrapper("a").databaseValue.storage == .string("a"))
    #expect(Wrapper(Data([1])).databaseValue.storage == .blob(Data([1])))
    #expect(Wrapper(Int?.none).databaseValue == .null)
    #expect(
      Wrapper(Date(timeIntervalSince1970: 0)).databaseValue.storage
        == .string("1970-01-01 00:00:00.000"))
    #expect(Wrapper(Wrapper("a")).databaseValue.storage == .string("a"))
    #expect(Wrapper([1, 2]).databaseValue.storage == .string("[1,2]"))
  }

  @Test func `single values come from themselves`() {
    #expect(Wrapper<Int>.fromDatabaseValue(12.databaseValue) == Wrapper(12))
    #expect(Wrapper<Int>.fromDatabaseValue("12".databaseValue) == nil)
    #expect(Wrapper<Int>.fromDatabaseValue(.null) == nil)
    #expect(Wrapper<Int8>.fromDatabaseValue(1000.databaseValue) == nil)
    #expect(Wrapper<Int?>.fromDatabaseValue(.null) == Wrapper(nil))
    #expect(Wrapper<String>.fromDatabaseValue("a".databaseValue) == Wrapper("a"))
    #expect(Wrapper<Data>.fromDatabaseValue(Data([1]).databaseValue) == Wrapper(Data([1])))
    #expect(
      Wrapper<Date>.fromDatabaseValue("1970-01-01".databaseValue)
        == Wrapper(Date(timeIntervalSince1970: 0)))
    #expect(
      Wrapper<Wrapper<String>>.fromDatabaseValue("a".databaseValue) == Wrapper(Wrapper("a")))
    #expect(Wrapper<[Int]>.fromDatabaseValue("[1]".databaseValue) == Wrapper([1]))
  }

  @Test func `an optional value is nil for NULL, and not for what it can't be`() throws {
    #expect(Wrapper<Int?>.fromDatabaseValue(12.databaseValue) == Wrapper(12))
    #expect(Wrapper<Int?>.fromDatabaseValue("abc".databaseValue) == nil)
    #expect(Wrapper<Date?>.fromDatabaseValue("abc".databaseValue) == nil)
    #expect(Wrapper<Date?>.fromDatabaseValue(.null) == Wrapper(nil))
    try DatabaseQueue().read { db throws in
      let sql = "SELECT 12 UNION ALL SELECT NULL"
      let values = try Wrapper<Int?>.fetchAll(db, sql: sql)
      #expect(values == [Wrapper(12), Wrapper(nil)])
      #expect(throws: RowDecodingError.self) {
        try Wrapper<Int?>.fetchAll(db, sql: "SELECT 'abc'")
      }
    }
  }

  struct Point: Codable, DatabaseValueConvertible, Equatable {
    var xCoordinate: Double

    static func databaseJSONEncoder() -> JSONEncoder {
      let encoder = JSONEncoder()
      encoder.keyEncodingStrategy = .convertToSnakeCase
      return encoder
    }

    static func databaseJSONDecoder() -> JSONDecoder {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return decoder
    }
  }

  @Test func `a type may customize its JSON coders`() {
    #expect(Point(xCoordinate: 1.5).databaseValue.storage == .string(#"{"x_coordinate":1.5}"#))
    #expect(
      Point.fromDatabaseValue(#"{"x_coordinate":1.5}"#.databaseValue) == Point(xCoordinate: 1.5))
  }

  struct Measure: Codable, DatabaseValueConvertible {
    var value: Double
  }

  @Test func `a failed encoding is an invalid value`() throws {
    let reason = try #require(Measure(value: .nan).databaseValue.invalidReason)
    #expect(reason.hasPrefix("could not encode Measure: "))
  }
}
