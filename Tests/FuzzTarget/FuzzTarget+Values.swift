import Foundation
import Quarry

extension FuzzTarget {
  private struct Review: Codable, FetchableRecord, PersistableRecord {
    struct Payload: Codable, Equatable {
      var stars: Int?
      var texts: [String]?
      var ratio: Double?
      var flags: [String: Bool]?
      var inner: [Payload]?
    }

    var id: Int
    var payload: Payload
  }

  /// A JSON column is decoded as Foundation decodes it, and survives a round trip.
  static let json = FuzzTarget(name: "json") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let expected = try? JSONDecoder().decode(Review.Payload.self, from: Data(text.utf8))
    try withDatabase("CREATE TABLE review (id INTEGER PRIMARY KEY, payload)") { db in
      try db.execute(sql: "INSERT INTO review VALUES (1, ?)", arguments: [text])
      let review: Review?
      do {
        review = try Review.fetchOne(db)
      } catch {
        _ = "\(error)"
        review = nil
      }
      if review?.payload != expected {
        wrong("\(text.debugDescription): \(review as Any) instead of \(expected as Any)")
      }
      guard let review else { return }
      try Review(id: 2, payload: review.payload).insert(db)
      let again = try Review.fetchOne(db, key: 2)
      if again?.payload != expected { wrong("\(text.debugDescription): \(again as Any)") }
      _ = try Row.fetchAll(
        db, sql: "SELECT payload -> '$.stars', json_valid(payload) FROM review WHERE id = 2")
    }
  }

  /// Dates are those of SQLite, and survive a round trip.
  static let dates = FuzzTarget(name: "dates", maximumSize: 60) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let value = text.databaseValue
    let date = Date.fromDatabaseValue(value)
    let components = DatabaseDateComponents.fromDatabaseValue(value)
    if let components {
      let stored = components.databaseValue
      guard let again = DatabaseDateComponents.fromDatabaseValue(stored) else {
        wrong("\(text.debugDescription) is stored as \(stored), which is no date")
      }
      if !isSame(again.databaseValue, stored) {
        wrong("\(text.debugDescription) is stored as \(stored), then as \(again.databaseValue)")
      }
    }
    guard let date else { return }
    let seconds = date.timeIntervalSince1970
    // The years that the format has.
    if abs(seconds) < 60_000_000_000, seconds > -62_000_000_000 {
      let again = Date.fromDatabaseValue(date.databaseValue)
      if abs((again?.timeIntervalSince1970 ?? .infinity) - seconds) > 0.001 {
        wrong("\(text.debugDescription): \(seconds) is stored as \(date.databaseValue)")
      }
    }
    // SQLite reads numbers as Julian days, the library as seconds. Before October 15, 1582, the
    // library has the Julian calendar, as Foundation.
    guard Double(text) == nil, !text.utf8.contains(0), seconds > -12_219_292_800 else { return }
    try withDatabase { db in
      let day = try Double.fetchOne(db, sql: "SELECT julianday(?)", arguments: [text])
      // Formats without a date are on another day.
      guard let day, text.utf8.count >= 10, text.contains("-") else { return }
      let expected = (day - 2_440_587.5) * 86_400
      if abs(expected - seconds) > 0.002 {
        wrong("\(text.debugDescription): \(seconds) instead of \(expected)")
      }
    }
  }

  /// Decimal numbers are those of Foundation, and survive a round trip.
  static let decimals = FuzzTarget(name: "decimals", maximumSize: 80) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard let number = Decimal.fromDatabaseValue(text.databaseValue) else { return }
    let stored = number.databaseValue
    guard let again = Decimal.fromDatabaseValue(stored) else {
      wrong("\(text.debugDescription) is stored as \(stored), which is no number")
    }
    if again != number, !number.isNaN {
      wrong("\(text.debugDescription): \(number) is stored as \(stored), which is \(again)")
    }
    let expected = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    if let expected, expected != number, !number.isNaN {
      wrong("\(text.debugDescription): \(number) instead of \(expected)")
    }
  }

  private final class Text: TextOutputStream {
    var string = ""
    func write(_ other: String) { string += other }
  }

  /// Values that are dumped can be read again.
  static let dumps = FuzzTarget(name: "dumps") { bytes in
    var input = Input(bytes)
    let values = input.values(atMost: 6)
    guard !values.isEmpty else { return }
    try withDatabase { db in
      let names = values.indices.map { "c\($0)" }.joined(separator: ", ")
      try db.execute(sql: "CREATE TABLE t (\(names))")
      let marks = values.map { _ in "?" }.joined(separator: ", ")
      try db.execute(sql: "INSERT INTO t VALUES (\(marks))", arguments: StatementArguments(values))
      let row = try Row.fetchOne(db, sql: "SELECT * FROM t")
      let expected = row.map { Array($0.databaseValues) } ?? []
      func dump(_ format: some DumpFormat) throws -> String {
        let text = Text()
        try db.dumpTables(["t"], format: format, to: text)
        return text.string
      }
      _ = try (dump(.debug()), dump(.line()), dump(.list()))
      let quoted = try dump(.quote())
      let read = try Row.fetchOne(db, sql: "SELECT \(quoted)").map { Array($0.databaseValues) }
      // The zeros are the same number: SQLite, too, quotes -0.0 as 0.0.
      if !isSame((read ?? []).map(\.withoutSign), expected.map(\.withoutSign)) {
        wrong("\(quoted.debugDescription) is \(read ?? []) instead of \(expected)")
      }
      let json = try dump(.json())
      guard let rows = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any],
        rows.count == 1
      else { wrong("no JSON of a row: \(json.debugDescription)") }
    }
  }
}

extension DatabaseValue {
  fileprivate var withoutSign: DatabaseValue {
    if case .double(0) = storage { 0.0.databaseValue } else { self }
  }
}
