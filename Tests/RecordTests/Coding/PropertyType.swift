import Foundation
import Quarry
import Testing

/// A value of each storage class, as SQL: usual ones, those that are out of range, and malformed
/// ones.
enum Stored: String, CaseIterable, Sendable {
  case null = "NULL"
  case integer = "1000"
  case negative = "-1"
  case large = "9223372036854775807"
  case real = "1.5"
  case huge = "1e+30"
  case text = "'abc'"
  case digits = "'12'"
  case empty = "''"
  case broken = "CAST(x'FF' AS TEXT)"
  case blob = "x'FF'"
  case emptyBlob = "x''"

  /// As errors show it.
  var description: String {
    switch self {
    case .null, .integer, .negative, .large, .real, .huge: rawValue
    case .text: #""abc""#
    case .digits: #""12""#
    case .empty: #""""#
    case .broken: "\"\u{FFFD}\""
    case .blob: "Data(1 bytes)"
    case .emptyBlob: "Data(0 bytes)"
    }
  }
}

extension Set<Stored> {
  static let everything = Set(Stored.allCases)
  static let integers: Set = [Stored.integer, .negative, .large]
  static let numbers = integers.union([.real, .huge])
  static let texts: Set = [Stored.text, .digits, .empty, .broken]
  static let blobs: Set = [Stored.blob, .emptyBlob]
}

/// A way to get a record with a property from a query or a row, and the name of the record type.
struct PropertyReading<Source>: Sendable {
  var record: String
  var read: @Sendable (Source) throws -> Void
}

/// A type of properties, and the stored values that it refuses.
struct PropertyType: CustomTestStringConvertible, Sendable {
  /// A query with a column `v`, and its connection.
  typealias Query = (db: Database, sql: String)

  /// As errors show it.
  var testDescription: String

  /// What is refused, from a statement and from a row in memory.
  var refused: Set<Stored>

  var fetches: [PropertyReading<Query>] = []
  var decodes: [PropertyReading<Row>] = []

  private init<Value>(_ type: Value.Type, _ refused: Set<Stored>) {
    testDescription = "\(type)"
    self.refused = refused
  }

  private mutating func add<Record: FetchableRecord & SendableMetatype>(_ type: Record.Type) {
    let fetches: [@Sendable (Query) throws -> Void] = [
      { _ = try Record.fetchAll($0.db, sql: $0.sql) },
      { _ = try Record.fetchOne($0.db, sql: $0.sql) },
      { _ = try Record.fetchCursor($0.db, sql: $0.sql).next() },
      { _ = try SQLRequest<Record>(sql: $0.sql).fetchAll($0.db) },
    ]
    self.fetches += fetches.map { PropertyReading(record: String(describing: type), read: $0) }
  }

  private mutating func addDecoding<Record: FetchableRecord & SendableMetatype>(
    _ type: Record.Type
  ) {
    decodes.append(PropertyReading(record: String(describing: type)) { _ = try Record(row: $0) })
  }
}

// One function per kind of types: each has its ways to be read.

extension PropertyType {
  /// A type that is read straight from statements, and its optional.
  static func direct<
    Value: DatabaseValueConvertible & StatementColumnConvertible & Codable & SendableMetatype
  >(
    _ type: Value.Type, refuses refused: Set<Stored>
  ) -> [PropertyType] {
    [direct(type, refused), direct(Value?.self, refused.subtracting([.null]))]
  }

  private static func direct<
    Value: DatabaseValueConvertible & StatementColumnConvertible & Codable & SendableMetatype
  >(
    _ type: Value.Type, _ refused: Set<Stored>
  ) -> PropertyType {
    var property = PropertyType(type, refused)
    property.add(DirectThrowing<Value>.self)
    property.add(DirectSubscripted<Value>.self)
    property.add(DirectByIndex<Value>.self)
    property.add(Coded<Value>.self)
    property.addDecoding(DirectThrowing<Value>.self)
    property.addDecoding(Coded<Value>.self)
    return property
  }

  /// A type that is converted, and its optional.
  static func converted<Value: DatabaseValueConvertible & Codable & SendableMetatype>(
    _ type: Value.Type, refuses refused: Set<Stored>
  ) -> [PropertyType] {
    [converted(type, refused), converted(Value?.self, refused.subtracting([.null]))]
  }

  private static func converted<Value: DatabaseValueConvertible & Codable & SendableMetatype>(
    _ type: Value.Type, _ refused: Set<Stored>
  ) -> PropertyType {
    var property = object(type, refused)
    property.add(Coded<Value>.self)
    property.addDecoding(Coded<Value>.self)
    return property
  }

  /// A type that is converted, and not `Codable`, and its optional.
  static func object<Value: DatabaseValueConvertible>(
    _ type: Value.Type, refuses refused: Set<Stored>
  ) -> [PropertyType] {
    [object(type, refused), object(Value?.self, refused.subtracting([.null]))]
  }

  private static func object<Value: DatabaseValueConvertible>(
    _ type: Value.Type, _ refused: Set<Stored>
  ) -> PropertyType {
    var property = PropertyType(type, refused)
    property.add(Throwing<Value>.self)
    property.add(Subscripted<Value>.self)
    property.addDecoding(Throwing<Value>.self)
    return property
  }
}

private struct Throwing<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value

  init(row: Row) throws { value = try row.decode(forColumn: "v") }
}

private struct Subscripted<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value

  init(row: Row) { value = row["v"] }
}

private struct DirectThrowing<Value: DatabaseValueConvertible & StatementColumnConvertible>:
  FetchableRecord
{
  var value: Value

  init(row: Row) throws { value = try row.decode(forColumn: "v") }
}

private struct DirectSubscripted<Value: DatabaseValueConvertible & StatementColumnConvertible>:
  FetchableRecord
{
  var value: Value

  init(row: Row) { value = row["v"] }
}

private struct DirectByIndex<Value: DatabaseValueConvertible & StatementColumnConvertible>:
  FetchableRecord
{
  var value: Value

  init(row: Row) { value = row[1] }
}

private struct Coded<Value: Codable>: Codable, FetchableRecord {
  var v: Value
}

enum StoredColor: String, Codable, DatabaseValueConvertible {
  case red, green
}

enum StoredLevel: Int, Codable, DatabaseValueConvertible {
  case low, high
}

enum DirectLevel: Int, Codable, CaseIterable, DatabaseValueConvertible, StatementColumnConvertible {
  case low, high
}

struct StoredAddress: Codable, DatabaseValueConvertible {
  var street: String
}
