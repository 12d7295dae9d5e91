public import Foundation

/// How `Data` properties of `Encodable` records are stored.
///
/// See ``EncodableRecord/databaseDataEncodingStrategy(for:)``.
public enum DatabaseDataEncodingStrategy: Sendable {
  /// As blobs.
  case deferredToData

  /// As texts, from UTF-8 bytes.
  case text

  /// As the result of a function.
  case custom(@Sendable (Data) -> (any DatabaseValueConvertible)?)
}

/// How `Date` properties of `Encodable` records are stored.
///
/// See ``EncodableRecord/databaseDateEncodingStrategy(for:)``.
public enum DatabaseDateEncodingStrategy: Sendable {
  /// As texts `yyyy-MM-dd HH:mm:ss.SSS`, in UTC.
  case deferredToDate

  /// As a number of seconds since the start of 2001, UTC: a double.
  case timeIntervalSinceReferenceDate

  /// As a number of seconds since the start of 1970, UTC: a double.
  case timeIntervalSince1970

  /// As a whole number of seconds since the start of 1970, UTC, rounded down.
  case secondsSince1970

  /// As a whole number of milliseconds since the start of 1970, UTC, rounded down. A date that is
  /// read from whole milliseconds is stored as these.
  case millisecondsSince1970

  /// As texts such as `1969-12-31T23:59:58Z`.
  case iso8601

  /// As texts, in the format of a formatter.
  case formatted(DateFormatter)

  /// As the result of a function.
  case custom(@Sendable (Date) -> (any DatabaseValueConvertible)?)
}

/// How `UUID` properties of `Encodable` records are stored.
///
/// See ``EncodableRecord/databaseUUIDEncodingStrategy(for:)``.
public enum DatabaseUUIDEncodingStrategy: Sendable {
  /// As blobs of 16 bytes.
  case deferredToUUID

  /// As texts such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
  case uppercaseString

  /// As texts such as `e621e1f8-c36c-495a-93fc-0c247a3e6e5f`.
  case lowercaseString
}

/// How columns are named after the coding keys of `Encodable` records.
///
/// See ``EncodableRecord/databaseColumnEncodingStrategy``.
public enum DatabaseColumnEncodingStrategy: Sendable {
  /// The coding key is the name of the column.
  case useDefaultKeys

  /// The name of the column is the coding key, converted from camel case to snake case:
  /// `first_name` for `firstName`.
  ///
  /// The conversion is the one of `JSONEncoder`: `the_url` for `theURL`.
  case convertToSnakeCase

  /// A function from coding keys to the names of columns.
  case custom(@Sendable (any CodingKey) -> String)
}

extension DatabaseDataEncodingStrategy {
  func encode(_ data: Data) throws -> DatabaseValue {
    switch self {
    case .deferredToData: data.databaseValue
    case .text: try Self.text(data).databaseValue
    case .custom(let encode): encode(data)?.databaseValue ?? .null
    }
  }

  private static func text(_ data: Data) throws -> String {
    if let text = String(validUTF8: data) { return text }
    throw EncodingError.invalidValue(
      data,
      .init(
        codingPath: [],
        debugDescription: "Non-UTF8 data can't be encoded as text in the database"))
  }
}

extension DatabaseDateEncodingStrategy {
  package func encode(_ date: Date) throws -> DatabaseValue {
    switch self {
    case .deferredToDate: date.databaseValue
    case .timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.databaseValue
    case .timeIntervalSince1970: date.timeIntervalSince1970.databaseValue
    case .secondsSince1970: try Self.integer(date.timeIntervalSince1970.rounded(.down), date)
    case .millisecondsSince1970: try Self.integer(date.wholeMilliseconds, date)
    case .iso8601: ISO8601DateFormatter().string(from: date).databaseValue
    case .formatted(let formatter): formatter.string(from: date).databaseValue
    case .custom(let encode): encode(date)?.databaseValue ?? .null
    }
  }

  private static func integer(_ number: Double, _ date: Date) throws -> DatabaseValue {
    guard let integer = Int64(exactly: number) else {
      throw EncodingError.invalidValue(
        date,
        .init(codingPath: [], debugDescription: "The date does not fit an integer"))
    }
    return integer.databaseValue
  }
}

extension Date {
  /// The milliseconds since 1970, rounded down.
  ///
  /// A date counts the seconds since 2001 in a double, which may be less than the milliseconds that
  /// it was read from, as a number or as a text: these are what it means.
  fileprivate var wholeMilliseconds: Double {
    let milliseconds = timeIntervalSince1970 * 1000
    let nearest = milliseconds.rounded()
    let from1970To2001 = Date.timeIntervalBetween1970AndReferenceDate * 1000
    let isNearest =
      self == Date(timeIntervalSince1970: nearest / 1000)
      || self == Date(timeIntervalSinceReferenceDate: (nearest - from1970To2001) / 1000)
    return isNearest ? nearest : milliseconds.rounded(.down)
  }
}

/// The strategies of a record type as a whole.
enum EncodingStrategies {
  /// Whether strategies decide how values of a type are stored.
  ///
  /// Not `any DatabaseValueConvertible.Type`: looking conformances up would cost more than the
  /// comparisons.
  static func apply(to type: any Any.Type) -> Bool {
    type == UUID.self || type == Date.self || type == Data.self
      || type == UUID?.self || type == Date?.self || type == Data?.self
  }
}

extension EncodableRecord {
  /// What the strategies store for a value. Nil for types that have none, and for nil.
  static func strategicValue(of value: Any, in column: String) throws -> DatabaseValue? {
    switch value {
    case let data as Data: try databaseDataEncodingStrategy(for: column).encode(data)
    case let date as Date: try databaseDateEncodingStrategy(for: column).encode(date)
    case let uuid as UUID: databaseUUIDEncodingStrategy(for: column).encode(uuid)
    default: nil
    }
  }
}

extension DatabaseUUIDEncodingStrategy {
  func encode(_ uuid: UUID) -> DatabaseValue {
    switch self {
    case .deferredToUUID: uuid.databaseValue
    case .uppercaseString: uuid.uuidString.databaseValue
    case .lowercaseString: uuid.uuidString.lowercased().databaseValue
    }
  }
}

extension DatabaseColumnEncodingStrategy {
  /// The function from the coding keys of a type to its columns.
  static func naming(of type: Any.Type) -> (any CodingKey) -> String {
    if let type = type as? any EncodableRecord.Type {
      return type.databaseColumnEncodingStrategy.column
    }
    if let type = type as? any FetchableRecord.Type {
      return type.databaseColumnDecodingStrategy.column
    }
    return \.stringValue
  }

  func column(forKey key: any CodingKey) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: key.stringValue.snakeCased
    case .custom(let column): column(key)
    }
  }
}
