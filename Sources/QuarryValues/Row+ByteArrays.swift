import Foundation
public import Quarry

extension Row {
  /// Decodes the bytes of a blob, or of a text.
  ///
  /// ```swift
  /// let bytes = try row.decode([UInt8].self, atIndex: 0)
  /// ```
  ///
  /// - Throws: `RowDecodingError` when the value is neither.
  public func decode(_ type: [UInt8].Type, atIndex index: Int) throws -> [UInt8] {
    [UInt8](try decode(Data.self, atIndex: index))
  }

  /// Decodes the bytes of a blob, or of a text.
  ///
  /// - Throws: `RowDecodingError` when the column is missing, or when its value is neither.
  public func decode(_ type: [UInt8].Type, forColumn columnName: String) throws -> [UInt8] {
    [UInt8](try decode(Data.self, forColumn: columnName))
  }

  /// Decodes the bytes of a blob, or of a text. See ``decode(_:forColumn:)``.
  public func decode(
    _ type: [UInt8].Type, forColumn column: some ColumnExpression
  ) throws -> [UInt8] {
    try decode(type, forColumn: column.name)
  }

  /// Decodes the bytes of a blob, or of a text, or nil for NULL.
  ///
  /// - Throws: `RowDecodingError` for other values.
  public func decode(_ type: [UInt8]?.Type, atIndex index: Int) throws -> [UInt8]? {
    try decode(Data?.self, atIndex: index).map { [UInt8]($0) }
  }

  /// Decodes the bytes of a blob, or of a text, or nil for NULL, and where there is no such column.
  ///
  /// - Throws: `RowDecodingError` for other values.
  public func decode(_ type: [UInt8]?.Type, forColumn columnName: String) throws -> [UInt8]? {
    try decode(Data?.self, forColumn: columnName).map { [UInt8]($0) }
  }

  /// Decodes the bytes of a blob, or of a text, or nil. See ``decode(_:forColumn:)``.
  public func decode(
    _ type: [UInt8]?.Type, forColumn column: some ColumnExpression
  ) throws -> [UInt8]? { try decode(type, forColumn: column.name) }
}
