public import Foundation

/// A type whose values are stored in, and loaded from, one column of a database.
///
/// Standard types such as `Int`, `String`, `Data`, `Date`, and `UUID` are. Enums with raw values
/// get the conformance for free:
///
/// ```swift
/// enum Genre: String, DatabaseValueConvertible {
///   case novel, poetry
/// }
///
/// let genre = try Genre.fetchOne(db, sql: "SELECT genre FROM book")
/// ```
///
/// So do `Codable` types. Those that encode a single value store this value, the others are stored
/// as a JSON text:
///
/// ```swift
/// struct Address: Codable, DatabaseValueConvertible {
///   var street: String
///   var city: String
/// }
/// ```
///
/// Other types implement ``databaseValue`` and ``fromDatabaseValue(_:)``.
///
/// The types of the library convert what is stored in a row when nothing is lost, and are stricter
/// in ``fromDatabaseValue(_:)``: see <doc:Values>.
public protocol DatabaseValueConvertible: SQLExpressible, StatementBinding, SendableMetatype {
  /// The value to store.
  var databaseValue: DatabaseValue { get }

  /// Creates a value from a database value, or returns nil when it can't be converted.
  static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self?

  /// Creates a value from a value of a row. Not for applications, which implement
  /// ``fromDatabaseValue(_:)``.
  static func _fromColumn(_ dbValue: DatabaseValue) -> Self?

  /// Creates a value from a column that does not exist, or returns nil when a missing column is an
  /// error.
  ///
  /// Only optional types accept missing columns.
  static func fromMissingColumn() -> Self?

  /// The decoder of `Decodable` types that are stored as JSON.
  ///
  /// The default decoder reads data as Base64, and dates as milliseconds since 1970.
  static func databaseJSONDecoder() -> JSONDecoder

  /// The encoder of `Encodable` types that are stored as JSON.
  ///
  /// The default encoder writes data as Base64, dates as milliseconds since 1970, and sorts keys.
  static func databaseJSONEncoder() -> JSONEncoder
}

extension DatabaseValueConvertible {
  /// The SQL expression of the value: an argument of the statement.
  public var sqlExpression: SQLExpression { SQLExpression(databaseValue) }

  /// Binds the database value to a parameter of a statement.
  @inlinable
  public func bind(to sqliteStatement: SQLiteStatement, at index: CInt) -> CInt {
    unsafe databaseValue.bind(to: sqliteStatement, at: index)
  }

  /// Returns nil: a missing column is an error.
  public static func fromMissingColumn() -> Self? { nil }

  /// Returns the decoder that reads what the default encoder writes.
  public static func databaseJSONDecoder() -> JSONDecoder {
    .databaseDefault()
  }

  /// Returns an encoder with sorted keys, Base64 data, and dates in milliseconds since 1970.
  public static func databaseJSONEncoder() -> JSONEncoder {
    .databaseDefault()
  }
}

extension JSONEncoder {
  /// The JSON encoder of values and of record properties.
  static func databaseDefault() -> JSONEncoder {
    let encoder = JSONEncoder()
    // Equal values have equal texts.
    encoder.outputFormatting = .sortedKeys
    encoder.dateEncodingStrategy = .millisecondsSince1970
    encoder.dataEncodingStrategy = .base64
    encoder.nonConformingFloatEncodingStrategy = .throw
    return encoder
  }
}

extension JSONDecoder {
  /// The JSON decoder of values and of record properties.
  static func databaseDefault() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .throw
    decoder.dateDecodingStrategy = .millisecondsSince1970
    decoder.dataDecodingStrategy = .base64
    return decoder
  }
}
