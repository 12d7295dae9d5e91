import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// Random values of each type come back from the database as they went in.
@Suite("Values come back as they were stored")
struct RoundTripTests {
  private static let count = 150

  /// Stores random values in all ways, and reads them back in all ways.
  private func check<Value: DatabaseValueConvertible & Equatable>(
    _ type: Value.Type, _ make: (inout SplitMix64) -> Value
  ) throws {
    let run = RandomRun("\(type)")
    var random = run.generator
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ? AS a, 2 AS b")
      for _ in 0..<Self.count {
        let value = make(&random)
        let comment: Comment = "\(type) \(value), seed \(run.seed)"
        let stored = value.databaseValue
        #expect(Value.fromDatabaseValue(stored) == value, comment)
        #expect(stored.invalidReason == nil, comment)
        // Bound by itself, and through its database value.
        let arguments: StatementArguments = [value]
        #expect(try Value.fetchOne(statement, arguments: arguments) == value, comment)
        let row = try #require(try Row.fetchOne(statement, arguments: arguments))
        #expect(try row.decode(Value.self, forColumn: "a") == value, comment)
        #expect(row["A"] as Value? == value, comment)
        #expect((Row(["a": value])["a"] as Value) == value, comment)
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        #expect(try cursor.next()?.decode(Value.self, atIndex: 0) == value, comment)
        #expect(try DatabaseValue.fetchOne(statement, arguments: arguments) == stored, comment)
        // Interpolated, and as a literal.
        let request: SQLRequest<Value> = "SELECT \(stored)"
        #expect(try request.fetchOne(db) == value, comment)
        if stored.hasExactLiteral {
          let literal = try DatabaseValue.fetchOne(db, sql: "SELECT \(stored.sqlLiteral)")
          #expect(literal?.storage == stored.storage, comment)
        }
      }
    }
  }

  /// The same for a type that is also read straight from a statement.
  private func check<Value: DatabaseValueConvertible & StatementColumnConvertible & Equatable>(
    direct type: Value.Type, _ make: (inout SplitMix64) -> Value
  ) throws {
    try check(type, make)
    var random = RandomRun("\(type), direct").generator
    try DatabaseQueue().inDatabase { db in
      let values = (0..<Self.count).map { _ in make(&random) }
      let sql = Array(repeating: "SELECT ? AS a", count: values.count)
        .joined(separator: " UNION ALL ")
      let statement = try db.makeStatement(sql: sql)
      let arguments = StatementArguments(values)
      #expect(try Value.fetchAll(statement, arguments: arguments) == values)
      #expect(try Value?.fetchAll(statement, arguments: arguments) == values)
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      #expect(try Array(rows.map { $0["a"] as Value }) == values)
    }
  }

  @Test func `stored integers are read unchanged`() throws {
    func check<I: _DatabaseInteger>(_ type: I.Type) throws {
      try self.check(direct: type) { random in
        let limits = [I.min, I.max, 0].filter { Int64(exactly: $0) != nil }
        if random.chance(4) { return random.pick(limits) }
        return I(exactly: random.int64()) ?? I(truncatingIfNeeded: random.below(100))
      }
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try self.check(direct: Bool.self) { $0.chance(2) }
  }

  @Test func `stored floating-point numbers are read unchanged`() throws {
    func double(_ random: inout SplitMix64) -> Double {
      let double = random.double()
      // NaN is stored as NULL.
      return double.isNaN ? 1.5 : double
    }
    try check(direct: Double.self, double)
    try check(direct: Float.self) { Float(double(&$0)) }
    try check(CGFloat.self) { CGFloat(double(&$0)) }
  }

  @Test func `stored texts and bytes are read unchanged`() throws {
    try check(direct: String.self) { $0.text(upTo: 40) }
    try check(direct: Substring.self) { $0.text(upTo: 40).dropFirst(2) }
    try check(direct: Character.self) { $0.text(upTo: 5).first ?? "\u{1f468}\u{200d}\u{1f469}" }
    try check(direct: Unicode.Scalar.self) { $0.text(upTo: 5).unicodeScalars.first ?? "e" }
    try check(direct: Data.self) { Data($0.bytes($0.below(50))) }
    try check(NSString.self) { NSString(string: $0.text()) }
    try check(NSData.self) { NSData(data: Data($0.bytes($0.below(9)))) }
  }

  @Test func `stored dates are read unchanged`() throws {
    func date(_ random: inout SplitMix64) -> Date {
      // From year 0 to year 9999, in milliseconds.
      Date(
        millisecondsSince1970: Int64.random(
          in: -62_135_596_800_000...253_402_300_799_999, using: &random))
    }
    try check(direct: Date.self, date)
    try check(NSDate.self) {
      NSDate(timeIntervalSinceReferenceDate: date(&$0).timeIntervalSinceReferenceDate)
    }
  }

  @Test func `stored UUIDs and URLs are read unchanged`() throws {
    func uuid(_ random: inout SplitMix64) -> UUID {
      Data(random.bytes(16)).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
    try check(direct: UUID.self, uuid)
    try check(NSUUID.self) { NSUUID(uuidString: uuid(&$0).uuidString) ?? NSUUID() }
    try check(URL.self) { random in
      let path = String(random.text().unicodeScalars.filter { $0.isASCII && $0.value > 32 })
      var components = URLComponents()
      components.scheme = "https"
      components.host = "example.com"
      components.path = "/" + path
      return components.url ?? URL(filePath: "/")
    }
  }

  @Test func `UUIDs are read from their texts`() throws {
    let run = RandomRun("UUID, text")
    var random = run.generator
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      for _ in 0..<Self.count {
        let uuid = Data(random.bytes(16)).withUnsafeBytes {
          UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
        }
        let text = random.chance(2) ? uuid.uuidString : uuid.uuidString.lowercased()
        #expect(UUID.fromDatabaseValue(text.databaseValue) == uuid, "seed \(run.seed)")
        #expect(try UUID.fetchOne(statement, arguments: [text]) == uuid, "seed \(run.seed)")
        let row = try #require(try Row.fetchOne(statement, arguments: [text]))
        #expect(row[0] as UUID == uuid, "seed \(run.seed)")
      }
    }
  }

  @Test func `stored objects of Foundation are read unchanged`() throws {
    try check(NSNumber.self) { random in
      random.chance(2) ? NSNumber(value: random.int64()) : NSNumber(value: random.int64() / 1024)
    }
    try check(NSURL.self) { random in
      NSURL(string: "https://example.com/\(random.below(1000))") ?? NSURL(fileURLWithPath: "/")
    }
  }

  @Test func `stored decimals are read unchanged`() throws {
    try check(direct: Decimal.self) { random in
      var digits = String(random.next() % 1_000_000_000_000_000_000)
      if random.chance(2) { digits += String(random.next() % 1_000_000_000_000_000_000) }
      let exponent = Int.random(in: -60...60, using: &random)
      let sign = random.chance(2) ? "-" : ""
      return Decimal(string: "\(sign)\(digits)e\(exponent)") ?? 0
    }
  }

  private enum Genre: String, CaseIterable, Codable, DatabaseValueConvertible {
    case novel
    case poetry = "O'Poetry"
  }

  private struct Celsius: RawRepresentable, Equatable, DatabaseValueConvertible,
    StatementColumnConvertible
  {
    var rawValue: Double
  }

  private struct Address: Codable, Equatable, DatabaseValueConvertible {
    var street: String
    var numbers: [Int]
    var since: Date?
  }

  @Test func `types of the application`() throws {
    try check(Genre.self) { $0.pick(Genre.allCases) }
    try check(direct: Celsius.self) { Celsius(rawValue: Double($0.int64() / 1024)) }
    try check(Address.self) { random in
      Address(
        street: random.text(), numbers: random.bytes(3).map { Int($0) },
        since: random.chance(2) ? nil : Date(timeIntervalSince1970: Double(random.below(1000))))
    }
    try check(Genre?.self) { $0.chance(3) ? nil : $0.pick(Genre.allCases) }
    try check(direct: Int?.self) { $0.chance(3) ? nil : Int($0.int64()) }
  }

  @Test func `stored date components are read unchanged`() throws {
    let run = RandomRun("DatabaseDateComponents")
    var random = run.generator
    let formats: [DatabaseDateComponents.Format] = [
      .YMD, .YMD_HM, .YMD_HMS, .YMD_HMSS, .HM, .HMS, .HMSS,
    ]
    try DatabaseQueue().inDatabase { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      for _ in 0..<Self.count {
        let components = DateComponents(
          year: random.below(10_000), month: 1 + random.below(12), day: 1 + random.below(31),
          hour: random.below(24), minute: random.below(60), second: random.below(60),
          nanosecond: random.below(1000) * 1_000_000)
        let format = random.pick(formats)
        let value = DatabaseDateComponents(components, format: format)
        let fetched = try #require(
          try DatabaseDateComponents.fetchOne(statement, arguments: [value]))
        #expect(fetched.format == format)
        #expect(fetched.databaseValue == value.databaseValue, "seed \(run.seed)")
        let coded = try JSONDecoder().decode(
          DatabaseDateComponents.self, from: JSONEncoder().encode(value))
        #expect(coded.databaseValue == value.databaseValue, "seed \(run.seed)")
        // SQLite reads the text as the same time.
        let text = try String.fetchOne(
          db, sql: "SELECT strftime('%H:%M', ?)", arguments: [value])
        let time = fetched.dateComponents
        if let hour = time.hour, let minute = time.minute, (time.day ?? 1) <= 28 {
          #expect(text == String(format: "%02d:%02d", hour, minute), "seed \(run.seed)")
        }
      }
    }
  }
}

extension DatabaseValue {
  /// SQL can't contain NUL: literals end there. And SQLite before 3.43 does not read all doubles as
  /// it has quoted them.
  fileprivate var hasExactLiteral: Bool {
    switch storage {
    case .string(let text): !text.utf8.contains(0)
    case .double: false
    default: true
    }
  }
}
