import Foundation
import Quarry
import QuarryTestSupport

extension SplitMix64 {
  /// A database value of any kind.
  mutating func databaseValue() -> DatabaseValue {
    switch below(7) {
    case 0: .null
    case 1: int64().databaseValue
    case 2: double().databaseValue
    case 3: Data(bytes(below(20))).databaseValue
    case 4: dateLikeText().databaseValue
    case 5: pick(Self.strangeTexts).databaseValue
    default: text().databaseValue
    }
  }

  private static let strangeTexts = [
    "", "0", "-1", "1e400", "9223372036854775808", "NaN", "{\"a\":1}", "[1,2", "null", "\"x\"",
    "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "http://é ü", "%00", "true", "0x1F",
  ]

  /// A text that looks like a date, more or less.
  mutating func dateLikeText() -> String {
    var text = pick([
      "2024-02-29 13:05:59.123+02:00", "1969-12-31T23:59:58Z", "9999-99-99 99:99:99.999999",
      "0000-00-00", "13:05", "13:05:59.1-23:59",
    ])
    for _ in 0..<below(3) {
      let position = text.index(text.startIndex, offsetBy: below(text.count))
      if chance(2) {
        text.insert(pick("0123456789-: .+ZT\u{661}é\0"), at: position)
      } else {
        text.remove(at: position)
      }
      if text.isEmpty { break }
    }
    return text
  }

  /// Arguments: by position, by name, or both.
  mutating func arguments() -> StatementArguments {
    let values = (0..<below(4)).map { _ in databaseValue() }
    let names = ["a", "b", "é", "", "1"].filter { _ in chance(3) }
    var named: [String: (any DatabaseValueConvertible)?] = [:]
    for name in names { named[name] = databaseValue() }
    return StatementArguments(values) + StatementArguments(named)
  }
}

/// A type to decode, by the ways that rows have.
struct DecodedType: @unchecked Sendable, CustomStringConvertible {
  let description: String
  let fromValue: (DatabaseValue) -> Bool
  let atIndex: (Row, Int) throws -> Void
  let forColumn: (Row, String) throws -> Void
  /// By subscripts, which remember their failures while a record is decoded.
  let bySubscript: (Row, Int, String) -> Void
  let fetchAll: (Statement, (any RowAdapter)?) throws -> Void
  let fetchOne: (Statement, (any RowAdapter)?) throws -> Void
}

extension DecodedType {
  init<Value: DatabaseValueConvertible>(converted type: Value.Type) {
    description = "\(type)"
    fromValue = { Value.fromDatabaseValue($0) != nil }
    atIndex = { row, index in _ = try row.decode(Value.self, atIndex: index) }
    forColumn = { row, name in _ = try row.decode(Value.self, forColumn: name) }
    bySubscript = { row, index, name in
      let values: (Value, Value, Value?) = (row[index], row[name], row[name])
      _ = values
    }
    fetchAll = { statement, adapter in _ = try Value.fetchAll(statement, adapter: adapter) }
    fetchOne = { statement, adapter in _ = try Value.fetchOne(statement, adapter: adapter) }
  }

  init<Value: DatabaseValueConvertible & StatementColumnConvertible>(direct type: Value.Type) {
    description = "\(type)"
    fromValue = { Value.fromDatabaseValue($0) != nil }
    atIndex = { row, index in _ = try row.decode(Value.self, atIndex: index) }
    forColumn = { row, name in _ = try row.decode(Value.self, forColumn: name) }
    bySubscript = { row, index, name in
      let values: (Value, Value, Value?) = (row[index], row[name], row[name])
      _ = values
    }
    fetchAll = { statement, adapter in _ = try Value.fetchAll(statement, adapter: adapter) }
    fetchOne = { statement, adapter in _ = try Value.fetchOne(statement, adapter: adapter) }
  }

  enum Genre: String, DatabaseValueConvertible { case novel, poetry }

  enum Level: Int8, Codable, DatabaseValueConvertible, StatementColumnConvertible {
    case low, high
  }

  struct Address: Codable, DatabaseValueConvertible {
    var street: String
    var numbers: [Int]?
  }

  static let all: [DecodedType] = [
    DecodedType(direct: Bool.self), DecodedType(direct: Int.self), DecodedType(direct: Int8.self),
    DecodedType(direct: Int16.self), DecodedType(direct: Int32.self),
    DecodedType(direct: Int64.self), DecodedType(direct: UInt.self),
    DecodedType(direct: UInt8.self), DecodedType(direct: UInt16.self),
    DecodedType(direct: UInt32.self), DecodedType(direct: UInt64.self),
    DecodedType(direct: Double.self), DecodedType(direct: Float.self),
    DecodedType(converted: CGFloat.self), DecodedType(direct: String.self),
    DecodedType(direct: Data.self), DecodedType(direct: Date.self),
    DecodedType(direct: UUID.self), DecodedType(direct: Decimal.self),
    DecodedType(converted: URL.self), DecodedType(direct: DatabaseDateComponents.self),
    DecodedType(converted: DatabaseValue.self), DecodedType(converted: NSNumber.self),
    DecodedType(converted: NSString.self), DecodedType(converted: NSData.self),
    DecodedType(converted: NSDate.self), DecodedType(converted: NSURL.self),
    DecodedType(converted: NSUUID.self), DecodedType(converted: Genre.self),
    DecodedType(direct: Level.self), DecodedType(converted: Address.self),
    DecodedType(direct: Int?.self), DecodedType(direct: String?.self),
    DecodedType(direct: Date?.self), DecodedType(converted: Genre?.self),
    DecodedType(converted: Address?.self),
  ]
}
