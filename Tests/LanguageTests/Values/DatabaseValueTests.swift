import Foundation
import Testing

@testable import Quarry

struct DatabaseValueTests {
  static let samples: [DatabaseValue] = [
    .null, 0.databaseValue, 1.databaseValue, 1.5.databaseValue, "".databaseValue,
    "1".databaseValue, Data().databaseValue, Data("1".utf8).databaseValue,
  ]

  @Test func `storage keeps the value`() {
    #expect(DatabaseValue.null.storage == .null)
    #expect(12.databaseValue.storage == .int64(12))
    #expect(1.5.databaseValue.storage == .double(1.5))
    #expect("a".databaseValue.storage == .string("a"))
    #expect(Data([1]).databaseValue.storage == .blob(Data([1])))
  }

  @Test func `storage value is nil or a swift value`() {
    #expect(DatabaseValue.null.storage.value == nil)
    #expect(12.databaseValue.storage.value as? Int64 == 12)
    #expect(1.5.databaseValue.storage.value as? Double == 1.5)
    #expect("a".databaseValue.storage.value as? String == "a")
    #expect(Data([1]).databaseValue.storage.value as? Data == Data([1]))
  }

  @Test func `only null is null`() {
    #expect(Self.samples.map(\.isNull) == [true] + Array(repeating: false, count: 7))
  }

  @Test func `any convertible value makes a database value`() {
    #expect(DatabaseValue(value: 1) == 1.databaseValue)
    #expect(DatabaseValue(value: "a") == "a".databaseValue)
    #expect(DatabaseValue(value: Int?.none as Any) == .null)
    #expect(DatabaseValue(value: NSNull()) == .null)
    #expect(DatabaseValue(value: DatabaseValue.null) == .null)
    #expect(DatabaseValue(value: NSObject()) == nil)
  }

  @Test func `values of different kinds are different`() {
    for (i, lhs) in Self.samples.enumerated() {
      for (j, rhs) in Self.samples.enumerated() {
        #expect((lhs == rhs) == (i == j), "\(lhs), \(rhs)")
      }
    }
  }

  @Test func `an integer equals the double of its exact value`() {
    #expect(1.databaseValue == 1.0.databaseValue)
    #expect(1.0.databaseValue == 1.databaseValue)
    #expect(1.databaseValue.hashValue == 1.0.databaseValue.hashValue)
    #expect(1.databaseValue != 1.5.databaseValue)
    #expect(0.databaseValue == (-0.0).databaseValue)
    #expect(0.databaseValue.hashValue == (-0.0).databaseValue.hashValue)
    let large: Int64 = 1 << 53 + 1
    #expect(large.databaseValue != Double(1 << 53).databaseValue)
    #expect(Int64.max.databaseValue != 0x1p63.databaseValue)
    #expect(Int64.min.databaseValue == (-0x1p63).databaseValue)
  }

  @Test func `storages are compared strictly`() {
    #expect(DatabaseValue.Storage.int64(1) != .double(1))
    #expect(DatabaseValue.Storage.int64(1) == .int64(1))
  }

  @Test func `texts are equal when their bytes are`() {
    #expect("\u{e9}".databaseValue == "\u{e9}".databaseValue)
    #expect("\u{e9}".databaseValue != "e\u{301}".databaseValue)
  }

  @Test func `equal values have the same hash`() {
    #expect(Set(Self.samples + Self.samples).count == Self.samples.count)
  }

  static let descriptions: [(DatabaseValue.Storage, String)] = [
    (.null, "NULL"),
    (.int64(1), "1"),
    (.double(1.5), "1.5"),
    (.double(1e20), "1e+20"),
    (.double(.nan), "nan"),
    (.double(.infinity), "inf"),
    (.string("a\"b\n"), #""a\"b\n""#),
    (.blob(Data([1, 2, 3])), "Data(3 bytes)"),
  ]

  @Test(arguments: descriptions)
  func `description shows the kind`(storage: DatabaseValue.Storage, description: String) {
    #expect(DatabaseValue(storage: storage).description == description)
  }

  @Test func `values are ordered as SQLite does`() {
    let sorted: [DatabaseValue] = [
      .null, (-1.5).databaseValue, (-1).databaseValue, 0.5.databaseValue, 1.databaseValue,
      2.5.databaseValue, "".databaseValue, "B".databaseValue, "a".databaseValue,
      "\u{e9}".databaseValue, Data().databaseValue, Data([0]).databaseValue,
      Data([0, 1]).databaseValue, Data([1]).databaseValue,
    ]
    for (i, lhs) in sorted.enumerated() {
      for (j, rhs) in sorted.enumerated() {
        #expect(lhs.precedes(rhs) == (i < j), "\(lhs), \(rhs)")
      }
    }
    #expect(sorted.reversed().sorted { $0.precedes($1) } == sorted)
  }

  @Test func `a database value converts to itself`() {
    for value in Self.samples {
      #expect(value.databaseValue == value)
      #expect(DatabaseValue.fromDatabaseValue(value) == value)
    }
  }

  @Test func `a regular value has no reason to be invalid`() {
    #expect(Self.samples.allSatisfy { $0.invalidReason == nil })
  }

  @Test func `an invalid value is not the text of its reason`() {
    #expect(DatabaseValue.invalid("a") != "a".databaseValue)
    #expect(DatabaseValue.invalid("a").invalidReason == "a")
  }
}
