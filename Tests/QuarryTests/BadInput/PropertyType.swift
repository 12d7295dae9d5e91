import Foundation
import Quarry
import Testing

/// A value of each storage class, as SQL.
enum Stored: String, CaseIterable, Sendable {
  case null = "NULL"
  case integer = "1000"
  case negative = "-1"
  case real = "1.5"
  case text = "'abc'"
  case blob = "x'FF'"

  /// As errors show it.
  var description: String {
    switch self {
    case .null, .integer, .negative, .real: rawValue
    case .text: #""abc""#
    case .blob: "Data(1 bytes)"
    }
  }
}

/// A type of properties, and the stored values that it refuses in a record written by hand.
struct PropertyType: CustomTestStringConvertible, Sendable {
  var testDescription: String

  /// What is refused when the record is read from a statement, with the conversions of SQLite.
  var refused: Set<Stored>

  /// What is refused when the record is read from a row in memory.
  var refusedInMemory: Set<Stored>

  /// Ways to fetch a record from a query with a column `v`.
  var fetches: [@Sendable (Database, String) throws -> Void]

  /// Decodes a record from a row in memory.
  var decode: @Sendable (Row) throws -> Void

  /// A type that is read straight from statements.
  init<Value: DatabaseValueConvertible & StatementColumnConvertible & SendableMetatype>(
    direct type: Value.Type, refuses refused: Set<Stored>, inMemory: Set<Stored>? = nil
  ) {
    self.init(converted: type, refuses: refused, inMemory: inMemory)
    fetches = Self.fetches(DirectThrowing<Value>.self) + Self.fetches(Subscripted<Value>.self)
  }

  /// A type that is converted.
  init<Value: DatabaseValueConvertible & SendableMetatype>(
    converted type: Value.Type, refuses refused: Set<Stored>, inMemory: Set<Stored>? = nil
  ) {
    testDescription = "\(type)"
    self.refused = refused
    refusedInMemory = inMemory ?? refused
    fetches = Self.fetches(Throwing<Value>.self)
    decode = { row in _ = try Throwing<Value>(row: row) }
  }

  private static func fetches<Record: FetchableRecord & SendableMetatype>(
    _ type: Record.Type
  ) -> [@Sendable (Database, String) throws -> Void] {
    [
      { db, sql in _ = try Record.fetchAll(db, sql: sql) },
      { db, sql in _ = try Record.fetchOne(db, sql: sql) },
      { db, sql in _ = try Record.fetchCursor(db, sql: sql).next() },
      { db, sql in _ = try SQLRequest<Record>(sql: sql).fetchAll(db) },
    ]
  }
}

private struct Throwing<Value: DatabaseValueConvertible>: FetchableRecord {
  var value: Value

  init(row: Row) throws { value = try row.decode(forColumn: "v") }
}

private struct DirectThrowing<Value: DatabaseValueConvertible & StatementColumnConvertible>:
  FetchableRecord
{
  var value: Value

  init(row: Row) throws { value = try row.decode(forColumn: "v") }
}

private struct Subscripted<Value: DatabaseValueConvertible & StatementColumnConvertible>:
  FetchableRecord
{
  var value: Value

  init(row: Row) { value = row["v"] }
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
