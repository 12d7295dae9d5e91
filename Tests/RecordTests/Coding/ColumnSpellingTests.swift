import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

/// A record with one column whose dates are stored as numbers.
private protocol Dated: FetchableRecord, PersistableRecord {
  static var numberColumn: String { get }
}

extension Dated {
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    column == numberColumn ? .timeIntervalSinceReferenceDate : .deferredToDate
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    column == numberColumn ? .timeIntervalSinceReferenceDate : .deferredToDate
  }
}

/// Strategies for the values of rows are asked for the columns as the record writes them, whatever
/// the case of letters is in the schema or in a row.
struct ColumnSpellingTests {
  /// 2001-09-09 01:46:40: 21,692,800 seconds after the start of 2001.
  private let date = Date(timeIntervalSince1970: 1_000_000_000)
  private let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private struct Person: Codable, Equatable, Dated {
    var id: Int64
    var birthDate: Date
    var seen: Date?

    static let numberColumn = "birthDate"
  }

  private struct WrappedPerson: Codable, Equatable, Dated {
    var birthDate: WrappedDate
    static let databaseTableName = "person"
    static let numberColumn = "birthDate"
  }

  private struct OptionalPerson: Codable, Equatable, Dated {
    var birthDate: Date?
    var id: Int64
    static let databaseTableName = "person"
    static let numberColumn = "birthDate"
  }

  private struct SnakePerson: Codable, Equatable, Dated {
    var id: Int64
    var birthDate: Date
    static let databaseTableName = "snake"
    static let numberColumn = "birth_date"
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
  }

  private struct PrefixedPerson: Codable, Equatable, Dated {
    var id: Int64
    var birthDate: Date
    static let databaseTableName = "prefixed"
    static let numberColumn = "c_birthDate"
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.custom {
      "c_" + $0.stringValue
    }
    static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.custom {
      EmbeddedKey(stringValue: $0 == "C_BIRTHDATE" ? "birthDate" : String($0.dropFirst(2)))
    }
  }

  private struct Resident: Codable, Equatable, Dated {
    struct Home: Codable, Equatable {
      var since: Date
      var until: WrappedDate
    }

    var id: Int64
    var home: Home
    static let numberColumn = "home_since"
    static var databaseEmbeddedKeys: [any CodingKey] { [CodingKeys.home] }
  }

  /// Stores a record, whose date is a number, and reads it.
  private func check<Record: Dated & Equatable>(
    _ record: Record, _ definition: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try makeDatabase(sql: "CREATE TABLE \(Record.databaseTableName) \(definition)").write { db in
      try record.insert(db)
      let types = try String.fetchOne(
        db, sql: "SELECT typeof(\(Record.numberColumn)) FROM \(Record.databaseTableName)")
      #expect(types == "real", sourceLocation: sourceLocation)
      #expect(try Record.fetchAll(db) == [record], sourceLocation: sourceLocation)
      let rows = try Row.fetchAll(db, Record.all())
      #expect(try rows.map(Record.init) == [record], sourceLocation: sourceLocation)
      try Record.deleteAll(db)
      #expect(try record.insertAndFetch(db) == record, sourceLocation: sourceLocation)
    }
  }

  @Test func `Dates are read by the strategy that has stored them`() throws {
    try check(
      Person(id: 1, birthDate: date, seen: date),
      "(id INTEGER PRIMARY KEY, birthdate, SEEN)")
    try check(WrappedPerson(birthDate: .init(date)), "(birthdate)")
    try check(OptionalPerson(birthDate: date, id: 1), "(ID INTEGER PRIMARY KEY, BIRTHDATE)")
    try check(SnakePerson(id: 1, birthDate: date), "(id INTEGER PRIMARY KEY, BIRTH_DATE)")
    try check(PrefixedPerson(id: 1, birthDate: date), "(c_id INTEGER PRIMARY KEY, C_BIRTHDATE)")
    try check(
      Resident(id: 1, home: .init(since: date, until: .init(date))),
      "(id INTEGER PRIMARY KEY, HOME_SINCE, HOME_UNTIL)")
  }

  @Test func `Data are read by the strategy that has stored them`() throws {
    struct Packet: Codable, Equatable, FetchableRecord, PersistableRecord {
      var payload: Data
      var other: Data?

      static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        column == "payload" ? .custom { $0.base64EncodedString() } : .deferredToData
      }

      static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy {
        guard column == "payload" else { return .deferredToData }
        return .custom { String.fromDatabaseValue($0).flatMap { Data(base64Encoded: $0) } }
      }
    }
    try makeDatabase(sql: "CREATE TABLE packet (Payload, Other)").write { db in
      let packet = Packet(payload: Data("hello".utf8), other: Data("x".utf8))
      try packet.insert(db)
      #expect(try Packet.fetchAll(db) == [packet])
      #expect(try Row.only(db, "SELECT payload AS a FROM packet") == ["a": "aGVsbG8="])
    }
  }

  /// A column of another name, which the strategy of columns takes for the same, keeps its name.
  @Test func `Columns that the record does not write are asked for as the row names them`() throws {
    struct Read: Decodable, FetchableRecord {
      var line2: Date
      static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy
        .convertFromSnakeCase
      static func databaseDateDecodingStrategy(
        for column: String
      ) -> DatabaseDateDecodingStrategy {
        column == "line_2" ? .timeIntervalSinceReferenceDate : .deferredToDate
      }
    }
    try makeDatabase(sql: "").read { db in
      let read = try #require(try Read.fetchOne(db, sql: "SELECT 21692800 AS line_2"))
      #expect(read.line2 == date)
    }
  }

  private struct Tagged: Codable, Identifiable, FetchableRecord, PersistableRecord {
    var id: UUID
    var madeOn: Date

    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
      column == "id" ? .uppercaseString : .deferredToUUID
    }

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      column == "madeOn" ? .secondsSince1970 : .deferredToDate
    }
  }

  @Test func `Keys are asked for as the schema, or the request, spells their column`() throws {
    try makeDatabase(sql: "CREATE TABLE tagged (ID TEXT PRIMARY KEY, MADEON UNIQUE)").write { db in
      try Tagged(id: uuid, madeOn: date).insert(db)
      #expect(try !Tagged.exists(db, id: uuid))
      #expect(try Tagged.exists(db, key: ["id": uuid]))
      #expect(try !Tagged.exists(db, key: ["ID": uuid]))
      #expect(try Tagged.exists(db, key: ["madeOn": date]))
      #expect(try !Tagged.exists(db, key: ["madeon": date]))
    }
  }

  @Test func `Elements are read by the strategy of their column, also where they wrap a date`()
    throws
  {
    struct Author: TableRecord { static let visits = hasMany(Visit.self) }
    struct Visit: TableRecord {}
    struct AuthorInfo<Day: Decodable>: Decodable, FetchableRecord {
      var day: [Day]
      static func databaseDateDecodingStrategy(
        for column: String
      ) -> DatabaseDateDecodingStrategy {
        column == "Day" ? .timeIntervalSinceReferenceDate : .deferredToDate
      }
    }
    let sql = """
      CREATE TABLE author (id INTEGER PRIMARY KEY);
      CREATE TABLE visit (Day, authorId REFERENCES author);
      INSERT INTO author VALUES (1);
      INSERT INTO visit VALUES (21692800, 1);
      """
    try makeDatabase(sql: sql).read { db throws in
      let request = Author.including(all: Author.visits.select(Column("Day")).forKey("day"))
      #expect(try AuthorInfo<Date>.fetchAll(db, request).map(\.day) == [[date]])
      let wrapped = try AuthorInfo<WrappedDate>.fetchAll(db, request)
      #expect(wrapped.map(\.day) == [[WrappedDate(date)]])
    }
  }

  @Test func `Nothing is decoded to look for a key`() throws {
    struct Written: Codable, Identifiable, FetchableRecord, PersistableRecord {
      var id: UUID
      init(from decoder: any Decoder) throws { preconditionFailure("decoded") }
    }
    try makeDatabase(sql: "CREATE TABLE written (id BLOB PRIMARY KEY)").write { db throws in
      #expect(try !Written.exists(db, id: uuid))
      #expect(try Written.filter(key: ["id": uuid]).fetchCount(db) == 0)
    }
  }
}
