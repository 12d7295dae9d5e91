import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

@Suite(.onQueueAndPool)
struct CodableDecodingTests {
  private struct Everything: Codable, Equatable, FetchableRecord {
    var bool: Bool
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var float: Float
    var double: Double
    var string: String
    var data: Data
    var date: Date
    var uuid: UUID
    var url: URL
    var decimal: Decimal
  }

  private static let everything = """
    SELECT 1 AS bool, 2 AS int, 3 AS int8, 4 AS int16, 5 AS int32, 6 AS int64, 7 AS uint, 8 AS uint8,
      9 AS uint16, 10 AS uint32, 11 AS uint64, 1.5 AS float, 2.5 AS double, 'text' AS string,
      x'0102' AS data, '1970-01-02 00:00:00.000' AS date,
      x'00112233445566778899AABBCCDDEEFF' AS uuid, 'https://example.com/a' AS url, '1.1' AS decimal
    """

  private func expectEverything(_ record: Everything) {
    #expect(record.bool)
    #expect(record.int == 2 && record.int8 == 3 && record.int16 == 4 && record.int32 == 5)
    #expect(record.int64 == 6 && record.uint == 7 && record.uint8 == 8 && record.uint16 == 9)
    #expect(record.uint32 == 10 && record.uint64 == 11)
    #expect(record.float == 1.5 && record.double == 2.5 && record.string == "text")
    #expect(record.data == Data([1, 2]))
    #expect(record.date == Date(timeIntervalSince1970: 86400))
    #expect(record.uuid.uuidString == "00112233-4455-6677-8899-AABBCCDDEEFF")
    #expect(record.url == URL(string: "https://example.com/a"))
    #expect(record.decimal == Decimal(string: "1.1"))
  }

  @Test func `All standard types are decoded, from live rows and from rows in memory`() throws {
    try inEmptyDatabase { db in
      expectEverything(try #require(try Everything.fetchOne(db, sql: Self.everything)))
      let rows = try Row.fetchAll(db, sql: Self.everything)
      expectEverything(try Everything(row: rows[0]))
      expectEverything(try FetchableRecordDecoder().decode(Everything.self, from: rows[0]))
    }
  }

  @Test func `Columns may come in any order, with any case`() throws {
    struct Pair: Decodable, FetchableRecord {
      var first: Int
      var second: String
    }
    try inEmptyDatabase { db in
      let sql = "SELECT 'x' AS other, 'b' AS SECOND, 1 AS First, 2 AS first"
      let pair = try #require(try Pair.fetchOne(db, sql: sql))
      #expect(pair.first == 1)
      #expect(pair.second == "b")
    }
  }

  @Test func `Each row of a fetch is decoded`() throws {
    struct Number: Codable, Equatable, FetchableRecord {
      var number: Int
      var name: String?
    }
    try inEmptyDatabase { db throws in
      let sql = """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5)
        SELECT x AS number, CASE WHEN x % 2 THEN NULL ELSE 'n' || x END AS name FROM n
        """
      let expected = (1...5).map { Number(number: $0, name: $0 % 2 == 1 ? nil : "n\($0)") }
      #expect(try Number.fetchAll(db, sql: sql) == expected)
      #expect(try Array(Number.fetchCursor(db, sql: sql)) == expected)
      #expect(try Row.fetchAll(db, sql: sql).map(Number.init) == expected)
      for _ in 1...3 {
        #expect(try Number.fetchOne(db, sql: sql) == expected[0])
      }
    }
  }

  @Test func `Optional properties are nil for NULL and for missing columns`() throws {
    struct Optionals: Decodable, FetchableRecord {
      var bool: Bool?
      var int: Int?
      var string: String?
      var date: Date?
      var data: Data?
      var url: URL?
      var array: [Int]?
    }
    try inEmptyDatabase { db throws in
      for sql in [
        "SELECT 1 AS other",
        "SELECT NULL AS bool, NULL AS int, NULL AS string, NULL AS date, NULL AS data, NULL AS url, "
          + "NULL AS array",
      ] {
        let record = try #require(try Optionals.fetchOne(db, sql: sql))
        #expect(record.bool == nil && record.int == nil && record.string == nil)
        #expect(
          record.date == nil && record.data == nil && record.url == nil && record.array == nil)
      }
    }
  }

  @Test func `A missing property of an optional type of an optional type is nil`() throws {
    struct Shelf: Decodable, FetchableRecord {
      let address: Address??
      enum CodingKeys: CodingKey { case address }
      init(from decoder: any Decoder) throws {
        address = try decoder.container(keyedBy: CodingKeys.self)
          .decode(Address??.self, forKey: .address)
      }
    }
    try makeEmptyDatabase().read { db in
      let shelf = try #require(try Shelf.fetchOne(db, sql: "SELECT 1 AS id"))
      guard case .none = shelf.address else {
        Issue.record("\(String(describing: shelf.address))")
        return
      }
    }
  }

  @Test func `Enumerations are decoded by their raw values`() throws {
    enum Color: String, Codable { case red, blue }
    enum Fast: Int, Codable, DatabaseValueConvertible, StatementColumnConvertible { case one = 1 }
    enum Strict: String, DatabaseValueConvertible, Codable { case a }
    struct Painted: Decodable, FetchableRecord {
      var color: Color
      var fast: Fast
      var strict: Strict
      var maybe: Color?
    }
    try inEmptyDatabase { db in
      let sql = "SELECT 'blue' AS color, 1 AS fast, 'a' AS strict, 'red' AS maybe"
      let painted = try #require(try Painted.fetchOne(db, sql: sql))
      #expect(painted.color == .blue && painted.fast == .one && painted.strict == .a)
      #expect(painted.maybe == .red)
    }
  }

  @Test func `Nested types are decoded from JSON`() throws {
    struct Address: Codable, Equatable {
      var city: String
      var since: Date
      var key: Data
    }
    struct Person: Decodable, FetchableRecord {
      var address: Address
      var old: Address?
      var tags: [String]
      var scores: [String: Int]
      var ids: Set<Int>
    }
    try inEmptyDatabase { db in
      let json = #"{"city":"Paris","since":86400000,"key":"AQI="}"#
      let people = try Person.fetchAll(
        db,
        sql: """
          SELECT ? AS address, CAST(? AS BLOB) AS old, '["a","b"]' AS tags, '{"x":1}' AS scores, '[1,2]' AS ids
          UNION ALL SELECT ?, NULL, '[]', '{}', '[]'
          """, arguments: [json, json, json])
      let address = Address(
        city: "Paris", since: Date(timeIntervalSince1970: 86400), key: Data([1, 2]))
      #expect(people.map(\.address) == [address, address])
      #expect(people.map(\.old) == [address, nil])
      #expect(people.map(\.tags) == [["a", "b"], []])
      #expect(people.map(\.scores) == [["x": 1], [:]])
      #expect(people.map(\.ids) == [[1, 2], []])
    }
  }

  @Test func `A key that JSON lacks is reported with those of its object`() throws {
    struct Stop: Decodable {
      var city: String
    }
    struct Tour: Decodable {
      var stops: [Stop]
      var last: [String: Stop]
    }
    struct Trip: Decodable, FetchableRecord {
      var tour: Tour
    }
    try inEmptyDatabase { db in
      for json in [
        #"{"stops": [{"city": "Paris"}, {"town": "Lyon"}], "last": {}}"#,
        #"{"stops": [], "last": {"way": {"town": "Lyon"}}}"#,
      ] {
        let error = errorText { try Trip.fetchOne(db, sql: "SELECT ? AS tour", arguments: [json]) }
        #expect(
          error?.contains(#"the JSON object has the keys: "town""#) == true, "\(error ?? "none")")
      }
    }
  }

  @Test func `The cause of a refusal is reported`() throws {
    struct Cause: Error, CustomStringConvertible {
      var description: String { "the cellar is full" }
    }
    struct Picky: Decodable {
      init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath, debugDescription: "no place", underlyingError: Cause()))
      }
    }
    struct Holder: Decodable, FetchableRecord {
      var wine: Picky
    }
    try inEmptyDatabase { db in
      let error = errorText { try Holder.fetchOne(db, sql: "SELECT '{}' AS wine") }
      #expect(error?.contains("no place") == true, "\(error ?? "none")")
      #expect(error?.contains("the cellar is full") == true, "\(error ?? "none")")
    }
  }

  @Test func `A type may decode a single value or a container`() throws {
    enum Flexible: Decodable, Equatable {
      case text(String)
      case pair([Int])
      init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self), text.first != "[" {
          self = .text(text)
        } else {
          var container = try decoder.unkeyedContainer()
          self = .pair([try container.decode(Int.self), try container.decode(Int.self)])
        }
      }
    }
    struct Holder: Decodable, FetchableRecord {
      var value: Flexible
    }
    try inEmptyDatabase { db in
      let holders = try Holder.fetchAll(
        db, sql: "SELECT 'a' AS value UNION ALL SELECT '[1,2]' UNION ALL SELECT 'b'")
      #expect(holders.map(\.value) == [.text("a"), .pair([1, 2]), .text("b")])
    }
  }

  private struct Address: Codable, Equatable {
    var city: String
  }

  /// Tries a container before a single value.
  private enum Contact: Codable, Equatable {
    case postal(Address)
    case email(String)

    init(from decoder: any Decoder) throws {
      if let address = try? Address(from: decoder) {
        self = .postal(address)
      } else {
        self = .email(try decoder.singleValueContainer().decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .postal(let address): try address.encode(to: encoder)
      case .email(let text):
        var container = encoder.singleValueContainer()
        try container.encode(text)
      }
    }
  }

  private struct Person: Codable, Equatable, FetchableRecord, PersistableRecord {
    var id: Int64
    var contact: Contact
    var other: Contact?
  }

  @Test func `A type may try a container before a single value`() throws {
    let contacts: [(Contact, String)] = [
      (.email("a@example.com"), "a@example.com"),
      (.postal(Address(city: "Prague")), #"{"city":"Prague"}"#),
      (.email("[no JSON"), "[no JSON"), (.email(#""a""#), #""a""#), (.email("7"), "7"),
    ]
    try inEmptyDatabase { db throws in
      try db.execute(
        sql: "CREATE TABLE person (id INTEGER PRIMARY KEY, contact TEXT, other TEXT)")
      var people: [Person] = []
      for (id, contact) in contacts.enumerated() {
        people.append(Person(id: Int64(id), contact: contact.0, other: id == 0 ? nil : contact.0))
      }
      for person in people { try person.insert(db) }
      #expect(
        try String.fetchAll(db, sql: "SELECT contact FROM person ORDER BY id") == contacts.map(\.1))
      #expect(try Person.order(Column("id")).fetchAll(db) == people)
      let copied = try Row.fetchAll(db, sql: "SELECT * FROM person ORDER BY id")
        .map { try Person(row: $0) }
      #expect(copied == people)
    }
  }

  @Test func `A type that goes on without its container does so in each row`() throws {
    struct Lossy<Value: Decodable>: Decodable {
      var value: Value?
      init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
    }
    struct Holder: Decodable, FetchableRecord {
      var address: Lossy<Address>
    }
    let json = #"{"city":"Rome"}"#
    let pairs: [(texts: [String?], cities: [String?])] = [
      (["[oops", "[oops"], [nil, nil]), ([json, nil], ["Rome", nil]),
      ([nil, json], [nil, "Rome"]),
      (["{oops", json], [nil, "Rome"]), ([json, "Rome"], ["Rome", nil]),
    ]
    try inEmptyDatabase { db in
      for pair in pairs {
        let holders = try Holder.fetchAll(
          db, sql: "SELECT ? AS address UNION ALL SELECT ?",
          arguments: [pair.texts[0], pair.texts[1]])
        let cities = holders.map { $0.address.value?.city }
        #expect(cities == pair.cities)
      }
    }
  }

  @Test func `A type may try several containers`() throws {
    struct Size: Decodable, Equatable {
      var width: Int
    }
    enum Place: Decodable, Equatable {
      case address(Address)
      case size(Size)
      init(from decoder: any Decoder) throws {
        if let address = try? Address(from: decoder) {
          self = .address(address)
        } else if let size = try? Size(from: decoder) {
          self = .size(size)
        } else {
          throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "neither address nor size"))
        }
      }
    }
    struct Holder: Decodable, FetchableRecord {
      var place: Place
    }
    try inEmptyDatabase { db in
      let sql = #"SELECT '{"width":3}' AS place UNION ALL SELECT '{"city":"Rome"}'"#
      let holders = try Holder.fetchAll(db, sql: sql)
      #expect(holders.map(\.place) == [.size(Size(width: 3)), .address(Address(city: "Rome"))])
      let error = errorText { try Holder.fetchAll(db, sql: "SELECT 'x' AS place") }
      #expect(error?.contains("neither address nor size") == true, "\(error ?? "none")")
      #expect(error?.contains(#"column: "place""#) == true, "\(error ?? "none")")
    }
  }

  @Test func `Wrappers of a value are decoded from the value`() throws {
    struct Identifier: Codable, Equatable {
      var raw: Int64
      init(raw: Int64) { self.raw = raw }
      init(from decoder: any Decoder) throws {
        raw = try decoder.singleValueContainer().decode(Int64.self)
      }
    }
    struct Moment: Decodable, Equatable {
      var date: Date?
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        date = container.decodeNil() ? nil : try container.decode(Date.self)
      }
    }
    struct Holder: Decodable, FetchableRecord {
      var id: Identifier
      var moment: Moment
      static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .timeIntervalSinceReferenceDate
      }
    }
    try inEmptyDatabase { db in
      let holders = try Holder.fetchAll(
        db, sql: "SELECT 7 AS id, 1 AS moment UNION ALL SELECT 8, NULL")
      #expect(holders.map(\.id) == [Identifier(raw: 7), Identifier(raw: 8)])
      #expect(holders.map(\.moment.date) == [Date(timeIntervalSinceReferenceDate: 1), nil])
    }
  }

  @Test func `A record that wraps another one is decoded from the same row`() throws {
    struct Base: Codable, FetchableRecord {
      var id: Int
    }
    struct Wrapper: Decodable, FetchableRecord {
      var base: Base
      init(from decoder: any Decoder) throws {
        base = try decoder.singleValueContainer().decode(Base.self)
      }
    }
    try inEmptyDatabase { db throws in
      #expect(
        try Wrapper.fetchAll(db, sql: "SELECT 1 AS id UNION ALL SELECT 2").map(\.base.id) == [1, 2])
    }
  }

  @Test func `Keys of any type are found`() throws {
    struct Free: Decodable, FetchableRecord {
      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
      var values: [String: Int] = [:]
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys {
          values[key.stringValue] = try container.decode(Int.self, forKey: key)
        }
        #expect(!container.contains(Key(stringValue: "missing")))
        #expect(try container.decodeIfPresent(Int.self, forKey: Key(stringValue: "missing")) == nil)
      }
    }
    struct Single: Decodable, FetchableRecord {
      var only: Int
    }
    try inEmptyDatabase { db in
      let columns = (1...40).map { "\($0) AS c\($0)" }.joined(separator: ", ")
      let free = try Free.fetchAll(db, sql: "SELECT \(columns) UNION ALL SELECT \(columns)")
      let expected = Dictionary(uniqueKeysWithValues: (1...40).map { ("c\($0)", $0) })
      #expect(free.map(\.values) == [expected, expected])
      #expect(
        try Single.fetchAll(db, sql: "SELECT 1 AS only UNION ALL SELECT 2").map(\.only) == [1, 2])
    }
  }

  @Test func `A container that escapes throws when it is used later`() throws {
    final class Box {
      var container: KeyedDecodingContainer<Escaping.CodingKeys>?
    }
    struct Escaping: Decodable, FetchableRecord {
      enum CodingKeys: CodingKey { case id }
      let box = Box()
      init(from decoder: any Decoder) throws {
        box.container = try decoder.container(keyedBy: CodingKeys.self)
      }
    }
    var box: Box?
    try inEmptyDatabase { db throws in
      box = try Escaping(row: Row.only(db, "SELECT 1 AS id")).box
      db.clearSchemaCache()
    }
    #expect(throws: (any Error).self) { try box?.container?.decode(Int.self, forKey: .id) }
    #expect(throws: (any Error).self) { try box?.container?.decode(UUID.self, forKey: .id) }
  }

  @Test func `A hand-written initialiser may go through the Decodable one`() throws {
    struct Player: Codable, FetchableRecord {
      var id: Int
      var isLoaded = false
      private enum CodingKeys: CodingKey { case id }
      init(row: Row) throws {
        self = try FetchableRecordDecoder().decode(Player.self, from: row)
        isLoaded = true
      }
    }
    try inEmptyDatabase { db in
      let player = try #require(try Player.fetchOne(db, sql: "SELECT 1 AS id"))
      #expect(player.id == 1 && player.isLoaded)
    }
  }

  @Test func `The user info reaches the initialiser and JSON`() throws {
    struct Nested: Decodable {
      var context: String
      init(from decoder: any Decoder) throws {
        context = decoder.userInfo[.context] as? String ?? "none"
        _ = try decoder.unkeyedContainer()
      }
    }
    struct Aware: Decodable, FetchableRecord {
      var context: String
      var nested: Nested
      static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [.context: "test"] }
      private enum CodingKeys: CodingKey { case nested }
      init(from decoder: any Decoder) throws {
        context = decoder.userInfo[.context] as? String ?? "none"
        nested = try decoder.container(keyedBy: CodingKeys.self).decode(
          Nested.self, forKey: .nested)
      }
    }
    try inEmptyDatabase { db in
      let aware = try #require(try Aware.fetchOne(db, sql: "SELECT '[]' AS nested"))
      #expect(aware.context == "test" && aware.nested.context == "test")
    }
  }
}

extension CodingUserInfoKey {
  fileprivate static var context: CodingUserInfoKey { CodingUserInfoKey(rawValue: "context")! }
}
