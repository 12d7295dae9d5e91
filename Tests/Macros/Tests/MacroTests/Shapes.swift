import Foundation
import QuarryMacros
import Testing

// Records by macro, each with a twin that does without: by Codable, or by hand.

@Record struct Plain: Equatable {
  @PrimaryKey var id: Int64?
  var name: String
  var count: Int
  var ratio: Double
  var isOn: Bool = true
}

struct PlainTwin: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String
  var count: Int
  var ratio: Double
  var isOn: Bool

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

@Record struct Sparse: Equatable {
  @PrimaryKey var id: Int?
  var name: String?
  var count: Optional<Int>
  var ratio: Double?
  var isOn: Bool?
  var bytes: Data?
}

struct SparseTwin: Codable, Equatable, FetchableRecord, MutablePersistableRecord {
  var id: Int?
  var name: String?
  var count: Int?
  var ratio: Double?
  var isOn: Bool?
  var bytes: Data?

  mutating func didInsert(_ inserted: InsertionSuccess) { id = Int(inserted.rowID) }
}

@Record struct Numbers: Equatable {
  var a: Int8
  var b: UInt16?
  var c: Int32
  var d: UInt8, e: Int16
  var f: Float
  var g: Decimal
  let h: Int64
}

struct NumbersTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var a: Int8
  var b: UInt16?
  var c: Int32
  var d: UInt8
  var e: Int16
  var f: Float
  var g: Decimal
  let h: Int64
}

enum Size: Int, Codable, DatabaseValueConvertible, CaseIterable {
  case small, medium, large
}

enum Color: String, Codable, DatabaseValueConvertible, CaseIterable {
  case red, green
}

struct Words: Codable, Equatable, DatabaseValueConvertible {
  var words: [String]
}

@Record("all choices") struct Choices: Equatable {
  @PrimaryKey let code: String
  var size: Size
  var color: Color?
  @Column("the words") var words: Words
  var link: URL?
}

struct ChoicesTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  let code: String
  var size: Size
  var color: Color?
  var words: Words
  var link: URL?

  enum CodingKeys: String, CodingKey {
    case code, size, color, link
    case words = "the words"
  }
}

@Record struct Times: Equatable {
  var text: Date
  var optionalText: Date?
  @Column(as: UnixSeconds.self) var seconds: Date
  @Column(as: UnixMilliseconds.self) var milliseconds: Date
  @Column(as: UnixMilliseconds.self) var optional: Date?
  @Column(as: ISO8601.self) var iso: Date
}

struct TimesTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var text: Date
  var optionalText: Date?
  var seconds: Date
  var milliseconds: Date
  var optional: Date?
  var iso: Date

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    switch column {
    case "seconds": .timeIntervalSince1970
    case "milliseconds", "optional": .millisecondsSince1970
    case "iso": .iso8601
    default: .deferredToDate
    }
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    switch column {
    case "seconds": .timeIntervalSince1970
    case "milliseconds", "optional": .millisecondsSince1970
    case "iso": .iso8601
    default: .deferredToDate
    }
  }
}

@Record struct Keys: Equatable {
  var blob: UUID
  @Column(as: UppercaseText.self) var upper: UUID
  @Column(as: LowercaseText.self) var lower: UUID?
}

struct KeysTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var blob: UUID
  var upper: UUID
  var lower: UUID?

  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    switch column {
    case "upper": .uppercaseString
    case "lower": .lowercaseString
    default: .deferredToUUID
    }
  }
}

@Record struct Trees: Equatable {
  struct Node: Codable, Equatable {
    var name: String
    var date: Date
    var bytes: Data
  }

  @JSON var words: [String]
  @JSON var counts: [String: Int]?
  @JSON var nodes: [Node]
  @JSON @Column("the_set") var set: Set<Int>
}

struct TreesTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var words: [String]
  var counts: [String: Int]?
  var nodes: [Trees.Node]
  var set: Set<Int>

  enum CodingKeys: String, CodingKey {
    case words, counts, nodes
    case set = "the_set"
  }
}

@Embeddable struct Place: Equatable {
  var latitude: Double
  var longitude: Double
}

@Embeddable struct Address: Equatable {
  var street: String
  @Column("town") var city: String?
  @Embedded var place: Place?
  @Column(as: UppercaseText.self) var key: UUID?
}

@Record struct Customer: Equatable {
  var name: String
  @Embedded var home: Address
  @Embedded(prefix: "w") var work: Address?
  var age: Int
}

/// The columns of `Customer`, one by one.
struct CustomerTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var name: String
  var home_street: String
  var home_town: String?
  var home_place_latitude: Double?
  var home_place_longitude: Double?
  var home_key: UUID?
  var wstreet: String?
  var wtown: String?
  var wplace_latitude: Double?
  var wplace_longitude: Double?
  var wkey: UUID?
  var age: Int

  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
    .uppercaseString
  }
}

@Record final class Box: Equatable {
  @PrimaryKey var id: Int64?
  var name: String
  @JSON var items: [Int]

  init(id: Int64? = nil, name: String, items: [Int]) {
    self.id = id
    self.name = name
    self.items = items
  }

  static func == (lhs: Box, rhs: Box) -> Bool {
    lhs.id == rhs.id && lhs.name == rhs.name && lhs.items == rhs.items
  }
}

/// By hand: by the names of columns.
struct BoxTwin: Equatable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String
  var items: [Int]

  init(id: Int64?, name: String, items: [Int]) {
    self.id = id
    self.name = name
    self.items = items
  }

  init(row: Row) throws {
    id = row["id"]
    name = row["name"]
    items = try JSONDecoder().decode([Int].self, from: row["items"])
  }

  func encode(to container: inout PersistenceContainer) throws {
    container["id"] = id
    container["name"] = name
    container["items"] = try String(decoding: JSONEncoder().encode(items), as: UTF8.self)
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

@Record struct Pair<First: DatabaseValueConvertible & Equatable>: Equatable {
  var first: First
  var second: First?
}

struct PairTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var first: String
  var second: String?
}

enum Outer {
  struct Inner<Element: DatabaseValueConvertible & Equatable> {
    @Record fileprivate struct Nested: Equatable {
      private var element: Element
      fileprivate let `default`: Int

      fileprivate init(element: Element, default number: Int) {
        self.element = element
        self.default = number
      }
    }
  }
}

struct NestedTwin: Codable, Equatable, FetchableRecord, PersistableRecord {
  var element: Bool
  var `default`: Int
}

extension TwinTests {
  @Test func `nested, generic and private`() throws {
    try check("element BOOLEAN, \"default\" INTEGER") {
      let (element, number) = ($0.bool(), $0.int())
      return (
        Outer.Inner<Bool>.Nested(element: element, default: number),
        NestedTwin(element: element, default: number)
      )
    }
  }
}
