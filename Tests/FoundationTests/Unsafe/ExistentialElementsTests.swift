import Foundation
import Testing

@testable import Quarry

/// More than the three words that an existential value has for it.
private struct Address: DatabaseValueConvertible {
  var street = "Baker Street", city = "London"
  var databaseValue: DatabaseValue { "\(street), \(city)".databaseValue }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Address? { nil }
}

private enum Nothing: DatabaseValueConvertible {
  case nothing
  var databaseValue: DatabaseValue { "nothing".databaseValue }
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Nothing? { .nothing }
}

struct ExistentialElementsTests {
  private let values: [any DatabaseValueConvertible] = [
    1, Int64.min, Int8(-3), true, 2.5, Float(0.5), "short", "a text of more than fifteen bytes",
    String?.none, String?.some("Emma"), Int?.none, Int?.some(7),
    Data([1, 2]), Address(), Nothing.nothing, NSNumber(value: 5), UUID(), Date(),
    DatabaseValue.null,
    Address?.some(Address()), Address?.none,
  ]

  @Test func `types and values are those that the language reads`() {
    values.withUnsafeBufferPointer { buffer in
      let elements = ExistentialElements(buffer)
      #expect(elements.count == values.count)
      for (index, value) in values.enumerated() {
        #expect(elements.type(of: index) == type(of: value))
        #expect(elements.databaseValue(of: index) == value.databaseValue)
      }
    }
  }

  @Test func `optional elements have the same layout, and no type for nil`() {
    var values: [(any DatabaseValueConvertible)?] = values
    values.append(nil)
    values += self.values
    values.withUnsafeBufferPointer { buffer in
      let elements = ExistentialElements(buffer)
      for (index, value) in values.enumerated() {
        #expect(elements.type(of: index) == value.map { type(of: $0) })
        #expect(elements.databaseValue(of: index) == value?.databaseValue ?? .null)
      }
    }
  }

  @Test func `the usual types are packed without a call`() {
    values.withUnsafeBufferPointer { buffer in
      let elements = ExistentialElements(buffer)
      var packed = PackedValues(capacity: 0, byteCapacity: 0)
      var packedTypes: [String] = []
      for (index, value) in values.enumerated()
      where packed.append(usual: index, of: elements) {
        #expect(packed[packed.count - 1] == value.databaseValue)
        packedTypes.append("\(type(of: value))")
      }
      #expect(
        packedTypes == [
          "Int", "Int64", "Double", "String", "String", "Optional<String>", "Optional<String>",
        ])
    }
  }

  @Test func `no elements`() {
    let values: [any DatabaseValueConvertible] = []
    values.withUnsafeBufferPointer { #expect(ExistentialElements($0).count == 0) }
  }
}
