import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.onQueueAndPool)
struct DecodingStrategyTests {
  private struct Dated<Strategy: DateStrategy>: Decodable, FetchableRecord {
    var date: Date
    var maybe: Date?
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      Strategy.strategy(column)
    }
  }

  private protocol DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy
  }
  private enum Deferred: DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy { .deferredToDate }
  }
  private enum Reference: DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy {
      .timeIntervalSinceReferenceDate
    }
  }
  private enum Interval: DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy {
      .timeIntervalSince1970
    }
  }
  private enum Milliseconds: DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy {
      .millisecondsSince1970
    }
  }
  private enum ISO: DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy { .iso8601 }
  }
  private enum Formatted: DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = "dd/MM/yyyy"
      return .formatted(formatter)
    }
  }
  private enum Custom: DateStrategy {
    static func strategy(_ column: String) -> DatabaseDateDecodingStrategy {
      .custom { $0.isNull ? nil : Date(timeIntervalSince1970: column == "date" ? 86400 : 0) }
    }
  }

  private func check<Strategy: DateStrategy>(_ type: Strategy.Type, _ sql: String) throws {
    let day = Date(timeIntervalSince1970: 86400)
    try inEmptyDatabase { db in
      let dated = try #require(
        try Dated<Strategy>.fetchOne(db, sql: "SELECT \(sql) AS date, NULL AS maybe"))
      #expect(dated.date == day)
      #expect(dated.maybe == nil)
      #expect(
        errorText { try Dated<Strategy>.fetchOne(db, sql: "SELECT NULL AS date") }?
          .hasPrefix("could not decode Date from database value NULL") == true)
    }
  }

  @Test func `Dates are decoded by each strategy`() throws {
    try check(Deferred.self, "'1970-01-02'")
    try check(Deferred.self, "86400")
    try check(Reference.self, "-978220800.0")
    try check(Interval.self, "86400.0")
    try check(Milliseconds.self, "86400000")
    try check(ISO.self, "'1970-01-02T00:00:00Z'")
    try check(Formatted.self, "'02/01/1970'")
    try check(Custom.self, "'whatever'")
  }

  @Test func `A date that does not fit its strategy throws`() throws {
    try inEmptyDatabase { db throws in
      let sql = "SELECT 'zz' AS date"
      for text in [
        errorText({ try Dated<Deferred>.fetchOne(db, sql: sql) }),
        errorText({ try Dated<ISO>.fetchOne(db, sql: sql) }),
        errorText({ try Dated<Formatted>.fetchOne(db, sql: sql) }),
      ] {
        #expect(text?.hasPrefix(#"could not decode Date from database value "zz"\#n"#) == true)
        #expect(text?.contains(#"\#n- column: "date""#) == true)
        #expect(text?.contains("Dated<") == true)
      }
    }
  }

  @Test func `Data are decoded by each strategy`() throws {
    struct Blob: Decodable, FetchableRecord {
      var plain: Data
      var custom: Data
      var maybe: Data?
      static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
        if column == "plain" { return .deferredToData }
        return .custom { value in
          if case .int64(let count) = value.storage {
            Data(repeating: 7, count: Int(count))
          } else {
            nil
          }
        }
      }
    }
    try inEmptyDatabase { db in
      let blob = try #require(
        try Blob.fetchOne(db, sql: "SELECT 'ab' AS plain, 3 AS custom, NULL AS maybe"))
      #expect(blob.plain == Data("ab".utf8))
      #expect(blob.custom == Data([7, 7, 7]))
      #expect(blob.maybe == nil)
      let blobs = try Blob.fetchAll(
        db,
        sql: "SELECT 'ab' AS plain, 3 AS custom, 1 AS maybe UNION ALL SELECT 'cd', 0, NULL")
      #expect(blobs.map(\.maybe) == [Data([7]), nil])
      #expect(
        errorText { try Blob.fetchOne(db, sql: "SELECT 'ab' AS plain, 'x' AS custom") }?
          .hasPrefix(#"could not decode Data from database value "x" - column: "custom""#) == true)
    }
  }

  @Test func `Columns are matched in snake case`() throws {
    struct Snake: Decodable, FetchableRecord {
      var firstName: String
      var theUrl: String?
      static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        .convertFromSnakeCase
      }
    }
    struct Divergent: Decodable, FetchableRecord {
      var theURL: String
      static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        .convertFromSnakeCase
      }
    }
    try inEmptyDatabase { db in
      let snake = try #require(
        try Snake.fetchOne(db, sql: "SELECT 'u' AS the_url, 'a' AS first_name"))
      #expect(snake.firstName == "a" && snake.theUrl == "u")
      #expect(
        errorText { try Snake.fetchOne(db, sql: "SELECT 'a' AS name") }?.hasPrefix(
          #"key not found: CodingKeys(stringValue: "firstName", intValue: nil) ("firstName"), "#
            + "converted to first_name - row: ") == true)
      #expect(
        errorText { try Divergent.fetchOne(db, sql: "SELECT 'a' AS the_url") }?.hasPrefix(
          #"key not found: CodingKeys(stringValue: "theURL", intValue: nil) ("theURL"), "#
            + """
            with divergent representation theUrl, converted to the_url
            the column "the_url" has the key theUrl: `case theURL = "theUrl"` in the coding keys
            - row:\u{20}
            """) == true)
    }
  }

  @Test func `Columns are matched by a function`() throws {
    struct Custom: Decodable, FetchableRecord {
      var name: String
      enum CodingKeys: String, CodingKey { case name }
      static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
        .custom { column in
          if column == "n" { CodingKeys.name } else { AnyKey(column) }
        }
      }
    }
    try inEmptyDatabase { db throws in
      #expect(try Custom.fetchOne(db, sql: "SELECT 1 AS x, 'a' AS n, 'b' AS n")?.name == "a")
      #expect(
        errorText { try Custom.fetchOne(db, sql: "SELECT 'a' AS other") }?.hasPrefix(
          #"key not found: CodingKeys(stringValue: "name", intValue: nil) ("name") - row: "#)
          == true)
    }
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ string: String) { stringValue = string }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test func `JSON columns have the decoder of the record, made once per statement`() throws {
    struct Event: Decodable {
      var at: Date
    }
    struct Holder: Decodable, FetchableRecord {
      nonisolated(unsafe) static var decoders = 0
      var event: Event
      static func databaseJSONDecoder(for column: String) -> JSONDecoder {
        decoders += 1
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
      }
    }
    Holder.decoders = 0
    try inEmptyDatabase { db in
      let holders = try Holder.fetchAll(
        db,
        sql:
          #"SELECT '{"at":60}' AS event UNION ALL SELECT '{"at":120}' UNION ALL SELECT '{"at":0}'"#)
      #expect(holders.map(\.event.at.timeIntervalSince1970) == [60, 120, 0])
      #expect(Holder.decoders == 1)
    }
  }
}
