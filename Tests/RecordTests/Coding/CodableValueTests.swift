import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private struct Receipt: Codable, Equatable, FetchableRecord {
  var code: UUID
  var paidAt: Date
  var price: Decimal
  var otherCode: UUID?
  var refundedAt: Date?
  var refund: Decimal?
}

private struct Code: Codable, Equatable, FetchableRecord {
  var code: UUID
}

/// The dates of one column are numbers of milliseconds.
private struct Visit: Codable, Equatable, FetchableRecord {
  var arrival: Date
  var departure: Date?
  var payment: Date

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    column == "payment" ? .deferredToDate : .millisecondsSince1970
  }
}

/// Dates, UUIDs and decimals of Codable records are read straight from the statement, from the
/// second row on.
struct CodableValueTests {
  private static let codes = [
    "x'00112233445566778899aabbccddeeff'", "'00112233-4455-6677-8899-AABBCCDDEEFF'",
    "x'ffeeddccbbaa99887766554433221100'",
  ]
  private static let dates = [
    "'2025-11-22 17:40:01.250'", "'2025-11-22'", "'2025-11-22T17:40Z'", "12", "-1.5",
  ]
  private static let prices = ["'12.50'", "'-0.05'", "3", "0.25", "'1e3'", "' 7 '"]
  private static let mistakes = ["x'00'", "'Chai'", "'2025-11'", "NULL"]

  @Test func `live rows and copied ones are decoded alike`() throws {
    let run = RandomRun("Codable values")
    var random = run.generator
    try DatabaseQueue().inDatabase { db throws in
      for _ in 0..<300 {
        let rows = (0..<4).map { _ in row(&random) }
        let sql = """
          SELECT column1 AS code, column2 AS paidAt, column3 AS price, column4 AS otherCode,
            column5 AS refundedAt, column6 AS refund
          FROM (VALUES \(rows.joined(separator: ", ")))
          """
        let copied = try Row.fetchAll(db, sql: sql).map { row in Result { try Receipt(row: row) } }
        let live = try Receipt.fetchCursor(db, sql: sql)
        for expected in copied {
          let read = Result { try #require(try live.next()) }
          #expect((try? read.get()) == (try? expected.get()), "\(sql), seed \(run.seed)")
        }
      }
    }
  }

  private func row(_ random: inout SplitMix64) -> String {
    func value(_ values: [String], _ random: inout SplitMix64) -> String {
      random.pick(random.chance(20) ? Self.mistakes : values)
    }
    func optional(_ values: [String], _ random: inout SplitMix64) -> String {
      random.chance(3) ? "NULL" : value(values, &random)
    }
    let values = [
      value(Self.codes, &random), value(Self.dates, &random), value(Self.prices, &random),
      optional(Self.codes, &random), optional(Self.dates, &random),
      optional(Self.prices, &random),
    ]
    return "(" + values.joined(separator: ", ") + ")"
  }

  @Test func `a record of one property`() throws {
    try DatabaseQueue().inDatabase { db throws in
      let codes = try Code.fetchAll(
        db, sql: "SELECT column1 AS code FROM (VALUES (\(Self.codes.joined(separator: "), ("))))")
      #expect(
        codes.map(\.code.uuidString) == [
          "00112233-4455-6677-8899-AABBCCDDEEFF", "00112233-4455-6677-8899-AABBCCDDEEFF",
          "FFEEDDCC-BBAA-9988-7766-554433221100",
        ])
    }
  }

  @Test func `each row follows the strategy of the column`() throws {
    try DatabaseQueue().inDatabase { db throws in
      let visits = try Visit.fetchAll(
        db,
        sql: """
          SELECT column1 AS arrival, column2 AS departure, column3 AS payment
          FROM (VALUES (1000, 2000, 3), (4000, NULL, 5), (6000, 7000, '1970-01-01 00:00:08'))
          """)
      #expect(visits.map(\.arrival.timeIntervalSince1970) == [1, 4, 6])
      #expect(visits.map(\.departure?.timeIntervalSince1970) == [2, nil, 7])
      #expect(visits.map(\.payment.timeIntervalSince1970) == [3, 5, 8])
    }
  }
}
