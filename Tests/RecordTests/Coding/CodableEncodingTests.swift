import Foundation
import QuarryTestSupport
import Testing

@testable import Quarry

private func encoded(_ record: some EncodableRecord) throws -> [String] {
  try PersistenceContainer(record).map { "\($0)=\($1)" }
}

@Suite(.onQueueAndPool)
struct CodableEncodingTests {
  private struct Everything: Encodable, EncodableRecord {
    var bool = true
    var int = 1
    var int8: Int8 = 2
    var int16: Int16 = 3
    var int32: Int32 = 4
    var int64: Int64 = 5
    var uint: UInt = 6
    var uint8: UInt8 = 7
    var uint16: UInt16 = 8
    var uint32: UInt32 = 9
    var uint64: UInt64 = 10
    var float: Float = 1.5
    var double = 2.5
    var string = "text"
    var data = Data([1, 2])
    var date = Date(timeIntervalSince1970: 86400)
    var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var url = URL(string: "https://example.com/a")
    var decimal = Decimal(string: "1.1")
  }

  @Test func `All standard types are stored as themselves`() throws {
    #expect(
      try encoded(Everything()) == [
        "bool=1", "int=1", "int8=2", "int16=3", "int32=4", "int64=5", "uint=6", "uint8=7",
        "uint16=8", "uint32=9", "uint64=10", "float=1.5", "double=2.5", #"string="text""#,
        "data=Data(2 bytes)", #"date="1970-01-02 00:00:00.000""#, "uuid=Data(16 bytes)",
        #"url="https://example.com/a""#, #"decimal="1.1""#,
      ])
  }

  @Test func `Nil is stored as NULL, and the column is there`() throws {
    struct Optionals: Encodable, EncodableRecord {
      var bool: Bool?
      var int: Int?
      var int8: Int8?
      var int16: Int16?
      var int32: Int32?
      var int64: Int64?
      var uint: UInt?
      var uint8: UInt8?
      var uint16: UInt16?
      var uint32: UInt32?
      var uint64: UInt64?
      var float: Float?
      var double: Double?
      var string: String?
      var data: Data?
      var date: Date?
      var array: [Int]?
    }
    let columns = try encoded(Optionals())
    #expect(columns.count == 17)
    #expect(columns.allSatisfy { $0.hasSuffix("=NULL") })
    let full = Optionals(bool: false, int8: 3, string: "x", array: [1])
    #expect(
      try encoded(full).filter { !$0.hasSuffix("NULL") } == [
        "bool=0", "int8=3", #"string="x""#, #"array="[1]""#,
      ])
  }

  @Test func `Enumerations and wrappers are stored as their value, other types as JSON`() throws {
    enum Color: String, Codable { case red }
    struct Wrapper: Encodable {
      var date: Date
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date)
      }
    }
    struct Address: Encodable {
      var street = "rue / x"
      var city: String? = "Paris"
      var since = Date(timeIntervalSince1970: 1)
      var key = Data([1, 2])
    }
    struct Person: Encodable, EncodableRecord {
      var color = Color.red
      var wrapper = Wrapper(date: Date(timeIntervalSinceReferenceDate: 1))
      var address = Address()
      var tags = ["b", "a"]
      var none: [Int] = []
      var scores = ["z": 1, "a": 2]
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .timeIntervalSinceReferenceDate
      }
    }
    #expect(
      try PersistenceContainer(Person()).map(\.1.storage) == [
        .string("red"), .double(1),
        .string(#"{"city":"Paris","key":"AQI=","since":1000,"street":"rue \/ x"}"#),
        .string(#"["b","a"]"#), .string("[]"), .string(#"{"a":2,"z":1}"#),
      ])
  }

  @Test func `A type may encode one value or several`() throws {
    enum Flexible: Encodable {
      case one(Int)
      case several([Int])
      func encode(to encoder: any Encoder) throws {
        switch self {
        case .one(let value):
          var container = encoder.singleValueContainer()
          try container.encode(value)
        case .several(let values):
          var container = encoder.unkeyedContainer()
          for value in values { try container.encode(value) }
        }
      }
    }
    struct Holder: Encodable, PersistableRecord {
      static let databaseTableName = "note"
      var text: Flexible
    }
    try inBookshop { db, _ throws in
      for value in [Flexible.one(1), .several([1, 2]), .one(3), .several([])] {
        try Holder(text: value).insert(db)
      }
      #expect(
        try String.fetchAll(db, sql: "SELECT text FROM note WHERE rowid > 2") == [
          "1", "[1,2]", "3", "[]",
        ])
    }
  }

  @Test func `A wrapper of one value is stored by the strategies of its record`() throws {
    struct Wrapper<Value: Encodable>: Encodable {
      var value: Value
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }
    struct Holder<Value: Encodable>: Encodable, EncodableRecord {
      var value: Wrapper<Value>
      static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        .text
      }
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        .secondsSince1970
      }
      static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .lowercaseString
      }
    }
    func column(_ value: some Encodable) throws -> DatabaseValue? {
      let container = try PersistenceContainer(Holder(value: Wrapper(value: value)))
      return container["value"]?.databaseValue
    }
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    #expect(try column(Data("Emma".utf8)) == "Emma".databaseValue)
    #expect(try column(Date(timeIntervalSince1970: 7)) == 7.databaseValue)
    #expect(try column(uuid) == "00112233-4455-6677-8899-aabbccddeeff".databaseValue)
    #expect(try column(2.5) == 2.5.databaseValue)
  }

  @Test func `A record that wraps another one has its columns`() throws {
    struct Base: Encodable, EncodableRecord {
      var id = 1
      var name = "x"
    }
    struct Wrapper: Encodable, EncodableRecord {
      var base = Base()
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(base)
      }
    }
    struct Forwarding: Encodable, EncodableRecord {
      var base = Base()
      func encode(to encoder: any Encoder) throws { try base.encode(to: encoder) }
    }
    struct Plain: Encodable {
      var id = 1
      var name = "x"
    }
    struct PlainWrapper: Encodable, EncodableRecord {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Plain())
      }
    }
    #expect(try encoded(Wrapper()) == ["id=1", #"name="x""#])
    #expect(try encoded(PlainWrapper()) == ["id=1", #"name="x""#])
    #expect(try encoded(Forwarding()) == ["id=1", #"name="x""#])
  }

  @Test func `A superclass is encoded into the same columns`() throws {
    class Parent: Encodable {
      var id = 1
    }
    final class Child: Parent, EncodableRecord {
      var name = "x"
      private enum CodingKeys: CodingKey { case name }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try super.encode(to: container.superEncoder())
      }
    }
    #expect(try encoded(Child()) == [#"name="x""#, "id=1"])
  }

  @Test func `What is no set of columns throws`() throws {
    struct Scalar: Encodable, EncodableRecord {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
      }
    }
    struct List: Encodable, EncodableRecord {
      func encode(to encoder: any Encoder) throws { _ = encoder.unkeyedContainer() }
    }
    struct Nested: Encodable, EncodableRecord {
      enum CodingKeys: CodingKey { case a, b }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .a)
        try nested.encode(1, forKey: .b)
      }
    }
    #expect(message { try encoded(Scalar()) } == "Can't encode a single value in a database row.")
    #expect(message { try encoded(List()) } == "unkeyed encoding is not supported")
    #expect(
      message { try encoded(Nested()) }
        == "not implemented: building a nested JSON container for the column 'a'")
  }

  private func message(_ body: () throws -> some Any) -> String? {
    do {
      _ = try body()
    } catch EncodingError.invalidValue(_, let context) {
      return context.debugDescription
    } catch {}
    return nil
  }

  @Test func `A record whose encoding fails is not inserted, and others are`() throws {
    struct Failing: Encodable, PersistableRecord {
      static let databaseTableName = "note"
      var text: [Double]
    }
    try inBookshop { db, _ throws in
      do {
        try Failing(text: [.nan]).insert(db)
        Issue.record("no error")
      } catch EncodingError.invalidValue(let value, let context) {
        #expect((value as? Double)?.isNaN == true)
        #expect(context.codingPath.first?.stringValue == "text")
      }
      try Failing(text: [1]).insert(db)
      #expect(try Note.fetchCount(db) == 3)
    }
  }

  @Test func `The error of a property that has requested a container is thrown`() throws {
    struct Refusal: Error {}
    struct Shelf: Encodable {
      enum CodingKeys: CodingKey { case number }
      let number: Int?
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        guard let number else { throw Refusal() }
        try container.encode(number, forKey: .number)
      }
    }
    struct Copy: Encodable, EncodableRecord {
      var shelf: Shelf
    }
    for _ in 1...2 {
      #expect(throws: Refusal.self) { try encoded(Copy(shelf: Shelf(number: nil))) }
      let container = try PersistenceContainer(Copy(shelf: Shelf(number: 3)))
      #expect(container.map(\.1.storage) == [.string(#"{"number":3}"#)])
    }
  }

  @Test func `The user info reaches the record and JSON`() throws {
    struct Aware: Encodable, EncodableRecord {
      struct Nested: Encodable {
        func encode(to encoder: any Encoder) throws {
          var container = encoder.unkeyedContainer()
          try container.encode(encoder.userInfo[.context] as? String)
        }
      }
      enum CodingKeys: CodingKey { case own, nested }
      static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [.context: "test"] }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(encoder.userInfo[.context] as? String, forKey: .own)
        try container.encode(Nested(), forKey: .nested)
      }
    }
    #expect(
      try PersistenceContainer(Aware()).map(\.1.storage) == [
        .string("test"), .string(#"["test"]"#),
      ])
  }
}

extension CodingUserInfoKey {
  fileprivate static var context: CodingUserInfoKey { CodingUserInfoKey(rawValue: "context")! }
}

@Suite(.onQueueAndPool)
struct EncodingStrategyTests {
  private static let date = Date(timeIntervalSince1970: -1.5)

  static let dates: [(DatabaseDateEncodingStrategy, DatabaseValue.Storage)] = [
    (.deferredToDate, .string("1969-12-31 23:59:58.500")),
    (.timeIntervalSinceReferenceDate, .double(-978_307_201.5)),
    (.timeIntervalSince1970, .double(-1.5)),
    (.secondsSince1970, .int64(-2)),
    (.millisecondsSince1970, .int64(-1500)),
    (.iso8601, .string("1969-12-31T23:59:58Z")),
    (.custom { _ in "custom" }, .string("custom")),
    (.custom { _ in nil }, .null),
  ]

  @Test(arguments: dates.indices)
  func `A date is stored by its strategy`(index: Int) throws {
    let (strategy, stored) = Self.dates[index]
    #expect(try strategy.encode(Self.date).storage == stored)
  }

  @Test func `A date is stored in the format of a formatter`() throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "dd/MM/yyyy"
    #expect(
      try DatabaseDateEncodingStrategy.formatted(formatter).encode(Self.date).storage
        == .string("31/12/1969"))
  }

  @Test func `A date that does not fit an integer throws`() {
    let strategy = DatabaseDateEncodingStrategy.millisecondsSince1970
    #expect(throws: EncodingError.self) {
      try strategy.encode(Date(timeIntervalSince1970: .greatestFiniteMagnitude))
    }
  }

  @Test func `Data are stored by their strategy`() throws {
    let data = Data("é".utf8)
    #expect(try DatabaseDataEncodingStrategy.deferredToData.encode(data).storage == .blob(data))
    #expect(try DatabaseDataEncodingStrategy.text.encode(data).storage == .string("é"))
    #expect(try DatabaseDataEncodingStrategy.custom { $0.count }.encode(data).storage == .int64(2))
    #expect(
      errorText { try DatabaseDataEncodingStrategy.text.encode(Data([0xFF])) }?
        .contains("Non-UTF8 data can't be encoded as text in the database") == true)
  }

  @Test func `UUIDs are stored by their strategy`() {
    let uuid = UUID(uuid: (0xAB, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    #expect(DatabaseUUIDEncodingStrategy.deferredToUUID.encode(uuid) == uuid.databaseValue)
    #expect(
      DatabaseUUIDEncodingStrategy.uppercaseString.encode(uuid).storage
        == .string("AB020304-0506-0708-090A-0B0C0D0E0F10"))
    #expect(
      DatabaseUUIDEncodingStrategy.lowercaseString.encode(uuid).storage
        == .string("ab020304-0506-0708-090a-0b0c0d0e0f10"))
  }

  @Test func `Strategies depend on the column, which depends on the key`() throws {
    struct Strategic: Codable, EncodableRecord {
      var firstDate = Date(timeIntervalSince1970: 1)
      var secondDate = Date(timeIntervalSince1970: 2)
      var theData = Data("a".utf8)
      var theUUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
        .convertToSnakeCase
      }
      static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
        column == "first_date" ? .secondsSince1970 : .timeIntervalSince1970
      }
      static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        column == "the_data" ? .text : .deferredToData
      }
      static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        column == "the_uuid" ? .uppercaseString : .deferredToUUID
      }
    }
    let container = try PersistenceContainer(Strategic())
    #expect(container.map(\.0) == ["first_date", "second_date", "the_data", "the_uuid"])
    #expect(
      container.map(\.1.storage) == [
        .int64(1), .double(2), .string("a"), .string("01020304-0506-0708-090A-0B0C0D0E0F10"),
      ])
  }

  @Test func `Columns are named by a function`() throws {
    struct Custom: Codable, EncodableRecord {
      var a = 1
      static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
        .custom { $0.stringValue + "_column" }
      }
    }
    #expect(try Custom().databaseDictionary == ["a_column": 1.databaseValue])
  }

  @Test func `One JSON encoder serves all records of a connection`() throws {
    struct Tagged: Encodable, PersistableRecord {
      nonisolated(unsafe) static var encoders = 0
      static let databaseTableName = "note"
      var text: [Date]
      static func databaseJSONEncoder(for column: String) -> JSONEncoder {
        encoders += 1
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return encoder
      }
    }
    Tagged.encoders = 0
    try inBookshop { db, _ throws in
      for second in 1...5 {
        try Tagged(text: [Date(timeIntervalSince1970: Double(second))]).insert(db)
      }
      #expect(Tagged.encoders == 1)
      #expect(
        try String.fetchAll(db, sql: "SELECT text FROM note WHERE rowid > 5") == ["[4]", "[5]"])
    }
  }
}
