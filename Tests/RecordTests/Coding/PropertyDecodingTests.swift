import Foundation
import Quarry
import QuarryTestSupport
import Testing

/// Each type of properties, optional or not, of records by Codable and of records by hand, with
/// each stored value.
@Suite("Values that a property of a record refuses")
struct PropertyDecodingTests {
  private typealias Values = Set<Stored>

  private static let noNumber = Values.texts.subtracting([.digits]).union(Values.blobs)
    .union([.null])
  private static let noInteger = noNumber.union([.real, .huge])
  private static let noDate = Values.texts.union(Values.blobs).union([.null, .large])
  private static let noURL = Values.numbers.union([.null, .empty, .blob, .emptyBlob])

  static let numbers: [PropertyType] = [
    PropertyType.direct(Bool.self, refuses: noNumber),
    PropertyType.direct(Int.self, refuses: noInteger),
    PropertyType.direct(Int64.self, refuses: noInteger),
    PropertyType.direct(Int8.self, refuses: noInteger.union([.integer, .large])),
    PropertyType.direct(Int16.self, refuses: noInteger.union([.large])),
    PropertyType.direct(Int32.self, refuses: noInteger.union([.large])),
    PropertyType.direct(UInt8.self, refuses: noInteger.union([.integer, .negative, .large])),
    PropertyType.direct(UInt16.self, refuses: noInteger.union([.negative, .large])),
    PropertyType.direct(UInt32.self, refuses: noInteger.union([.negative, .large])),
    PropertyType.direct(UInt.self, refuses: noInteger.union([.negative])),
    PropertyType.direct(UInt64.self, refuses: noInteger.union([.negative])),
    PropertyType.direct(Double.self, refuses: noNumber.union([.large])),
    PropertyType.direct(Float.self, refuses: noNumber.union([.large])),
    PropertyType.converted(CGFloat.self, refuses: noNumber.union([.large])),
    PropertyType.direct(Decimal.self, refuses: noNumber),
  ].flatMap { $0 }

  static let texts: [PropertyType] = [
    PropertyType.direct(String.self, refuses: [.null, .blob]),
    PropertyType.direct(Data.self, refuses: Values.numbers.union([.null])),
    PropertyType.direct(Date.self, refuses: noDate),
    PropertyType.direct(DatabaseDateComponents.self, refuses: Values.everything),
    PropertyType.direct(UUID.self, refuses: Values.everything),
    PropertyType.converted(URL.self, refuses: noURL),
    PropertyType.converted(StoredColor.self, refuses: Values.everything),
    PropertyType.converted(StoredLevel.self, refuses: Values.everything),
    PropertyType.direct(DirectLevel.self, refuses: Values.everything),
    PropertyType.converted(StoredAddress.self, refuses: Values.everything),
  ].flatMap { $0 }

  static let objects: [PropertyType] = [
    PropertyType.object(NSNumber.self, refuses: noNumber),
    PropertyType.object(NSString.self, refuses: [.null, .blob]),
    PropertyType.object(NSData.self, refuses: Values.numbers.union([.null])),
    PropertyType.object(NSDate.self, refuses: noDate),
    PropertyType.object(NSUUID.self, refuses: Values.everything),
    PropertyType.object(NSURL.self, refuses: noURL),
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

  @Test(arguments: types)
  func `A fetch throws: the value, the column, the row, the SQL, the record`(type: PropertyType)
    throws
  {
    try DatabaseQueue().read { db in
      for stored in Stored.allCases {
        for fetch in type.fetches {
          let error = errorText { try fetch.read((db, sql(stored))) }.map(withoutFindings)
          let expected =
            type.refused.contains(stored)
            ? text(type, stored) + ", sql: `\(sql(stored))`, arguments: [], record: \(fetch.record)"
            : nil
          #expect(error == expected, "\(fetch.record) \(stored)")
        }
      }
    }
  }

  @Test(arguments: types)
  func `A row in memory throws, with the value, the column, and the row`(type: PropertyType) throws
  {
    try DatabaseQueue().read { db in
      for stored in Stored.allCases {
        let row = try #require(try Row.fetchOne(db, sql: sql(stored)))
        for decode in type.decodes {
          let error = errorText { try decode.read(row) }.map(withoutFindings)
          let isRefused = type.refused.contains(stored)
          #expect((error != nil) == isRefused, "\(decode.record) \(stored)")
          if let error { #expect(error.hasPrefix(text(type, stored))) }
        }
      }
    }
  }
}
