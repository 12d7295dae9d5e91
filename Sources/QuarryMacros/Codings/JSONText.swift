#if Macros
  import Foundation
  public import Quarry

  /// Values as texts of JSON: the coding of ``JSON()``.
  ///
  /// The format is that of JSON columns of `Codable` records: data as Base64, dates as milliseconds
  /// since 1970, sorted keys.
  public enum JSONText<Value: Codable>: ColumnCoding {
    /// `TEXT`
    public static var columnType: Database.ColumnType? { .jsonText }

    /// The text.
    ///
    /// - Throws: `EncodingError`.
    public static func databaseValue(of value: Value) throws -> DatabaseValue {
      let bytes = try JSONCoders.encoder.encode(value)
      return String(decoding: bytes, as: UTF8.self).databaseValue
    }

    /// The value of a text, or of the bytes of one.
    ///
    /// - Throws: ``Quarry/RowDecodingError``.
    public static func value(in row: Row, atIndex index: Int) throws -> Value {
      let bytes = try row.decode(Data.self, atIndex: index)
      guard let value = try? JSONCoders.decoder.decode(Value.self, from: bytes) else {
        throw row.conversionError(Value.self, at: index)
      }
      return value
    }
  }

  /// The coders of all records: those of values that are stored as JSON.
  private enum JSONCoders {
    static let encoder = Int.databaseJSONEncoder()
    static let decoder = Int.databaseJSONDecoder()
  }
#endif
