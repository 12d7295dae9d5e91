// The seam of generated records: their code reads columns by position where it can. A record that
// is written by hand may do so too, and is as fast.

extension Row {
  /// Whether the row begins with these columns, in this order. Compared once for a statement. Not
  /// for applications.
  ///
  /// - parameter type: the record type that has these columns. It has always the same ones.
  public func _startsWith(
    _ columnNames: @autoclosure () throws -> [String], of type: Any.Type
  ) rethrows -> Bool { try layout.startsWith(columnNames, of: type) }

  /// Decodes a column by position, or by name if the row has other columns than the record. Not for
  /// applications.
  @inlinable public func _decode<Value: DatabaseValueConvertible>(
    at index: Int, or columnName: @autoclosure () -> String, inOrder: Bool
  ) throws -> Value { inOrder ? try decode(atIndex: index) : try decode(forColumn: columnName()) }

  /// Decodes a column by position, or by name if the row has other columns than the record. Not for
  /// applications.
  @inlinable @inline(__always)
  public func _decode<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    at index: Int, or columnName: @autoclosure () -> String, inOrder: Bool
  ) throws -> Value { inOrder ? try decode(atIndex: index) : try decode(forColumn: columnName()) }

  /// The position of a column, nil without column. Not for applications.
  public func _position(of columnName: String) -> Int? { index(ofColumn: columnName) }

  /// The error for a column that can't be converted. Not for applications.
  public func _conversionError(_ type: Any.Type, atIndex index: Int) -> RowDecodingError {
    conversionError(type, at: index)
  }

  /// The error for a column that does not exist. Not for applications.
  public func _missingColumnError(_ columnName: String) -> RowDecodingError {
    missingColumnError(columnName)
  }
}

extension DatabaseValue {
  /// The stand-in for a value that can't be stored: statements throw when they bind it. Not for
  /// applications.
  public static func _invalid(_ reason: String) -> DatabaseValue { invalid(reason) }
}
