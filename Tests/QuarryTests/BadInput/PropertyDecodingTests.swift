import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Each type of properties, optional or not, of records by Codable and of records by hand, with each stored value.
@Suite("Values that a property of a record refuses")
struct PropertyDecodingTests {
  private typealias Values = Set<Stored>

  private static let noNumber = Values.texts.union(Values.blobs).union([.null])

  static let numbers: [PropertyType] = [
    PropertyType.direct(Bool.self, refuses: [.null], inMemory: noNumber),
    PropertyType.direct(Int.self, refuses: [.null], inMemory: noNumber.union([.huge])),
    PropertyType.direct(Int64.self, refuses: [.null], inMemory: noNumber.union([.huge])),
    PropertyType.direct(
      Int8.self, refuses: [.null, .integer, .large, .huge],
      inMemory: noNumber.union([.integer, .large, .huge])),
    PropertyType.direct(
      Int16.self, refuses: [.null, .large, .huge], inMemory: noNumber.union([.large, .huge])),
    PropertyType.direct(
      Int32.self, refuses: [.null, .large, .huge], inMemory: noNumber.union([.large, .huge])),
    PropertyType.direct(
      UInt8.self, refuses: [.null, .integer, .negative, .large, .huge],
      inMemory: noNumber.union([.integer, .negative, .large, .huge])),
    PropertyType.direct(
      UInt16.self, refuses: [.null, .negative, .large, .huge],
      inMemory: noNumber.union([.negative, .large, .huge])),
    PropertyType.direct(
      UInt32.self, refuses: [.null, .negative, .large, .huge],
      inMemory: noNumber.union([.negative, .large, .huge])),
    PropertyType.direct(
      UInt.self, refuses: [.null, .negative], inMemory: noNumber.union([.negative, .huge])),
    PropertyType.direct(
      UInt64.self, refuses: [.null, .negative], inMemory: noNumber.union([.negative, .huge])),
    PropertyType.direct(Double.self, refuses: [.null], inMemory: noNumber),
    PropertyType.direct(Float.self, refuses: [.null], inMemory: noNumber),
    PropertyType.converted(CGFloat.self, refuses: noNumber),
    PropertyType.direct(Decimal.self, refuses: noNumber.subtracting([.digits])),
  ].flatMap { $0 }

  static let texts: [PropertyType] = [
    PropertyType.direct(
      String.self, refuses: [.null], inMemory: Values.numbers.union([.null, .blob])),
    PropertyType.direct(Data.self, refuses: [.null], inMemory: Values.numbers.union([.null])),
    PropertyType.direct(Date.self, refuses: noNumber),
    PropertyType.direct(DatabaseDateComponents.self, refuses: Values.everything),
    PropertyType.direct(UUID.self, refuses: Values.everything),
    PropertyType.converted(
      URL.self, refuses: Values.numbers.union([.null, .empty, .blob, .emptyBlob])),
    PropertyType.converted(StoredColor.self, refuses: Values.everything),
    PropertyType.converted(StoredLevel.self, refuses: Values.everything.subtracting([.real])),
    PropertyType.direct(
      DirectLevel.self, refuses: [.null, .integer, .negative, .large, .huge, .digits],
      inMemory: Values.everything.subtracting([.real])),
    PropertyType.converted(StoredAddress.self, refuses: Values.everything),
  ].flatMap { $0 }

  static let objects: [PropertyType] = [
    PropertyType.object(
      NSNumber.self, refuses: noNumber.subtracting([.digits])),
    PropertyType.object(NSString.self, refuses: Values.numbers.union([.null, .blob])),
    PropertyType.object(NSData.self, refuses: Values.numbers.union([.null])),
    PropertyType.object(NSDate.self, refuses: noNumber),
    PropertyType.object(NSUUID.self, refuses: Values.everything),
    PropertyType.object(
      NSURL.self, refuses: Values.numbers.union([.null, .empty, .blob, .emptyBlob])),
    PropertyType.object(NSNull.self, refuses: Values.everything),
    PropertyType.object(DatabaseValue.self, refuses: []),
  ].flatMap { $0 }

  static let types = numbers + texts + objects

  private func sql(_ stored: Stored) -> String { "SELECT 7 AS k, \(stored.rawValue) AS v" }

  /// The start of the error.
  private func text(_ type: PropertyType, _ stored: Stored) -> String {
    """
    could not decode \(type.testDescription) from database value \(stored.description) - \
    column: "v", column index: 1, row: [k:7 v:\(stored.description)]
    """
  }

  @Test("A fetch throws: the value, the column, the row, the SQL, the record", arguments: types)
  func fetching(type: PropertyType) throws {
    try DatabaseQueue().read { db in
      for stored in Stored.allCases {
        for fetch in type.fetches {
          let error = errorText { try fetch.read((db, sql(stored))) }
          let expected =
            type.refused.contains(stored)
            ? text(type, stored) + ", sql: `\(sql(stored))`, arguments: [], record: \(fetch.record)"
            : nil
          #expect(error == expected, "\(fetch.record) \(stored)")
        }
      }
    }
  }

  @Test("A row in memory throws, with the value, the column, and the row", arguments: types)
  func decoding(type: PropertyType) throws {
    try DatabaseQueue().read { db in
      for stored in Stored.allCases {
        let row = try #require(try Row.fetchOne(db, sql: sql(stored)))
        for decode in type.decodes {
          let error = errorText { try decode.read(row) }
          let isRefused = type.refusedInMemory.contains(stored)
          #expect((error != nil) == isRefused, "\(decode.record) \(stored)")
          if let error { #expect(error.hasPrefix(text(type, stored))) }
        }
      }
    }
  }
}
