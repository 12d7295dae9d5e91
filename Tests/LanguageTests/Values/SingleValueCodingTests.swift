import Foundation
import Testing

@testable import Quarry

/// Types that encode a single value are stored as this value, whatever it is.
struct SingleValueCodingTests {
  private struct Box<Value: Codable & Equatable>: Codable, DatabaseValueConvertible, Equatable {
    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Value.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  /// Encodes and decodes with the methods for one type, which generic code does not call.
  private struct Direct<Value: DatabaseValueConvertible & Equatable>: Codable,
    DatabaseValueConvertible, Equatable
  {
    var value: Value

    init(_ value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let decoded: Any? =
        switch Value.self {
        case is Bool.Type: try container.decode(Bool.self)
        case is Int.Type: try container.decode(Int.self)
        case is Int8.Type: try container.decode(Int8.self)
        case is Int16.Type: try container.decode(Int16.self)
        case is Int32.Type: try container.decode(Int32.self)
        case is Int64.Type: try container.decode(Int64.self)
        case is UInt.Type: try container.decode(UInt.self)
        case is UInt8.Type: try container.decode(UInt8.self)
        case is UInt16.Type: try container.decode(UInt16.self)
        case is UInt32.Type: try container.decode(UInt32.self)
        case is UInt64.Type: try container.decode(UInt64.self)
        case is Float.Type: try container.decode(Float.self)
        case is Double.Type: try container.decode(Double.self)
        default: try container.decode(String.self)
        }
      value = try #require(decoded as? Value)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case let value as Bool: try container.encode(value)
      case let value as Int: try container.encode(value)
      case let value as Int8: try container.encode(value)
      case let value as Int16: try container.encode(value)
      case let value as Int32: try container.encode(value)
      case let value as Int64: try container.encode(value)
      case let value as UInt: try container.encode(value)
      case let value as UInt8: try container.encode(value)
      case let value as UInt16: try container.encode(value)
      case let value as UInt32: try container.encode(value)
      case let value as UInt64: try container.encode(value)
      case let value as Float: try container.encode(value)
      case let value as Double: try container.encode(value)
      default: try container.encode("\(value)")
      }
    }
  }

  private func check<Value: DatabaseValueConvertible & Codable & Equatable>(
    _ value: Value, _ storage: DatabaseValue.Storage
  ) {
    #expect(Box(value).databaseValue.storage == storage)
    #expect(Box<Value>.fromDatabaseValue(DatabaseValue(storage: storage)) == Box(value))
    #expect(Direct(value).databaseValue.storage == storage)
    #expect(Direct<Value>.fromDatabaseValue(DatabaseValue(storage: storage)) == Direct(value))
    #expect(Box<Value>.fromDatabaseValue(.null) == nil)
    #expect(Direct<Value>.fromDatabaseValue(.null) == nil)
  }

  @Test func `each type is stored as itself`() {
    check(true, .int64(1))
    check(-1 as Int, .int64(-1))
    check(-8 as Int8, .int64(-8))
    check(-16 as Int16, .int64(-16))
    check(-32 as Int32, .int64(-32))
    check(-64 as Int64, .int64(-64))
    check(1 as UInt, .int64(1))
    check(8 as UInt8, .int64(8))
    check(16 as UInt16, .int64(16))
    check(32 as UInt32, .int64(32))
    check(64 as UInt64, .int64(64))
    check(0.5 as Float, .double(0.5))
    check(0.1 as Double, .double(0.1))
    check("text", .string("text"))
  }

  @Test func `values that do not fit are failures`() {
    #expect(Box<Int8>.fromDatabaseValue(128.databaseValue) == nil)
    #expect(Direct<UInt16>.fromDatabaseValue((-1).databaseValue) == nil)
    #expect(Box<String>.fromDatabaseValue(1.databaseValue) == nil)
    #expect(Box(UInt64.max).databaseValue.invalidReason != nil)
  }

  private enum Nothing: Codable, DatabaseValueConvertible {
    case nothing

    init(from decoder: any Decoder) throws {
      guard try decoder.singleValueContainer().decodeNil() else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "something"))
      }
      self = .nothing
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }

  @Test func `nothing is stored as null`() {
    #expect(Nothing.nothing.databaseValue == .null)
    #expect(Nothing.fromDatabaseValue(.null) == .nothing)
    #expect(Nothing.fromDatabaseValue(1.databaseValue) == nil)
  }

  /// Tries a container before a single value.
  private enum Contact: Codable, DatabaseValueConvertible, Equatable {
    case phone(numbers: [Int])
    case email(String)

    init(from decoder: any Decoder) throws {
      if let numbers = try? [Int](from: decoder) {
        self = .phone(numbers: numbers)
      } else {
        self = .email(try decoder.singleValueContainer().decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .phone(let numbers): try numbers.encode(to: encoder)
      case .email(let text):
        var container = encoder.singleValueContainer()
        try container.encode(text)
      }
    }
  }

  @Test func `a type may try a container before a single value`() {
    let contacts: [(Contact, String)] = [
      (.phone(numbers: [1, 2]), "[1,2]"), (.email("a@example.com"), "a@example.com"),
      (.email("[1"), "[1"), (.email(#""a""#), #""a""#),
    ]
    for (contact, text) in contacts {
      #expect(contact.databaseValue.storage == .string(text))
      #expect(Contact.fromDatabaseValue(text.databaseValue) == contact)
      #expect(Contact.fromDatabaseValue(Data(text.utf8).databaseValue) == contact)
    }
    #expect(Contact.fromDatabaseValue(7.databaseValue) == nil)
  }

  /// Encodes itself by the parts of containers that few types use.
  fileprivate struct Nested: Codable, DatabaseValueConvertible {
    enum Form: CaseIterable {
      case keyedNil, keyedInKeyed, unkeyedInKeyed, superOfKeyed, superForKey
      case unkeyedNil, keyedInUnkeyed, unkeyedInUnkeyed, superOfUnkeyed, empty
    }
    enum Key: String, CodingKey { case a }
    var form: Form

    init(form: Form) { self.form = form }
    init(from decoder: any Decoder) throws { form = .empty }

    func encode(to encoder: any Encoder) throws {
      switch form {
      case .unkeyedNil, .keyedInUnkeyed, .unkeyedInUnkeyed, .superOfUnkeyed, .empty:
        try encodeUnkeyed(encoder.unkeyedContainer())
      default: try encodeKeyed(encoder.container(keyedBy: Key.self))
      }
    }

    private func encodeKeyed(_ container: KeyedEncodingContainer<Key>) throws {
      var container = container
      switch form {
      case .keyedNil: try container.encodeNil(forKey: .a)
      case .keyedInKeyed:
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        try nested.encode(1, forKey: .a)
      case .unkeyedInKeyed:
        var nested = container.nestedUnkeyedContainer(forKey: .a)
        try nested.encode(1)
      case .superOfKeyed: try 1.encode(to: container.superEncoder())
      default: try 1.encode(to: container.superEncoder(forKey: .a))
      }
    }

    private func encodeUnkeyed(_ container: any UnkeyedEncodingContainer) throws {
      var container = container
      switch form {
      case .unkeyedNil: try container.encodeNil()
      case .keyedInUnkeyed:
        var nested = container.nestedContainer(keyedBy: Key.self)
        try nested.encode(1, forKey: .a)
      case .unkeyedInUnkeyed:
        var nested = container.nestedUnkeyedContainer()
        try nested.encode(1)
      case .superOfUnkeyed: try 1.encode(to: container.superEncoder())
      default: break
      }
    }
  }

  @Test(
    arguments: [
      (.keyedNil, #"{"a":null}"#), (.keyedInKeyed, #"{"a":{"a":1}}"#),
      (.unkeyedInKeyed, #"{"a":[1]}"#),
      (.superOfKeyed, #"{"super":1}"#), (.superForKey, #"{"a":1}"#), (.unkeyedNil, "[null]"),
      (.keyedInUnkeyed, #"[{"a":1}]"#), (.unkeyedInUnkeyed, "[[1]]"), (.superOfUnkeyed, "[1]"),
      (.empty, "[]"),
    ] as [(Nested.Form, String)])
  fileprivate func `containers are stored as JSON`(form: Nested.Form, json: String) {
    #expect(Nested(form: form).databaseValue.storage == .string(json))
  }
}
