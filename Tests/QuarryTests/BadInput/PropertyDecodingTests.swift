import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Values that a property of a hand-written record refuses")
struct PropertyDecodingTests {
  private static let everything = Set(Stored.allCases)

  static let types = [
    PropertyType(direct: Bool.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(direct: Int.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(
      direct: Int8.self, refuses: [.null, .integer], inMemory: [.null, .integer, .text, .blob]),
    PropertyType(direct: Int16.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(direct: Int32.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(direct: Int64.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(
      direct: UInt8.self, refuses: [.null, .integer, .negative],
      inMemory: [.null, .integer, .negative, .text, .blob]),
    PropertyType(
      direct: UInt.self, refuses: [.null, .negative],
      inMemory: [.null, .negative, .text, .blob]),
    PropertyType(
      direct: UInt16.self, refuses: [.null, .negative],
      inMemory: [.null, .negative, .text, .blob]),
    PropertyType(
      direct: UInt32.self, refuses: [.null, .negative],
      inMemory: [.null, .negative, .text, .blob]),
    PropertyType(
      direct: UInt64.self, refuses: [.null, .negative],
      inMemory: [.null, .negative, .text, .blob]),
    PropertyType(direct: Double.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(direct: Float.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(
      direct: String.self, refuses: [.null],
      inMemory: [.null, .integer, .negative, .real, .blob]),
    PropertyType(
      direct: Data.self, refuses: [.null], inMemory: [.null, .integer, .negative, .real]),
    PropertyType(direct: Date.self, refuses: [.null, .text, .blob]),
    PropertyType(direct: UUID.self, refuses: everything),
    PropertyType(direct: Decimal.self, refuses: [.null, .text, .blob]),
    PropertyType(converted: URL.self, refuses: everything.subtracting([.text])),
    PropertyType(converted: StoredColor.self, refuses: everything),
    PropertyType(converted: StoredLevel.self, refuses: everything.subtracting([.real])),
    PropertyType(
      direct: DirectLevel.self, refuses: [.null, .integer, .negative],
      inMemory: [.null, .integer, .negative, .text, .blob]),
    PropertyType(converted: StoredAddress.self, refuses: everything),
  ]

  private func sql(_ stored: Stored) -> String { "SELECT 7 AS k, \(stored.rawValue) AS v" }

  private func text(_ type: PropertyType, _ stored: Stored) -> String {
    """
    could not decode \(type.testDescription) from database value \(stored.description) - \
    column: "v", column index: 1, row: [k:7 v:\(stored.description)]
    """
  }

  @Test("A fetch throws, with the value, the column, the row, and the SQL", arguments: types)
  func fetching(type: PropertyType) throws {
    try DatabaseQueue().read { db in
      for stored in Stored.allCases {
        for fetch in type.fetches {
          let error = errorText { try fetch(db, sql(stored)) }
          guard type.refused.contains(stored) else {
            #expect(error == nil, "\(stored)")
            continue
          }
          let expected = text(type, stored) + ", sql: `\(sql(stored))`, arguments: []"
          #expect(error?.hasPrefix(expected) == true, "\(stored): \(error ?? "no error")")
        }
      }
    }
  }

  @Test("A row in memory throws, with the value, the column, and the row", arguments: types)
  func decoding(type: PropertyType) throws {
    try DatabaseQueue().read { db in
      for stored in Stored.allCases {
        let row = try #require(try Row.fetchOne(db, sql: sql(stored)))
        let error = errorText { try type.decode(row) }
        guard type.refusedInMemory.contains(stored) else {
          #expect(error == nil, "\(stored)")
          continue
        }
        #expect(
          error?.hasPrefix(text(type, stored)) == true, "\(stored): \(error ?? "no error")")
      }
    }
  }

  @Test("A conversion to an optional fails too: it is not nil")
  func optionals() throws {
    let types = [
      PropertyType(direct: Int8?.self, refuses: [.integer]),
      PropertyType(direct: Date?.self, refuses: [.text, .blob]),
      PropertyType(direct: UUID?.self, refuses: Self.everything.subtracting([.null])),
      PropertyType(converted: StoredColor?.self, refuses: Self.everything.subtracting([.null])),
    ]
    for type in types { try fetching(type: type) }
  }
}
