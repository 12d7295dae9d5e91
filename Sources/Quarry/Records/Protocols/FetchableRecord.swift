public import Foundation

/// A type that is decoded from the rows of a database.
///
/// Types that are `Decodable` get ``init(row:)`` for free: properties are decoded from the columns
/// with the same name.
///
/// ```swift
/// struct Player: Decodable, FetchableRecord {
///   var id: Int64
///   var name: String
/// }
///
/// let players = try Player.fetchAll(db, sql: "SELECT * FROM player")
/// ```
///
/// Other types decode rows themselves:
///
/// ```swift
/// extension Player: FetchableRecord {
///   init(row: Row) {
///     id = row["id"]
///     name = row["name"]
///   }
/// }
/// ```
///
/// While the library fetches records, a value that can't be decoded is an error that the fetching
/// method throws, with the column, the value, and the SQL: see ``RowDecodingError``.
///
/// The static members control the decoding of `Decodable` types. They are asked once per statement
/// and column, and not for each row.
public protocol FetchableRecord: _RowInitializable, ColumnEmbedding {
  /// Creates a record from a row.
  ///
  /// The row is only valid during this call: use `row.copy()` to keep it.
  ///
  /// - Throws: an error when the row can't be decoded.
  init(row: Row) throws

  /// The `userInfo` of decoders of the record. Empty by default.
  static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// The decoder of properties that are stored as JSON.
  ///
  /// The default decoder reads data as Base64, dates as milliseconds since 1970, and has the user
  /// info of the record. One decoder serves all rows of a statement.
  ///
  /// - parameter column: the coding key of the property.
  static func databaseJSONDecoder(for column: String) -> JSONDecoder

  /// How `Data` properties are decoded. As blobs and texts, by default.
  ///
  /// - parameter column: the column, as the record writes it, whatever its case is in the row.
  static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy

  /// How `Date` properties are decoded. From texts and numbers of seconds since 1970, by default.
  ///
  /// ```swift
  /// extension Player: FetchableRecord {
  ///   static func databaseDateDecodingStrategy(
  ///     for column: String
  ///   ) -> DatabaseDateDecodingStrategy {
  ///     .millisecondsSince1970
  ///   }
  /// }
  /// ```
  ///
  /// - parameter column: the column, as the record writes it, whatever its case is in the row.
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy

  /// How columns are matched with coding keys. By name, by default.
  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { get }
}

extension FetchableRecord {
  /// No user info.
  public static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { [:] }

  /// A decoder for the format of the default encoder: Base64 data, dates in milliseconds since
  /// 1970.
  public static func databaseJSONDecoder(for column: String) -> JSONDecoder {
    let decoder = JSONDecoder.databaseDefault()
    let userInfo = databaseDecodingUserInfo
    if !userInfo.isEmpty { decoder.userInfo = sendable(userInfo) }
    return decoder
  }

  /// Blobs and texts.
  public static func databaseDataDecodingStrategy(
    for column: String
  ) -> DatabaseDataDecodingStrategy { .deferredToData }

  /// Texts and numbers of seconds since 1970.
  public static func databaseDateDecodingStrategy(
    for column: String
  ) -> DatabaseDateDecodingStrategy { .deferredToDate }

  /// Columns have the names of coding keys.
  public static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy {
    .useDefaultKeys
  }
}
