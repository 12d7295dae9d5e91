import CSQLiteBench
import Foundation
import Harness

struct Receipt: Record, ReceiptValues, Codable {
  var id: Int64
  var code: UUID
  var paidAt: Date
  var refundedAt: Date?
  var price: Decimal

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    id = integer(statement, start)
    code = uuid(statement, start + 1)
    paidAt = date(statement, start + 2) ?? .distantPast
    refundedAt = date(statement, start + 3)
    price = decimal(statement, start + 4)
  }
}

struct Dates: Record, DatesValues, Codable {
  var paidAt: Date
  var refundedAt: Date?

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    paidAt = date(statement, start) ?? .distantPast
    refundedAt = date(statement, start + 1)
  }
}

struct Code: Record, CodeValues, Codable {
  var code: UUID

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    code = uuid(statement, start)
  }
}

struct Price: Record, PriceValues, Codable {
  var price: Decimal

  @inline(__always)
  init(_ statement: OpaquePointer, from start: CInt) {
    price = decimal(statement, start)
  }
}

/// The JSON of a column by one coder that is kept.
struct Venue: Record, VenueValues {
  private static let decoder = JSONDecoder()

  var id: Int64
  var address: Address

  init(_ statement: OpaquePointer, from start: CInt) {
    id = integer(statement, start)
    let data = Data(
      bytes: sqlite3_column_text(statement, start + 1),
      count: Int(sqlite3_column_bytes(statement, start + 1)))
    do {
      address = try Self.decoder.decode(Address.self, from: data)
    } catch {
      fatalError("\(error)")
    }
  }
}

extension Connection {
  func insert(_ receipts: [ReceiptFacts], into table: String) throws {
    try withStatement("INSERT INTO \(table) VALUES (?, ?, ?, ?, ?)") { statement in
      for receipt in receipts {
        sqlite3_bind_int64(statement, 1, receipt.id)
        let price = "\(receipt.price)"
        try withUnsafeBytes(of: receipt.code.uuid) { code in
          bench_bind_blob(statement, 2, code.baseAddress, UInt64(code.count))
          try withBoundDate(receipt.paidAt, to: statement, at: 3) {
            try withBoundDate(receipt.refundedAt, to: statement, at: 4) {
              try withBound(price, to: statement, at: 5) { try run(statement) }
            }
          }
        }
      }
    }
  }

  func insert(_ venues: [VenueFacts], into table: String) throws {
    let encoder = JSONEncoder()
    // As the toolkits have it, so that equal values have equal texts.
    encoder.outputFormatting = .sortedKeys
    try withStatement("INSERT INTO \(table) VALUES (?, ?)") { statement in
      for venue in venues {
        sqlite3_bind_int64(statement, 1, venue.id)
        try encoder.encode(venue.address).withUnsafeBytes { json in
          let bytes = json.bindMemory(to: UInt8.self)
          bench_bind_text(statement, 2, bytes.baseAddress, UInt64(bytes.count))
          try run(statement)
        }
      }
    }
  }
}

@inline(__always)
func uuid(_ statement: OpaquePointer, _ index: CInt) -> UUID {
  guard let bytes = sqlite3_column_blob(statement, index) else { return UUID() }
  return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
}

/// Prices have two digits after the point at most.
@inline(__always)
func decimal(_ statement: OpaquePointer, _ index: CInt) -> Decimal {
  guard var next = sqlite3_column_text(statement, index) else { return .nan }
  var digits = 0
  var exponent = 0
  var isFraction = false
  while next.pointee != 0 {
    if next.pointee == UInt8(ascii: ".") {
      isFraction = true
    } else {
      digits = digits * 10 + Int(next.pointee &- 48)
      if isFraction { exponent -= 1 }
    }
    next += 1
  }
  return Decimal(sign: .plus, exponent: exponent, significand: Decimal(digits))
}

/// A text such as "2025-11-22 17:40:01.250", in UTC.
@inline(__always)
func date(_ statement: OpaquePointer, _ index: CInt) -> Date? {
  guard let text = sqlite3_column_text(statement, index) else { return nil }
  @inline(__always)
  func number(_ start: Int, _ count: Int) -> Int {
    var result = 0
    for place in start..<start + count { result = result * 10 + Int(text[place] &- 48) }
    return result
  }
  let days = daysSince1970(year: number(0, 4), month: number(5, 2), day: number(8, 2))
  let seconds = days * 86_400 + number(11, 2) * 3_600 + number(14, 2) * 60 + number(17, 2)
  return Date(timeIntervalSince1970: Double(seconds) + Double(number(20, 3)) / 1_000)
}

/// See https://howardhinnant.github.io/date_algorithms.html#days_from_civil
private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
  let year = month <= 2 ? year - 1 : year
  let era = year / 400
  let yearOfEra = year - era * 400
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

/// See https://howardhinnant.github.io/date_algorithms.html#civil_from_days
private func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
  let days = days + 719_468
  let era = days / 146_097
  let dayOfEra = days - era * 146_097
  let yearOfEra =
    (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shifted = (5 * dayOfYear + 2) / 153
  let month = shifted < 10 ? shifted + 3 : shifted - 9
  return (
    yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
  )
}

/// Runs `body` while the text of a date, or NULL, is bound.
@inline(__always)
private func withBoundDate<Result>(
  _ date: Date?, to statement: OpaquePointer, at index: CInt, _ body: () throws -> Result
) rethrows -> Result {
  guard let date else {
    sqlite3_bind_null(statement, index)
    return try body()
  }
  let milliseconds = Int((date.timeIntervalSince1970 * 1_000).rounded())
  let seconds = milliseconds / 1_000
  let day = civil(daysSince1970: seconds / 86_400)
  let time = seconds % 86_400
  return try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 23) { text in
    @inline(__always)
    func put(_ number: Int, _ start: Int, _ count: Int, _ end: Unicode.Scalar?) {
      var rest = number
      for place in (start..<start + count).reversed() {
        text[place] = UInt8(48 + rest % 10)
        rest /= 10
      }
      if let end { text[start + count] = UInt8(ascii: end) }
    }
    put(day.year, 0, 4, "-")
    put(day.month, 5, 2, "-")
    put(day.day, 8, 2, " ")
    put(time / 3_600, 11, 2, ":")
    put(time / 60 % 60, 14, 2, ":")
    put(time % 60, 17, 2, ".")
    put(milliseconds % 1_000, 20, 3, nil)
    bench_bind_text(statement, index, text.baseAddress, 23)
    return try body()
  }
}
