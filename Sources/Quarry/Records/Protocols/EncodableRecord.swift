public import Foundation

/// A type that is encoded into the columns of a table.
///
/// Types that are `Encodable` have a default ``encode(to:)``: properties are stored in the columns
/// with the same name. Other types set columns themselves:
///
/// ```swift
/// extension Player: EncodableRecord {
///   func encode(to container: inout PersistenceContainer) {
///     container["id"] = id
///     container["name"] = name
///   }
/// }
/// ```
///
/// The static members control the encoding of `Encodable` types. They are evaluated once per
/// connection and column, and not for each record.
public protocol EncodableRecord: ColumnEmbedding {
  /// Sets the columns of the record, except generated columns, which SQLite refuses to write.
  ///
  /// See <https://www.sqlite.org/gencol.html>.
  ///
  /// - Throws: an error when the record can't be encoded: the persistence method throws it.
  func encode(to container: inout PersistenceContainer) throws

  /// The `userInfo` of encoders of the record. Empty by default.
  static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// The encoder of properties that are stored as JSON: those that are neither database values nor
  /// encoded as a single value.
  ///
  /// The default encoder writes data as Base64, dates as milliseconds since 1970, sorts keys, and
  /// has the user info of the record. One encoder serves all records of a connection.
  ///
  /// - parameter column: the coding key of the property.
  static func databaseJSONEncoder(for column: String) -> JSONEncoder

  /// How `Data` properties are stored. As blobs, by default.
  static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy

  /// How `Date` properties are stored. As texts, by default.
  ///
  /// ```swift
  /// extension Player: EncodableRecord {
  ///   static func databaseDateEncodingStrategy(
  ///     for column: String
  ///   ) -> DatabaseDateEncodingStrategy {
  ///     .millisecondsSince1970
  ///   }
  /// }
  /// ```
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy

  /// How `UUID` properties are stored. As blobs, by default.
  static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy

  /// How columns are named after coding keys. As the keys, by default.
  static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy { get }
}

extension EncodableRecord {
  /// No user info.
  public static var databaseEncodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  /// An encoder with sorted keys, Base64 data, and dates in milliseconds since 1970.
  public static func databaseJSONEncoder(for column: String) -> JSONEncoder {
    let encoder = JSONEncoder.databaseDefault()
    let userInfo = databaseEncodingUserInfo
    if !userInfo.isEmpty { encoder.userInfo = sendable(userInfo) }
    return encoder
  }

  /// Blobs.
  public static func databaseDataEncodingStrategy(
    for column: String
  ) -> DatabaseDataEncodingStrategy { .deferredToData }

  /// Texts `yyyy-MM-dd HH:mm:ss.SSS`, in UTC.
  public static func databaseDateEncodingStrategy(
    for column: String
  ) -> DatabaseDateEncodingStrategy { .deferredToDate }

  /// Blobs of 16 bytes.
  public static func databaseUUIDEncodingStrategy(
    for column: String
  ) -> DatabaseUUIDEncodingStrategy { .deferredToUUID }

  /// Columns have the names of coding keys.
  public static var databaseColumnEncodingStrategy: DatabaseColumnEncodingStrategy {
    .useDefaultKeys
  }
}

extension EncodableRecord where Self: Encodable {
  /// Sets the columns of the record, with the `Encodable` method of the type.
  ///
  /// Database values, and types that encode a single value, are stored as such; other properties,
  /// such as arrays and nested structures, are stored as JSON.
  ///
  /// - Throws: `EncodingError`, with the column, for a property that can't be stored.
  public func encode(to container: inout PersistenceContainer) throws { try container.encode(self) }
}
