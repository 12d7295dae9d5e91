import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// A strategy of dates in both directions.
private protocol DateStrategies: SendableMetatype {
  static var encoding: DatabaseDateEncodingStrategy { get }
  static var decoding: DatabaseDateDecodingStrategy { get }
}

private enum Deferred: DateStrategies {
  static let encoding = DatabaseDateEncodingStrategy.deferredToDate
  static let decoding = DatabaseDateDecodingStrategy.deferredToDate
}

private enum Reference: DateStrategies {
  static let encoding = DatabaseDateEncodingStrategy.timeIntervalSinceReferenceDate
  static let decoding = DatabaseDateDecodingStrategy.timeIntervalSinceReferenceDate
}

private enum Interval: DateStrategies {
  static let encoding = DatabaseDateEncodingStrategy.timeIntervalSince1970
  static let decoding = DatabaseDateDecodingStrategy.timeIntervalSince1970
}

private enum Seconds: DateStrategies {
  static let encoding = DatabaseDateEncodingStrategy.secondsSince1970
  static let decoding = DatabaseDateDecodingStrategy.timeIntervalSince1970
}

private enum Milliseconds: DateStrategies {
  static let encoding = DatabaseDateEncodingStrategy.millisecondsSince1970
  static let decoding = DatabaseDateDecodingStrategy.millisecondsSince1970
}

private enum ISO8601: DateStrategies {
  static let encoding = DatabaseDateEncodingStrategy.iso8601
  static let decoding = DatabaseDateDecodingStrategy.iso8601
}

private enum Formatted: DateStrategies {
  private static var formatter: DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "dd/MM/yyyy HH:mm:ss"
    return formatter
  }
  static var encoding: DatabaseDateEncodingStrategy { .formatted(formatter) }
  static var decoding: DatabaseDateDecodingStrategy { .formatted(formatter) }
}

private enum Custom: DateStrategies {
  static let encoding = DatabaseDateEncodingStrategy.custom { "T\(Int($0.timeIntervalSince1970))" }
  static let decoding = DatabaseDateDecodingStrategy.custom { value in
    String.fromDatabaseValue(value).flatMap { Double($0.dropFirst()) }
      .map { Date(timeIntervalSince1970: $0) }
  }
}

/// A record whose dates, alone, wrapped, and nil, follow a strategy.
private struct Dated<Strategies: DateStrategies>: Codable, Equatable, FetchableRecord,
  PersistableRecord
{
  static var databaseTableName: String { "dated" }
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    Strategies.encoding
  }
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    Strategies.decoding
  }

  var date: Date
  var wrapped: WrappedDate
  var maybe: Date?
}

/// What is stored by a strategy is read by the same strategy.
struct StrategyRoundTripTests {
  private func check<Strategies: DateStrategies>(
    _ type: Strategies.Type, stored: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // 2001-09-09 01:46:40
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    try makeDatabase(sql: "CREATE TABLE dated (date, wrapped, maybe)").write { db throws in
      for maybe in [date, nil] {
        let dated = Dated<Strategies>(date: date, wrapped: .init(date), maybe: maybe)
        try dated.insert(db)
        #expect(
          try Row.fetchOne(db, sql: "SELECT quote(date), quote(wrapped), quote(maybe) FROM dated")
            .map { [$0[0] as String, $0[1], $0[2]] }
            == [stored, stored, maybe == nil ? "NULL" : stored], sourceLocation: sourceLocation)
        #expect(try Dated<Strategies>.fetchAll(db) == [dated], sourceLocation: sourceLocation)
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM dated")
        #expect(try rows.map(Dated<Strategies>.init) == [dated], sourceLocation: sourceLocation)
        #expect(try dated.insertAndFetch(db) == dated, sourceLocation: sourceLocation)
        try Dated<Strategies>.deleteAll(db)
      }
    }
  }

  @Test func `Dates come back by each strategy`() throws {
    try check(Deferred.self, stored: "'2001-09-09 01:46:40.000'")
    try check(Reference.self, stored: "21692800.0")
    try check(Interval.self, stored: "1000000000.0")
    try check(Seconds.self, stored: "1000000000")
    try check(Milliseconds.self, stored: "1000000000000")
    try check(ISO8601.self, stored: "'2001-09-09T01:46:40Z'")
    try check(Formatted.self, stored: "'09/09/2001 01:46:40'")
    try check(Custom.self, stored: "'T1000000000'")
  }

  /// Returns what is stored after dates are fetched, and saved again.
  private func savedAgain<Strategies: DateStrategies>(
    _ type: Strategies.Type, _ values: [DatabaseValue]
  ) throws -> [DatabaseValue] {
    try makeDatabase(sql: "CREATE TABLE dated (date, wrapped, maybe)").write { db throws in
      for value in values {
        try db.execute(
          sql: "INSERT INTO dated VALUES (?, ?, ?)", arguments: [value, value, value])
      }
      let records = try Dated<Strategies>.fetchAll(db)
      try Dated<Strategies>.deleteAll(db)
      for record in records { try record.insert(db) }
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM dated ORDER BY rowid")
      return rows.flatMap { Array($0.databaseValues) }
    }
  }

  /// A third of all milliseconds from 1938 to 1970 became smaller by each save.
  @Test func `Dates that are fetched and saved again stay the same`() throws {
    let run = RandomRun("Dates that are saved again")
    var random = run.generator
    // From 1900 to 2100.
    let years = -2_208_988_800_000...4_102_444_799_999
    var milliseconds = [14_194_814_787, -14_194_814_787]
    for _ in 0..<1000 { milliseconds.append(Int.random(in: years, using: &random)) }
    var texts: [String] = []
    var shortTexts: [String] = []
    for _ in 0..<300 {
      let day = String(
        format: "%04d-%02d-%02d", 1900 + random.below(200), 1 + random.below(12),
        1 + random.below(28))
      let time = String(
        format: "%02d:%02d:%02d", random.below(24), random.below(60), random.below(60))
      texts.append("\(day) \(time).\(String(format: "%03d", random.below(1000)))")
      shortTexts.append("\(day)T\(time)Z")
    }
    func check<Strategies: DateStrategies>(
      _ type: Strategies.Type, _ values: [some DatabaseValueConvertible]
    ) throws {
      let stored = values.map(\.databaseValue)
      let saved = try savedAgain(type, stored)
      #expect(saved == stored.flatMap { [$0, $0, $0] }, "\(type), seed \(run.seed)")
    }
    try check(Milliseconds.self, milliseconds)
    try check(Seconds.self, milliseconds.map { $0 / 1000 })
    try check(Reference.self, milliseconds.map { Double($0) / 1000 })
    try check(Deferred.self, texts)
    try check(ISO8601.self, shortTexts)
  }

  @Test(arguments: [(1.9999, 1999), (0.0005, 0), (-0.0004, -1), (-1.5004, -1501)])
  func `Dates between two milliseconds are rounded down`(seconds: Double, stored: Int) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let value = try DatabaseDateEncodingStrategy.millisecondsSince1970.encode(date)
    #expect(value == stored.databaseValue)
  }

  @Test func `A date that was read from a text has its milliseconds as a number`() throws {
    let strategy = DatabaseDateEncodingStrategy.millisecondsSince1970
    for millisecond in 0..<1000 {
      let text = "1960-01-01 00:00:00." + String(format: "%03d", millisecond)
      let date = try #require(Date.fromDatabaseValue(text.databaseValue))
      // 3,653 days before 1970.
      let expected = (-315_619_200_000 + millisecond).databaseValue
      #expect(try strategy.encode(date) == expected)
    }
  }

  @Test func `Data come back by each strategy`() throws {
    struct Packed: Codable, Equatable, FetchableRecord, PersistableRecord {
      var blob: Data
      var text: Data
      var hexadecimal: Data
      var none: Data?

      static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        switch column {
        case "text": .text
        case "hexadecimal": .custom { $0.map { String(format: "%02x", $0) }.joined() }
        default: .deferredToData
        }
      }

      static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
        guard column == "hexadecimal" else { return .deferredToData }
        return .custom { value in
          String.fromDatabaseValue(value).map { text in
            Data(
              stride(from: 0, to: text.count, by: 2).compactMap { offset in
                UInt8(text.dropFirst(offset).prefix(2), radix: 16)
              })
          }
        }
      }
    }
    try makeDatabase(sql: "CREATE TABLE packed (blob, text, hexadecimal, none)").write {
      db throws in
      let packed = Packed(blob: Data([0, 1]), text: Data("é".utf8), hexadecimal: Data([10, 255]))
      try packed.insert(db)
      #expect(
        try Row.only(
          db, "SELECT quote(blob) AS a, quote(text) AS b, hexadecimal AS c, none AS d FROM packed")
          == ["a": "X'0001'", "b": "'é'", "c": "0aff", "d": nil])
      #expect(try Packed.fetchAll(db) == [packed])
    }
  }

  @Test func `UUIDs come back by each strategy`() throws {
    struct Tagged: Codable, Equatable, FetchableRecord, PersistableRecord {
      var blob: UUID
      var upper: UUID
      var lower: UUID
      var none: UUID?

      static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        switch column {
        case "upper": .uppercaseString
        case "lower": .lowercaseString
        default: .deferredToUUID
        }
      }
    }
    let uuid = try #require(UUID(uuidString: "AB020304-0506-0708-090A-0B0C0D0E0F10"))
    try makeDatabase(sql: "CREATE TABLE tagged (blob, upper, lower, none)").write { db in
      let tagged = Tagged(blob: uuid, upper: uuid, lower: uuid)
      try tagged.insert(db)
      #expect(
        try Row.only(db, "SELECT hex(blob) AS a, upper AS b, lower AS c, none AS d FROM tagged")
          == [
            "a": "AB02030405060708090A0B0C0D0E0F10", "b": "AB020304-0506-0708-090A-0B0C0D0E0F10",
            "c": "ab020304-0506-0708-090a-0b0c0d0e0f10", "d": nil,
          ])
      #expect(try Tagged.fetchAll(db) == [tagged])
    }
  }

  /// A record whose value may be an optional one: it is encoded as such.
  private struct Generic<Value: Codable & Equatable & Sendable>: Codable, Equatable,
    FetchableRecord, PersistableRecord
  {
    static var databaseTableName: String { "generic" }
    var value: Value

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      .millisecondsSince1970
    }
    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      .millisecondsSince1970
    }
    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
      .text
    }
    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
      .lowercaseString
    }
  }

  private func checkValues<Value: Codable & Equatable & Sendable>(
    _ values: [Value], stored: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try makeDatabase(sql: "CREATE TABLE generic (value)").write { db in
      for value in values { try Generic(value: value).insert(db) }
      let texts = try String.fetchAll(db, sql: "SELECT quote(value) FROM generic ORDER BY rowid")
      #expect(texts == stored, sourceLocation: sourceLocation)
      let records = try Generic<Value>.fetchAll(db)
      #expect(records == values.map { Generic(value: $0) }, sourceLocation: sourceLocation)
    }
  }

  @Test func `Optional values of generic records come back by each strategy`() throws {
    let date = Date(timeIntervalSince1970: 1.5)
    try checkValues([date], stored: ["1500"])
    try checkValues([date, nil], stored: ["1500", "NULL"])
    let data = Data("é".utf8)
    try checkValues([data], stored: ["'é'"])
    try checkValues([data, nil], stored: ["'é'", "NULL"])
    let uuid = try #require(UUID(uuidString: "AB020304-0506-0708-090A-0B0C0D0E0F10"))
    let text = "'ab020304-0506-0708-090a-0b0c0d0e0f10'"
    try checkValues([uuid], stored: [text])
    try checkValues([uuid, nil], stored: [text, "NULL"])
    try checkValues(["x", nil], stored: ["'x'", "NULL"])
  }

  @Test func `Optional values that are encoded by hand follow the strategies`() throws {
    struct Chore: Encodable, PersistableRecord {
      enum CodingKeys: CodingKey { case doneAt, photo, uuid }
      var doneAt: Date?
      var photo: Data?
      var uuid: UUID?

      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .millisecondsSince1970
      }
      static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        .custom { "\($0.count) bytes" }
      }
      static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .uppercaseString
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(doneAt, forKey: .doneAt)
        try container.encode(photo, forKey: .photo)
        try container.encode(uuid, forKey: .uuid)
      }
    }
    let uuid = UUID(uuidString: "AB020304-0506-0708-090A-0B0C0D0E0F10")
    try makeDatabase(sql: "CREATE TABLE chore (doneAt, photo, uuid)").write { db in
      let date = Date(timeIntervalSince1970: 7)
      try Chore(doneAt: date, photo: Data([1, 2]), uuid: uuid).insert(db)
      try Chore().insert(db)
      let rows = try Row.fetchAll(db, sql: "SELECT *, typeof(doneAt) AS type FROM chore")
      #expect(
        rows == [
          [
            "doneAt": 7000, "photo": "2 bytes", "uuid": "AB020304-0506-0708-090A-0B0C0D0E0F10",
            "type": "integer",
          ], ["doneAt": nil, "photo": nil, "uuid": nil, "type": "null"],
        ])
    }
  }

  @Test func `Columns come back by each strategy`() throws {
    struct Snake: Codable, Equatable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "named"
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
      static let databaseColumnDecodingStrategy =
        DatabaseColumnDecodingStrategy.convertFromSnakeCase
      var firstName: String
      var homeTown: [String]
    }
    struct Prefixed: Codable, Equatable, FetchableRecord, PersistableRecord {
      static let databaseTableName = "named"
      static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.custom {
        $0.stringValue == "first" ? "first_name" : "home_town"
      }
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.custom {
        $0 == "first_name" ? CodingKeys.first : CodingKeys.towns
      }
      var first: String
      var towns: [String]
    }
    try makeDatabase(sql: "CREATE TABLE named (first_name, home_town)").write { db in
      let snake = Snake(firstName: "Ann", homeTown: ["Lyon"])
      try snake.insert(db)
      #expect(
        try Row.only(db, "SELECT * FROM named") == ["first_name": "Ann", "home_town": #"["Lyon"]"#])
      #expect(try Snake.fetchAll(db) == [snake])
      let prefixed = Prefixed(first: "Ann", towns: ["Lyon"])
      #expect(try Prefixed.fetchAll(db) == [prefixed])
      try prefixed.insert(db)
      #expect(try Snake.fetchAll(db) == [snake, snake])
    }
  }

  @Test func `JSON comes back with the coders and the user info of the record`() throws {
    struct Place: Codable, Equatable {
      var since: Date
      var key: Data
    }
    struct Visit: Codable, Equatable, FetchableRecord, PersistableRecord {
      var place: Place
      var old: Place?
      var all: [String: Place]
      static func databaseJSONEncoder(for column: String) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = column == "place" ? .secondsSince1970 : .iso8601
        return encoder
      }
      static func databaseJSONDecoder(for column: String) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = column == "place" ? .secondsSince1970 : .iso8601
        return decoder
      }
    }
    try makeDatabase(sql: "CREATE TABLE visit (place, old, 'all')").write { db throws in
      let place = Place(since: Date(timeIntervalSince1970: 60), key: Data([1, 2]))
      let visits = [
        Visit(place: place, old: place, all: ["a": place]), Visit(place: place, old: nil, all: [:]),
      ]
      for visit in visits { try visit.insert(db) }
      let iso = #"{"key":"AQI=","since":"1970-01-01T00:01:00Z"}"#
      #expect(
        try Row.fetchAll(db, sql: "SELECT * FROM visit") == [
          [
            "place": #"{"key":"AQI=","since":60}"#, "old": iso.databaseValue,
            "all": #"{"a":\#(iso)}"#,
          ], ["place": #"{"key":"AQI=","since":60}"#, "old": nil, "all": "{}"],
        ])
      #expect(try Visit.fetchAll(db) == visits)
    }
  }
}
