import Foundation
import Testing

@testable import Quarry

struct PackedValuesTests {
  private static let samples: [DatabaseValue] = [
    .null, 1.databaseValue, Int64.min.databaseValue, (-0.5).databaseValue, "".databaseValue,
    "short".databaseValue, "a text that is longer than fifteen bytes: é, 🙂".databaseValue,
    Data().databaseValue, Data([0, 255, 0]).databaseValue,
  ]

  private func packed(_ values: [DatabaseValue]) -> [DatabaseValue] {
    var packed = PackedValues(capacity: 0, byteCapacity: 0)
    for value in values { packed.append(value) }
    return packed.values(in: 0..<packed.count)
  }

  @Test func `All values come back, whatever the room at the beginning`() {
    #expect(packed([]) == [])
    #expect(packed(Self.samples).map(\.storage) == Self.samples.map(\.storage))
    let many = (0..<1000).flatMap { [$0.databaseValue, "text \($0)".databaseValue] }
    #expect(packed(many) == many)
  }

  @Test func `Values of other packed values are added, all or some`() {
    var some = PackedValues(capacity: 1, byteCapacity: 1)
    some.append("first".databaseValue)
    var all = PackedValues(capacity: 1, byteCapacity: 1)
    for value in Self.samples { all.append(value) }
    some.append(0..<all.count, of: all)
    some.append(5..<7, of: all)
    let expected = ["first".databaseValue] + Self.samples + Self.samples[5..<7]
    let found = some.values(in: 0..<some.count)
    #expect(found.map(\.storage) == expected.map(\.storage))
  }

  @Test func `Texts and numbers are added without a database value`() {
    var values = PackedValues(capacity: 0, byteCapacity: 0)
    for text in ["", "short", "a text that is longer than fifteen bytes", "é🙂"] {
      values.append(text)
    }
    values.append(Int64.min)
    values.append(-0.5)
    values.appendNull()
    // A text whose bytes are not in one place.
    values.append(NSString(string: "bridged é") as String)
    let all = values.values(in: 0..<values.count)
    let expected: [DatabaseValue] = [
      "".databaseValue, "short".databaseValue,
      "a text that is longer than fifteen bytes".databaseValue, "é🙂".databaseValue,
      Int64.min.databaseValue, (-0.5).databaseValue, .null, "bridged é".databaseValue,
    ]
    #expect(all.map(\.storage) == expected.map(\.storage))
  }

  @Test func `The values of a column are integers, or not`() {
    var values = PackedValues(capacity: 6, byteCapacity: 0)
    for value in [1.databaseValue, .null, 2.databaseValue, .null, 3.5.databaseValue, .null] {
      values.append(value)
    }
    let firstTwo = values.areIntegers(0..<4, every: 2)
    let all = values.areIntegers(0..<6, every: 2)
    let others = values.areIntegers(1..<6, every: 2)
    let none = values.areIntegers(0..<0, every: 2)
    #expect(firstTwo && none && !all && !others)
  }

  @Test func `The last values are forgotten`() {
    var values = PackedValues(capacity: 1, byteCapacity: 0)
    for value in Self.samples { values.append(value) }
    values.removeAll(after: 6)
    values.append("another one")
    let all = values.values(in: 0..<values.count)
    #expect(all == Self.samples.prefix(6) + ["another one".databaseValue])
  }

  @Test func `A replaced value changes, and the others don't`() {
    var values = PackedValues(capacity: 4, byteCapacity: 4)
    for value in ["a", "b", "c"] { values.append(value.databaseValue) }
    values.replaceValue(at: 1, with: "a longer text in the middle".databaseValue)
    values.replaceValue(at: 0, with: 7.databaseValue)
    let expected = [
      7.databaseValue, "a longer text in the middle".databaseValue, "c".databaseValue,
    ]
    let all = values.values(in: 0..<3)
    #expect(all == expected)
  }

  @Test func `A value that can't be stored keeps its reason`() {
    var values = PackedValues(capacity: 1, byteCapacity: 0)
    values.append(1.databaseValue)
    let hasInvalidValuesBefore = values.hasInvalidValues
    #expect(!hasInvalidValuesBefore)
    values.append(UInt64.max.databaseValue)
    // Macros of tests copy what they look into, and packed values can't be copied.
    let (hasInvalidValues, invalid) = (values.hasInvalidValues, values[1])
    #expect(hasInvalidValues)
    #expect(invalid.isInvalid)
    #expect(invalid.invalidReason == UInt64.max.databaseValue.invalidReason)
    values.removeAll()
    let (hasInvalidValuesAfterwards, count) = (values.hasInvalidValues, values.count)
    #expect(!hasInvalidValuesAfterwards)
    #expect(count == 0)
  }

  @Test func `Much memory serves once`() {
    var values = PackedValues(capacity: 1, byteCapacity: 0)
    values.append(Data(count: 2_000_000).databaseValue)
    let large = values[0]
    #expect(large == Data(count: 2_000_000).databaseValue)
    values.removeAll()
    values.append("small".databaseValue)
    let small = values[0]
    #expect(small == "small".databaseValue)
  }
}
