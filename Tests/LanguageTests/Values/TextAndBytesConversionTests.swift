import Foundation
import Testing

@testable import Quarry

struct TextAndBytesConversionTests {
  static let uuid = "56E7D8D3-E9E4-48B6-968E-8D102833AF00"
  static let uuidBytes: [UInt8] = [
    0x56, 0xE7, 0xD8, 0xD3, 0xE9, 0xE4, 0x48, 0xB6, 0x96, 0x8E, 0x8D, 0x10, 0x28, 0x33, 0xAF, 0,
  ]

  @Test func `strings are stored as text`() {
    #expect("a\0\u{e9}".databaseValue.storage == .string("a\0\u{e9}"))
    #expect(NSString("a").databaseValue.storage == .string("a"))
  }

  @Test(
    arguments: [
      ("a".databaseValue, "a"), (Data("\u{e9}".utf8).databaseValue, "\u{e9}"),
      (Data().databaseValue, ""), (Data([0xFF]).databaseValue, nil),
      (Data([0x61, 0xC3]).databaseValue, nil), (12.databaseValue, nil),
      (1.5.databaseValue, nil), (.null, nil),
    ] as [(DatabaseValue, String?)])
  func `strings come from texts and valid UTF8`(value: DatabaseValue, string: String?) {
    #expect(String.fromDatabaseValue(value) == string)
    #expect(NSString.fromDatabaseValue(value)?.description == string)
  }

  @Test func `data is stored as blob`() {
    #expect(Data([1, 2]).databaseValue.storage == .blob(Data([1, 2])))
    #expect(Data().databaseValue.storage == .blob(Data()))
    #expect(NSData(data: Data([1, 2])).databaseValue.storage == .blob(Data([1, 2])))
  }

  @Test(
    arguments: [
      (Data([0xFF]).databaseValue, Data([0xFF])), ("\u{e9}".databaseValue, Data([0xC3, 0xA9])),
      ("".databaseValue, Data()), (12.databaseValue, nil), (1.5.databaseValue, nil), (.null, nil),
    ] as [(DatabaseValue, Data?)])
  func `data comes from blobs and texts`(value: DatabaseValue, data: Data?) {
    #expect(Data.fromDatabaseValue(value) == data)
    #expect(NSData.fromDatabaseValue(value).map { Data(referencing: $0) } == data)
  }

  @Test func `UUIDs are stored as their bytes`() throws {
    let uuid = try #require(UUID(uuidString: Self.uuid))
    #expect(uuid.databaseValue.storage == .blob(Data(Self.uuidBytes)))
    let object = try #require(NSUUID(uuidString: Self.uuid))
    #expect(object.databaseValue.storage == .blob(Data(Self.uuidBytes)))
  }

  static let uuidValues: [(DatabaseValue.Storage, Bool)] = [
    (.blob(Data(uuidBytes)), true),
    (.string(uuid), true),
    (.string(uuid.lowercased()), true),
    (.blob(Data(uuidBytes.dropLast())), false),
    (.blob(Data(uuidBytes + [0])), false),
    (.blob(Data(uuid.utf8)), false),
    (.string("56E7D8D3"), false),
    (.int64(12), false),
    (.null, false),
  ]

  @Test(arguments: uuidValues)
  func `UUIDs come from 16 bytes or a text in any case`(
    storage: DatabaseValue.Storage, isValid: Bool
  ) {
    let value = DatabaseValue(storage: storage)
    let uuid = isValid ? Self.uuid : nil
    #expect(UUID.fromDatabaseValue(value)?.uuidString == uuid)
    #expect(NSUUID.fromDatabaseValue(value)?.uuidString == uuid)
  }

  @Test func `URLs are stored as their absolute string`() throws {
    let base = try #require(URL(string: "https://example.com/books/"))
    let url = try #require(URL(string: "1?a=b", relativeTo: base))
    #expect(url.databaseValue.storage == .string("https://example.com/books/1?a=b"))
    let object = try #require(NSURL(string: "https://example.com"))
    #expect(object.databaseValue.storage == .string("https://example.com"))
  }

  @Test(
    arguments: [
      ("https://example.com".databaseValue, "https://example.com"),
      (Data("https://example.com".utf8).databaseValue, "https://example.com"),
      (Data([0xFF]).databaseValue, nil), ("".databaseValue, nil), (12.databaseValue, nil),
      (.null, nil),
    ] as [(DatabaseValue, String?)])
  func `URLs come from texts`(value: DatabaseValue, url: String?) {
    #expect(URL.fromDatabaseValue(value)?.absoluteString == url)
    #expect(NSURL.fromDatabaseValue(value)?.absoluteString == url)
  }

  @Test func `null objects are stored as null and never decoded`() {
    #expect(NSNull().databaseValue == .null)
    #expect(NSNull.fromDatabaseValue(.null) == nil)
    #expect(NSNull.fromDatabaseValue(1.databaseValue) == nil)
  }
}
