import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private enum Genre: String, Codable, DatabaseValueConvertible, StatementColumnConvertible {
  case novel = "120"
}
private enum Shelf: Int, Codable, DatabaseValueConvertible { case poetry, drama }

/// A shop with one book, whose column `v` holds any value.
private struct Author: Codable, FetchableRecord, PersistableRecord {
  var id = 1
  static let books = hasMany(Book.self, using: ForeignKey(["authorId"]))
}

private struct Book: TableRecord {}

private struct Hand<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value
  init(row: Row) { value = row["v"] }
}

private struct DirectHand<
  Value: DatabaseValueConvertible & StatementColumnConvertible
>: FetchableRecord {
  var value: Value
  init(row: Row) { value = row["v"] }
}

private struct Coded<Value: Codable>: Codable, FetchableRecord { var v: Value }

private struct OptionalCoded<Value: Codable>: Codable, FetchableRecord { var v: Value? }

/// A record that is a plain value.
private struct Single<Value: Decodable>: Decodable, FetchableRecord {
  var value: Value
  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }
}

private struct Shop<Element: Decodable>: Decodable, FetchableRecord { var books: [Element] }

private let query = "SELECT v FROM book"

/// The only book, in all kinds of rows, and what the ways to read it give.
private final class Reader {
  let db: Database
  let live: Row
  let mapped: Row
  let scope: Row
  let copied: Row
  let kept: Row
  let memory: Row
  let prefetched: Row
  let stored: DatabaseValue
  private let cursors: [RowCursor]
  private(set) var failures: [String] = []

  init(_ db: Database) throws {
    self.db = db
    let cursor = try Row.fetchCursor(db, sql: query)
    live = try #require(try cursor.next())
    let mapping = try Row.fetchCursor(db, sql: query, adapter: ColumnMapping(["v": "v"]))
    mapped = try #require(try mapping.next())
    let scoping = try Row.fetchCursor(
      db, sql: query, adapter: ScopeAdapter(["s": SuffixRowAdapter(fromIndex: 0)]))
    scope = try #require(try scoping.next()?.scopes["s"])
    cursors = [cursor, mapping, scoping]
    let moving = try Row.fetchCursor(db, sql: query)
    kept = try #require(try moving.next())
    _ = try moving.next()
    copied = try #require(try Row.fetchAll(db, sql: query).first)
    stored = copied.databaseValue(at: 0)
    // A row that the application makes has no connection.
    memory = db.configuration.conversions == .exact ? copied : ["v": stored]
    let request = Author.including(all: Author.books.select(Column("v")))
    prefetched = try #require(try Row.fetchOne(db, request)?.prefetchedRows["books"]?.first)
  }

  private typealias Way<Value> = (name: String, read: () throws -> Value?)

  /// All ways give the same value, or all throw.
  private func compare<Value: Equatable>(_ ways: [Way<Value>]) {
    let results = ways.map { way in try? way.read() }
    for (way, result) in zip(ways, results) where result != results[0] {
      failures.append(
        "\(Value.self) of \(stored.sqlLiteral): \(ways[0].name) gives \(text(results[0])), "
          + "\(way.name) gives \(text(result))")
    }
  }

  private func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "an error" }

  private var rows: [(String, Row)] {
    [
      ("a live row", live), ("a mapped row", mapped), ("a scope", scope), ("a kept row", kept),
      ("a copied row", copied), ("a copy", live.copy()), ("a row in memory", memory),
      ("a prefetched row", prefetched),
    ]
  }

  func converted<Value: DatabaseValueConvertible & Equatable>(_ type: Value.Type) {
    var ways: [Way<Value>] = rows.flatMap { name, row -> [Way<Value>] in
      [
        (name, { try row.decode(Value.self, atIndex: 0) }),
        (name + ", by name", { try row.decode(Value.self, forColumn: "v") }),
        (name + ", as a record", { try Hand<Value>.decodeWithErrors(from: row).value }),
      ]
    }
    ways += [
      ("values", { [db] in try Value.fetchAll(db, sql: query).first }),
      ("a cursor", { [db] in try Value.fetchCursor(db, sql: query).next() }),
      ("a statement", { [db] in try Value.fetchAll(db.makeStatement(sql: query)).first }),
      ("a request", { [db] in try SQLRequest<Value>(sql: query).fetchAll(db).first }),
      ("records", { [db] in try Hand<Value>.fetchAll(db, sql: query).first?.value }),
    ]
    if !stored.isNull {
      ways.append(("one value", { [db] in try Value.fetchOne(db, sql: query) }))
    }
    compare(ways)
  }

  func direct<Value: DatabaseValueConvertible & StatementColumnConvertible & Equatable>(
    _ type: Value.Type
  ) {
    var ways: [Way<Value>] = rows.flatMap { name, row -> [Way<Value>] in
      [
        (name, { try row.decode(Value.self, atIndex: 0) }),
        (name + ", by name", { try row.decode(Value.self, forColumn: "v") }),
        (name + ", as a record", { try DirectHand<Value>.decodeWithErrors(from: row).value }),
        (name + ", converted", { try Hand<Value>.decodeWithErrors(from: row).value }),
      ]
    }
    ways += [
      ("values", { [db] in try Value.fetchAll(db, sql: query).first }),
      ("a cursor", { [db] in try Value.fetchCursor(db, sql: query).next() }),
      ("a statement", { [db] in try Value.fetchAll(db.makeStatement(sql: query)).first }),
      ("a request", { [db] in try SQLRequest<Value>(sql: query).fetchAll(db).first }),
      ("records", { [db] in try DirectHand<Value>.fetchAll(db, sql: query).first?.value }),
    ]
    compare(ways)
  }

  func coded<Value: DatabaseValueConvertible & Codable & Equatable>(_ type: Value.Type) {
    var ways: [Way<Value>] = rows.flatMap { name, row -> [Way<Value>] in
      [
        (name, { try row.decode(Value.self, atIndex: 0) }),
        (name + ", Codable", { try Coded<Value>(row: row).v }),
        (name + ", a single value", { try Single<Value>(row: row).value }),
      ]
    }
    let request = Author.including(all: Author.books.select(Column("v")))
    ways += [
      ("Codable records", { [db] in try Coded<Value>.fetchAll(db, sql: query).first?.v }),
      ("single values", { [db] in try Single<Value>.fetchAll(db, sql: query).first?.value }),
      (
        "prefetched records",
        { [db] in
          try Shop<Coded<Value>>.fetchOne(db, request)?.books.first?.v
        }
      ),
      ("prefetched values", { [db] in try Shop<Value>.fetchOne(db, request)?.books.first }),
    ]
    if !stored.isNull {
      ways += [
        (
          "optional properties",
          { [db] in
            try OptionalCoded<Value>.fetchAll(db, sql: query).first?.v
          }
        ),
        (
          "optional properties of a copied row",
          { [copied] in
            try OptionalCoded<Value>(row: copied).v
          }
        ),
        (
          "optional prefetched values",
          { [db] in
            try Shop<Value?>.fetchOne(db, request)?.books.first ?? nil
          }
        ),
      ]
    }
    compare(ways)
  }

  func all<Value>(_ type: Value.Type)
  where Value: DatabaseValueConvertible & StatementColumnConvertible & Codable & Equatable {
    converted(Value.self)
    direct(Value.self)
    coded(Value.self)
    converted(Value?.self)
    direct(Value?.self)
  }
}

@Suite("All ways to read a value agree")
struct ReadingTests {
  private static let types: [@Sendable (Reader) -> Void] = [
    { $0.all(Int.self) }, { $0.all(Int8.self) }, { $0.all(Int16.self) }, { $0.all(Int32.self) },
    { $0.all(Int64.self) }, { $0.all(UInt.self) }, { $0.all(UInt8.self) }, { $0.all(UInt16.self) },
    { $0.all(UInt32.self) }, { $0.all(UInt64.self) }, { $0.all(Bool.self) },
    { $0.all(Double.self) }, { $0.all(Float.self) }, { $0.all(String.self) }, { $0.all(Data.self) },
    { $0.all(Date.self) }, { $0.all(UUID.self) }, { $0.all(Decimal.self) }, { $0.all(Genre.self) },
    { $0.converted(Shelf.self) }, { $0.coded(Shelf.self) }, { $0.converted(Shelf?.self) },
    { $0.converted(URL.self) }, { $0.coded(URL.self) }, { $0.converted(URL?.self) },
    { $0.converted(CGFloat.self) }, { $0.coded(CGFloat.self) },
    { $0.converted(DatabaseValue.self) }, { $0.converted(Character.self) },
    { $0.direct(Character.self) },
    { $0.converted(NSNumber.self) }, { $0.converted(NSString.self) },
  ]

  private static let texts = [
    "120", " 120 ", "120.0", "1e3", "0", "1", "-1", "1.5", "Chai", "", "true", "12abc", "0x10",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "9007199254740993",
    "1e400", "1e-400", "-0", "nan", "inf", "é", "a\0b", "2024-02-29", "2024-02-29 13:05:59.004",
    "12:30", "https://example.com/a?b=c", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "{}", "[1]",
  ]
  private static let integers: [Int64] = [
    0, 1, -1, 2, 127, 128, 255, 256, 300, 9_007_199_254_740_993, .min, .max,
  ]
  private static let doubles: [Double] = [
    0, -0.0, 1, 1.5, 120, 0.1, 1e19, 1e20, 1e300, -1e300, 0x1p63, -0x1p63, .infinity,
    .leastNonzeroMagnitude,
  ]
  private static let blobs: [[UInt8]] = [
    [], [0x61], [0xFF], Array("120".utf8), Array("2024-02-29".utf8), Array(1...16),
  ]
  private static var edges: [DatabaseValue] {
    let values: [[DatabaseValue]] = [
      texts.map(\.databaseValue), integers.map(\.databaseValue), doubles.map(\.databaseValue),
      blobs.map { Data($0).databaseValue }, [.null],
    ]
    return values.flatMap { $0 }
  }

  private static func value(_ random: inout SplitMix64) -> DatabaseValue {
    switch random.below(6) {
    case 0: random.int64().databaseValue
    case 1: random.double().databaseValue
    case 2: random.text().databaseValue
    case 3: Data(random.bytes(random.below(20))).databaseValue
    case 4: numberText(&random).databaseValue
    default: random.pick(edges)
    }
  }

  private static func numberText(_ random: inout SplitMix64) -> String {
    switch random.below(4) {
    case 0: "\(random.int64())"
    case 1: "\(random.double())"
    case 2: String((0..<random.below(8)).map { _ in random.pick("0123456789.eE+- ") })
    default: dateText(&random)
    }
  }

  /// The text of a date, often damaged.
  private static func dateText(_ random: inout SplitMix64) -> String {
    var characters = Array("2024-02-29 13:05:59.\(100 + random.below(900))+02:00")
    if random.chance(2) { characters.removeLast(random.below(characters.count)) }
    if random.chance(3), !characters.isEmpty {
      characters[random.below(characters.count)] = random.pick("0123456789 -:.TZé")
    }
    return String(characters)
  }

  private static func makeDatabase(_ conversions: ValueConversions) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.conversions = conversions
    let database = try DatabaseQueue(configuration: configuration)
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE author (id INTEGER PRIMARY KEY);
          CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author(id), v);
          INSERT INTO author VALUES (1);
          INSERT INTO book VALUES (1, 1, NULL);
          """)
    }
    return database
  }

  private static func failures(_ value: DatabaseValue, _ db: Database) throws -> [String] {
    try db.execute(sql: "UPDATE book SET v = ?", arguments: [value])
    let reader = try Reader(db)
    for type in types { type(reader) }
    return reader.failures
  }

  private static let conversions = [ValueConversions.lossless, .exact]

  @Test(arguments: edges.indices, conversions)
  func `values at the edges`(index: Int, conversions: ValueConversions) throws {
    try Self.makeDatabase(conversions).inDatabase { db in
      let failures = try Self.failures(Self.edges[index], db)
      #expect(failures == [], "\(Self.edges[index])")
    }
  }

  @Test(arguments: conversions)
  func `texts that are not UTF-8`(conversions: ValueConversions) throws {
    try Self.makeDatabase(conversions).inDatabase { db in
      try db.execute(sql: "UPDATE book SET v = CAST(x'61FF62' AS TEXT)")
      let reader = try Reader(db)
      for type in Self.types { type(reader) }
      #expect(reader.failures == [])
    }
  }

  @Test(arguments: conversions)
  func `random values`(conversions: ValueConversions) throws {
    let run = RandomRun("all ways to read a value, \(conversions)")
    try Self.makeDatabase(conversions).inDatabase { db in
      _ = try run.repeated(seconds: 1, atMost: 300) { random in
        let value = Self.value(&random)
        let failures = try Self.failures(value, db)
        #expect(failures == [], "seed \(run.seed)")
      }
    }
  }
}
