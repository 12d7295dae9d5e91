public import Foundation

/// How `Data` properties of `Decodable` records are decoded.
///
/// See ``FetchableRecord/databaseDataDecodingStrategy(for:)``.
public enum DatabaseDataDecodingStrategy: Sendable {
  /// Blobs, and the UTF-8 bytes of texts.
  case deferredToData

  /// A function. Nil means that the value can't be decoded.
  case custom(@Sendable (DatabaseValue) -> Data?)
}

/// How `Date` properties of `Decodable` records are decoded.
///
/// See ``FetchableRecord/databaseDateDecodingStrategy(for:)``.
public enum DatabaseDateDecodingStrategy: Sendable {
  /// Texts in the formats of SQLite, and numbers of seconds since 1970.
  case deferredToDate

  /// A number of seconds since the start of 2001, UTC.
  case timeIntervalSinceReferenceDate

  /// A number of seconds since the start of 1970, UTC.
  case timeIntervalSince1970

  /// A number of milliseconds since the start of 1970, UTC.
  case millisecondsSince1970

  /// A text such as `1969-12-31T23:59:58Z`.
  case iso8601

  /// A text in the format of a formatter.
  case formatted(DateFormatter)

  /// A function. Nil means that the value can't be decoded.
  case custom(@Sendable (DatabaseValue) -> Date?)
}

/// How columns are matched with the coding keys of `Decodable` records.
///
/// See ``FetchableRecord/databaseColumnDecodingStrategy``.
public enum DatabaseColumnDecodingStrategy: Sendable {
  /// The name of the column is the coding key.
  case useDefaultKeys

  /// The name of the column is in snake case, the coding key in camel case: `first_name` for
  /// `firstName`.
  ///
  /// As with `JSONDecoder`, a column `the_url` is decoded by the key `theUrl`.
  case convertFromSnakeCase

  /// A function from the names of columns to coding keys.
  case custom(@Sendable (String) -> any CodingKey)
}

extension DatabaseDataDecodingStrategy {
  /// Decodes a column, or throws a ``RowDecodingError``.
  func decode(_ row: Row, _ column: Int) throws -> Data {
    switch self {
    case .deferredToData: try row.decode(Data.self, atIndex: column)
    case .custom(let decode): try row.decode(atIndex: column, by: decode)
    }
  }
}

extension DatabaseDateDecodingStrategy {
  /// A function that decodes a column, or throws a ``RowDecodingError``.
  var decoder: (_ row: Row, _ column: Int) throws -> Date {
    switch self {
    case .deferredToDate: return { try $0.decode(Date.self, atIndex: $1) }
    case .timeIntervalSinceReferenceDate:
      return {
        try $0.decodeDate(atIndex: $1, "seconds since 2001") {
          Date(timeIntervalSinceReferenceDate: $0)
        }
      }
    case .timeIntervalSince1970:
      return {
        try $0.decodeDate(atIndex: $1, "seconds since 1970") { Date(timeIntervalSince1970: $0) }
      }
    case .millisecondsSince1970:
      return {
        try $0.decodeDate(atIndex: $1, "milliseconds since 1970") {
          Date(timeIntervalSince1970: $0 / 1000)
        }
      }
    case .iso8601:
      let formatter = ISO8601DateFormatter()
      return { row, column in
        try row.decodeDate(
          atIndex: column, "a text such as \"2024-03-01T10:30:00Z\"", formatter.date(from:))
      }
    case .formatted(let formatter):
      return { row, column in
        try row.decodeDate(
          atIndex: column, "a text in the format \(formatter.dateFormat.debugDescription)",
          formatter.date(from:))
      }
    case .custom(let decode): return { try $0.decode(atIndex: $1, by: decode) }
    }
  }
}

extension Row {
  fileprivate func decode<Value>(
    atIndex index: Int, by decode: (DatabaseValue) -> Value?
  ) throws -> Value {
    guard let value = decode(databaseValue(at: index)) else {
      throw conversionError(Value.self, at: index)
    }
    return value
  }

  fileprivate func decodeDate<Value: DatabaseValueConvertible>(
    atIndex index: Int, _ expectation: @autoclosure () -> String, _ date: (Value) -> Date?
  ) throws -> Date {
    guard !isNull(at: index), let value = try? decode(Value.self, atIndex: index),
      let date = date(value)
    else {
      let error = conversionError(Date.self, at: index)
      throw isNull(at: index)
        ? error : error.expecting("`databaseDateDecodingStrategy` expects \(expectation())")
    }
    return date
  }
}

extension DatabaseColumnDecodingStrategy {
  /// The coding key of a column.
  package func codingKey(ofColumn name: String) -> String {
    switch self {
    case .useDefaultKeys: name
    case .convertFromSnakeCase: name.camelCased
    case .custom(let key): key(name).stringValue
    }
  }

  /// The column of a key, as far as the strategy says.
  func column(forKey key: any CodingKey) -> String {
    if case .convertFromSnakeCase = self { key.stringValue.snakeCased } else { key.stringValue }
  }
}

extension DatabaseColumnDecodingStrategy {
  /// What remains of the name of a column after the names of keys, and an underscore after each.
  func remainders(of name: Substring, after keys: ArraySlice<any CodingKey>) -> [Substring] {
    guard let key = keys.first else { return [name] }
    return name.indices.filter { name[$0] == "_" }.flatMap { end -> [Substring] in
      guard isName(String(name[..<end]), of: key) else { return [] }
      return remainders(of: name[name.index(after: end)...], after: keys.dropFirst())
    }
  }

  /// Whether a column has the name of some keys, with underscores in between.
  package func isName(_ name: String, of keys: [any CodingKey]) -> Bool {
    remainders(of: name[...], after: keys.dropLast())
      .contains { remainder in keys.last.map { isName(String(remainder), of: $0) } ?? false }
  }

  private func isName(_ name: String, of key: any CodingKey) -> Bool {
    if case .useDefaultKeys = self { return name.isSameIdentifier(as: key.stringValue) }
    return codingKey(ofColumn: name).hasSameBytes(as: key.stringValue)
  }
}
