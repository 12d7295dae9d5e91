#if Macros
  public import Quarry

  /// A way to store values of a type in a column, which properties of records choose with
  /// ``Column(_:as:)``.
  ///
  /// ```swift
  /// /// A list of words in one text.
  /// enum Words: ColumnCoding {
  ///   static func databaseValue(of words: [String]) -> DatabaseValue {
  ///     words.joined(separator: " ").databaseValue
  ///   }
  ///
  ///   static func value(in row: Row, atIndex index: Int) throws -> [String] {
  ///     try row.decode(String.self, atIndex: index).split(separator: " ").map(String.init)
  ///   }
  /// }
  ///
  /// @Record
  /// struct Book {
  ///   @Column(as: Words.self) var keywords: [String]
  /// }
  /// ```
  ///
  /// An optional property has a coding of the type that it wraps: nil is stored as `NULL`.
  public protocol ColumnCoding<Value>: SendableMetatype {
    /// The type of the values.
    associatedtype Value

    /// The type of a column for such values, for `createTable(_:)`. Nil by default: a column
    /// without type.
    static var columnType: Database.ColumnType? { get }

    /// Returns the stored form of a value.
    ///
    /// - Throws: an error when the value can't be stored.
    static func databaseValue(of value: Value) throws -> DatabaseValue

    /// Returns the value of a column, which is not `NULL` where the property is optional.
    ///
    /// - Throws: an error when the column can't be converted.
    static func value(in row: Row, atIndex index: Int) throws -> Value
  }

  extension ColumnCoding {
    /// A column without type, which stores all values as they are.
    public static var columnType: Database.ColumnType? { nil }
  }
#endif
