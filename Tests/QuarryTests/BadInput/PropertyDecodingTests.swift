import Foundation
import Quarry
import QuarryTestSupport
import Testing

@Suite("Values that a property refuses")
struct PropertyDecodingTests {
  private static let everything = Set(Stored.allCases)

  static let types = [
    PropertyType(direct: Bool.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(direct: Int.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(
      direct: Int8.self, refuses: [.null, .integer], inMemory: [.null, .integer, .text, .blob]),
    PropertyType(direct: Int32.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(direct: Int64.self, refuses: [.null], inMemory: [.null, .text, .blob]),
    PropertyType(
      direct: UInt8.self, refuses: [.null, .integer, .negative],
      inMemory: [.null, .integer, .negative, .text, .blob]),
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

  @Test("Errors of Codable records name the record")
  func recordType() throws {
    try DatabaseQueue().read { db in
      let error = errorText { try DecodedRecord<Int>.fetchOne(db, sql: sql(.null)) }
      #expect(error?.hasSuffix(", record: DecodedRecord<Int>") == true)
    }
  }

  @Test("JSON that a nested type refuses is told with its column", arguments: Stored.allCases)
  func nested(stored: Stored) throws {
    let type = PropertyType(decodable: NestedAddress.self, refuses: Self.everything)
    try DatabaseQueue().read { db in
      let row = try #require(try Row.fetchOne(db, sql: sql(stored)))
      for fetch in type.fetches {
        let error = try #require(errorText { try fetch(db, sql(stored)) })
        for detail in [#"column: "v""#, "row: [k:7 v:\(stored.description)]", sql(stored)] {
          #expect(error.contains(detail))
        }
      }
      let error = try #require(errorText { try type.decode(row) })
      #expect(error.contains(#"column: "v""#))
    }
  }

  @Test(
    "JSON that misses a key, or has another type, is told with its path",
    arguments: [
      (#"{"city":"Rome"}"#, "street"), (#"{"street":1}"#, "street"),
      (#"{"street":null}"#, "street"),
      ("[]", "v"), (#"{"street":"#, "v"), ("", "v"),
    ])
  func json(json: String, key: String) throws {
    try DatabaseQueue().read { db in
      let error = try #require(
        errorText {
          try DecodedRecord<NestedAddress>.fetchOne(db, sql: "SELECT ? AS v", arguments: [json])
        })
      #expect(error.contains(key))
      #expect(error.contains(#"column: "v", column index: 0"#))
      #expect(error.contains("SELECT ? AS v"))
    }
  }

  @Test("A conversion to an optional fails too: it is not nil")
  func optionals() throws {
    try DatabaseQueue().read { db in
      #expect(try DecodedRecord<Int8?>.fetchOne(db, sql: sql(.null))?.v == .some(nil))
      let fetches: [(Stored, String, () throws -> Any?)] = [
        (.integer, "Int8", { try DecodedRecord<Int8?>.fetchAll(db, sql: sql(.integer)) }),
        (.text, "Date", { try DecodedRecord<Date?>.fetchAll(db, sql: sql(.text)) }),
        (.blob, "UUID", { try DecodedRecord<UUID?>.fetchAll(db, sql: sql(.blob)) }),
        (.text, "StoredColor", { try DecodedRecord<StoredColor?>.fetchAll(db, sql: sql(.text)) }),
      ]
      for (stored, type, fetch) in fetches {
        let error = try #require(errorText(fetch))
        #expect(error.hasPrefix("could not decode "))
        #expect(error.contains(type))
        #expect(error.contains("from database value \(stored.description) - column: \"v\""))
      }
    }
  }
}
